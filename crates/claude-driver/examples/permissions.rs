//! Decides about every tool, shows the answer as it comes, and asks again in the same session.
#![expect(clippy::print_stdout, reason = "the program's output")]

use claude_driver::{Claude, Result, protocol::ToolInput};
use futures_util::StreamExt;

#[tokio::main]
async fn main() -> Result<()> {
    let claude = Claude::new().cwd(".").on_permission(|request| async move {
        let is_rm = matches!(&request.tool, ToolInput::Bash(bash) if bash.command.starts_with("rm"));
        if is_rm { request.deny("no rm") } else { request.allow() }
    });
    let mut turn = claude.start().await?.send("Fix the failing test");
    while let Some(event) = turn.next().await {
        print!("{}", event?.text().unwrap_or_default());
    }
    println!("\n{}", turn.session().send("Now explain the fix").await?);
    turn.session().close().await.map(drop)
}
