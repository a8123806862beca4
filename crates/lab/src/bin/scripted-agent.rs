//! `scripted-agent`: stands in for the CLI and does what a story says. See `lab::agent`.

use std::io::Write;
use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let code = match lab::agent::run_program().await {
        Ok(code) => code,
        Err(error) => {
            // Nobody may be listening there.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            2
        }
    };
    // The reader of the standard input may still wait for a line, and the runtime would wait for it.
    std::process::exit(code)
}
