//! Filters and search reduce the tree, also to entries that are still compressed.

use leafpress::Filter;

use crate::support::{Browser, Exported, sessions};

in_each_engine!(filter, search_in_a_shut_pack);

fn filter(browser: &Browser) {
    let tree = Exported::tree();
    let page = browser.open(&tree, "");
    for filter in Filter::ALL.iter().copied().rev() {
        let button = format!("button[data-filter={}]", filter.name());
        page.click(&button);
        page.wait_for(
            &format!("document.querySelector('{button}').getAttribute('aria-pressed')"),
            "true",
        );
        let rows = tree.row_ids(&tree.leaf(), filter, "");
        page.wait_for(
            "document.getElementById('status').textContent",
            format!("{} of 25 entries", rows.len()),
        );
        assert_eq!(page.drawn_rows(), rows, "{}", filter.name());
        assert_eq!(page.count("#filters [aria-pressed=true]"), 1);
    }
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "a filter changes no branch");
}

fn search_in_a_shut_pack(browser: &Browser) {
    let packed = Exported::bytes(sessions::packed(2500)).expect("a session");
    let page = browser.open(&packed, "");
    assert!(page.count("script[id^=pack-]") > 10, "the session has several packs");
    let text =
        "document.getElementById('entry-e1500')?.textContent.includes('lamp1500lamp') === true";
    assert!(!page.get::<bool>(text), "its text is in a shut pack");
    page.click("#search");
    page.type_text("lamp1500lamp");
    page.wait_for("document.getElementById('search-status').textContent", "1 hit");
    assert_eq!(page.drawn_rows(), packed.row_ids(&packed.leaf(), Filter::Default, "lamp1500lamp"));
    page.press("Enter");
    page.wait("the text of the hit", text);
    page.wait_until_in_view("e1500");
    assert_eq!(page.selected_row().as_deref(), Some("e1500"));
    let marked: bool = page.get(
        "(CSS.highlights?.size ?? 0) > 0 || document.querySelector('#transcript mark') !== null",
    );
    assert!(marked, "the words are marked");
    page.press("Escape");
    page.wait_for("document.getElementById('search').value", "");
}
