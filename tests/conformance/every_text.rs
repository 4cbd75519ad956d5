//! Each text of a session file is on its page, once and at its place: what `support::texts` checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use leafpress::Options;

use crate::support::folder::files;
use crate::support::session::fixture;
use crate::support::texts::{Checked, REASONS, checked, compare, shapes};

/// Whose files are sessions as agents write them. Those of the other folders are damaged or hostile.
const FOLDERS: [&str; 7] =
    ["today", "rules", "samples", "ends", "omp-written", "samples-2026-03", "samples-2026-11"];

/// A prompt whose id is a number: version 3 has no such ids.
const BROKEN: &str = "samples-2026-03/broken";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn wrong(name: &str, checked: &Checked) -> Vec<String> {
    checked.wrong.iter().map(|wrong| format!("{name} ({}): {wrong}", checked.shape)).collect()
}

#[test]
fn every_text_of_the_fixtures_is_on_its_page() {
    let (mut all, mut seen, mut left_out) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut texts = 0;
    for path in FOLDERS.iter().flat_map(|folder| files(&fixtures().join(folder))) {
        let name = path.strip_prefix(fixtures()).unwrap().display().to_string();
        let Some(checked) = checked(&path).filter(|_| !name.starts_with(BROKEN)) else { continue };
        all.extend(wrong(&name, &checked));
        seen.insert(checked.shape);
        left_out.extend(checked.left_out);
        texts += checked.texts;
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert!(texts > 900, "{texts}");
    // Each shape has a fixture, and each exception is one somewhere.
    assert_eq!(seen, shapes().collect());
    let reasons: BTreeSet<&str> = REASONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(left_out, reasons);
}

/// What is wrong with a page after a change to it.
fn after(name: &str, change: impl Fn(String) -> String, is_reversed: bool) -> Vec<String> {
    let file = fixture(name);
    let session = leafpress::read(file.clone()).unwrap();
    let mut page = Vec::new();
    leafpress::export(&session, &Options::default().all_plain(true), &mut page).unwrap();
    let place = |key: &str| {
        let place = session.tree().position(session.find(key)?)?;
        Some(if is_reversed { session.len() - place } else { place })
    };
    let page = change(String::from_utf8(page).unwrap());
    wrong(name, &compare(&file, &page, place).unwrap())
}

#[test]
fn a_text_that_is_gone_doubled_or_out_of_place_is_found() {
    let name = "today/copilot-events.jsonl";
    assert_eq!(after(name, |page| page, false), [""; 0]);
    for text in [
        "Repair the entrance reducer.",
        "The reducer is split at the left edge.",
        "I look at the reducer first.",
        "./fit reducer.toml",
        "gap of 9 mm at the left",
        "A gap of 9 mm remains; I glue the left edge.",
    ] {
        // Whatever colors are within it.
        let first = text.split([' ', ';']).next().unwrap();
        let gone = |page: String| {
            let page = page.replace(text, "");
            if text.starts_with("./") {
                page.replace(first, "").replace("reducer.toml", "")
            } else {
                page
            }
        };
        let found = after(name, gone, false);
        let told = |found: &&String| found.contains("is not on the page") && found.contains(first);
        assert!(found.iter().any(|line| told(&line)), "{text}: {found:?}");
    }
    // One of two that are alike.
    let name = "today/said-twice.jsonl";
    assert_eq!(after(name, |page| page, false), [""; 0]);
    let once = |page: String| {
        let (head, entries) = page.split_at(page.find("<div id=\"transcript\">").unwrap());
        head.to_owned() + &entries.replacen("Close the entrance, please.", "", 1)
    };
    let found = after(name, once, false);
    assert!(found.iter().any(|line| line.contains("shown 1 times, said 2 times")), "{found:?}");
    let name = "today/copilot-events.jsonl";
    let doubled = |page: String| {
        let start = page.find("<article id=\"entry-ev-04\"").unwrap();
        let end = start + page[start..].find("</article>").unwrap() + "</article>".len();
        format!("{}{}{}", &page[..end], &page[start..end], &page[end..])
    };
    let found = after(name, doubled, false);
    assert!(found.iter().any(|line| line.contains("is in 2 entries, and 1 times")), "{found:?}");
    let found = after(name, |page| page, true);
    assert!(found.iter().any(|line| line.contains("before the text that it follows")), "{found:?}");
}

/// `LEAFPRESS_TEXTS=/folder cargo test --test suite -- --ignored every_text` looks through other files.
#[test]
#[ignore = "looks through the files of LEAFPRESS_TEXTS"]
fn every_text_of_a_folder() {
    let folder = std::env::var("LEAFPRESS_TEXTS").expect("LEAFPRESS_TEXTS names a folder");
    let mut all = Vec::new();
    for path in files(Path::new(&folder)) {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        match checked(&path) {
            Some(checked) => {
                println!("{name}: {} texts, {}", checked.texts, checked.shape);
                all.extend(wrong(&name, &checked));
            }
            None => println!("{name}: not walked"),
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
