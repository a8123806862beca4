//! Where the CLI keeps what belongs to a project.

use std::path::Path;

/// A path as the CLI writes it into the name of a folder.
pub(crate) fn encoded(path: &Path) -> String {
    path.display().to_string().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
