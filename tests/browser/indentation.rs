//! However deep the branches nest, the text of a row keeps its room, and the level is said where it is not drawn.

use serde_json::Value;

use crate::support::sessions::Lines;
use crate::support::{Exported, Page};

#[test]
fn a_hundred_forks_wide() {
    at_every_depth(&nested().open());
}

/// Forks within forks.
const FORKS: usize = 100;

fn nested() -> Exported {
    let mut lines = Lines::new();
    lines.user("u0", None, "the root of all");
    for n in 1..=FORKS {
        let parent = format!("u{}", n - 1);
        lines.user(&format!("side{n}"), Some(&parent), &format!("given up at {n}"));
        lines.user(
            &format!("u{n}"),
            Some(&parent),
            &format!("deeper, to {n}, with words enough to fill a row"),
        );
    }
    Exported::bytes(lines.bytes()).unwrap()
}

#[test]
fn a_hundred_forks_narrow() {
    let page = nested().page().narrow().open("");
    page.click("#sidebar-toggle");
    page.wait(
        "the drawer to open",
        "document.getElementById('sidebar').getBoundingClientRect().left >= 0",
    );
    at_every_depth(&page);
}

#[test]
fn a_narrowed_sidebar() {
    let page = nested().open();
    page.run("document.getElementById('resizer').focus()");
    page.press("Home");
    page.wait_for("document.getElementById('sidebar').getBoundingClientRect().width", 240);
    at_every_depth(&page);
}

/// Goes through the tree from above and looks at each row.
fn at_every_depth(page: &Page) {
    page.settle();
    let mut levels = Vec::new();
    page.run("document.getElementById('tree').scrollTop = 0");
    loop {
        page.settle();
        let rows: Vec<Row> = page.get(ROWS);
        for row in rows {
            let Row { id, level, share, said, title, cut } = row;
            assert!(share >= 0.6, "{id} at level {level}: the text has {share} of the row");
            assert_eq!(said.is_some(), cut, "{id}: drawn in part, or with the level said");
            if let Some(said) = said {
                assert_eq!(said, format!("\"{level}\""), "{id}: on the screen");
                assert!(title.contains(&format!("level {level}")), "{id}: {title:?}");
            }
            levels.push(level);
        }
        let at_end: bool = page.get(
            "(() => {
                const tree = document.getElementById('tree');
                const before = tree.scrollTop;
                tree.scrollTop += tree.clientHeight / 2;
                return tree.scrollTop === before;
            })()",
        );
        if at_end {
            break;
        }
    }
    levels.sort_unstable();
    levels.dedup();
    assert_eq!(levels, (1..=FORKS + 1).collect::<Vec<_>>(), "every level was seen");
}

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    /// What assistive technology announces.
    level: usize,
    /// Of the row's width, by the text.
    share: f64,
    /// The content of the level's own sign, as CSS has it.
    said: Option<String>,
    title: String,
    /// Whether the prefix has fewer cells than levels.
    cut: bool,
}

const ROWS: &str = r##"Array.from(document.querySelectorAll("#tree [role=treeitem]"), (row) => {
    const more = row.querySelector(".prefix > .more");
    const [outer, text] = [row, row.querySelector(".text")].map((element) => element.getBoundingClientRect());
    const level = Number(row.ariaLevel);
    return {
        id: row.dataset.entryId,
        level,
        share: text.width / outer.width,
        said: more === null ? null : getComputedStyle(more, "::before").content.replace(/^attr.*/, `"${more.dataset.level}"`),
        title: row.title,
        cut: row.querySelectorAll(".prefix > :not(.more)").length < level - 1,
    };
})"##;

#[test]
fn shallow_trees_are_drawn_whole() {
    let tree = Exported::tree();
    let page = tree.open();
    assert_eq!(page.count("#tree .more"), 0);
    let drawn: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('#tree [role=treeitem]'), (row) => row.querySelector('.prefix').textContent)",
    );
    let wanted: Vec<Value> =
        page.get(&format!("leafpress.rows('{}').map(({{ prefix }}) => prefix)", tree.leaf()));
    assert_eq!(drawn.iter().map(|prefix| Value::from(prefix.as_str())).collect::<Vec<_>>(), wanted);
}
