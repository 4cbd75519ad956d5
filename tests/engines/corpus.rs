//! Every session of this repository opens in every engine, with the rows, entries and hits of the library.
//! `LEAFPRESS_CORPUS=/folder` adds the session files below a folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use leafpress::Filter;
use serde_json::Value;

use crate::support::{Browser, Exported, attempt, is_part_of, own_file, say};

in_each_engine!(corpus);

/// Fewer sessions mean that they are not found.
const AT_LEAST: usize = 150;

fn corpus(browser: &Browser) {
    let started = Instant::now();
    let mut files = Vec::new();
    for folder in ["examples", "tests/fixtures"] {
        collect(&own_file(folder), &mut files);
    }
    let own = files.len();
    if let Some(folder) = env::var_os("LEAFPRESS_CORPUS") {
        collect(Path::new(&folder), &mut files);
        assert!(files.len() > own, "$LEAFPRESS_CORPUS has no files");
    }
    let (mut pages, mut rows) = (0, 0);
    let mut other: Option<Browser> = None;
    for file in files {
        // Not every file is a session, and not every session has an entry.
        let Some(exported) = fs::read(&file).ok().and_then(|source| Exported::bytes(source).ok())
        else {
            continue;
        };
        let name = file.display().to_string();
        let counted = match attempt(|| check(other.as_ref().unwrap_or(browser), &name, &exported)) {
            Ok(counted) => counted,
            Err(hang) => {
                say(&format!(
                    "{}: {name}: {hang}: once more in a new session",
                    browser.engine.name()
                ));
                let again = other.insert(browser.anew());
                attempt(|| check(again, &name, &exported))
                    .unwrap_or_else(|hang| panic!("{name}: {hang}, in a second session too"))
            }
        };
        pages += 1;
        rows += counted;
    }
    assert!(pages >= AT_LEAST, "only {pages} sessions");
    say(&format!(
        "corpus: {}: {pages} pages, {rows} rows, {} s",
        browser.engine.name(),
        started.elapsed().as_secs()
    ));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|ending| ending == "jsonl" || ending == "json" || ending == "txt")
        {
            files.push(path);
        }
    }
}

/// How many rows the page has, which are those of the library.
fn check(browser: &Browser, name: &str, exported: &Exported) -> usize {
    let leaf = exported.leaf();
    let rows = exported.row_ids(&leaf, Filter::Default, "");
    let word = word_of(exported);
    let page = browser.open(exported, "");
    let (listed, entries, hit): (Vec<String>, String, Option<String>) = page.call(
        "async (leaf, word) => [
            window.leafpress.rows(leaf, 'default').map((row) => row.id),
            document.getElementById('status').textContent,
            (await window.leafpress.search(word))[0] ?? null,
        ]",
        &(&leaf, &word),
    );
    assert_eq!(listed, rows, "{name}: rows");
    // Those of the session of the leaf: a sub-agent has entries of its own.
    let tree = exported.session.tree();
    let own = tree.session_of(exported.session.leaf());
    let total = tree.order().filter(|&entry| tree.session_of(entry) == own).count();
    assert!(
        entries.replace(',', "").contains(&format!("{} of {total} entr", rows.len())),
        "{name}: {entries:?}, {} of {total}",
        rows.len()
    );
    assert_eq!(hit.as_ref(), exported.hit_keys(&word).first(), "{name}: the first hit of {word:?}");
    let mut drawn = page.drawn_rows();
    // Below an entry that started a sub-agent stands a row of that.
    let of_others =
        |row: &String| exported.session.find(row).is_none_or(|entry| tree.session_of(entry) != own);
    drawn.retain(|row| rows.contains(row) || !of_others(row));
    assert!(is_part_of(&drawn, &rows), "{name}: {drawn:?}");
    assert!(!drawn.is_empty() || rows.is_empty(), "{name}: no row is drawn");
    let _: Value = page.get("window.scrollTo(0, document.documentElement.scrollHeight) ?? null");
    page.settle();
    let troubles = page.troubles();
    assert!(troubles.is_empty(), "{name}: {troubles:#?}");
    rows.len()
}

/// The last word of the newest entry that has one, so that most searches find something.
fn word_of(exported: &Exported) -> String {
    let texts = exported.texts().iter().rev();
    let words =
        texts.flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphanumeric()).rev());
    let mut words = words.filter(|word| word.len() > 3);
    words.next().unwrap_or("tide").to_owned()
}
