//! `leafpress archive`, in a home folder of its own.

mod documents;
#[cfg(unix)]
mod killed;
mod secrets;
mod team;
#[cfg(unix)]
mod writers;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use leafpress::page::wire::packed;
use serde_json::Value;
use snapbox::str;

use crate::support::home::{Home, pi};

/// All files of an archive by their names.
fn files(home: &Home, archive: &str) -> BTreeMap<String, Vec<u8>> {
    let root = home.path(archive);
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The value that a script of `data/` hands over.
fn value(script: &[u8]) -> Value {
    let call = std::str::from_utf8(script).unwrap();
    let json = call.strip_prefix("leafpressData(").unwrap().strip_suffix(");\n").unwrap();
    serde_json::from_str(json).unwrap()
}

/// The text of a script of `data/` that is packed.
fn unpacked(script: &[u8]) -> String {
    let (units, _) = script.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
    let call = String::from_utf16(&units).unwrap();
    let pack =
        call.strip_prefix("\u{feff}leafpressData(\"").unwrap().strip_suffix("\");\n").unwrap();
    let mut units = pack[1..].encode_utf16();
    let mut bytes = Vec::new();
    while let Some(unit) = units.next() {
        let unit = if unit == 0xe000 { units.next().unwrap() ^ 0x8000 } else { unit };
        bytes.extend(unit.to_le_bytes());
    }
    bytes.truncate(bytes.len() - usize::from(pack.starts_with('1')));
    // It is the same zlib that pages have in letters.
    String::from_utf8(packed::decode(&packed::base91(&bytes), 1 << 30).unwrap()).unwrap()
}

/// A file of an archive as a text.
fn readable(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0xff, 0xfe]) {
        unpacked(bytes)
    } else {
        String::from_utf8(bytes.to_vec()).unwrap()
    }
}

/// The rows of all months, in order.
fn rows(home: &Home, archive: &str) -> Vec<Value> {
    let files = files(home, archive);
    let manifest = value(&files["data/manifest.js"]);
    let months = manifest["months"].as_array().unwrap().iter();
    let of_month = |month: &Value| {
        let name =
            format!("data/months/{}-{}.js", month[0].as_str().unwrap(), month[1].as_str().unwrap());
        texts(&files[&name]).as_array().unwrap().clone()
    };
    months.flat_map(of_month).collect()
}

fn titles(home: &Home, archive: &str) -> Vec<String> {
    let rows = rows(home, archive).into_iter();
    rows.map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

/// The value that a script of `data/` has packed: the rows of a month, or the texts of a session.
fn texts(script: &[u8]) -> Value {
    serde_json::from_str(&unpacked(script)).unwrap()
}

#[test]
fn an_archive_has_a_page_a_row_and_the_texts_of_each_session() {
    let home = Home::with_three();
    home.run(&["archive", "-o", "all", "--yes"]).success().stdout_eq("all/index.html\n").stderr_eq(
        str![[r#"
made the catalog `[..]/.local/share/leafpress/catalog.sqlite`
it holds your prompts in the clear; `leafpress search --forget` deletes it
3 sessions of 3 projects, [..] of session files
3 sessions: 3 written
replaced 0 secrets in what was written

"#]],
    );
    let rows = rows(&home, "all");
    let files = files(&home, "all");
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let page = String::from_utf8(
            files[&format!("sessions/{}", row["page"].as_str().unwrap())].clone(),
        );
        let page = page.unwrap();
        assert!(page.contains("<!-- A coding-agent session, written by leafpress."));
        assert_eq!(row["bytes"], page.len());
        let texts = texts(&files[&format!("data/text/{}.js", row["text"].as_str().unwrap())]);
        assert!(!texts["messages"].as_array().unwrap().is_empty());
    }
    let kiln = rows.iter().find(|row| row["id"] == "fire-kiln").unwrap();
    assert_eq!(kiln["page"], "fire-kiln.html");
    assert_eq!((&kiln["agent"], &kiln["project"]), (&"pi".into(), &"pottery".into()));
    assert_eq!(kiln["prompts"], 1);
    let index = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(index.contains("sessions/fire-kiln.html"));
    assert!(files.keys().any(|name| name.starts_with("months/2026-03")));

    home.run(&["archive", "-o", "all", "--yes"]).success().stderr_eq(str![[r#"
3 sessions of 3 projects, [..]
3 sessions: 0 written, 3 unchanged

"#]]);
    assert!(self::files(&home, "all") == files);
}

#[test]
fn a_page_of_an_archive_is_the_page_of_an_export() {
    let home = Home::with_three();
    home.run(&["archive", "-o", "all", "--yes"]).success();
    let session = home.path(".pi/agent/sessions/--w--/a.jsonl");
    home.run(&[session.to_str().unwrap(), "--redact", "-o", "one.html"]).success();
    let page = home.read("all/sessions/fire-kiln.html");
    // But for the way back.
    assert!(page.contains("id=\"all-sessions\" hidden><a href=\"../index.html\">All sessions</a>"));
    let is_of_archive = |line: &&str| {
        line.contains("all-sessions")
            || line.contains("Content-Security-Policy")
            || *line == "</script>"
    };
    let without = |page: &str| {
        page.lines().filter(|line| !is_of_archive(line)).collect::<Vec<_>>().join("\n")
    };
    assert!(without(&page) == without(&home.read("one.html")));
}

#[test]
fn nothing_is_written_before_a_person_says_yes() {
    let home = Home::with_three();
    home.run(&["archive", "-o", "all"]).code(1).stdout_eq("").stderr_eq(str![[r#"
made the catalog `[..]`
it holds your prompts in the clear; `leafpress search --forget` deletes it
3 sessions of 3 projects, [..]
error: no terminal to ask whether all of these are to be written
help: write them with `--yes`, or name the sessions

"#]]);
    assert!(!home.path("all").exists());
    // Who names the sessions has said so.
    home.run(&["archive", ".pi/agent/sessions/--w--", "-o", "all"]).success();
    assert_eq!(titles(&home, "all"), ["tideTable of 灯台守", "fire the kiln"]);
}

#[test]
fn sessions_are_chosen_by_agent_project_and_time() {
    let home = Home::with_three();
    let archived = |args: &[&str]| {
        let args = [&["archive", "-o", "all", "--yes"], args].concat();
        home.run(&args).success();
        titles(&home, "all")
    };
    let (kiln, tide) = ("fire the kiln".to_owned(), "tideTable of 灯台守".to_owned());
    assert_eq!(archived(&["--project", "pott"]), [&*kiln]);
    assert_eq!(archived(&["--project", "pott", "--project", "COAST"]), [&*tide, &*kiln]);
    // A session that is not wanted any more leaves the folder.
    assert_eq!(archived(&["--exclude-project", "pottery", "--project", "/w/"]), [&*tide]);
    let names = files(&home, "all").into_keys().collect::<Vec<_>>().join("\n");
    assert!(!names.contains("kiln"), "{names}");
    assert_eq!(archived(&["--agent", "pi"]).len(), 3);
    assert_eq!(archived(&["--since", "2026-03-02"]).len(), 3, "what is there stays");
    assert_eq!(archived(&["--since", "2026-03-02", "--prune"]).len(), 1);
    home.run(&["archive", "-o", "none", "--yes", "--agent", "codex"]).code(1).stderr_eq(str![[
        r#"
error: no session to write
help: `leafpress list -n 0` lists all sessions

"#
    ]]);
    assert!(!home.path("none").exists());
}

/// Only a run that looks where a session was found can say that it is gone.
#[test]
fn sessions_of_places_that_a_run_does_not_name_are_not_gone() {
    let home = Home::with_three();
    home.file("more/one.jsonl", &pi("the first kite", "/w", 1));
    home.file("more/two.jsonl", &pi("the second kite", "/w", 2));
    home.file("single.jsonl", &pi("a raft", "/w", 3));
    home.run(&["archive", "-o", "all", "more", "single.jsonl"]).success();
    let gone = || {
        let rows = rows(&home, "all").into_iter().filter(|row| row["gone"] == true);
        rows.map(|row| row["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for args in [
        &["archive", "-o", "all", "--yes"][..],
        &["archive", "-o", "all", "--yes", "--prune"],
        &["archive", "-o", "all", "single.jsonl", "--prune"],
        &["archive", "-o", "all", "./more/../more"],
    ] {
        home.run(args).success();
        assert_eq!((titles(&home, "all").len(), gone().len()), (6, 0), "{args:?}");
    }
    fs::remove_file(home.path("more/one.jsonl")).unwrap();
    fs::remove_file(home.path(".pi/agent/sessions/--w--/a.jsonl")).unwrap();
    home.run(&["archive", "-o", "all", "--yes"]).success();
    assert_eq!(gone(), ["fire the kiln"]);
    home.run(&["archive", "-o", "all", "more"]).success();
    assert_eq!(gone(), ["the first kite", "fire the kiln"]);
    // With other options nothing can be made of what was not found, and nothing is lost unasked.
    home.run(&["archive", "-o", "all", "more", "--no-source"]).code(1).stderr_eq(str![[r#"
error: failed to write to `all`: other options or another machine made it, and this run did not find 5 of its sessions
help: name the same places as before, write to a new directory, or remove those sessions with `--prune`

"#]]);
    home.run(&["archive", "-o", "all", "more", "--prune"]).success();
    assert_eq!((titles(&home, "all").len(), gone().len()), (4, 0));
}

#[test]
fn a_session_whose_file_is_gone_stays_until_it_is_pruned() {
    let home = Home::with_three();
    home.run(&["archive", "-o", "all", "--yes"]).success();
    fs::remove_file(home.path(".pi/agent/sessions/--w--/a.jsonl")).unwrap();
    home.run(&["archive", "-o", "all", "--yes"]).success().stderr_eq(str![[r#"
2 sessions of 2 projects, [..]
3 sessions: 0 written, 3 unchanged
1 session is kept whose files are gone; `--prune` removes them

"#]]);
    let gone: Vec<Value> =
        rows(&home, "all").into_iter().filter(|row| row["gone"] == true).collect();
    assert_eq!(gone.len(), 1);
    assert!(home.path("all/sessions/fire-kiln.html").exists());
    home.run(&["archive", "-o", "all", "--yes", "--since", "2026-03-03"]).success();
    // It can neither stay nor be made again.
    home.run(&["archive", "-o", "all", "--yes", "--exclude-project", "pottery"]).code(1).stderr_eq(str![[r#"
2 sessions of 2 projects, [..]
error: failed to write to `all`: 1 of its sessions would have to leave it, and this run did not find them
help: write to a new directory, or remove those sessions with `--prune`

"#]]);
    assert!(home.path("all/sessions/fire-kiln.html").exists());
    home.run(&["archive", "-o", "all", "--yes", "--prune"]).success();
    assert_eq!(rows(&home, "all").len(), 2);
    let left = files(&home, "all");
    for (name, bytes) in left {
        assert!(!name.contains("fire-kiln"), "{name}");
        assert!(!readable(&bytes).contains("kiln"), "{name}");
    }
}

#[test]
fn hostile_names_stay_inside_the_archive() {
    let home = Home::new();
    let ids = [
        "../../up",
        "a/b",
        "<img src=x>",
        "\u{202e}evil",
        "con",
        "",
        "Same",
        "same",
        &"x".repeat(300),
    ];
    for (nth, id) in ids.iter().enumerate() {
        let at = format!("2026-03-01T10:{nth:02}:00.000Z");
        let header = serde_json::json!({"type": "session", "version": 3, "id": id, "timestamp": at,
            "cwd": format!("/w/{id}")});
        let entry = serde_json::json!({"type": "message", "id": "a", "parentId": null, "timestamp": at,
            "message": {"role": "user", "content": format!("</script><script>alert({nth})</script>{}", "long ".repeat(80))}});
        home.file(
            &format!(".pi/agent/sessions/--w--/{nth}.jsonl"),
            &format!("{header}\n{entry}\n"),
        );
    }
    home.run(&["archive", "-o", "all", "--yes"]).success();
    let rows = rows(&home, "all");
    assert_eq!(rows.len(), ids.len());
    let mut pages: Vec<String> =
        rows.iter().map(|row| row["page"].as_str().unwrap().to_ascii_lowercase()).collect();
    pages.sort();
    pages.dedup();
    assert_eq!(
        pages.len(),
        ids.len(),
        "no page replaces another, not even where cases are the same"
    );
    let of_names = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    for name in files(&home, "all").keys() {
        assert!(name.chars().all(of_names), "{name}");
        assert!(Path::new(name).file_name().unwrap().len() < 200, "{name}");
    }
    let index = home.read("all/index.html");
    assert!(!index.contains("<script>alert"));
}

#[test]
fn what_cannot_be_written_to_is_refused() {
    let home = Home::with_three();
    home.file("notes/thesis.txt", "mine");
    home.run(&["archive", "-o", "notes", "--yes"]).code(1).stderr_eq(str![[r#"
made the catalog `[..]`
it holds your prompts in the clear; `leafpress search --forget` deletes it
3 sessions of 3 projects, [..]
error: failed to write to `notes`: the directory is not empty and not an archive
help: name a new directory

"#]]);
    assert_eq!(fs::read_dir(home.path("notes")).unwrap().count(), 1);
    home.run(&["archive", "nowhere", "-o", "all"]).code(1);
    assert!(!home.path("all").exists());
}

#[test]
fn the_output_of_tools_is_searched_where_that_is_asked_for() {
    let home = Home::with_three();
    let words = |args: &[&str]| {
        home.run(&[&["archive", "-o", "all", "--yes"], args].concat()).success();
        let files = files(&home, "all").into_iter();
        let lists = files.filter(|(name, _)| name.starts_with("data/words-"));
        lists.map(|(_, list)| readable(&list).len()).sum::<usize>()
    };
    let without = words(&[]);
    assert!(words(&["--tool-output"]) > without);
    assert!(words(&["--no-tool-output"]) <= without);
}

#[test]
fn a_page_leads_to_the_sessions_that_it_continues_and_that_continue_it() {
    let home = Home::new();
    let parent = home.path(".pi/agent/sessions/--w--/parent.jsonl").display().to_string();
    home.file(
        ".pi/agent/sessions/--w--/parent.jsonl",
        &pi("fire the kiln", "/w/pottery", 1).replace("id-fire the kiln", "parent"),
    );
    let fork = pi("fire the kiln", "/w/pottery", 1).replace(
        "\"id\":\"id-fire the kiln\"",
        &format!("\"id\":\"child\",\"parentSession\":{}", serde_json::json!(parent)),
    );
    let at = "2026-03-01T10:05:00.000Z";
    let more = serde_json::json!({"type": "message", "id": "b", "parentId": "a", "timestamp": at,
        "message": {"role": "user", "content": "and glaze it"}});
    home.file(".pi/agent/sessions/--w--/child.jsonl", &format!("{fork}{more}\n"));
    home.run(&["archive", "-o", "all", "--yes"]).success();
    let links = |page: &str| home.read(&format!("all/sessions/{page}.html"));
    assert!(
        links("child").contains("<li>Continues <a href=\"parent.html?archive\">fire the kiln</a>")
    );
    assert!(links("parent").contains("<li>Continued in <a href=\"child.html?archive\">"));
    // What both have counts once.
    let rows = rows(&home, "all");
    let child = rows.iter().find(|row| row["id"] == "child").unwrap();
    assert_eq!((&child["prompts"], &child["own"]["prompts"]), (&2.into(), &1.into()));
    let parent = rows.iter().find(|row| row["id"] == "parent").unwrap();
    assert_eq!(child["parent"], parent["n"]);
    let before = files(&home, "all");
    home.run(&["archive", "-o", "all", "--yes"]).success();
    assert!(files(&home, "all") == before);
    // Who is gone is named no more.
    fs::remove_file(home.path(".pi/agent/sessions/--w--/child.jsonl")).unwrap();
    home.run(&["archive", "-o", "all", "--yes", "--prune"]).success();
    assert!(!links("parent").contains("Continued in"));
}
