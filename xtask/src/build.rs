//! The programs and examples of the workspace, built as the tests have them: nothing in, the folder that they are in out.
//!
//! Cargo compiles a crate once for each set of features that its dependencies are wanted with. Stages that chose packages or
//! features differently would each compile half the workspace again; so all of them say the same.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::process;

/// What is left out by default and is to be linted and tested all the same.
pub(crate) const FEATURES: &[&str] = &["--features", "insights/driver,insights/ts"];

/// Builds all programs, and the example that writes the TypeScript types.
///
/// An example may use what only tests depend on. With one among the targets, cargo chooses features as it does for tests.
pub(crate) fn programs() -> Result<PathBuf> {
    let mut build = process::cargo();
    build.args(["build", "--quiet", "--workspace", "--bins", "--example", "typescript"]).args(FEATURES);
    if !process::succeeds(&mut build)? {
        bail!("the programs could not be built");
    }
    Ok(process::target_dir().join("debug"))
}
