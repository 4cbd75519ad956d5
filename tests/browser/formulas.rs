//! Formulas are drawn by the browser, scroll in their own box where they are wide, and are found by their source.

use serde_json::json;

use crate::support::{Exported, Page};

fn exported() -> Exported {
    let sum = (1..40).map(|nth| format!(r"x_{{{nth}}} + ")).collect::<Vec<_>>().concat();
    let text = format!(
        "In a line $E = mc^2$, then\n$${sum} 1$$\n\n$$\\begin{{aligned}} a+b+c &= d \\\\ e &= f \\end{{aligned}}$$\n\nIt costs $5 and $10."
    );
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}),
        json!({"type": "message", "id": "1", "parentId": null, "message": {"role": "user", "content": "Draw"}}),
        json!({"type": "message", "id": "2", "parentId": "1", "message": {"role": "assistant", "content": text}}),
    ];
    let lines = lines.map(|line| line.to_string());
    Exported::bytes(lines.join("\n").into_bytes()).unwrap()
}

/// Whether the document is wider than the window.
fn is_too_wide(page: &Page) -> bool {
    page.get("document.documentElement.scrollWidth > innerWidth")
}

#[test]
fn wide_formulas_scroll_by_themselves() {
    let page = exported().page().narrow().open("");
    assert_eq!(page.count("#transcript math"), 3);
    assert!(!is_too_wide(&page));
    let boxes: Vec<bool> = page.get(
        "Array.from(document.querySelectorAll('#transcript .table:has(math)'), (box) => box.scrollWidth > box.clientWidth)",
    );
    assert_eq!(boxes, [true, false]);
}

#[test]
fn sides_of_relations_meet() {
    let page = exported().open();
    // Where the cells left of the relations end, and where those right of them begin.
    let ends: Vec<i64> = page.get(
        "Array.from(document.querySelectorAll('mtd:nth-child(1)'), (cell) => Math.round(cell.lastElementChild.getBoundingClientRect().right))",
    );
    assert_eq!(ends[0], ends[1], "{ends:?}");
}

#[test]
fn a_formula_is_found_by_its_source() {
    let page = exported().open();
    page.click("#search");
    page.type_text("mc^2");
    page.wait("a hit", "document.getElementById('search-status').textContent.startsWith('1 hit')");
    page.press("Enter");
    page.wait_until_in_view("2");
}
