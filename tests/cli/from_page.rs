//! Every command that reads a session takes a page too.

use std::fs;

use snapbox::str;

use crate::support::folder::Folder;

const SESSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lighthouse.jsonl");

/// A folder with `page.html`, and `session.jsonl` of the same bytes.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::copy(SESSION, folder.path("session.jsonl")).unwrap();
    folder.run(&["session.jsonl", "-o", "page.html"]).success();
    folder
}

#[test]
fn commands_say_the_same_of_the_page_and_of_its_session() {
    let folder = folder();
    for command in [
        &["tree"][..],
        &["tree", "--filter", "all", "--json"],
        &["context", "--json"],
        &["stats", "--json"],
        &["changes", "--json"],
        &["markdown"],
        &["branches"],
        &["secrets"],
    ] {
        let out = |file: &str| {
            let (name, options) = command.split_first().unwrap();
            let out = folder.run(&[&[*name, file], options].concat());
            let out = out.get_output();
            let text =
                |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace(file, "FILE");
            (out.status.code(), text(&out.stdout), text(&out.stderr))
        };
        assert_eq!(out("page.html"), out("session.jsonl"), "{command:?}");
    }
    let page = fs::read(folder.path("page.html")).unwrap();
    let tree = folder.run(&["tree", "session.jsonl"]).success();
    let read = folder.command(&["tree", "-"]).stdin(page).assert().success();
    assert_eq!(read.get_output().stdout, tree.get_output().stdout);
}

#[test]
fn a_page_of_a_page_has_the_same_session() {
    let folder = folder();
    folder.run(&["page.html", "-o", "again.html"]).success();
    folder.run(&["extract", "again.html", "-o", "back.jsonl"]).success();
    assert_eq!(fs::read(folder.path("back.jsonl")).unwrap(), fs::read(SESSION).unwrap());
    // The page's own name is that of the new one.
    let page = fs::read(folder.path("page.html")).unwrap();
    folder.run(&["page.html"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to export `page.html`: it is a leafpress page, and the new page has no name
help: name the new page with `-o`

"#]]);
    folder.run(&["page.html", "-o", "page.html"]).code(1);
    assert_eq!(fs::read(folder.path("page.html")).unwrap(), page);
}

#[test]
fn what_changes_a_session_refuses_a_page() {
    let folder = folder();
    let page = fs::read(folder.path("page.html")).unwrap();
    for command in [
        &["branch", "page.html", "ff652092"][..],
        &["label", "page.html", "ff652092", "here"],
        &["migrate", "page.html"],
    ] {
        folder.run(command).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to change `page.html`: it is a leafpress page
help: get the session file out of it with `leafpress extract`

"#]]);
    }
    assert_eq!(fs::read(folder.path("page.html")).unwrap(), page);
}

#[test]
fn a_page_without_its_session_says_so() {
    let folder = folder();
    folder.run(&["session.jsonl", "--no-source", "-o", "bare.html"]).success();
    folder.run(&["tree", "bare.html"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to extract from `bare.html`: the page contains no session file: it was exported with `--no-source`
...
"#]]);
}

/// Where nobody can be asked for the password.
#[test]
fn a_locked_page_asks_for_its_password() {
    let folder = folder();
    fs::write(folder.path("password"), "six words that nobody ever says\n").unwrap();
    let lock = ["session.jsonl", "--password-file", "password", "-o", "locked.html"];
    folder.run(&lock).success();
    folder.run(&["markdown", "locked.html"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error: failed to read `locked.html`: the page is password-protected, and no terminal is there to ask for the password
help: get the session file with `leafpress extract PAGE --password-file FILE`

"#]]);
    let locked = fs::read_to_string(folder.path("locked.html")).unwrap();
    for told in ["<article", "id=\"asked\"", "id=\"outline\"", "tidebook", "tide"] {
        assert!(!locked.contains(told), "{told}");
    }
    assert!(locked[..2048].contains("`leafpress markdown FILE`"), "{}", &locked[..2048]);
}

/// Who reads the file finds out what it is before anything else, and no word of the session.
#[test]
fn a_page_says_first_what_it_is() {
    let folder = folder();
    folder.run(&["session.jsonl", "--no-source", "-o", "bare.html"]).success();
    let comment = |name: &str| {
        let page = fs::read_to_string(folder.path(name)).unwrap();
        let comment = page[..2048].split("<!--").nth(1).unwrap().split("-->").next().unwrap();
        comment.trim().to_owned()
    };
    let with = comment("page.html");
    assert!(
        with.contains("leafpress markdown FILE") && with.contains("leafpress extract FILE"),
        "{with}"
    );
    assert!(comment("bare.html").ends_with("The session file is not in this page."));
}
