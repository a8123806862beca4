//! The desk: what the user says about sessions and how he wants to work, kept and given back.
//!
//! Nothing of it is in any log, so nothing of it is ever dropped: a newer version of this program migrates the file and
//! leaves a copy beside it, an older one refuses it, and a damaged file is left as it is for somebody to look at.

mod devices;
mod held;
mod open;
mod pictures;
mod sessions;
mod settings;

pub use devices::Device;
pub use held::HeldRow;
pub use open::Desk;
pub use pictures::DraftPicture;
pub use sessions::{DeskSession, Draft};
