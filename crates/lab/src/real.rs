//! The real CLI: which versions, where they are installed, and the private place they run in.

mod install;
mod place;
pub(crate) mod process;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::LabError;

pub use install::{cache_folder, install};
pub use place::Place;

/// The versions the project supports, oldest first, as `versions.txt` has them.
pub fn pinned_versions() -> Vec<CliVersion> {
    include_str!("../versions.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.parse().ok())
        .collect()
}

/// The exact version of a CLI; versions compare as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CliVersion {
    major: u32,
    minor: u32,
    patch: u32,
}

/// A CLI that is ready to be started.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Its version.
    pub version: CliVersion,
    /// The native binary, or node.
    pub(crate) program: PathBuf,
    /// `cli.js`, when node runs it.
    pub(crate) script: Option<PathBuf>,
}

impl CliVersion {
    /// A version by its numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> CliVersion {
        CliVersion { major, minor, patch }
    }

    /// Does the version speak the present dialect, and not that of 2.1.38 and before? Those between 2.1.38 and 2.1.325 were
    /// not looked at.
    pub fn is_present(&self) -> bool {
        *self >= CliVersion::new(2, 1, 325)
    }

    /// Whether the version fits a condition such as `2.1.38`, `>=2.1.38`, `<2.1.100`, or several of them with spaces
    /// between (any of them).
    pub fn fits(&self, condition: &str) -> Result<bool, LabError> {
        for part in condition.split_whitespace() {
            let fits = if let Some(least) = part.strip_prefix(">=") {
                *self >= least.parse()?
            } else if let Some(bound) = part.strip_prefix('<') {
                *self < bound.parse()?
            } else {
                part == "*" || *self == part.parse()?
            };
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl FromStr for CliVersion {
    type Err = LabError;

    fn from_str(text: &str) -> Result<CliVersion, LabError> {
        let numbers: Option<Vec<u32>> = text.trim().split('.').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some([major, minor, patch]) => Ok(CliVersion { major: *major, minor: *minor, patch: *patch }),
            _ => Err(LabError::BadVersion { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for CliVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_a_version() {
        let lines = include_str!("../versions.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(pinned_versions().len(), lines);
    }

    #[test]
    fn versions_compare_as_numbers() {
        let version: CliVersion = "2.1.38".parse().unwrap();
        assert!(version < "2.1.325".parse().unwrap());
        assert!(version.fits(">=2.1.29").unwrap() && version.fits("2.1.1 2.1.38").unwrap());
        assert!(!version.fits("<2.1.38").unwrap());
        assert!("2.1".parse::<CliVersion>().is_err());
    }

    #[test]
    fn every_pinned_version_is_read() {
        assert_eq!(pinned_versions().first().map(ToString::to_string).as_deref(), Some("2.1.1"));
        assert!(pinned_versions().is_sorted());
    }
}
