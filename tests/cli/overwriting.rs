//! What stands where a page is to go: only pages give way unasked, and modes stay as they are.

use snapbox::str;

use crate::support::folder::Folder;

const SESSION: &str = "first-steps.jsonl";
const PAGE: &str = "first-steps.html";

#[test]
fn a_page_of_ours_gives_way_to_a_newer_one() {
    let folder = Folder::with_example(SESSION);
    folder.write("password", "a heron counts nine slow boats");
    let locked = ["--password-file", "password"];
    // Plain over nothing, plain over plain, locked over plain, locked over locked, plain over locked.
    for more in [&[][..], &[], &locked, &locked, &[]] {
        let args = [&[SESSION, "--title", "A tide"], more].concat();
        folder.run(&args).success();
        assert_eq!(folder.read(PAGE).contains("A tide"), more.is_empty());
    }
}

#[test]
fn every_page_says_in_its_first_kilobyte_who_made_it() {
    let folder = Folder::with_example(SESSION);
    folder.write("password", "a heron counts nine slow boats");
    folder.write("theme.json", r##"{"light": {"paper": "#fffdf7"}}"##);
    for more in [&[][..], &["--password-file", "password"], &["--theme", "theme.json"]] {
        folder.run(&[&[SESSION], more].concat()).success();
        assert!(folder.read(PAGE)[..1024].contains("content=\"leafpress "), "{more:?}");
    }
}

#[test]
fn what_is_no_page_of_ours_stays_unless_it_is_named() {
    for there in [
        "<!doctype html><title>My notes</title>",
        "",
        // A page that only speaks of leafpress.
        "<!doctype html><p>content=&quot;leafpress 0.1&quot;",
        "content=\"leafpress \"",
    ] {
        let folder = Folder::with_example(SESSION);
        folder.write(PAGE, there);
        folder.run(&[SESSION]).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to write `first-steps.html`: the file exists and is not a leafpress page
help: choose another file with `-o`, or replace the file with `--force`

"#]]);
        assert_eq!(folder.read(PAGE), there);
        assert_eq!(folder.names(), [PAGE, SESSION]);
        folder.run(&[SESSION, "--force"]).success();
        assert!(folder.read(PAGE).contains("content=\"leafpress "));
        folder.write(PAGE, there);
        folder.run(&[SESSION, "-o", PAGE]).success();
        assert!(folder.read(PAGE).contains("content=\"leafpress "));
    }
}

#[test]
fn the_page_of_standard_input_is_no_exception() {
    let folder = Folder::with_example(SESSION);
    folder.write("session.html", "my notes");
    let session = folder.read(SESSION);
    folder.command(&["-"]).stdin(session).assert().code(1);
    assert_eq!(folder.read("session.html"), "my notes");
}

#[test]
fn extracting_replaces_nothing_unless_it_is_told_to() {
    let folder = Folder::with_example(SESSION);
    folder.run(&[SESSION]).success();
    let original = folder.read(SESSION);
    folder.write(SESSION, "edited since");
    folder.run(&["extract", PAGE]).code(1).stderr_eq(str![[r#"
error: failed to write `first-steps.jsonl`: the file exists
help: choose another file with `-o`, or replace the file with `--force`

"#]]);
    assert_eq!(folder.read(SESSION), "edited since");
    folder.run(&["extract", PAGE, "--force"]).success();
    assert_eq!(folder.read(SESSION), original);
    folder.run(&["extract", PAGE, "--all", ".", "--force"]).code(2);
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(folder: &Folder, name: &str) -> u32 {
        fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(folder: &Folder, name: &str, mode: u32) {
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).unwrap();
    }

    /// What a new file gets here.
    fn usual(folder: &Folder) -> u32 {
        folder.write("new", "");
        let mode = mode(folder, "new");
        fs::remove_file(folder.path("new")).unwrap();
        mode
    }

    #[test]
    fn links_and_special_files_in_the_way_stay() {
        let folder = Folder::with_example(SESSION);
        folder.write("notes.txt", "my notes");
        symlink("notes.txt", folder.path(PAGE)).unwrap();
        folder.run(&[SESSION]).code(1);
        assert_eq!(folder.read("notes.txt"), "my notes");
        // One that leads nowhere was somebody's, too.
        fs::remove_file(folder.path("notes.txt")).unwrap();
        folder.run(&[SESSION]).code(1);
        assert!(fs::symlink_metadata(folder.path(PAGE)).unwrap().is_symlink());
        fs::remove_file(folder.path(PAGE)).unwrap();
        // A pipe is not opened to look into it: that would wait for a writer.
        let made = std::process::Command::new("mkfifo").arg(folder.path(PAGE)).status().unwrap();
        assert!(made.success());
        folder.run(&[SESSION]).code(1);
        // Through a link to a page, the page is replaced and the link stays.
        fs::remove_file(folder.path(PAGE)).unwrap();
        folder.run(&[SESSION, "-o", "kept.html"]).success();
        symlink("kept.html", folder.path(PAGE)).unwrap();
        folder.run(&[SESSION, "--title", "A tide"]).success();
        assert!(fs::symlink_metadata(folder.path(PAGE)).unwrap().is_symlink());
        assert!(folder.read("kept.html").contains("A tide"));
    }

    #[test]
    fn a_new_page_is_never_more_open_than_its_session() {
        let folder = Folder::with_example(SESSION);
        let usual = usual(&folder);
        for (session, page) in [(0o600, 0o600), (0o640, usual & 0o640), (0o777, usual)] {
            set_mode(&folder, SESSION, session);
            folder.run(&[SESSION, "-o", "new.html"]).success();
            assert_eq!(mode(&folder, "new.html"), page, "{session:o}");
            fs::remove_file(folder.path("new.html")).unwrap();
        }
        // Where no file is read, as for any new file; also for one made to fit, and a locked one.
        let session = folder.read(SESSION);
        folder.command(&["-"]).stdin(session).assert().success();
        assert_eq!(mode(&folder, "session.html"), usual);
        set_mode(&folder, SESSION, 0o600);
        folder.run(&[SESSION, "--max-size", "10MB"]).success();
        assert_eq!(mode(&folder, PAGE), 0o600);
    }

    #[test]
    fn a_page_gets_the_mode_of_the_one_it_replaces() {
        let folder = Folder::with_example(SESSION);
        set_mode(&folder, SESSION, 0o600);
        folder.run(&[SESSION]).success();
        for replaced in [0o644, 0o666, 0o640, 0o400] {
            set_mode(&folder, PAGE, replaced);
            folder.run(&[SESSION]).success();
            assert_eq!(mode(&folder, PAGE), replaced);
            folder.run(&[SESSION, "-o", PAGE]).success();
            assert_eq!(mode(&folder, PAGE), replaced);
        }
    }

    #[test]
    fn what_is_extracted_is_never_more_open_than_the_page() {
        let folder = Folder::with_fixture("samples/omp-18-main.jsonl");
        let usual = usual(&folder);
        folder.run(&["session.jsonl", "-o", "page.html"]).success();
        for (page, file) in [(0o600, 0o600), (0o644, usual & 0o644)] {
            set_mode(&folder, "page.html", page);
            folder.run(&["extract", "page.html"]).success();
            assert_eq!(mode(&folder, "page.jsonl"), file);
            folder.run(&["extract", "page.html", "--all", "all"]).success();
            assert_eq!(mode(&folder, "all/page.jsonl"), file);
            assert_eq!(mode(&folder, "all").trailing_zeros() >= 6, page == 0o600);
            fs::remove_file(folder.path("page.jsonl")).unwrap();
            fs::remove_dir_all(folder.path("all")).unwrap();
        }
        // Everybody may have a locked page; what it opens to is its reader's alone.
        folder.write("password", "a heron counts nine slow boats");
        let password = ["--password-file", "password"];
        folder.run(&[&["session.jsonl", "-o", "locked.html"], &password[..]].concat()).success();
        set_mode(&folder, "locked.html", 0o644);
        folder.run(&[&["extract", "locked.html"], &password[..]].concat()).success();
        assert_eq!(mode(&folder, "locked.jsonl"), 0o600);
    }
}

#[test]
fn a_page_as_the_session_needs_a_name_for_the_new_page() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["first-steps.jsonl"]).success();
    let page = folder.read(PAGE);
    let run = folder.run(&[PAGE]).code(1);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(error.contains("it is a leafpress page, and the new page has no name"), "{error}");
    assert!(folder.read(PAGE) == page);
}
