//! What `keep` opens for writing, and what is left where it is killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use snapbox::cmd::cargo_bin;

use super::{VAULT, delete, files, with_agents};
use crate::support::home::{Home, pi};

/// Whether a system call opens a file so that it can be changed, or changes a name.
fn changes(call: &str) -> bool {
    // Behind the number of the process.
    let Some((_, call)) = call.split_once(' ') else { return false };
    let name = call.trim_start().split('(').next().unwrap_or_default();
    let opens = name.starts_with("open")
        && ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| call.contains(flag));
    let changing = [
        "rename",
        "unlink",
        "mkdir",
        "rmdir",
        "link",
        "symlink",
        "truncate",
        "ftruncate",
        "chmod",
        "utime",
    ];
    opens || changing.iter().any(|changing| name.starts_with(changing))
}

#[test]
fn no_other_file_of_the_home_is_opened_for_writing() {
    let is_there = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        println!("not tested: strace is not installed");
        return;
    }
    let home = with_agents();
    let trace = home.path("trace.txt");
    let trace_name = trace.to_str().unwrap().to_owned();
    let root = home.path("");
    for args in [&["keep"][..], &["keep"], &["keep", "--status"], &["keep", "--verify"]] {
        let mut command = Command::new("strace");
        command.args(["-f", "-y", "-e", "trace=file,ftruncate", "-o", &trace_name]);
        command.arg(cargo_bin!("leafpress")).args(args).current_dir(&root).env("HOME", &root);
        command.env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
        assert!(command.stderr(Stdio::null()).stdout(Stdio::null()).status().unwrap().success());
        let calls = fs::read_to_string(&trace).unwrap();
        let own = home.path(".local/share/leafpress").display().to_string();
        let is_other = |call: &&str| {
            changes(call) && call.contains(root.to_str().unwrap()) && !call.contains(&own)
        };
        // The directories above the vault are made.
        let others: Vec<&str> =
            calls.lines().filter(is_other).filter(|call| !call.contains("mkdir")).collect();
        assert_eq!(others, [] as [&str; 0], "{args:?}");
        let own_changes = calls.lines().filter(|call| changes(call) && call.contains(&own)).count();
        let is_first = args == ["keep"] && own_changes > 0;
        assert!(is_first || own_changes == 0, "{args:?}: {own_changes}");
    }
}

#[test]
fn ten_kills_lose_nothing_and_the_next_run_keeps_the_rest() {
    let home = Home::new();
    let long = "the tide comes in ".repeat(4000);
    for nth in 0..150 {
        let prompt = format!("prompt {nth} {long}");
        home.file(&format!(".pi/agent/sessions/--w--/{nth}.jsonl"), &pi(&prompt, "/w", nth % 60));
    }
    let originals = files(&home.path(".pi"));
    let mut killed = 0;
    for nth in 0..10 {
        let mut command = Command::new(cargo_bin!("leafpress"));
        command.current_dir(home.path("")).arg("keep").env("HOME", home.path(""));
        command.env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(5 + nth * 12));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        home.run(&["keep", "--verify"]).success();
    }
    assert!(killed >= 3, "{killed} of 10 came before the end");
    home.run(&["keep"]).success();
    // Compared with the originals.
    home.run(&["keep", "--verify"]).success().stderr_eq("150 copies are whole\n");
    delete(&home, &[".pi"]);
    let listed = home.list(&["-n", "0"]);
    assert_eq!(listed["total"], 150);
    for session in listed["sessions"].as_array().unwrap().iter().step_by(30) {
        let data = Path::new(session["path"].as_str().unwrap());
        let index = fs::read_to_string(data.with_extension("index")).unwrap();
        let header: serde_json::Value =
            serde_json::from_str(index.lines().next().unwrap()).unwrap();
        let original = Path::new(header["path"].as_str().unwrap());
        home.run(&["extract", "-o", "back.jsonl", "--force", &page_of(&home, data)]).success();
        assert_eq!(fs::read(home.path("back.jsonl")).unwrap(), originals[original]);
    }
}

/// The page of a copy.
fn page_of(home: &Home, data: &Path) -> String {
    home.run(&[data.to_str().unwrap(), "-o", "back.html", "--force"]).success();
    "back.html".to_owned()
}

#[test]
fn two_runs_at_once_keep_everything_once() {
    let home = Home::new();
    for nth in 0..60 {
        home.file(
            &format!(".pi/agent/sessions/--w--/{nth}.jsonl"),
            &pi(&format!("prompt {nth}"), "/w", nth),
        );
    }
    let start = || {
        let mut command = Command::new(cargo_bin!("leafpress"));
        command.current_dir(home.path("")).arg("keep").env("HOME", home.path(""));
        command.env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let runs: Vec<_> = (0..4).map(|_| start()).collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    home.run(&["keep"]).success().stderr_eq("60 files: 60 unchanged\n");
    home.run(&["keep", "--verify"]).success().stderr_eq("60 copies are whole\n");
    let indexes = files(&home.path(VAULT));
    let indexes =
        indexes.iter().filter(|(path, _)| path.extension().is_some_and(|ending| ending == "index"));
    for (path, index) in indexes {
        let lines = String::from_utf8_lossy(index).lines().count();
        assert_eq!(lines, 2, "{}", path.display());
    }
}
