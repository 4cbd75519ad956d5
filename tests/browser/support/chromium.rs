//! The one Chromium of the run.

use std::ffi::OsStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use headless_chrome::{Browser, LaunchOptions};

use super::protocol::evaluate;

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
    let browser = Browser::new(options).unwrap_or_else(|error| {
        panic!("failed to start Chromium ({error}): install it, or name one in $CHROME")
    });
    keep_awake(&browser);
    browser
}

/// While nothing arrives, the client sleeps for 100 ms at a time, and each call
/// waits for it to wake. A page that never stops talking makes the tests ten
/// times faster.
fn keep_awake(browser: &Browser) {
    let tab = browser.new_tab().expect("the browser opens tabs");
    tab.enable_runtime().expect("the console can be listened to");
    evaluate(&tab, "void setInterval(() => console.debug(0), 4)").expect("a page can talk");
}

fn runs_as_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut uid = status
        .lines()
        .find_map(|line| line.strip_prefix("Uid:"))
        .unwrap_or_default()
        .split_whitespace();
    uid.nth(1) == Some("0")
}
