//! Runs that are broken off at each step, and what the next run makes of what they left.

mod team;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::disk::{ArchiveError, Folder};
use super::manifest::Manifest;
use super::pack;
use super::plan::{Filter, Wish};
use super::session::Settings;
use super::write::{Outcome, write_to};
use crate::catalog::{Catalog, Member, Update};
use crate::find::files_in;
use crate::redact::Rules;

/// A session of pi's with one prompt.
fn session(folder: &Path, name: &str, prompt: &str, month: u32) {
    let at = format!("2026-{month:02}-01T10:00:00.000Z");
    let text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{name}\",\"timestamp\":\"{at}\",\"cwd\":\"/w/{name}\"}}\n\
         {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"{at}\",\
         \"message\":{{\"role\":\"user\",\"content\":\"{prompt}\"}}}}\n"
    );
    fs::write(folder.join(format!("{name}.jsonl")), text).unwrap();
}

fn members(folder: &Path) -> Vec<Member> {
    let mut catalog = Catalog::temporary().unwrap();
    let mut update = Update::look_at(&mut catalog, files_in(folder).unwrap()).unwrap();
    update.run(&mut catalog, None, None).unwrap();
    catalog.sessions().unwrap()
}

fn settings() -> Settings {
    Settings { rules: Some(Rules::new()), ..Settings::default() }
}

/// All sessions that there are.
fn wish<'a>(members: &'a [Member], filter: &'a Filter, prune: bool) -> Wish<'a> {
    Wish { members, filter, places: &[], prune, key: b"k", author: None }
}

/// Brings an archive up to date; step `fails_at` fails, from 1. Gives the number of steps, too.
fn run(home: &Path, archive: &Path, fails_at: usize) -> (Result<Outcome, ArchiveError>, usize) {
    let folder = Folder::open(archive, 0o666).unwrap();
    folder.faults.fail_at(fails_at);
    let (members, filter) = (members(home), Filter::default());
    let wish = wish(&members, &filter, true);
    (write_to(&folder, &wish, &settings(), None), folder.faults.steps())
}

/// All files with what they hold, but for the time of the manifest.
fn files(archive: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![archive.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(archive).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !name.starts_with(".leafpress-archive") {
                let text = readable(&path);
                let text = match text.split_once("\"made\":") {
                    Some((before, after)) if name == "data/manifest.js" => {
                        before.to_owned() + after.split_once(',').unwrap().1
                    }
                    _ => text,
                };
                files.insert(name, text);
            }
        }
    }
    files
}

/// A file as a text, one that is packed unpacked.
fn readable(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    String::from_utf8(pack::text(&bytes).unwrap_or(bytes)).unwrap()
}

/// All that the manifest names is there, or there is none yet.
fn assert_opens(archive: &Path) {
    let folder = Folder::open(archive, 0o666).unwrap();
    let has_manifest = archive.join("data/manifest.js").exists();
    let read = Manifest::read(&folder);
    assert_eq!(read.is_some(), has_manifest, "all months are there");
    let Some((manifest, rows)) = read else { return };
    for row in rows {
        assert!(archive.join("sessions").join(&row.page).is_file(), "{}", row.page);
        assert!(archive.join("data/text").join(format!("{}.js", row.text)).is_file());
    }
    assert!(super::word_files::are_there(&folder, &manifest));
    assert!(archive.join("index.html").is_file());
}

/// Makes it that of another version.
fn age(archive: &Path) {
    let manifest = archive.join("data/manifest.js");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version));
    fs::write(&manifest, text.replace(&version, "\"version\":\"0.0.9\"")).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&copied).unwrap();
            copy(&path, &copied);
        } else {
            fs::copy(path, copied).unwrap();
        }
    }
}

#[test]
fn a_run_that_breaks_off_leaves_an_archive_that_opens_and_the_next_run_repairs_it() {
    let home = tempfile::tempdir().unwrap();
    let archives = tempfile::tempdir().unwrap();
    for (name, prompt) in [("one", "the tide"), ("two", "the kiln"), ("three", "the garden")] {
        session(home.path(), name, prompt, 3);
    }
    let first = archives.path().join("first");
    let (done, steps) = run(home.path(), &first, 0);
    assert_eq!(done.unwrap().written, 3);
    assert!(steps > 20, "{steps} steps");
    let expected = files(&first);
    for step in 1..=steps {
        let broken = archives.path().join(format!("first-{step}"));
        let is_cleanup = run(home.path(), &broken, step).0.is_ok();
        assert!(!is_cleanup, "step {step} fails");
        assert_opens(&broken);
        run(home.path(), &broken, 0).0.unwrap();
        assert!(files(&broken) == expected, "step {step}");
    }

    // A session has grown, one is new, one is gone.
    session(home.path(), "two", "the kiln and the glaze", 4);
    session(home.path(), "four", "the harbor", 5);
    fs::remove_file(home.path().join("three.jsonl")).unwrap();
    let second = archives.path().join("second");
    copy(&first, &fs::create_dir_all(&second).map(|()| second.clone()).unwrap());
    let (done, steps) = run(home.path(), &second, 0);
    let done = done.unwrap();
    assert_eq!((done.written, done.unchanged, done.removed), (2, 1, 1));
    let expected = files(&second);
    for step in 1..=steps {
        let broken = archives.path().join(format!("second-{step}"));
        fs::create_dir_all(&broken).unwrap();
        copy(&first, &broken);
        assert!(run(home.path(), &broken, step).0.is_err(), "step {step} fails");
        assert_opens(&broken);
        run(home.path(), &broken, 0).0.unwrap();
        assert!(files(&broken) == expected, "step {step}");
    }
}

#[test]
fn an_archive_that_is_up_to_date_is_not_written_to() {
    let home = tempfile::tempdir().unwrap();
    let archive = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    run(home.path(), archive.path(), 0).0.unwrap();
    let before = fs::metadata(archive.path().join("data/manifest.js")).unwrap();
    let (done, steps) = run(home.path(), archive.path(), 0);
    assert_eq!((done.unwrap().unchanged, steps), (1, 0));
    let after = fs::metadata(archive.path().join("data/manifest.js")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn what_is_damaged_is_written_anew() {
    let home = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    session(home.path(), "two", "the kiln", 4);
    let whole = tempfile::tempdir().unwrap();
    run(home.path(), whole.path(), 0).0.unwrap();
    let expected = files(whole.path());
    for name in expected.keys() {
        let damaged = tempfile::tempdir().unwrap();
        copy(whole.path(), damaged.path());
        fs::write(damaged.path().join(name), "").unwrap();
        run(home.path(), damaged.path(), 0).0.unwrap();
        if name != "index.html" && !name.starts_with("months/") {
            assert!(files(damaged.path()) == expected, "{name}");
        }
        fs::remove_file(damaged.path().join(name)).unwrap();
        run(home.path(), damaged.path(), 0).0.unwrap();
        if !name.starts_with("months/") {
            assert!(files(damaged.path()) == expected, "{name}");
        }
    }
}

#[test]
fn pages_of_sessions_that_are_gone_outlive_another_version_and_no_other_options() {
    let home = tempfile::tempdir().unwrap();
    let archive = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    session(home.path(), "two", "the kiln", 4);
    run(home.path(), archive.path(), 0).0.unwrap();
    fs::remove_file(home.path().join("two.jsonl")).unwrap();
    age(archive.path());
    let (members, filter) = (members(home.path()), Filter::default());
    let wish = wish(&members, &filter, false);
    let folder = Folder::open(archive.path(), 0o666).unwrap();
    let done = write_to(&folder, &wish, &settings(), None).unwrap();
    assert_eq!((done.written, done.unchanged, done.gone), (1, 1, 1));
    // The search finds it still.
    let lists = files(archive.path());
    let lists = lists.iter().filter(|(name, _)| name.starts_with("data/words-"));
    assert!(lists.into_iter().any(|(_, list)| list.contains("0kiln ")), "its words are listed");
    // What is to be replaced now may be in its page, and nobody can make that anew.
    let other = Settings { fingerprint: "emails".to_owned(), ..settings() };
    let error = write_to(&folder, &wish, &other, None).unwrap_err().to_string();
    assert!(error.contains("this run did not find 1 of its sessions"), "{error}");
    assert!(archive.path().join("sessions/two.html").exists());
    let pruned = Wish { prune: true, ..wish };
    assert_eq!(write_to(&folder, &pruned, &other, None).unwrap().sessions, 1);
    assert!(!archive.path().join("sessions/two.html").exists());
}

#[test]
fn a_page_in_which_only_this_version_finds_a_secret_does_not_stay() {
    let home = tempfile::tempdir().unwrap();
    let archive = tempfile::tempdir().unwrap();
    // In halves, so that only the search of the finished page sees it.
    let halves = ["ghp_wWPw5k4aXcaT4fNP", "0UcnZwJUVFk6LO0pINUx"];
    let text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"one\",\"cwd\":\"/w\"}}\n\
         {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":[\
         {{\"type\":\"text\",\"text\":\"see {}\"}},{{\"type\":\"text\",\"text\":\"{} here\"}}]}}}}\n",
        halves[0], halves[1]
    );
    fs::write(home.path().join("one.jsonl"), text).unwrap();
    let (members, filter) = (members(home.path()), Filter::default());
    let wish = wish(&members, &filter, false);
    let folder = Folder::open(archive.path(), 0o666).unwrap();
    // The older version knows no rules.
    write_to(&folder, &wish, &Settings::default(), None).unwrap();
    assert!(archive.path().join("sessions/one.html").exists());
    age(archive.path());
    let done = write_to(&folder, &wish, &settings(), None).unwrap();
    assert_eq!((done.sessions, done.failed.len()), (0, 1));
    assert!(!archive.path().join("sessions/one.html").exists());
}

#[test]
fn a_damaged_manifest_deletes_no_page_unasked() {
    let home = tempfile::tempdir().unwrap();
    let archive = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    session(home.path(), "two", "the kiln", 4);
    run(home.path(), archive.path(), 0).0.unwrap();
    fs::remove_file(home.path().join("two.jsonl")).unwrap();
    fs::write(archive.path().join("data/manifest.js"), "").unwrap();
    let (members, filter) = (members(home.path()), Filter::default());
    let wish = wish(&members, &filter, false);
    let folder = Folder::open(archive.path(), 0o666).unwrap();
    let error = write_to(&folder, &wish, &settings(), None).unwrap_err().to_string();
    assert!(error.contains("the list of its sessions is damaged"), "{error}");
    assert!(archive.path().join("sessions/two.html").exists());
    let pruned = Wish { prune: true, ..wish };
    assert_eq!(write_to(&folder, &pruned, &settings(), None).unwrap().sessions, 1);
    assert!(!archive.path().join("sessions/two.html").exists());
}

#[test]
fn one_new_session_is_added_to_a_list_of_its_own_until_there_are_many() {
    let home = tempfile::tempdir().unwrap();
    let archive = tempfile::tempdir().unwrap();
    for nth in 0..20 {
        session(home.path(), &format!("s{nth}"), &format!("word{nth} tide"), 3);
    }
    run(home.path(), archive.path(), 0).0.unwrap();
    let base = |archive: &Path| {
        let folder = Folder::open(archive, 0o666).unwrap();
        let (manifest, _) = Manifest::read(&folder).unwrap();
        (manifest.words.unwrap(), manifest.tail)
    };
    let (before, tail) = base(archive.path());
    assert_eq!((before.sessions, tail), (20, None));
    session(home.path(), "new", "word99 tide", 4);
    run(home.path(), archive.path(), 0).0.unwrap();
    let (after, tail) = base(archive.path());
    assert_eq!(after, before);
    let tail = readable(&archive.path().join(format!("data/tail-{}.js", tail.unwrap())));
    assert!(tail.contains("word99"));
}

#[test]
fn two_runs_at_once_and_folders_of_others_are_refused() {
    let archive = tempfile::tempdir().unwrap();
    let held = Folder::open(archive.path(), 0o666).unwrap();
    let error = Folder::open(archive.path(), 0o666).unwrap_err().to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    drop(held);
    Folder::open(archive.path(), 0o666).unwrap();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("thesis.txt"), "mine").unwrap();
    let error = Folder::open(other.path(), 0o666).unwrap_err().to_string();
    assert!(error.contains("not an archive"), "{error}");
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
}

/// A new session changes the last of them.
#[test]
fn the_links_of_a_month_are_in_pages_that_lead_to_one_another() {
    let (home, archive) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let archive = archive.path().join("all");
    for nth in 1..=5 {
        session(home.path(), &format!("s{nth}"), &format!("prompt {nth}"), 3);
    }
    run(home.path(), &archive, 0).0.unwrap();
    let months = || -> BTreeMap<String, String> {
        let files = files(&archive).into_iter();
        files.filter(|(name, _)| name.starts_with("months/")).collect()
    };
    let before = months();
    let names = ["months/2026-03-2.html", "months/2026-03-3.html", "months/2026-03.html"];
    assert_eq!(before.keys().collect::<Vec<_>>(), names);
    assert!(files(&archive)["index.html"].contains("href=\"months/2026-03-3.html\""));
    assert!(before[names[1]].contains("href=\"2026-03-2.html\""));
    assert!(before[names[0]].contains("href=\"2026-03.html\""));
    assert!(!before[names[2]].contains("Earlier"));
    let sessions = before.values().map(|page| page.matches("?archive").count());
    assert_eq!(sessions.sum::<usize>(), 5);
    let at = home.path().join("s5.jsonl");
    let newer =
        fs::read_to_string(&at).unwrap().replace("03-01T10", "03-02T10").replace("s5", "s6");
    fs::write(home.path().join("s6.jsonl"), newer).unwrap();
    run(home.path(), &archive, 0).0.unwrap();
    let after = months();
    let changed: Vec<&String> = after
        .iter()
        .filter(|(name, page)| before.get(*name) != Some(page))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(changed, ["months/2026-03-3.html"]);
}
