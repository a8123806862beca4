//! The first stage: a bare machine in, one on which every test can run out.

use anyhow::{Context, Result, bail};

use crate::packages::{self, Need};
use crate::{clis, previous, process, typescript};

/// The oldest node that the JavaScript releases of the CLI run on.
const OLDEST_NODE: u32 = 18;

const NEEDS: &[Need] = &[
    Need {
        probe: &["script", "--version"],
        package: "bsdutils",
        purpose: "the pseudo-terminal in which the tests run the binary",
    },
    Need {
        probe: &["git", "--version"],
        package: "git",
        purpose: "the list of tracked files and for sessions in a repository",
    },
    Need { probe: &["node", "--version"], package: "nodejs", purpose: "CLI releases that are a script" },
    Need {
        probe: &["npm", "--version"],
        package: "npm",
        purpose: "fetching CLI releases and the TypeScript compiler by version",
    },
    Need { probe: &["tar", "--version"], package: "tar", purpose: "the sources of the previous version" },
    Need { probe: &["openssl", "version"], package: "openssl", purpose: "the certificate of a test" },
    Need { probe: &["bash", "--version"], package: "bash", purpose: "the CLI's Bash tool" },
    Need { probe: &["curl", "--version"], package: "curl", purpose: "the examples of `docs/api.md`" },
    Need { probe: &["jq", "--version"], package: "jq", purpose: "the examples of `docs/api.md`" },
];

/// Installs what is missing; a failure here is one of the machine or the network, not of the code.
pub(crate) fn run() -> Result<()> {
    packages::provide(NEEDS)?;
    let version = process::output(process::command("node").arg("--version"))?;
    let major = major(&version).with_context(|| format!("node calls itself `{}`", version.trim()))?;
    if major < OLDEST_NODE {
        bail!("node is {}, the tests need {OLDEST_NODE} or newer", version.trim());
    }
    components()?;
    typescript::provide().context("the TypeScript compiler is neither there nor can it be fetched")?;
    clis::provide()?;
    previous::provide()
}

/// `rust-toolchain.toml` names these; a toolchain that did not come from rustup may lack them all the same.
fn components() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if process::works(process::cargo().args([tool, "--version"])) {
            continue;
        }
        let mut rustup = process::command("rustup");
        rustup.args(["component", "add", component]);
        if !process::succeeds(&mut rustup).unwrap_or(false) {
            bail!("`cargo {tool}` does not work\nhint: rustup component add {component}");
        }
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("nothing"), None);
    }
}
