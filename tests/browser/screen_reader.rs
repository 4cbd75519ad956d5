//! The page through the accessibility tree, as a screen reader has it, and from the keyboard alone.

use leafpress::Filter;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Exported, Page};

/// What is said of one element.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    role: String,
    name: String,
    properties: Vec<(String, Value)>,
}

impl Node {
    fn property(&self, name: &str) -> Option<&Value> {
        self.properties.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

/// All that can be heard, in order.
fn heard(page: &Page) -> Vec<Node> {
    let answer = page.protocol("Accessibility.getFullAXTree", json!({}));
    let nodes = answer["nodes"].as_array().expect("there are nodes").iter();
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    nodes
        .filter(|node| node["ignored"] == false)
        .map(|node| Node {
            role: text(&node["role"]),
            name: text(&node["name"]),
            properties: node["properties"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|property| {
                    (
                        property["name"].as_str().unwrap_or_default().to_owned(),
                        property["value"].clone(),
                    )
                })
                .collect(),
        })
        .collect()
}

fn of_role<'a>(nodes: &'a [Node], role: &'a str) -> impl Iterator<Item = &'a Node> {
    nodes.iter().filter(move |node| node.role == role)
}

/// The row under the cursor: the one that the focused tree names as active.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    level: u64,
    expanded: Option<bool>,
    selected: bool,
    set_size: usize,
    position: usize,
}

/// What a screen reader says of the cursor. The protocol tells no place within the set; the element does.
fn row_under_cursor(page: &Page) -> Row {
    let nodes = heard(page);
    let tree = of_role(&nodes, "tree").next().expect("there is a tree");
    assert_eq!(tree.property("focused").map(|value| &value["value"]), Some(&Value::Bool(true)));
    let active = tree.property("activedescendant").expect("the tree names its active row");
    let id = active["relatedNodes"][0]["idref"].as_str().expect("by its id").to_owned();
    let (title, set_size, position): (String, usize, usize) = page.call(
        "(id) => { const row = document.getElementById(id); return [row.textContent.trim(), Number(row.getAttribute('aria-setsize')), Number(row.getAttribute('aria-posinset'))]; }",
        &[&id],
    );
    let rows: Vec<_> = of_role(&nodes, "treeitem").collect();
    let drawn: usize = page.call("(id) => Array.from(document.querySelectorAll('#tree [role=treeitem]')).indexOf(document.getElementById(id))", &[&id]);
    assert_eq!(rows.len(), page.count("#tree [role=treeitem]"));
    let row = rows[drawn];
    assert!(
        title.ends_with(&row.name) || title.contains(&row.name),
        "{title:?} is called {:?}",
        row.name
    );
    let value = |name: &str| row.property(name).map(|value| value["value"].clone());
    Row {
        name: row.name.clone(),
        level: value("level").and_then(|level| level.as_u64()).expect("a level"),
        expanded: value("expanded").and_then(|expanded| expanded.as_bool()),
        selected: value("selected")
            .and_then(|selected| selected.as_bool())
            .expect("selected or not"),
        set_size,
        position,
    }
}

#[test]
fn landmarks_and_headings() {
    let page = Exported::long().open();
    let nodes = heard(&page);
    for (role, name) in [
        ("banner", None),
        ("main", None),
        ("navigation", Some("Session tree")),
        ("toolbar", Some("View and navigate")),
        ("tree", Some("Entries of every branch")),
        ("region", Some("Session")),
        ("link", Some("Skip to the transcript")),
    ] {
        let found = of_role(&nodes, role).any(|node| name.is_none_or(|name| node.name == name));
        assert!(found, "{role} {name:?}: {:?}", of_role(&nodes, role).collect::<Vec<_>>());
    }
    assert_eq!(of_role(&nodes, "main").count(), 1);
    assert_eq!(page.count("h1"), 1);
    assert!(of_role(&nodes, "status").next().is_some(), "counts are announced");
}

#[test]
fn rows_say_what_they_are() {
    let tree = Exported::tree();
    let page = tree.open();
    page.run("document.getElementById('tree').focus()");
    page.press("Home");
    let rows: Vec<(String, u64)> = page.call("(leaf) => leafpress.rows(leaf).map(({ text, label, depth }) => [label === null ? text : `[${label}] ${text}`, depth])", &[tree.leaf()]);
    assert_eq!(rows.len(), tree.row_ids(&tree.leaf(), Filter::Default, "").len());
    for (at, (text, depth)) in rows.iter().enumerate() {
        let row = row_under_cursor(&page);
        assert_eq!(
            row.name.split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>(),
            "row {at}"
        );
        assert_eq!(row.level, depth + 1, "row {at}: {row:?}");
        let (set_size, position) = place(&rows, at);
        assert_eq!((row.set_size, row.position), (set_size, position), "row {at}: {row:?}");
        page.press("ArrowDown");
    }
}

/// The rows of the same level under the same row above, and the place among them.
fn place(rows: &[(String, u64)], at: usize) -> (usize, usize) {
    let depth = rows[at].1;
    let same = |row: &&(String, u64)| row.1 == depth;
    let inside = |row: &&(String, u64)| row.1 >= depth;
    let before = rows[..at].iter().rev().take_while(inside).filter(same).count();
    let after = rows[at + 1..].iter().take_while(inside).filter(same).count();
    (before + 1 + after, before + 1)
}

/// From the top of the page to another branch, with nothing but keys and what is said.
#[test]
fn tree_is_worked_by_ear() {
    let tree = Exported::tree();
    let page = tree.open();
    for _ in 0..30 {
        page.press("Tab");
        let nodes = heard(&page);
        let tree = of_role(&nodes, "tree").next().expect("there is a tree");
        if tree.property("focused").is_some_and(|value| value["value"] == true) {
            break;
        }
    }
    let first = row_under_cursor(&page);
    assert!(first.selected, "the leaf on show is the selected one: {first:?}");
    page.press("Home");
    let mut before = row_under_cursor(&page);
    // Down to the first branch that can be folded below the first level.
    for _ in 0..rows_at_most(&tree) {
        if before.expanded.is_some() && before.level > 1 {
            break;
        }
        page.press("ArrowDown");
        before = row_under_cursor(&page);
    }
    assert_eq!(before.expanded, Some(true), "{before:?}");
    page.press("ArrowLeft");
    let folded = row_under_cursor(&page);
    assert_eq!((folded.expanded, &folded.name), (Some(false), &before.name));
    page.press("ArrowRight");
    let unfolded = row_under_cursor(&page);
    assert_eq!((unfolded.expanded, &unfolded.name), (Some(true), &before.name));
    page.press("ArrowRight");
    let child = row_under_cursor(&page);
    assert!(
        child.level >= unfolded.level && child.name != unfolded.name,
        "{child:?} in {unfolded:?}"
    );
    page.press("End");
    let last = row_under_cursor(&page);
    assert!(!last.selected, "moving selects nothing: {last:?}");
    page.press("Enter");
    let chosen = row_under_cursor(&page);
    assert!(chosen.selected, "{chosen:?}");
    assert_eq!(chosen.name, last.name);
    let nodes = heard(&page);
    let selected = of_role(&nodes, "treeitem")
        .filter(|row| row.property("selected").is_some_and(|value| value["value"] == true));
    assert_eq!(selected.count(), 1);
}

fn rows_at_most(pressed: &Exported) -> usize {
    pressed.session.len()
}

#[test]
fn search_is_announced() {
    let page = Exported::tree().open();
    page.press("/");
    let nodes = heard(&page);
    let field = of_role(&nodes, "searchbox")
        .find(|node| node.property("focused").is_some_and(|value| value["value"] == true));
    assert_eq!(field.map(|field| field.name.as_str()), Some("Search session"));
    page.type_text("left");
    page.wait_for("document.getElementById('search-status').textContent", "4 hits");
    let nodes = heard(&page);
    let polite = of_role(&nodes, "status")
        .filter(|node| node.property("live").is_some_and(|value| value["value"] == "polite"));
    assert!(polite.count() >= 2, "hits and entries on show are spoken");
    assert!(nodes.iter().any(|node| node.role == "StaticText" && node.name == "4 hits"));
}

#[test]
fn every_control_has_a_name() {
    let page = Exported::long().page().open("?q=tide");
    page.wait("the hits", "!document.getElementById('next-hit').hidden");
    let nodes = heard(&page);
    let controls =
        ["button", "link", "checkbox", "searchbox", "treeitem", "separator", "DisclosureTriangle"];
    for role in controls {
        assert!(of_role(&nodes, role).next().is_some(), "there is a {role}");
        let nameless: Vec<_> = of_role(&nodes, role)
            .filter(|node| node.name.trim().is_empty())
            .filter(|node| !is_rule(node))
            .collect();
        assert!(nameless.is_empty(), "{role}: {nameless:?}");
    }
    let pressed = of_role(&nodes, "button")
        .filter(|node| node.property("pressed").is_some_and(|value| value["value"] == "true"));
    assert!(pressed.count() >= 2, "filter and view say which is on");
}

/// A line in the text, of which there is nothing to say.
fn is_rule(node: &Node) -> bool {
    node.role == "separator" && node.property("focusable").is_none()
}

#[test]
fn dialogs_say_their_name() {
    let page = Exported::long().open();
    for (key, name) in [("l", "Branches"), ("?", "Keys")] {
        page.press(key);
        let nodes = heard(&page);
        let dialog = of_role(&nodes, "dialog").next().expect("a dialog");
        assert_eq!(dialog.name, name);
        assert_eq!(dialog.property("modal").map(|value| &value["value"]), Some(&Value::Bool(true)));
        assert_eq!(of_role(&nodes, "tree").count(), 0, "the rest is out of reach");
        page.press("Escape");
        page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    }
}
