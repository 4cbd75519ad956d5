//! A page opens with the path to the session's own leaf.

use leafpress::{Filter, Options};

use crate::support::{Exported, own_file};

#[test]
fn default_path() {
    let tree = Exported::tree();
    let page = tree.open();
    assert_eq!(page.get::<String>("document.title"), "alpha root");
    assert_eq!(page.text("#session h1"), "alpha root");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.count("#transcript > article"), tree.path(&tree.leaf()).len());
    assert_eq!(page.text("#status"), "21 of 25 entries");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, ""));
    assert_eq!(page.marked_rows(), ["t0000001", "t0000002", "t0000009", "t0000011", "t0000025"]);
    assert_eq!(page.attribute("#tree .leaf", "data-entry-id").as_deref(), Some("t0000025"));
    assert_eq!(
        page.attribute("#filters [aria-pressed=true]", "data-filter").as_deref(),
        Some("default")
    );
    assert_eq!(page.link(), "", "opening leaves the address alone");
    assert_eq!(page.notice(), None);
}

#[test]
fn pressed_for_another_place() {
    let session = Exported::tree().session;
    let mut options = Options::default();
    options.target = session.find("t0000004");
    options.filter = Filter::UserOnly;
    options.title = Some("Left & right".to_owned());
    let pressed = Exported::with_options(session, &options);
    let page = pressed.open();
    assert_eq!(page.get::<String>("document.title"), "Left & right");
    assert_eq!(page.shown_articles(), pressed.path("t0000008"), "the newest leaf below the target");
    assert_eq!(page.drawn_rows(), pressed.row_ids("t0000008", Filter::UserOnly, ""));
    assert_eq!(
        page.attribute("#filters [aria-pressed=true]", "data-filter").as_deref(),
        Some("user-only")
    );
}

#[test]
fn long_session_starts_at_its_top() {
    let page = Exported::long().open();
    page.settle();
    assert!(page.get::<bool>("scrollY === 0"));
    assert_eq!(page.text("#status"), "69 of 95 entries");
}

/// The style of the controls comes with the script. Until then they are not seen, and their places are kept; the prompts
/// stand in for the tree.
#[test]
fn nothing_moves_when_the_controls_come() {
    const PLACES: &str = "Array.from(document.querySelectorAll('#topbar, #sidebar, #session, #transcript'), (element) => {
        const { left, width } = element.getBoundingClientRect();
        return [element.id, left, width];
    })";
    const SEEN: &str =
        "Array.from(document.querySelectorAll('#topbar *, #sidebar *, #resizer, #map, dialog'))
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => element.closest('#topbar, #sidebar')?.id ?? element.id)";
    let ready = Exported::tree().open();
    let early = Exported::tree();
    // As the first script leaves it, before the loader has run.
    early.change_page(|page| page.replacen("<html ", "<html data-js=\"\" ", 1));
    let page = early.page().without_script().open("");
    assert_eq!(page.get::<serde_json::Value>(PLACES), ready.get::<serde_json::Value>(PLACES));
    let seen = page.get::<Vec<String>>(SEEN);
    let is_of_list = |place: &String| place == "sidebar";
    assert!(seen.len() > 2 && seen.iter().all(is_of_list), "{seen:?}");
    assert_eq!(page.count("#sidebar #asked a"), 2, "both prompts of the path");
    let top = |page: &crate::support::Page, of: &str| {
        page.get::<f64>(&format!("document.querySelector('{of}').getBoundingClientRect().top"))
    };
    let row = ready.get::<f64>("(() => { const range = new Range(); range.selectNodeContents(document.querySelector('#tree .row .text')); const { top, bottom } = range.getBoundingClientRect(); return (top + bottom) / 2; })()");
    let first = page.get::<f64>("(() => { const { top, bottom } = document.querySelector('#asked a').getBoundingClientRect(); return (top + bottom) / 2; })()");
    assert!((row - first).abs() < 2.0, "the first row at {row}, the first of the list at {first}");
    assert!((top(&page, "#head h1") - top(&ready, "#head h1")).abs() < 0.5);
    assert!(ready.get::<Vec<String>>(SEEN).len() > 20);
    assert_eq!(ready.count("#asked"), 0, "the tree replaces the list");
    let narrow = early.page().without_script().narrow().open("");
    assert!(narrow.get::<bool>(
        "document.querySelector('.page-title').checkVisibility({ visibilityProperty: true })"
    ));
    assert!(!narrow.get::<bool>(
        "document.getElementById('sidebar').checkVisibility({ visibilityProperty: true })"
    ));
}

/// A download that broke off: what came of the story is shown, and no place is kept for controls.
#[test]
fn a_page_without_its_end_is_the_plain_document() {
    for end in ["id=\"program\">", "<script type=\"text/packed\""] {
        let session =
            Exported::story(std::fs::read(own_file("examples/lighthouse.jsonl")).unwrap());
        let all = session.page().without_script().open("").shown_articles();
        assert!(all.len() > 10, "{all:?}");
        let page = session.open();
        session.change_page(|page| page[..page.find(end).unwrap() + end.len()].to_owned());
        page.run("location.reload()");
        page.wait(
            "the plain document",
            "document.readyState === 'complete' && document.documentElement.dataset.js === undefined",
        );
        assert_eq!(page.shown_articles(), all);
    }
}

/// As the browser adds up what moves after it was painted: 0.1 is what a reader notices.
/// [Web Vitals](https://web.dev/articles/cls)
#[test]
fn nothing_that_was_painted_moves() {
    let session = Exported::story(std::fs::read(own_file("examples/lighthouse.jsonl")).unwrap());
    for page in [session.open(), session.page().narrow().open("")] {
        page.settle();
        let moved: f64 = page.get(
            "new Promise((done) => {
                new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true });
                setTimeout(() => done(0), 500);
            })",
        );
        assert!(moved < 0.05, "{moved}");
    }
}

/// A script reads no data that is written in another way: the reader has the plain document.
#[test]
fn another_format_leaves_the_plain_document() {
    let pressed = Exported::tree();
    let page = pressed.open();
    pressed.change_page(|page| page.replacen("data-format=\"1\"", "data-format=\"2\"", 1));
    page.run("location.reload()");
    page.wait(
        "the loader to give up",
        "document.documentElement.dataset.format === '2' && document.readyState === 'complete' && document.documentElement.dataset.js === undefined",
    );
    assert_ne!(page.shown_articles(), [""; 0]);
    let seen: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('#sidebar *, #topbar *')).filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.tagName)",
    );
    assert!(seen.iter().all(|tag| ["OL", "LI", "A"].contains(&tag.as_str())), "{seen:?}");
}
