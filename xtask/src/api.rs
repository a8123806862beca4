//! `cargo xtask api`: a client that nobody here wrote reads the OpenAPI document of a real server, and asks it everything
//! that the document allows and much that it does not. No answer may be an error of the server's own, or none that the
//! document knows.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::pip::PipPackage;
use crate::scope::Scope;
use crate::{Outcome, build, process};

const SCHEMATHESIS: PipPackage =
    PipPackage { name: "schemathesis", version: "4.32.5", purpose: "a client of the API that nobody here wrote" };

/// What is asked of every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_schema_conformance,negative_data_rejection";

/// How it asks: what would make the client wait for ever, or lock it out, is left alone.
///
/// Ids that it makes up are ids of nothing, so it is told that of a session whose agent runs. Only to end that is done to
/// nobody, since the others would come too late.
const SETTINGS: &str = r#"
[parameters]
id = "{session}"

[[operations]]
include-operation-id = "post_sessions_id_close"
parameters = { id = "00000000-0000-4000-8000-000000000000" }

[[operations]]
include-operation-id = "get_sessions_id_events"
parameters = { follow = "false" }

# Who logs out is a browser, which has a cookie and no token.
[[operations]]
include-operation-id = "post_logout"
headers = { authorization = "none" }
"#;

/// What is written in Python, as the client is.
const SCRIPTS: &[(&str, &str)] = &[
    ("ask.py", include_str!("api/ask.py")),
    ("open.py", include_str!("api/open.py")),
    ("close.py", include_str!("api/close.py")),
    ("hooks.py", include_str!("api/hooks.py")),
];

/// How many requests are made up for each path and each way to go wrong, beside those that the document itself leads to.
fn examples(scope: Scope) -> &'static str {
    match scope {
        Scope::Change => "20",
        Scope::All => "80",
    }
}

/// Those that need a browser which has just logged in. They come first: after so many guesses as the others make, nobody is let
/// in for a while.
const LOGGED_IN: &[&str] = &["post_logout", "delete_devices_id"];

/// Runs the client against a server with the scripted agent.
pub(crate) fn run(scope: Scope) -> Result<Outcome> {
    build::programs()?;
    let folder = process::target_dir().join("api");
    let python = SCHEMATHESIS.provide(&folder.join("python"))?;
    let place = Place::new(&folder)?;
    let token = process::output(place.command(&["token", "add", "schemathesis"]).stderr(Stdio::null()))?;
    let server = Server::start(&place)?;
    for (name, text) in SCRIPTS {
        std::fs::write(place.path.join(name), text)?;
    }
    let here = |program: &Path| {
        let mut command = process::command(program);
        command.current_dir(&place.path).env("QUARTERDECK_URL", &server.url).env("QUARTERDECK_TOKEN", token.trim());
        command
    };
    let session = process::output(here(&python).arg("open.py"))?;
    let settings = SETTINGS.replace("{session}", session.trim());
    std::fs::write(place.path.join("schemathesis.toml"), settings)?;
    let asks = |which: &str, checks: &str| {
        let mut client = here(&python.with_file_name("schemathesis"));
        client.env("SCHEMATHESIS_HOOKS", "hooks").args(["run", &format!("{}api/v1/openapi.json", server.url)]);
        client.args(["--header", &format!("authorization: Bearer {}", token.trim()), "--header", "x-quarterdeck: 1"]);
        // One worker: Python 3.11 counts the depth of its parser for all threads together, and two of them trip over it.
        client.args([
            "--phases",
            "coverage,fuzzing",
            "--max-examples",
            examples(scope),
            "--seed",
            "1",
            "--workers",
            "1",
        ]);
        client.args(["--checks", checks, "--continue-on-failure", "--request-timeout", "20", "--warnings", "off"]);
        client.args(["--suppress-health-check", "all"]);
        client.args(LOGGED_IN.iter().flat_map(|operation| [which, operation]));
        process::succeeds(&mut client)
    };
    // Of the others it is not asked that what fits is done: most of it names what is not there.
    let done = format!("{CHECKS},positive_data_acceptance");
    let is_good = asks("--include-operation-id", &done)? && asks("--exclude-operation-id", CHECKS)?;
    let are_ended = process::succeeds(here(&python).arg("close.py"))?;
    Ok(if is_good && are_ended { Outcome::Passed } else { Outcome::Failed })
}

/// A throw-away data folder, and a folder to work in.
struct Place {
    path: PathBuf,
}

impl Place {
    fn new(folder: &Path) -> Result<Place> {
        // A path of a socket may not be long.
        let path = std::env::temp_dir().join(format!("quarterdeck-api-{}", std::process::id()));
        std::fs::create_dir_all(path.join("work")).with_context(|| format!("could not make `{}`", path.display()))?;
        std::fs::create_dir_all(folder)?;
        Ok(Place { path })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let programs = process::target_dir().join("debug");
        let mut command = process::command(programs.join("quarterdeck"));
        command.args(arguments).current_dir(self.path.join("work"));
        command.env("QUARTERDECK_DATA", self.path.join("data")).env("HOME", &self.path);
        command.env("XDG_RUNTIME_DIR", &self.path).env("QUARTERDECK_CLAUDE", programs.join("scripted-agent"));
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A server that runs until this is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(place: &Place) -> Result<Server> {
        let mut command = place.command(&["serve", "--no-open", "--port", "0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("could not start it")?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let Some((url, _)) = line.split_once("login#") else {
            let _ = child.kill();
            bail!("the server did not say where it is: `{}`", line.trim());
        };
        Ok(Server { url: url.to_owned(), child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
