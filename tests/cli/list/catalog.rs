//! `leafpress list` with a catalog: the same list, from fewer files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use serde_json::json;

use crate::cli::opencode::{ONE_MORE, fill};
use crate::support::folder::files;
use crate::support::home::{Home, pi};

const FILE: &str = ".pi/agent/sessions/--w--/a.jsonl";

/// With sessions of many kinds, and the catalog of them.
fn home() -> Home {
    let home = Home::with_three();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for (from, to) in [
        ("samples/claude-code/projects", ".claude/projects"),
        ("samples/codex/sessions", ".codex/sessions"),
        ("samples/copilot/session-state", ".copilot/session-state"),
        ("samples/cursor/projects", ".cursor/projects"),
        ("samples/gemini/chats", ".gemini/tmp/tide/chats"),
        ("samples/qwen/projects", ".qwen/projects"),
        // A sub-agent works in a file of its own.
        ("ends/claude-code-background", ".claude/projects/-w"),
        ("ends/claude-code-sub-agent-done", ".claude/projects/-v"),
    ] {
        copy(&fixtures.join(from), &home.path(to));
    }
    for name in ["pi-failed", "pi-question-in-code", "pi-stopped"] {
        let to = home.path(&format!(".pi/agent/sessions/--w--/{name}.jsonl"));
        fs::copy(fixtures.join(format!("ends/{name}.jsonl")), to).unwrap();
    }
    let header = pi("x", "/w", 50).lines().next().unwrap().to_owned();
    let setting = json!({"type": "model_change", "id": "m", "parentId": null, "provider": "p", "modelId": "m"});
    home.file(".pi/agent/sessions/--w--/unused.jsonl", &format!("{header}\n{setting}\n"));
    home.file(".pi/agent/sessions/--w--/broken.jsonl", "no session");
    let bare = pi("without times", "/w", 1).replace("timestamp", "when");
    home.file(".pi/agent/sessions/--w--/bare.jsonl", &bare);
    let sub_agents = home.read(".claude/projects/-w/session.jsonl");
    home.file(".claude/projects/-w/agent-1.jsonl", &sub_agents);
    let database = home.path(".local/share/opencode/opencode.db");
    fs::create_dir_all(database.parent().unwrap()).unwrap();
    fill(&database, &[("ses_1", "Low tide", 1)]);
    index(&home);
    home
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let to = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
}

/// Makes the catalog, or brings it up to date.
fn index(home: &Home) {
    home.run(&["search", "nowhere"]).code(1);
}

fn data(home: &Home) -> PathBuf {
    home.path(".local/share/leafpress")
}

fn catalog(home: &Home) -> Connection {
    Connection::open(data(home).join("catalog.sqlite")).unwrap()
}

/// Changes what the catalog says of sessions.
fn replace(catalog: &Connection, from: &str, to: &str) {
    let change = "UPDATE listings SET rest = replace(rest, ?1, ?2) WHERE instr(rest, ?1)";
    assert_eq!(catalog.execute(change, [from, to]).unwrap(), 1);
}

/// What the commands print that look for sessions, with a catalog in this directory.
fn printed(home: &Home, data: &Path) -> Vec<String> {
    let commands: [&[&str]; 8] = [
        &["list", "--json", "-n", "0"],
        &["list"],
        &["list", "--json", "-n", "4"],
        &["list", "--json", "-n", "0", "--agent", "claude-code"],
        &["list", "--json", "--cwd", "/w"],
        &["tree", "--last"],
        &["stats", "3"],
        &["tree", "fire-kiln"],
    ];
    let printed = |args: &&[&str]| {
        let assert = home.command(args).env("LEAFPRESS_DATA", data).assert();
        let output = assert.get_output();
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|out| String::from_utf8_lossy(out).into_owned());
        format!("{args:?}: {:?}\n{stdout}{stderr}", output.status.code())
    };
    commands.iter().map(printed).collect()
}

/// Compares the list with that of a person who has no catalog.
#[track_caller]
fn assert_same(home: &Home, data: &Path, state: &str) {
    let before = contents(data);
    let with = printed(home, data);
    let without = printed(home, &home.path("nowhere"));
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(with, without, "{state}");
    }
    assert_eq!(contents(data), before, "{state}: something was written");
    assert!(!home.path("nowhere").exists());
}

/// Each file with its time and bytes.
fn contents(folder: &Path) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    let of = |path: PathBuf| {
        let about = fs::metadata(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        (path, about.modified().unwrap(), bytes)
    };
    // The directory's time tells of a file that was there for a moment.
    let own = (folder.to_owned(), fs::metadata(folder).unwrap().modified().unwrap(), Vec::new());
    files(folder).into_iter().map(of).chain([own]).collect()
}

#[test]
fn a_catalog_gives_the_list_that_the_files_give() {
    let home = home();
    assert_same(&home, &data(&home), "new");
    let list = home.list(&["-n", "0"]);
    assert!(list["total"].as_u64().unwrap() > 15 && list["unreadable"] == 2, "{list}");
}

#[test]
fn what_changed_since_the_catalog_was_made_is_read_from_the_files() {
    let home = home();
    let data = data(&home);
    let grown = json!({"type": "message", "id": "b", "parentId": "a", "timestamp": "2026-03-01T10:59:00.000Z",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "At 1240 degrees?"}]}});
    home.file(FILE, &format!("{}{grown}\n", home.read(FILE)));
    assert_same(&home, &data, "a file has grown");
    let grown = home.list(&["-n", "0", "--cwd", "/w/pottery"])["sessions"][0].clone();
    assert_eq!((&grown["entries"], &grown["ended"]), (&json!(2), &json!("question")));

    let other = ".pi/agent/sessions/--w--/b.jsonl";
    home.file(other, &home.read(other).replace("tideTable", "timeTable"));
    assert_same(&home, &data, "a file has other bytes of the same number");

    home.file(".pi/agent/sessions/--w--/new.jsonl", &pi("a new one", "/w", 58));
    fs::remove_file(home.path(".pi/agent/sessions/--w--/pi-failed.jsonl")).unwrap();
    let workspace = ".copilot/session-state/5e1f0c2a-tide/workspace.yaml";
    home.file(workspace, &home.read(workspace).replace("Ana's tides", "Another title"));
    assert_same(&home, &data, "files came, went and changed beside a session");
    assert!(home.prompts(&["-n", "0"]).contains(&"a new one".to_owned()));

    let database = Connection::open(home.path(".local/share/opencode/opencode.db")).unwrap();
    database.execute_batch(ONE_MORE).unwrap();
    assert_same(&home, &data, "a database has a log");
    index(&home);
    assert_same(&home, &data, "up to date again");
    // The file is another one, its sessions are not.
    database.execute_batch("CREATE TABLE tides(height); PRAGMA wal_checkpoint(truncate)").unwrap();
    index(&home);
    assert_same(&home, &data, "a database has only sessions that were known");
}

#[test]
fn a_session_without_times_has_that_of_its_file() {
    let home = home();
    let time = |home: &Home| {
        let list = home.list(&["-n", "0"]);
        let sessions = list["sessions"].as_array().unwrap().clone();
        sessions.into_iter().find(|session| session["prompt"] == "without times").unwrap()["time"]
            .clone()
    };
    let file = fs::File::options()
        .write(true)
        .open(home.path(".pi/agent/sessions/--w--/bare.jsonl"))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)).unwrap();
    index(&home);
    assert_eq!(time(&home), "1970-01-12T13:46:40.000Z");
    assert_same(&home, &data(&home), "a file has another time alone");
}

#[test]
fn files_that_the_catalog_knows_are_not_read() {
    let home = home();
    replace(&catalog(&home), "fire the kiln", "from the catalog");
    assert!(home.prompts(&["-n", "0"]).contains(&"from the catalog".to_owned()));
    let listed = home.run(&["list", "-n", "0"]).success();
    let listed = String::from_utf8_lossy(&listed.get_output().stdout).into_owned();
    assert!(listed.contains("from the catalog") && !listed.contains("fire the kiln"), "{listed}");

    let newest = "UPDATE listings SET time = 4000000000000 WHERE id = 'fire-kiln'";
    assert_eq!(catalog(&home).execute(newest, []).unwrap(), 1);
    let tree = home.run(&["tree", "--last"]).success();
    let said = String::from_utf8_lossy(&tree.get_output().stderr).into_owned();
    assert!(said.contains("/a.jsonl"), "{said}");

    let id = "UPDATE listings SET id = 'known-by-this' WHERE id = 'fire-kiln'";
    assert_eq!(catalog(&home).execute(id, []).unwrap(), 1);
    home.run(&["tree", "known-by"]).success();

    // As soon as the file changes, it is read.
    home.file(FILE, &pi("glaze the bowl", "/w/pottery", 1));
    let prompts = home.prompts(&["-n", "0"]);
    assert!(prompts.contains(&"glaze the bowl".to_owned()), "{prompts:?}");
    assert!(!prompts.contains(&"from the catalog".to_owned()), "{prompts:?}");
}

#[test]
fn what_is_no_catalog_changes_nothing_and_stays_as_it_is() {
    let home = home();
    let data = data(&home);
    let path = data.join("catalog.sqlite");
    let whole = fs::read(&path).unwrap();
    let mut changed = whole.clone();
    let middle = changed.len() / 3;
    changed[middle..middle * 2].fill(0xa5);
    for (state, bytes) in [
        ("no database", b"no database, but long enough for one".to_vec()),
        ("half", whole[..whole.len() / 2].to_vec()),
        ("empty", Vec::new()),
        ("overwritten", changed),
    ] {
        fs::write(&path, bytes).unwrap();
        assert_same(&home, &data, state);
    }
    for change in [
        "PRAGMA user_version = 4",
        "PRAGMA user_version = 9999",
        "PRAGMA application_id = 7",
        "DROP TABLE listings",
        "UPDATE listings SET rest = 'no JSON'",
        "UPDATE listings SET agent = 'nobody'",
        "UPDATE listings SET cwd = x'ff'",
        "UPDATE listings SET place = 'codex'",
        "DELETE FROM listings",
    ] {
        fs::write(&path, &whole).unwrap();
        let changed = catalog(&home);
        replace(&changed, "fire the kiln", "of another catalog");
        changed.execute_batch(change).unwrap();
        drop(changed);
        assert_same(&home, &data, change);
    }
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE books(title TEXT); PRAGMA user_version = 7;").unwrap();
    drop(other);
    assert_same(&home, &data, "foreign");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_same(&home, &data, "a directory");
}

#[test]
fn a_catalog_in_use_and_one_that_was_left_in_use_are_not_written_to() {
    let home = home();
    let data = data(&home);
    replace(&catalog(&home), "fire the kiln", "half written");
    let writer = catalog(&home);
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0").unwrap();
    replace(&writer, "half written", "from the log");
    let prompts = home.prompts(&["-n", "0"]);
    assert!(prompts.contains(&"from the log".to_owned()), "{prompts:?}");
    replace(&writer, "from the log", "fire the kiln");
    assert_same(&home, &data, "in use");
    for (state, endings) in
        [("killed", &["", "-wal", "-shm"][..]), ("copied without its index", &["", "-wal"])]
    {
        let left = home.path(state);
        fs::create_dir(&left).unwrap();
        for ending in endings {
            let name = format!("catalog.sqlite{ending}");
            fs::copy(data.join(&name), left.join(&name)).unwrap();
        }
        assert_same(&home, &left, state);
    }
    writer.execute_batch("BEGIN EXCLUSIVE; DELETE FROM listings; DELETE FROM files;").unwrap();
    assert_same(&home, &data, "being written");
    drop(writer);
    assert_same(&home, &data, "left alone");
}

#[cfg(unix)]
#[test]
fn a_catalog_that_cannot_be_written_is_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = home();
    let data = data(&home);
    let rights = |mode: u32, folder: u32| {
        let path = data.join("catalog.sqlite");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        fs::set_permissions(&data, fs::Permissions::from_mode(folder)).unwrap();
    };
    replace(&catalog(&home), "fire the kiln", "read only");
    rights(0o400, 0o500);
    let before = contents(&data);
    assert!(home.prompts(&["-n", "0"]).contains(&"read only".to_owned()));
    assert_eq!(contents(&data), before);
    rights(0o600, 0o700);
}
