//! What was stopped is no failure, and one thing however many entries say it.

use crate::support::{Exported, Page};

/// A command that was stopped, with the response after it.
pub(crate) const STOPPED: &str = r#"{"type":"session","version":3,"id":"s"}
{"type":"message","id":"p","parentId":null,"message":{"role":"user","content":"wait for the tide"}}
{"type":"message","id":"a","parentId":"p","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"sleep 90"}}]}}
{"type":"message","id":"r","parentId":"a","message":{"role":"toolResult","toolCallId":"c","content":"Command aborted","isError":true}}
{"type":"message","id":"s","parentId":"r","message":{"role":"assistant","content":[],"stopReason":"aborted","errorMessage":"Request was aborted."}}
"#;

fn page() -> Page {
    Exported::story(STOPPED.into()).open()
}

#[test]
fn a_stop_is_counted_once_and_is_no_failure() {
    let page = page();
    assert_eq!(page.text("#head [data-fact=stops]"), "1 stop");
    assert_eq!(page.count("#head [data-fact=failures], .row.failed, .steps .failed"), 0);
    let rows: Vec<String> = page
        .get("Array.from(document.querySelectorAll('.row.stopped'), (row) => row.dataset.entryId)");
    assert_eq!(rows, ["s"]);
    page.press("e");
    assert_eq!(page.notice().as_deref(), Some("No later failure on this branch"));
    page.click("#head [data-fact=stops] button");
    assert_eq!(page.text("#list-stops li"), "Stopped wait for the tide 1");
    page.click("#list-stops a");
    page.settle();
    assert!(page.is_in_view("s"));
    assert_eq!(page.text("#entry-s .stop.stopped"), "Stopped: Request was aborted.");
}

#[test]
fn a_card_says_that_its_command_was_stopped() {
    let page = Exported::bytes(STOPPED.into()).unwrap().open();
    assert_eq!(page.text("#entry-r .card .state"), "stopped");
    assert_eq!(page.count("[data-state=error]"), 0);
}

#[test]
fn a_search_finds_stops_apart_from_failures() {
    for (query, found) in [("is:stop", &["s"][..]), ("is:error", &[])] {
        assert_eq!(Exported::story(STOPPED.into()).hit_keys(query), found, "{query}");
    }
}
