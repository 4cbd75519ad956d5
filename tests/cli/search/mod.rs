//! `leafpress search`, in a home folder of its own.

mod agreement;
mod all;
#[cfg(unix)]
mod faults;
mod questions;

use serde_json::{Value, json};
use snapbox::str;

use crate::cli::keep::with_agents;
use crate::cli::opencode::fill;
use crate::support::folder::json;
use crate::support::home::{Home, pi};

fn copilot() -> String {
    let sample = "tests/fixtures/samples/copilot/session-state/5e1f0c2a-tide/events.jsonl";
    std::fs::read_to_string(format!("{}/{sample}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn search(home: &Home, args: &[&str]) -> Value {
    json(&home.run(&[&["search", "--json"], args].concat()).success())
}

/// The titles of the sessions found, in order.
fn titles(home: &Home, args: &[&str]) -> Vec<String> {
    let found = home.run(&[&["search", "--json", "-n", "0"], args].concat());
    let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    let sessions = found["sessions"].as_array().unwrap().iter();
    sessions.map(|session| session["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_hit_names_its_session_and_its_entry() {
    let home = Home::with_three();
    let found = home.run(&["search", "kiln"]).success();
    found
        .stderr_eq(str![[r#"
made the catalog `[..]/.local/share/leafpress/catalog.sqlite`
it holds your prompts in the clear; `leafpress search --forget` deletes it

"#]])
        .stdout_eq(str![[r#"
2026-03-01 10:01  pi           fire the kiln
  fire-kiln  /w/pottery
  prompt  a  fire the kiln
1 of 1 session, times in UTC
`leafpress fire-kiln --target a --open` opens the best hit

"#]]);
    // Nothing is said of the catalog a second time.
    let found = home.run(&["search", "kiln", "--json"]).success().stderr_eq("");
    let path = home.path(".pi/agent/sessions/--w--/a.jsonl").display().to_string();
    assert_eq!(
        json(&found),
        json!({"query": "kiln", "total": 1, "sessions": [{
            "id": "fire-kiln", "agent": "pi", "path": path, "title": "fire the kiln", "project": "pottery",
            "started": "2026-03-01T10:01:00.000Z", "count": 1,
            "hits": [{"entryId": "a", "role": "prompt", "time": "2026-03-01T10:01:00.000Z", "text": "fire the kiln"}],
        }]})
    );
}

#[test]
fn words_match_whole_by_their_beginning_and_in_parts() {
    let home = Home::with_three();
    let tide = ["tideTable of 灯台守".to_owned()];
    for query in ["tidetable", "TIDE", "灯台守", "台守", "守", "\"table of\"", "tide 灯台"]
    {
        assert_eq!(titles(&home, &[query]), tide, "{query}");
    }
    assert_eq!(titles(&home, &["tab"]).len(), 2, "a part of one word, the beginning of another");
    // Inside a word, and of two letters at its beginning: only the whole search finds these.
    for query in ["ideta", "ti"] {
        assert_eq!(titles(&home, &[query]), [""; 0], "{query}");
        assert!(titles(&home, &[query, "--full"]).contains(&tide[0]), "{query}");
    }
    assert_eq!(titles(&home, &["kiln tide"]), [""; 0], "all words stand in one message");
}

#[test]
fn operators_of_the_session_choose_among_sessions() {
    let home = Home::with_three();
    let kiln = ["fire the kiln".to_owned()];
    assert_eq!(titles(&home, &["project:pottery"]), kiln);
    assert_eq!(titles(&home, &["kiln -project:coast", "agent:pi"]), kiln);
    assert_eq!(titles(&home, &["session:fire-ki"]), kiln);
    assert_eq!(titles(&home, &["file:beds.py"]).len(), 1);
    assert_eq!(titles(&home, &["agent:codex"]), [""; 0]);
    home.file(".copilot/session-state/c/events.jsonl", &copilot());
    assert_eq!(titles(&home, &["agent:copilot"]).len(), 1);
    assert_eq!(
        titles(&home, &["agent:pi"]).len(),
        3,
        "`pi` stands in the name of another agent, too"
    );
    assert_eq!(titles(&home, &["role:user -kiln -\"early frost\" -is:labeled", "beds"]).len(), 1);
}

#[test]
fn nothing_found_and_wrong_usage_have_exit_statuses_of_their_own() {
    let home = Home::with_three();
    home.run(&["search", "nowhere"]).code(1).stdout_eq("");
    home.run(&["search", "nowhere"]).code(1).stdout_eq("").stderr_eq("");
    home.run(&["search", " "]).code(2).stderr_eq(str![[r#"
error: the query is empty
help: `leafpress search --help` says what a query is made of

"#]]);
    home.run(&["search"]).code(2);
    let dash = home.run(&["search", "-kiln"]).code(2);
    let said = String::from_utf8_lossy(&dash.get_output().stderr).into_owned();
    assert!(said.contains("use '-- -k'"), "{said}");
    home.run(&["search", "is:eror"]).code(1).stderr_eq(str![[r#"
warning: unknown state `is:eror`; did you mean `is:error`?

"#]]);
}

/// What an agent has just written to its database lies in the log beside it.
#[test]
fn the_catalog_follows_the_log_of_a_database() {
    let home = Home::new();
    let folder = home.path(".local/share/opencode");
    std::fs::create_dir_all(&folder).unwrap();
    let database = folder.join("opencode.db");
    fill(&database, &[("ses_1", "Low tide", 1)]);
    // As long as it is open, nothing goes from the log to the database.
    let open = rusqlite::Connection::open(&database).unwrap();
    open.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; BEGIN; SELECT * FROM session;",
    )
    .unwrap();
    assert_eq!(titles(&home, &["tide"]).len(), 1);
    let before = std::fs::read(&database).unwrap();
    fill(&database, &[("ses_2", "Full moon", 2)]);
    assert_eq!(std::fs::read(&database).unwrap(), before);
    assert_eq!(titles(&home, &["moon"]).len(), 1);
    drop(open);
}

#[test]
fn the_catalog_follows_the_files() {
    let home = Home::with_three();
    let file = ".pi/agent/sessions/--w--/a.jsonl";
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
    let grown = json!({"type": "message", "id": "b", "parentId": "a", "timestamp": "2026-03-01T10:05:00.000Z",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "At 1240 degrees."}]}});
    home.file(file, &format!("{}{grown}\n", home.read(file)));
    let found = search(&home, &["degrees"]);
    assert_eq!(found["sessions"][0]["hits"][0]["role"], "response");
    assert_eq!(titles(&home, &["kiln"]).len(), 1, "once");
    home.file(file, &pi("glaze the bowl", "/w/pottery", 1));
    assert_eq!(titles(&home, &["kiln"]), [""; 0]);
    assert_eq!(titles(&home, &["degrees"]), [""; 0]);
    assert_eq!(titles(&home, &["glaze"]).len(), 1);
    std::fs::remove_file(home.path(file)).unwrap();
    assert_eq!(titles(&home, &["glaze"]), [""; 0]);
}

/// What a sub-agent says may be written when its session's own file is not.
#[test]
fn the_catalog_follows_the_files_of_sub_agents() {
    const FILES: [&str; 6] = [
        ".claude/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7/subagents/agent-a1b2c3d4.jsonl",
        ".cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/subagents/a9-scout.jsonl",
        ".qwen/projects/-home-lena-boat/subagents/51ee0000-boat/agent-general-purpose-call_b3.jsonl",
        ".gemini/tmp/tides/chats/0000-tide/0001-scout.jsonl",
        ".omp/agent/sessions/--omp--/omp-18-main/Scout/Helper.jsonl",
        ".codex/sessions/2026/06/19/rollout-2026-06-19T00-00-30-0195c0de-0000-7000-8000-000000000002.jsonl",
    ];
    let home = with_agents();
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
    home.run(&["archive", "-o", "all", "--yes"]).success();
    for (nth, file) in FILES.into_iter().enumerate() {
        let text = home.read(file).replace("\"text\": ", "\"text\":");
        let text = text.replace("\"text\":\"", &format!("\"text\":\"barnacle{nth} "));
        let text = text.replace("Twelve meters", &format!("barnacle{nth} meters"));
        home.file(file, &text);
        assert_eq!(titles(&home, &[&format!("barnacle{nth}")]).len(), 1, "{file}");
        let archived = home.run(&["archive", "-o", "all", "--yes"]).success();
        let said = String::from_utf8_lossy(&archived.get_output().stderr).into_owned();
        assert!(said.contains(": 1 written, "), "{file}: {said}");
    }
    // One that is new, and one that is gone.
    let helper = ".omp/agent/sessions/--omp--/omp-18-main/Scout/Helper.jsonl";
    std::fs::remove_file(home.path(helper)).unwrap();
    assert_eq!(titles(&home, &["barnacle4"]), [""; 0]);
    let archived = home.run(&["archive", "-o", "all", "--yes"]).success();
    let said = String::from_utf8_lossy(&archived.get_output().stderr).into_owned();
    assert!(said.contains(": 1 written, "), "{said}");
    let archived = home.run(&["archive", "-o", "all", "--yes"]).success();
    let said = String::from_utf8_lossy(&archived.get_output().stderr).into_owned();
    assert!(said.contains(": 0 written, "), "{said}");
}

#[test]
fn a_damaged_catalog_and_one_of_another_version_are_made_again() {
    let home = Home::with_three();
    let path = home.path(".local/share/leafpress/catalog.sqlite");
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
    let whole = std::fs::read(&path).unwrap();
    for damaged in [
        b"no database, but long enough for one".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        Vec::new(),
    ] {
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(titles(&home, &["kiln"]).len(), 1);
    }
    let mut changed = whole.clone();
    let middle = changed.len() / 3;
    changed[middle..middle * 2].fill(0xa5);
    std::fs::write(&path, changed).unwrap();
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 9999).unwrap();
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
}

#[test]
fn what_is_somebody_else_s_stays() {
    let home = Home::with_three();
    let folder = home.path("data");
    std::fs::create_dir_all(folder.join("pages")).unwrap();
    std::fs::write(folder.join("pages/thesis.html"), "years of work").unwrap();
    let path = folder.join("catalog.sqlite");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE books(title TEXT); PRAGMA user_version = 7;").unwrap();
    drop(other);
    let before = std::fs::read(&path).unwrap();
    let run = |args: &[&str]| home.command(args).env("LEAFPRESS_DATA", &folder).assert();
    for args in [&["search", "kiln"][..], &["search", "--forget"]] {
        run(args).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to use the catalog in `[..]/data`: `catalog.sqlite` there is the database of another program
help: set `LEAFPRESS_DATA` to another directory

"#]]);
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::remove_file(&path).unwrap();
    run(&["search", "kiln"]).success();
    run(&["search", "--forget"]).success();
    assert!(folder.join("pages/thesis.html").exists());
}

#[cfg(unix)]
#[test]
fn only_its_owner_reads_the_catalog_and_forget_deletes_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Home::with_three();
    home.run(&["search", "kiln"]).success();
    let mode = |name: &str| {
        let about = std::fs::metadata(home.path(name)).unwrap();
        about.permissions().mode() & 0o777
    };
    assert_eq!(mode(".local/share/leafpress"), 0o700);
    assert_eq!(mode(".local/share/leafpress/catalog.sqlite"), 0o600);
    let opened =
        home.command(&["search", "kiln", "--open"]).env("PATH", "/nowhere").assert().success();
    let page = String::from_utf8(opened.get_output().stdout.clone()).unwrap();
    let page = page.lines().last().unwrap();
    assert!(page.starts_with(home.path(".cache/leafpress/pages").to_str().unwrap()), "{page}");
    assert!(std::fs::read_to_string(page).unwrap().contains("fire the kiln"));
    assert_eq!(mode(".cache/leafpress/pages"), 0o700);
    home.run(&["search", "--forget"]).success().stdout_eq("").stderr_eq(str![[r#"
deleted the catalog in `[..]/.local/share/leafpress`
deleted 1 page, which a search opened

"#]]);
    assert!(!home.path(".local/share/leafpress/catalog.sqlite").exists());
    assert!(!std::path::Path::new(page).exists());
    home.run(&["search", "--forget"]).success();
    // Elsewhere, where the environment says so.
    let elsewhere = home.path("elsewhere");
    home.command(&["search", "kiln"]).env("LEAFPRESS_DATA", &elsewhere).assert().success();
    assert!(elsewhere.join("catalog.sqlite").exists());
}

#[test]
fn commands_take_a_session_by_its_id() {
    let home = Home::new();
    let with_id = |id: &str, prompt: &str| pi(prompt, "/w", 1).replace(&format!("id-{prompt}"), id);
    home.file(".pi/agent/sessions/--w--/a.jsonl", &with_id("01a20cbe-88", "one"));
    home.file(".pi/agent/sessions/--w--/b.jsonl", &with_id("01a20cbe-88-2", "two"));
    home.file(".pi/agent/sessions/--w--/c.jsonl", &with_id("01b30cbe-99", "three"));
    home.run(&["tree", "01b30c"]).success().stdout_eq("a  • user: three\n1 of 1 entries\n");
    home.run(&["tree", "01a20cbe-88"]).success().stdout_eq("a  • user: one\n1 of 1 entries\n");
    home.run(&["tree", "01a20c"]).code(2).stderr_eq(str![[r#"
error: 2 sessions have an id that begins with `01a20c`:
  [..].jsonl
  [..].jsonl
help: write more of the id, or name the file

"#]]);
    home.run(&["tree", "01b3"]).code(1);
    home.file("01b30c", &pi("a file", "/w", 1));
    home.run(&["tree", "01b30c"]).success().stdout_eq("a  • user: a file\n1 of 1 entries\n");
}

#[test]
fn two_searches_at_once_wait_for_each_other() {
    let home = Home::with_three();
    for n in 0..200 {
        home.file(
            &format!(".pi/agent/sessions/--w--/n{n}.jsonl"),
            &pi(&format!("bowl {n}"), "/w", 3),
        );
    }
    let found = std::thread::scope(|scope| {
        let searches: Vec<_> =
            (0..4).map(|_| scope.spawn(|| search(&home, &["bowl", "--full"]))).collect();
        searches
            .into_iter()
            .map(|search| search.join().unwrap()["total"].clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(found, [200; 4]);
    assert_eq!(search(&home, &["bowl"])["total"], 200);
}
