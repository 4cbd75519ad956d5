//! Sessions within the session: their rows, the way in and back, links and hits that lie in them.

use leafpress::session::Child;
use leafpress::{Filter, Options, Session};
use serde_json::json;

use crate::agreement;
use crate::support::{Driver, Page, Pressed, Test, row};

pub(crate) const TESTS: &[Test] = &[
    ("a_row_opens_it", a_row_opens_it),
    ("the_way_back", the_way_back),
    ("by_keys", by_keys),
    ("a_link_reaches_into_it", a_link_reaches_into_it),
    ("its_starter_links_to_it", its_starter_links_to_it),
    ("hits_within_it", hits_within_it),
    ("counts_are_of_the_session_on_show", counts_are_of_the_session_on_show),
    ("a_folded_starter_hides_it", a_folded_starter_hides_it),
    ("without_raw_lines", without_raw_lines),
    ("a_page_without_them", a_page_without_them),
    ("samples_agree", samples_agree),
];

/// A chain of prompts and answers in turn with the ids `1`, `2`, … and these texts.
fn chain(texts: &[&str]) -> Session {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"})];
    for (at, text) in texts.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        lines.push(json!({
            "type": "message",
            "id": (at + 1).to_string(),
            "parentId": (at > 0).then(|| at.to_string()),
            "message": {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop"},
        }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn child(key: &str, started_by: &str, session: Session) -> Child {
    Child {
        key: key.to_owned(),
        agent: Some(key.to_owned()),
        task: Some(format!("the task of {key}")),
        started_by: Some(started_by.to_owned()),
        session: Ok(Box::new(session)),
    }
}

fn family() -> Pressed {
    let helper = chain(&["help me", "a heron helped"]);
    let scout = chain(&["scout ahead", "a heron scouted", "and on", "further"]);
    let scout = scout.with_children(vec![child("Helper", "2", helper)]);
    let gone = Child { session: Err("not found".to_owned()), ..child("Gone", "4", chain(&["x"])) };
    let main = chain(&["go", "went", "again", "gone again", "the end"]);
    let main = main.with_children(vec![child("Scout", "2", scout), gone]);
    Pressed::with_options(main, &Options::default())
}

fn row_text(page: &Page, key: &str) -> String {
    page.call("(row) => document.querySelector(row).textContent", &[row(key)])
}

fn crumbs(page: &Page, within: &str) -> String {
    page.call(
        "(within) => {
            const bar = document.querySelector(`${within} .crumbs`);
            return bar === null || bar.hidden ? '' : bar.textContent;
        }",
        &[within],
    )
}

fn level(page: &Page, key: &str) -> i32 {
    page.call("(row) => Number(document.querySelector(row).ariaLevel)", &[row(key)])
}

fn active(page: &Page) -> String {
    page.get("document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.dataset.entryId ?? ''")
}

fn a_row_opens_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    assert_eq!(page.drawn_rows(), ["1", "2", "Scout/1", "3", "4", "Gone/missing", "5"]);
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(row_text(&page, "Scout/1").trim(), "⊞ Scout the task of Scout · done · 4 entries");
    assert!(row_text(&page, "Gone/missing").contains("missing: not found"));
    assert_eq!((level(&page, "2"), level(&page, "Scout/1"), level(&page, "3")), (1, 2, 1));
    assert_eq!(crumbs(&page, "main"), "");
    page.click_row("Scout/1");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/2", "Scout/Helper/1", "Scout/3", "Scout/4"]);
    page.click_row("Scout/Helper/1");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

fn the_way_back(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click_row("Scout/1");
    page.click_row("Scout/Helper/1");
    for within in ["main", "#sidebar"] {
        assert_eq!(crumbs(&page, within), "Main › Scout › Helper");
    }
    page.click("main .crumbs button:nth-of-type(2)");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    page.wait_until_in_view("Scout/2");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-Scout/2");
    assert_eq!(crumbs(&page, "#sidebar"), "Main › Scout");
    page.click("#sidebar .crumbs button");
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-2");
    assert_eq!(crumbs(&page, "main"), "");
    page.back();
    page.wait("the sub-session again", "!document.getElementById('entry-Scout/2').hidden");
    assert_eq!(crumbs(&page, "main"), "Main › Scout");
}

fn by_keys(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.run("document.getElementById('tree').focus()");
    page.press("Home");
    page.press("ArrowDown");
    assert_eq!(active(&page), "2");
    page.press("ArrowRight");
    assert_eq!(active(&page), "Scout/1");
    page.press("ArrowLeft");
    assert_eq!(active(&page), "2");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(active(&page), "Scout/1");
}

fn a_link_reaches_into_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    for suffix in [
        "?leafId=Scout/Helper/2",
        "?leafId=Scout%2FHelper%2F2",
        "#leafId=Scout/Helper/2&targetId=Scout/Helper/1",
        "#entry-Scout/Helper/2",
        "?targetId=Scout/Helper/1",
    ] {
        page.load_anew(suffix);
        assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"], "{suffix}");
        assert_eq!(crumbs(&page, "main"), "Main › Scout › Helper", "{suffix}");
    }
    let link: String = page.get(
        "document.getElementById('entry-Scout/Helper/2').querySelector('.copy-link').dataset.link",
    );
    page.load_anew(&link);
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

fn its_starter_links_to_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click("#entry-\\32  p.sub-session a");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

fn hits_within_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click("#search");
    page.type_text("heron");
    page.wait(
        "the hits",
        "document.getElementById('search-status').textContent.startsWith('2 hits')",
    );
    assert_eq!(page.drawn_rows(), ["Scout/1"]);
    assert!(row_text(&page, "Scout/1").ends_with("2 hits"), "{}", row_text(&page, "Scout/1"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(
        page.get::<String>("document.getElementById('search-status').textContent"),
        "1 of 2 hits"
    );
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

fn counts_are_of_the_session_on_show(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    let status = || page.get::<String>("document.getElementById('status').textContent");
    assert_eq!(status(), "5 / 5");
    page.click_row("Scout/1");
    assert_eq!(status(), "4 / 4");
    page.click("button[data-filter=user-only]");
    assert_eq!(status(), "2 / 4");
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/3"]);
    page.click("#sidebar .crumbs button");
    assert_eq!(status(), "3 / 5");
}

fn a_folded_starter_hides_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.run("leafpress.fold('1', true)");
    assert_eq!(page.drawn_rows(), ["1"]);
    page.run("leafpress.fold('1', false)");
    assert_eq!(page.drawn_rows().len(), 7);
}

fn without_raw_lines(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.wait("raw buttons", "document.querySelector('#entry-\\\\31  button.raw') !== null");
    page.click_row("Scout/1");
    page.settle();
    assert_eq!(page.count("article[id^='entry-Scout/'] button.raw"), 0);
}

fn a_page_without_them(driver: &Driver<'_>) {
    let page = driver.open(&Pressed::tree());
    assert_eq!(page.count(".crumbs, .sub-session"), 0);
}

fn samples_agree(driver: &Driver<'_>) {
    let family = family();
    assert_eq!(family.row_ids("Scout/4", Filter::Default, "").len(), 4);
    agreement::agrees(driver, "a session with children", &family);
}
