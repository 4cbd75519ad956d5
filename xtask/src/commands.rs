//! Holds docs/page.md to the table of commands that the page's script has.

use std::fs;

use super::root;

/// Keys and what they do.
type Rows = Vec<(Vec<String>, String)>;

/// From the lines `{ id: "prompt", keys: ["j", "k"], text: "next, previous prompt" }`.
fn listed() -> Rows {
    let script = fs::read_to_string(root().join("static/js/actions/commands.js")).unwrap();
    let row = |line: &str| {
        let (_, rest) = line.split_once("keys: [")?;
        let (keys, rest) = rest.split_once(']')?;
        let (_, text) = rest.split_once(" text: \"")?;
        Some((quoted(keys, '"'), text.split('"').next()?.to_owned()))
    };
    script.lines().filter_map(row).collect()
}

/// From the lines "| `j` `k` | next, previous prompt |" below the heading.
fn documented() -> Rows {
    let docs = fs::read_to_string(root().join("docs/page.md")).unwrap();
    let section = docs.split("\n## Keys\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let row = |line: &str| {
        let (keys, text) = line.strip_prefix("| `")?.strip_suffix(" |")?.split_once(" | ")?;
        Some((quoted(&format!("`{keys}"), '`'), text.to_owned()))
    };
    section.lines().filter_map(row).collect()
}

fn quoted(text: &str, mark: char) -> Vec<String> {
    text.split(mark).skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn docs_list_the_keys_of_the_script() {
    assert!(listed().len() > 20);
    assert_eq!(documented(), listed(), "docs/page.md and static/js/actions/commands.js differ");
}
