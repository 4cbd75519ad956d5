//! What the entries of sub-sessions show: raw lines, why one is missing, paper.

use leafpress::Options;
use serde_json::json;

use super::{family, family_session, row_text};
use crate::printing::print;
use crate::support::{Exported, Page, article};

/// What the dialog shows of an entry, in the session shown.
#[track_caller]
fn raw(page: &Page, key: &str) -> serde_json::Value {
    let button = format!("{} button.raw", article(key));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "raw");
    let text = page.text("#raw pre");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn raw_lines() {
    let family = family();
    let page = family.open();
    assert_eq!(raw(&page, "2")["message"]["content"][0]["text"], "went");
    page.click_row("Scout/1");
    assert_eq!(raw(&page, "Scout/3")["message"]["content"][0]["text"], "and on");
    page.click_row("Scout/Helper/1");
    assert_eq!(raw(&page, "Scout/Helper/2")["message"]["content"][0]["text"], "a heron helped");
}

#[test]
fn raw_lines_within_the_main_file() {
    let line = |id: &str, parent: Option<&str>, aside: bool, text: &str| {
        let message = json!({"role": "user", "content": text});
        json!({"type": "user", "uuid": id, "parentUuid": parent, "isSidechain": aside,
            "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": message})
        .to_string()
    };
    let lines = [
        line("u1", None, false, "go"),
        line("x1", None, true, "aside"),
        line("u2", Some("u1"), false, "on"),
    ];
    let page = Exported::bytes(lines.join("\n").into_bytes()).unwrap().open();
    assert_eq!(raw(&page, "u2")["uuid"], "u2");
    page.click_row("x1/x1");
    assert_eq!(raw(&page, "x1/x1")["uuid"], "x1");
}

#[test]
fn without_source() {
    let mut options = Options::default();
    options.without_source = true;
    let page = Exported::with_options(family_session(), &options).open();
    page.settle();
    assert_eq!(page.count("#source, #child-sources, button.raw"), 0);
    page.click_row("Scout/1");
    page.settle();
    assert_eq!(page.count("button.raw"), 0);
}

#[test]
fn a_missing_one_says_why() {
    let family = family();
    let page = family.open();
    page.click_row("Gone/missing");
    let status = || page.get::<String>("document.getElementById('status').textContent");
    assert_eq!(status(), "1 of 1 entry");
    assert_eq!(page.drawn_rows(), ["Gone/missing"]);
    assert_eq!(row_text(&page, "Gone/missing").trim(), "not shown: not found");
    let said: String = page.text(&format!("{} p:first-of-type", article("Gone/missing")));
    assert!(said.ends_with("cannot be shown: not found"), "{said}");
    assert_eq!(page.count("article[id='entry-Gone/missing'] button.raw"), 0);
    page.click("button[data-filter=no-tools]");
    assert_eq!(status(), "1 of 1 entry");
    page.click("button[data-filter=user-only]");
    assert_eq!(status(), "0 of 1 entry");
}

#[test]
fn a_page_without_them() {
    let page = Exported::tree().open();
    assert_eq!(page.count(".crumbs, .sub-session"), 0);
}

#[test]
fn on_paper() {
    let family = family();
    let page = family.page().open("?leafId=Scout/Helper/2");
    assert!(!page.get::<bool>("document.querySelector('main > .crumbs').checkVisibility()"));
    let paper = print(&page);
    assert!(paper.contains("MainScoutHelper"), "{paper}");
}
