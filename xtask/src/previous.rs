//! The previous version of Quarterdeck, whose keepers a test attaches to: nothing in, its binary in the cache out.

use anyhow::Result;

use crate::talk;

/// Builds it, if it is not there. The test would do so itself, but here a build that fails is reported at once.
pub(crate) fn provide() -> Result<()> {
    let commit = lab::previous::commit();
    match lab::previous::find() {
        Some(_) => talk::say(&format!("previous version ({commit})")),
        None => talk::say(&format!(
            "previous version ({commit}): building it from the git history into `{}`; this takes a few minutes, once",
            lab::previous::cache_folder().display()
        )),
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(lab::previous::binary())?;
    Ok(())
}
