//! Letters typed in the tree lead to the next row that begins with them.

use super::folds::{active, focus_tree};
use crate::support::{Exported, Page};

fn opened() -> Page {
    let page = Exported::tree().open();
    focus_tree(&page);
    assert_eq!(active(&page), "t0000025");
    page
}

fn type_keys(page: &Page, keys: &str) {
    for key in keys.chars() {
        page.press(&key.to_string());
    }
}

fn pause(page: &Page) {
    let from: f64 = page.get("performance.now()");
    page.wait("a pause", &format!("performance.now() > {}", from + 800.0));
}

#[test]
fn a_word_finds_its_row() {
    let page = opened();
    type_keys(&page, "ri");
    assert_eq!(active(&page), "t0000012", "user: right one");
    type_keys(&page, "ght leaf y");
    assert_eq!(active(&page), "t0000017", "a blank is a letter within a word");
    assert_eq!(page.shown_articles().len(), 8, "moving chooses nothing");
    pause(&page);
    type_keys(&page, "alp");
    assert_eq!(active(&page), "t0000001", "from the end on to the beginning");
    type_keys(&page, "zzz");
    assert_eq!(active(&page), "t0000001", "nothing begins so");
}

#[test]
fn one_letter_walks() {
    let page = opened();
    let mut seen = Vec::new();
    for _ in 0..5 {
        page.press("l");
        seen.push(active(&page));
    }
    assert_eq!(seen, ["t0000003", "t0000004", "t0000005", "t0000007", "t0000003"]);
}

#[test]
fn labels_and_speakers_count() {
    let page = opened();
    type_keys(&page, "bash");
    assert_eq!(active(&page), "t0000014", "[bash: true]");
    pause(&page);
    type_keys(&page, "USER: BETA F");
    assert_eq!(active(&page), "t0000021", "as the row is written, whatever the case");
    pause(&page);
    type_keys(&page, "mid");
    assert_eq!(active(&page), "t0000009", "a label");
}

#[test]
fn a_pause_begins_anew() {
    let page = opened();
    type_keys(&page, "b");
    assert_eq!(active(&page), "t0000014", "bash");
    pause(&page);
    type_keys(&page, "y");
    assert_eq!(active(&page), "t0000018", "Y reply, not what begins with by");
}

#[test]
fn folded_rows_are_left_out() {
    let page = opened();
    page.run("leafpress.fold('t0000003', true)");
    page.press("End");
    let mut seen = Vec::new();
    for _ in 0..2 {
        page.press("l");
        seen.push(active(&page));
    }
    assert_eq!(seen, ["t0000003", "t0000003"]);
}

#[test]
fn keys_of_the_page_stay() {
    let page = opened();
    page.press("?");
    assert!(page.get::<bool>("document.getElementById('overlay').open"));
    page.press("Escape");
    page.wait("the list to close", "!document.getElementById('overlay').open");
    focus_tree(&page);
    page.press("/");
    assert_eq!(page.get::<String>("document.activeElement.id"), "search");
}

/// `n`, `e`, `t`, `f`, `b`, `c` and `v` are single keys of the page.
#[test]
fn letters_do_not_move_the_text() {
    let page = Exported::long().open();
    focus_tree(&page);
    let before: (f64, String) = page.get("[scrollY, location.href]");
    for key in ["e", "t", "c", "f", "n", "b", "v", "l", "j", "k", "g", "g", "G"] {
        page.press(key);
    }
    page.settle();
    assert_eq!(page.get::<(f64, String)>("[scrollY, location.href]"), before);
    assert_eq!(page.count("dialog[open]"), 0);
    assert_eq!(page.text("[data-view][aria-pressed=true]"), "Conversation");
}
