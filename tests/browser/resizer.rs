//! The edge between tree and text: by pointer, by key, remembered.

use serde_json::json;

use crate::support::{Exported, Page};

fn width(page: &Page) -> f64 {
    page.get("document.getElementById('sidebar').getBoundingClientRect().width")
}

/// What assistive technology announces, and where the text begins.
#[track_caller]
fn assert_width(page: &Page, wanted: f64) {
    page.wait_for("document.getElementById('sidebar').getBoundingClientRect().width", wanted);
    let now = page.attribute("#resizer", "aria-valuenow");
    assert_eq!(now.and_then(|now| now.parse::<f64>().ok()), Some(wanted));
    page.wait(
        "the text to begin beside the tree",
        &format!("document.querySelector('main').getBoundingClientRect().left >= {wanted}"),
    );
}

fn center(page: &Page) -> [f64; 2] {
    page.get("(() => { const { left, width, top, height } = document.getElementById('resizer').getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()")
}

fn mouse(page: &Page, kind: &str, [x, y]: [f64; 2], clicks: u32) {
    let buttons = u32::from(kind != "mouseReleased");
    let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": clicks});
    page.protocol("Input.dispatchMouseEvent", event);
}

fn drag(page: &Page, by: f64) {
    let [x, y] = center(page);
    mouse(page, "mousePressed", [x, y], 1);
    for step in 1..=4 {
        mouse(page, "mouseMoved", [x + by * f64::from(step) / 4.0, y], 0);
    }
    mouse(page, "mouseReleased", [x + by, y], 1);
}

#[test]
fn dragged() {
    let page = Exported::tree().open();
    let before = width(&page);
    drag(&page, 120.0);
    assert_width(&page, before + 120.0);
    drag(&page, -60.0);
    assert_width(&page, before + 60.0);
    assert_eq!(page.link(), "");
    page.reload();
    assert_width(&page, before + 60.0);
}

#[test]
fn by_keys() {
    let page = Exported::tree().open();
    let before = width(&page);
    page.run("document.getElementById('resizer').focus()");
    page.press("ArrowRight");
    page.press("ArrowRight");
    assert_width(&page, before + 32.0);
    page.press("ArrowLeft");
    assert_width(&page, before + 16.0);
    page.press("Home");
    assert_width(&page, 240.0);
    page.press("End");
    assert_width(&page, 840.0);
    page.reload();
    assert_width(&page, 840.0);
    assert_eq!(page.attribute("#resizer", "aria-valuemin").as_deref(), Some("240"));
    assert_eq!(page.attribute("#resizer", "aria-valuemax").as_deref(), Some("840"));
}

#[test]
fn within_limits() {
    let page = Exported::tree().open();
    drag(&page, 5000.0);
    assert_width(&page, 840.0);
    drag(&page, -5000.0);
    assert_width(&page, 240.0);
}

/// What one reader sets, a second page of theirs has from its first paint on.
#[test]
fn remembered_per_reader() {
    let page = Exported::tree().open();
    page.run("document.getElementById('resizer').focus()");
    page.press("End");
    page.press("ArrowLeft");
    assert_width(&page, 824.0);
    let another = page.beside(&Exported::file("examples/garden.jsonl")).open("");
    assert_width(&another, 824.0);
}

#[test]
fn a_double_click_resets() {
    let page = Exported::tree().open();
    let before = width(&page);
    drag(&page, 100.0);
    assert_width(&page, before + 100.0);
    let at = center(&page);
    for clicks in [1, 2] {
        mouse(&page, "mousePressed", at, clicks);
        mouse(&page, "mouseReleased", at, clicks);
    }
    assert_width(&page, before);
    page.reload();
    assert_width(&page, before);
}

#[test]
fn none_where_the_tree_is_a_drawer() {
    let page = Exported::tree().page().narrow().open("");
    assert_eq!(page.get::<usize>("document.getElementById('resizer').getClientRects().length"), 0);
}
