//! The driver: exports sessions, opens their pages, and acts as a reader would.

mod chromium;
mod driver;
mod exported;
mod keys;
mod page;
mod protocol;
mod reading;
pub(crate) mod sessions;
mod storage;
mod watch;

pub(crate) use chromium::{browser, shut_down};
pub(crate) use driver::Driver;
pub(crate) use exported::{Exported, own_file};
pub(crate) use page::Page;
pub(crate) use reading::{article, row};

/// A behavior's name and its test.
pub(crate) type Test = (&'static str, fn(&Driver<'_>));
