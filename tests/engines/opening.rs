//! A page opens by itself: its script takes over, and shows what the library says.

use leafpress::Filter;

use crate::support::{Browser, Exported, is_part_of};

in_each_engine!(icons, open);

fn open(browser: &Browser) {
    let tree = Exported::tree();
    let page = browser.open(&tree, "");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, ""));
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.text("#status"), "21 of 25 entries");
    assert_eq!(page.count("#asked"), 0, "the list for readers without a script is gone");
    let is_too_wide: bool = page.get("document.documentElement.scrollWidth > innerWidth");
    assert!(!is_too_wide);
    drop(page);
    let long = Exported::long();
    let page = browser.open(&long, "");
    let drawn = page.drawn_rows();
    let rows = long.row_ids(&long.leaf(), Filter::Default, "");
    assert!(is_part_of(&drawn, &rows), "{drawn:?}");
    assert!(drawn.len() < rows.len() && drawn.len() > 10, "{}", drawn.len());
}

/// An icon is a part of a larger image. Of the one before a compaction, which is the same above and below, the middle
/// is drawn in the middle.
fn icons(browser: &Browser) {
    let page = browser.open(&Exported::long(), "?detail=story");
    let [left, top]: [usize; 2] = page.get(
        "(() => {
            const row = Array.from(document.querySelectorAll('#tree .row')).find((row) => row.textContent.includes('Compaction'));
            const text = row.querySelector('.text[data-icon]');
            const { width, height } = getComputedStyle(text, '::before');
            const box = text.getBoundingClientRect();
            if (width !== '16px' || height !== '16px') throw new Error(`${width} ${height}`);
            return [Math.round(box.left), Math.round(box.top + (box.height - 16) / 2)];
        })()",
    );
    let shades = page.shades([left, top, 16, 16]);
    let paper = shades[0][0];
    let inked: Vec<usize> =
        (0..16).filter(|&y| shades[y].iter().any(|shade| shade.abs_diff(paper) > 60)).collect();
    let (first, last) = (inked.first().expect("it is drawn"), inked.last().expect("it is drawn"));
    assert!(
        (first + last).abs_diff(15) <= 3 && last - first >= 8,
        "rows of pixels with ink: {inked:?}"
    );
}
