use std::path::PathBuf;

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::format::database::Database;
use crate::format::{ReadOptions, read_with};
use crate::report;
use crate::session::context::Facts;
use crate::session::{EntryIndex, Session};

/// The tables as far as they are read, 2026.9.6.
const TABLES: &str = "
    CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL, updated_at INTEGER NOT NULL,
        created_at INTEGER, parent_session_key TEXT, spawned_by TEXT, label TEXT, display_name TEXT) STRICT;
    CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT,
        reason TEXT, created_at INTEGER, started_at INTEGER) STRICT;
    CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB,
        PRIMARY KEY (session_id, seq)) STRICT;
    CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, archive_name TEXT NOT NULL,
        storage TEXT NOT NULL, archive_blob BLOB) STRICT;
    CREATE TABLE session_transcript_archives (session_id TEXT, session_key TEXT NOT NULL) STRICT;
    CREATE TABLE session_transcript_index_state (session_id TEXT PRIMARY KEY, leaf_event_id TEXT) STRICT;
    CREATE TABLE auth_profiles (token TEXT) STRICT;
    INSERT INTO auth_profiles VALUES ('never read');";

const CHILD: &str = "agent:main:subagent:1";

struct Made {
    folder: TempDir,
    connection: Connection,
}

impl Made {
    /// A session of the key `k`, whose current window is `window`.
    fn new(window: &str) -> Made {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("openclaw-agent.sqlite")).unwrap();
        connection.execute_batch(TABLES).unwrap();
        let made = Made { folder, connection };
        made.node("k", window, None);
        made
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("openclaw-agent.sqlite")
    }

    fn run(&self, sql: &str, values: &[&dyn rusqlite::ToSql]) {
        self.connection.execute(sql, values).unwrap();
    }

    fn node(&self, key: &str, window: &str, parent: Option<&str>) {
        let sql = "INSERT INTO session_nodes VALUES (?1, ?2, 900, 100, ?3, NULL, 'Quay', NULL)";
        self.run(sql, &[&key, &window, &parent]);
    }

    /// A window, its header and entries.
    fn window(&self, key: &str, id: &str, previous: Option<&str>, began: i64, entries: &[Value]) {
        let reason = previous.map_or("initial", |_| "rollover");
        let sql = "INSERT INTO session_windows VALUES (?1, ?2, ?3, ?4, ?5, NULL)";
        self.run(sql, &[&id, &key, &previous, &reason, &began]);
        let header = json!({"type": "session", "version": 3, "id": id, "cwd": "/quay"});
        for (seq, event) in [header].iter().chain(entries).enumerate() {
            let seq = i64::try_from(seq).unwrap();
            let sql = "INSERT INTO transcript_events VALUES (?1, ?2, ?3, NULL)";
            self.run(sql, &[&id, &seq, &event.to_string()]);
        }
    }

    fn read(&self, id: &str) -> Session {
        let database = Database::open(&self.path()).unwrap();
        let source = database.session(id, u64::MAX).unwrap();
        let options = ReadOptions { session: Some(self.path()), ..ReadOptions::default() };
        read_with(source, None, &options).unwrap()
    }
}

fn said(id: &str, parent: Option<&str>, role: &str, words: &str) -> Value {
    let message = json!({"role": role, "content": [{"type": "text", "text": words}]});
    json!({"type": "message", "id": id, "parentId": parent, "message": message})
}

fn user(id: &str, parent: Option<&str>) -> Value {
    said(id, parent, "user", &format!("words of {id}"))
}

fn ids(session: &Session) -> Vec<&str> {
    session.indices().map(|entry| session.id_at(entry)).collect()
}

fn path(session: &Session) -> Vec<&str> {
    let path = session.tree().path(session.leaf());
    path.into_iter().map(|entry| session.id_at(entry)).collect()
}

/// The entries whose messages the model got at the leaf.
fn sent(session: &Session) -> Vec<&str> {
    let context = Facts::read(session).context(Some(session.leaf()));
    let id = |entry: EntryIndex| session.id_at(entry);
    context
        .messages
        .iter()
        .filter(|message| message.sent)
        .map(|message| id(message.entry))
        .collect()
}

#[test]
fn the_windows_of_a_key_are_one_session() {
    let made = Made::new("w2");
    made.window("k", "w2", Some("w1"), 10, &[user("c", None), user("d", Some("c"))]);
    // Made later, and still the first: the current window says what it follows.
    made.window("k", "w1", None, 20, &[user("a", None), user("b", Some("a"))]);
    for name in ["k", "w1", "w2"] {
        let session = made.read(name);
        assert_eq!(ids(&session), ["a", "b", "window-w2", "c", "d"], "{name}");
        assert_eq!(path(&session), ["a", "b", "window-w2", "c", "d"]);
        assert_eq!(sent(&session), ["c", "d"], "a new window begins with nothing");
        assert_eq!((session.header().id.as_str(), session.title()), ("k", Some("Quay")));
        assert_eq!(session.header().agent.as_deref(), Some("OpenClaw"));
        assert!(session.damage().is_empty() && session.notes().is_empty());
    }
    let listed = Database::open(&made.path()).unwrap();
    let prompts = listed.prompts().unwrap();
    assert_eq!(prompts, [("k".to_owned(), "words of a".to_owned())]);
    let listed = listed.sessions().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].cwd.as_deref(), listed[0].time), (Some("/quay"), Some(900)));
}

#[test]
fn what_a_window_took_over_stands_once() {
    let made = Made::new("w2");
    let shared = [user("a", None), user("b", Some("a"))];
    made.window("k", "w1", None, 10, &[&shared[..], &[user("c", Some("b"))]].concat());
    made.window("k", "w2", Some("w1"), 20, &[&shared[..], &[user("d", Some("b"))]].concat());
    let session = made.read("k");
    assert_eq!(ids(&session), ["a", "b", "c", "d"]);
    assert_eq!(path(&session), ["a", "b", "d"]);
}

#[test]
fn a_circle_of_windows_ends_and_a_window_that_nothing_names_is_kept() {
    let made = Made::new("w2");
    made.window("k", "w1", Some("w2"), 10, &[user("a", None)]);
    made.window("k", "w2", Some("w1"), 20, &[user("b", None)]);
    made.window("k", "w3", Some("nowhere"), 15, &[user("c", None)]);
    let session = made.read("k");
    assert_eq!(path(&session), ["a", "window-w2", "b"]);
    assert_eq!(ids(&session), ["a", "window-w3", "c", "window-w2", "b"]);
}

#[test]
fn the_leaf_is_the_one_that_the_database_names() {
    let made = Made::new("w1");
    made.window(
        "k",
        "w1",
        None,
        10,
        &[user("a", None), user("b", Some("a")), user("c", Some("a"))],
    );
    assert_eq!(path(&made.read("k")), ["a", "c"]);
    made.run("INSERT INTO session_transcript_index_state VALUES ('w1', 'b')", &[]);
    assert_eq!(path(&made.read("k")), ["a", "b"]);
}

#[test]
fn a_reset_keeps_words_and_no_result_without_its_call() {
    let made = Made::new("w1");
    let result = |id: &str, parent: &str, call: &str| {
        let message =
            json!({"role": "toolResult", "toolCallId": call, "toolName": "exec", "content": []});
        json!({"type": "message", "id": id, "parentId": parent, "message": message})
    };
    let mut unsent = user("h", Some("g"));
    unsent["message"]["excludeFromContext"] = json!(true);
    let custom = json!({"type": "custom_message", "id": "d", "parentId": "c", "customType": "x", "content": "no", "display": true});
    let reset = json!({"type": "reset", "id": "g", "parentId": "e", "reason": "manual", "firstKeptEntryId": "b"});
    made.window(
        "k",
        "w1",
        None,
        10,
        &[
            user("a", None),
            result("b", "a", "gone"),
            said("c", Some("b"), "assistant", "kept"),
            custom,
            user("e", Some("d")),
            reset,
            unsent,
            user("i", Some("h")),
        ],
    );
    assert_eq!(sent(&made.read("k")), ["c", "e", "i"]);
}

#[test]
fn a_compaction_behind_a_reset_decides() {
    let made = Made::new("w1");
    let compaction = json!({"type": "compaction", "id": "c", "parentId": "b", "summary": "so far", "firstKeptEntryId": "a", "tokensBefore": 9});
    let reset = json!({"type": "reset", "id": "b", "parentId": "a"});
    made.window("k", "w1", None, 10, &[user("a", None), reset, compaction, user("d", Some("c"))]);
    assert_eq!(sent(&made.read("k")), ["c", "a", "d"]);
}

#[test]
fn sub_agents_lie_below_the_call_that_started_them() {
    let made = Made::new("w1");
    let call = json!({"type": "toolCall", "id": "t", "name": "sessions_spawn", "arguments": {"task": "Sound the bay"}});
    let call = json!({"type": "message", "id": "b", "parentId": "a", "message": {"role": "assistant", "content": [call]}});
    let told = json!({"status": "accepted", "childSessionKey": CHILD});
    let result = json!({"role": "toolResult", "toolCallId": "t", "toolName": "sessions_spawn",
        "content": [{"type": "text", "text": told.to_string()}]});
    let result = json!({"type": "message", "id": "c", "parentId": "b", "message": result});
    made.window("k", "w1", None, 10, &[user("a", None), call, result]);
    made.node(CHILD, "s1", Some("k"));
    made.window(CHILD, "s1", None, 11, &[user("x", None)]);
    let session = made.read("k");
    let [sub] = session.sub_sessions() else { panic!("one sub-agent") };
    assert_eq!((sub.agent.as_deref(), sub.missing.as_deref()), (Some("main"), None));
    assert_eq!(session.id_at(sub.started_by), "c");
    assert_eq!(
        Database::open(&made.path()).unwrap().sessions().unwrap().len(),
        1,
        "it is no session of a person's"
    );
}

#[test]
fn archived_windows_are_read_or_said() {
    let lines = format!("{}\n{}\n", user("a", None), user("b", Some("a")));
    let archive = |made: &Made, name: &str, blob: Option<&[u8]>| {
        let sql = "INSERT INTO session_transcript_cold_archives VALUES ('w1', ?1, 'file', ?2)";
        made.run(sql, &[&name, &blob]);
    };
    let made = Made::new("w1");
    made.window("k", "w1", None, 10, &[user("c", Some("b"))]);
    archive(&made, "w1.jsonl", Some(lines.as_bytes()));
    assert_eq!(path(&made.read("k")), ["a", "b", "c"], "in the database");

    let made = Made::new("w1");
    made.window("k", "w1", None, 10, &[user("c", Some("b"))]);
    archive(&made, "w1.jsonl", None);
    let note = "the part of this session in window `w1` is archived (`w1.jsonl`) and not included";
    assert_eq!(made.read("k").notes(), [note]);
    std::fs::write(made.folder.path().join("w1.jsonl"), &lines).unwrap();
    assert_eq!(path(&made.read("k")), ["a", "b", "c"], "beside it");

    let made = Made::new("w1");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x"), &lines).unwrap();
    made.window("k", "w1", None, 10, &[user("c", None)]);
    archive(&made, outside.path().join("x").to_str().unwrap(), None);
    made.run("INSERT INTO session_transcript_archives VALUES ('w0', 'k')", &[]);
    let session = made.read("k");
    assert_eq!(ids(&session), ["c"], "a path leads out of the folder");
    assert!(session.notes()[1].starts_with("1 archived transcript of this session"));
}

#[test]
fn damaged_events_are_kept_or_counted() {
    let made = Made::new("w1");
    made.window("k", "w1", None, 10, &[user("a", None)]);
    let sql = "INSERT INTO transcript_events VALUES ('w1', ?1, ?2, ?3)";
    made.run(sql, &[&7, &Some("{\"type\":\n\"cut"), &None::<Vec<u8>>]);
    made.run(sql, &[&8, &None::<String>, &Some(vec![0x28, 0xb5, 0x2f, 0xfd, 0])]);
    let session = made.read("k");
    assert_eq!(session.damage().len(), 1);
    assert_eq!(session.notes(), ["1 event of the database could not be read"]);
    let database = Database::open(&made.path()).unwrap();
    assert!(database.session("nowhere", u64::MAX).unwrap_err().to_string().contains("no session"));
    assert!(database.session("k", 20).unwrap_err().to_string().contains("larger"));
}

#[test]
fn the_report_of_a_session_names_its_agent() {
    let made = Made::new("w1");
    made.window("k", "w1", None, 10, &[user("a", None)]);
    let stats = serde_json::to_string(&report::stats(&made.read("k"))).unwrap();
    assert!(stats.contains("\"agent\":\"OpenClaw\"") && !stats.contains("never read"), "{stats}");
}

#[test]
fn a_corrupt_database_does_no_harm() {
    let sample =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/samples-2026-11/openclaw.sqlite");
    let whole = std::fs::read(sample).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openclaw-agent.sqlite");
    let attempt = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let Ok(database) = Database::open(&path) else { return };
        let _ = (database.sessions(), database.prompts(), database.children("agent:main:main"));
        if let Ok(source) = database.session("agent:main:main", 1 << 20) {
            let options = ReadOptions { session: Some(path.clone()), ..ReadOptions::default() };
            let _ = read_with(source, None, &options);
        }
    };
    for end in (0..whole.len()).step_by(997) {
        attempt(&whole[..end]);
    }
    for at in (0..whole.len()).step_by(211) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        attempt(&bytes);
    }
}
