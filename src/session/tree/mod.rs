//! A session as it is put together: the index over the file, parents, sub-agent sessions.

pub(crate) mod build;
pub(crate) mod child;
#[cfg(feature = "store")]
mod extend;
pub(crate) mod file;
pub(crate) mod index;
pub(crate) mod merge_children;
pub(crate) mod not_shown;
pub(crate) mod not_understood;
pub(crate) mod parents;
pub(crate) mod priced;
pub(crate) mod session;
