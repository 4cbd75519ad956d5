//! The one Chromium of the run.

use std::ffi::OsStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use headless_chrome::{Browser, LaunchOptions};

/// Without a message from the browser for so long, something hangs.
const IDLE: Duration = Duration::from_secs(180);

const FLAGS: [&str; 4] =
    ["--disable-quic", "--disable-component-update", "--hide-scrollbars", "--lang=en-US"];

static BROWSER: Mutex<Option<Browser>> = Mutex::new(None);

/// The browser, started by the first test that asks.
pub(crate) fn browser() -> Browser {
    let mut browser = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    browser.get_or_insert_with(start).clone()
}

/// Ends the browser, if one was started.
pub(crate) fn shut_down() {
    BROWSER.lock().unwrap_or_else(PoisonError::into_inner).take();
}

fn start() -> Browser {
    let options = LaunchOptions::default_builder()
        // Chromium refuses its sandbox to root, as whom containers run.
        .sandbox(!runs_as_root())
        .idle_browser_timeout(IDLE)
        .args(FLAGS.iter().map(OsStr::new).collect())
        .build()
        .expect("every option has a value");
    Browser::new(options).unwrap_or_else(|error| {
        panic!("failed to start Chromium ({error}): install it, or name one in $CHROME")
    })
}

fn runs_as_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut uid = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default().split_whitespace();
    uid.nth(1) == Some("0")
}
