//! `leafpress list`, in a home folder of its own.

mod agents;
mod catalog;
mod families;
mod last;
mod rows;

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use snapbox::str;

use crate::support::folder::{Folder, json};
use crate::support::home::{Home, pi};

#[test]
fn a16_places_without_sessions_list_none() {
    let home = Home::new();
    assert_eq!(home.list(&[]), json!({"total": 0, "unreadable": 0, "sessions": []}));
    std::fs::create_dir_all(home.path(".pi/agent/sessions/--w--")).unwrap();
    home.file(".pi/agent/sessions/--w--/notes.txt", "x");
    home.file(".pi/agent/sessions/--w--/x.json", "{}");
    assert_eq!(home.list(&[])["unreadable"], 0);
    home.file(".pi/agent/sessions/--w--/no-header.jsonl", pi("x", "/w", 1).lines().nth(1).unwrap());
    assert_eq!(home.list(&[]), json!({"total": 0, "unreadable": 1, "sessions": []}));
    let none = str![[r#"
warning: no sessions found (looked in [..] folders; `leafpress list --help` names them)

"#]];
    let list = home.run(&["list"]).success().stderr_eq(none.clone());
    list.stdout_eq(str![[r#"
0 of 0 sessions, times in UTC; 1 other file is not a readable session

"#]]);
    std::fs::remove_dir_all(home.path(".pi")).unwrap();
    home.run(&["list"]).success().stderr_eq(none).stdout_eq("");
    let help = home.run(&["list", "--help"]).success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    let folders = help.split_once("Folders:\n").unwrap().1;
    assert!(folders.lines().count() >= 13, "{folders}");
    assert!(folders.contains("  pi           ~/.pi/agent/sessions\n"), "{folders}");
}

#[test]
fn a19_the_time_is_that_of_the_last_message_not_the_file_s() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("early", "/w", 1));
    home.file(".pi/agent/sessions/--w--/b.jsonl", &pi("late", "/w", 2));
    let file = std::fs::File::options()
        .write(true)
        .open(home.path(".pi/agent/sessions/--w--/b.jsonl"))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    let list = home.list(&[]);
    assert_eq!(list["sessions"][0]["prompt"], "late");
    assert_eq!(list["sessions"][0]["time"], "2026-03-01T10:02:00.000Z");
}

#[test]
fn the_environment_moves_the_places() {
    let home = Home::new();
    home.file("moved/sessions/--w--/a.jsonl", &pi("moved", "/w", 1));
    home.file("more/b.jsonl", &pi("more", "/w", 2));
    home.file(".pi/agent/sessions/--w--/c.jsonl", &pi("unmoved", "/w", 3));
    let command = home
        .command(&["list", "--json"])
        .env("PI_CODING_AGENT_DIR", "~/moved")
        .env("PI_CODING_AGENT_SESSION_DIR", home.path("more"));
    let list = json(&command.assert().success());
    assert_eq!(list["sessions"][0]["prompt"], "more");
    assert_eq!(list["sessions"][1]["prompt"], "moved");
    assert_eq!(list["total"], 2);
}

#[test]
fn entries_and_branches_are_counted_unless_the_file_is_huge() {
    let home = Home::new();
    let mut text = pi("first", "/w", 1);
    for n in 0..3 {
        let entry = json!({"type": "message", "id": format!("b{n}"), "parentId": "a",
            "timestamp": "2026-03-01T10:05:00.000Z", "message": {"role": "assistant", "content": "x"}});
        text = format!("{text}{entry}\n");
    }
    home.file(".pi/agent/sessions/small.jsonl", &text);
    let session = &home.list(&[])["sessions"][0];
    assert_eq!((&session["entries"], &session["branches"]), (&json!(4), &json!(3)));

    // Only the ends of a huge file are read; the name at its end is found all the same.
    let filler = json!({"type": "custom", "id": "f", "parentId": null, "customType": "x", "data": "y".repeat(1 << 20)});
    let name = json!({"type": "session_info", "id": "n", "parentId": null, "name": "named late"});
    let fillers = format!("{filler}\n").repeat(34);
    let huge = format!("{}{fillers}{name}\n", pi("huge", "/w", 9));
    home.file(".pi/agent/sessions/huge.jsonl", &huge);
    let list = home.list(&[]);
    let session =
        list["sessions"].as_array().unwrap().iter().find(|s| s["title"] == "named late").unwrap();
    assert_eq!((&session["entries"], &session["prompt"]), (&Value::Null, &json!("huge")));
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(
        stdout.contains("not counted, 35.") && stdout.contains("4 entries, 3 branches"),
        "{stdout}"
    );
}

#[test]
#[cfg(unix)]
fn circles_of_links_and_odd_files_do_no_harm() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("x", "/w", 1));
    let sessions = home.path(".pi/agent/sessions");
    std::os::unix::fs::symlink(&sessions, sessions.join("--w--/loop")).unwrap();
    std::os::unix::fs::symlink("nowhere.jsonl", sessions.join("dangling.jsonl")).unwrap();
    std::fs::create_dir(sessions.join("folder.jsonl")).unwrap();
    home.file(".pi/agent/sessions/empty.jsonl", "");
    home.file(".pi/agent/sessions/bytes.jsonl", "\u{0}\u{1}{[");
    home.file(".pi/agent/sessions/torn.jsonl.gz", "\u{1f}\u{8}");
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(3)));
}

#[test]
fn what_was_asked_for_is_in_the_message_that_nothing_is_there() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("x", "/w", 1));
    let told = |args: &[&str]| {
        let assert = home.run(args);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let omp = told(&["list", "--agent", "omp"]);
    assert!(omp.contains("no sessions found (looked in 2 folders; "), "{omp}");
    let elsewhere = told(&["--last", "--cwd", "/nope"]);
    assert!(
        elsewhere
            .starts_with("error: no sessions with the working directory `/nope` found (looked in "),
        "{elsewhere}"
    );
    assert!(elsewhere.contains("must be exactly the one"), "{elsewhere}");
}

#[test]
fn a_database_is_not_written_to() {
    let folder = Folder::new();
    folder.write("x.db", "SQLite format 3\0 and so on");
    for args in [["branch", "x.db", "id"], ["branch", "x.db#ses_1", "id"]] {
        let assert = folder.run(&args).code(1);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains("its format is that of a database"), "{stderr}");
    }
    let assert = folder.run(&["migrate", "x.db"]).code(1);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("leafpress reads and exports other formats"), "{stderr}");
}

#[test]
fn the_last_message_is_found_before_much_that_is_none() {
    let home = Home::new();
    let result = json!({"type": "message", "id": "b", "parentId": "a", "timestamp": "2026-03-01T10:03:00.000Z",
        "message": {"role": "toolResult", "toolCallId": "c", "content": "x".repeat(300_000)}});
    let text = format!("{}{}{result}\n", pi("late", "/w", 2), "\n".repeat(200_000));
    home.file(".pi/agent/sessions/--w--/a.jsonl", &text);
    assert_eq!(home.list(&[])["sessions"][0]["time"], "2026-03-01T10:02:00.000Z");
}

#[test]
fn a_session_in_utf_16_is_listed_like_any_other() {
    let home = Home::new();
    let filler = json!({"type": "custom", "id": "b", "parentId": "a", "customType": "x", "data": "ä".repeat(300_000)});
    let answer = json!({"type": "message", "id": "c", "parentId": "b", "timestamp": "2026-03-01T10:07:00.000Z",
        "message": {"role": "assistant", "content": "Done."}});
    let short = pi("in UTF-16", "/w", 2);
    let long = format!("{}{filler}\n{answer}\n", pi("large", "/w", 3));
    for (name, text, is_big) in [("a", short, true), ("b", long, false)] {
        let unit = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let bytes: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect();
        let path = home.path(&format!(".pi/agent/sessions/--w--/{name}.jsonl"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let list = home.list(&[]);
    let sessions = list["sessions"].as_array().unwrap().iter();
    let facts = sessions.map(|found| ["prompt", "time", "entries"].map(|key| found[key].clone()));
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [
            [json!("large"), json!("2026-03-01T10:07:00.000Z"), json!(3)],
            [json!("in UTF-16"), json!("2026-03-01T10:02:00.000Z"), json!(1)],
        ]
    );
}
