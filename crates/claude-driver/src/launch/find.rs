//! Where to look in, the program to start out.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The variable that names the CLI.
pub(crate) const VARIABLE: &str = "QUARTERDECK_CLAUDE";

/// The names of the CLI's program.
const NAMES: &[&str] = if cfg!(windows) { &["claude.exe", "claude.cmd"] } else { &["claude"] };

/// Places below the user's home where installers put it.
const BELOW_HOME: [&str; 9] = [
    ".claude/local",
    ".local/bin",
    ".npm-global/bin",
    "node_modules/.bin",
    ".yarn/bin",
    ".config/yarn/global/node_modules/.bin",
    ".bun/bin",
    ".volta/bin",
    ".local/share/pnpm",
];

/// Places of the whole system where installers put it.
const OF_THE_SYSTEM: [&str; 3] = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

/// What the environment says about where to look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    /// `QUARTERDECK_CLAUDE`.
    pub(crate) variable: Option<OsString>,
    /// `PATH`.
    pub(crate) path: Option<OsString>,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// The places of the whole system.
    pub(crate) system: Vec<PathBuf>,
}

impl Lookup {
    /// What the environment of this process says.
    pub(crate) fn of_this_process() -> Lookup {
        Lookup {
            variable: std::env::var_os(VARIABLE).filter(|value| !value.is_empty()),
            path: std::env::var_os("PATH"),
            home: std::env::home_dir(),
            system: OF_THE_SYSTEM.map(PathBuf::from).to_vec(),
        }
    }
}

/// What to start: a program, and what stands before the CLI's own arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The program.
    pub(crate) program: PathBuf,
    /// The script, if the program only runs it, behind the arguments of what runs it.
    pub(crate) leading_args: Vec<OsString>,
}

impl Program {
    /// How a file is started: a script with its runtime, which is `node` unless another is wanted.
    pub(crate) fn new(file: PathBuf, runtime: Option<&Path>, runtime_args: &[OsString]) -> Program {
        // A link without the ending starts by itself, with the runtime that its first line names.
        let resolved = || file.canonicalize().is_ok_and(|file| is_script(&file));
        let script = is_script(&file) || ((runtime.is_some() || !runtime_args.is_empty()) && resolved());
        if !script {
            return Program { program: file, leading_args: Vec::new() };
        }
        let program = runtime.unwrap_or(Path::new("node")).to_owned();
        Program { program, leading_args: runtime_args.iter().cloned().chain([file.into()]).collect() }
    }

    /// The file that is the CLI.
    pub(crate) fn file(&self) -> &Path {
        self.leading_args.last().map_or(&self.program, Path::new)
    }
}

/// The CLI: the one that is named, or else the first that is found. One that is named and not there is an error, and no
/// other is taken in its place.
pub(crate) fn find(explicit: Option<&Path>, lookup: &Lookup) -> Result<PathBuf, Error> {
    if let Some(named) = explicit.or(lookup.variable.as_deref().map(Path::new)) {
        // A name without a folder is looked for as a shell would.
        if named.components().count() == 1 && !named.is_file() && !named.is_absolute() {
            return first(on_path(lookup, &[named]));
        }
        return first(vec![named.to_owned()]);
    }
    let names: Vec<&Path> = NAMES.iter().map(Path::new).collect();
    let mut candidates = on_path(lookup, &names);
    let home = lookup.home.iter().flat_map(|home| BELOW_HOME.map(|place| home.join(place)));
    for folder in home.chain(lookup.system.iter().cloned()) {
        candidates.extend(names.iter().map(|name| folder.join(name)));
    }
    first(candidates)
}

fn on_path(lookup: &Lookup, names: &[&Path]) -> Vec<PathBuf> {
    let folders = lookup.path.iter().flat_map(std::env::split_paths).filter(|folder| !folder.as_os_str().is_empty());
    folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>()).collect()
}

fn first(mut candidates: Vec<PathBuf>) -> Result<PathBuf, Error> {
    // The usual places may be on the path, too.
    let mut seen = BTreeSet::new();
    candidates.retain(|file| seen.insert(file.clone()));
    match candidates.iter().position(|file| can_start(file)) {
        Some(at) => Ok(candidates.swap_remove(at)),
        None => Err(Error::NotFound { searched: candidates }),
    }
}

fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["js", "cjs", "mjs"].iter().any(|script| ending.eq_ignore_ascii_case(script)))
}

fn can_start(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    metadata.is_file() && (is_script(file) || may_run(&metadata))
}

#[cfg(unix)]
fn may_run(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::super::files::Files;
    use super::*;

    /// A made-up machine: a home, one folder on the path, one folder of the system.
    struct Machine(Files);

    impl Machine {
        fn new() -> Machine {
            Machine(Files::new())
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.folder().join(path)
        }

        fn with(self, path: &str, mode: u32) -> Machine {
            let file = self.at(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn lookup(&self) -> Lookup {
            Lookup {
                variable: None,
                path: Some(self.at("bin").into()),
                home: Some(self.at("home")),
                system: vec![self.at("usr/local/bin")],
            }
        }
    }

    #[test]
    fn a_named_program_comes_before_the_variable_and_that_before_the_path() {
        let machine = Machine::new().with("mine/claude", 0o755).with("other/cli.js", 0o644).with("bin/claude", 0o755);
        let mut lookup = machine.lookup();
        assert_eq!(find(None, &lookup).unwrap(), machine.at("bin/claude"));
        lookup.variable = Some(machine.at("other/cli.js").into());
        assert_eq!(find(None, &lookup).unwrap(), machine.at("other/cli.js"));
        assert_eq!(find(Some(&machine.at("mine/claude")), &lookup).unwrap(), machine.at("mine/claude"));
    }

    #[test]
    fn a_named_program_that_is_not_there_is_not_replaced_by_another() {
        let machine = Machine::new().with("bin/claude", 0o755);
        let missing = machine.at("gone/claude");
        let Err(Error::NotFound { searched }) = find(Some(&missing), &machine.lookup()) else { panic!() };
        assert_eq!(searched, [missing]);
    }

    #[test]
    fn a_bare_name_is_looked_for_on_the_path() {
        let machine = Machine::new().with("bin/claude-next", 0o755);
        assert_eq!(find(Some(Path::new("claude-next")), &machine.lookup()).unwrap(), machine.at("bin/claude-next"));
    }

    #[test]
    fn what_cannot_be_started_is_passed_over() {
        let machine = Machine::new().with("bin/claude", 0o644).with("home/.local/bin/claude", 0o755);
        assert_eq!(find(None, &machine.lookup()).unwrap(), machine.at("home/.local/bin/claude"));
    }

    #[test]
    fn every_usual_place_is_looked_at() {
        let below = BELOW_HOME.iter().map(|place| format!("home/{place}/claude"));
        for place in below.chain(["usr/local/bin/claude".to_owned()]) {
            let machine = Machine::new().with(&place, 0o755);
            assert_eq!(find(None, &machine.lookup()).unwrap(), machine.at(&place));
        }
    }

    #[test]
    fn without_a_cli_the_error_says_how_to_get_one() {
        let machine = Machine::new();
        let error = find(None, &machine.lookup()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("npm install -g @anthropic-ai/claude-code") && text.contains(VARIABLE), "{text}");
        let Error::NotFound { searched } = error else { panic!() };
        assert_eq!((searched.len(), &searched[0]), (11, &machine.at("bin/claude")));
    }

    #[test]
    fn a_script_is_started_with_its_runtime() {
        let machine = Machine::new().with("lib/cli.js", 0o755);
        let script = machine.at("lib/cli.js");
        let link = machine.at("claude");
        symlink(&script, &link).unwrap();
        let plain = |program: &Path| Program { program: program.to_owned(), leading_args: Vec::new() };
        let node = Program { program: "node".into(), leading_args: vec![script.clone().into()] };
        assert_eq!(Program::new(script.clone(), None, &[]), node);
        assert_eq!(Program::new(link.clone(), None, &[]), plain(&link));
        assert_eq!(Program::new("/bin/claude".into(), Some(Path::new("bun")), &[]), plain(Path::new("/bin/claude")));
        let bun = Program::new(link.clone(), Some(Path::new("bun")), &["--smol".into()]);
        assert_eq!(bun, Program { program: "bun".into(), leading_args: vec!["--smol".into(), link.clone().into()] });
        assert_eq!((node.file(), bun.file()), (&*script, &*link));
    }
}
