//! The versions of the CLI that the tests run: nothing in, all of them in the cache out.

use anyhow::{Context, Result};

use crate::talk;

/// Brings them. A test would bring its own, but here a missing network is told at once and not by many failing tests.
pub(crate) fn provide() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for version in lab::real::pinned_versions() {
        talk::say(&format!("CLI {version}"));
        runtime.block_on(lab::real::install(version)).with_context(|| {
            format!("CLI {version} is neither in `{}` nor can it be fetched", lab::real::cache_folder().display())
        })?;
    }
    Ok(())
}
