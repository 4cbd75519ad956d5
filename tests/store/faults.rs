//! Processes that are killed and disks that are full: nothing acknowledged is lost.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use leafpress::store::{SessionStore, StoreError};
use serde_json::Value;

use crate::store::support::{Append as _, lines, new, user};

/// Names the file that a child process writes.
const FILE: &str = "LEAFPRESS_TEST_STORE";
/// How often a child is killed.
const KILLS: u64 = 300;

/// A text that is unlike all others and is long enough to be killed within.
fn text(number: usize) -> String {
    let length = [10, 5_000, 400_000][number % 3];
    format!("{number:08}{}", "x".repeat(length))
}

fn child(name: &str, path: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]).env(FILE, path);
    command
}

#[test]
#[ignore = "run as a child process by the test of kills"]
fn writer() {
    let Some(path) = env::var_os(FILE) else { return };
    let mut store = SessionStore::open(&path).unwrap();
    // Past libtest, which would keep it.
    let mut out = std::io::stdout();
    loop {
        let number = store.len();
        let id = store.user(&text(number));
        writeln!(out, "ack {id} {number}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn a_writer_killed_at_any_time_loses_nothing_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    SessionStore::create(&path, new()).unwrap().user(&text(0));
    let mut acknowledged: Vec<(String, usize)> = Vec::new();
    let (mut unacknowledged, mut torn) = (0, 0);
    for round in 0..KILLS {
        let mut writer =
            child("store::faults::writer", &path).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(writer.stdout.take().unwrap());
        let mut acks = out.lines().map_while(Result::ok);
        // Once it writes, any moment will do: a spread of microseconds from a fixed stride.
        let first = acks.by_ref().find(|line| line.contains("ack "));
        std::thread::sleep(Duration::from_micros(round * 7_919 % 1_500));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let before = acknowledged.len();
        for line in first.into_iter().chain(acks) {
            let Some((_, line)) = line.split_once("ack ") else { continue };
            // The pipe's last line may be torn, too.
            let Some((id, number)) = line.split_once(' ') else { continue };
            acknowledged.push((id.to_owned(), number.parse().unwrap()));
        }
        assert!(acknowledged.len() > before, "the writer came to write");

        let store = SessionStore::open(&path).unwrap();
        for (id, number) in &acknowledged[before..] {
            let raw: Value = serde_json::from_str(store.raw(id).unwrap()).unwrap();
            assert_eq!(raw["message"]["content"], text(*number));
        }
        assert_eq!(store.active_path().len(), store.len(), "one chain, nothing missing in it");
        let extra = store.len() - 1 - acknowledged.len() - unacknowledged;
        assert!(extra <= 1, "{extra} entries that nobody acknowledged");
        unacknowledged += extra;
        let aside = folder.path().join("s.jsonl.torn");
        if aside.exists() {
            torn += 1;
            fs::remove_file(aside).unwrap();
        }
        drop(store);
        // Small again, so that opening does not become most of it.
        if round % 10 == 9 {
            let whole = lines(&path);
            assert_eq!(whole.len(), 2 + acknowledged.len() + unacknowledged);
            fs::remove_file(&path).unwrap();
            SessionStore::create(&path, new()).unwrap().user(&text(0));
            acknowledged.clear();
            unacknowledged = 0;
        }
    }
    eprintln!("{KILLS} kills, {torn} torn lines");
}

/// Fills a file until it cannot grow; what is there must stay whole and usable.
fn fill(store: &mut SessionStore, path: &Path) -> usize {
    let long = "y".repeat(20_000);
    let refused = loop {
        let before = (store.len(), store.leaf().map(str::to_owned), fs::read(path).unwrap());
        match store.append_message(&user(&long)) {
            Ok(_) => assert!(store.len() < 1000, "the limit does not hold"),
            Err(error) => break (error, before),
        }
    };
    let (error, (len, leaf, bytes)) = refused;
    assert!(matches!(error, StoreError::Io { action: "write", .. }), "{error:?}");
    assert_eq!((store.len(), store.leaf().map(str::to_owned)), (len, leaf));
    assert_eq!(fs::read(path).unwrap(), bytes, "the old bytes are whole");
    len
}

#[test]
#[ignore = "run as a child process by the test of the limit"]
fn limited_writer() {
    let Some(path) = env::var_os(FILE) else { return };
    let path = Path::new(&path);
    let mut store = SessionStore::create(path, new()).unwrap();
    store.user("first");
    let len = fill(&mut store, path);
    // A small one still fits.
    let id = store.user("small");
    drop(store);
    let store = SessionStore::open(path).unwrap();
    assert_eq!((store.len(), store.leaf()), (len + 1, Some(id.as_str())));
    writeln!(std::io::stdout(), "survived").unwrap();
}

#[test]
fn a_write_over_the_limit_of_a_files_size_leaves_the_old_bytes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let writer = child("store::faults::limited_writer", &path);
    let mut limited = Command::new("sh");
    // Blocks are of 512 or 1024 bytes; a signal that is ignored leaves an error.
    limited.args(["-c", r#"trap '' XFSZ; ulimit -f 200; exec "$0" "$@""#]);
    limited.arg(writer.get_program()).args(writer.get_args()).env(FILE, &path);
    let output = limited.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("survived"), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert!(lines(&path).len() > 3);
}

#[test]
fn a_full_disk_leaves_the_old_bytes_whole_and_the_store_usable() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "leafpress-test"])
        .arg(folder.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        // Past libtest, which keeps what a passing test says.
        let told = "SKIPPED a_full_disk_leaves_the_old_bytes_whole_and_the_store_usable: no small disk can be mounted here";
        writeln!(std::io::stderr(), "\n{told}\n").unwrap();
        return;
    }
    let tried = std::panic::catch_unwind(|| on_a_full_disk(folder.path()));
    let unmounted = Command::new("umount").arg(folder.path()).status().unwrap();
    if let Err(panic) = tried {
        std::panic::resume_unwind(panic);
    }
    assert!(unmounted.success());
}

fn on_a_full_disk(folder: &Path) {
    let path = folder.join("s.jsonl");
    let filler = folder.join("filler");
    fs::write(&filler, vec![0; 100_000]).unwrap();
    let mut store = SessionStore::create(&path, new()).unwrap();
    store.user("first");
    let len = fill(&mut store, &path);
    // A second session finds no room, and leaves nothing behind.
    let other = folder.join("other.jsonl");
    let mut second = SessionStore::create(&other, new()).unwrap();
    let refused = second.append_message(&user(&"z".repeat(100_000)));
    assert!(matches!(refused, Err(StoreError::Io { action: "create", .. })), "{refused:?}");
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|name| name.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["filler", "s.jsonl"]);
    // Room again: both go on.
    fs::remove_file(&filler).unwrap();
    store.user("room");
    assert_eq!(second.len(), 0);
    second.user("room");
    drop(store);
    assert_eq!(SessionStore::open(&path).unwrap().len(), len + 1);
    assert_eq!(lines(&other).len(), 2);
}
