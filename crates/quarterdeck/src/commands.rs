//! The commands, a module each.

pub(crate) mod convert;
pub(crate) mod inspect;
