//! One page each on what a program does with a session. Nothing here is code; every example is compiled.

#[doc = include_str!("../docs/turns.md")]
pub mod turns {}

#[doc = include_str!("../docs/permissions.md")]
pub mod permissions {}

#[cfg(feature = "tools")]
#[doc = include_str!("../docs/tools.md")]
pub mod tools {}

#[doc = include_str!("../docs/hooks.md")]
pub mod hooks {}

#[doc = include_str!("../docs/errors.md")]
pub mod errors {}

/// The page that people see first must compile too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub mod readme {}
