//! What the tests of several rooms share.

pub(crate) mod edits;
pub(crate) mod folder;
pub(crate) mod home;
pub(crate) mod inflated;
pub(crate) mod session;
pub(crate) mod texts;
