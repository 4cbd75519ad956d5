//! Thinking is folded, or shown for all turns at once.

use crate::support::Exported;
use crate::support::sessions::working;

const OPEN: &str = "document.querySelectorAll('#transcript details.thinking[open]').length";

#[test]
fn key_and_menu() {
    let page = Exported::bytes(working(4)).unwrap().open();
    page.wait_for(OPEN, 0);
    page.press("i");
    page.wait_for(OPEN, 4);
    assert_eq!(page.notice().as_deref(), Some("Thinking: shown"));
    page.click("#more");
    page.click("#menu [data-choice=thinking][data-value=collapsed]");
    page.wait_for(OPEN, 0);
    assert_eq!(page.count("#transcript details.card[open]"), 4, "nothing else is touched");
}

#[test]
fn is_remembered() {
    let page = Exported::bytes(working(4)).unwrap().open();
    page.press("i");
    page.wait_for(OPEN, 4);
    page.reload();
    page.wait_for(OPEN, 4);
}
