//! An archive whose writer is killed opens all the same, and the next run repairs it.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use snapbox::cmd::cargo_bin;

use super::{files, rows};
use crate::support::home::{Home, pi};

#[test]
fn ten_kills_leave_an_archive_that_opens_and_the_next_run_repairs_it() {
    let home = Home::new();
    for nth in 0..60 {
        home.file(
            &format!(".pi/agent/sessions/--w--/{nth}.jsonl"),
            &pi(&format!("prompt {nth} of the tide"), "/w/coast", nth),
        );
    }
    home.run(&["archive", "-o", "whole", "--yes"]).success();
    let names = |archive: &str| -> Vec<String> {
        // The base of the words is another where it was written in two steps.
        let names = files(&home, archive).into_keys();
        names.filter(|name| !name.contains("words-") && !name.contains("tail-")).collect()
    };
    let expected = names("whole");
    let mut killed = 0;
    for nth in 0..10 {
        let mut command = Command::new(cargo_bin!("leafpress"));
        command.current_dir(home.path("")).args(["archive", "-o", "broken", "--yes"]);
        command
            .env("HOME", home.path(""))
            .env("LEAFPRESS_DATA", home.path(".local/share/leafpress"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(20 + nth * 25));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        if home.path("broken/data/manifest.js").exists() {
            let there = files(&home, "broken");
            for row in rows(&home, "broken") {
                let page = format!("sessions/{}", row["page"].as_str().unwrap());
                let end = String::from_utf8_lossy(&there[&page]).into_owned();
                let end = &end[end.len().saturating_sub(40)..];
                assert!(end.ends_with("</html>"), "{page} ends with {end:?}");
            }
        }
    }
    assert!(killed >= 3, "{killed} of 10 came before the end");
    home.run(&["archive", "-o", "broken", "--yes"]).success();
    assert_eq!(names("broken"), expected);
}
