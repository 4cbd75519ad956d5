//! The driver: exports sessions, opens their pages, and acts as a reader would.

pub(crate) mod archives;
mod chromium;
pub(crate) mod claude;
mod exported;
mod keys;
mod opening;
mod page;
mod protocol;
mod reading;
pub(crate) mod sessions;
mod storage;
mod watch;

pub(crate) use exported::{Exported, own_file};
pub(crate) use opening::{Opening, file_in};
pub(crate) use page::Page;
pub(crate) use reading::{article, row};
