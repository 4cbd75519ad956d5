//! A search of all sessions finds what a search within each of them finds.

use std::collections::BTreeSet;
use std::path::PathBuf;

use leafpress::format::{ReadOptions, read_with};
use leafpress::{Filter, Session, report};
use serde_json::Value;

use super::all::all_sessions;

const QUERIES: [&str; 24] = [
    "the",
    "read",
    "Tide",
    "ide",
    "src/",
    "\"in the\"",
    "the -error",
    "is:error",
    "is:stop",
    "is:prompt",
    "is:commit",
    "is:labeled",
    "role:user",
    "tool:bash",
    "role:assistant -is:error fix",
    "before:2026-01-01",
    "after:2026-01-01 file",
    "ls",
    "cargo test",
    "x",
    "日本",
    "é",
    "->",
    "-the",
];

fn paths(report: &Value) -> BTreeSet<String> {
    let sessions = report["sessions"].as_array().unwrap().iter();
    sessions.map(|session| session["path"].as_str().unwrap().to_owned()).collect()
}

/// What a search in one session and its title, which is in small letters, find.
fn is_found(session: &Session, title: &str, query: &str) -> bool {
    let tree = report::tree(session, session.leaf(), Filter::All, Some(query)).unwrap();
    let in_tree = tree.shown > 0 || tree.sub_sessions.iter().any(|sub| sub.shown > 0);
    let words = query.trim_matches('"').to_lowercase();
    let is_of_words = !query.contains([':', '-']);
    let in_title = if query.starts_with('"') {
        title.contains(&words)
    } else {
        words.split(' ').all(|word| title.contains(word))
    };
    in_tree || is_of_words && in_title || query == "the -error" && title.contains("the")
}

#[test]
fn the_whole_search_finds_what_the_tree_finds_and_the_index_a_part_of_it() {
    let (home, _) = all_sessions();
    let search = |args: &[&str]| {
        let args = [&["search", "--json", "-n", "0"], args].concat();
        let found = home.run(&args);
        let out = found.get_output();
        assert!(out.status.code().is_some_and(|code| code < 2), "{args:?}: {out:?}");
        serde_json::from_slice::<Value>(&out.stdout).unwrap()
    };
    let all = paths(&search(&["--", "-agent:nobody"]));
    assert!(all.len() > 60, "{} sessions", all.len());
    let sessions: Vec<(String, Session, String)> = all
        .into_iter()
        .map(|path| {
            let options = ReadOptions::new().session(PathBuf::from(&path));
            let session = read_with(std::fs::read(&path).unwrap(), None, &options).unwrap();
            let title = report::stats(&session).title.to_lowercase();
            (path, session, title)
        })
        .collect();
    for query in QUERIES {
        let query_args = ["--", query];
        let found = sessions.iter().filter(|(_, session, title)| is_found(session, title, query));
        let expected: BTreeSet<String> = found.map(|(path, ..)| path.clone()).collect();
        let full = search(&[&["--full"], &query_args[..]].concat());
        assert_eq!(paths(&full), expected, "{query}");
        assert_eq!(full["total"], expected.len());
        let index = search(&query_args);
        let by_index = paths(&index);
        assert_eq!(index["total"], by_index.len(), "{query}");
        let more: Vec<_> = by_index.difference(&expected).collect();
        assert!(more.is_empty(), "{query}: {more:?}");
    }
    let by_index = paths(&search(&["the"]));
    assert!(by_index.len() > 10, "the index finds {} sessions", by_index.len());
}
