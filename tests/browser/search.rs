//! Typing a search counts the hits and reduces the tree to them.

use leafpress::Filter;

use crate::support::{Exported, Page};

fn search(page: &Page, query: &str) {
    page.click("#search");
    page.type_text(query);
    page.wait(
        "the search to end",
        "/^\\d/.test(document.getElementById('search-status').textContent)",
    );
}

#[test]
fn tree_shows_the_hits() {
    let tree = Exported::tree();
    let page = tree.open();
    search(&page, "Left");
    let hits = tree.row_ids(&tree.leaf(), Filter::Default, "Left");
    assert_eq!(hits, ["t0000003", "t0000004", "t0000005", "t0000007"]);
    assert_eq!(page.drawn_rows(), hits);
    assert_eq!(page.text("#search-status"), "4 hits");
    assert_eq!(page.text("#status"), "4 of 25 entries");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "a search changes no branch");
}

/// A hit in a file is named by the file, and the first one of a prompt has that above it.
#[test]
fn hits_name_their_files_and_their_prompts() {
    let page = Exported::long().open();
    search(&page, "harbour");
    let rows: Vec<[String; 4]> = page.get(
        "Array.from(document.querySelectorAll('#tree .row'), (row) => {
            const text = row.querySelector('.text').cloneNode(true);
            const unsaid = Array.from(text.querySelectorAll('.unsaid'), (part) => { part.remove(); return part.textContent; });
            return [unsaid.join(''), text.textContent, row.querySelector('.of-prompt')?.textContent.split(' ')[0] ?? '', row.querySelector('.of-hits')?.textContent ?? ''];
        })",
    );
    for row in [["edit: src/", "harbour.rs", "", "4"], ["edit: web/", "preview.ts", "4", "5"]] {
        assert!(rows.iter().any(|shown| *shown == row), "{row:?}: {rows:?}");
    }
    let numbers: Vec<&str> = rows.iter().map(|[_, _, number, _]| number.as_str()).collect();
    assert!(
        !numbers.contains(&"0") && !numbers.contains(&"1"),
        "a prompt has its own: {numbers:?}"
    );
    let place: bool = page.get(
        "(() => {
            const heading = document.querySelector('.of-prompt');
            const row = heading.parentElement;
            const [above, own] = [row.previousElementSibling, row].map((element) => element.getBoundingClientRect());
            const text = row.querySelector('.text').getBoundingClientRect();
            const { top, bottom } = heading.getBoundingClientRect();
            return /^\\d+ \\w/.test(heading.textContent) && own.top >= above.bottom - 1 && bottom - top > 20 && text.top >= bottom - 3;
        })()",
    );
    assert!(place, "the prompt stands between the rows of both");
}

#[test]
fn the_count_stands_in_the_field() {
    for phone in [false, true] {
        let tree = Exported::tree();
        let page = if phone { tree.page().narrow().open("") } else { tree.open() };
        if phone {
            page.click("#find");
        }
        search(&page, "Left");
        let boxes = "['#search-status > span', '#prev-hit', '#next-hit', '#search-help'].map((part) => document.querySelector(part).getBoundingClientRect())";
        let place: bool = page.get(&format!(
            "(() => {{ const field = document.getElementById('search').getBoundingClientRect(); const boxes = {boxes}; return boxes.every((box, nth) => box.top >= field.top && box.bottom <= field.bottom && box.right <= field.right && box.width > 0 && (nth === 0 || box.left >= boxes[nth - 1].right - 1)); }})()"
        ));
        assert!(place, "{}", page.get::<String>(&format!("JSON.stringify({boxes})")));
    }
}

#[test]
fn all_words_must_occur() {
    let tree = Exported::long();
    let page = tree.open();
    search(&page, "  offset\tASSISTANT ");
    let hits = tree.row_ids(&tree.leaf(), Filter::Default, "offset assistant");
    assert!(hits.len() > 2, "{hits:?}");
    assert_eq!(page.drawn_rows(), hits);
}

#[test]
fn enter_walks_the_hits() {
    let tree = Exported::tree();
    let page = tree.open();
    search(&page, "left leaf");
    page.press("Enter");
    assert_eq!(
        page.attribute("#tree [aria-selected=true]", "data-entry-id").as_deref(),
        Some("t0000005")
    );
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
    page.press_shift("Enter");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(
        page.get::<String>("document.activeElement.id"),
        "search",
        "the field keeps the focus"
    );
}

#[test]
fn cleared_by_escape() {
    let tree = Exported::tree();
    let page = tree.open();
    search(&page, "left");
    page.press("Escape");
    page.wait_for("document.getElementById('search').value", "");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, ""));
    assert_eq!(page.text("#search-status"), "");
    assert_eq!(page.text("#status"), "21 of 25 entries");
}

#[test]
fn slash_goes_to_the_field() {
    let page = Exported::tree().open();
    page.press("/");
    page.type_text("a/b");
    assert_eq!(page.get::<String>("document.activeElement.value"), "a/b");
}

#[test]
fn nothing_found() {
    let page = Exported::tree().open();
    search(&page, "zeppelin");
    assert_eq!(page.text("#search-status"), "0 hits");
    assert_eq!(page.drawn_rows(), [""; 0]);
    assert_eq!(page.text("#status"), "0 of 25 entries");
}
