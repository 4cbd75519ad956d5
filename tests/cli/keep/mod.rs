//! `leafpress keep`, in a home folder of its own.

mod recipes;
#[cfg(unix)]
mod watched;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use snapbox::str;

use super::opencode::fill;
use crate::support::folder::json;
use crate::support::home::{Home, pi};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/samples");

const VAULT: &str = ".local/share/leafpress/keep";

/// Copies a folder of the fixtures to a place in the home.
fn copy(home: &Home, fixture: &str, place: &str) {
    let root = Path::new(SAMPLES).join(fixture);
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let to = home.path(place).join(path.strip_prefix(&root).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, fs::read(path).unwrap()).unwrap();
        }
    }
}

/// All files below a folder, by their paths.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Sessions of agents whose sub-agents and artifacts lie in files of their own.
pub(in crate::cli) fn with_agents() -> Home {
    let home = Home::with_three();
    copy(&home, "claude-code/projects", ".claude/projects");
    copy(&home, "codex/sessions", ".codex/sessions");
    copy(&home, "copilot/session-state", ".copilot/session-state");
    copy(&home, "cursor/projects", ".cursor/projects");
    copy(&home, "gemini", ".gemini/tmp/tides");
    copy(&home, "qwen/projects", ".qwen/projects");
    copy(&home, "omp-18-main", ".omp/agent/sessions/--omp--/omp-18-main");
    copy(&home, "blobs", ".omp/agent/blobs");
    let omp = Path::new(SAMPLES).join("omp-18-main.jsonl");
    home.file(".omp/agent/sessions/--omp--/omp-18-main.jsonl", &fs::read_to_string(omp).unwrap());
    home
}

const AGENTS: [&str; 7] = [".pi", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".qwen"];

fn delete(home: &Home, folders: &[&str]) {
    for folder in folders {
        fs::remove_dir_all(home.path(folder)).unwrap();
    }
}

#[test]
fn what_is_new_is_copied_and_said() {
    let home = Home::with_three();
    home.run(&["keep"]).success().stdout_eq("").stderr_eq(str![[r#"
made the directory `[..]/.local/share/leafpress/keep`
it holds your sessions with their secrets, as your agents' directories do
3 files: 3 new
copied [..] to `[..]/.local/share/leafpress/keep`

"#]]);
    home.run(&["keep"]).success().stderr_eq("3 files: 3 unchanged\n");
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("all is other", "/w/pottery", 1));
    home.file(".pi/agent/sessions/--w--/c.jsonl", &pi("one more", "/w/pottery", 3));
    let mut grown = home.read(".pi/agent/sessions/--w--/b.jsonl");
    grown += "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"and\"}}\n";
    home.file(".pi/agent/sessions/--w--/b.jsonl", &grown);
    home.run(&["keep"]).success().stderr_eq(str![[r#"
4 files: 1 new, 1 grown, 1 rewritten (the earlier version is kept, too), 1 unchanged
copied [..] to `[..]/.local/share/leafpress/keep`

"#]]);
    home.run(&["keep", "--verify"]).success().stderr_eq("5 copies are whole\n");
}

/// The page of each session from its copies alone is the page of the original: sub-agents, images and titles that lie in other
/// files included.
#[test]
fn a_page_of_copies_is_the_page_of_the_originals() {
    let home = with_agents();
    home.run(&["keep"]).success();
    let listed = home.list(&["-n", "0"]);
    let sessions = listed["sessions"].as_array().unwrap();
    assert!(sessions.len() > 10, "{}", sessions.len());
    let export = |session: &Value, page: &str| {
        let path = session["path"].as_str().unwrap();
        home.run(&[path, "-o", page]).success();
        fs::read(home.path(page)).unwrap()
    };
    let key = |session: &Value| {
        let field = |name: &str| session[name].as_str().unwrap().to_owned();
        (field("agent"), field("id"), session["prompt"].to_string(), session["size"].to_string())
    };
    let mut pages = Vec::new();
    for (nth, session) in sessions.iter().enumerate() {
        assert_eq!((&session["kept"], &session["deleted"]), (&true.into(), &false.into()));
        pages.push((key(session), export(session, &format!("live-{nth}.html"))));
    }
    delete(&home, &[&AGENTS[..], &[".omp"]].concat());
    let listed = home.list(&["-n", "0"]);
    let copies = listed["sessions"].as_array().unwrap();
    assert_eq!(copies.len(), sessions.len());
    for (nth, copy) in copies.iter().enumerate() {
        assert_eq!((&copy["kept"], &copy["deleted"]), (&true.into(), &true.into()));
        let page = export(copy, &format!("kept-{nth}.html"));
        let own = pages.iter().filter(|(of, _)| *of == key(copy));
        let is_same = own.clone().any(|(_, live)| *live == page);
        assert!(is_same, "{:?}: {} pages", key(copy), own.count());
    }
}

/// Codex moves a session that is archived to another directory, and compresses one of more than a week.
#[test]
fn a_session_that_was_moved_or_compressed_is_one_session() {
    let home = Home::new();
    copy(&home, "codex/sessions", ".codex/sessions");
    home.run(&["keep"]).success();
    let listed = home.list(&["-n", "0"]);
    let sessions = listed["sessions"].as_array().unwrap();
    let (path, id) = (sessions[0]["path"].as_str().unwrap(), sessions[0]["id"].as_str().unwrap());
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    assert!(name.contains(id), "{name}");
    let archived = home.path(".codex/archived_sessions");
    fs::create_dir(&archived).unwrap();
    fs::rename(path, archived.join(name)).unwrap();
    let ids = || {
        let listed = home.list(&["-n", "0"]);
        let ids = listed["sessions"].as_array().unwrap().iter();
        let mut ids: Vec<(String, bool)> = ids
            .map(|session| (session["id"].to_string(), session["deleted"].as_bool().unwrap()))
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids().len(), sessions.len());
    assert!(ids().iter().all(|(_, is_deleted)| !is_deleted));
    home.run(&["keep"]).success();
    home.run(&["tree", id]).success();
    // Both copies are of one session.
    fs::remove_file(archived.join(name)).unwrap();
    assert_eq!(ids().iter().filter(|(_, is_deleted)| *is_deleted).count(), 1);
    home.run(&["tree", id]).success();
    home.run(&["keep", "--restore", id, "-o", "back"]).success();
}

#[test]
fn a_deleted_session_is_found_by_its_id_and_by_its_words() {
    let home = Home::with_three();
    home.run(&["keep"]).success();
    delete(&home, &[".pi/agent/sessions/--w--"]);
    home.run(&["tree", "fire-kiln"]).success().stdout_eq("[..]fire the kiln\n...\n");
    let found = json(&home.run(&["search", "kiln", "--json"]).success());
    assert_eq!(found["sessions"][0]["id"], "fire-kiln");
    home.run(&["list", "-n", "2"]).success().stdout_eq(str![[r#"
...
2  2026-03-01 [..]  pi           tideTable of 灯台守
   1 entry, 1 branch, [..], [..], deleted by its agent, kept, /w/coast
   id-tideT  ~/.local/s[..]/b_jsonl~[..].1.zst
...
"#]]);
    home.run(&["fire-kiln"]).success().stdout_eq("a.html\n").stderr_eq(str![[r#"
exporting the copy of [..]/.pi/agent/sessions/--w--/a.jsonl
...
"#]]);
    let copies = files(&home.path(VAULT));
    let copy = copies.keys().find(|path| path.to_string_lossy().ends_with(".1.zst")).unwrap();
    home.run(&["label", copy.to_str().unwrap(), "a", "mark"]).failure().stderr_eq(str![[r#"
error: `[..].1.zst` is a copy that leafpress keeps, and never changes
help: write it to another place with `leafpress keep --restore ID -o DIR`

"#]]);
}

#[test]
fn every_byte_is_restored_and_no_file_is_replaced() {
    let home = with_agents();
    home.run(&["keep"]).success();
    let before: BTreeMap<PathBuf, Vec<u8>> =
        AGENTS.iter().flat_map(|agent| files(&home.path(agent))).collect();
    let listed = home.list(&["-n", "0"]);
    let ids: Vec<String> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|session| session["agent"] == "claude-code")
        .map(|session| session["id"].as_str().unwrap().to_owned())
        .collect();
    let claude = files(&home.path(".claude"));
    delete(&home, &[".claude"]);
    for id in &ids {
        home.run(&["keep", "--restore", id]).success();
    }
    let restored = files(&home.path(".claude"));
    for (path, bytes) in &restored {
        assert_eq!(Some(bytes), claude.get(path), "{}", path.display());
    }
    let missing: Vec<&PathBuf> =
        claude.keys().filter(|path| !restored.contains_key(*path)).collect();
    assert_eq!(missing, [] as [&PathBuf; 0]);
    for (path, bytes) in &before {
        assert_eq!(fs::read(path).unwrap(), *bytes, "{}", path.display());
    }
    home.run(&["keep", "--restore", &ids[0]]).success().stderr_eq(str![[r#"
restored 0 files
[..] files are still there, the same as their copies

"#]]);
    let path = restored.keys().find(|path| path.to_string_lossy().contains(&ids[0])).unwrap();
    fs::write(path, "something else").unwrap();
    home.run(&["keep", "--restore", &ids[0]]).failure().stderr_eq(str![[r#"
error: failed to restore [..]: the file there differs from its copy
help: write the copies to another directory with `-o DIR`

"#]]);
    assert_eq!(fs::read_to_string(path).unwrap(), "something else");
    home.run(&["keep", "--restore", &ids[0], "-o", "elsewhere"]).success();
    assert!(
        files(&home.path("elsewhere"))
            .values()
            .all(|bytes| claude.values().any(|own| own == bytes))
    );
}

/// Blobs of omp and sub-agents of Codex do not lie in a directory of the session.
#[test]
fn what_a_session_names_elsewhere_is_restored_with_it() {
    let home = with_agents();
    home.run(&["keep"]).success();
    for agent in ["omp", "codex"] {
        let listed = home.list(&["-n", "0"]);
        let mut sessions = listed["sessions"].as_array().unwrap().iter();
        let session = sessions.find(|session| session["agent"] == agent).unwrap();
        let id = session["id"].as_str().unwrap();
        let before = files(&home.path(&format!(".{agent}")));
        home.run(&["keep", "--restore", id, "-o", agent]).success();
        let bytes = |files: BTreeMap<PathBuf, Vec<u8>>| {
            let mut all: Vec<Vec<u8>> = files.into_values().collect();
            all.sort();
            all
        };
        assert_eq!(bytes(files(&home.path(agent))), bytes(before), "{agent}");
        home.run(&["keep", "--forget", id]).success();
    }
    // Other sessions may name the blob.
    let left = files(&home.path(VAULT)).into_keys().map(|path| path.display().to_string());
    let left: Vec<String> =
        left.filter(|name| name.contains("/keep/omp/") || name.contains("/keep/codex/")).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|name| name.contains("948031d18bd3e7ea")), "{left:?}");
}

#[test]
fn one_session_is_kept_by_its_file_or_by_the_json_of_a_hook() {
    let home = Home::with_three();
    let path = home.path(".pi/agent/sessions/--w--/a.jsonl");
    home.run(&["keep", "--session", path.to_str().unwrap()]).success().stderr_eq(str![[r#"
made the directory `[..]`
it holds your sessions with their secrets, as your agents' directories do
1 file: 1 new
copied [..]

"#]]);
    let other = home.path(".pi/agent/sessions/--w--/b.jsonl");
    let hook =
        serde_json::json!({"session_id": "x", "transcript_path": other, "hook_event_name": "Stop"});
    let kept = home.command(&["keep", "--session", "-"]).stdin(hook.to_string()).assert();
    kept.success().stdout_eq("").stderr_eq("");
    home.command(&["keep", "--session", "-"]).stdin("{}").assert().failure().stderr_eq(
        "error: standard input is not the JSON of a hook: it has no `transcript_path`\nhelp: `leafpress keep --session FILE` keeps a file\n",
    );
    home.file("notes.jsonl", "{\"a\":1}\n");
    home.run(&["keep", "--session", "notes.jsonl"]).failure().stderr_eq(str![[r#"
error: failed to keep `notes.jsonl`: it is not a session

"#]]);
    home.run(&["keep", "--session", "none.jsonl"]).failure();
    home.run(&["keep"]).success().stderr_eq(str![[r#"
3 files: 1 new, 2 unchanged
copied [..]

"#]]);
}

/// Claude Code calls `Stop` before it has written the response. The same words in an earlier one are not meant.
#[test]
fn a_hook_waits_for_the_response_that_it_is_told_of() {
    let home = Home::new();
    let place = ".claude/projects/-w/5c2f81aa-0000.jsonl";
    home.file(place, "");
    let path = home.path(place);
    fs::remove_file(&path).unwrap();
    let said = "It \"fires\" at 1,240 °C.\nThen it cools.";
    let hook = serde_json::json!({
        "transcript_path": path, "hook_event_name": "Stop", "last_assistant_message": said,
    });
    for turn in 0..2 {
        let line = |role: &str, content: Value| {
            let message = serde_json::json!({"role": role, "content": content});
            serde_json::json!({"type": role, "uuid": format!("{role}{turn}"), "parentUuid": null,
                "sessionId": "5c2f81aa-0000", "timestamp": "2026-03-01T10:00:00.000Z", "message": message})
        };
        let prompt = line("user", "how hot?".into());
        let answer = line("assistant", serde_json::json!([{"type": "text", "text": said}]));
        let path = path.clone();
        let late = std::thread::spawn(move || {
            for line in [prompt, answer] {
                std::thread::sleep(std::time::Duration::from_millis(200));
                let mut file = fs::File::options().create(true).append(true).open(&path).unwrap();
                std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).unwrap();
            }
        });
        home.command(&["keep", "--session", "-"]).stdin(hook.to_string()).assert().success();
        late.join().unwrap();
        home.run(&["keep", "--verify"]).success().stderr_eq("1 copy is whole\n");
    }
}

#[test]
fn the_status_says_what_will_be_deleted() {
    let home = Home::new();
    copy(&home, "claude-code/projects", ".claude/projects");
    home.file(".claude/settings.json", "{\"cleanupPeriodDays\": 20}");
    let sessions = files(&home.path(".claude/projects"));
    let session =
        sessions.keys().find(|path| path.ends_with("7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl"));
    let session = session.unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(15 * 86_400);
    fs::File::options().append(true).open(session).unwrap().set_modified(old).unwrap();
    home.run(&["keep", "--status"]).success().stdout_eq(str![[r#"
Kept        0 sessions, 0 B, 0 B compressed, at `[..]/keep`
...
Not kept    [..] files are new or have changed; `leafpress keep` copies them
...
Soon        claude-code deletes 1 session within 7 days, 0 of them kept (cleanupPeriodDays: 20 days, in `[..]/.claude/settings.json`)
            [..]  not kept  [..]7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl

"#]]);
    assert!(!home.path(".local").exists(), "a look makes nothing");
    home.run(&["keep"]).success();
    let status = json(&home.run(&["keep", "--status", "--json"]).success());
    assert_eq!(status["notKept"], Value::Array(Vec::new()));
    assert_eq!(status["deletedSoon"][0]["kept"], true);
    assert_eq!(status["deletedByAgents"], 0);
    let mut grown = fs::read(session).unwrap();
    grown.extend_from_slice(b"{}\n");
    fs::write(session, grown).unwrap();
    home.run(&["keep", "--verify"]).success().stderr_eq(str![[r#"
[..] copies are whole
warning: 1 file has more than its copy:
  [..]
help: `leafpress keep` copies the rest

"#]]);
    // What a hook adds to a copy is seen beside the list that an earlier run wrote.
    home.run(&["keep", "--session", session.to_str().unwrap()]).success();
    let status = || json(&home.run(&["keep", "--status", "--json"]).success());
    assert_eq!(status()["notKept"], Value::Array(Vec::new()));
    let kept = fs::read(session).unwrap();
    fs::remove_file(session).unwrap();
    assert_eq!(status()["deletedByAgents"], 1);
    home.run(&["keep", "--verify"]).success().stderr_eq(str![[r#"
[..] copies are whole
1 of them has its original no more

"#]]);
    // What is written back is not new, and a number of the list names it.
    let listed = home.list(&["-n", "0"]);
    let mut listed = listed["sessions"].as_array().unwrap().iter();
    let nth = listed.position(|session| session["deleted"] == true).unwrap() + 1;
    home.run(&["keep", "--restore", &nth.to_string()]).success();
    assert_eq!(fs::read(session).unwrap(), kept);
    assert_eq!(status()["notKept"], Value::Array(Vec::new()));
    home.run(&["keep", "--verify", "--json"]).code(2);
}

#[test]
fn only_forget_deletes_copies() {
    let home = Home::with_three();
    home.run(&["keep"]).success();
    home.run(&["search", "kiln"]).success();
    home.run(&["search", "--forget"]).success();
    delete(&home, &[".pi"]);
    home.run(&["keep"]).success().stderr_eq("0 files\n");
    assert_eq!(home.list(&[])["total"], 3);
    home.run(&["keep", "--forget", "fire-kiln"])
        .success()
        .stderr_eq("deleted 2 files of session fire-kiln\n");
    assert_eq!(home.list(&[])["total"], 2);
    home.run(&["keep", "--forget", "1"]).failure();
    assert_eq!(home.list(&[])["total"], 2, "a number changes with the next session");
    home.run(&["keep", "--restore", "fire"]).failure().stderr_eq(str![[r#"
error: `fire` is not the id of a session, nor its first 6 characters or more
help: `leafpress list -n 0` lists all sessions

"#]]);
    home.run(&["keep", "--forget", "fire-kiln"]).failure().stderr_eq(str![[r#"
error: no session of the id `fire-kiln` is kept
help: `leafpress list -n 0` lists all sessions

"#]]);
    assert!(
        files(&home.path(VAULT)).keys().all(|path| !path.to_string_lossy().contains("/a_jsonl"))
    );
}

#[test]
fn damage_is_named_and_the_rest_is_read() {
    let home = Home::with_three();
    home.run(&["keep"]).success();
    let data = files(&home.path(VAULT));
    let path =
        data.keys().find(|path| path.extension().is_some_and(|ending| ending == "zst")).unwrap();
    let mut bytes = data[path].clone();
    let at = bytes.len() / 2;
    bytes[at] ^= 0xff;
    fs::write(path, bytes).unwrap();
    home.run(&["keep", "--restore", "fire-kiln", "-o", "back"]).failure().stderr_eq(str![[r#"
error: failed to restore `[..]/a.jsonl`: its copy `[..].1.zst` is damaged
help: `leafpress keep --verify` checks all copies

"#]]);
    assert!(!home.path("back/a.jsonl").exists());
    home.run(&["keep", "--verify"]).failure().stderr_eq(str![[r#"
warning: damaged: `[..].1.zst`, the copy of `[..]/a.jsonl`: part 1 of 1
2 copies are whole
error: 1 copy is damaged
...
"#]]);
}

/// A session of a database is kept as its agent would export it, and so are those of its sub-agents.
#[test]
fn a_session_that_leaves_its_database_is_kept() {
    let home = Home::new();
    let folder = home.path(".local/share/opencode");
    fs::create_dir_all(&folder).unwrap();
    let database = folder.join("opencode.db");
    let inner = [("ses_wave", "High wave", 3), ("ses_foam", "White foam", 4)];
    fill(&database, &[("ses_tide", "Low tide", 1), ("ses_moon", "Full moon", 2)]);
    fill(&database, &inner);
    let writer = rusqlite::Connection::open(&database).unwrap();
    writer
        .execute_batch(
            "UPDATE session SET parent_id = 'ses_tide' WHERE id = 'ses_wave';
             UPDATE session SET parent_id = 'ses_wave' WHERE id = 'ses_foam';",
        )
        .unwrap();
    home.run(&["keep"]).success().stderr_eq(str![[r#"
...
4 files: 4 new
...
"#]]);
    home.run(&["keep"]).success().stderr_eq("2 files: 2 unchanged\n");
    assert_eq!(home.list(&[])["sessions"].as_array().unwrap().len(), 2);
    let address = format!("{}#ses_tide", database.display());
    home.run(&[&address, "-o", "live.html"]).success();
    writer.execute("DELETE FROM session WHERE id <> 'ses_moon'", []).unwrap();
    let listed = home.list(&[]);
    let deleted = listed["sessions"].as_array().unwrap().iter();
    let deleted: Vec<(&str, bool)> = deleted
        .map(|session| (session["id"].as_str().unwrap(), session["deleted"].as_bool().unwrap()))
        .collect();
    assert_eq!(deleted, [("ses_moon", false), ("ses_tide", true)]);
    home.run(&["ses_tide", "-o", "kept.html"]).success();
    assert_eq!(home.read("kept.html"), home.read("live.html"));
    home.run(&["keep", "--status"]).success().stdout_eq(str![[r#"
...
Only copy   1 session is gone from the agent's directory; `leafpress keep --restore ID` writes one back

"#]]);
    home.run(&["keep", "--restore", "ses_tide", "-o", "back"]).success();
    assert!(home.read("back/ses_tide.json").contains("When is Low tide?"));
    assert!(home.read("back/ses_foam.json").contains("When is White foam?"));
    home.run(&["keep", "--forget", "ses_tide"])
        .success()
        .stderr_eq("deleted 6 files of session ses_tide\n");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    let home = Home::with_three();
    home.file("secrets/key.jsonl", &pi("elsewhere", "/w", 4));
    let link = home.path(".pi/agent/sessions/--w--/link.jsonl");
    std::os::unix::fs::symlink(home.path("secrets/key.jsonl"), &link).unwrap();
    home.run(&["keep"]).success().stderr_eq(str![[r#"
...
3 files: 3 new
copied [..]
warning: 1 symbolic link was not followed:
  [..]/link.jsonl

"#]]);
    home.run(&["keep", "--session", link.to_str().unwrap()]).failure().stderr_eq(str![[r#"
error: failed to read `[..]/link.jsonl`: it is a symbolic link

"#]]);
}
