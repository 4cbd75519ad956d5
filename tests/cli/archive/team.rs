//! `leafpress archive --author`: a folder that several people fill.

use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::cmd::OutputAssert;
use snapbox::str;

use super::secrets::telling;
use super::{files, readable, rows, titles, value};
use crate::cli::secrets::token;
use crate::support::home::{Home, pi};
use crate::support::inflated::everything;

/// Adds sessions under a name, with the key of a person or a machine.
fn add(home: &Home, key: &str, author: &str, places: &[&str]) -> OutputAssert {
    let author = format!("--author={author}");
    let args = [&["archive", "-o", "team", "--yes", &author], places].concat();
    let data = home.path(&format!("data-of-{key}"));
    home.command(&args).env("LEAFPRESS_DATA", data).assert()
}

/// With a session of each of these in a directory of its name.
pub(super) fn homes(names: &[&str]) -> Home {
    let home = Home::new();
    for (minute, name) in (1..).zip(names) {
        let text = pi(&format!("prompt of {name}"), &format!("/w/{name}"), minute);
        home.file(&format!("{name}/a.jsonl"), &text);
    }
    home
}

/// Names and folders of the authors in a team's list.
pub(super) fn listed(home: &Home) -> Vec<(String, String)> {
    let list = value(&fs::read(home.path("team/data/authors.js")).unwrap());
    let text = |author: &Value, name: &str| author[name].as_str().unwrap().to_owned();
    let authors = list.as_array().unwrap().iter();
    authors.map(|author| (text(author, "name"), text(author, "folder"))).collect()
}

/// The author and the link of each session that the index has for readers without a script.
pub(super) fn links(home: &Home) -> Vec<(String, String)> {
    let index = home.read("team/index.html");
    let rows = index.lines().filter(|line| line.contains("?archive\""));
    let of_row = |row: &str| {
        let link = row.split('"').nth(1).unwrap().to_owned();
        let author = row.split("<span><bdi>").nth(1).unwrap().split("</bdi>").next().unwrap();
        (author.to_owned(), link)
    };
    rows.map(of_row).collect()
}

#[test]
fn two_authors_have_an_archive_each_and_one_index_over_all() {
    let home = homes(&["ada", "ben"]);
    add(&home, "ada", "Ada Lovelace", &["ada"]).success().stdout_eq("team/index.html\n").stderr_eq(
        str![[r#"
added the author `Ada Lovelace`
1 session: 1 written
replaced 0 secrets in what was written

"#]],
    );
    add(&home, "ben", "Ben", &["ben"]).success();
    assert_eq!(titles(&home, "team/authors/ada-lovelace"), ["prompt of ada"]);
    assert_eq!(titles(&home, "team/authors/ben"), ["prompt of ben"]);
    let names = [("Ada Lovelace", "ada-lovelace"), ("Ben", "ben")];
    let names = names.map(|(name, folder)| (name.to_owned(), folder.to_owned()));
    assert_eq!(listed(&home), names);
    // The newest first, and every link leads to a page.
    let links = links(&home);
    assert_eq!(links.iter().map(|(author, _)| author).collect::<Vec<_>>(), ["Ben", "Ada Lovelace"]);
    for (_, link) in &links {
        assert!(home.path("team").join(link.trim_end_matches("?archive")).is_file(), "{link}");
    }
    let index = home.read("team/index.html");
    assert!(index.contains(" data-team>") && index.contains("<h1 id=\"count\">2 sessions</h1>"));
    assert!(
        index.contains("<a href=\"authors/ben/index.html\"><bdi>Ben</bdi></a> <span>1 session")
    );
    // The ways back.
    let page = home.read(&format!("team/{}", links[0].1.trim_end_matches("?archive")));
    assert!(page.contains("<a href=\"../../../index.html\">All sessions</a>"));
    let own = home.read("team/authors/ben/index.html");
    assert!(
        own.contains("<a href=\"../../index.html\">All authors</a>") && !own.contains("data-team>")
    );

    let before = files(&home, "team");
    add(&home, "ada", "Ada Lovelace", &["ada"]).success().stderr_eq(str![[r#"
1 session: 0 written, 1 unchanged

"#]]);
    assert!(files(&home, "team") == before);
}

#[test]
fn nobody_takes_over_what_another_key_wrote() {
    let home = homes(&["ada", "ben"]);
    add(&home, "ada", "Ada", &["ada"]).success();
    let before = files(&home, "team");
    for more in [&["ben"][..], &["ben", "--prune"]] {
        add(&home, "ben", "Ada", more).code(1).stderr_eq(str![[r#"
error: failed to write to `team/authors/ada`: another person or machine made it
help: use your own name; if this is yours, add the machine, as in `--author ada-laptop`

"#]]);
    }
    assert!(files(&home, "team") == before);
    // Nor where the list of the sessions is damaged, or not written yet.
    for damaged in ["", "leafpressData({});\n"] {
        home.file("team/authors/ada/data/manifest.js", damaged);
        add(&home, "ben", "Ada", &["ben", "--prune"]).code(1);
    }
    fs::remove_file(home.path("team/authors/ada/data/manifest.js")).unwrap();
    add(&home, "ben", "Ada", &["ben"]).code(1);
    assert!(home.path("team/authors/ada/sessions/id-prompt_of_ada.html").exists());
    add(&home, "ada", "Ada", &["ada"]).success();
    assert_eq!(titles(&home, "team/authors/ada"), ["prompt of ada"]);
    fs::remove_file(home.path("team/authors/ada/data/author.js")).unwrap();
    add(&home, "ben", "Ada", &["ben", "--prune"]).code(1).stderr_eq(str![[r#"
error: failed to write to `team/authors/ada`: its `data/author.js` is missing or damaged
help: choose another name

"#]]);
}

#[test]
fn names_that_would_have_one_folder_are_not_mixed() {
    let home = homes(&["ada"]);
    add(&home, "ada", "Ada L.", &["ada"]).success();
    let before = files(&home, "team");
    for name in ["ada l.", "Ada L", "ADA L_", "_Ada-L"] {
        add(&home, "ada", name, &["ada", "--prune"]).code(1).stderr_eq(str![[r#"
error: failed to write to `team/authors/ada-l`: it belongs to the author `Ada L.`
help: if that is you, write the name as `Ada L.`; else choose another one

"#]]);
    }
    assert!(files(&home, "team") == before);
}

#[test]
fn hostile_names_stay_inside_the_folder_and_are_shown_as_text() {
    let home = homes(&["ada"]);
    let names = [
        "../../up",
        "/",
        "<img src=x onerror=x>",
        "</script><b>",
        "con",
        "鈴木",
        "佐藤",
        "\"'&",
        "--prune",
        "%2e",
    ];
    for name in names {
        add(&home, "ada", name, &["ada"]).success();
    }
    let shown: Vec<String> = listed(&home).into_iter().map(|(name, _)| name).collect();
    assert_eq!(shown.len(), names.len());
    assert!(names.iter().all(|name| shown.contains(&(*name).to_owned())));
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    for name in files(&home, "team").keys() {
        assert!(name.chars().all(is_safe) && !name.contains(".."), "{name}");
    }
    assert!(!Path::new(&home.path("up")).exists());
    let index = home.read("team/index.html");
    assert!(!index.contains("<img") && !index.contains("</script><b>"));
    let before = files(&home, "team");
    for name in ["", " ", "a\u{202e}b", "a\nb", "a\u{1b}[2J", &"long".repeat(80)] {
        let refused = add(&home, "ada", name, &["ada"]).code(2);
        assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("the name "));
    }
    assert!(files(&home, "team") == before);
}

#[test]
fn an_archive_of_one_person_and_a_teams_are_not_mixed() {
    let home = homes(&["ada"]);
    home.run(&["archive", "-o", "team", "ada"]).success();
    add(&home, "ada", "Ada", &["ada"]).code(1).stderr_eq(str![[r#"
error: failed to write to `team`: it is the archive of one person
help: name a new directory for the team, or leave out `--author`

"#]]);
    fs::remove_dir_all(home.path("team")).unwrap();
    add(&home, "ada", "Ada", &["ada"]).success();
    let before = files(&home, "team");
    for folder in ["team", "team/authors/ada"] {
        home.run(&["archive", "-o", folder, "ada", "--prune"]).code(1).stderr_eq(str![[r#"
error: failed to write to `team[..]`: it is a team's archive or a part of one
help: name the team's directory and add `--author NAME`, or name a new directory

"#]]);
    }
    for args in [
        &["archive", "-o", "team/authors", "ada", "--author", "Ada"][..],
        &["archive", "-o", "team/authors/ada", "ada", "--author", "Ada"],
        &["archive", "-o", "team/authors", "ada"],
        &["archive", "-o", "ada", "ada", "--author", "Ada"],
    ] {
        home.run(args).code(1);
    }
    home.run(&["archive", "--documents", "x.ndjson", "ada", "--author", "Ada"]).code(2);
    assert!(files(&home, "team") == before);
    assert_eq!(fs::read_dir(home.path("ada")).unwrap().count(), 1);
}

#[test]
fn another_session_at_the_same_path_is_another_row_and_the_earlier_stays() {
    let home = Home::new();
    for (minute, prompt) in [(1, "first job"), (2, "second job")] {
        home.file("run.jsonl", &pi(prompt, "/w", minute));
        add(&home, "ci", "ci", &["run.jsonl"]).success();
    }
    assert_eq!(titles(&home, "team/authors/ci"), ["second job", "first job"]);
    assert!(rows(&home, "team/authors/ci").iter().all(|row| row["gone"] != true));
    assert_eq!(links(&home).len(), 2);
    // Where all sessions of a person are archived, it is gone.
    let home = Home::new();
    for (minute, prompt) in [(1, "first job"), (2, "second job")] {
        home.file(".pi/agent/sessions/--w--/a.jsonl", &pi(prompt, "/w", minute));
        home.run(&["archive", "-o", "all", "--yes"]).success();
    }
    let rows = rows(&home, "all");
    assert_eq!((&rows[0]["title"], &rows[0]["gone"]), (&"second job".into(), &Value::Null));
    assert_eq!((&rows[1]["title"], &rows[1]["gone"]), (&"first job".into(), &true.into()));
}

#[test]
fn no_secret_is_in_a_teams_folder() {
    let home = homes(&["ben"]);
    let token = token();
    home.file("ada/a.jsonl", &telling(&token));
    add(&home, "ben", "Ben", &["ben"]).success();
    add(&home, "ada", "Ada", &["ada", "--tool-output"]).success();
    assert!(home.read("team/index.html").contains("[redacted:github-token #1]"));
    for (name, bytes) in files(&home, "team") {
        let mut text = readable(&bytes);
        if name.contains("/sessions/") {
            text.push_str(&everything(&text));
        }
        for secret in [&*token, &token.to_lowercase(), &token[4..], &token[4..].to_lowercase()] {
            assert!(!name.contains(secret) && !text.contains(secret), "{name}");
        }
    }
    // Who asks for secrets has them in the author's own archive: the index over all names only the author.
    add(&home, "ada", "Ada", &["ada", "--no-redact"]).success();
    assert!(home.read("team/authors/ada/index.html").contains(&token));
    let index = home.read("team/index.html");
    assert!(!index.contains(&token) && !index.contains("github-token"));
    assert!(index.contains("Secrets are not replaced in the sessions of Ada.</p>"));
    assert!(index.contains("authors/ada/index.html") && index.contains("authors/ben/sessions/"));
}
