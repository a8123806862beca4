//! Where tests of other crates find the agent's program: it is built if it is missing.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::LabError;
use crate::process::command;
use crate::real::process::run;

/// The name of the program.
const NAME: &str = "scripted-agent";

/// Where the program is, built if it is missing or older than its sources. It stands beside the running test's folder,
/// so it has the profile of the test.
pub async fn program() -> Result<PathBuf, LabError> {
    let wrong = |reason: String| LabError::Step { reason: format!("no `{NAME}`: {reason}") };
    let test = env::current_exe().map_err(|error| wrong(error.to_string()))?;
    // Tests run from `<target>/<profile>/deps`, examples and benches may run from one folder up.
    let mut folder = test.parent().unwrap_or(Path::new("."));
    if folder.ends_with("deps") || folder.ends_with("examples") {
        folder = folder.parent().unwrap_or(folder);
    }
    let program = folder.join(format!("{NAME}{}", env::consts::EXE_SUFFIX));
    if is_fresh(&program) {
        return Ok(program);
    }
    let target = folder.parent().ok_or_else(|| wrong(format!("`{}` is in no target folder", test.display())))?;
    let mut cargo = command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "lab", "--bin", NAME, "--target-dir"]).arg(target);
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => {}
        Some(profile) => _ = cargo.args(["--profile", profile]),
    }
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    run(cargo).await.map_err(|reason| wrong(format!("`cargo build -p lab --bin {NAME}` failed: {reason}")))?;
    if program.is_file() { Ok(program) } else { Err(wrong(format!("cargo did not build `{}`", program.display()))) }
}

/// Whether a program is there and no source of the lab is younger.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(built) = changed(program) else { return false };
    newest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).is_none_or(|source| source <= built)
}

fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?;
    let time = |path: PathBuf| {
        if path.is_dir() { newest(&path) } else { fs::metadata(&path).and_then(|data| data.modified()).ok() }
    };
    entries.filter_map(|entry| time(entry.ok()?.path())).max()
}
