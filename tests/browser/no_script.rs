//! With JavaScript off the page is the readable path, and nothing that does not work is shown.

use crate::support::{Exported, article};

#[test]
fn path_is_readable() {
    let tree = Exported::tree();
    let page = tree.page().without_script().open("");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "other branches are hidden");
    assert!(page.text(&article("t0000025")).contains("middle again"));
    assert_eq!(page.attribute("html", "data-ready"), None);
    let path = format!("{} of 25 entries", tree.path(&tree.leaf()).len());
    let note = page.text("main noscript");
    assert!(note.contains("JavaScript is off") && note.contains(&path), "{note}");
    assert!(page.get::<bool>("document.querySelector('noscript p').getClientRects().length > 0"));
}

#[test]
fn nothing_dead_is_shown() {
    let page = Exported::long().page().without_script().open("?leafId=ff652092");
    let shown: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('button:not([popovertarget]), input, nav:not(.fork), [role=tree], #topbar, #scrim, #notice')).filter((e) => e.getClientRects().length > 0).map((e) => e.outerHTML.slice(0, 80))",
    );
    assert_eq!(shown, [""; 0]);
    assert!(
        page.get::<bool>("document.querySelector('main').getBoundingClientRect().left < 400"),
        "no room is kept for a sidebar"
    );
}

/// The card is where the result is; what remains of the call leads to a result that this path has not.
#[test]
fn a_call_stands_once() {
    let page = Exported::long().page().without_script().open("");
    assert!(page.get::<bool>("document.querySelector('#entry-5143c173 .card').checkVisibility()"));
    let twice: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('article:not([hidden]) a.call')).filter((a) => a.checkVisibility() && document.getElementById(a.hash.slice(1))?.checkVisibility()).map((a) => a.hash)",
    );
    assert_eq!(twice, [""; 0]);
}

#[test]
fn details_open() {
    let page = Exported::long().page().without_script().open("");
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
    let page = session.page().without_script().open("");
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
