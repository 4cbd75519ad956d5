//! The ways into sub-sessions and back: rows, links, keys, the bar.

use leafpress::Options;
use serde_json::json;

use super::{child, crumbs, family, row_text};
use crate::support::{Exported, Page, row};

fn level(page: &Page, key: &str) -> i32 {
    page.call("(row) => Number(document.querySelector(row).ariaLevel)", &[row(key)])
}

fn active(page: &Page) -> String {
    page.get("document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.dataset.entryId ?? ''")
}

#[test]
fn a_row_opens_it() {
    let family = family();
    let page = family.open();
    assert_eq!(page.drawn_rows(), ["1", "2", "Scout/1", "3", "4", "Gone/missing", "5"]);
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(row_text(&page, "Scout/1").trim(), "the task of Scout · done · 4 entries");
    assert!(row_text(&page, "Gone/missing").contains("missing: not found"));
    assert_eq!((level(&page, "2"), level(&page, "Scout/1"), level(&page, "3")), (1, 2, 1));
    assert_eq!(crumbs(&page, "main"), "");
    page.click_row("Scout/1");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/2", "Scout/Helper/1", "Scout/3", "Scout/4"]);
    page.click_row("Scout/Helper/1");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

#[test]
fn the_way_back() {
    let family = family();
    let page = family.open();
    page.click_row("Scout/1");
    page.click_row("Scout/Helper/1");
    for within in ["main", "#topbar", "#sidebar"] {
        assert_eq!(crumbs(&page, within), "Main › Scout › Helper: the task of Helper");
    }
    page.click("#topbar .crumbs button:nth-of-type(2)");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    page.wait_until_in_view("Scout/2");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-Scout/2");
    assert_eq!(crumbs(&page, "#sidebar"), "Main › Scout: the task of Scout");
    page.click("#sidebar .crumbs button");
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-2");
    assert_eq!(crumbs(&page, "main"), "");
    page.back();
    page.wait("the sub-session again", "!document.getElementById('entry-Scout/2').hidden");
    assert_eq!(crumbs(&page, "main"), "Main › Scout: the task of Scout");
}

#[test]
fn by_keys() {
    let family = family();
    let page = family.open();
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

/// In from a link of the text, out by the bar, in and out by the browser's own steps.
#[test]
fn by_keys_alone() {
    let family = family();
    let page = family.open();
    let focused =
        || page.get::<String>("document.activeElement.id || document.activeElement.textContent");
    page.run("document.querySelector('#entry-\\\\32  p.sub-session a').focus()");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(focused(), "entry-Scout/1");
    page.run("document.querySelector('#topbar .crumbs button').focus()");
    page.press("Enter");
    assert_eq!(focused(), "entry-2");
    page.run("document.getElementById('tree').focus()");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(focused(), "tree");
    page.run("document.querySelector('#sidebar .crumbs button').focus()");
    page.press("Enter");
    assert_eq!(focused(), "entry-2");
    page.press("b");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert!(focused().starts_with("entry-"), "{}", focused());
    page.back();
    page.wait("the outer session", "!document.getElementById('entry-2').hidden");
}

#[test]
fn its_starter_links_to_it() {
    let family = family();
    let page = family.open();
    page.click("#entry-\\32  p.sub-session a");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

#[test]
fn a_link_reaches_into_it() {
    let family = family();
    let page = family.open();
    for suffix in [
        "?leafId=Scout/Helper/2",
        "?leafId=Scout%2FHelper%2F2",
        "#leafId=Scout/Helper/2&targetId=Scout/Helper/1",
        "#entry-Scout/Helper/2",
        "?targetId=Scout/Helper/1",
    ] {
        page.load_anew(suffix);
        assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"], "{suffix}");
        assert_eq!(crumbs(&page, "main"), "Main › Scout › Helper: the task of Helper", "{suffix}");
    }
    let link: String = page.get(
        "document.getElementById('entry-Scout/Helper/2').querySelector('.copy-link').getAttribute('href')",
    );
    page.load_anew(&link);
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

#[test]
fn aliases_reach_into_it() {
    let part = |id: &str, parent: &str, nth: u32| {
        let message = json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": format!("part {nth}")}]});
        json!({"type": "assistant", "uuid": id, "parentUuid": parent, "sessionId": "s",
            "timestamp": "2026-01-01T00:00:00Z", "message": message})
        .to_string()
    };
    let prompt = json!({"type": "user", "uuid": "u 1", "parentUuid": null, "sessionId": "s",
        "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "go"}});
    let session = || {
        let lines = [prompt.to_string(), part("a1", "u 1", 1), part("a 2", "a1", 2)];
        leafpress::read(lines.join("\n").into_bytes()).unwrap()
    };
    let child = child("Sc out", "a 2", session());
    let page =
        Exported::with_options(session().with_children(vec![child]), &Options::default()).open();
    for suffix in ["?leafId=Sc%2520out/a%25202", "#entry-Sc%20out/a%202"] {
        page.load_anew(suffix);
        assert_eq!(page.shown_articles(), ["Sc%20out/u%201", "Sc%20out/a1"], "{suffix}");
    }
    page.load_anew("?targetId=a%202");
    assert_eq!(page.shown_articles(), ["u%201", "a1"]);
    assert_eq!(page.text("#notice"), "");
}

/// A session is entered and left for where it stands, if that shows the entry asked for.
#[test]
fn another_branch_stays() {
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}),
        json!({"type": "message", "id": "1", "parentId": null, "timestamp": "2026-01-01T00:00:01Z", "message": {"role": "user", "content": "go"}}),
        json!({"type": "message", "id": "2", "parentId": "1", "timestamp": "2026-01-01T00:00:09Z", "message": {"role": "user", "content": "written first, newest"}}),
        json!({"type": "message", "id": "3", "parentId": "1", "timestamp": "2026-01-01T00:00:03Z", "message": {"role": "user", "content": "where it stands"}}),
    ];
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let session = || leafpress::read(lines.join("\n").into_bytes()).unwrap();
    let main = session().with_children(vec![child("Scout", "1", session())]);
    let page = Exported::with_options(main, &Options::default()).open();
    page.click("#entry-\\31  p.sub-session a");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/3"]);
    page.click("#topbar .crumbs button");
    assert_eq!(page.shown_articles(), ["1", "3"]);
}

#[test]
fn the_bar_leads_back() {
    let family = family();
    let page = family.page().narrow().open("?leafId=Scout/Helper/2");
    for other in [".page-title", "#here"] {
        let seen = format!("document.querySelector('{other}').checkVisibility()");
        assert!(!page.get::<bool>(&seen), "{other}");
    }
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    assert!(page.get::<bool>(fits));
    page.press("End");
    page.click("#topbar .crumbs button");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-2");
    page.wait("the prompt in the bar", "document.getElementById('here').checkVisibility()");
    page.back();
    page.wait("the sub-session", "!document.getElementById('entry-Scout/Helper/2').hidden");
}
