//! axe-core finds nothing against WCAG 2.2, level AA, in any view of the page.

use std::fs;

use crate::subsessions;
use crate::support::{Exported, Page, own_file};

#[test]
fn light() {
    opening(&Exported::long().open());
}

#[test]
fn dark() {
    opening(&Exported::long().page().dark().open(""));
}

#[test]
fn narrow() {
    opening(&Exported::long().page().narrow().open(""));
}

#[test]
fn narrow_and_dark() {
    opening(&Exported::long().page().narrow().dark().open(""));
}

const RUN: &str = "axe.run(document, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    resultTypes: ['violations'],
}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 3).map(({ html, target, failureSummary }) => `${id}: ${help}\\n  ${target.join(' ')}\\n  ${html.slice(0, 200)}\\n  ${failureSummary}`)))";

fn violations(page: &Page) -> Vec<String> {
    if !page.get::<bool>("'axe' in window") {
        let path = own_file("tests/npm/node_modules/axe-core/axe.min.js");
        let axe = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}: run `npm ci` in tests/npm", path.display())
        });
        page.run(&format!("{axe}\n"));
    }
    // Of articles out of view axe measures what they hold against heights that are estimates.
    page.run("for (const article of document.querySelectorAll('article')) article.style.contentVisibility = 'visible'");
    page.settle();
    page.get(RUN)
}

#[track_caller]
pub(crate) fn assert_no_violation(page: &Page, what: &str) {
    let violations = violations(page);
    assert!(
        violations.is_empty(),
        "{what}: {} violations\n{}",
        violations.len(),
        violations.join("\n")
    );
}

/// The other tests would say nothing if axe did not run.
#[test]
fn axe_sees_faults() {
    let page = Exported::tree().open();
    assert_no_violation(&page, "as it is");
    page.run("document.getElementById('theme-toggle').removeAttribute('aria-label'); document.getElementById('theme-toggle').removeAttribute('title'); document.querySelector('#session h1').style.setProperty('color', '#ddd')");
    let violations = violations(&page).join("\n");
    assert!(violations.contains("button-name"), "{violations}");
    assert!(violations.contains("color-contrast"), "{violations}");
}

fn opening(page: &Page) {
    assert_no_violation(page, "as it opens");
    page.press_shift("G");
    page.settle();
    assert_no_violation(page, "at the bottom");
}

#[test]
fn changes() {
    for opening in
        [Exported::long().page(), Exported::long().page().dark(), Exported::long().page().narrow()]
    {
        let page = opening.open("?view=changes");
        page.wait("the files", "document.querySelector('#changes .out') !== null");
        assert_no_violation(&page, "by prompt");
        page.press("t");
        page.wait("the files", "document.querySelector('#changes[data-order=file] .out') !== null");
        page.run(
            "document.querySelectorAll('#changes details').forEach((one) => (one.open = true))",
        );
        page.settle();
        assert_no_violation(&page, "by file");
    }
}

#[test]
fn compare() {
    let long = Exported::long();
    let link = "?leafId=240cd75b&compare=c529cb7f";
    assert_no_violation(&long.page().open(link), "two branches");
    assert_no_violation(&long.page().dark().open(link), "two branches in dark");
    let narrow = long.page().narrow().open(link);
    // The edge of a bar may cut the last control of the head in two.
    narrow.run("document.getElementById('session').hidden = true");
    narrow.settle();
    assert_no_violation(&narrow, "two branches on a phone");
    narrow.press("d");
    assert_no_violation(&narrow, "the list to choose from");
}

#[test]
fn drawer() {
    let page = Exported::long().page().narrow().open("");
    page.click("#sidebar-toggle");
    page.wait(
        "the drawer",
        "document.getElementById('sidebar').getBoundingClientRect().left === 0",
    );
    assert_no_violation(&page, "drawer");
    page.click("#search-help");
    assert_no_violation(&page, "drawer with the help of the search");
}

#[test]
fn context_view() {
    assert_no_violation(&Exported::long().page().open("?view=context"), "context view");
    let edited = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let page = edited.page().open("?leafId=ast00008&view=context");
    page.click("details.original > summary");
    assert_no_violation(&page, "context view with edits");
}

#[test]
fn context_view_in_dark() {
    let edited = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let page = edited.page().dark().open("?leafId=ast00008&view=context");
    assert_no_violation(&page, "context view with edits");
}

#[test]
fn dialogs() {
    each_dialog(&Exported::long().open());
    each_dialog(&Exported::long().page().narrow().open(""));
}

#[test]
fn dialogs_in_dark() {
    each_dialog(&Exported::long().page().dark().open(""));
}

fn each_dialog(page: &Page) {
    for (key, id) in [("?", "overlay"), ("l", "leaves")] {
        page.press(key);
        page.wait_for("document.querySelector('dialog[open]')?.id ?? null", id);
        assert_no_violation(page, id);
        page.press("Escape");
        page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    }
    page.click("#more");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "menu");
    assert_no_violation(page, "menu");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.run(
        "document.querySelector('#transcript > article:not([hidden]) .body img').scrollIntoView()",
    );
    for (button, id) in [("button.raw", "raw"), (".body img[role=button]", "lightbox")] {
        let shown = format!("#transcript > article:not([hidden]) {button}");
        page.wait("the button", &format!("document.querySelector('{shown}') !== null"));
        page.run(&format!("document.querySelector('{shown}').click()"));
        page.wait_for("document.querySelector('dialog[open]')?.id ?? null", id);
        assert_no_violation(page, id);
        page.press("Escape");
        page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    }
}

#[test]
fn search_hits() {
    hits(&Exported::long().page().open("?q=tide"));
    hits(&Exported::long().page().narrow().open("?q=tide"));
}

#[test]
fn search_hits_in_dark() {
    hits(&Exported::long().page().dark().open("?q=tide"));
}

fn hits(page: &Page) {
    page.wait(
        "the hits",
        "/^\\d+ hits?/.test(document.getElementById('search-status').textContent)",
    );
    page.press("n");
    assert_no_violation(page, "search hits");
}

#[test]
fn another_branch_unfolded() {
    let page = Exported::long().page().open("?leafId=27312147&filter=all");
    page.run("for (const details of document.querySelectorAll('details')) details.open = true");
    assert_no_violation(&page, "all unfolded");
    page.press("b");
    assert_no_violation(&page, "with a notice");
}

#[test]
fn odd_sessions() {
    for file in [
        "examples/garden.jsonl",
        "tests/fixtures/samples/omp-18-main.jsonl",
        "tests/fixtures/samples-2026-03/pi-v3-full.jsonl",
        "tests/fixtures/damaged/torn.jsonl",
        "tests/fixtures/hostile.jsonl",
    ] {
        assert_no_violation(&Exported::file(file).open(), file);
    }
}

#[test]
fn sub_sessions() {
    let family = subsessions::family();
    let page = family.open();
    assert_no_violation(&page, "rows of sub-sessions");
    page.click_row("Scout/1");
    assert_no_violation(&page, "within a sub-session");
    let inner = "?leafId=Scout/Helper/2&q=heron";
    hits(&family.page().dark().open(inner));
    hits(&family.page().narrow().open(inner));
    assert_no_violation(&family.page().open("?targetId=Gone/missing"), "a missing one");
}

/// axe is a script itself: the page's own state without one is set by hand.
#[test]
fn without_script() {
    let page = Exported::long().open();
    page.run("delete document.documentElement.dataset.js");
    assert_no_violation(&page, "without a script");
}
