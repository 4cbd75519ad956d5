//! Long tool output is previewed or full, for all cards at once; one card opens by itself.

use crate::support::sessions::working;
use crate::support::{Exported, Page, article};

/// How many cards shown are open, and how many folds in them.
fn open(page: &Page, list: &str) -> (usize, usize) {
    let count = |what: &str| page.count(&format!("{list} > article:not([hidden]) {what}"));
    (count("details.card[open]"), count("details.more[open]"))
}

#[track_caller]
fn wait_for_open(page: &Page, list: &str, cards: usize, folds: usize) {
    let count = |what: &str| {
        format!("document.querySelectorAll('{list} > article:not([hidden]) {what}').length")
    };
    let both = format!("[{}, {}]", count("details.card[open]"), count("details.more[open]"));
    page.wait_for(&both, [cards, folds]);
}

fn pressed(turns: usize) -> Exported {
    Exported::bytes(working(turns)).unwrap()
}

#[test]
fn key_goes_round() {
    let page = pressed(5).open();
    assert_eq!(open(&page, "#transcript"), (5, 0), "a preview");
    for (state, cards, folds) in [("full", 5, 5), ("preview", 5, 0)] {
        page.press("o");
        wait_for_open(&page, "#transcript", cards, folds);
        page.wait_for(
            "document.getElementById('notice').textContent",
            format!("Long output: {state}"),
        );
        assert_eq!(page.attribute("#notice", "role").as_deref(), Some("status"));
    }
}

#[test]
fn menu_chooses() {
    let page = pressed(3).page().narrow().open("");
    page.click("#more");
    let pressed = "Array.from(document.querySelectorAll('#menu [data-choice=output][aria-pressed=true]'), (button) => button.dataset.value)";
    page.wait_for(pressed, ["preview"]);
    page.click("#menu [data-choice=output][data-value=full]");
    page.wait_for(pressed, ["full"]);
    wait_for_open(&page, "#transcript", 3, 3);
    assert_eq!(page.notice().as_deref(), Some("Long output: full"));
    assert!(
        page.get::<bool>("document.getElementById('notice').closest('dialog[open]') !== null"),
        "beside an open dialog nobody would see or hear it"
    );
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.press("o");
    page.wait_for("document.getElementById('notice').textContent", "Long output: preview");
    assert!(page.get::<bool>("document.getElementById('notice').closest('dialog') === null"));
}

#[test]
fn is_remembered() {
    let page = pressed(3).open();
    page.press("o");
    wait_for_open(&page, "#transcript", 3, 3);
    page.reload();
    wait_for_open(&page, "#transcript", 3, 3);
    page.press("o");
    page.reload();
    wait_for_open(&page, "#transcript", 3, 0);
}

#[test]
fn applies_to_other_branches_and_the_context_view() {
    let long = Exported::long();
    let page = long.open();
    page.press("2");
    page.wait_for("document.getElementById('notice').textContent", "Detail: steps");
    page.run("leafpress.go({ leafId: '27312147' })");
    // Its articles may wait for their packs, and far from the view the choice is applied in the background.
    let cards = "document.querySelectorAll('#transcript > article details.card')";
    page.wait(
        "closed cards",
        &format!("(() => {{ const cards = Array.from({cards}); return cards.length > 3 && !cards.some(({{ open }}) => open); }})()"),
    );
    page.press("v");
    page.wait("the context view", "document.querySelectorAll('#context-view .card').length > 3");
    page.settle();
    assert_eq!(open(&page, "#context-view").0, 0);
    page.press("3");
    page.wait("open cards", "document.querySelectorAll('#context-view .card[open]').length === document.querySelectorAll('#context-view details.card').length");
}

#[test]
fn one_card_by_itself() {
    let page = pressed(3).open();
    page.press("2");
    wait_for_open(&page, "#transcript", 0, 0);
    page.click(&format!("{} .card-head", article("result1")));
    wait_for_open(&page, "#transcript", 1, 0);
    page.press("v");
    page.press("v");
    page.settle();
    assert_eq!(open(&page, "#transcript"), (1, 0), "kept until the next choice");
}

/// The line that is read stands where it stood; of one that is folded away, its card does.
#[test]
fn what_is_read_stays() {
    let page = pressed(30).open();
    let top = |selector: &str| {
        page.call::<f64>(
            "(s) => document.querySelector(s).getBoundingClientRect().top",
            &[selector],
        )
    };
    let heading = format!("{} .md", article("turn20"));
    page.call::<Option<()>>("(s) => { scrollBy(0, document.querySelector(s).getBoundingClientRect().top - 60); return null; }", &[&heading]);
    page.settle();
    page.call::<Option<()>>("(s) => { scrollBy(0, document.querySelector(s).getBoundingClientRect().top - 60); return null; }", &[&heading]);
    page.settle();
    let before = top(&heading);
    for _ in 0..3 {
        page.press("o");
        page.settle();
        assert!((top(&heading) - before).abs() < 2.0, "{before} became {}", top(&heading));
    }
    let output = format!("{} .out", article("result20"));
    page.call::<Option<()>>("(s) => { scrollBy(0, document.querySelector(s).getBoundingClientRect().top - 20); return null; }", &[&output]);
    page.press("o");
    page.settle();
    page.press("o");
    page.settle();
    let fold = top(&format!("{} .more", article("result20")));
    assert!((40.0..200.0).contains(&fold), "{fold}");
}

/// The choice holds for what is in the document and for what comes into it. How long the script runs in one go is
/// reported, since clocks differ.
#[test]
fn ten_thousand_entries_do_not_block() {
    let page = pressed(5000).open();
    page.run("window.__own = []; new PerformanceObserver((list) => window.__own.push(...list.getEntries().flatMap(({ scripts }) => scripts.map(({ duration }) => Math.round(duration))))).observe({ type: 'long-animation-frame' })");
    for (state, keys, place) in [("open", "o", 0.5), ("closed", "o2", 1.0)] {
        keys.chars().for_each(|key| page.press(&key.to_string()));
        wait_for_all(&page, state);
        page.settle();
        let own: Vec<u32> = page.get("window.__own.splice(0).filter((duration) => duration > 20)");
        println!("output of 5,000 cards: scripts of long frames {own:?} ms");
        page.run(&format!("window.__first = document.querySelector('#transcript > article'); scrollTo(0, document.documentElement.scrollHeight * {place})"));
        page.wait("others to come", "!window.__first.isConnected && document.querySelector('#transcript > [aria-busy]') === null");
        wait_for_all(&page, state);
    }
}

/// Waits until every card in the document and every fold in them is open, or closed.
#[track_caller]
fn wait_for_all(page: &Page, state: &str) {
    let wanted = state == "open";
    page.wait(
        state,
        &format!("(() => {{ const all = [...document.querySelectorAll('#transcript > article :is(details.card, details.card details.more)')]; return all.length > 50 && all.every(({{ open }}) => open === {wanted}); }})()"),
    );
}
