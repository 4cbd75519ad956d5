//! With JavaScript off the page is the story of the branch, and nothing that does not work is shown.

use leafpress::Options;

use crate::support::{Exported, Page, article, own_file};

/// Entries that take room, in the order of the document.
fn seen(page: &Page) -> Vec<String> {
    page.get("Array.from(document.querySelectorAll('#transcript > article')).filter((a) => a.getBoundingClientRect().height > 0).map((a) => a.id.slice('entry-'.length))")
}

/// The session with every entry in the page.
fn whole(exported: Exported) -> Exported {
    let mut options = Options::default();
    options.all_plain = true;
    Exported::with_options(exported.session, &options)
}

#[test]
fn the_story_is_that_of_the_script() {
    for file in ["tests/fixtures/samples/pi-1.5-tree.jsonl", "examples/lighthouse.jsonl"] {
        let session = Exported::story(std::fs::read(own_file(file)).unwrap());
        let with = session.open();
        let without = session.page().without_script().open("");
        assert_eq!(seen(&without), seen(&with));
        let lines = "Array.from(document.querySelectorAll('#transcript .steps-toggle, #transcript .did')).filter((line) => line.checkVisibility()).map((line) => line.textContent.trim())";
        assert_eq!(without.get::<Vec<String>>(lines), with.get::<Vec<String>>(lines));
    }
}

#[test]
fn it_says_what_it_leaves_out() {
    let tree = Exported::tree();
    let page = tree.page().without_script().open("");
    assert!(page.text(&article("t0000025")).contains("middle again"));
    assert_eq!(page.attribute("html", "data-ready"), None);
    let there = page.count("#transcript > article:has(.copy-link)");
    let note = page.text("main noscript");
    assert!(note.contains("JavaScript is off"), "{note}");
    assert!(note.contains(&format!("{there} of 25 entries")), "{note}");
    assert!(page.get::<bool>("document.querySelector('noscript p').getClientRects().length > 0"));
    let page = whole(tree).page().without_script().open("");
    assert!(page.text("main noscript").contains("this branch whole"));
}

#[test]
fn nothing_dead_is_shown() {
    let page = Exported::long().page().without_script().open("?leafId=ff652092");
    let shown: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('button:not([popovertarget]), input, nav:not(.fork, #sidebar), [role=tree], #topbar, #scrim, #notice')).filter((e) => e.getClientRects().length > 0).map((e) => e.outerHTML.slice(0, 80))",
    );
    assert_eq!(shown, [""; 0]);
}

/// The place of the tree has the prompts; a phone has no room for it.
#[test]
fn prompts_are_links() {
    let session = Exported::long();
    let page = session.page().without_script().open("");
    let asked: Vec<(String, bool)> = page.get(
        "Array.from(document.querySelectorAll('#asked a'), (a) => [a.textContent, document.querySelector(a.hash)?.dataset.turnRole === 'prompt'])",
    );
    assert!(
        asked.len() == 6 && asked.iter().all(|(words, leads)| !words.is_empty() && *leads),
        "{asked:?}"
    );
    page.click("#asked li:last-child a");
    page.wait(
        "the last prompt to be in view",
        "(() => { const { top } = document.querySelector(location.hash).getBoundingClientRect(); return top >= 0 && top < innerHeight; })()",
    );
    let narrow = session.page().without_script().narrow().open("");
    assert!(!narrow.get::<bool>(
        "document.getElementById('asked').checkVisibility({ visibilityProperty: true })"
    ));
}

/// The card is where the result is; what remains of the call leads to a result that this path has not.
#[test]
fn a_call_stands_once() {
    let page = whole(Exported::long()).page().without_script().open("");
    assert!(page.get::<bool>("document.querySelector('#entry-5143c173 .card').checkVisibility()"));
    let twice: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('article:not([hidden]) a.call')).filter((a) => a.checkVisibility() && document.getElementById(a.hash.slice(1))?.checkVisibility()).map((a) => a.hash)",
    );
    assert_eq!(twice, [""; 0]);
}

#[test]
fn details_open() {
    let page = whole(Exported::long()).page().without_script().open("");
    let open = "document.querySelectorAll('article:not([hidden]) details[open]').length";
    let before: usize = page.get(open);
    page.click("article:not([hidden]) details:not([open]) > summary");
    page.wait_for(open, before + 1);
}

#[test]
fn narrow_and_dark() {
    let page = Exported::long().page().without_script().narrow().dark().open("");
    assert!(
        page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"),
        "nothing sticks out"
    );
    assert!(
        page.get::<bool>("document.querySelector('main').getBoundingClientRect().width <= 390")
    );
}

#[test]
fn every_fold_opens_by_hand() {
    let session = Exported::bytes(crate::support::sessions::working(1)).unwrap();
    let page = whole(session).page().without_script().open("");
    for fold in ["details.more", "details.thinking", "details.hidden-message"] {
        let open = format!("document.querySelector('#transcript {fold}').open");
        assert!(!page.get::<bool>(&open), "{fold}");
        page.click(&format!("#transcript {fold} > summary"));
        page.wait(fold, &open);
    }
    page.click("#transcript .card-head");
    page.wait("the card to close", "!document.querySelector('#transcript .card').open");
    assert_eq!(
        page.count("#transcript :is(.copy-code, .raw, .copy-link:not([hidden]))"),
        page.count("#transcript .copy-link"),
        "no buttons that would do nothing"
    );
    assert!(page.get::<bool>("Array.from(document.querySelectorAll('.copy-link'), (button) => button.getClientRects().length).every((boxes) => boxes === 0)"));
}
