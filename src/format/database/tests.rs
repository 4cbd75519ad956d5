use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::format::{ReadOptions, read_with};
use crate::session::Session;

use super::*;

/// The tables of version 1.x, as far as they are read.
const V1: &str = "
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, directory TEXT NOT NULL,
        title TEXT NOT NULL, version TEXT NOT NULL, revert TEXT, cost REAL, tokens_input INTEGER,
        time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, data TEXT NOT NULL);
    CREATE TABLE account (id TEXT PRIMARY KEY, access_token TEXT);
    INSERT INTO account VALUES ('a', 'never read');
    INSERT INTO session VALUES ('ses_1', 'p', NULL, '/w', 'Tides', '1.17.2', NULL, 0.5, 7, 100, 900);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 100, '{\"role\":\"user\",\"time\":{\"created\":100}}');
    INSERT INTO part VALUES ('prt_0', 'msg_1', 'ses_1', '{\"type\":\"text\",\"text\":\"added\",\"synthetic\":true}');
    INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{\"type\":\"text\",\"text\":\"When is\\nlow tide?\"}');
    INSERT INTO message VALUES ('msg_2', 'ses_1', 200, '{\"role\":\"assistant\",\"time\":{\"created\":200}}');
    INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', '{\"type\":\"tool\",\"tool\":\"task\",\"callID\":\"c\",
        \"state\":{\"status\":\"completed\",\"input\":{\"description\":\"Find\",\"subagent_type\":\"explore\"},\"output\":\"ok\",
        \"metadata\":{\"sessionId\":\"ses_2\"}}}');
    INSERT INTO session VALUES ('ses_2', 'p', 'ses_1', '/w', 'Find (@explore subagent)', '1.17.2', NULL, 0, 0, 210, 250);
    INSERT INTO message VALUES ('msg_3', 'ses_2', 210, '{\"role\":\"user\"}');
    INSERT INTO part VALUES ('prt_3', 'msg_3', 'ses_2', '{\"type\":\"text\",\"text\":\"Where?\"}');
    INSERT INTO session VALUES ('ses_3', 'p', 'ses_2', '/w', 'Child session - 2026', '1.17.2', NULL, 0, 0, 220, 240);
    INSERT INTO message VALUES ('msg_4', 'ses_3', 220, '{\"role\":\"user\"}');
    INSERT INTO session VALUES ('ses_4', 'p', NULL, '/v', 'New session - 2026', '1.17.2', NULL, 0, 0, 300, 950);
    INSERT INTO message VALUES ('msg_5', 'ses_4', 300, '{\"role\":\"user\"}');
    INSERT INTO session VALUES ('ses_5', 'p', NULL, '/w', 'Empty', '1.17.2', NULL, 0, 0, 400, 999);";

/// Those of version 2.x.
const V2: &str = "
    CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, fork_session_id TEXT, fork_boundary TEXT,
        directory TEXT, title TEXT, agent TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, data TEXT);
    INSERT INTO session_v2 VALUES ('ses_1', 'p', NULL, 'ses_0', '{\"type\":\"before\",\"messageID\":\"msg_9\"}', '/w', NULL, 'build', 100, 900);
    INSERT INTO session_message VALUES ('msg_2', 'ses_1', 'assistant', 2, 200, '{\"content\":[{\"type\":\"text\",\"text\":\"At 04:12.\"}],\"time\":{\"created\":201}}');
    INSERT INTO session_message VALUES ('msg_1', 'ses_1', 'user', 1, 100, '{\"text\":\"When is low tide?\"}');
    INSERT INTO session_message VALUES ('msg_3', 'ses_1', 'idle', 3, 300, '{}');
    INSERT INTO session_message VALUES ('msg_4', 'ses_1', 'user', 4, 400, '{\"text\":\"cut o');";

struct Made {
    folder: TempDir,
    path: PathBuf,
}

impl Made {
    fn new(sql: &str) -> Made {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        let made = Made { folder, path };
        made.write(sql);
        made
    }

    fn write(&self, sql: &str) -> Connection {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch(sql).unwrap();
        connection
    }

    fn open(&self) -> Result<Database, DatabaseError> {
        Database::open(&self.path)
    }

    fn export(&self, id: &str) -> Value {
        serde_json::from_slice(&self.open().unwrap().session(id, u64::MAX).unwrap()).unwrap()
    }

    fn read(&self, id: &str) -> Session {
        let source = self.open().unwrap().session(id, u64::MAX).unwrap();
        let options = ReadOptions { session: Some(self.path.clone()), ..ReadOptions::default() };
        read_with(source, None, &options).unwrap()
    }

    /// The files beside each other, with their bytes.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        let named = files.map(|file| {
            (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())
        });
        named.collect()
    }

    /// Whether all that reads the database says so.
    fn is_log_unread(&self) -> bool {
        let said = self.open().unwrap().unread().unwrap_or_default();
        let session = self.read("ses_1");
        assert_eq!(session.notes().iter().any(|note| note == said), !said.is_empty());
        said.contains("write-ahead log")
    }

    fn refused(&self) -> String {
        self.open().unwrap_err().to_string()
    }
}

fn ids(database: &Database) -> Vec<String> {
    database.sessions().unwrap().into_iter().map(|session| session.id).collect()
}

#[test]
fn sessions_that_a_person_began_are_listed_the_newest_first() {
    let database = Made::new(V1).open().unwrap();
    assert_eq!(ids(&database), ["ses_4", "ses_1"]);
    let [newest, tides] = &database.sessions().unwrap()[..] else { panic!("two") };
    assert_eq!((newest.title.as_deref(), newest.time), (None, Some(950)));
    assert_eq!((tides.title.as_deref(), tides.cwd.as_deref()), (Some("Tides"), Some("/w")));
    let prompts = database.prompts().unwrap();
    assert_eq!(prompts, [("ses_1".to_owned(), "When is\nlow tide?".to_owned())]);
}

#[test]
fn a_session_is_read_as_its_export() {
    let made = Made::new(V1);
    let export = made.export("ses_1");
    assert_eq!(export["info"]["id"], "ses_1");
    assert_eq!(export["info"]["tokens"]["input"], 7);
    assert_eq!(export["info"]["time"], json!({"created": 100, "updated": 900}));
    assert_eq!(
        export["messages"][0],
        json!({"info": {"role": "user", "time": {"created": 100}, "id": "msg_1", "sessionID": "ses_1"},
            "parts": [
                {"type": "text", "text": "added", "synthetic": true, "id": "prt_0", "sessionID": "ses_1", "messageID": "msg_1"},
                {"type": "text", "text": "When is\nlow tide?", "id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1"}]})
    );
    let source = made.open().unwrap().session("ses_1", u64::MAX).unwrap();
    assert_eq!(memchr::memchr_iter(b'\n', &source).count(), 5, "a line for each message");
    let all = String::from_utf8(source).unwrap();
    assert!(!all.contains("never read"));
    let failed = |id, limit| made.open().unwrap().session(id, limit).unwrap_err().to_string();
    assert_eq!(failed("ses_9", u64::MAX), "it holds no session `ses_9`");
    assert_eq!(failed("ses_1", 60), "the session is larger than 60 B");
}

#[test]
fn sub_agents_have_their_sessions_in_the_database() {
    let session = Made::new(V1).read("ses_1");
    let [find, child] = session.sub_sessions() else { panic!("two: {:?}", session.sub_sessions()) };
    assert_eq!(
        (find.key.as_str(), find.name(), find.task.as_deref()),
        ("ses_2", "explore", Some("Find"))
    );
    assert_eq!(session.id_at(find.started_by), "prt_2");
    assert_eq!((child.key.as_str(), child.parent), ("ses_2/ses_3", 1));
    assert!(session.notes().iter().all(|note| !note.contains("does not include")));
}

#[test]
fn a_circle_of_parents_and_a_lost_sub_agent_end() {
    let made = Made::new(V1);
    made.write(
        "UPDATE session SET parent_id = 'ses_3' WHERE id = 'ses_1';
         UPDATE session SET parent_id = 'ses_2' WHERE id = 'ses_2';",
    );
    let session = made.read("ses_1");
    assert_eq!(session.sub_sessions().len(), 2);
    assert!(session.sub_sessions()[0].missing.is_none(), "found by the call");
    made.write("DELETE FROM session WHERE id = 'ses_2'");
    let missing = made.read("ses_1").sub_sessions()[0].missing.clone();
    assert_eq!(missing.as_deref(), Some("it holds no session `ses_2`"));
}

#[test]
fn version_2_has_tables_of_its_own() {
    let made = Made::new(V2);
    let database = made.open().unwrap();
    assert_eq!(ids(&database), ["ses_1"]);
    assert_eq!(database.prompts().unwrap()[0].1, "When is low tide?");
    let export = made.export("ses_1");
    assert_eq!(export["info"]["location"], json!({"directory": "/w"}));
    assert_eq!(export["info"]["fork"]["boundary"]["messageID"], "msg_9");
    assert_eq!(
        export["messages"],
        json!([
            {"time": {"created": 100}, "text": "When is low tide?", "id": "msg_1", "type": "user"},
            {"content": [{"type": "text", "text": "At 04:12."}], "time": {"created": 201}, "id": "msg_2", "type": "assistant"},
            {"time": {"created": 300}, "id": "msg_3", "type": "idle"},
            {"type": "damaged", "data": "{\"time\":{\"created\":400},\"text\":\"cut o", "id": "msg_4"},
        ])
    );
    assert_eq!(made.read("ses_1").header().parent_session.as_deref(), Some("ses_0"));
    // A database that was migrated keeps the older tables.
    made.write(V1);
    assert_eq!(ids(&made.open().unwrap()), ["ses_4", "ses_1"]);
    assert_eq!(made.export("ses_1")["messages"][0]["type"], "user");
    assert_eq!(made.export("ses_4")["messages"][0]["info"]["role"], "user");
}

#[test]
fn damaged_rows_and_lost_parts_are_shown() {
    let made = Made::new(V1);
    made.write(
        "UPDATE part SET data = '{\"type\":\"text\"' WHERE id = 'prt_1';
         UPDATE message SET data = '7' WHERE id = 'msg_2';
         INSERT INTO part VALUES ('prt_9', 'msg_9', 'ses_1', '{\"type\":\"text\",\"text\":\"alone\"}');",
    );
    let session = made.read("ses_1");
    let texts: Vec<&str> = session.own_indices().map(|entry| session.raw_at(entry)).collect();
    let all = texts.join("\n");
    assert!(all.contains(r#""data":"{\"type\":\"text\"""#), "{all}");
    assert!(all.contains(r#""role":"damaged","data":"7""#) && all.contains("alone"), "{all}");
}

#[test]
fn nothing_is_changed_or_created() {
    // Without a log, though the file says that it may have one.
    let made = Made::new(&format!("PRAGMA journal_mode = WAL; {V1}"));
    let before = made.files();
    assert_eq!(before.keys().collect::<Vec<_>>(), ["opencode.db"]);
    assert_eq!(made.read("ses_1").sub_sessions().len(), 2);
    assert_eq!(made.files(), before);

    // While OpenCode has it open: the newest message is in the log alone.
    let made = Made::new(&format!("PRAGMA journal_mode = WAL; {V1}"));
    let writer = made.write(
        "PRAGMA wal_autocheckpoint = 0; INSERT INTO message VALUES ('msg_6', 'ses_1', 500, '{\"role\":\"user\"}');",
    );
    let names = ["opencode.db", "opencode.db-shm", "opencode.db-wal"];
    let kept = Made::new("");
    for name in names {
        std::fs::copy(made.folder.path().join(name), kept.folder.path().join(name)).unwrap();
    }
    // A test of the command looks at the index, too: within one process the writer's is used.
    let without_index = || {
        let mut files = made.files();
        files.remove("opencode.db-shm");
        files
    };
    let before = without_index();
    assert_eq!(made.export("ses_1")["messages"].as_array().unwrap().len(), 3);
    assert!(without_index() == before);
    assert_eq!(made.files().keys().collect::<Vec<_>>(), names);
    drop(writer);

    // As a crash leaves them: all three, with an index of the log that says nothing, and without one.
    let index = kept.folder.path().join("opencode.db-shm");
    let check = |state: &str, messages: usize| {
        let before = kept.files();
        let count = kept.export("ses_1")["messages"].as_array().unwrap().len();
        assert_eq!(count, messages, "{state}");
        assert!(kept.files() == before, "{state}");
        kept.is_log_unread()
    };
    assert!(!check("whole", 3));
    std::fs::write(&index, "").unwrap();
    assert!(!check("empty", 3));
    std::fs::write(&index, "x".repeat(40_000)).unwrap();
    assert!(!check("damaged", 3));
    std::fs::remove_file(&index).unwrap();
    assert!(check("none", 2));
}

/// A journal that names a file to be deleted: page 1 as it is, and a file of the person's as the journal of
/// a transaction over several databases (<https://www.sqlite.org/fileformat2.html#the_rollback_journal>).
fn hot_journal(database: &[u8], victim: &str) -> Vec<u8> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    const NONCE: u32 = 7;
    /// The page in which a lock lies is in no journal: its number says that a name follows.
    const LOCK_BYTE: u32 = 1 << 30;
    let size = usize::from(u16::from_be_bytes([database[16], database[17]]));
    let (page, pages) = (&database[..size], database.len() / size);
    let checksum =
        (1..size).rev().filter(|at| at % 200 == size % 200).map(|at| u32::from(page[at]));
    let checksum = checksum.fold(NONCE, u32::wrapping_add);
    let name_sum = victim.bytes().map(u32::from).sum::<u32>();
    let word = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let size_word = word(size);
    let header = [&MAGIC[..], &word(1), &NONCE.to_be_bytes(), &word(pages), &word(512), &size_word];
    let mut journal = header.concat();
    journal.resize(512, 0);
    journal.extend([&word(1)[..], page, &checksum.to_be_bytes()].concat());
    journal.extend((LOCK_BYTE / u32::from_be_bytes(size_word) + 1).to_be_bytes());
    journal
        .extend([victim.as_bytes(), &word(victim.len()), &name_sum.to_be_bytes(), &MAGIC].concat());
    journal
}

#[test]
fn a_journal_is_not_played_back() {
    let made = Made::new(V1);
    let journal = made.folder.path().join("opencode.db-journal");
    let victim = made.folder.path().join("thesis.txt");
    let lay = || {
        std::fs::write(&victim, "years of work").unwrap();
        let whole = std::fs::read(&made.path).unwrap();
        std::fs::write(&journal, hot_journal(&whole, victim.to_str().unwrap())).unwrap();
    };
    // The journal is one that SQLite acts upon.
    lay();
    made.write("SELECT count(*) FROM session");
    assert!(!victim.exists() && !journal.exists());
    lay();
    let before = made.files();
    assert_eq!(made.refused(), "a transaction was cut off");
    assert!(made.files() == before);
    // As other programs leave one for the next transaction.
    std::fs::write(&journal, "").unwrap();
    assert_eq!(ids(&made.open().unwrap()), ["ses_4", "ses_1"]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_beside_a_database_are_not_opened() {
    let made = Made::new(&format!("PRAGMA journal_mode = WAL; {V1}"));
    let writer = made.write(
        "PRAGMA wal_autocheckpoint = 0; INSERT INTO message VALUES ('msg_6', 'ses_1', 500, '{\"role\":\"user\"}');",
    );
    let kept = Made::new("");
    for name in ["opencode.db", "opencode.db-wal", "opencode.db-shm"] {
        std::fs::copy(made.folder.path().join(name), kept.folder.path().join(name)).unwrap();
    }
    drop(writer);
    let messages = || kept.export("ses_1")["messages"].as_array().unwrap().len();
    assert_eq!(messages(), 3);
    let pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    for ending in ["-wal", "-shm", "-journal"] {
        let path = kept.folder.path().join(format!("opencode.db{ending}"));
        let aside = kept.folder.path().join("aside");
        let is_there = std::fs::rename(&path, &aside).is_ok();
        let ways: [&dyn Fn(); 3] = [
            &|| std::os::unix::fs::symlink(&aside, &path).unwrap(),
            &|| std::os::unix::fs::symlink("nothing", &path).unwrap(),
            &|| pipe(&path),
        ];
        for make in ways {
            make();
            if is_there {
                assert_eq!((messages(), kept.is_log_unread()), (2, true), "{ending}");
            } else {
                assert_eq!(kept.refused(), "a transaction was cut off");
            }
            std::fs::remove_file(&path).unwrap();
        }
        if is_there {
            std::fs::rename(&aside, &path).unwrap();
        }
    }
    assert_eq!((messages(), kept.is_log_unread()), (3, false));
}

#[test]
fn a_damaged_first_row_hides_no_session() {
    let rows =
        "UPDATE session_message SET type = x'fe', data = x'80', time_created = 'x' WHERE seq = 1";
    let session = Made::new(&format!("{V2} {rows}")).read("ses_1");
    assert_eq!((session.len(), session.format()), (4, crate::session::Format::OpenCode));
}

#[test]
fn a_damaged_log_is_not_waited_for() {
    let made = Made::new(&format!("PRAGMA journal_mode = WAL; {V1}"));
    let log = made.folder.path().join("opencode.db-wal");
    let torn = [0x37_u8, 0x7f, 0x06, 0x82, 0, 0x2d, 0xe2, 0x18, 0, 0, 0x10, 0];
    for bytes in [vec![0; 4096], b"x".repeat(4096), torn.repeat(100), vec![7]] {
        std::fs::write(made.folder.path().join("opencode.db-shm"), "x".repeat(40_000)).unwrap();
        std::fs::write(&log, bytes).unwrap();
        let (before, begun) = (made.files(), std::time::Instant::now());
        assert_eq!(made.export("ses_1")["messages"].as_array().unwrap().len(), 2);
        assert!(begun.elapsed().as_secs() < 8, "SQLite waits ten seconds for a writer");
        assert!(made.is_log_unread());
        assert!(made.files() == before);
    }
}

#[test]
fn what_is_not_opencode_s_is_refused() {
    let refused = |sql: &str| Made::new(sql).refused();
    assert_eq!(
        refused("CREATE TABLE notes (id)"),
        "it is not a database of OpenCode or OpenClaw: it has no tables of sessions and messages"
    );
    let view = V1
        .replace("CREATE TABLE part (", "CREATE TABLE hidden (")
        .replace("INTO part", "INTO hidden");
    let view = format!("{view} CREATE VIEW part AS SELECT * FROM hidden;");
    assert!(refused(&view).ends_with("`part` is not a table"));
    assert!(
        refused("CREATE VIRTUAL TABLE session USING fts5(id)")
            .ends_with("`session` is not a table")
    );
    assert!(
        refused("CREATE TABLE session (id, time_created)").ends_with("no column `time_updated`")
    );
    let computed = "CREATE TABLE session (id, time_created, time_updated AS (id || id))";
    assert!(
        refused(computed).ends_with("no column `time_updated`"),
        "it would be computed for each row"
    );
    let made = Made::new(V1);
    std::fs::write(&made.path, "SQLite format 3\0 and nothing of it").unwrap();
    assert!(made.refused().starts_with("the database cannot be read"), "{}", made.refused());
    std::fs::write(&made.path, "text").unwrap();
    assert!(made.refused().ends_with("no SQLite database"));
}

#[test]
fn a_corrupt_database_does_no_harm() {
    let made = Made::new(V1);
    let whole = std::fs::read(&made.path).unwrap();
    let attempt = |bytes: &[u8]| {
        std::fs::write(&made.path, bytes).unwrap();
        let Ok(database) = made.open() else { return };
        let _ = (database.sessions(), database.prompts(), database.children("ses_1"));
        if let Ok(source) = database.session("ses_1", 1 << 20) {
            let options =
                ReadOptions { session: Some(made.path.clone()), ..ReadOptions::default() };
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

#[test]
fn a_query_that_does_not_end_is_stopped() {
    let connection = Connection::open_in_memory().unwrap();
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    let time = std::time::Duration::from_millis(20);
    let run = || Ok(connection.query_row(endless, [], |row| row.get::<_, i64>(0))?);
    assert!(matches!(open::within(&connection, time, run), Err(DatabaseError::TooSlow)));
}
