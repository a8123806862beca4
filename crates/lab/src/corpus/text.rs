//! The words of the corpus: a seeded stream of numbers in; prose, code and ids out.

/// A SplitMix64 generator: small, fast, and the same on every machine, which the corpus needs and a random crate would
/// not promise across its versions.
pub(super) struct Random {
    state: u64,
}

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to and without `high`.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low).max(1) as u64) as usize
    }

    /// A size from `low` to `high` with as many small ones as large ones: each power of two is equally likely.
    pub(super) fn size(&mut self, low: usize, high: usize) -> usize {
        let doublings = (high / low).ilog2() as usize;
        let floor = low << self.between(0, doublings.max(1));
        self.between(floor, (floor * 2).min(high))
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.between(0, from.len())]
    }

    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.between(0, n) == 0
    }

    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | (low >> 50),
            low & 0xffff_ffff_ffff
        )
    }

    /// An id such as the Messages API gives: a prefix and 22 letters and digits.
    pub(super) fn id(&mut self, prefix: &str) -> String {
        const ALPHABET: &[u8] = b"0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let mut id = String::with_capacity(prefix.len() + 22);
        id.push_str(prefix);
        id.extend((0..22).map(|_| char::from(self.pick(ALPHABET))));
        id
    }

    /// Base64-like text, as in a thinking signature.
    pub(super) fn base64(&mut self, bytes: usize) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..bytes).map(|_| char::from(self.pick(ALPHABET))).collect()
    }
}

const WORDS: &[&str] = &[
    "the", "a", "of", "to", "and", "is", "in", "that", "this", "file", "test", "function", "reads", "returns", "value",
    "error", "first", "then", "because", "parser", "line", "session", "should", "will", "change", "check", "call",
    "handler", "request", "response", "before", "after", "now", "let", "me", "we", "run", "fails", "passes", "module",
    "config", "default", "already", "stream", "buffer", "timeout", "path", "which", "with", "from", "when", "still",
];

/// What real output has beside plain words: marks, quotes, letters outside ASCII, emoji, Markdown, back-slashes.
const SPICE: &[&str] = &[
    "`cargo test`",
    "\"quoted\"",
    "—",
    "→",
    "naïve",
    "Größe",
    "✓",
    "⚠️",
    "🚀",
    "日本語",
    "**bold**",
    "don’t",
    "C:\\temp\\x",
    "src/main.rs:42",
    "(see above)",
    "100%",
    "café",
    "…",
];

const NAMES: &[&str] = &[
    "buffer",
    "count",
    "entry",
    "handle",
    "index",
    "item",
    "key",
    "limit",
    "name",
    "offset",
    "options",
    "parsed",
    "query",
    "result",
    "state",
    "total",
    "user_id",
    "value",
    "width",
    "next_line",
];

const FOLDERS: &[&str] = &["src", "src/api", "src/store", "tests", "lib", "crates/core/src", "packages/web/src"];

/// One word with a space behind it, now and then something that is not plain.
pub(super) fn word(random: &mut Random) -> &'static str {
    if random.one_in(14) { random.pick(SPICE) } else { random.pick(WORDS) }
}

/// Prose of at least `bytes` bytes: sentences, paragraphs, now and then a list or a fenced block of code.
pub(super) fn prose(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    while text.len() < bytes {
        for position in 0..random.between(6, 18) {
            if position > 0 {
                text.push(' ');
            }
            text.push_str(word(random));
        }
        match random.between(0, 9) {
            0 => text.push_str(":\n\n- "),
            1 => text.push_str(".\n\n"),
            2 => text.push_str("\n- "),
            3 if bytes > 600 => {
                text.push_str(":\n\n```rust\n");
                for _ in 0..random.between(2, 8) {
                    code_line(random, &mut text);
                }
                text.push_str("```\n\n");
            }
            _ => text.push_str(". "),
        }
    }
    text
}

/// Source text of at least `bytes` bytes, line by line.
pub(super) fn code(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    while text.len() < bytes {
        code_line(random, &mut text);
    }
    text
}

fn code_line(random: &mut Random, text: &mut String) {
    let (one, two) = (random.pick(NAMES), random.pick(NAMES));
    let number = random.between(0, 5000);
    let indent = &"            "[..4 * random.between(0, 4)];
    text.push_str(indent);
    let line = match random.between(0, 12) {
        0 => format!("let {one} = self.{two}.get({number})?;"),
        1 => format!("if ({one} === \"{two}\") {{"),
        2 => format!("return {{ {one}: {two}.{one}, id: {number} }};"),
        3 => format!("// {} {} {} {}", word(random), word(random), word(random), word(random)),
        4 => format!("assert_eq!({one}(\"{two}\\n\"), Some({number}));"),
        5 => format!("def {one}(self, {two}: dict[str, int] = None) -> None:"),
        6 => format!("\t\"{one}\": \"{two}/{number}\","),
        7 => format!("const {one} = await fetch(`/api/{two}/${{{one}}}`);"),
        8 => String::new(),
        9 => format!("pub fn {one}_{two}(&mut self) -> Result<(), Error> {{"),
        10 => format!("for (const [{one}, {two}] of Object.entries({one}s)) {{"),
        _ => "}".to_owned(),
    };
    text.push_str(&line);
    text.push('\n');
}

/// What a command prints: log lines and paths, now and then in colour.
pub(super) fn output(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    while text.len() < bytes {
        let (one, two) = (random.pick(NAMES), random.pick(NAMES));
        let number = random.between(0, 5000);
        let line = match random.between(0, 40) {
            0..2 => format!("\u{1b}[32mok\u{1b}[0m {one}::{two}"),
            2..10 => format!("test {one}::tests::{two}_{number} ... ok"),
            10..20 => format!("{}:{number}:    {one}.{two}(\"{}\")", path(random), word(random)),
            20..30 => format!("{number:>6} {one} {two} {} {}", word(random), word(random)),
            _ => format!("drwxr-xr-x  2 user user {number:>8} Nov 15 18:43 {one}-{two}"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The path of a file in the invented project.
pub(super) fn path(random: &mut Random) -> String {
    let extension = random.pick(&["rs", "ts", "tsx", "py", "md"]);
    format!("/home/user/project/{}/{}_{}.{extension}", random.pick(FOLDERS), random.pick(NAMES), random.pick(NAMES))
}
