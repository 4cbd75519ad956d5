//! Starts browsers through their drivers, opens pages, and acts as a reader would.

mod browser;
mod engine;
mod keys;
mod page;
mod process;
mod watch;

#[path = "../../browser/support/archives.rs"]
pub(crate) mod archives;
#[expect(dead_code, reason = "the tests in Chromium use more of it")]
#[path = "../../browser/support/exported.rs"]
mod exported;
#[expect(dead_code, reason = "the tests in Chromium use more of it")]
#[path = "../../browser/support/sessions.rs"]
pub(crate) mod sessions;

pub(crate) use browser::{Browser, attempt, in_engine};
pub(crate) use engine::{Engine, say};
pub(crate) use exported::{Exported, own_file};
pub(crate) use page::{Page, is_part_of};
