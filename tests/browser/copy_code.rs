//! Every block of code and every output has a button that copies it, with what is folded away in it.

use crate::support::sessions::{long_output, working};
use crate::support::{Driver, Page, Pressed, Test, article};

pub(crate) const TESTS: &[Test] =
    &[("copies_the_whole_text", copies_the_whole_text), ("in_the_lens_too", in_the_lens_too)];

#[track_caller]
fn assert_copies(page: &Page, button: &str, text: &str) {
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.call::<()>("(s) => document.querySelector(s).focus()", &[button]);
    page.click(button);
    page.wait_for("document.getElementById('notice').textContent", "Copied");
    page.wait_for("await navigator.clipboard.readText()", text);
    page.run("document.querySelector('#notice').textContent = ''");
}

/// All pages share one clipboard: one test for all of it.
fn copies_the_whole_text(driver: &Driver<'_>) {
    let page =
        driver.page(&Pressed::bytes(working(2)).unwrap()).with_clipboard().open("?targetId=turn1");
    assert_copies(&page, &format!("{} .copy-code", article("turn1")), "fn gauge() -> u32 { 1 }");
    let output = format!("{} .card-body > .copy-code", article("result1"));
    assert_copies(&page, &output, long_output("tide1 line").trim_end());
    assert_eq!(page.count(&output), 1, "one for all pieces of a text");
}

fn in_the_lens_too(driver: &Driver<'_>) {
    let page = driver.open(&Pressed::bytes(working(2)).unwrap());
    page.settle();
    page.press("v");
    page.wait("the lens", "document.querySelectorAll('#context-view .card').length === 2");
    page.wait(
        "its buttons",
        "document.querySelectorAll('#context-view .card-body > .copy-code').length === 2",
    );
    page.settle();
    assert_eq!(page.count("#context-view .card-body > .copy-code"), 2, "copies do not double them");
}
