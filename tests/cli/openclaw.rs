//! Sessions of OpenClaw's database: how they are found, named and told.

use std::path::PathBuf;

use snapbox::str;

use crate::support::home::Home;

/// A database where OpenClaw keeps that of its agent `main`.
fn home() -> (Home, PathBuf) {
    let home = Home::new();
    let folder = home.path(".openclaw/agents/main/agent");
    std::fs::create_dir_all(&folder).unwrap();
    let database = folder.join("openclaw-agent.sqlite");
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/samples-2026-11/openclaw.sqlite");
    std::fs::copy(sample, &database).unwrap();
    (home, database)
}

#[test]
fn a_session_is_found_by_its_title_and_address() {
    let (home, _) = home();
    home.run(&["list"]).success().stdout_eq(str![[r#"
1  2026-10-05 09:01  pi           Depths of the harbor
   10 entries, 1 branch, 3 KB, answered, /home/ana/quay
   [..]openclaw-agent.sqlite#agent:main:main
1 of 1 session, times in UTC
`leafpress N` exports session N of this list

"#]]);
}

#[test]
fn a_key_and_a_window_name_the_same_session() {
    let (home, database) = home();
    let before = std::fs::read(&database).unwrap();
    for name in ["", "#agent:main:main", "#w1", "#w2"] {
        let address = format!("{}{name}", database.display());
        home.run(&["stats", &address]).success().stdout_eq(str![[r#"
Depths of the harbor
OpenClaw  quay  2026-10-05
ended  answered  Five fathoms, measured today.
total  each entry counted once
  counts   10 entries, 4 prompts, 4 turns, 0 tool calls
...
"#]]);
        home.run(&["context", &address]).success().stdout_eq(str![[r#"
leaf f2, model anthropic/claude-sonnet-5, 2 messages
f1  user: A new day: the dock?
f2  assistant: Five fathoms, measured today.

"#]]);
    }
    let address = database.display().to_string();
    home.run(&["context", &address, "--leaf", "e7"]).success().stdout_eq(str![[r#"
leaf e7, model anthropic/claude-sonnet-5, 2 messages
e6  user: Start over: the slip?
e7  assistant: Two.

"#]]);
    let out = home.run(&["stats", &format!("{address}#nobody")]).failure();
    out.stderr_eq(str![[r#"
error: failed to read `[..]openclaw-agent.sqlite`: it holds no session `nobody`
...
"#]]);
    assert_eq!(std::fs::read(&database).unwrap(), before);
    assert_eq!(std::fs::read_dir(database.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_secret_in_the_database_is_redacted_wherever_it_stands() {
    let (home, database) = home();
    let token = super::secrets::token();
    let connection = rusqlite::Connection::open(&database).unwrap();
    let set = |sql: &str| connection.execute(sql, [&token]).unwrap();
    set("UPDATE session_nodes SET display_name = 'uses ' || ?1");
    set("UPDATE session_windows SET reason = 'for ' || ?1 WHERE session_id = 'w2'");
    set("UPDATE transcript_events SET event_json = replace(event_json, 'How deep', ?1) \
         WHERE event_json LIKE '%How deep%'");
    set("UPDATE transcript_events SET event_json = replace(event_json, 'manual', ?1) \
         WHERE event_json LIKE '%manual%'");
    drop(connection);
    let address = database.display().to_string();
    let found = home.run(&["secrets", &address, "--json"]).success();
    let found = crate::support::folder::json(&found);
    assert_eq!(found["findings"].as_array().unwrap().len(), 4, "{found}");
    home.run(&[&address, "--redact", "-o", "page.html"]).success();
    let page = home.read("page.html");
    assert!(!crate::support::inflated::everything(&page).contains(&token));
    home.run(&["extract", "page.html", "-o", "session.jsonl"]).success();
    assert!(!home.read("session.jsonl").contains(&token));
}
