//! Opening: what is there again, what is put aside, what is refused.

use leafpress::session::EntryIndex;
use std::fs;
use std::path::{Path, PathBuf};

use leafpress::store::{Agent, SessionStore, StoreError, Sync, migrate};
use serde_json::json;

use crate::store::support::{Append as _, lines, new, user};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#;

fn entry(id: &str, parent: Option<&str>, text: &str) -> String {
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:01.000Z",
        "message": {"role": "user", "content": text}})
    .to_string()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join("s.jsonl");
        fs::write(&path, content).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            names.map(|name| name.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn torn(path: &Path) -> String {
    fs::read_to_string(format!("{}.torn", path.display())).unwrap()
}

#[test]
fn what_was_appended_is_there_again() {
    let folder = Folder::new();
    let mut store = SessionStore::create_in(folder.0.path(), new()).unwrap();
    let path = store.path().unwrap().to_owned();
    let one = store.user("1");
    store.assistant("2");
    store.append_label(&one, Some("start")).unwrap();
    store.branch(&one).unwrap();
    let three = store.user("3");
    let id = store.id().to_owned();
    let before: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
    drop(store);
    let mut store = SessionStore::open(&path).unwrap();
    assert_eq!(store.id(), id);
    assert_eq!(store.ids_in_order().collect::<Vec<_>>(), before);
    assert_eq!((store.leaf(), store.parent(&three)), (Some(three.as_str()), Some(one.as_str())));
    assert_eq!(store.label(&one).unwrap().text, "start");
    store.assistant("4");
    assert_eq!(lines(&path).len(), 6);
}

#[test]
fn a_move_without_an_entry_is_forgotten() {
    let folder = Folder::new();
    let path =
        folder.file([HEADER, &entry("a", None, "1"), &entry("b", Some("a"), "2"), ""].join("\n"));
    let mut store = SessionStore::open(&path).unwrap();
    store.branch("a").unwrap();
    drop(store);
    assert_eq!(SessionStore::open(&path).unwrap().leaf(), Some("b"));
}

#[test]
fn a_torn_last_line_is_put_aside_and_never_glued_to() {
    let folder = Folder::new();
    let whole = [HEADER, &entry("a", None, "1"), ""].join("\n");
    let last = entry("b", Some("a"), "é2");
    // At any byte, that of the end apart; within a letter, too.
    for cut in 1..last.len() {
        let path = folder.file([whole.as_bytes(), &last.as_bytes()[..cut]].concat());
        let mut store = SessionStore::open(&path).unwrap();
        assert_eq!(
            (store.len(), fs::read(&path).unwrap()),
            (1, whole.clone().into_bytes()),
            "{cut}"
        );
        let aside = fs::read(format!("{}.torn", path.display())).unwrap();
        assert_eq!(aside, [&last.as_bytes()[..cut], b"\n"].concat());
        store.user("next");
        assert_eq!(lines(&path).len(), 3);
        drop(store);
        fs::remove_file(format!("{}.torn", path.display())).unwrap();
    }
    // Two of them are kept both.
    for tail in ["{\"one", "{\"two"] {
        SessionStore::open(folder.file(format!("{whole}{tail}"))).unwrap();
    }
    assert_eq!(torn(&folder.0.path().join("s.jsonl")), "{\"one\n{\"two\n");
}

#[test]
fn zeros_that_a_power_loss_left_are_put_aside() {
    let folder = Folder::new();
    let whole = [HEADER, &entry("a", None, "1"), ""].join("\n");
    let path = folder.file([whole.as_bytes(), &[0; 700]].concat());
    assert_eq!(SessionStore::open(&path).unwrap().len(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn a_whole_last_line_without_its_end_gets_one() {
    let folder = Folder::new();
    let text = [HEADER, &entry("a", None, "1")].join("\n");
    let path = folder.file(&text);
    let mut store = SessionStore::open(&path).unwrap();
    assert_eq!(store.leaf(), Some("a"));
    store.user("2");
    assert!(fs::read_to_string(&path).unwrap().starts_with(&format!("{text}\n{{")));
    assert_eq!(folder.names(), ["s.jsonl"]);
    // A header alone is a session, too.
    drop(store);
    for text in [HEADER.to_owned(), format!("{HEADER}\n")] {
        let path = folder.file(text);
        let mut store = SessionStore::open(&path).unwrap();
        assert_eq!((store.len(), store.leaf(), store.header().id.as_str()), (0, None, "s"));
        store.append_thinking_level("low").unwrap();
        assert_eq!(lines(&path).len(), 2);
    }
}

#[test]
fn damage_within_the_file_stays_where_it_is() {
    let folder = Folder::new();
    let text =
        [HEADER, "not json", &entry("a", Some("gone"), "1"), "", "{\"type\":\"message\"}", ""]
            .join("\n");
    let path = folder.file(&text);
    let mut store = SessionStore::open(&path).unwrap();
    assert_eq!((store.len(), store.parent("a"), store.children(None)), (1, None, vec!["a"]));
    store.user("2");
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text));
    assert_eq!(store.session().unwrap().damage().len(), 3);
}

#[test]
fn d12_d13_labels_of_the_file() {
    let folder = Folder::new();
    let label = |id: &str, target: &str, label: &str| {
        json!({"type": "label", "id": id, "parentId": "a", "timestamp": "2026-01-01T00:00:02.000Z",
            "targetId": target, "label": label})
        .to_string()
    };
    let path = folder.file(
        [
            HEADER,
            &entry("a", None, "1"),
            &label("b", "nowhere", "x"),
            &label("c", "a", "y"),
            &label("d", "a", ""),
            "",
        ]
        .join("\n"),
    );
    let store = SessionStore::open(&path).unwrap();
    assert!(store.labels().is_empty());
    assert_eq!(store.len(), 4);
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let folder = Folder::new();
    let mut store = SessionStore::create_in(folder.0.path(), new()).unwrap();
    let one = store.user("1");
    let path = store.path().unwrap().to_owned();
    for _ in 0..2 {
        let refused = SessionStore::open(&path).unwrap_err();
        assert!(matches!(&refused, StoreError::Locked(locked) if *locked == path));
        assert!(refused.to_string().ends_with("another process is writing to it"));
        assert!(matches!(migrate(&path), Err(StoreError::Locked(_))));
        // Reading takes no lock.
        assert_eq!(
            leafpress::read(fs::read(&path).unwrap()).unwrap().id(EntryIndex::new(0)),
            Some(one.as_str())
        );
        assert_eq!(SessionStore::read_only(&path).unwrap().children(None), [one.as_str()]);
        store.user("2");
        store.branch(&one).unwrap();
        drop(store);
        store = SessionStore::open(&path).unwrap();
    }
}

#[test]
fn what_another_program_wrote_meanwhile_is_not_glued_to() {
    let folder = Folder::new();
    let path = folder.file([HEADER, &entry("a", None, "1"), ""].join("\n"));
    let mut store = SessionStore::open(&path).unwrap();
    let foreign = fs::read_to_string(&path).unwrap() + &entry("b", Some("a"), "2") + "\n";
    fs::write(&path, &foreign).unwrap();
    assert!(matches!(store.append_message(&user("3")), Err(StoreError::Changed(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    assert_eq!((store.len(), store.leaf()), (1, Some("a")));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_gone_is_told_of() {
    let folder = Folder::new();
    let path = folder.file([HEADER, &entry("a", None, "1"), ""].join("\n"));
    let mut store = SessionStore::open(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(matches!(store.append_message(&user("2")), Err(StoreError::Gone(_))));
    assert_eq!(store.len(), 1);
}

#[test]
fn a_file_that_cannot_be_made_leaves_the_store_as_it_was() {
    let folder = Folder::new();
    let obstacle = folder.0.path().join("x");
    fs::write(&obstacle, "").unwrap();
    let mut store = SessionStore::create(obstacle.join("s.jsonl"), new()).unwrap();
    let model = store.append_model("p", "m").unwrap();
    let failed = store.append_message(&user("1"));
    assert!(matches!(failed, Err(StoreError::Io { action: "create", .. })), "{failed:?}");
    assert_eq!((store.len(), store.leaf(), store.is_written()), (1, Some(model.as_str()), false));
    fs::remove_file(&obstacle).unwrap();
    store.user("1");
    assert_eq!(lines(&obstacle.join("s.jsonl")).len(), 3);
}

#[test]
fn omps_entries_in_pis_file_do_not_lock_the_store_out() {
    let folder = Folder::new();
    let path = folder.file([HEADER, &entry("a", None, "1"), ""].join("\n"));
    SessionStore::open(&path).unwrap().append_mode("plan").unwrap();
    assert_eq!(SessionStore::open(&path).unwrap().len(), 2);
}

#[test]
fn what_is_no_session_is_refused_and_not_touched() {
    let folder = Folder::new();
    let omp_title = r#"{"type":"title","v":1,"title":"x","updatedAt":"2026-01-01T00:00:00.000Z"}"#;
    let no_id = r#"{"type":"session","version":3,"timestamp":"2026-01-01T00:00:00.000Z"}"#;
    let newer = HEADER.replace("\"version\":3", "\"version\":7");
    let no_sessions = ["", "\n \n", "not json", &entry("a", None, "1"), no_id, "[1]"];
    for text in no_sessions {
        let path = folder.file(text);
        let refused = SessionStore::open(&path);
        assert!(matches!(refused, Err(StoreError::NoSession { .. })), "{text}: {refused:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let omp_entry = r#"{"type":"title_change","id":"t","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","title":"x","source":"auto"}"#;
    let claude = r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"}}"#;
    let refused = SessionStore::open(folder.file(claude));
    assert!(
        matches!(&refused, Err(StoreError::ReadOnly { found, .. }) if found == "Claude Code"),
        "{refused:?}"
    );
    for text in [format!("{omp_title}\n{HEADER}\n"), format!("{HEADER}\n{omp_entry}\n")] {
        assert_eq!(SessionStore::open(folder.file(&text)).unwrap().agent(), Agent::Omp);
    }
    let path = folder.file(format!("{newer}\n{}\n", entry("a", None, "1")));
    assert!(matches!(SessionStore::open(path), Err(StoreError::Newer { version: 7, .. })));
    assert!(matches!(
        SessionStore::open(folder.0.path()),
        Err(StoreError::Io { .. } | StoreError::NoSession { .. })
    ));
    assert!(matches!(
        SessionStore::open(folder.0.path().join("none")),
        Err(StoreError::Io { action: "open", .. })
    ));
    assert_eq!(folder.names(), ["s.jsonl"]);
}

#[test]
fn every_sync_policy_writes_the_same() {
    let folder = Folder::new();
    for (sync, name) in [(Sync::OnFlush, "a"), (Sync::EachEntry, "b")] {
        let path = folder.0.path().join(name);
        let mut store = SessionStore::create(&path, new()).unwrap().with_sync(sync);
        store.flush().unwrap();
        store.user("1");
        store.assistant("2");
        store.flush().unwrap();
        assert_eq!(lines(&path).len(), 3);
    }
}

#[test]
fn an_old_file_is_rewritten_once_and_kept_beside() {
    for (name, version) in [("pi-v1.jsonl", 1), ("pi-v2-hookmessage.jsonl", 2)] {
        let folder = Folder::new();
        let old = fs::read(format!("tests/fixtures/samples-2026-03/{name}")).unwrap();
        let before = leafpress::read(old.clone()).unwrap();
        let path = folder.file(&old);
        let migrated = migrate(&path).unwrap().unwrap();
        assert_eq!(
            (migrated.from, migrated.entries, migrated.left_out),
            (version, before.len(), 0)
        );
        assert_eq!(fs::read(&migrated.backup).unwrap(), old);
        let after = leafpress::read(fs::read(&path).unwrap()).unwrap();
        assert_eq!((after.header().version, after.len()), (3, before.len()));
        for entry in after.indices() {
            assert_eq!(after.id(entry).unwrap(), before.id(entry).unwrap());
            assert_eq!(after.tree().parent(entry), before.tree().parent(entry));
        }
        let context = |session| {
            serde_json::to_value(leafpress::report::context(session, session.leaf()).unwrap())
                .unwrap()
        };
        assert_eq!(context(&after), context(&before));
        assert_eq!(migrate(&path).unwrap(), None, "nothing is left to do");
        assert_eq!(folder.names().len(), 2);

        fs::write(&path, &old).unwrap();
        let store = SessionStore::open(&path).unwrap();
        assert_eq!((store.len(), store.header().version), (before.len(), 3));
        assert_eq!(folder.names().len(), 3, "another backup, never over the first");
    }
}
