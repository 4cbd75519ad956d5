//! What the entries of sub-sessions show: raw lines, why one is missing, paper.

use leafpress::Options;
use serde_json::json;

use super::{family, family_session, row_text};
use crate::printing::print;
use crate::support::{Driver, Exported, Page, Test, article};

pub(crate) const TESTS: &[Test] = &[
    ("raw_lines", raw_lines),
    ("raw_lines_within_the_main_file", raw_lines_within_the_main_file),
    ("without_source", without_source),
    ("a_missing_one_says_why", a_missing_one_says_why),
    ("a_page_without_them", a_page_without_them),
    ("on_paper", on_paper),
];

/// What the dialog shows of an entry, in the session on show.
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

fn raw_lines(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    assert_eq!(raw(&page, "2")["message"]["content"][0]["text"], "went");
    page.click_row("Scout/1");
    assert_eq!(raw(&page, "Scout/3")["message"]["content"][0]["text"], "and on");
    page.click_row("Scout/Helper/1");
    assert_eq!(raw(&page, "Scout/Helper/2")["message"]["content"][0]["text"], "a heron helped");
}

fn raw_lines_within_the_main_file(driver: &Driver<'_>) {
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
    let page = driver.open(&Exported::bytes(lines.join("\n").into_bytes()).unwrap());
    assert_eq!(raw(&page, "u2")["uuid"], "u2");
    page.click_row("x1/x1");
    assert_eq!(raw(&page, "x1/x1")["uuid"], "x1");
}

fn without_source(driver: &Driver<'_>) {
    let mut options = Options::default();
    options.without_source = true;
    let page = driver.open(&Exported::with_options(family_session(), &options));
    page.settle();
    assert_eq!(page.count("#source, #child-sources, button.raw"), 0);
    page.click_row("Scout/1");
    page.settle();
    assert_eq!(page.count("button.raw"), 0);
}

fn a_missing_one_says_why(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
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

fn a_page_without_them(driver: &Driver<'_>) {
    let page = driver.open(&Exported::tree());
    assert_eq!(page.count(".crumbs, .sub-session"), 0);
}

fn on_paper(driver: &Driver<'_>) {
    let family = family();
    let page = driver.page(&family).open("?leafId=Scout/Helper/2");
    assert!(!page.get::<bool>("document.querySelector('main > .crumbs').checkVisibility()"));
    let paper = print(&page);
    assert!(paper.contains("MainScoutHelper"), "{paper}");
}
