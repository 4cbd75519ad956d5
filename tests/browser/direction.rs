//! Lines of Hebrew and Arabic begin at the right, whatever stands before them, and end where there is no room.

use crate::support::sessions::Lines;
use crate::support::{Exported, Page};

/// Long and short, each with a Latin word in it.
const PROMPTS: [&str; 2] = [
    "שלום, מה גובה הגל בנמל הצפוני כאשר הרוח נושבת ממערב ואנחנו מריצים cargo test בלילה",
    "קצר Rust קוד",
];
const RESPONSES: [&str; 2] = [
    "مرحبا: سجل المد والجزر في المرفأ يبدأ من هنا ثم نشغل cargo test قبل الإغلاق النهائي",
    "تم: cargo test نجح",
];

fn session() -> Exported {
    let mut lines = Lines::new();
    lines.user("p1", None, PROMPTS[0]).assistant("a1", Some("p1"), RESPONSES[0]);
    lines.user("p2", Some("a1"), PROMPTS[1]).assistant("a2", Some("p2"), RESPONSES[1]);
    Exported::story(lines.bytes())
}

/// Of each of these lines: how far its first letter is from the right edge of the list, in px, and whether it stands to
/// the right of its last one.
fn first_letters(page: &Page, list: &str, lines: &str) -> Vec<(f64, bool)> {
    page.call(
        "(list, lines) => {
            const edge = document.querySelector(list).getBoundingClientRect().right;
            return Array.from(document.querySelectorAll(lines), (line) => {
                const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                const letters = [];
                for (let text; (text = texts.nextNode()) !== null;) {
                    for (const { index } of text.data.matchAll(/[\\u0590-\\u06ff]/gu)) letters.push([text, index]);
                }
                const box = ([text, at]) => {
                    const range = document.createRange();
                    range.setStart(text, at);
                    range.setEnd(text, at + 1);
                    return range.getBoundingClientRect();
                };
                const [first, last] = [box(letters[0]), box(letters.at(-1))];
                return [edge - first.right, first.right > last.right];
            });
        }",
        &[list, lines],
    )
}

fn all_begin_at_the_right(page: &Page, list: &str, lines: &str, count: usize) {
    let letters = first_letters(page, list, lines);
    assert_eq!(letters.len(), count, "{lines}");
    for (from_edge, is_before_last) in letters.iter().copied() {
        assert!((0.0..48.0).contains(&from_edge) && is_before_last, "{lines}: {letters:?}");
    }
}

#[test]
fn rows_of_the_tree() {
    let page = session().open();
    all_begin_at_the_right(&page, "#tree", "#tree .text", 4);
    let page = session().page().open("?q=cargo");
    page.wait("the hits", "document.querySelectorAll('#tree mark').length > 0");
    all_begin_at_the_right(&page, "#tree", "#tree .of-prompt", 1);
    all_begin_at_the_right(&page, "#tree", "#tree .text", 3);
}

#[test]
fn prompts_without_a_script() {
    let page = session().page().without_script().open("");
    all_begin_at_the_right(&page, "#sidebar", "#asked li", 2);
}
