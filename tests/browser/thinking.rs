//! Thinking is folded, or shown for all turns at once.

use crate::support::sessions::working;
use crate::support::{Driver, Exported, Test};

pub(crate) const TESTS: &[Test] =
    &[("key_and_menu", key_and_menu), ("is_remembered", is_remembered)];

const OPEN: &str = "document.querySelectorAll('#transcript details.thinking[open]').length";

fn key_and_menu(driver: &Driver<'_>) {
    let page = driver.open(&Exported::bytes(working(4)).unwrap());
    page.wait_for(OPEN, 0);
    page.press("i");
    page.wait_for(OPEN, 4);
    assert_eq!(page.notice().as_deref(), Some("Thinking: shown"));
    page.click("#more");
    page.click("#menu [data-choice=thinking][data-value=collapsed]");
    page.wait_for(OPEN, 0);
    assert_eq!(page.count("#transcript details.card[open]"), 4, "nothing else is touched");
}

fn is_remembered(driver: &Driver<'_>) {
    let page = driver.open(&Exported::bytes(working(4)).unwrap());
    page.press("i");
    page.wait_for(OPEN, 4);
    page.reload();
    page.wait_for(OPEN, 4);
}
