//! Each filter button says how many rows it would show.

use std::collections::BTreeMap;

use leafpress::Filter;

use crate::support::{Exported, Page};

type Counts = BTreeMap<String, String>;

fn shown(page: &Page) -> Counts {
    page.get(
        "Object.fromEntries(Array.from(document.querySelectorAll('button[data-filter]'), (button) => [button.dataset.filter, button.querySelector('.count').textContent]))",
    )
}

fn wanted(pressed: &Exported, leaf: &str, query: &str) -> Counts {
    let count = |filter: Filter| {
        (filter.name().to_owned(), pressed.row_ids(leaf, filter, query).len().to_string())
    };
    Filter::ALL.iter().copied().map(count).collect()
}

#[test]
fn are_the_rows_of_each_filter() {
    for file in [
        "tests/fixtures/samples/pi-1.5-tree.jsonl",
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "tests/fixtures/samples/pi-1.5-edge.jsonl",
        "tests/fixtures/samples/omp-18-main.jsonl",
        "examples/garden.jsonl",
        "tests/fixtures/hostile.jsonl",
    ] {
        let pressed = Exported::file(file);
        let page = pressed.open();
        for leaf in pressed.keys() {
            page.call::<()>("(leafId) => (leafpress.go({ leafId }), null)", &[&leaf]);
            assert_eq!(shown(&page), wanted(&pressed, &leaf, ""), "{file}, leaf {leaf}");
        }
    }
}

#[test]
fn follow_a_search() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click("#search");
    page.type_text("middle");
    page.wait(
        "the search",
        "/^\\d+ hits?/.test(document.getElementById('search-status').textContent)",
    );
    let wanted = wanted(&tree, &tree.leaf(), "middle");
    assert_eq!(wanted["default"], "3");
    assert_eq!(wanted["labeled-only"], "1");
    assert_eq!(shown(&page), wanted);
    page.press("Escape");
    page.wait_for("document.querySelector('[data-filter=default] .count').textContent", "21");
}

#[test]
fn do_not_depend_on_folds() {
    let tree = Exported::tree();
    let page = tree.open();
    page.run("leafpress.fold('t0000001', true)");
    assert_eq!(page.drawn_rows().len(), 5);
    assert_eq!(shown(&page), wanted(&tree, &tree.leaf(), ""));
}
