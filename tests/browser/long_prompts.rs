//! Long prompts: collapsed to twelve lines, opened by a button, a hit or a link; whole on paper and without a script.

use serde_json::json;

use crate::query::search;
use crate::support::sessions::Lines;
use crate::support::{Exported, Page, article};

fn prompts() -> Exported {
    let list: String = (1..=103).fold(String::new(), |text, nth| text + &format!("{nth}. step\n"));
    let mut lines = Lines::new();
    lines
        .user("long", None, &format!("Do this:\n\n{list}\nThe needle is in the [hay](https://example.org)."))
        .assistant("answer", Some("long"), "Done, **all** of it.")
        .user("short", Some("answer"), "thanks")
        .entry(
            "own",
            Some("short"),
            json!({"type": "message", "message": {"role": "bashExecution", "command": "make tide", "output": "high\n"}}),
        );
    Exported::story(lines.bytes())
}

const BUTTON: &str = "#entry-long > .all-lines";

const IS_WHOLE: &str =
    "document.querySelector('#entry-long > .all-lines')?.textContent === 'Show less'";

fn body_height(page: &Page) -> f64 {
    page.get("document.querySelector('#entry-long > .body').getBoundingClientRect().height")
}

#[test]
fn a_long_prompt_shows_its_beginning() {
    let page = prompts().page().open("?targetId=long");
    page.wait("the button", &format!("document.querySelector('{BUTTON}') !== null"));
    assert_eq!(page.text(BUTTON), "Show 93 more lines");
    let height = body_height(&page);
    assert!((200.0..400.0).contains(&height), "{height}");
    assert_eq!(page.count(".all-lines"), 1, "a short prompt has none");
    page.click(BUTTON);
    assert_eq!(page.text(BUTTON), "Show less");
    assert!(body_height(&page) > 2000.0);
    page.click(BUTTON);
    assert_eq!(page.text(BUTTON), "Show 93 more lines");
    assert!((body_height(&page) - height).abs() < 1.0);
    let top: f64 = page.get("document.getElementById('entry-long').getBoundingClientRect().top");
    assert!((-50.0..400.0).contains(&top), "its beginning stands at {top}");
}

#[test]
fn a_hit_and_a_link_open_it() {
    let page = prompts().page().open("?targetId=long");
    page.wait("the button", &format!("document.querySelector('{BUTTON}') !== null"));
    search(&page, "needle");
    page.press("Enter");
    page.wait("the whole prompt", IS_WHOLE);
    let page = prompts().page().open("?targetId=long");
    page.wait("the button", &format!("document.querySelector('{BUTTON}') !== null"));
    // Until the reader scrolls, the page holds on to the entry that was linked to.
    page.wheel(1);
    page.run("document.querySelector('#entry-long .body a[href^=https]').focus()");
    page.wait("the whole prompt", IS_WHOLE);
    let top = "document.activeElement.getBoundingClientRect().top";
    page.wait("the link in view", &format!("{top} > 0 && {top} < innerHeight"));
}

#[test]
fn whole_on_paper_and_without_a_script() {
    let page = prompts().page().open("?targetId=long");
    page.wait("the button", &format!("document.querySelector('{BUTTON}') !== null"));
    page.protocol("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert!(body_height(&page) > 2000.0);
    let mask = "getComputedStyle(document.querySelector('#entry-long > .body')).maskImage";
    assert_eq!(page.get::<String>(mask), "none");
    assert!(!page.get::<bool>(&format!("document.querySelector('{BUTTON}').checkVisibility()")));
    let page = prompts().page().without_script().open("");
    let whole = page.protocol(
        "Runtime.evaluate",
        json!({"expression": "document.querySelector('#entry-long > .body').getBoundingClientRect().height", "returnByValue": true}),
    );
    assert!(whole["result"]["value"].as_f64().unwrap() > 2000.0, "{whole}");
}

#[test]
fn prompts_responses_and_commands_are_copied() {
    let page = prompts().page().with_clipboard().open("?targetId=answer");
    for (button, text) in [
        (format!("{} > .entry-head > .copy-text", article("answer")), "Done, all of it."),
        (format!("{} > .entry-head > .copy-text", article("short")), "thanks"),
        (format!("{} > .entry-head > .copy-text", article("own")), "make tide"),
    ] {
        page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
        let is_open = "document.querySelector('#entry-own details').open";
        let before: bool = page.get(is_open);
        page.call::<()>("(s) => document.querySelector(s).focus()", &[&button]);
        page.click(&button);
        page.wait_for("await navigator.clipboard.readText()", text);
        assert_eq!(page.get::<bool>(is_open), before);
    }
}

/// A press, a move and a release within the head of a card, as who selects text does.
#[test]
fn a_drag_opens_no_card() {
    let page = prompts().page().open("?targetId=own");
    page.settle();
    let [left, right, y]: [f64; 3] = page.get(
        "(() => { const { left, right, top, bottom } = document.querySelector('#entry-own summary code').getBoundingClientRect(); return [left, right, (top + bottom) / 2]; })()",
    );
    let is_open = "document.querySelector('#entry-own details').open";
    let before: bool = page.get(is_open);
    for (kind, x) in
        [("mousePressed", left + 1.0), ("mouseMoved", right - 2.0), ("mouseReleased", right - 2.0)]
    {
        let event =
            json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
        page.protocol("Input.dispatchMouseEvent", event);
    }
    page.settle();
    assert_ne!(page.get::<String>("getSelection().toString()"), "");
    assert_eq!(page.get::<bool>(is_open), before);
    page.click("#entry-own summary .tool");
    page.wait_for(is_open, !before);
}
