//! `quarterdeck run` in a pseudo-terminal, with the real CLI offline.

use std::ffi::OsString;
use std::path::PathBuf;

use lab::{CliVersion, Script, Stage};
use serde_json::json;

use crate::pty::{END, INTERRUPT, Terminal};

lab::on_every_version! {
    a_permission_is_granted_and_another_refused,
    a_question_is_answered,
    ctrl_c_interrupts_and_a_second_one_leaves,
}

/// A stage, a place for the data, and the environment of a terminal there.
struct Place {
    stage: Stage,
}

impl Place {
    async fn new(cli: CliVersion, script: Script) -> Place {
        Place { stage: Stage::new(cli, script).await.unwrap() }
    }

    fn data(&self) -> PathBuf {
        self.stage.place.home().join("data")
    }

    fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = self.stage.environment();
        environment.push(("QUARTERDECK_CLAUDE", self.stage.program().unwrap().into()));
        environment.push(("QUARTERDECK_DATA", self.data().into()));
        environment.push(("NO_COLOR", "1".into()));
        environment
    }

    fn run(&self, arguments: &[&str]) -> Terminal {
        let arguments: Vec<&str> = ["run"].into_iter().chain(arguments.iter().copied()).collect();
        Terminal::start(&arguments, &self.stage.place.project(), self.environment())
    }

    /// Waits until the command runs that touches `started`.
    async fn runs(&self, terminal: &mut Terminal) {
        terminal.until("● Bash touch started").await;
        let file = self.stage.place.project().join("started");
        while !file.exists() {
            tokio::task::yield_now().await;
        }
        std::fs::remove_file(file).unwrap();
    }

    fn made(&self, name: &str) -> bool {
        self.stage.place.project().join(name).exists()
    }
}

async fn a_permission_is_granted_and_another_refused(cli: CliVersion) {
    let bash = |command: &str| json!({"command": command, "description": "Make a file"});
    let script = Script::new()
        .calls("Bash", bash("touch allowed.txt"))
        .says("It is made.")
        .calls("Bash", bash("touch denied.txt"))
        .says("Then not.");
    let place = Place::new(cli, script).await;
    let mut terminal = place.run(&["-i", "Make a file"]);
    terminal.until("touch allowed.txt").await;
    terminal.until("yes, this once").await;
    terminal.until("> ").await;
    assert!(!place.made("allowed.txt"));
    terminal.types("y\n").await;
    terminal.until("It is made.").await;
    terminal.until("› ").await;
    terminal.types("Make another\n").await;
    terminal.until("touch denied.txt").await;
    terminal.until("> ").await;
    terminal.types("n not that one\n").await;
    terminal.until("Then not.").await;
    terminal.until("› ").await;
    terminal.types(END).await;
    assert_eq!(terminal.leaves().await, Some(0), "{}", terminal.seen);
    assert!(place.made("allowed.txt") && !place.made("denied.txt"));
    assert!(terminal.seen.contains("quarterdeck run --resume "), "{}", terminal.seen);
}

async fn a_question_is_answered(cli: CliVersion) {
    let option = |label: &str| json!({"label": label, "description": format!("The {label} one")});
    let question = json!({"question": "Which colour?", "header": "Colour", "multiSelect": false,
        "options": [option("Red"), option("Blue")]});
    let script = Script::new().calls("AskUserQuestion", json!({"questions": [question]})).says("As you wish.");
    let place = Place::new(cli, script).await;
    let mut terminal = place.run(&["Paint it"]);
    terminal.until("? Which colour?").await;
    terminal.until("2  Blue — The Blue one").await;
    terminal.until("> ").await;
    terminal.types("2\n").await;
    terminal.until("As you wish.").await;
    assert_eq!(terminal.leaves().await, Some(0), "{}", terminal.seen);
}

async fn ctrl_c_interrupts_and_a_second_one_leaves(cli: CliVersion) {
    // The file is taken away as soon as it is there, so it is nothing to wait at.
    let waits = json!({"command": "touch started; tail -f /dev/null", "description": "Wait"});
    let script = Script::new().calls("Bash", waits.clone()).calls("Bash", waits).says("Done.");
    let place = Place::new(cli, script).await;
    let mut terminal = place.run(&["-i", "--allow", "Bash", "Wait"]);
    place.runs(&mut terminal).await;
    terminal.types(INTERRUPT).await;
    terminal.until("Ctrl-C again leaves").await;
    terminal.until("interrupted").await;
    terminal.until("› ").await;
    terminal.types("Once more\n").await;
    place.runs(&mut terminal).await;
    terminal.types(INTERRUPT).await;
    // Two that come at once are one to the system.
    terminal.until("Ctrl-C again leaves").await;
    terminal.types(INTERRUPT).await;
    assert_eq!(terminal.leaves().await, Some(130), "{}", terminal.seen);
}
