//! A catalog whose writer is killed, or finds no room, loses nothing: the next search reads what is missing.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use snapbox::cmd::cargo_bin;

use super::titles;
use crate::support::home::{Home, pi};

/// So many sessions, each with a word of its own.
fn home(sessions: u32) -> Home {
    let home = Home::new();
    for nth in 0..sessions {
        let long = "the tide comes in and goes out ".repeat(40);
        home.file(
            &format!(".pi/agent/sessions/--w--/{nth}.jsonl"),
            &pi(&format!("word{nth} {long}"), "/w/coast", nth % 60),
        );
    }
    home
}

fn command(home: &Home) -> Command {
    let mut command = Command::new(cargo_bin!("leafpress"));
    command.current_dir(home.path("")).env("HOME", home.path(""));
    command.env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn ten_kills_lose_nothing() {
    let home = home(400);
    let mut killed = 0;
    for nth in 0..10 {
        let mut child = command(&home).args(["search", "tide"]).spawn().unwrap();
        thread::sleep(Duration::from_millis(15 + nth * 15));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
    }
    assert!(killed >= 3, "{killed} of 10 came before the end");
    // It may answer before all is read, and reads the rest before it ends.
    titles(&home, &["tide"]);
    assert_eq!(titles(&home, &["tide"]).len(), 400);
    for nth in [0, 199, 399] {
        assert_eq!(titles(&home, &[&format!("word{nth}")]).len(), 1);
    }
}

#[test]
fn a_full_disk_is_said_and_the_next_search_goes_on() {
    let home = home(400);
    // What no file may be larger than, in blocks of 512 bytes. Without the trap the system would end the process.
    let script = "trap '' XFSZ; ulimit -f 400; exec \"$0\" search tide";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(cargo_bin!("leafpress")).current_dir(home.path(""));
    shell.env("HOME", home.path("")).env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
    let output = shell.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: failed to use the catalog in"), "{said}");
    // It may answer before all is read, and reads the rest before it ends.
    titles(&home, &["tide"]);
    assert_eq!(titles(&home, &["tide"]).len(), 400);
}

/// Fails each system call once by which SQLite changes files, in a first search and in one that finds a changed file.
#[test]
fn each_write_of_the_catalog_fails_once() {
    const CALLS: [(&str, &str); 5] = [
        ("pwrite64", "EIO"),
        ("pwrite64", "ENOSPC"),
        ("fsync,fdatasync", "EIO"),
        ("ftruncate", "EIO"),
        ("unlink", "EACCES"),
    ];
    let tried =
        Command::new("strace").args(["-e", "inject=fsync:error=EIO:when=1", "true"]).output();
    if !tried.is_ok_and(|tried| tried.status.success()) {
        println!("not tested: strace cannot be used");
        return;
    }
    let home = home(3);
    let catalog = home.path(".local/share/leafpress");
    let log = home.path("strace.txt");
    let mut count = 0;
    for is_first in [true, false] {
        for (calls, error) in CALLS {
            for nth in 1.. {
                if is_first {
                    let _ = fs::remove_dir_all(&catalog);
                }
                let word = format!("again{count}");
                home.file(
                    ".pi/agent/sessions/--w--/1.jsonl",
                    &pi(&format!("{word} tide"), "/w", 1),
                );
                let fault = format!("inject={calls}:error={error}:when={nth}");
                let mut traced = Command::new("strace");
                traced.args(["-f", "-o"]).arg(&log).args(["-e", &format!("trace={calls}")]);
                traced.args(["-e", &fault]).arg(cargo_bin!("leafpress")).args(["search", "tide"]);
                traced.current_dir(home.path("")).env("HOME", home.path(""));
                let output = traced.env("LEAFPRESS_DATA", &catalog).output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let is_said =
                    output.status.success() || said.contains("error: failed to use the catalog");
                assert!(is_said, "{fault}: {said}");
                for query in ["tide", "word0", &word] {
                    let expected = if query == "tide" { 3 } else { 1 };
                    assert_eq!(titles(&home, &[query]).len(), expected, "{fault}: {query}: {said}");
                }
                if !fs::read_to_string(&log).unwrap().contains("(INJECTED)") {
                    break;
                }
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count} faults");
}

#[test]
fn a_clock_that_was_set_back_hides_no_change() {
    let home = home(3);
    assert_eq!(titles(&home, &["word1"]).len(), 1);
    home.file(".pi/agent/sessions/--w--/1.jsonl", &pi("the kiln is cold", "/w/coast", 1));
    let file = fs::File::options().write(true).open(home.path(".pi/agent/sessions/--w--/1.jsonl"));
    file.unwrap().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)).unwrap();
    assert_eq!(titles(&home, &["kiln"]).len(), 1);
    assert_eq!(titles(&home, &["word1"]).len(), 0);
}

#[test]
fn a_session_that_is_written_while_it_is_read_is_whole_in_the_end() {
    let home = home(200);
    let path = home.path(".pi/agent/sessions/--w--/7.jsonl");
    let mut child = command(&home).args(["search", "tide"]).spawn().unwrap();
    let mut text = pi("word7 first", "/w/coast", 7);
    for nth in 0..30 {
        let line = serde_json::json!({"type": "message", "id": format!("n{nth}"), "parentId": "a",
            "message": {"role": "user", "content": format!("later{nth}")}});
        text += &line.to_string();
        text.push('\n');
        fs::write(&path, &text).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    child.wait().unwrap();
    for nth in 0..30 {
        assert_eq!(titles(&home, &[&format!("later{nth}")]).len(), 1, "later{nth}");
    }
}

#[test]
fn damaged_files_among_many_are_said() {
    let home = home(1000);
    for nth in 0..10 {
        home.file(
            &format!(".pi/agent/sessions/--w--/damaged{nth}.jsonl"),
            &"\u{0}\u{1}\u{2}not a session".repeat(nth + 1),
        );
    }
    let archived = home.run(&["archive", "-o", "all", "--yes"]).success();
    let said = String::from_utf8_lossy(&archived.get_output().stderr).into_owned();
    assert!(said.contains("1,000 sessions: 1,000 written"), "{said}");
    assert!(said.contains("warning: 10 files are not readable sessions:"), "{said}");
    assert_eq!(said.matches("damaged").count(), 10, "{said}");
}
