//! Another branch is shown by a click, left by the browser's own "back", and compared with the current one.

use leafpress::Filter;

use crate::support::{Browser, Exported, Page};

in_each_engine!(branch_and_back, compare);

const LEAF: &str = "document.querySelector('#tree .leaf')?.dataset.entryId ?? null";

fn branch_and_back(browser: &Browser) {
    let tree = Exported::tree();
    let page = browser.open(&tree, "");
    page.click("#tree [data-entry-id=t0000004]");
    page.wait_for(LEAF, "t0000008");
    assert_eq!(page.shown_articles(), tree.path("t0000008"), "the newest leaf below the row");
    assert_eq!(page.drawn_rows(), tree.row_ids("t0000008", Filter::Default, ""));
    page.wait_for("location.search", "?leafId=t0000008&targetId=t0000004");
    page.click("#tree [data-entry-id=t0000021]");
    page.wait_for(LEAF, "t0000021");
    page.back();
    page.wait_for(LEAF, "t0000008");
    page.wait_for("location.search", "?leafId=t0000008&targetId=t0000004");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
    page.back();
    page.wait_for(LEAF, tree.leaf());
    page.wait_for("location.search", "");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    page.forward();
    page.wait_for(LEAF, "t0000008");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
}

/// Leaves of `examples/lighthouse.jsonl`, and the last entry that they share.
const SHIPPED: &str = "240cd75b";
const PADDING: &str = "c529cb7f";
const PARTED: &str = "048001e4";

fn side(page: &Page, nth: usize) -> Vec<String> {
    page.get(&format!("Array.from(document.querySelectorAll('#compare-view .side')[{nth}]?.querySelectorAll('article') ?? [], (article) => article.dataset.entry)"))
}

fn since_the_fork(exported: &Exported, leaf: &str) -> Vec<String> {
    let path = exported.path(leaf);
    let fork = path.iter().position(|key| key == PARTED).expect("both have it");
    path[fork + 1..].to_vec()
}

fn compare(browser: &Browser) {
    let long = Exported::long();
    let page = browser.open(&long, &format!("?leafId={SHIPPED}"));
    page.press("d");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "leaves");
    assert_eq!(page.text("#leaves-status"), "3 branches");
    page.press("ArrowDown");
    page.press("Enter");
    let is_hidden = "document.getElementById('compare-view').hidden";
    page.wait_for(is_hidden, false);
    page.wait_for("location.search", format!("?leafId={SHIPPED}&compare={PADDING}"));
    assert_eq!(side(&page, 0), since_the_fork(&long, SHIPPED));
    assert_eq!(side(&page, 1), since_the_fork(&long, PADDING));
    assert!(page.shown_articles().is_empty(), "the branch is put away");
    assert_eq!(
        page.count("#compare-view article:not(:has(> .body))"),
        0,
        "articles without content"
    );
    let apart: bool = page.get(
        "(() => { const [left, right] = Array.from(document.querySelectorAll('#compare-view .side'), (side) => side.getBoundingClientRect()); return left.width > 300 && right.width > 300 && left.right <= right.left; })()",
    );
    assert!(apart, "the branches are side by side");
    page.press("Escape");
    page.wait_for(is_hidden, true);
    assert_eq!(page.shown_articles(), long.path(SHIPPED));
}
