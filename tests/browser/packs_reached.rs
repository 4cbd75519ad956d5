//! Entries in packs are reached by links, history, search, print and the context view.

use super::packs::{LEN, in_view, packed, scroll_to_part, slow_packs, wait_until_filled};
use super::printing::{press_print, print};
use super::query::search;
use crate::support::sessions::{FORK, Lines, PICTURED, PIXEL};
use crate::support::{Exported, Page, article};

/// Waits until an entry is in view with its text, and stays there.
#[track_caller]
fn assert_arrives(page: &Page, key: &str) {
    let id = format!("document.getElementById('entry-{key}')");
    page.wait("its text", &format!("{id}?.hasAttribute('aria-busy') === false"));
    page.wait_until_in_view(key);
    page.settle();
    wait_until_filled(page);
    assert!(page.is_in_view(key), "{key}, not {:?}", in_view(page));
    assert_eq!(
        page.get::<Vec<String>>(
            "Array.from(document.querySelectorAll('.target'), (article) => article.id)"
        ),
        [format!("entry-{key}")]
    );
}

/// From here on the page notes which entries flash.
fn note_flashes(page: &Page) {
    page.run("window.__flashed = []; document.addEventListener('animationstart', ({ target }) => { if (target.matches('.flash')) window.__flashed.push(target.id); })");
}

#[test]
fn by_an_address() {
    let page = packed().page().open("?targetId=e2000");
    assert_arrives(&page, "e2000");
    page.load_anew("#entry-x150");
    assert_arrives(&page, "x150");
    note_flashes(&page);
    page.run("leafpress.go({ targetId: 'e1600' })");
    assert_arrives(&page, "e1600");
    page.wait_for("window.__flashed", ["entry-e1600"]);
}

#[test]
fn by_a_link_in_the_text() {
    let [first, again] = PICTURED.map(|n| format!("e{n}"));
    let page = packed().page().open(&format!("?targetId={again}"));
    assert_arrives(&page, &again);
    page.click(&format!("{} figcaption a[href^='#entry-']", article(&again)));
    assert_arrives(&page, &first);
    assert_eq!(page.get::<String>("document.activeElement.id"), format!("entry-{first}"));
}

#[test]
fn by_a_link_to_another_branch() {
    let page = packed().page().open(&format!("?targetId=e{}", FORK + 1));
    assert_arrives(&page, &format!("e{}", FORK + 1));
    page.click(&format!("{} nav.fork a", article(&format!("e{}", FORK + 1))));
    assert_arrives(&page, "x0");
    assert!(page.get::<bool>("document.activeElement.closest('article')?.id === 'entry-x0'"));
    scroll_to_part(&page, 1.0);
    page.settle();
    wait_until_filled(&page);
    assert_eq!(in_view(&page).last().map(String::as_str), Some("x199"));
    page.back();
    assert_arrives(&page, &format!("e{}", FORK + 1));
}

#[test]
fn by_back_and_forward() {
    let page = packed().page().open("");
    let places = ["e2200", "e400", "x20", "e1700"];
    for key in places {
        page.run(&format!("leafpress.go({{ targetId: '{key}' }})"));
        assert_arrives(&page, key);
    }
    for key in ["x20", "e400", "e2200"] {
        page.back();
        assert_arrives(&page, key);
    }
    for key in &places[1..] {
        page.run("history.forward()");
        assert_arrives(&page, key);
    }
    page.reload();
    assert_arrives(&page, places[3]);
}

/// The keys of the entries in which a highlight has marks.
fn marked(page: &Page, highlight: &str) -> Vec<String> {
    page.settle();
    page.call("(name) => Array.from(CSS.highlights.get(name) ?? [], (range) => range.startContainer.parentElement.closest('article').id.slice('entry-'.length))", &[highlight])
}

#[test]
fn by_search() {
    let page = packed().open();
    search(&page, "lamp2100lamp");
    assert_eq!(page.text("#search-status"), "1 hit");
    page.press("Enter");
    assert_arrives(&page, "e2100");
    assert_eq!(marked(&page, "leafpress-hit"), ["e2100"]);
    assert_eq!(marked(&page, "leafpress-hit-now"), ["e2100"]);
    // Its pack is opened before the search comes to it.
    page.load_anew("?q=lamp2300lamp&targetId=e2300");
    assert_arrives(&page, "e2300");
    page.wait_for("document.getElementById('search-status').textContent", "1 hit");
    assert_eq!(marked(&page, "leafpress-hit"), ["e2300"]);
}

#[test]
fn hits_are_those_of_the_library() {
    let pressed = packed();
    let page = pressed.open();
    // Rows hold the beginning of the text only, which ends with "ashore".
    let queries = [
        "lamp21",
        "buoy19",
        "\"is lit\"",
        "role:user lamp24",
        "-wick",
        "lamp2001lamp",
        "ashore lamp7",
        "-ashore",
    ];
    for query in queries {
        let hits: Vec<String> = page.call("(query) => leafpress.search(query)", &[query]);
        assert_eq!(hits, pressed.hit_keys(query), "{query}");
    }
}

/// Packs that are opened again: their texts together are more than is kept. The word is far below the entry's beginning.
#[test]
fn by_a_walk_through_more_than_is_kept() {
    let mut lines = Lines::new();
    let text = "The keeper trims the wick and writes the hour into the book.\n\n".repeat(1000);
    let keys: Vec<String> = (0..200).map(|n| format!("e{n}")).collect();
    for (n, key) in keys.iter().enumerate() {
        let above = n.checked_sub(1).map(|above| keys[above].as_str());
        lines.user(key, above, &format!("lamp{n}lamp {text} pharos {text}"));
    }
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    search(&page, "pharos");
    assert_eq!(page.text("#search-status"), "200 hits");
    slow_packs(&page);
    page.run("leafpress.go({ targetId: 'e90' })");
    let key = &keys[91];
    page.press("Enter");
    assert_eq!(page.count(&format!("#entry-{key}[aria-busy]")), 1, "it was closed");
    page.wait(
        "its text",
        &format!("document.getElementById('entry-{key}')?.hasAttribute('aria-busy') === false"),
    );
    page.settle();
    page.settle();
    assert_eq!(marked(&page, "leafpress-hit-now"), [key.as_str()]);
    assert!(page.get::<bool>("(() => { const { top, bottom } = [...CSS.highlights.get('leafpress-hit-now')][0].getBoundingClientRect(); return top > 40 && bottom < innerHeight; })()"), "{key}: the word is in view");
}

#[test]
fn by_print() {
    let page = packed().open();
    scroll_to_part(&page, 0.5);
    page.settle();
    wait_until_filled(&page);
    press_print(&page);
    assert_eq!(page.count("#transcript > article"), LEN);
    assert_eq!(page.count("#transcript > [aria-busy]"), 0);
    page.run("addEventListener('afterprint', () => { window.__after = document.querySelectorAll('#transcript > article').length; })");
    let paper = print(&page);
    for n in (0..LEN).step_by(7) {
        assert!(paper.contains(&format!("lamp{n}lamp")), "e{n}");
    }
    assert!(!paper.contains("leavesout"));
    page.wait("the document to be small again", "window.__after < 200");
    wait_until_filled(&page);
}

#[test]
fn by_the_context_view() {
    let page = packed().page().open("?view=context");
    let last = "document.querySelector('#context-view > article:last-of-type')";
    page.wait(
        "the list",
        &format!("document.querySelectorAll('#context-view > article').length === {LEN}"),
    );
    let word = LEN - 1;
    page.run(&format!("{last}.scrollIntoView()"));
    page.wait("its body", &format!("{last}.textContent.includes('lamp{word}lamp')"));
    page.wait(
        "all bodies",
        &format!("document.querySelectorAll('#context-view > article > .body').length === {LEN}"),
    );
    let wrong: Vec<usize> = page.get("Array.from(document.querySelectorAll('#context-view > article'), (article, n) => article.textContent.includes(`lamp${n}lamp`) ? -1 : n).filter((n) => n >= 0)");
    assert_eq!(wrong, [0; 0]);
    page.click(&format!("#context-view > article:nth-of-type({}) .to-path", 1900));
    assert_arrives(&page, "e1899");
}

#[test]
fn a_picture_that_another_pack_has() {
    let again = format!("e{}", PICTURED[1]);
    let page = packed().page().open(&format!("?targetId={again}"));
    let picture = format!("document.querySelector('#entry-{again} img[data-picture]')");
    page.wait("the picture", &format!("{picture}?.naturalWidth === 1"));
    assert!(page.get::<String>(&format!("{picture}.src")).ends_with(PIXEL));
    page.click(&format!("#entry-{again} img"));
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "lightbox");
}

/// Each entry has its time in the reader's zone, also those that come without their text and were replaced by a summary.
#[test]
fn with_times_in_words() {
    let mut file = String::from_utf8(crate::support::sessions::packed(LEN)).unwrap();
    let (last, kept) = (LEN - 1, LEN - 9);
    let cut = format!(
        r#"{{"type":"compaction","id":"cut","parentId":"e{last}","timestamp":"2026-01-03T03:00:00.000Z","summary":"So far.","firstKeptEntryId":"e{kept}","tokensBefore":170000}}"#
    );
    file += &cut;
    let page = Exported::story(file.into_bytes()).open();
    slow_packs(&page);
    for part in [0.0, 0.5, 0.8] {
        scroll_to_part(&page, part);
        page.settle();
        page.wait("the entries", "document.querySelector('#transcript > [aria-busy]') === null");
        let plain: Vec<String> = page.get("Array.from(document.querySelectorAll('#transcript time'), (time) => time.textContent).filter((text) => /^\\d{4}-/.test(text))");
        assert_eq!(plain, [""; 0]);
        let edges = "Array.from(document.querySelectorAll('#transcript > [data-context=summarised]')).every((article) => article.querySelector(':scope > .edge') !== null)";
        assert!(page.get::<bool>(edges), "the mark of what is no longer in the context");
    }
}
