//! The same of a team's archive.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{assert_opens, copy, files, members, session, settings, wish};
use crate::archive::data;
use crate::archive::disk::{ArchiveError, Folder, is_one, make_marked};
use crate::archive::manifest::Manifest;
use crate::archive::plan::{Filter, Wish};
use crate::archive::team::{Author, MARK, claim, open, write_index};
use crate::archive::write::write_to;

/// Adds a home's sessions; step `fails_at` of all steps fails. Gives the number of steps, too.
fn run(
    home: &Path,
    team: &Path,
    (name, key): (&str, &[u8]),
    fails_at: usize,
) -> (Result<(), ArchiveError>, usize) {
    let author = Author::named(name).unwrap();
    let (members, filter) = (members(home), Filter::default());
    let wish = Wish { key, author: Some(&author), ..wish(&members, &filter, true) };
    make_marked(team, MARK).unwrap();
    let own = Folder::open(&author.path(team), 0o666).unwrap();
    own.faults.fail_at(fails_at);
    let done = write_to(&own, &wish, &settings(), None);
    let steps = own.faults.steps();
    if let Err(error) = done {
        return (Err(error), steps);
    }
    let index = open(team).unwrap();
    index.faults.fail_at(fails_at.saturating_sub(steps));
    let done = write_index(&index);
    (done, steps + index.faults.steps())
}

/// All files of a team, the marks left out.
fn all(team: &Path) -> BTreeMap<String, String> {
    let mut files = files(team);
    files.retain(|name, _| !name.contains(MARK) && !name.ends_with(".leafpress-archive"));
    for (name, text) in &mut files {
        if name.ends_with("data/manifest.js") {
            let (before, after) = text.split_once("\"made\":").unwrap();
            *text = before.to_owned() + after.split_once(',').unwrap().1;
        }
    }
    files
}

/// Each author's archive opens, and so does the index where there is one.
fn assert_team_opens(team: &Path) {
    for author in fs::read_dir(team.join("authors")).into_iter().flatten().flatten() {
        if is_one(&author.path()) && author.path().join("index.html").exists() {
            assert_opens(&author.path());
        }
    }
    for author in listed(team) {
        assert!(Manifest::read_newest(&team.join("authors").join(author), 1).is_some());
    }
}

/// The folders that the list names.
fn listed(team: &Path) -> Vec<String> {
    let Ok(list) = fs::read(team.join("data/authors.js")) else { return Vec::new() };
    let list: Vec<BTreeMap<String, String>> = data::value(&list).unwrap();
    list.into_iter().map(|author| author["folder"].clone()).collect()
}

#[test]
fn a_run_that_breaks_off_leaves_a_teams_archive_that_opens_and_the_next_run_repairs_it() {
    let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    session(homes[0].path(), "one", "the tide", 3);
    session(homes[1].path(), "two", "the kiln", 4);
    let teams = tempfile::tempdir().unwrap();
    let alone = teams.path().join("alone");
    run(homes[0].path(), &alone, ("Ada", b"a"), 0).0.unwrap();
    let both = teams.path().join("both");
    fs::create_dir(&both).unwrap();
    copy(&alone, &both);
    let (done, steps) = run(homes[1].path(), &both, ("Ben", b"b"), 0);
    done.unwrap();
    assert!(steps > 20, "{steps} steps");
    assert_eq!(listed(&both), ["ada", "ben"]);
    let expected = all(&both);
    for step in 1..=steps {
        let broken = teams.path().join(format!("broken-{step}"));
        fs::create_dir(&broken).unwrap();
        copy(&alone, &broken);
        assert!(run(homes[1].path(), &broken, ("Ben", b"b"), step).0.is_err(), "step {step} fails");
        assert_team_opens(&broken);
        assert!(listed(&broken).contains(&"ada".to_owned()), "step {step}");
        // Whoever comes next makes it whole, be it another author.
        run(homes[0].path(), &broken, ("Ada", b"a"), 0).0.unwrap();
        assert_team_opens(&broken);
        let has_manifest = broken.join("authors/ben/data/manifest.js").exists();
        assert_eq!(listed(&broken).len(), 1 + usize::from(has_manifest), "step {step}");
        run(homes[1].path(), &broken, ("Ben", b"b"), 0).0.unwrap();
        assert!(all(&broken) == expected, "step {step}");
    }
    // What is up to date is not written.
    assert_eq!(run(homes[1].path(), &both, ("Ben", b"b"), 0).1, 0);
}

#[test]
fn what_is_damaged_over_all_is_written_anew_by_anybody() {
    let home = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    let team = tempfile::tempdir().unwrap();
    for (name, key) in [("Ada", b"a"), ("Ben", b"b")] {
        run(home.path(), team.path(), (name, key), 0).0.unwrap();
    }
    let expected = all(team.path());
    fs::write(team.path().join(".leafpress-left"), "half").unwrap();
    fs::write(team.path().join("data/.leafpress-left"), "half").unwrap();
    for name in ["index.html", "data/authors.js"] {
        fs::write(team.path().join(name), "").unwrap();
        run(home.path(), team.path(), ("Ben", b"b"), 0).0.unwrap();
        assert!(all(team.path()) == expected, "{name}");
        fs::remove_file(team.path().join(name)).unwrap();
        run(home.path(), team.path(), ("Ada", b"a"), 0).0.unwrap();
        assert!(all(team.path()) == expected, "{name}");
    }
    // An author whose list is damaged is named still, and hides nobody.
    fs::write(team.path().join("authors/ada/data/manifest.js"), "").unwrap();
    run(home.path(), team.path(), ("Ben", b"b"), 0).0.unwrap();
    assert_eq!(listed(team.path()), ["ada", "ben"]);
    let index = fs::read_to_string(team.path().join("index.html")).unwrap();
    assert!(index.contains("authors/ben/sessions/one.html?archive"));
    assert!(index.contains("authors/ada/index.html"));
}

#[test]
fn who_finds_the_index_locked_waits_for_it() {
    let home = tempfile::tempdir().unwrap();
    session(home.path(), "one", "the tide", 3);
    let team = tempfile::tempdir().unwrap();
    run(home.path(), team.path(), ("Ada", b"a"), 0).0.unwrap();
    let held = open(team.path()).unwrap();
    thread::scope(|scope| {
        let other = scope.spawn(|| run(home.path(), team.path(), ("Ben", b"b"), 0).0);
        let manifest = team.path().join("authors/ben/data/manifest.js");
        while !manifest.exists() {
            assert!(!other.is_finished(), "the archive of an author needs no lock of the team");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(200));
        assert_eq!(listed(team.path()), ["ada"]);
        drop(held);
        other.join().unwrap().unwrap();
    });
    assert_eq!(listed(team.path()), ["ada", "ben"]);
}

#[test]
fn an_author_is_the_one_who_wrote_first() {
    let team = tempfile::tempdir().unwrap();
    let ada = Author::named("Ada").unwrap();
    let folder = Folder::open(&ada.path(team.path()), 0o666).unwrap();
    claim(&folder, &ada, b"k").unwrap();
    claim(&folder, &ada, b"k").unwrap();
    assert!(matches!(claim(&folder, &ada, b"other"), Err(ArchiveError::OtherOwner(_))));
    let lower = Author::named("ada").unwrap();
    assert!(matches!(claim(&folder, &lower, b"k"), Err(ArchiveError::OtherAuthor { .. })));
    for damaged in ["", "leafpressData({\"name\":\"Ada\"});\n"] {
        fs::write(folder.path.join("data/author.js"), damaged).unwrap();
        assert!(matches!(claim(&folder, &ada, b"k"), Err(ArchiveError::NoOwner(_))));
    }
    // Nobody knows whose the sessions are.
    fs::write(folder.path.join("data/manifest.js"), "").unwrap();
    fs::remove_file(folder.path.join("data/author.js")).unwrap();
    assert!(matches!(claim(&folder, &ada, b"k"), Err(ArchiveError::NoOwner(_))));
}
