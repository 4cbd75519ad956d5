//! "Copy as Markdown": an entry and a turn give what `leafpress markdown` writes for them.

use leafpress::markdown::{self, Detail, MarkdownOptions};

use crate::subsessions;
use crate::support::sessions::working;
use crate::support::{Exported, Page, article};

fn document(session: &leafpress::Session, leaf: &str, detail: Detail) -> String {
    let leaf = session.find(leaf).unwrap();
    let options = MarkdownOptions::new().detail(detail).leaf(leaf);
    markdown::of(session, &options).unwrap().text
}

/// The sections of the prompts.
fn sections(document: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut from = 0;
    while let Some(at) = document[from..].find(&format!("\n## {}.", starts.len() + 1)) {
        from += at + 1;
        starts.push(from);
    }
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([document.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &document[start..end]).collect()
}

fn copy(page: &Page, key: &str, text: &str) {
    page.run("document.activeElement?.blur()");
    page.press(key);
    page.wait_for("await navigator.clipboard.readText()", text);
}

/// Copies each turn of a branch, from its prompt and from its last entry.
fn turns(exported: &Exported, page: &Page, leaf: &str) {
    let document = document(&exported.session, leaf, Detail::Story);
    let sections = sections(&document);
    let path = exported.path(leaf);
    let of_key = |key: &String| {
        let selector = article(key);
        page.call::<bool>(
            "(s) => document.querySelector(s)?.matches('[data-turn-role=prompt]') ?? false",
            &[&selector],
        )
    };
    page.run(&format!("leafpress.go({{ leafId: '{leaf}' }})"));
    page.settle();
    let prompts: Vec<&String> = path.iter().filter(|key| of_key(key)).collect();
    assert_eq!(prompts.len(), sections.len(), "{document}");
    assert!(!sections.is_empty());
    for (nth, (prompt, section)) in prompts.iter().zip(&sections).enumerate() {
        let end = prompts
            .get(nth + 1)
            .map_or(path.len(), |next| path.iter().position(|key| &key == next).unwrap());
        for key in [*prompt, &path[end - 1]] {
            page.run(&format!("leafpress.go({{ leafId: '{leaf}', targetId: '{key}' }})"));
            page.settle();
            copy(page, "y", section);
        }
    }
}

/// All in one test: the pages share one clipboard.
#[test]
fn a_turn_is_that_of_the_command() {
    let tree = Exported::tree();
    let page = tree.page().with_clipboard().open("");
    let leaves = tree
        .session
        .tree()
        .order()
        .filter(|&entry| tree.session.tree().children(entry).next().is_none());
    let leaves: Vec<String> = leaves.map(|leaf| tree.session.key(leaf).unwrap()).collect();
    assert!(leaves.len() > 2);
    for leaf in &leaves {
        turns(&tree, &page, leaf);
    }
    // Sub-agents, and one that a sub-agent started.
    let family = subsessions::family();
    turns(&family, &family.page().with_clipboard().open(""), &family.leaf());
    // Most of it in packs.
    let work = Exported::bytes(working(60)).unwrap();
    turns(&work, &work.page().with_clipboard().open(""), &work.leaf());
    entries(&Exported::file("examples/garden.jsonl"));
}

/// Each prompt and response stands as it is copied in the document of everything, in this order.
fn entries(exported: &Exported) {
    let leaf = exported.leaf();
    let document = document(&exported.session, &leaf, Detail::Full);
    let page = exported.page().with_clipboard().open("");
    let mut from = 0;
    let mut found = 0;
    for key in exported.path(&leaf) {
        page.run(&format!("leafpress.go({{ leafId: '{leaf}', targetId: '{key}' }})"));
        page.settle();
        page.run("navigator.clipboard.writeText('')");
        page.run("document.activeElement?.blur()");
        page.press_shift("Y");
        page.wait(
            "what came of it",
            "/copied|Only prompts/u.test(document.getElementById('notice').textContent)",
        );
        page.run("document.getElementById('notice').textContent = ''");
        let text: String = page.get("navigator.clipboard.readText()");
        if !text.is_empty() {
            let at =
                document[from..].find(&text).unwrap_or_else(|| panic!("{key}: {text}\n{document}"));
            from += at + text.len();
            found += 1;
        }
    }
    assert!(found > 3, "{found}");
}

#[test]
fn offered_with_the_raw_entry() {
    let tree = Exported::tree();
    let page = tree.page().with_clipboard().open("");
    let prompt: String =
        page.get("document.querySelector('[data-turn-role=prompt]').id.slice('entry-'.length)");
    page.click(&format!("{} button.raw", article(&prompt)));
    page.wait_for(
        "Array.from(document.querySelectorAll('#raw[open] .menu-item'), (item) => item.textContent).filter((text) => text.includes('Markdown'))",
        ["Copy as Markdown", "Copy turn as Markdown"],
    );
}
