//! `leafpress archive --documents`: the entries of all sessions as JSON lines.

use serde_json::Value;
use snapbox::str;

use super::secrets::telling;
use crate::cli::secrets::token;
use crate::support::folder::json;
use crate::support::home::Home;

/// The documents of a file.
fn documents(home: &Home, name: &str) -> Vec<Value> {
    home.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_entry_that_says_something_is_a_document_with_the_documented_fields() {
    let home = Home::with_three();
    home.run(&["archive", "--documents", "all.ndjson", "--yes"])
        .success()
        .stdout_eq("all.ndjson\n")
        .stderr_eq(str![[r#"
made the catalog `[..]`
[..]
3 sessions of 3 projects, [..] of session files
3 sessions: [..] documents
replaced 0 secrets

"#]]);
    let all = documents(&home, "all.ndjson");
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scale.md")).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with("| field")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    for document in &all {
        let mut keys: Vec<&str> =
            document.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, names);
        assert_eq!(document["schema"], 1);
    }
    let mut ids: Vec<&str> = all.iter().map(|document| document["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all.len());
    let kiln = all.iter().find(|document| document["session"] == "fire-kiln").unwrap();
    assert_eq!(
        (&kiln["entry"], &kiln["role"], &kiln["text"], &kiln["page"]),
        (
            &"a".into(),
            &"prompt".into(),
            &"fire the kiln".into(),
            &"sessions/fire-kiln.html?targetId=a".into()
        )
    );
    assert_eq!((&kiln["project"], &kiln["cwd"]), (&"pottery".into(), &"/w/pottery".into()));
    // The same again, in the same order, and what a search finds.
    let before = home.read("all.ndjson");
    let again = home.run(&["archive", "--documents", "-", "--yes"]).success();
    assert_eq!(String::from_utf8_lossy(&again.get_output().stdout), before);
    let found = json(&home.run(&["search", "weather", "--json", "-n", "0"]).success());
    let has =
        |document: &&Value| document["text"].as_str().unwrap().to_lowercase().contains("weather");
    assert_eq!(found["sessions"][0]["count"], all.iter().filter(has).count());
}

#[test]
fn documents_are_of_the_sessions_that_are_asked_for() {
    let home = Home::with_three();
    let run = |args: &[&str]| {
        let args = [&["archive", "--documents", "some.ndjson", "--yes"], args].concat();
        home.run(&args).success();
        let mut sessions: Vec<String> = documents(&home, "some.ndjson")
            .iter()
            .map(|document| document["session"].as_str().unwrap().to_owned())
            .collect();
        sessions.dedup();
        sessions
    };
    assert_eq!(run(&["--project", "pottery"]), ["fire-kiln"]);
    assert_eq!(run(&["--exclude-project", "coast", "--since", "2026-10-01"]).len(), 1);
    home.run(&["archive", "--documents", "x.ndjson"]).failure().stderr_eq(str![[r#"
...
error: no terminal to ask whether all of these are to be written
...
"#]]);
    assert!(!home.path("x.ndjson").exists());
    home.run(&["archive", "--documents", "x.ndjson", "-o", "all"]).code(2);
    home.run(&["archive"]).code(2);
}

#[test]
fn no_secret_is_in_a_document() {
    let home = Home::new();
    let token = token();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &telling(&token));
    let args = ["archive", "--documents", "all.ndjson", "--yes", "--tool-output"];
    home.run(&args).success();
    let text = home.read("all.ndjson");
    assert!(text.contains("for the upload") && text.contains("wrote [redacted"), "{text}");
    assert!(!text.contains(&token) && !text.contains(&token[4..]), "{text}");
    home.run(&[&args[..], &["--no-redact"]].concat()).success();
    assert!(home.read("all.ndjson").contains(&token));
}
