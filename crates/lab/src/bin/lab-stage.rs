//! `lab-stage VERSION`: the real CLI and a scripted model, for tests that are not written in Rust. See `lab::remote`.

use std::io::Write;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let version = std::env::args().nth(1).unwrap_or_default();
    let done = match version.parse() {
        Ok(version) => lab::remote::run_program(version).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening there.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
