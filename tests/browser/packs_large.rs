//! Entries of which two are more than the page keeps of opened packs, and more packs than a search opens.

use serde_json::json;

use super::query::search;
use crate::support::sessions::{self, Lines};
use crate::support::{Exported, Page};

/// Of an entry's text: some 7 million characters; `KEPT_CHARS` of packs.js is 12 million.
const PARAGRAPHS: usize = 110_000;

/// Entries between the beginning and the large ones: more than the window shows at first.
const SMALL: usize = 130;

/// A plain beginning `root`, then, behind small ones, entries that fill a pack each: on the path `e0`, `e1` and `edit`,
/// which replaces the first, and on branches `x0` and `x1`. Each ends with the word `pharos`.
fn large() -> Exported {
    let mut lines = Lines::new();
    let paragraph = "The keeper trims the wick and writes the hour into the book.\n\n";
    let text = paragraph.repeat(PARAGRAPHS) + "pharos";
    lines.user("root", None, &paragraph.repeat(3000));
    let mut above = "root".to_owned();
    for n in 0..SMALL {
        let id = format!("s{n}");
        lines.user(&id, Some(&above), "Lit.");
        above = id;
    }
    for (id, parent) in [("x0", "root"), ("x1", "root"), ("e0", &above), ("e1", "e0")] {
        lines.user(id, Some(parent), &text);
    }
    let edit = json!({"type": "context_edit", "targetId": "e0", "replacement": {"content": text}});
    lines.entry("edit", Some("e1"), edit);
    Exported::bytes(lines.bytes()).unwrap()
}

const PACKS: usize = 5;

/// From here on packs that are opened side by side arrive at the same time, and the page counts them.
fn packs_in_pairs(page: &Page) {
    page.run(
        "const Real = DecompressionStream;
         const waiting = [];
         const release = () => waiting.splice(0).forEach((done) => done());
         const pair = () => new Promise((done) => { if (waiting.push(done) === 2) release(); else setTimeout(release, 1500); });
         window.__opened = 0;
         window.DecompressionStream = function (format) {
             window.__opened++;
             const { readable, writable } = new Real(format);
             return { writable, readable: readable.pipeThrough(new TransformStream({ flush: pair })) };
         };",
    );
}

#[test]
fn search_opens_each_once() {
    let page = large().page().open("?filter=all");
    assert_eq!(page.count("script[id^=pack-]"), PACKS);
    packs_in_pairs(&page);
    search(&page, "pharos");
    assert_eq!(page.text("#search-status"), format!("{PACKS} hits"));
    let opened: usize = page.get("window.__opened");
    assert!((2..=PACKS).contains(&opened), "{opened} packs opened");
}

/// A message of the context view that was edited needs the packs of both entries at one time.
#[test]
fn the_context_view_shows_what_two_hold() {
    let page = large().page().open("?view=context");
    let bodies = "document.querySelectorAll('#context-view > article > .body')";
    page.wait("all bodies", &format!("{bodies}.length === {SMALL} + 3"));
    let words: Vec<bool> = page.get(&format!(
        "Array.from({bodies}, (body) => body.textContent.includes('pharos')).slice(-3)"
    ));
    assert_eq!(words, [false, true, true]);
}

#[test]
fn search_passes_over_packs_without_the_words() {
    let many = Exported::bytes(sessions::packed(12_000)).unwrap();
    let page = many.page().open("?filter=all");
    let packs = page.count("script[id^=pack-]");
    assert!(packs > 40, "{packs} packs");
    page.run(
        "const Real = DecompressionStream;
         window.__opened = 0;
         window.DecompressionStream = function (format) { window.__opened++; return new Real(format); };",
    );
    for (query, hits) in [
        ("lamp7777lamp", "1 hit"),
        ("ashore lamp7777lamp", "1 hit"),
        ("\"LAMP7777lamp  is lit\" -buoy", "1 hit"),
        ("lamp7777lamp buoy7buoy", "0 hits"),
        ("zzyzx", "0 hits"),
    ] {
        page.run("window.__opened = 0");
        search(&page, query);
        assert_eq!(page.text("#search-status"), hits, "{query}");
        let opened: usize = page.get("window.__opened");
        assert!(opened < packs / 3, "{query}: {opened} of {packs} packs opened");
    }
    search(&page, "lamp777");
    assert_eq!(page.text("#search-status"), "11 hits", "parts of words are found, too");
    search(&page, "it");
    assert_eq!(page.text("#search-status"), "12200 hits", "a short word opens all");
}
