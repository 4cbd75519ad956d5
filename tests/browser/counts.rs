//! Each filter button says how many rows it would show.

use std::collections::BTreeMap;

use leafpress::Filter;

use crate::support::{Driver, Exported, Page, Test};

pub(crate) const TESTS: &[Test] = &[
    ("are_the_rows_of_each_filter", are_the_rows_of_each_filter),
    ("follow_a_search", follow_a_search),
    ("do_not_depend_on_folds", do_not_depend_on_folds),
];

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
    Filter::ALL.into_iter().map(count).collect()
}

fn are_the_rows_of_each_filter(driver: &Driver<'_>) {
    for file in [
        "tests/fixtures/samples/pi-1.5-tree.jsonl",
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "tests/fixtures/samples/pi-1.5-edge.jsonl",
        "tests/fixtures/samples/omp-18-main.jsonl",
        "examples/garden.jsonl",
        "tests/fixtures/hostile.jsonl",
    ] {
        let pressed = Exported::file(file);
        let page = driver.open(&pressed);
        for leaf in pressed.keys() {
            page.call::<()>("(leafId) => (leafpress.go({ leafId }), null)", &[&leaf]);
            assert_eq!(shown(&page), wanted(&pressed, &leaf, ""), "{file}, leaf {leaf}");
        }
    }
}

fn follow_a_search(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.open(&tree);
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

fn do_not_depend_on_folds(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.open(&tree);
    page.run("leafpress.fold('t0000001', true)");
    assert_eq!(page.drawn_rows().len(), 5);
    assert_eq!(shown(&page), wanted(&tree, &tree.leaf(), ""));
}
