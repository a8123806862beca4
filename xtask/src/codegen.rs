//! `cargo xtask codegen`: the Rust types that cross to the browser in, `web/src/generated/` out; and the cases that the twin of
//! the reducer there is tested with, `fixtures/contract/`.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::{Outcome, build, process, talk};

#[derive(Args)]
pub(crate) struct CodegenArgs {
    /// Write nothing, and fail if what is there is not what would be written
    #[arg(long)]
    pub(crate) check: bool,
}

/// A file that is made of Rust types: where it is, and the example that writes it.
struct Generated {
    path: &'static str,
    example: &'static str,
}

const FILES: &[Generated] = &[Generated { path: "web/src/generated/index.ts", example: "typescript" }];

/// The test that makes the contract anew and compares. With [`UPDATE_CONTRACT`] in its environment it writes it first.
const CONTRACT: &[&str] = &[
    "test",
    "--quiet",
    "--package",
    "insights",
    "--features",
    "driver,schema,ts",
    "--test",
    "it",
    "contract::the_contract_is_fresh_and_held",
    "--",
    "--exact",
];
const UPDATE_CONTRACT: &str = "UPDATE_CONTRACT";

/// Where the files are.
pub(crate) fn files() -> impl Iterator<Item = PathBuf> {
    FILES.iter().map(|file| process::root().join(file.path))
}

/// Writes the files and the contract, or checks them.
pub(crate) fn run(args: &CodegenArgs) -> Result<Outcome> {
    let types = types(args.check)?;
    let contract = contract(args.check)?;
    Ok(if types == Outcome::Passed { contract } else { types })
}

/// Checks the files. The contract is checked by its test, which runs with all others.
pub(crate) fn check_types() -> Result<Outcome> {
    types(true)
}

fn types(check: bool) -> Result<Outcome> {
    let mut stale = 0;
    let examples = build::programs()?.join("examples");
    for Generated { path, example } in FILES {
        let wanted = process::output(&mut process::command(examples.join(example)))?;
        let place = process::root().join(path);
        let present = match fs::read_to_string(&place) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("could not read `{path}`")),
        };
        if present.as_deref() == Some(wanted.as_str()) {
            continue;
        }
        stale += 1;
        if check {
            talk::data(&format!("{path}:{}: not what the Rust types say", first_difference(present, &wanted)));
        } else {
            write(&place, &wanted).with_context(|| format!("could not write `{path}`"))?;
            talk::say(&format!("codegen: wrote {path}"));
        }
    }
    talk::say(&format!("codegen: {} files, {stale} stale", FILES.len()));
    Ok(told(!check || stale == 0))
}

fn contract(check: bool) -> Result<Outcome> {
    let mut contract = process::cargo();
    contract.args(CONTRACT).env_remove(UPDATE_CONTRACT);
    if !check {
        contract.env(UPDATE_CONTRACT, "1");
    }
    let held = process::succeeds(&mut contract)?;
    talk::say(&format!("codegen: fixtures/contract {}", if held { "is fresh" } else { "is stale" }));
    Ok(told(held))
}

fn told(is_fresh: bool) -> Outcome {
    if is_fresh {
        return Outcome::Passed;
    }
    talk::say("hint: `cargo xtask codegen` writes them anew");
    Outcome::Failed
}

/// The number of the first line that differs; the first one, if there is no file.
fn first_difference(present: Option<String>, wanted: &str) -> usize {
    let present = present.unwrap_or_default();
    1 + present.lines().zip(wanted.lines()).take_while(|(present, wanted)| present == wanted).count()
}

fn write(place: &PathBuf, text: &str) -> Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(place, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_is_told_by_its_first_line_that_differs() {
        assert_eq!(first_difference(Some("a\nb\nc\n".to_owned()), "a\nx\nc\n"), 2);
        assert_eq!(first_difference(Some("a\n".to_owned()), "a\nb\n"), 2);
        assert_eq!(first_difference(None, "a\n"), 1);
    }
}
