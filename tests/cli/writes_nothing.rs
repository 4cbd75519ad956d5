//! Commands that read write nothing but what they were asked for: not beside the session, not in the home
//! directory, and no copy of a session in the directory for temporary files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use leafpress::session::Format;
use rusqlite::Connection;
use snapbox::cmd::cargo_bin;

use super::opencode::{ONE_MORE, fill, hot_journal};
use crate::support::folder::Folder;

/// One of each format.
const SESSIONS: [&str; 17] = [
    "pi-1.5-main.jsonl",
    "omp-18-main.jsonl",
    "pi-harness/v4-lanes.jsonl",
    "pi-proposal/session.jsonl",
    "claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
    "flue/session-v3.json",
    "chimera/session.jsonl",
    "codex/archived.jsonl.zst",
    "codex/sessions/2026/06/18/rollout-2026-06-18T23-58-00-0195c0de-0000-7000-8000-000000000001.jsonl",
    "copilot/session-state/5e1f0c2a-tide/events.jsonl",
    "cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl",
    "sts/llama-app.jsonl",
    "gemini/chats/session-tide.json",
    "qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl",
    "atif/trajectory.json",
    "opencode/export-v1.json",
    "opencode/run.jsonl",
];

/// Databases, and whether each is read.
const DATABASES: [(&str, bool); 6] = [
    ("plain.db", true),
    ("live.db", true),
    ("crashed.db", true),
    ("no-index.db", true),
    ("linked-log.db", true),
    ("journal.db", false),
];

/// `live.db` is in use as long as the connection is open.
fn databases(sessions: &Path) -> Connection {
    fill(&sessions.join("plain.db"), &[("ses_1", "Low tide", 1)]);
    fill(&sessions.join("journal.db"), &[("ses_1", "Low tide", 1)]);
    let whole = fs::read(sessions.join("journal.db")).unwrap();
    let victim = sessions.join("thesis.txt");
    fs::write(&victim, "years of work").unwrap();
    fs::write(sessions.join("journal.db-journal"), hot_journal(&whole, victim.to_str().unwrap()))
        .unwrap();
    fill(&sessions.join("live.db"), &[("ses_1", "Low tide", 1)]);
    let writer = Connection::open(sessions.join("live.db")).unwrap();
    writer.execute_batch(ONE_MORE).unwrap();
    let copy = |to: &str, endings: &[&str]| {
        for ending in endings {
            let from = sessions.join(format!("live.db{ending}"));
            fs::copy(from, sessions.join(format!("{to}{ending}"))).unwrap();
        }
    };
    copy("crashed.db", &["", "-wal", "-shm"]);
    copy("no-index.db", &["", "-wal"]);
    copy("linked-log.db", &["", "-shm"]);
    std::os::unix::fs::symlink("live.db-wal", sessions.join("linked-log.db-wal")).unwrap();
    writer
}

/// With the filter in the kernel, other calls cost nothing.
const STRACE: [&str; 7] =
    ["-f", "--seccomp-bpf", "-qq", "-y", "-e", "trace=%file,write,pwrite64,writev,ftruncate", "-o"];

/// Each command, and whether it succeeds.
fn commands() -> Vec<(String, bool)> {
    let mut commands = Vec::new();
    let sessions = SESSIONS.map(|session| (session, true));
    for (nth, (session, is_read)) in sessions.into_iter().chain(DATABASES).enumerate() {
        for command in ["tree", "branches", "context", "stats", "secrets"] {
            commands.push((format!("{command} {session}"), is_read));
        }
        commands.push((format!("{session} --redact -o \"$OUT/{nth}.html\""), is_read));
        if is_read {
            commands.push((format!("extract \"$OUT/{nth}.html\" -o \"$OUT/{nth}.back\""), true));
        }
    }
    commands.push(("compare pi-1.5-tree.jsonl t0000025 t0000022".to_owned(), true));
    commands.push(("omp-18-main.jsonl --blobs blobs -o \"$OUT/blobs.html\"".to_owned(), true));
    commands.push(("--last -o \"$OUT/last.html\"".to_owned(), true));
    // The catalog goes where `LEAFPRESS_DATA` says.
    let searches = ["search wick", "search wick --full --json", "search is:prompt"];
    commands.extend(searches.map(|search| (search.to_owned(), true)));
    commands.extend(["list", "list --json", "--help"].map(|list| (list.to_owned(), true)));
    commands
}

/// Name, size, time of the last change and number of all files and folders. The time of a folder tells of
/// files that were there for a moment.
fn listing(folder: &Path) -> BTreeSet<(PathBuf, u64, i64, i64, u64)> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let about = fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()));
        }
        found.insert((path, about.size(), about.mtime(), about.mtime_nsec(), about.ino()));
    }
    found
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(file.file_name());
        if file.file_type().unwrap().is_dir() {
            copy_all(&file.path(), &to);
        } else {
            fs::copy(file.path(), to).unwrap();
        }
    }
}

#[test]
fn commands_that_read_write_nothing_else() {
    let folder = Folder::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/samples");
    let sessions = folder.path("sessions");
    copy_all(&samples, &sessions);
    let plain = SESSIONS.iter().filter(|session| !session.contains(".zst"));
    let formats: BTreeSet<&str> = plain.map(|session| format(&sessions.join(session))).collect();
    assert_eq!(formats.len(), Format::ALL.len(), "a session of each format: {formats:?}");
    let _writer = databases(&sessions);
    for name in ["home/.local/share/opencode", "home/.pi/agent/sessions/--w--", "tmp", "out"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    fs::copy(
        sessions.join("pi-1.5-main.jsonl"),
        folder.path("home/.pi/agent/sessions/--w--/s.jsonl"),
    )
    .unwrap();
    for ending in ["", "-wal"] {
        let name = format!("home/.local/share/opencode/opencode.db{ending}");
        fs::copy(sessions.join(format!("no-index.db{ending}")), folder.path(&name)).unwrap();
    }
    let before = listing(&folder.path(""));

    let commands = commands();
    let mut script = String::new();
    for (command, _) in &commands {
        let _ = writeln!(script, "\"$BIN\" {command} >/dev/null 2>&1; echo $?");
    }
    let trace = folder.path("out/trace");
    let is_traced = can_trace();
    let mut run = Command::new(if is_traced { "strace" } else { "sh" });
    if is_traced {
        run.args(STRACE).arg(&trace).arg("sh");
    } else {
        // Only a person who asks for the output of tests sees it.
        eprintln!("left out: without strace, only files that stay are seen");
    }
    let ran = run
        .args(["-c", &script])
        .current_dir(&sessions)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("BIN", cargo_bin!("leafpress"))
        .env("OUT", folder.path("out"))
        .env("HOME", folder.path("home"))
        .env("LEAFPRESS_DATA", folder.path("out/data"))
        .env("TMPDIR", folder.path("tmp"))
        .output()
        .unwrap();
    let codes = String::from_utf8(ran.stdout).unwrap();
    let codes: Vec<&str> = codes.lines().collect();
    assert_eq!(codes.len(), commands.len(), "{}", String::from_utf8_lossy(&ran.stderr));
    let out = folder.path("out");
    let outside = |found: BTreeSet<(PathBuf, u64, i64, i64, u64)>| -> BTreeSet<_> {
        found.into_iter().filter(|(path, ..)| !path.starts_with(&out)).collect()
    };
    let (before, after) = (outside(before), outside(listing(&folder.path(""))));
    let changed: Vec<_> = before.symmetric_difference(&after).collect();
    assert!(changed.is_empty(), "{changed:#?}");
    if is_traced {
        let trace = fs::read_to_string(&trace).unwrap();
        assert!(trace.lines().filter(|line| line.contains(" execve(")).count() >= commands.len());
        let wrong: Vec<&str> =
            trace.lines().filter(|line| writes(line) && !is_allowed(line, &out)).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    for ((command, is_read), code) in commands.iter().zip(codes) {
        assert_eq!(code, if *is_read { "0" } else { "1" }, "{command}");
    }
}

fn format(path: &Path) -> &'static str {
    leafpress::read(fs::read(path).unwrap()).unwrap().format().name()
}

/// Whether strace is there and may look at other processes.
fn can_trace() -> bool {
    let tried = Command::new("strace").args(STRACE).args(["/dev/null", "true"]).output();
    tried.is_ok_and(|tried| tried.status.success())
}

/// Whether a line of strace is one of a call that changes or creates something.
fn writes(line: &str) -> bool {
    const CHANGES: [&str; 22] = [
        "creat",
        "unlink",
        "unlinkat",
        "rename",
        "renameat",
        "renameat2",
        "mkdir",
        "mkdirat",
        "rmdir",
        "link",
        "linkat",
        "symlink",
        "symlinkat",
        "mknod",
        "mknodat",
        "truncate",
        "chmod",
        "fchmodat",
        "chown",
        "utimensat",
        "setxattr",
        "removexattr",
    ];
    let Some(call) = call(line) else { return false };
    let opens = call.starts_with("open");
    let to_write = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"];
    let into_file = matches!(call, "write" | "pwrite64" | "writev" | "ftruncate");
    into_file || CHANGES.contains(&call) || opens && to_write.iter().any(|flag| line.contains(flag))
}

/// `123 openat(…` is a call, `123 <... openat resumed>` its end.
fn call(line: &str) -> Option<&str> {
    let call = line.split_once(' ')?.1.trim_start();
    let call = call.split_once('(')?.0;
    call.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some(call)
}

/// Only what was asked for, the standard streams, and the log of a database in use: SQLite opens that for
/// reading and writing, and is let to do no more.
fn is_allowed(line: &str, out: &Path) -> bool {
    let out = out.to_str().unwrap();
    let opens = call(line).is_some_and(|call| call.starts_with("open"));
    let is_log = opens && (line.contains("/live.db-wal\"") || line.contains("/crashed.db-wal\""));
    let named = |before: char| line.contains(&format!("{before}{out}/"));
    let is_stream = ["</dev/null>", "\"/dev/null\"", "<pipe:", "<socket:", "/dev/tty\""];
    is_log || named('"') || named('<') || is_stream.iter().any(|stream| line.contains(stream))
}
