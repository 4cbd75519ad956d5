//! The list of keys behind `?`.

use crate::support::{Exported, Page};

const FOCUS_IS_INSIDE: &str = "document.getElementById('overlay').contains(document.activeElement)";

fn assert_open(page: &Page) {
    assert_eq!(page.count("#overlay[open]"), 1);
    assert!(page.get::<bool>(FOCUS_IS_INSIDE));
}

#[test]
fn opens_and_lists_the_keys() {
    let page = Exported::tree().open();
    assert_eq!(page.count("#overlay[open]"), 0);
    page.press_shift("?");
    assert_open(&page);
    let keys: Vec<String> =
        page.get("Array.from(document.querySelectorAll('#overlay kbd'), (key) => key.textContent)");
    for key in [
        "j", "k", "e", "E", "m", "M", "c", "C", "f", "F", "n", "N", "b", "g g", "G", "/", "v", "l",
        "?", "Esc", "Enter", "↑", "→",
    ] {
        assert!(keys.iter().any(|listed| listed == key), "{key} in {keys:?}");
    }
    assert_eq!(page.count("#overlay dt"), page.count("#overlay dd"));
    assert!(!page.get::<bool>("Array.from(document.querySelectorAll('#overlay dd')).some((meaning) => meaning.textContent === '')"));
    assert_eq!(
        page.get::<String>("document.getElementById('overlay').getAttribute('aria-label')"),
        "Keys"
    );
    assert!(page.get::<bool>("document.getElementById('overlay').matches(':modal')"));
}

#[test]
fn closes_and_gives_the_focus_back() {
    let page = Exported::tree().open();
    page.run("document.getElementById('theme-toggle').focus()");
    for close in ["Escape", "button", "backdrop"] {
        page.press_shift("?");
        assert_open(&page);
        match close {
            "Escape" => page.press("Escape"),
            "button" => page.click("#overlay .dialog-close"),
            _ => page.click_at([10.0, 450.0]),
        }
        page.wait_for("document.getElementById('overlay').open", false);
        assert_eq!(page.get::<String>("document.activeElement.id"), "theme-toggle", "{close}");
    }
}

#[test]
fn opened_from_the_menu() {
    let page = Exported::tree().open();
    page.click("#more");
    page.run("Array.from(document.querySelectorAll('#menu .menu-item')).find((item) => item.textContent.startsWith('Keys')).dataset.asked = ''");
    page.click("#menu [data-asked]");
    assert_open(&page);
    assert_eq!(page.count("dialog[open]"), 1);
    page.press("Escape");
    page.wait_for("document.activeElement.id", "more");
}

#[test]
fn opened_from_the_tree() {
    let page = Exported::tree().open();
    page.run("document.getElementById('tree').focus()");
    page.press_shift("?");
    assert_open(&page);
    page.press("Escape");
    page.wait_for("document.activeElement.id", "tree");
}

#[test]
fn keys_rest_while_it_is_open() {
    let long = Exported::long();
    let page = long.open();
    page.press_shift("?");
    let before: f64 = page.get("scrollY");
    for key in ["j", "v", "l", "/", "c"] {
        page.press(key);
    }
    page.settle();
    assert_open(&page);
    assert!((page.get::<f64>("scrollY") - before).abs() < 1.0);
    assert_eq!(page.count("#context-view[hidden]"), 1);
    assert_eq!(page.count("dialog[open]"), 1);
}

#[test]
fn on_a_phone() {
    let page = Exported::tree().page().narrow().open("");
    page.press_shift("?");
    assert_open(&page);
    page.settle();
    assert!(page.get::<bool>("(() => { const box = document.getElementById('overlay').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight + 1; })()"));
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    page.click("#overlay .dialog-close");
    assert_eq!(page.count("#overlay[open]"), 0);
}
