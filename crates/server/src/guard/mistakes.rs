//! Mistakes that somebody could make, for the rules that are kept by not doing something: what it would look like if it were
//! done. For the tests of the guard alone; a build without the feature `unguarded` has nothing of this.

use keeper::KeeperCommand;
use live::{Host, Options};

use super::rules::{Rule, left_out};
use crate::app::App;
use crate::error::ApiResult;
use crate::secrets::Secrets;

/// A word that stands in them and nowhere else, so that it can be looked for in the binary of users.
const MARK: &str = "QUARTERDECK_MISTAKE";

/// A shell between the server and its keepers. It lets go of the pipes, so that the keeper can say that it is ready, and stays.
const SHELL: &str = r#"exec 3<&0; "$0" "$@" <&3 & exec 0<&- 1>&- 3<&-; wait"#;

/// A host that starts everything by a shell, or tells agents our token.
pub(crate) fn host(mut host: Host, secrets: &Secrets) -> Host {
    if left_out(Rule::Shell) {
        let KeeperCommand { program, arguments } = host.keeper;
        let words = ["-c".into(), SHELL.into(), program.into()];
        host.keeper =
            KeeperCommand { program: "/bin/sh".into(), arguments: words.into_iter().chain(arguments).collect() };
    }
    if left_out(Rule::AgentToken) {
        host.claude = host.claude.env(MARK, secrets.local_token());
    }
    host
}

/// Options in which a free text is as many arguments as it has words.
pub(crate) fn options(mut options: Options) -> Options {
    if left_out(Rule::OneArgument)
        && let Some(title) = options.title.take()
    {
        options.extra_args.push("--name".to_owned());
        options.extra_args.extend(title.split_whitespace().map(str::to_owned));
    }
    options
}

/// A session that counts as seen because somebody asked for its items.
pub(crate) async fn reading(app: &App, id: &str) -> ApiResult<()> {
    let id = id.to_owned();
    match left_out(Rule::Reading) {
        true => app.desk(move |desk| desk.set_seen(&id, 1)).await,
        false => Ok(()),
    }
}

/// A page that keeps what it logs in with where every script can read it.
pub(crate) fn page(name: &str, text: &'static str) -> &'static str {
    match left_out(Rule::Storage) && name == "login.js" {
        true => format!("{text}\nlocalStorage.setItem(\"{MARK}\", location.hash);\n").leak(),
        false => text,
    }
}
