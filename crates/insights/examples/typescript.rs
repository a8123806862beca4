//! Writes the TypeScript types to stdout, for `cargo xtask codegen`.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let written = match insights::typescript::module() {
        Ok(text) => std::io::stdout().write_all(text.as_bytes()),
        Err(names) => Err(std::io::Error::other(format!("two types have the same name: {}", names.join(", ")))),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
