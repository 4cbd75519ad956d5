//! A page gives back what it was made of.

use std::fs;
use std::path::Path;
use std::process::Command;

use snapbox::str;

use crate::support::folder::Folder;
use crate::support::inflated::{packs, source};

fn own(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn assert_same(folder: &Folder, name: &str, original: &str) {
    let (given, original_bytes) =
        (fs::read(folder.path(name)).unwrap(), fs::read(original).unwrap());
    assert!(
        given == original_bytes,
        "{original}: {} bytes of {}",
        given.len(),
        original_bytes.len()
    );
}

#[test]
fn every_format_comes_back_byte_for_byte() {
    let folder = Folder::new();
    for sample in [
        "examples/lighthouse.jsonl",
        "tests/fixtures/hostile.jsonl",
        "tests/fixtures/damaged/bom.jsonl",
        "tests/fixtures/damaged/cycle.jsonl",
        "tests/fixtures/samples/pi-1.5-v1.jsonl",
        "tests/fixtures/samples/omp-18-tree.jsonl",
        "tests/fixtures/samples/codex/rollout.jsonl",
        "tests/fixtures/samples/chimera/session.jsonl",
        "tests/fixtures/samples/cursor/older.txt",
        "tests/fixtures/samples/copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "tests/fixtures/samples/flue/session-v3.json",
        "tests/fixtures/samples/pi-harness/v4-lanes.jsonl",
        "tests/fixtures/samples/pi-proposal/session.jsonl",
    ] {
        folder.run(&[&own(sample), "-o", "page.html"]).success();
        folder.run(&["extract", "page.html", "-o", "back"]).success().stdout_eq(str![[r#"
back

"#]]);
        assert_same(&folder, "back", &own(sample));
    }
}

#[test]
fn the_files_of_sub_sessions_come_back_too() {
    let folder = Folder::new();
    let session = own("tests/fixtures/samples/omp-18-main.jsonl");
    folder.run(&[&session, "-o", "page.html"]).success();
    folder.run(&["extract", "page.html", "--all", "back"]).success();
    let beside = own("tests/fixtures/samples/omp-18-main");
    // Without the hash of its `credential_pin`, which no page holds.
    let original = fs::read_to_string(&session).unwrap();
    let given = folder.read("back/page.jsonl");
    let differing: Vec<_> =
        given.lines().zip(original.lines()).filter(|(given, original)| given != original).collect();
    assert_eq!((given.lines().count(), differing.len()), (original.lines().count(), 1));
    assert!(differing[0].1.contains("credential_pin") && !differing[0].0.contains("hash"));
    assert_same(&folder, "back/Scout.jsonl", &format!("{beside}/Scout.jsonl"));
    assert_same(&folder, "back/Scout.Helper.jsonl", &format!("{beside}/Scout/Helper.jsonl"));
    folder.run(&["extract", "page.html", "--all", "back"]).code(1).stderr_eq(str![[r#"
error: failed to write to `back`: the directory is not empty
help: name a new or empty directory

"#]]);
}

#[test]
fn nothing_that_is_there_is_replaced_unasked() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["first-steps.jsonl"]).success();
    folder.write("first-steps.jsonl", "edited since");
    folder.run(&["extract", "first-steps.html"]).code(1).stderr_eq(str![[r#"
error: failed to write `first-steps.jsonl`: the file exists
help: choose another file with `-o`, or replace the file with `--force`

"#]]);
    assert_eq!(folder.read("first-steps.jsonl"), "edited since");
    folder.run(&["extract", "first-steps.html", "-o", "first-steps.html"]).code(1);
    folder.run(&["extract", "first-steps.html", "-o", "first-steps.jsonl"]).success();
    assert_same(&folder, "first-steps.jsonl", &own("examples/first-steps.jsonl"));
    let piped = folder.run(&["extract", "first-steps.html", "-o", "-"]).success();
    assert_eq!(piped.get_output().stdout, folder.read("first-steps.jsonl").as_bytes());
}

#[test]
fn sealed_pages_open_with_their_password() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.write("password", "tide and \u{e9}clair\r\nnot this line\n");
    folder.write("wrong", "tide and eclair\n");
    folder.write("empty", "\nsecond line");
    let sealed = ["first-steps.jsonl", "-o", "page.html", "--password-file"];
    let seal = |file| folder.run(&[sealed[0], sealed[1], sealed[2], sealed[3], file]);
    seal("empty").code(1).stderr_eq(str![[r#"
error: the password is empty

"#]]);
    seal("none").code(1).stderr_eq(str![[r#"
error: invalid `--password-file`: failed to read `none`: no such file or directory

"#]]);
    assert!(!folder.path("page.html").exists());
    seal("password").success().stderr_eq(str![[r#"
[..]: text [..]
encrypted: [..]

"#]]);
    assert!(!folder.read("page.html").contains("first-steps"));
    let extract = ["extract", "page.html", "-o", "back", "--password-file"];
    let extract =
        |file| folder.run(&[extract[0], extract[1], extract[2], extract[3], extract[4], file]);
    extract("wrong").code(1).stderr_eq(str![[r#"
error: failed to extract from `page.html`: the password is wrong

"#]]);
    extract("password").success();
    assert_same(&folder, "back", &own("examples/first-steps.jsonl"));
    folder.run(&["extract", "page.html"]).code(1).stderr_eq(str![[r#"
error: no terminal to ask for the password
help: read the password from a file with `--password-file FILE`

"#]]);
    folder.run(&["first-steps.jsonl", "--password"]).code(1).stderr_eq(str![[r#"
error: no terminal to ask for the password
help: read the password from a file with `--password-file FILE`

"#]]);
    folder.write("short", "tide");
    seal("short").success().stderr_eq(str![[r#"
warning: weak password: 10,000 guesses a second find it in less than a second
help: use five or more random words
[..]: text [..]
encrypted: [..]

"#]]);
}

#[test]
fn what_gives_nothing_back_says_why() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.write("notes.html", "<!doctype html><title>Tide</title><script id=other>1</script>");
    folder.run(&["extract", "notes.html"]).code(1).stderr_eq(str![[r#"
error: failed to extract from `notes.html`: it is not a leafpress page

"#]]);
    folder.run(&["first-steps.jsonl", "--no-source", "-o", "bare.html"]).success();
    folder.run(&["extract", "bare.html"]).code(1).stderr_eq(str![[r#"
error: failed to extract from `bare.html`: the page contains no session file: it was exported with `--no-source`
help: use the original session file

"#]]);
    folder.run(&["first-steps.jsonl", "-o", "page.html"]).success();
    let page = folder.read("page.html");
    let data = page.find("{\"first\":1,\"data\":\"").unwrap() + 40;
    folder.write("damaged.html", &format!("{}~~~~{}", &page[..data], &page[data + 4..]));
    folder.run(&["extract", "damaged.html"]).code(1).stderr_eq(str![[r#"
error: failed to extract from `damaged.html`: the session file in the page is damaged: chunk 1 of 1 cannot be decompressed

"#]]);
    folder.write("cut.html", &page[..data]);
    folder.run(&["extract", "cut.html"]).code(1).stderr_eq(str![[r#"
error: failed to extract from `cut.html`: the page contains no session file: it was exported with `--no-source`
help: use the original session file

"#]]);
    let mut names = folder.names();
    names.retain(|name| name.ends_with("jsonl"));
    assert_eq!(names, ["first-steps.jsonl"]);
}

/// Runs the other side: Web Cryptography in Node.js.
fn webcrypto(what: &str, page: &Path) -> Vec<u8> {
    let node = Command::new("node")
        .arg(own("tests/sealed/webcrypto.mjs"))
        .arg(what)
        .arg(page)
        .arg("tide and e\u{301}clair")
        .output()
        .expect("tests/run installs Node.js");
    assert!(node.status.success(), "{}", String::from_utf8_lossy(&node.stderr));
    node.stdout
}

/// All that a page holds, unpacked, but for what a locked one has of its own: no title in the tab,
/// no description, and links that keep ids behind `#`.
fn told(page: &str) -> Vec<String> {
    let (shell, rest) = page.split_once("id=\"pack-0\"").unwrap_or((page, ""));
    let (before, title) = shell.split_once("<title>").unwrap();
    let shell = format!("{before}{}", title.split_once("</title>").unwrap().1);
    let is_of_the_plain =
        |line: &&str| line.contains("name=\"description\"") || line.contains("property=\"og:");
    let shell: Vec<&str> = shell.lines().filter(|line| !is_of_the_plain(line)).collect();
    let shell = shell.join("\n");
    let end = rest.rsplit("</script>").next().unwrap().to_owned();
    let parts = [shell.replacen(" data-locked", "", 1), end, source(page, "source").unwrap()];
    let parts = parts.into_iter().chain(packs(page));
    parts.map(|part| part.replace("href=\"#leafId", "href=\"?leafId")).collect()
}

#[test]
fn web_crypto_opens_what_is_sealed_here_and_the_other_way() {
    let folder = Folder::with_example("lighthouse.jsonl");
    folder.write("password", "tide and \u{e9}clair");
    folder.run(&["lighthouse.jsonl", "-o", "plain.html"]).success();
    folder.run(&["lighthouse.jsonl", "-o", "sealed.html", "--password-file", "password"]).success();
    fs::write(folder.path("opened.html"), webcrypto("open", &folder.path("sealed.html"))).unwrap();
    assert!(told(&folder.read("opened.html")) == told(&folder.read("plain.html")));
    fs::write(folder.path("other.html"), webcrypto("seal", &folder.path("plain.html"))).unwrap();
    folder.run(&["extract", "other.html", "--password-file", "password", "-o", "back"]).success();
    assert_same(&folder, "back", &own("examples/lighthouse.jsonl"));
}
