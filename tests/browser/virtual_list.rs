//! Of a large tree only the rows near the view exist, and yet they say how many there are.

use leafpress::Filter;
use serde_json::{Value, json};

use crate::support::{Exported, sessions};

#[test]
fn few_rows_exist() {
    let fan = Exported::bytes(sessions::fan(5000)).unwrap();
    let rows = fan.row_ids(&fan.leaf(), Filter::Default, "");
    let page = fan.open();
    assert_eq!(page.text("#status"), "10,001 of 10,001 entries");
    assert!(page.count("[role=treeitem]") < 200);
    for (part, row) in [(1.0, 10_000), (0.0, 0), (0.5, 5000)] {
        page.run(&format!("(() => {{ const tree = document.getElementById('tree'); tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * {part}; }})()"));
        page.wait(
            "the row to be drawn",
            &format!("document.querySelector('{}') !== null", crate::support::row(&rows[row])),
        );
        let drawn = page.drawn_rows();
        assert!(drawn.len() < 200, "{} rows exist", drawn.len());
        // The row under the cursor exists wherever the view is.
        let is_elsewhere = |key: &&String| **key != fan.leaf();
        let drawn: Vec<_> = drawn.iter().filter(is_elsewhere).collect();
        let rows: Vec<_> = rows.iter().filter(is_elsewhere).collect();
        let first = rows.iter().position(|key| key == &drawn[0]).unwrap();
        assert_eq!(drawn, rows[first..first + drawn.len()], "without a gap");
    }
    page.click_row(&rows[5000]);
    assert_eq!(page.shown_articles().len(), 3);
}

#[test]
fn rows_say_their_place() {
    let fan = Exported::bytes(sessions::fan(5000)).unwrap();
    let page = fan.page().open("?leafId=c2500&targetId=b2500");
    let place = |key: &str| -> Value {
        page.call("(s) => { const row = document.querySelector(s); return ['aria-level', 'aria-setsize', 'aria-posinset'].map((name) => Number(row.getAttribute(name))); }", &[crate::support::row(key)])
    };
    assert_eq!(place("root"), json!([1, 1, 1]));
    assert_eq!(place("b2500"), json!([2, 5000, 1]), "the branch on show comes first");
    assert_eq!(place("b0"), json!([2, 5000, 2]));
    assert_eq!(place("b5"), json!([2, 5000, 7]));
}

/// The tree stays with the reader, at the top, and goes nowhere in between.
#[test]
fn a_filter_draws_rows_once() {
    let page = Exported::bytes(sessions::chain(3000)).unwrap().open();
    page.wait(
        "the row of the first entry",
        "document.querySelector('#row-0')?.ariaCurrent === 'location'",
    );
    page.run("(() => {
        window.added = 0;
        const count = (records) => { window.added += records.reduce((sum, record) => sum + record.addedNodes.length, 0); };
        new MutationObserver(count).observe(document.querySelector('.tree-space'), { childList: true });
    })()");
    page.click("button[data-filter=user-only]");
    page.settle();
    let added: usize = page.get("window.added");
    let drawn = page.count("[role=treeitem]");
    assert!(drawn > 30 && added == drawn, "{added} rows were made for {drawn}");
    assert!(page.get::<bool>("document.getElementById('tree').scrollTop === 0"));
}
