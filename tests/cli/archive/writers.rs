//! Several processes that write to a team's archive at once, some of which are killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use snapbox::cmd::cargo_bin;

use super::team::{homes, links, listed};
use super::{files, titles};
use crate::support::home::{Home, pi};

const NAMES: [&str; 4] = ["ada", "ben", "cleo", "dan"];

/// Begins to add the sessions in the directory of an author's name.
fn begin(home: &Home, author: &str) -> Child {
    let mut command = Command::new(cargo_bin!("leafpress"));
    command.current_dir(home.path("")).args(["archive", "-o", "team", "--author", author, author]);
    command.env("HOME", home.path(""));
    command.env("LEAFPRESS_DATA", home.path(&format!("data-of-{author}")));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the end, which is a good one.
fn end(child: Child) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("written"), "{said}");
}

/// All that these authors have is in their archives, in the list and in the index.
fn assert_complete(home: &Home, authors: &[&str]) {
    let folders: Vec<String> = listed(home).into_iter().map(|(_, folder)| folder).collect();
    assert_eq!(folders, authors);
    let mut pages = BTreeSet::new();
    for author in authors {
        let sessions = fs::read_dir(home.path(author)).unwrap().count();
        assert_eq!(titles(home, &format!("team/authors/{author}")).len(), sessions, "{author}");
        for page in fs::read_dir(home.path(&format!("team/authors/{author}/sessions"))).unwrap() {
            let page = page.unwrap().file_name().into_string().unwrap();
            pages.insert(format!("authors/{author}/sessions/{page}?archive"));
        }
    }
    let linked: BTreeSet<String> = links(home).into_iter().map(|(_, link)| link).collect();
    assert_eq!(linked, pages);
    for name in files(home, "team").keys() {
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        let is_mark = matches!(file, ".leafpress-team" | ".leafpress-archive");
        assert!(is_mark || !file.starts_with('.'), "{name} is left");
    }
}

#[test]
fn two_and_four_writers_at_once_lose_nothing() {
    for (count, rounds) in [(2, 6), (4, 6)] {
        let authors = &NAMES[..count];
        let home = homes(authors);
        // The first round begins with no folder at all, the others add a session each.
        for round in 0..rounds {
            let running: Vec<Child> = authors.iter().map(|author| begin(&home, author)).collect();
            running.into_iter().for_each(end);
            assert_complete(&home, authors);
            for author in authors {
                let text = pi(&format!("prompt {round} of {author}"), "/w/more", round);
                home.file(&format!("{author}/{round}.jsonl"), &text);
            }
        }
    }
}

#[test]
fn the_second_of_two_writers_of_one_author_says_who_is_first() {
    let home = homes(&["ada"]);
    for nth in 0..40 {
        home.file(&format!("ada/{nth}.jsonl"), &pi(&format!("prompt {nth}"), "/w", nth));
    }
    let both = [begin(&home, "ada"), begin(&home, "ada")];
    let ids: Vec<u32> = both.iter().map(Child::id).collect();
    let done = both.map(|child| child.wait_with_output().unwrap());
    // Slow machines run them one after the other.
    for (nth, output) in done.iter().enumerate() {
        let said = String::from_utf8_lossy(&output.stderr);
        let is_locked = said.contains(&format!(
            "failed to write to `team/authors/ada`: process {} is writing to it",
            ids[1 - nth]
        ));
        assert!(output.status.success() || is_locked, "{said}");
    }
    assert!(done.iter().any(|output| output.status.success()));
    assert_complete(&home, &["ada"]);
}

#[test]
fn killed_writers_leave_an_archive_that_opens_and_the_next_run_repairs_it() {
    let home = homes(&NAMES);
    for author in NAMES {
        for nth in 0..15 {
            let text = pi(&format!("prompt {nth} of {author}"), "/w/more", nth);
            home.file(&format!("{author}/{nth}.jsonl"), &text);
        }
    }
    let mut killed = 0;
    for round in 0..10 {
        let running: Vec<Child> = NAMES.iter().map(|author| begin(&home, author)).collect();
        for (nth, mut child) in running.into_iter().enumerate() {
            // One of them comes to its end.
            if nth == round % NAMES.len() {
                end(child);
            } else {
                let nth = u64::try_from(nth * 17 + round * 23).unwrap();
                thread::sleep(Duration::from_millis(nth % 60));
                child.kill().unwrap();
                killed += usize::from(!child.wait().unwrap().success());
            }
        }
        for (_, folder) in listed(&home) {
            assert!(!titles(&home, &format!("team/authors/{folder}")).is_empty());
        }
    }
    assert!(killed >= 3, "{killed} came before the end");
    for author in NAMES {
        end(begin(&home, author));
    }
    assert_complete(&home, &NAMES);
}
