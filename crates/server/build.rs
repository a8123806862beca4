//! The page: `web/` in, its files as constants out. Whoever builds the server builds the page, so one command is enough. Where
//! there is no Node, a folder with a page that was built elsewhere takes its place.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a page that was built before.
const BUILT: &str = "QUARTERDECK_WEB_DIST";

/// What the page is made of.
const SOURCES: [&str; 6] =
    ["index.html", "package.json", "package-lock.json", "src", "tsconfig.json", "vite.config.ts"];

/// The oldest Node that Vite runs on, as `engines` in `package.json` says.
const OLDEST_NODE: (u32, u32) = (20, 19);

#[expect(clippy::print_stderr, reason = "cargo shows it when the script fails")]
fn main() {
    if let Err(error) = run() {
        eprintln!("\nerror: the page could not be built: {error}\n");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-env-changed={BUILT}");
    let built = match std::env::var_os(BUILT) {
        Some(built) => {
            let built = Path::new(&built);
            println!("cargo::rerun-if-changed={}", built.display());
            if !built.join("index.html").is_file() || !built.join("page").is_dir() {
                let shown = built.display();
                return Err(
                    format!("{BUILT} is `{shown}`, which holds no page: `index.html` or `page` is missing").into()
                );
            }
            built.canonicalize()?
        }
        None => build(&out)?,
    };
    fs::write(out.join("page.rs"), constants(&built)?)?;
    Ok(())
}

/// Builds the page, and says where it is. One page serves all profiles and features: it is kept beside their folders, with a
/// fingerprint of what it was made from, and copied from there.
fn build(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let web = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../web").canonicalize()?;
    let mut fingerprint = DefaultHasher::new();
    for source in SOURCES.map(|source| web.join(source)) {
        println!("cargo::rerun-if-changed={}", source.display());
        fold(&mut fingerprint, &source)?;
    }
    let fingerprint = format!("{:016x}", fingerprint.finish());

    // OUT_DIR is `<target>/<profile>/build/<package>/out`.
    let shared = out.ancestors().nth(4).unwrap_or(out).join("page");
    fs::create_dir_all(&shared)?;
    let lock = File::create(shared.join("lock"))?;
    lock.lock()?;
    let (page, made_from) = (shared.join("dist"), shared.join("made-from"));
    if !fs::read_to_string(&made_from).is_ok_and(|there| there == fingerprint) {
        let _ = fs::remove_file(&made_from);
        check_node()?;
        install(&web)?;
        say("Building", "the page (vite build)");
        npm(&web, &["run", "build", "--", "--emptyOutDir", "--outDir"], Some(&page))?;
        fs::write(&made_from, fingerprint)?;
    }
    let own = out.join("web");
    let _ = fs::remove_dir_all(&own);
    copy(&page, &own)?;
    Ok(own)
}

/// Adds the names and contents of a file, or of all files in a folder, to the fingerprint.
fn fold(fingerprint: &mut DefaultHasher, path: &Path) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in sorted(path)? {
            fold(fingerprint, &entry)?;
        }
        return Ok(());
    }
    let content = fs::read(path).map_err(|error| format!("could not read `{}`: {error}", path.display()))?;
    fingerprint.write(path.as_os_str().as_encoded_bytes());
    fingerprint.write_usize(content.len());
    fingerprint.write(&content);
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    entries.sort();
    Ok(entries)
}

fn copy(from: &Path, to: &Path) -> Result<(), std::io::Error> {
    fs::create_dir_all(to)?;
    for entry in sorted(from)? {
        let target = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            copy(&entry, &target)?;
        } else {
            fs::copy(&entry, &target)?;
        }
    }
    Ok(())
}

/// Brings the packages that the page is built with, if they are not those of `package-lock.json`.
fn install(web: &Path) -> Result<(), Box<dyn Error>> {
    // Two builds into different target folders would be in each other's way.
    let lock = File::create(web.join(".install.lock"))?;
    lock.lock()?;
    let (wanted, installed) = (fs::read(web.join("package-lock.json"))?, web.join("node_modules/.installed"));
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    say("Installing", "the page's packages (npm ci)");
    npm(web, &["ci", "--no-audit", "--no-fund"], None)?;
    Ok(fs::write(installed, wanted)?)
}

/// Tells the person at the terminal what takes so long. Cargo shows nothing of what a build script prints, so this goes to the
/// terminal itself, in the form of cargo's own lines; where there is none, nobody waits.
fn say(verb: &str, what: &str) {
    if let Ok(mut terminal) = OpenOptions::new().write(true).open("/dev/tty") {
        let _ = writeln!(terminal, "\r\x1b[K\x1b[1;32m{verb:>12}\x1b[0m {what}");
    }
}

/// Refuses a Node that is too old in words; Vite would fail with a riddle.
fn check_node() -> Result<(), Box<dyn Error>> {
    let output = output("node", &["--version"], Path::new("."), None)?;
    let version = String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').to_owned();
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    if (major, minor) >= OLDEST_NODE {
        return Ok(());
    }
    let (oldest_major, oldest_minor) = OLDEST_NODE;
    Err(format!("Node.js {version} is too old, install {oldest_major}.{oldest_minor} or newer (https://nodejs.org)")
        .into())
}

fn npm(web: &Path, arguments: &[&str], last: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let output = output("npm", arguments, web, last)?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("`npm {}` failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&said)).into())
}

#[expect(clippy::disallowed_methods, reason = "the one place where this script starts a process")]
fn output(program: &str, arguments: &[&str], folder: &Path, last: Option<&Path>) -> Result<Output, Box<dyn Error>> {
    let output = Command::new(program).args(arguments).args(last).current_dir(folder).output();
    output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!(
            "`{program}` was not found, install Node.js 20.19 or newer (https://nodejs.org) or set {BUILT} to a page that was \
             built elsewhere"
        )
        .into(),
        _ => format!("could not start `{program}`: {error}").into(),
    })
}

/// The files as Rust.
fn constants(built: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = sorted(&built.join("page"))?;
    files.retain(|file| file.extension().is_none_or(|extension| extension != "gz"));
    let mut text = String::new();
    writeln!(text, "/// The page itself.\nconst INDEX: &str = include_str!({:?});", built.join("index.html"))?;
    writeln!(text, "/// Its files: names, and what is in them, plain and packed by gzip.")?;
    writeln!(text, "const BUILT: &[(&str, &[u8], &[u8])] = &[")?;
    for file in files {
        let name =
            file.file_name().and_then(|name| name.to_str()).ok_or("a file of the page has a name that is no text")?;
        let packed = file.with_file_name(format!("{name}.gz"));
        writeln!(text, "    ({name:?}, include_bytes!({file:?}), include_bytes!({packed:?})),")?;
    }
    writeln!(text, "];")?;
    Ok(text)
}
