//! The TypeScript compiler: files in, whether a strict one takes them out.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::Result;

use crate::npm::NpmPackage;
use crate::{Outcome, process, talk};

const COMPILER: NpmPackage = NpmPackage { name: "typescript", version: "5.9.3" };

/// As strict as the page is compiled.
const FLAGS: &[&str] = &[
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    // The language alone: a browser's types are many, and checking those takes longer than all else.
    "--skipLibCheck",
    "--lib",
    "es2022",
    "--target",
    "es2022",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
];

/// Brings the compiler, if it is not there, and gives its script.
pub(crate) fn provide() -> Result<PathBuf> {
    let package = COMPILER.provide(&process::target_dir().join("typescript"))?;
    Ok(package.join("bin").join("tsc"))
}

/// Compiles the files and tells what is wrong with them.
pub(crate) fn check(files: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<Outcome> {
    let mut tsc = process::command("node");
    tsc.arg(provide()?).args(FLAGS).args(files);
    let passes = process::succeeds(&mut tsc)?;
    talk::say(&format!("typescript {}: {}", COMPILER.version, if passes { "no complaints" } else { "refused" }));
    Ok(if passes { Outcome::Passed } else { Outcome::Failed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen;

    fn file(name: &str, text: &str) -> PathBuf {
        let folder = process::target_dir().join("tmp").join("typescript-test");
        std::fs::create_dir_all(&folder).unwrap();
        let place = folder.join(name);
        std::fs::write(&place, text).unwrap();
        place
    }

    /// A reader of what we generate, as the page is one.
    fn reader(body: &str) -> String {
        let generated = codegen::files().next().unwrap();
        format!("import type {{ Change, EventOf, State }} from {:?};\n{body}\n", generated.with_extension(""))
    }

    // One test, since two at once would both bring the compiler where nobody did before.
    #[test]
    fn a_strict_compiler_takes_the_generated_types_and_what_uses_them_rightly() {
        let uses = file(
            "uses.ts",
            &reader(
                "export const words = (state: State): string => state.status.words;\n\
                 export const text = (event: EventOf<\"text\">): string => event.text;\n\
                 export const id = (change: Change): string | undefined =>\n\
                 \tchange.change === \"put\" ? change.item.id : change.change === \"append\" ? change.id : undefined;",
            ),
        );
        let misuses = file("misuses.ts", &reader("export const words = (state: State) => state.status.wrods;"));
        assert_eq!(check(codegen::files().chain([uses])).unwrap(), Outcome::Passed);
        assert_eq!(check([misuses]).unwrap(), Outcome::Failed);
    }
}
