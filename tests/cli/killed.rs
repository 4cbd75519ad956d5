//! A command that is ended while it writes leaves nothing half done.

use std::fmt::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use snapbox::cmd::cargo_bin;

use crate::support::folder::Folder;

const INT: i32 = 2;
const HUP: i32 = 1;
const QUIT: i32 = 3;
const TERM: i32 = 15;

/// Many entries with code, so that a page takes long to write.
fn long_session() -> String {
    let mut text = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    let code = "fn main() { let tide: Vec<u32> = (0..7).map(|n| n * 3).collect(); }\\n".repeat(40);
    for nth in 1..=1500 {
        let parent = if nth == 1 { "null".to_owned() } else { format!("\"e{}\"", nth - 1) };
        let _ = writeln!(
            text,
            "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\",\"content\":\"```rust\\n{code}{nth}```\"}}}}"
        );
    }
    text
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(cargo_bin!("leafpress"));
    command.current_dir(folder.path("")).args(args).env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn signal(child: &Child, signal: i32) {
    // The shell's own: the program of this name is a package that may not be there.
    let line = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &line]).status().unwrap();
    assert!(sent.success());
}

fn temporaries(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(".leafpress-")).collect()
}

/// Waits until the command has begun to write; false where it was done before that was seen.
fn begins_to_write(folder: &Folder, child: &mut Child) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if !temporaries(folder).is_empty() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        thread::sleep(Duration::from_micros(200));
    }
    panic!("nothing was written within a minute");
}

#[test]
fn a_signal_while_writing_leaves_the_old_page_and_nothing_else() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.write("s.jsonl", &long_session());
    folder.run(&["first-steps.jsonl", "-o", "s.html"]).success();
    let old = folder.read("s.html");
    let mut hit = 0;
    for (nth, sent) in (0..).zip([INT, TERM, HUP, INT, TERM, HUP]) {
        let mut child = start(&folder, &["s.jsonl", "--highlight", "full"]);
        assert!(begins_to_write(&folder, &mut child), "the session is too small for this test");
        thread::sleep(Duration::from_millis(nth * 7));
        signal(&child, sent);
        let status = child.wait().unwrap();
        assert_eq!(temporaries(&folder), [""; 0]);
        // Ended by the signal itself: a shell reports 128 + its number, and stops its script.
        hit += usize::from(status.signal() == Some(sent));
        if status.success() {
            assert!(folder.read("s.html") != old);
            folder.write("s.html", &old);
        } else {
            assert_eq!(status.signal(), Some(sent));
            assert!(folder.read("s.html") == old, "the old page is whole");
        }
    }
    assert!(hit >= 3, "{hit} of 6 signals came while a page was written");
    assert_eq!(folder.names(), ["first-steps.jsonl", "s.html", "s.jsonl"]);
}

#[test]
fn what_a_shell_sees_is_128_and_the_signal() {
    let folder = Folder::new();
    folder.write("s.jsonl", &long_session());
    let script = "\"$0\" s.jsonl --highlight full >/dev/null 2>&1 & pid=$!
        while ! ls -A | grep -q '^.leafpress-'; do :; done
        kill -TERM $pid; wait $pid; echo $?";
    let shell = Command::new("sh")
        .current_dir(folder.path(""))
        .args(["-c", script])
        .arg(cargo_bin!("leafpress"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&shell.stdout), "143\n");
    assert_eq!(folder.names(), ["s.jsonl"]);
}

#[test]
fn a_signal_that_whoever_started_it_ignores_stays_ignored() {
    let folder = Folder::new();
    folder.write("s.jsonl", &long_session());
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).arg("-c");
    command.arg("trap '' HUP; exec \"$0\" s.jsonl --highlight full >/dev/null 2>&1");
    command.arg(cargo_bin!("leafpress")).process_group(0);
    let mut child = command.spawn().unwrap();
    assert!(begins_to_write(&folder, &mut child));
    signal(&child, HUP);
    assert!(child.wait().unwrap().success(), "as under nohup");
    assert_eq!(folder.names(), ["s.html", "s.jsonl"]);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let folder = Folder::new();
    folder.write("s.jsonl", &long_session());
    let script = "{ \"$0\" s.jsonl -o - 2>err; echo $? >status; } | head -c 100 >/dev/null";
    let shell = Command::new("sh")
        .current_dir(folder.path(""))
        .args(["-c", script])
        .arg(cargo_bin!("leafpress"))
        .status()
        .unwrap();
    assert!(shell.success());
    assert_eq!(folder.read("status"), "0\n");
    assert_eq!(folder.read("err"), "");
}

#[test]
fn an_extract_and_a_branch_leave_nothing_either() {
    let folder = Folder::new();
    let text = long_session();
    folder.write("s.jsonl", &text);
    folder.run(&["s.jsonl", "--highlight", "none"]).success();
    for args in [
        &["extract", "s.html", "-o", "back.jsonl"][..],
        &["branch", "s.jsonl", "e1500", "-o", "branch.jsonl"],
    ] {
        for wait in [0, 5, 20, 60, 120] {
            let mut child = start(&folder, args);
            thread::sleep(Duration::from_millis(wait));
            signal(&child, TERM);
            child.wait().unwrap();
            assert_eq!(temporaries(&folder), [""; 0]);
            for name in ["back.jsonl", "branch.jsonl"] {
                if let Ok(bytes) = fs::read(folder.path(name)) {
                    assert!(bytes.ends_with(b"\n") && bytes.len() > text.len() / 2, "{name}");
                    fs::remove_file(folder.path(name)).unwrap();
                }
            }
        }
    }
    assert_eq!(folder.read("s.jsonl"), text);
}

/// A database with a log and no index, of a size that takes long to read.
#[test]
fn an_export_of_a_database_leaves_no_copy_of_it() {
    let folder = Folder::new();
    let connection = rusqlite::Connection::open(folder.path("live.db")).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF;
             CREATE TABLE session (id TEXT, time_created INTEGER, time_updated INTEGER);
             CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
             INSERT INTO session VALUES ('ses_1', 1, 1);
             WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4000)
             INSERT INTO message SELECT 'msg_' || x, 'ses_1', x, '{\"role\":\"user\"}' FROM n;
             INSERT INTO part SELECT 'prt_' || id, id, 'ses_1', '{\"type\":\"text\",\"text\":\"' || hex(zeroblob(4000)) || '\"}' FROM message;
             PRAGMA wal_checkpoint;
             INSERT INTO session VALUES ('ses_2', 2, 2);",
        )
        .unwrap();
    for ending in ["", "-wal"] {
        fs::copy(
            folder.path(&format!("live.db{ending}")),
            folder.path(&format!("tides.db{ending}")),
        )
        .unwrap();
    }
    fs::create_dir(folder.path("tmp")).unwrap();
    let untouched = fs::metadata(folder.path("tmp")).unwrap().modified().unwrap();
    let before = folder.names();
    let mut hit = 0;
    for sent in [INT, TERM, HUP, QUIT] {
        for wait in [10, 40, 160] {
            let mut command = Command::new("sh");
            // SIGQUIT leaves an image of the process where the system keeps such.
            let script = "ulimit -c 0; exec \"$0\" tides.db -o s.html";
            command.current_dir(folder.path("")).args(["-c", script]).arg(cargo_bin!("leafpress"));
            command.env("TMPDIR", folder.path("tmp")).stdin(Stdio::null());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(wait));
            signal(&child, sent);
            hit += usize::from(child.wait().unwrap().signal() == Some(sent));
            // A page is there where the signal came late.
            let _ = fs::remove_file(folder.path("s.html"));
            assert_eq!(folder.names(), before, "signal {sent} after {wait} ms");
            let left: Vec<_> = fs::read_dir(folder.path("tmp")).unwrap().collect();
            assert!(left.is_empty(), "signal {sent} after {wait} ms: {left:?}");
            // The time of a folder tells of files that were there for a moment.
            let changed = fs::metadata(folder.path("tmp")).unwrap().modified().unwrap();
            assert_eq!(changed, untouched, "a temporary file: signal {sent} after {wait} ms");
        }
    }
    assert!(hit >= 6, "{hit} of 12 signals came in time");
}
