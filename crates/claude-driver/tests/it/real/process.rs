//! The process of the CLI: what it inherits, and that nothing of it is left.

use std::path::Path;

use claude_driver::Claude;
use claude_driver::protocol::permission::PermissionMode;
use lab::{CliVersion, Script, Stage};

use super::staged::{MODEL, bash, claude, soon, stage};

lab::on_every_version! {
    nothing_is_left_after_close,
    nothing_is_left_when_the_last_handle_is_dropped,
    the_marks_of_a_session_around_the_host_do_not_reach_the_cli,
}

/// Starts something in a session of its own that holds none of the CLI's pipes, and waits until it runs.
const STRAY: &str = "setsid sh -c 'echo $$ > stray; exec sleep 1000' < /dev/null > /dev/null 2>&1 & \
                     while [ ! -s stray ]; do sleep 0.05; done";

/// The processes that work below this folder.
fn below(folder: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let below = processes.filter(|process| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|directory| directory.starts_with(folder))
    });
    below.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

/// A session whose CLI has left a stray behind, and the number of the stray.
async fn with_stray(stage: &Stage) -> (claude_driver::Session, String) {
    let session = claude(stage).permission_mode(PermissionMode::BypassPermissions).start().await.unwrap();
    assert_eq!(session.send("Start it").await.unwrap().text, "Started.");
    let stray = std::fs::read_to_string(stage.place.project().join("stray")).unwrap().trim().to_owned();
    let alive = below(stage.place.root());
    assert!(alive.contains(&stray) && alive.contains(&session.pid().unwrap().to_string()), "{stray} in {alive:?}");
    (session, stray)
}

async fn nothing_is_left_after_close(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash(STRAY)).says("Started.")).await;
    let (session, _) = with_stray(&stage).await;
    let exit = session.close().await.unwrap();
    assert!(exit.is_clean(), "{exit}");
    assert_eq!(below(stage.place.root()), Vec::<String>::new());
}

async fn nothing_is_left_when_the_last_handle_is_dropped(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash(STRAY)).says("Started.")).await;
    let (session, _) = with_stray(&stage).await;
    drop(session);
    // Nobody is left to be told, so only the system can be asked.
    let gone = async {
        while !below(stage.place.root()).is_empty() {
            tokio::task::yield_now().await;
        }
    };
    soon("the end of all processes", gone).await;
}

/// Set in the host that [`the_marks_of_a_session_around_the_host_do_not_reach_the_cli`] starts for itself.
const HOST: &str = "CLAUDE_DRIVER_TEST_HOST";

async fn the_marks_of_a_session_around_the_host_do_not_reach_the_cli(cli: CliVersion) {
    if std::env::var_os(HOST).is_none() {
        return in_a_host(cli).await;
    }
    assert_eq!(std::env::var("CLAUDECODE").as_deref(), Ok("1"));
    let stage = stage(cli, Script::new().says("Hello.")).await;
    // The environment of the host, with what leads the CLI to the lab.
    let claude = Claude::new().program(stage.program().unwrap()).cwd(stage.place.project()).model(MODEL);
    let claude = stage.environment().into_iter().fold(claude, |claude, (name, value)| claude.env(name, value));
    let session = claude.start().await.unwrap();
    assert_eq!(session.send("Hello").await.unwrap().text, "Hello.");
    let environment = std::fs::read(format!("/proc/{}/environ", session.pid().unwrap())).unwrap();
    let variables: Vec<&[u8]> = environment.split(|byte| *byte == 0).collect();
    let has = |name: &str| variables.iter().any(|variable| variable.starts_with(format!("{name}=").as_bytes()));
    assert!(has(HOST) && !has("CLAUDECODE") && !has("CLAUDE_CODE_SSE_PORT"));
    session.close().await.unwrap();
}

/// Plays the story of this version in a host whose environment is that of a session's command.
#[expect(clippy::disallowed_methods, reason = "a variable of this process cannot be set while others read it")]
async fn in_a_host(cli: CliVersion) {
    let story = "the_marks_of_a_session_around_the_host_do_not_reach_the_cli";
    let module = module_path!().split_once("::").unwrap().1;
    let test = format!("{module}::{story}::v{}", cli.to_string().replace('.', "_"));
    let mut host = tokio::process::Command::new(std::env::current_exe().unwrap());
    host.args(["--exact", &test, "--nocapture"]).kill_on_drop(true).env_clear();
    let kept = ["PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "QUARTERDECK_CLI_CACHE"];
    host.envs(kept.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    host.envs([(HOST, "1"), ("CLAUDECODE", "1"), ("CLAUDE_CODE_SSE_PORT", "1")]);
    let output = soon("the host", host.output()).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "the host ran no test: {said}");
}
