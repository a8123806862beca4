//! `cargo xtask api`: a client that nobody here wrote reads the OpenAPI document of a real server, and asks it everything
//! that the document allows and much that it does not. No answer may be an error of the server's own, or none that the
//! document knows.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::pip::PipPackage;
use crate::{Outcome, process};

const SCHEMATHESIS: PipPackage =
    PipPackage { name: "schemathesis", version: "4.32.5", purpose: "a client of the API that nobody here wrote" };

/// What is asked of every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_schema_conformance,negative_data_rejection";

/// How it asks: what would make the client wait for ever, or lock it out, is left alone.
const SETTINGS: &str = r#"
[[operations]]
include-operation-id = "get_sessions_id_events"
parameters = { follow = "false" }

# What is wrong for this one cannot be made up by the client.
[[operations]]
include-operation-id = "patch_settings"
generation.mode = "positive"

[[operations]]
include-operation-id = ["post_logout", "delete_devices_id"]
enabled = false
"#;

/// Runs the client against a server with the scripted agent.
pub(crate) fn run() -> Result<Outcome> {
    if !process::succeeds(process::cargo().args(["build", "--quiet", "-p", "quarterdeck", "-p", "lab", "--bins"]))? {
        return Ok(Outcome::Failed);
    }
    let folder = process::target_dir().join("api");
    let python = SCHEMATHESIS.provide(&folder.join("python"))?;
    let place = Place::new(&folder)?;
    let token = process::output(place.command(&["token", "add", "schemathesis"]).stderr(Stdio::null()))?;
    let server = Server::start(&place)?;
    let mut client = process::command(python.with_file_name("schemathesis"));
    client.current_dir(&place.path).args(["run", &format!("{}api/v1/openapi.json", server.url)]);
    client.args(["--header", &format!("authorization: Bearer {}", token.trim()), "--header", "x-quarterdeck: 1"]);
    client.args(["--phases", "coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--workers", "2"]);
    client.args(["--checks", CHECKS, "--continue-on-failure", "--request-timeout", "20", "--warnings", "off"]);
    client.args(["--suppress-health-check", "all"]);
    let is_good = process::succeeds(&mut client)?;
    let script = place.path.join("close.py");
    std::fs::write(&script, include_str!("api/close.py"))?;
    let are_ended = process::succeeds(process::command(python).arg(script).args([&server.url, token.trim()]))?;
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
        std::fs::write(path.join("schemathesis.toml"), SETTINGS)?;
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
