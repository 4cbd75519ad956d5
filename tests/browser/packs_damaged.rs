//! A pack that was damaged on its way costs its own entries, and says so; all else works.

use serde_json::{Value, json};

use super::packs::{LEN, packed, scroll_to_part, wait_until_filled};
use super::printing::{press_print, print};
use super::query::search;
use crate::support::sessions::chain;
use crate::support::{Exported, Page};

#[test]
fn letters_changed() {
    is_told(&with_changed_letters());
}

#[test]
fn element_missing() {
    is_told(&without_element());
}

#[test]
fn wrong_count() {
    is_told(&with_wrong_count());
}

/// The number of the pack that is damaged.
const PACK: usize = 5;

/// Where the element of a pack stands in the page, and the element.
fn element(page: &str, pack: usize) -> (usize, &str) {
    let begin = format!("<script type=\"text/plain\" id=\"pack-{pack}\">");
    let start = page.find(&begin).expect("there are more packs");
    let end = page[start..].find("</script>").expect("it has an end") + "</script>".len();
    (start, &page[start..start + end])
}

/// Changes the element of the pack, which is handed over with the page.
fn with_pack(change: impl FnOnce(&str, &str) -> String) -> Exported {
    let pressed = packed();
    pressed.change_page(|page| {
        let (start, pack) = element(&page, PACK);
        [&page[..start], &change(&page, pack), &page[start + pack.len()..]].concat()
    });
    pressed
}

fn with_changed_letters() -> Exported {
    with_pack(|_, pack| {
        let middle = pack.len() / 2;
        let changed = if &pack[middle..=middle] == "A" { "B" } else { "A" };
        [&pack[..middle], changed, &pack[middle + 1..]].concat()
    })
}

fn without_element() -> Exported {
    with_pack(|_, _| String::new())
}

/// The pack holds what another one holds, which has another number of entries.
fn with_wrong_count() -> Exported {
    with_pack(|page, _| element(page, 3).1.replace("pack-3", &format!("pack-{PACK}")))
}

const NOTES: &str = "document.querySelectorAll('#transcript > article .damaged-pack').length";

/// The places in document order at which packs begin, from the outline.
fn pack_starts(page: &Page) -> Vec<usize> {
    let outline: String = page.get("document.getElementById('outline').textContent");
    let outline =
        leafpress::page::wire::packed::decode(&outline, 1 << 30).expect("the outline is whole");
    let outline: Value = serde_json::from_slice(&outline).expect("the outline is JSON");
    serde_json::from_value(outline["packs"].clone()).expect("places of packs")
}

fn is_told(pressed: &Exported) {
    let page = pressed.open();
    let starts = pack_starts(&page);
    let key = &pressed.keys()[starts[PACK] + 5];
    page.run(&format!("leafpress.go({{ targetId: '{key}' }})"));
    page.wait_until_in_view(key);
    page.wait("the note", &format!("{NOTES} > 0"));
    page.settle();
    assert!(page.is_in_view(key));
    let told = page.text(&crate::support::article(key));
    assert!(told.contains("This part of the page is damaged"), "{told}");
    assert!(told.contains("lit"), "the row's words stand there: {told}");
    assert_eq!(page.count("#transcript > [aria-busy]"), 0);
    the_rest_works(&page, pressed, starts[PACK]..starts[PACK + 1]);
}

fn the_rest_works(page: &Page, pressed: &Exported, broken: std::ops::Range<usize>) {
    scroll_to_part(page, 0.9);
    page.settle();
    wait_until_filled(page);
    search(page, "\"the keeper trims\"");
    let keys = pressed.keys();
    let hits: Vec<String> = page.call("(query) => leafpress.search(query)", &["ashore"]);
    // Rows hold the beginning of the text.
    let missing = keys.iter().filter(|key| !hits.contains(key));
    assert!(
        missing.clone().all(|key| keys[broken.clone()].contains(key)),
        "{:?}",
        missing.collect::<Vec<_>>()
    );
    assert!(hits.len() >= keys.len() - broken.len() && hits.len() < keys.len(), "{}", hits.len());
}

#[test]
fn print_ends() {
    let page = with_changed_letters().open();
    press_print(&page);
    assert_eq!(page.count("#transcript > article"), LEN);
    let notes: usize = page.get(NOTES);
    assert!((50..200).contains(&notes), "{notes}");
    let paper = print(&page);
    assert!(paper.contains("Thispartofthepageisdamaged"));
    assert!(paper.contains(&format!("lamp{}lamp", LEN - 1)));
}

#[test]
fn context_view_ends() {
    let page = with_changed_letters().page().open("?view=context");
    page.wait(
        "all bodies",
        &format!("document.querySelectorAll('#context-view > article > .body').length === {LEN}"),
    );
    let notes = page.count("#context-view .damaged-pack");
    assert!((50..200).contains(&notes), "{notes}");
}

/// What is in neither place cannot be shown, nor waited for: then the plain document is what there is.
#[track_caller]
fn does_not_start(page: &Page, key: &str) {
    page.protocol("Page.reload", json!({}));
    page.expect_exception(&format!("no article of {key}"));
    page.wait_for(
        "document.querySelector('#notice span')?.textContent ?? null",
        "The session tree could not be built; this is the plain transcript.",
    );
    assert!(!page.get::<bool>("document.documentElement.hasAttribute('data-ready')"));
    assert!(page.is_in_view(&page.shown_articles()[0]));
}

#[test]
fn article_missing() {
    let pressed = Exported::bytes(chain(20)).unwrap();
    let page = pressed.open();
    let key = &pressed.keys()[2];
    pressed.change_page(|page| {
        let start = page.find(&format!("<article id=\"entry-{key}\"")).expect("it is plain");
        let end = start + page[start..].find("</article>").expect("it has an end");
        [&page[..start], &page[end + "</article>".len()..]].concat()
    });
    does_not_start(&page, key);
}

/// The outline no longer says where the first pack begins.
#[test]
fn first_pack_missing() {
    let pressed = packed();
    let page = pressed.open();
    let is_plain = |key: &String| pressed.html().contains(&format!("<article id=\"entry-{key}\""));
    let first = pressed.keys().into_iter().find(|key| !is_plain(key)).expect("one is packed");
    let shift = "const { parse } = JSON;
        JSON.parse = (text) => { const outline = parse(text); outline.packs.shift(); return outline; };";
    page.protocol("Page.addScriptToEvaluateOnNewDocument", json!({"source": shift}));
    does_not_start(&page, &first);
}
