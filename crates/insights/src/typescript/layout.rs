//! A declaration as ts-rs writes it in, the same with lines and indents that people can read out.

/// A union that is longer than this has a line for each member.
const WIDTH: usize = 110;

/// One part of a declaration.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// The text between `/**` and `*/`.
    Comment(&'a str),
    /// Anything else, without white space at its ends.
    Code(&'a str),
}

/// Lays a declaration out.
pub(super) fn laid_out(text: &str) -> String {
    let mut out = String::from("\n");
    let mut depth = 0;
    let mut parts = parts(text).peekable();
    let has_fields_with_docs = parts.clone().filter(|part| matches!(part, Part::Comment(_))).count() > 1;
    let union = if has_fields_with_docs || text.len() > WIDTH { "\n  | " } else { " | " };
    while let Some(part) = parts.next() {
        match part {
            Part::Comment(words) => {
                let words = words.lines().map(|line| line.trim().trim_start_matches('*').trim());
                let words: Vec<&str> = words.filter(|line| !line.is_empty()).collect();
                let indent = "  ".repeat(depth);
                out.push_str(&format!("{indent}/** {} */\n", words.join(&format!("\n{indent} *  "))));
            }
            Part::Code(code) => {
                let mut code = code;
                // What closes the object of the field before.
                if depth > 0
                    && let Some((field, rest)) = code.split_once(", }")
                {
                    out.push_str(&format!("{}{field};\n", "  ".repeat(depth)));
                    depth -= 1;
                    out.push('}');
                    code = rest;
                }
                if depth > 0 {
                    let field = code.trim_end_matches(',');
                    out.push_str(&format!("{}{field};\n", "  ".repeat(depth)));
                    continue;
                }
                let code = code.replace(" | ", union);
                // A field with a comment follows: the object that ends here is open.
                if parts.peek().is_some()
                    && let Some(open) = code.strip_suffix('{').or(code.strip_suffix(','))
                {
                    let tag = open.rsplit_once("{ ").filter(|_| code.ends_with(','));
                    match tag {
                        Some((before, tag)) => out.push_str(&format!("{before}{{\n  {tag};\n")),
                        None => out.push_str(&format!("{open}{{\n")),
                    }
                    depth += 1;
                } else {
                    out.push_str(&code);
                    if parts.peek().is_none() {
                        out.push('\n');
                    }
                }
            }
        }
    }
    out
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> + Clone {
    text.split("/**")
        .enumerate()
        .flat_map(|(place, piece)| {
            let (comment, code) = if place == 0 { ("", piece) } else { piece.split_once("*/").unwrap_or(("", piece)) };
            [Part::Comment(comment.trim()), Part::Code(code.trim())]
        })
        .filter(|part| !matches!(part, Part::Comment("") | Part::Code("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_a_line_for_each_field() {
        let text = "/**\n * A thing.\n */\nexport type A = { \n/**\n * First.\n */\na?: number, \n/**\n * Second,\n * in two lines.\n */\nb: { [key in string]: C }, };";
        assert_eq!(
            laid_out(text),
            "\n/** A thing. */\nexport type A = {\n  /** First. */\n  a?: number;\n  /** Second,\n   *  in two lines. */\n  b: { [key in string]: C };\n};\n"
        );
    }

    #[test]
    fn a_union_of_objects_has_a_block_for_each_member() {
        let text =
            "type A = { \"is\": \"b\", \n/**\n * X.\n */\nx: B, } | { \"is\": \"c\", \n/**\n * Y.\n */\ny: C, };";
        assert_eq!(
            laid_out(text),
            "\ntype A = {\n  \"is\": \"b\";\n  /** X. */\n  x: B;\n}\n  | {\n  \"is\": \"c\";\n  /** Y. */\n  y: C;\n};\n"
        );
    }

    #[test]
    fn short_declarations_stay_on_a_line() {
        assert_eq!(laid_out("export type A = \"b\" | \"c\";"), "\nexport type A = \"b\" | \"c\";\n");
    }
}
