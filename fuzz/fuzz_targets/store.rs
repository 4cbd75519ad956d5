//! Any bytes as a session file that is upgraded and written on, and any operations on a session in memory: what fails changes
//! nothing, and what was written reads as the session that the store has.

#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use leafpress::session::{Damage, DamageKind};
use leafpress::store::{Agent, NewSession, SessionStore, migrate};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

/// What stands between the file and the operations in the input.
const BETWEEN: &[u8] = b"--next--\n";

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

fuzz_target!(|bytes: &[u8]| {
    let at = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (file, operations) = match at {
        Some(at) => (&bytes[..at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, bytes),
    };
    let operations = String::from_utf8_lossy(operations);
    for agent in [Agent::Pi, Agent::Omp] {
        let new = NewSession::new().agent(agent).cwd("/w");
        let mut store = SessionStore::in_memory(new).expect("random numbers");
        work(&mut store, &operations);
        agrees(&store);
    }
    for old in fs::read_dir(FOLDER.path()).expect("the folder is there") {
        fs::remove_file(old.expect("a file").path()).expect("a file of our own");
    }
    let path = FOLDER.path().join("s.jsonl");
    fs::write(&path, file).expect("room on the disk");
    upgrade(&path, file);
    write_on(&path, &operations);
});

/// Upgrades a file, once. What it was is beside it then.
fn upgrade(path: &Path, before: &[u8]) {
    let is_as_before = || fs::read(path).expect("a file of our own") == before;
    match migrate(path) {
        Ok(Some(migrated)) => {
            assert!(fs::read(&migrated.backup).expect("a copy") == before, "another copy");
            assert_eq!(migrate(path).expect("a session").map(|again| again.from), None);
        }
        Ok(None) | Err(_) => assert!(is_as_before() && files() == [path], "something was written"),
    }
}

/// Opens a file and writes on. What is in it stays, but for a last line that broke off.
fn write_on(path: &Path, operations: &str) {
    let before = fs::read(path).expect("a file of our own");
    let Ok(read) = SessionStore::read_only(path) else {
        assert!(SessionStore::open(path).is_err(), "read only, it is refused");
        assert!(fs::read(path).expect("a file of our own") == before, "it was written to");
        return;
    };
    let ids: Vec<String> = read.ids_in_order().map(str::to_owned).collect();
    drop(read);
    let Ok(mut store) = SessionStore::open(path) else { return };
    assert!(store.ids_in_order().eq(ids.iter().map(String::as_str)), "other entries");
    work(&mut store, operations);
    let _ = store.session();
    let whole = before.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |at| &before[..at]);
    let after = fs::read(path).expect("a file of our own");
    let is_kept = [whole, without_title(whole)]
        .into_iter()
        .any(|whole| after.starts_with(whole) || without_title(&after).starts_with(whole));
    assert!(is_kept, "lines were changed");
}

/// oh-my-pi writes a new title over the first line, or ahead of it where that is no title that can be read.
fn without_title(file: &[u8]) -> &[u8] {
    let is_title = file.starts_with(b"{\"type\":\"title\"");
    let end = file.iter().position(|&byte| byte == b'\n').filter(|_| is_title);
    end.map_or(file, |end| &file[end + 1..])
}

fn files() -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER.path()).expect("the folder is there");
    files.map(|file| file.expect("a file").path()).collect()
}

/// Does what each line says: a letter, a digit that chooses an entry, and a text.
fn work(store: &mut SessionStore, operations: &str) {
    for line in operations.lines().take(40) {
        let mut letters = line.chars();
        let Some(what) = letters.next() else { continue };
        let digit = letters.clone().next().and_then(|digit| digit.to_digit(36)).unwrap_or_default();
        let text = letters.as_str();
        let count = store.ids_in_order().len();
        let at = (digit as usize).checked_rem(count).unwrap_or_default();
        let id = store.ids_in_order().nth(at).unwrap_or("none").to_owned();
        let (leaf, len) = (store.leaf().map(str::to_owned), count);
        let done = match what {
            'u' => store.append_message(&json!({"role": "user", "content": text})).map(drop),
            'a' => {
                let content = json!([{"type": "text", "text": text}]);
                store.append_message(&json!({"role": "assistant", "content": content})).map(drop)
            }
            't' => store.append_thinking_level(text).map(drop),
            'm' => store.append_model("p", text).map(drop),
            'c' => store.append_compaction(text, (digit > 0).then_some(&*id), 9).map(drop),
            'd' => store.append_custom(text, &json!({"text": text})).map(drop),
            'l' => store.append_label(&id, (!text.is_empty()).then_some(text)).map(drop),
            'n' => store.append_session_info(text).map(drop),
            'b' => store.branch(&id),
            's' => store.branch_with_summary((digit > 0).then_some(&*id), text).map(drop),
            'x' => store.create_branched_session(&id).map(drop),
            'f' => {
                let to = FOLDER.path().join(format!("branch-{count}"));
                store
                    .plan_branch(&id)
                    .and_then(|plan| store.branched_before(&plan, Some(&to)))
                    .map(drop)
            }
            'r' => {
                store.reset_leaf();
                Ok(())
            }
            _ => store
                .append_message(
                    &serde_json::from_str::<serde_json::Value>(line).unwrap_or_default(),
                )
                .map(drop),
        };
        if done.is_err() {
            assert_eq!(store.leaf(), leaf.as_deref(), "{line}");
            assert_eq!(store.ids_in_order().len(), len, "{line}");
        }
    }
}

/// The session of a store is the one that its lines read as.
fn agrees(store: &SessionStore) {
    let Some(session) = store.session() else {
        assert_eq!(store.ids_in_order().len(), 0, "entries without a session");
        return;
    };
    // The store takes messages of any role.
    let is_damage = |damage: &Damage| damage.kind != DamageKind::NotUnderstood;
    assert!(!session.damage().iter().any(is_damage), "{:?}", session.damage());
    let ids = session.indices().map(|entry| session.id(entry).expect("an entry has an id"));
    assert!(store.ids_in_order().eq(ids), "other entries");
    let again = leafpress::read(session.source().to_vec()).expect("what was written is a session");
    assert_eq!(again.len(), session.len());
    for entry in session.indices() {
        assert_eq!(again.tree().parent(entry), session.tree().parent(entry));
        assert_eq!(again.label(entry), session.label(entry));
    }
    assert_eq!(store.context().is_some(), !session.is_empty());
}
