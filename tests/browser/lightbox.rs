//! A picture is enlarged by click or key and closed with Escape; the same picture again is stored once.

use serde_json::json;

use crate::support::sessions::{Lines, PIXEL};
use crate::support::{Exported, Page};

fn pressed() -> Exported {
    let mut lines = Lines::new();
    let content = json!([{"type": "text", "text": "See:"}, {"type": "image", "data": PIXEL, "mimeType": "image/png"}]);
    for (id, parent) in [("one", None), ("two", Some("one"))] {
        let message = json!({"role": "user", "content": content});
        lines.entry(id, parent, json!({"type": "message", "message": message}));
    }
    Exported::bytes(lines.bytes()).unwrap()
}

const PICTURE: &str = "#entry-one .body img";

#[track_caller]
fn assert_enlarged(page: &Page) {
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "lightbox");
    assert_eq!(page.attribute("#lightbox", "aria-label"), page.attribute(PICTURE, "alt"));
    assert_eq!(page.attribute("#lightbox img", "src"), page.attribute(PICTURE, "src"));
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
}

#[test]
fn click_enlarges_and_escape_closes() {
    let page = pressed().open();
    page.wait("the button", &format!("document.querySelector('{PICTURE}[role=button]') !== null"));
    page.click(PICTURE);
    assert_enlarged(&page);
}

#[test]
fn a_small_picture_is_drawn_larger() {
    let page = pressed().open();
    page.wait("the button", &format!("document.querySelector('{PICTURE}[role=button]') !== null"));
    page.click(PICTURE);
    page.wait("a larger picture", "document.querySelector('#lightbox img').clientWidth > 300");
    assert!(
        page.get::<bool>(
            "(() => { const { width, height } = document.querySelector('#lightbox img').getBoundingClientRect(); return Math.abs(width - height) < 2 && height < innerHeight; })()"
        ),
        "a square stays one, in the window"
    );
}

#[test]
fn a_prompt_of_pictures_has_a_title() {
    let mut lines = Lines::new();
    let picture = json!({"type": "image", "data": PIXEL, "mimeType": "image/png"});
    for (id, parent, count) in [("one", None, 1), ("two", Some("one"), 2)] {
        let message = json!({"role": "user", "content": vec![&picture; count]});
        lines.entry(id, parent, json!({"type": "message", "message": message}));
    }
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    let row = |key: &str| page.text(&format!("{} .text", crate::support::row(key)));
    assert!(row("one").ends_with("[image]"), "{}", row("one"));
    assert!(row("two").ends_with("[2 images]"), "{}", row("two"));
    page.press("j");
    page.press("j");
    page.wait(
        "the bar",
        "/\\[(2 images|image)\\]$/.test(document.getElementById('here').textContent)",
    );
}

#[test]
fn keys_enlarge() {
    let page = pressed().open();
    page.wait("the button", &format!("document.querySelector('{PICTURE}[role=button]') !== null"));
    for key in ["Enter", " "] {
        page.run(&format!("document.querySelector('{PICTURE}').focus()"));
        page.press(key);
        assert_enlarged(&page);
        assert!(
            page.get::<bool>(&format!(
                "document.activeElement === document.querySelector('{PICTURE}')"
            )),
            "the focus comes back"
        );
    }
}

#[test]
fn a_repeated_picture_is_shown() {
    let page = pressed().open();
    let loaded = "(list) => Array.from(document.querySelectorAll(`${list} img`), (image) => image.naturalWidth)";
    page.wait_for(&format!("({loaded})('#transcript')"), [1, 1]);
    assert_eq!(
        page.count("#transcript .repeat img[data-picture]"),
        1,
        "the second has no bytes of its own"
    );
    page.press("v");
    page.wait_for(&format!("({loaded})('#context-view')"), [1, 1]);
}
