//! pi's fold and jump steps, measured by running it, made by keyboard in the page.
//!
//! Pi jumps to the ends of a branch where the page goes row by row, as the ARIA pattern for trees has it: so a
//! jump is the same key again until the row is reached, and must fold nothing on the way. Keys that the page
//! has none of its own for, and its own search, are other tests' business.

use std::collections::BTreeMap;
use std::fs;

use leafpress::{Filter, report};
use serde::Deserialize;

use super::folds::{active, focus_tree, folded};
use crate::support::{Exported, Page, own_file};

#[test]
fn left_branch() {
    replay("t0000006", 13);
}

#[test]
fn middle_branch() {
    replay("t0000025", 5);
}

#[test]
fn second_root() {
    replay("t0000020", 4);
}

/// More rows than that no step of pi's jumps over.
const FAR: usize = 6;

#[derive(Deserialize)]
struct Step {
    key: String,
    selected: String,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    lines: Vec<String>,
}

fn replay(leaf: &str, replayable: usize) {
    let goldens = fs::read(own_file("tests/fixtures/goldens/pi-1.5-tree-keys.json")).unwrap();
    let goldens: BTreeMap<String, Vec<Step>> = serde_json::from_slice(&goldens).unwrap();
    let steps = &goldens[leaf];
    let tree = Exported::tree();
    let page = tree.page().open(&format!("?leafId={leaf}&detail=steps"));
    focus_tree(&page);
    assert_eq!(active(&page), steps[0].selected);
    let mut done = 0;
    for steps in steps.windows(2) {
        let [before, step] = steps else { unreachable!("windows of two") };
        let Some(act) = action(&step.key) else { break };
        act(&page, before, step);
        let place = format!("{leaf}, step {}: {}", done + 1, step.key);
        assert_eq!(lines(&tree, &page, leaf, &step.filter), golden(step), "{place}");
        done += 1;
    }
    assert_eq!(done, replayable, "steps made");
}

type Action = fn(&Page, &Step, &Step);

fn action(key: &str) -> Option<Action> {
    match key {
        "foldOrUp" => Some(|page, before, step| arrow(page, "ArrowLeft", before, step)),
        "unfoldOrDown" => Some(|page, before, step| arrow(page, "ArrowRight", before, step)),
        "down" => Some(|page, _, step| press(page, "ArrowDown", step)),
        "up" => Some(|page, _, step| press(page, "ArrowUp", step)),
        "cycleForward" | "userOnly" => Some(|page, _, step| {
            page.click(&format!("button[data-filter={}]", step.filter));
            assert_eq!(page.count("#filters [aria-pressed=true]"), 1);
        }),
        _ => None,
    }
}

fn press(page: &Page, key: &str, step: &Step) {
    page.press(key);
    assert_eq!(active(page), step.selected);
}

/// One press where pi folds or unfolds; where it jumps, as many as it takes.
fn arrow(page: &Page, key: &str, before: &Step, step: &Step) {
    if before.selected == step.selected {
        return press(page, key, step);
    }
    let folds = folded(page);
    for _ in 0..FAR {
        page.press(key);
        assert_eq!(folded(page), folds, "{key} on the way to {}", step.selected);
        if active(page) == step.selected {
            return;
        }
    }
    panic!("{key} leads to {}, not to {}", active(page), step.selected);
}

/// The drawn rows with the texts that pi writes, without its cursor and count.
fn lines(tree: &Exported, page: &Page, leaf: &str, filter: &str) -> Vec<String> {
    let rows: Vec<(String, String, String)> = page.call(
        "(leaf, filter) => {
            const at = (id) => document.querySelector(`#tree [data-entry-id=${id}]`);
            return leafpress.rows(leaf, filter, null, { folds: Array.from(document.querySelectorAll('#tree [aria-expanded=false]'), (row) => row.dataset.entryId) }).map(({ id }) => {
                const row = at(id);
                const prefix = row.querySelector('.prefix').textContent;
                const sign = { true: '⊟', false: '⊞' }[row.ariaExpanded];
                const branch = sign === undefined ? prefix : prefix.replace(/─ $/, `${sign} `);
                const root = sign === '⊞' && branch === prefix ? '⊞ ' : '';
                const path = row.classList.contains('on-path') ? '• ' : '';
                const label = row.querySelector('.label')?.textContent;
                return [id, branch + root + path + (label === undefined ? '' : `${label} `), row.querySelector('.text').textContent];
            });
        }",
        &(leaf, filter),
    );
    let ids: Vec<_> = rows.iter().map(|(id, ..)| id.clone()).collect();
    assert_eq!(page.drawn_rows(), ids, "the drawn rows are those of the script");
    let printed = report::tree(&tree.session, tree.session.leaf(), Filter::All, None).unwrap().rows;
    let line = |(id, before, text): (String, String, String)| {
        assert_eq!(text, tree.line(&id));
        let row = printed.iter().find(|row| row.id == id).unwrap();
        format!("{before}{}", row.text)
    };
    rows.into_iter().map(line).collect()
}

/// The lines of a step without the cursor column, and the last one, which counts.
fn golden(step: &Step) -> Vec<String> {
    let (_, rows) = step.lines.split_last().expect("a step has lines");
    rows.iter().map(|row| row.chars().skip(2).collect()).collect()
}
