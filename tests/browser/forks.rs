//! At every branch point of the path: which branch it is, and the way to the others.

use serde_json::{Value, json};

use crate::support::{Exported, Page, article};

/// The first entries of the three branches in lighthouse.
const BRANCHES: [&str; 3] = ["20a506dd", "8b340293", "d44fb11e"];

fn fork(key: &str) -> String {
    format!("{} nav.fork", article(key))
}

fn said(page: &Page, key: &str) -> String {
    page.text(&format!("{} .fork-count", fork(key)))
}

/// Entry and words of each fork shown, from above.
fn forks_on_show(page: &Page) -> Vec<(String, String)> {
    page.get("Array.from(document.querySelectorAll('#transcript > article:not([hidden]) .fork-count'), (count) => [count.closest('article').id.slice('entry-'.length), count.textContent])")
}

fn newest_below(pressed: &Exported, key: &str) -> Vec<String> {
    let tree = pressed.session.tree();
    let leaf = tree.newest_leaf_below(pressed.session.find(key).unwrap());
    pressed.path(&pressed.session.key(leaf).unwrap())
}

#[test]
fn says_which_branch_of_how_many() {
    for file in [
        "examples/lighthouse.jsonl",
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "tests/fixtures/samples/pi-1.5-tree.jsonl",
    ] {
        let pressed = Exported::file(file);
        let tree = pressed.session.tree();
        let page = pressed.open();
        for leaf in tree.leaves() {
            page.run(&format!(
                "leafpress.go({{ leafId: '{}' }})",
                pressed.session.key(leaf).unwrap()
            ));
            let mut wanted = Vec::new();
            for entry in tree.path(leaf) {
                let siblings: Vec<_> = match tree.parent(entry) {
                    Some(parent) => tree.children(parent).collect(),
                    None => tree.roots().collect(),
                };
                if siblings.len() > 1 {
                    let nth = siblings.iter().position(|&sibling| sibling == entry).unwrap() + 1;
                    let words = format!("Branch {nth} of {}", siblings.len());
                    wanted.push((pressed.session.key(entry).unwrap(), words));
                }
            }
            let shown = forks_on_show(&page);
            if file.starts_with("examples") {
                assert_eq!(shown, wanted, "{file}");
            }
            // Elsewhere branches part again at once, and are of one list.
            let lists: Vec<(usize, usize)> = page.get("Array.from(document.querySelectorAll('#transcript > article:not([hidden]) .fork ol'), (list) => [Array.from(list.children).findIndex((li) => li.matches('[aria-current]')) + 1, list.children.length])");
            let said: Vec<String> = shown.iter().map(|(_, words)| words.clone()).collect();
            let listed: Vec<String> =
                lists.iter().map(|(nth, count)| format!("Branch {nth} of {count}")).collect();
            assert_eq!(said, listed, "{file}");
            let keys: Vec<&String> = wanted.iter().map(|(key, _)| key).collect();
            assert!(shown.iter().all(|(key, _)| keys.contains(&key)), "{file}: {shown:?}");
            assert_eq!(shown.is_empty(), wanted.is_empty(), "{file}");
        }
    }
}

/// What each list says: where its links lead, its words, and which is bold.
const LISTED: &str = "Array.from(document.querySelectorAll('#transcript > article:not([hidden]) .fork li'), (li) => [li.firstElementChild.getAttribute('href') ?? '', li.firstElementChild.textContent, li.getAttribute('aria-current') ?? ''])";

fn row(id: &str, parent: Option<&str>, rest: &Value) -> String {
    let mut row = json!({"id": id, "parentId": parent, "timestamp": "2026-11-24T08:42:00Z"});
    row.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    row.to_string()
}

fn prompt(id: &str, parent: Option<&str>, text: &str) -> String {
    row(id, parent, &json!({"type": "message", "message": {"role": "user", "content": text}}))
}

fn session(rows: &[String]) -> Exported {
    let header = json!({"type": "session", "version": 3, "id": "s"}).to_string();
    Exported::bytes([&[header], rows].concat().join("\n").into_bytes()).unwrap()
}

/// A summary and a setting say nothing that tells branches apart: the branches behind them are of the same list, which
/// stands once.
#[test]
fn branches_that_part_again_are_one_list() {
    let summary = json!({"type": "branch_summary", "fromId": "b", "summary":
        "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n## Goal\nMove the **tides**."});
    let exported = session(&[
        prompt("a", None, "Begin"),
        prompt("b", Some("a"), "First `try`"),
        row("s", Some("a"), &summary),
        prompt("c", Some("s"), "Second"),
        row("t", Some("s"), &json!({"type": "thinking_level_change", "thinkingLevel": "high"})),
        prompt("d", Some("t"), "Third"),
    ]);
    let page = exported.open();
    let all = |current: usize| {
        let rows = [("#entry-b", "First try"), ("#entry-c", "Second"), ("#entry-t", "Third")];
        let row = |(nth, (link, words)): (usize, &(&str, &str))| {
            let is_current = nth == current;
            let link = if is_current { "" } else { *link };
            (link.to_owned(), (*words).to_owned(), if is_current { "true" } else { "" }.to_owned())
        };
        rows.iter().enumerate().map(row).collect::<Vec<_>>()
    };
    assert_eq!(page.get::<Vec<(String, String, String)>>(LISTED), all(2));
    assert_eq!(forks_on_show(&page), [("t".to_owned(), "Branch 3 of 3".to_owned())]);
    page.click(&format!("{} a[rel=prev]", fork("t")));
    page.wait_for(LISTED, all(1));
    page.click(&format!("{} a[rel=prev]", fork("c")));
    page.wait_for(LISTED, all(0));
    assert_eq!(page.shown_articles(), ["a", "b"]);
    // At Story the tree names the summary by what it says itself.
    page.press("1");
    page.settle();
    let row = "document.querySelector('#tree [data-entry-id=s] .text').textContent";
    assert_eq!(page.get::<String>(row), "Branch summary · Move the tides.");
}

/// Also where a branch begins with a setting, whose own words are few.
#[test]
fn long_first_words_are_cut_and_widen_nothing() {
    let long = "What the harbor master wrote about the tide ".repeat(8);
    let exported = session(&[
        prompt("a", None, "Begin"),
        prompt("b", Some("a"), &long),
        row("t", Some("a"), &json!({"type": "thinking_level_change", "thinkingLevel": "high"})),
        prompt("c", Some("t"), &long),
    ]);
    for page in [exported.open(), exported.page().narrow().open("")] {
        for _ in 0..2 {
            assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
            let current =
                page.get::<String>("document.querySelector('.fork').closest('article').id");
            page.click(&format!("#{current} .fork a[rel]"));
            page.wait_for(
                "document.querySelector('.fork').closest('article').id",
                if current == "entry-t" { "entry-b" } else { "entry-t" },
            );
        }
    }
}

/// Of many branches each says its number: a list in each would grow with the square of them.
#[test]
fn many_branches_are_not_listed() {
    let mut rows = vec![prompt("a", None, "Begin")];
    rows.extend((0..5).map(|nth| prompt(&format!("b{nth}"), Some("a"), "Again")));
    let page = session(&rows).open();
    assert_eq!(said(&page, "b4"), "Branch 5 of 5");
    assert_eq!(page.text(&fork("b4")), "Branch 5 of 5Compare previous");
    assert_eq!(page.count(".fork li"), 0);
}

#[test]
fn previous_and_next_by_click() {
    let long = Exported::long();
    let page = long.open();
    let keys = BRANCHES;
    let at = keys.iter().position(|key| page.shown_articles().iter().any(|shown| shown == key));
    assert_eq!(at, Some(2), "it opens with the last");
    assert_eq!(said(&page, keys[2]), "Branch 3 of 3");
    assert_eq!(
        page.count(&format!("{} a[rel=next]", fork(keys[2]))),
        0,
        "nothing follows the last"
    );
    for (from, rel, to, words) in [
        (2, "prev", 1, "Branch 2 of 3"),
        (1, "prev", 0, "Branch 1 of 3"),
        (0, "next", 1, "Branch 2 of 3"),
        (1, "next", 2, "Branch 3 of 3"),
    ] {
        page.click(&format!("{} a[rel={rel}]", fork(keys[from])));
        assert_eq!(page.shown_articles(), newest_below(&long, keys[to]), "{rel} of {from}");
        assert_eq!(said(&page, keys[to]), words);
        page.wait_until_in_view(keys[to]);
        page.wait(
            "the address to follow",
            &format!("location.search.includes('targetId={}')", keys[to]),
        );
    }
    assert_eq!(
        page.count(&format!("{} a[rel=prev]", fork(keys[0]))),
        0,
        "nothing precedes the first"
    );
}

/// The entry and the direction of the fork's link that has the focus.
const FOCUSED: &str = "[document.activeElement.closest('article')?.id ?? null, document.activeElement.getAttribute('rel')]";

#[test]
fn previous_and_next_by_key() {
    let long = Exported::long();
    let page = long.open();
    let keys = BRANCHES;
    page.run("scrollTo(0, 0)");
    page.press("f");
    assert_eq!(page.get::<String>("document.activeElement.id"), format!("entry-{}", keys[2]));
    let prev = format!("{} a[rel=prev]", fork(keys[2]));
    for _ in 0..6 {
        page.press("Tab");
        if page.call::<bool>("(link) => document.activeElement.matches(link)", &[&prev]) {
            break;
        }
    }
    assert!(
        page.call::<bool>("(link) => document.activeElement.matches(link)", &[&prev]),
        "Tab leads to the fork's links"
    );
    page.press("Enter");
    assert_eq!(page.shown_articles(), newest_below(&long, keys[1]));
    // So that Enter goes on.
    page.wait_for(FOCUSED, (format!("entry-{}", keys[1]), "prev"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), newest_below(&long, keys[0]));
    // The only way from the first.
    page.wait_for(FOCUSED, (format!("entry-{}", keys[0]), "next"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), newest_below(&long, keys[1]));
    page.press("Enter");
    assert_eq!(page.shown_articles(), newest_below(&long, keys[2]));
}

#[test]
fn from_the_second_root() {
    for file in
        ["tests/fixtures/samples/pi-1.5-tree.jsonl", "tests/fixtures/samples/pi-1.5-main.jsonl"]
    {
        let pressed = Exported::file(file);
        let roots: Vec<_> =
            pressed.session.tree().roots().map(|root| pressed.session.key(root).unwrap()).collect();
        assert_eq!(roots.len(), 2, "{file}");
        let page = pressed
            .page()
            .open(&format!("?leafId={}", newest_below(&pressed, &roots[1]).last().unwrap()));
        assert_eq!(said(&page, &roots[1]), "Branch 2 of 2", "{file}");
        page.click(&format!("{} a[rel=prev]", fork(&roots[1])));
        assert_eq!(page.shown_articles(), newest_below(&pressed, &roots[0]), "{file}");
        assert_eq!(said(&page, &roots[0]), "Branch 1 of 2");
        assert_eq!(
            page.get::<(String, String)>(FOCUSED),
            (format!("entry-{}", roots[0]), "next".to_owned())
        );
        page.press("Enter");
        assert_eq!(page.shown_articles(), newest_below(&pressed, &roots[1]), "{file}");
    }
}

#[test]
fn back_returns_to_the_branch() {
    let long = Exported::long();
    let page = long.open();
    page.click(&format!("{} a[rel=prev]", fork("d44fb11e")));
    assert_eq!(page.shown_articles(), newest_below(&long, "8b340293"));
    page.back();
    page.wait_for(
        "document.querySelector('#transcript > article:not([hidden]) .fork-count').textContent",
        "Branch 3 of 3",
    );
    assert_eq!(page.shown_articles(), long.path(&long.leaf()));
}

#[test]
fn on_a_phone() {
    let long = Exported::long();
    let page = long.page().narrow().open("");
    page.click(&format!("{} a[rel=prev]", fork("d44fb11e")));
    assert_eq!(page.shown_articles(), newest_below(&long, "8b340293"));
    page.wait_until_in_view("8b340293");
}
