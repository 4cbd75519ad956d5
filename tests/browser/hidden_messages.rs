//! Messages that a terminal does not show are folded, or shown all at once.

use crate::support::Exported;
use crate::support::sessions::working;

const OPEN: &str = "document.querySelectorAll('#transcript details.hidden-message[open]').length";

#[test]
fn key_and_menu() {
    let page = Exported::bytes(working(2)).unwrap().open();
    assert_eq!(page.count("#transcript details.hidden-message"), 1);
    page.wait_for(OPEN, 0);
    page.press("h");
    page.wait_for(OPEN, 1);
    assert_eq!(page.notice().as_deref(), Some("Hidden messages: shown"));
    page.reload();
    page.wait_for(OPEN, 1);
    page.click("#more");
    page.click("#menu [data-choice=hidden][data-value=collapsed]");
    page.wait_for(OPEN, 0);
}
