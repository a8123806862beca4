//! The script that builds the page (`build.rs`), compiled and run as cargo does it: without Node, and with stand-ins for it that
//! note how they were called.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A stand-in for npm: notes its arguments, and builds a page of one file into the folder that is its last argument.
const NPM: &str = r#"#!/bin/sh
echo "$1 $2" >> "$CALLS"
for last; do :; done
case "$1" in
    ci) /bin/mkdir -p node_modules ;;
    run) /bin/mkdir -p "$last/page"; echo page > "$last/index.html"; echo 1 > "$last/page/a.js"; echo 1 > "$last/page/a.js.gz" ;;
esac
"#;

/// A copy of the workspace as far as the script knows it, with the script ready to run.
struct Workspace(TempDir);

impl Workspace {
    fn new() -> Workspace {
        let place = tempfile::tempdir().unwrap();
        for folder in ["web/src", "crates/server", "programs"] {
            fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        for file in
            ["index.html", "package.json", "package-lock.json", "src/main.tsx", "tsconfig.json", "vite.config.ts"]
        {
            fs::write(place.path().join("web").join(file), "{}").unwrap();
        }
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

    /// Where cargo has the script write for this profile.
    fn out(&self, profile: &str) -> PathBuf {
        self.path("target").join(profile).join("build/server-1/out")
    }

    /// Puts a program where the script looks for them.
    fn install(&self, name: &str, script: &str) {
        let program = self.path("programs").join(name);
        fs::write(&program, script).unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o700)).unwrap();
    }

    /// Runs the script for a profile, with a page that was built before if there is one.
    fn run(&self, profile: &str, built: Option<&Path>) -> Output {
        let out = self.out(profile);
        fs::create_dir_all(&out).unwrap();
        let mut script = command(&self.path("script"));
        script.env_clear().env("PATH", self.path("programs")).env("CALLS", self.path("calls"));
        script.env("OUT_DIR", out).env("CARGO_MANIFEST_DIR", self.path("crates/server"));
        script.envs(built.map(|built| ("QUARTERDECK_WEB_DIST", built)));
        script.output().unwrap()
    }

    /// What it says when it does not work.
    fn refusal(&self, built: Option<&Path>) -> String {
        let output = self.run("debug", built);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap().trim().to_owned()
    }

    /// What npm was called with to build for this profile.
    fn calls(&self, profile: &str) -> Vec<String> {
        let _ = fs::remove_file(self.path("calls"));
        let output = self.run(profile, None);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let constants = fs::read_to_string(self.out(profile).join("page.rs")).unwrap();
        assert!(constants.contains("(\"a.js\", "), "{constants}");
        fs::read_to_string(self.path("calls")).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "the compiler and the script of this test")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

#[test]
fn without_node_the_build_says_what_to_install_and_takes_a_page_that_was_built_elsewhere() {
    let workspace = Workspace::new();
    assert_eq!(
        workspace.refusal(None),
        "error: the page could not be built: `node` was not found, install Node.js 20.19 or newer (https://nodejs.org) or set \
         QUARTERDECK_WEB_DIST to a page that was built elsewhere"
    );
    let built = workspace.path("built");
    let missing = workspace.refusal(Some(&built));
    assert!(missing.ends_with("which holds no page: `index.html` or `page` is missing"), "{missing}");
    fs::create_dir_all(built.join("page")).unwrap();
    for (file, text) in [("index.html", "<html>"), ("page/a.js", "1"), ("page/a.js.gz", "packed")] {
        fs::write(built.join(file), text).unwrap();
    }
    let output = workspace.run("debug", Some(&built));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let constants = fs::read_to_string(workspace.out("debug").join("page.rs")).unwrap();
    assert!(constants.contains("index.html") && constants.contains("(\"a.js\", "), "{constants}");
}

#[test]
fn a_node_that_is_too_old_is_refused_in_words() {
    let workspace = Workspace::new();
    workspace.install("npm", NPM);
    workspace.install("node", "#!/bin/sh\necho v20.18.3\n");
    assert_eq!(
        workspace.refusal(None),
        "error: the page could not be built: Node.js 20.18.3 is too old, install 20.19 or newer (https://nodejs.org)"
    );
}

#[test]
fn the_page_is_built_once_for_all_profiles_and_again_when_it_changed() {
    let workspace = Workspace::new();
    workspace.install("npm", NPM);
    workspace.install("node", "#!/bin/sh\necho v22.1.0\n");
    assert_eq!(workspace.calls("debug"), ["ci --no-audit", "run build"]);
    assert_eq!(workspace.calls("release"), [""; 0]);
    fs::write(workspace.path("web/src/main.tsx"), "changed").unwrap();
    assert_eq!(workspace.calls("release"), ["run build"]);
    assert_eq!(workspace.calls("debug"), [""; 0]);
}

#[test]
fn a_build_that_failed_is_not_taken_for_a_page() {
    let workspace = Workspace::new();
    workspace.install("npm", NPM);
    workspace.install("node", "#!/bin/sh\necho v22.1.0\n");
    workspace.calls("debug");
    fs::write(workspace.path("web/src/main.tsx"), "does not build").unwrap();
    workspace.install("npm", "#!/bin/sh\necho 'no such module'\nexit 1\n");
    assert!(workspace.refusal(None).ends_with("`npm run build -- --emptyOutDir --outDir` failed:\nno such module"));
    workspace.install("npm", NPM);
    assert_eq!(workspace.calls("debug"), ["run build"]);
}
