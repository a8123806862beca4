//! The page: `web/` in, its files as constants out. It is built with Node by whoever builds the server, so that one command is
//! enough; a folder with a page that was built before takes its place, where there is no Node.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a page that was built before.
const BUILT: &str = "QUARTERDECK_WEB_DIST";

/// What the page is made of.
const SOURCES: [&str; 6] =
    ["index.html", "package.json", "package-lock.json", "src", "tsconfig.json", "vite.config.ts"];

#[expect(clippy::print_stderr, reason = "cargo shows it to whoever builds")]
fn main() {
    if let Err(error) = run() {
        // What a build script prints is not shown; what it fails with is.
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
                return Err(format!("{BUILT} is `{shown}`, where no page is: no `index.html` beside a `page`").into());
            }
            built.canonicalize()?
        }
        None => build(&out)?,
    };
    fs::write(out.join("page.rs"), constants(&built)?)?;
    Ok(())
}

/// Builds the page, and says where it is.
fn build(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let web = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../web").canonicalize()?;
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    install(&web)?;
    let built = out.join("web");
    npm(&web, &["run", "build", "--", "--emptyOutDir", "--outDir"], Some(&built))?;
    Ok(built)
}

/// Brings the packages that the page is built with, if they are not those of `package-lock.json`.
fn install(web: &Path) -> Result<(), Box<dyn Error>> {
    // Two builds at a time, of two profiles, would be in each other's way.
    let lock = File::create(web.join(".install.lock"))?;
    lock.lock()?;
    let (wanted, installed) = (fs::read(web.join("package-lock.json"))?, web.join("node_modules/.installed"));
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    npm(web, &["ci", "--no-audit", "--no-fund"], None)?;
    Ok(fs::write(installed, wanted)?)
}

#[expect(clippy::disallowed_methods, reason = "the one place where this script starts a process")]
fn npm(web: &Path, arguments: &[&str], last: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new("npm");
    let output = command.args(arguments).args(last).current_dir(web).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!(
            "there is no `npm` here. Install Node 20.19 or newer (https://nodejs.org), or point {BUILT} at a page that was \
             built elsewhere with `npm ci && npm run build` in `web/`."
        ),
        _ => format!("`npm` could not be started: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let told = [output.stdout, output.stderr].concat();
    Err(format!("`npm {}` failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&told)).into())
}

/// The files as Rust.
fn constants(built: &Path) -> Result<String, Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(built.join("page"))?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_none_or(|extension| extension != "gz"));
    files.sort();
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
