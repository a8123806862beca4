//! The commands, a module each.

pub(crate) mod inspect;
