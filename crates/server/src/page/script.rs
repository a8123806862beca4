//! The script that builds the page (`build.rs`), compiled and run as cargo does it: on a machine without Node.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A copy of the workspace as far as the script knows it, with the script ready to run.
struct Workspace(TempDir);

impl Workspace {
    fn new() -> Workspace {
        let place = tempfile::tempdir().unwrap();
        for folder in ["web", "crates/server", "out", "nothing"] {
            fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        fs::write(place.path().join("web/package-lock.json"), "{}").unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut compiler = command(Path::new(&rustc));
        let compiled =
            compiler.arg("--edition=2024").arg(source).arg("-o").arg(place.path().join("script")).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Workspace(place)
    }

    fn path(&self, part: &str) -> PathBuf {
        self.0.path().join(part)
    }

    /// Runs the script where no program is, with a page that was built before if there is one.
    fn run(&self, built: Option<&Path>) -> Output {
        let mut script = command(&self.path("script"));
        script.env_clear().env("PATH", self.path("nothing"));
        script.env("OUT_DIR", self.path("out")).env("CARGO_MANIFEST_DIR", self.path("crates/server"));
        script.envs(built.map(|built| ("QUARTERDECK_WEB_DIST", built)));
        script.output().unwrap()
    }

    /// What it says when it does not work.
    fn refusal(&self, built: Option<&Path>) -> String {
        let output = self.run(built);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap().trim().to_owned()
    }
}

#[expect(clippy::disallowed_methods, reason = "the compiler and the script of this test")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

#[test]
fn without_node_the_build_says_what_to_do_and_takes_a_page_that_was_built_elsewhere() {
    let workspace = Workspace::new();
    assert_eq!(
        workspace.refusal(None),
        "error: the page could not be built: there is no `npm` here. Install Node 20.19 or newer (https://nodejs.org), or point \
         QUARTERDECK_WEB_DIST at a page that was built elsewhere with `npm ci && npm run build` in `web/`."
    );
    let built = workspace.path("built");
    let missing = workspace.refusal(Some(&built));
    assert!(missing.ends_with("where no page is: no `index.html` beside a `page`"), "{missing}");
    fs::create_dir_all(built.join("page")).unwrap();
    for (file, text) in [("index.html", "<html>"), ("page/a.js", "1"), ("page/a.js.gz", "packed")] {
        fs::write(built.join(file), text).unwrap();
    }
    let output = workspace.run(Some(&built));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let constants = fs::read_to_string(workspace.path("out/page.rs")).unwrap();
    assert!(constants.contains("index.html") && constants.contains("(\"a.js\", "), "{constants}");
}
