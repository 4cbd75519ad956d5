//! The view Changes: what happened to files, by prompt and by file.

use std::fmt::Write as _;

use leafpress::changes::Changes;

use crate::support::claude::Rows;
use crate::support::{Exported, Page};

/// Two prompts of the current branch, one of an abandoned one before them.
fn session() -> Vec<u8> {
    let mut rows = Rows::new();
    rows.prompt("p1", "Write the harbor log");
    rows.write("1", "/w/src/log.rs", r"fn log() {\n    let tide = 4;\n}\n");
    rows.write("2", "/w/notes.md", r"# Harbor\n");
    rows.call("3", "Bash", r#"{"command":"cargo test"}"#, "Exit code 101", true);
    rows.call("4", "Bash", r#"{"command":"cargo test"}"#, "test result: ok. 3 passed", false);
    rows.push("a1", "assistant", r#"{"id":"ma1","content":[{"type":"text","text":"Written."}]}"#);
    let fork = rows.parent();
    rows.prompt("p2", "Use <b>twelve</b> tides");
    rows.edit("5", "/w/src/log.rs", "tide = 4", "tide = 12");
    rows.push("a2", "assistant", r#"{"id":"ma2","content":[{"type":"text","text":"Twelve."}]}"#);
    rows.go_back(&fork);
    rows.prompt("p3", "Name the ship");
    rows.edit("6", "/w/src/log.rs", r"fn log() {\n", r"fn log() {\n    let ship = 7;\n");
    rows.edit("7", "/w/notes.md", r"# Harbor\n", r"# Harbor\n\nDone.\n");
    rows.edit("8", "/w/notes.md", r"\n\nDone.\n", r"\n");
    rows.push("a3", "assistant", r#"{"id":"ma3","content":[{"type":"text","text":"Named."}]}"#);
    rows.bytes()
}

fn open(suffix: &str) -> Page {
    let page = Exported::story(session()).page().open(suffix);
    wait(&page);
    page
}

pub(crate) fn wait(page: &Page) {
    page.wait("the files", "document.querySelector('#changes .file') !== null && document.querySelectorAll('#changes .hunk-lines:empty').length === 0");
    page.settle();
}

/// Keeps what is copied in the page: all pages share one clipboard.
const COPIED: &str =
    "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }";

const STOPS: &str =
    "Array.from(document.querySelectorAll('#changes [data-stop]'), (stop) => stop.dataset.stop)";
const FILES: &str = "Array.from(document.querySelectorAll('#changes [data-file]'), (file) => `${file.dataset.file} ${file.dataset.known} ${file.querySelector('.counts').textContent}`)";

fn texts(page: &Page, selector: &str) -> Vec<String> {
    page.call("(selector) => Array.from(document.querySelectorAll(selector), (element) => element.textContent)", &[selector])
}

#[test]
fn by_prompt() {
    let page = open("?view=changes");
    let order: String = page.get("document.getElementById('changes').dataset.order");
    assert_eq!(order, "prompt");
    // p2 is on another branch.
    assert_eq!(page.get::<Vec<String>>(STOPS), ["p1", "p3"]);
    assert_eq!(page.text("#changes h2"), "2 files changed +5");
    let files: Vec<String> = page.get(FILES);
    assert_eq!(
        files,
        ["src/log.rs part +3", "notes.md part +1", "src/log.rs exact +1", "notes.md exact "]
    );
    assert_eq!(texts(&page, "#changes .checks a"), ["Checked by cargo test"]);
    assert!(page.text("#changes .checks").contains("1 failed before"));
    assert_eq!(page.text("[data-stop=p1] .checked"), "checked");
    let other = texts(&page, "#changes > .file-line");
    assert_eq!(other, ["1 prompt of other branches changed files too: “Use <b>twelve</b> tides”"]);
    let marked: bool =
        page.get("document.querySelector('#changes b b, #changes [onclick]') === null");
    assert!(marked, "no markup of the session took effect");
}

#[test]
fn a_change_that_no_edit_made_may_be_that_of_a_command() {
    let mut rows = Rows::new();
    rows.prompt("p1", "Lower the mast");
    let lines = r"\n1\n2\n3\n4\n5\n6\n7\n8\n";
    rows.read("1", "/w/log.rs", &format!(r"tide{lines}mast\n"));
    rows.edit("2", "/w/log.rs", "mast", "low mast");
    rows.call("3", "Bash", r#"{"command":"sed -i s/tide/ship/ log.rs"}"#, "", false);
    rows.read("4", "/w/log.rs", &format!(r"ship{lines}low mast\n"));
    rows.edit("5", "/w/log.rs", "low mast", "lower mast");
    let session = rows.bytes();
    for view in ["view=changes", "view=changes&order=file"] {
        let page = Exported::story(session.clone()).page().open(&format!("?{view}"));
        wait(&page);
        let authors = texts(&page, "#changes .authors");
        assert!(authors.iter().any(|author| author == "maybe changed by a command"), "{authors:?}");
    }
}

/// The script of a large page starts long before all of it has arrived.
#[test]
fn the_view_is_there_before_its_data() {
    let exported = Exported::story(session());
    let data = "<script type=\"text/plain\" id=\"changes-data\"";
    let filler = "x".repeat(40_000_000);
    exported.change_page(|page| {
        assert!(page.contains(data));
        let filler = format!("<script type=\"text/plain\" id=\"filler\">{filler}</script>{data}");
        page.replacen(data, &filler, 1)
    });
    let page = exported.page().open("?view=changes");
    wait(&page);
    assert_eq!(page.get::<Vec<String>>(STOPS), ["p1", "p3"]);
    assert_eq!(page.get::<String>("document.documentElement.dataset.view"), "changes");
}

#[test]
fn by_file() {
    let page = open("?view=changes&order=file");
    let files: Vec<String> = page.get(FILES);
    // What another branch changed is still in the file.
    assert_eq!(files, ["notes.md part +1", "src/log.rs part +4"]);
    let authors = texts(&page, "#changes [data-file='src/log.rs'] .authors");
    assert!(
        authors[0].starts_with(
            "asked: “Write the harbor log”, “Use <b>twelve</b> tides”, “Name the ship” · "
        ),
        "{authors:?}"
    );
    assert!(authors[0].ends_with("edits 1, 2 and 3 of 3 · on another branch"), "{authors:?}");
    let lines: String =
        page.get("document.querySelector('#changes [data-file=\"src/log.rs\"] .out').textContent");
    assert_eq!(lines, "fn log() {\n    let ship = 7;\n    let tide = 12;\n}\n");
    let numbers: String = page
        .get("document.querySelector('#changes [data-file=\"src/log.rs\"] .gutter').textContent");
    assert_eq!(numbers, "1\n2\n3\n4\n");
}

#[test]
fn the_numbers_are_those_of_the_library() {
    let exported = Exported::file("examples/lighthouse.jsonl");
    let changes = Changes::of(&exported.session);
    let page = exported.page().open("?view=changes&order=file");
    wait(&page);
    let shown: Vec<(String, String)> = page.get("Array.from(document.querySelectorAll('#changes .file-list li'), (row) => [row.querySelector('.list-file').dataset.goTo, row.querySelector('.counts').textContent])");
    let mut files = changes.at(&exported.session, exported.session.leaf());
    files.retain(|file| !file.edits.is_empty());
    assert!(files.len() > 2 && shown.len() >= files.len());
    for file in files {
        let (_, counts) = shown.iter().find(|(path, _)| *path == file.path).unwrap();
        let mut wanted = if file.net.is_exact { String::new() } else { "≈ ".to_owned() };
        if file.net.added > 0 {
            let _ = write!(wanted, "+{}", file.net.added);
        }
        if file.net.removed > 0 {
            let _ = write!(
                wanted,
                "{}−{}",
                if file.net.added > 0 { " " } else { "" },
                file.net.removed
            );
        }
        assert_eq!(*counts, wanted, "{}", file.path);
    }
}

#[test]
fn doors_history_and_links() {
    let page = Exported::story(session()).open();
    // From the lines of a turn.
    page.click("#entry-c6 .steps-toggle ins");
    wait(&page);
    let address: String = page.get("location.search");
    assert!(address.contains("view=changes"), "{address}");
    assert_eq!(page.get::<String>("document.activeElement.dataset.stop"), "p3");
    page.back();
    page.wait("the conversation", "!document.getElementById('transcript').hidden && document.getElementById('changes').hidden");
    // To the entry of a hunk.
    page.run("history.forward()");
    page.wait("the view", "!document.getElementById('changes').hidden");
    wait(&page);
    page.click("[data-stop=p3] [data-hunk] a[data-entry-id]");
    page.settle();
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-r6");
    assert!(page.is_in_view("r6"));
}

#[test]
fn a_file_has_an_address() {
    let page = open("?view=changes&file=notes.md");
    page.wait("the file", "document.activeElement.dataset?.file === 'notes.md'");
    assert_eq!(page.get::<String>("document.getElementById('changes').dataset.order"), "file");
    let page = open("?view=changes");
    page.click("#changes .list-file");
    page.wait("the file", "document.activeElement.dataset?.file === 'notes.md'");
    assert_eq!(page.get::<String>("document.getElementById('changes').dataset.order"), "prompt");
    assert_eq!(
        page.get::<String>("document.activeElement.closest('[data-stop]').dataset.stop"),
        "p1"
    );
}

#[test]
fn by_keyboard() {
    let page = Exported::story(session()).open();
    for view in ["context", "changes", "path", "context", "changes"] {
        page.press("v");
        page.settle();
        assert_eq!(page.get::<String>("document.documentElement.dataset.view"), view);
    }
    wait(&page);
    page.press("j");
    page.settle();
    page.press("j");
    page.settle();
    let stop: String = page.get("document.activeElement.dataset.stop ?? ''");
    assert!(["p1", "p3"].contains(&stop.as_str()), "{stop}");
    page.press("t");
    wait(&page);
    assert_eq!(page.get::<String>("document.getElementById('changes').dataset.order"), "file");
    page.press("t");
    wait(&page);
    assert_eq!(page.get::<Vec<String>>(STOPS), ["p1", "p3"]);
}

#[test]
fn viewed_files_are_collapsed_and_remembered() {
    let page = open("?view=changes&order=file");
    page.click("[data-file='notes.md'] .viewed input");
    let hidden = "document.querySelector(\"[data-file='notes.md'] .file-body\").hidden";
    assert!(page.get::<bool>(hidden));
    page.reload();
    wait(&page);
    assert!(page.get::<bool>(hidden), "it is remembered");
    page.click("[data-file='notes.md'] .file-name");
    assert!(!page.get::<bool>(hidden));
}

#[test]
fn damaged_storage_forgets_what_was_viewed() {
    let page = open("?view=changes&order=file");
    for damaged in ["{", "7", "null"] {
        page.run(&format!(
            "for (const key of Object.keys(localStorage).filter((key) => key.includes(':viewed:'))) localStorage.removeItem(key);
            document.querySelector(\"[data-file='notes.md'] .viewed input\").click();
            for (const key of Object.keys(localStorage).filter((key) => key.includes(':viewed:'))) localStorage.setItem(key, '{damaged}');"
        ));
        page.reload();
        wait(&page);
        assert!(
            !page.get::<bool>(
                "document.querySelector(\"[data-file='notes.md'] .viewed input\").checked"
            ),
            "{damaged}"
        );
    }
}

#[test]
fn a_diff_is_copied_as_a_patch() {
    let exported = Exported::story(session());
    let page = exported.page().open("?view=changes");
    wait(&page);
    page.run(COPIED);
    page.click("[data-stop=p3] [data-file='src/log.rs'] .diff-copy");
    page.wait(
        "the notice",
        "document.getElementById('notice').textContent.includes('Diff copied')",
    );
    let copied: String = page.get("window.copied");
    assert_eq!(
        copied,
        "--- a/src/log.rs\n+++ b/src/log.rs\n@@ -1,3 +1,4 @@\n fn log() {\n+    let ship = 7;\n     let tide = 12;\n }\n"
    );
}

#[test]
fn a_session_without_edits_has_no_control_and_no_data() {
    let exported = Exported::file("examples/garden.jsonl");
    let has_edits = exported.html().contains("id=\"changes-data\"");
    assert_eq!(has_edits, !Changes::of(&exported.session).files().is_empty());
    let mut rows = Rows::new();
    rows.prompt("p1", "Hello");
    let exported = Exported::story(rows.bytes());
    assert!(!exported.html().contains("changes-data"));
    let page = exported.page().open("?view=changes");
    assert!(page.get::<bool>("document.querySelector('button[data-view=changes]') === null"));
    assert!(page.get::<bool>("document.getElementById('changes').hidden"));
    page.press("v");
    page.press("v");
    assert_eq!(page.get::<String>("document.documentElement.dataset.view"), "path");
}

/// What nobody may call a file, and what no text of one may do to the page.
#[test]
fn hostile_names_and_texts_are_text() {
    let names = [
        "<img src=x onerror=pwn()>.js",
        "../../etc/passwd",
        "--exec=x",
        "a\\nb.rs",
        "\\u202etxt.exe",
        "",
    ];
    let text = "<script>pwn()</script>\\u202e\\u0000<b onclick=pwn()>\\r\\n</code></pre>";
    let mut rows = Rows::new();
    rows.prompt("p1", "<img src=x onerror=pwn()>");
    for (nth, name) in names.iter().enumerate() {
        rows.write(&format!("w{nth}"), name, text);
        rows.edit(&format!("e{nth}"), name, "<script>", "<iframe>");
    }
    let long = "x".repeat(1 << 20);
    rows.write("l", "/w/long.txt", &long);
    rows.write("c", "/w/crlf.txt", r"a\r\nb\r\n");
    rows.edit("d", "/w/crlf.txt", r"a\r\n", r"c\r\n");
    let exported = Exported::story(rows.bytes());
    for suffix in ["?view=changes", "?view=changes&order=file"] {
        let page = exported.page().open(suffix);
        page.run("window.pwn = () => { window.__pwned = true; }");
        page.run(COPIED);
        page.wait("the files", "document.querySelectorAll('#changes .file').length >= 6");
        page.run("leafpress.go({})");
        for button in ["file-name", "diff-copy", "save-version"] {
            page.run(&format!(
                "document.querySelectorAll('#changes .{button}').forEach((one) => one.click())"
            ));
            page.settle();
        }
        let bad: Vec<String> = page.get("Array.from(document.querySelectorAll('#changes :is(script, iframe, img, [onclick], [onerror], [style*=url])'), (one) => one.outerHTML.slice(0, 80))");
        assert_eq!(bad, [""; 0], "{suffix}");
        assert!(page.get::<bool>("window.__pwned === undefined"), "{suffix}");
    }
}

#[test]
fn a_file_is_saved_as_the_library_has_it() {
    let exported = Exported::story(session());
    let changes = Changes::of(&exported.session);
    let page = exported.page().open("?view=changes&order=file");
    wait(&page);
    page.run("window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return 'data:,'; }; HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };");
    page.click("[data-file='src/log.rs'] .save-version");
    page.wait("the file", "saved.length === 1");
    let place = changes.find("src/log.rs").unwrap();
    let state = changes.state(&changes.files()[place], exported.session.leaf());
    assert_eq!(page.get::<String>("saved[0]"), state.text().unwrap());
    assert_eq!(page.get::<String>("savedAs"), "log.rs");
}

#[test]
fn a_comparison_lists_the_files_that_differ() {
    let exported = Exported::story(session());
    let page = exported.page().open("?leafId=a3&compare=a2");
    page.wait("the files", "document.querySelector('.compared-file') !== null");
    assert_eq!(page.text(".compared-files h3"), "2 files differ");
    page.click(".compared-file summary");
    page.wait("the lines", "document.querySelectorAll('.compared-columns .out').length === 2");
    let sides = texts(&page, ".compared-columns > div");
    assert!(sides[0].contains("let ship = 7") && !sides[0].contains("- tide"), "{sides:?}");
    assert!(sides[1].contains("let tide = 12"), "{sides:?}");
}

#[test]
fn undone_edits_are_collapsed_with_their_diffs() {
    let page = open("?view=changes&order=file");
    let summary = "[data-file='notes.md'] .attempts summary";
    assert_eq!(page.text(summary), "1 edit undone later");
    page.click(summary);
    page.wait(
        "the diffs",
        "document.querySelectorAll(\"[data-file='notes.md'] .attempt .diff\").length === 1",
    );
    assert!(page.text("[data-file='notes.md'] .attempts").contains("asked: “Name the ship”"));
}

#[test]
fn on_a_phone() {
    let page = Exported::story(session()).page().narrow().open("?view=changes");
    wait(&page);
    let wide: bool = page.get("document.documentElement.scrollWidth > innerWidth");
    assert!(!wide, "nothing is wider than the screen");
    assert_eq!(page.text("#level"), "By prompt");
    page.click("#level");
    wait(&page);
    assert_eq!(page.get::<String>("document.getElementById('changes').dataset.order"), "file");
}

/// Work is counted, not timed: of many edits only what is near the reader is made.
#[test]
fn of_many_edits_few_are_made() {
    let mut rows = Rows::new();
    for nth in 0..60 {
        rows.prompt(&format!("p{nth}"), &format!("change {nth}"));
        for file in 0..25 {
            rows.write(&format!("w{nth}-{file}"), &format!("/w/{file}/f{nth}.txt"), r"one\ntwo\n");
        }
    }
    let exported = Exported::story(rows.bytes());
    assert_eq!(Changes::of(&exported.session).files().len(), 1_500);
    for suffix in ["?view=changes", "?view=changes&order=file"] {
        let page = exported.page().open(suffix);
        page.wait("the lines", "document.querySelector('#changes .out') !== null");
        page.settle();
        let made: usize = page.get("document.querySelectorAll('#changes *').length");
        assert!(made < 6_000, "{suffix}: {made} elements");
        page.press("j");
        page.settle();
        let made: usize = page.get("document.querySelectorAll('#changes *').length");
        assert!(made < 9_000, "{suffix}: {made} elements");
    }
    let page = exported.page().open("?view=changes&file=24/f59.txt");
    page.wait("the file", "document.activeElement.dataset?.file === '24/f59.txt'");
    assert!(page.get::<usize>("document.querySelectorAll('#changes *').length") < 9_000);
}

/// The lists beside the conversation's head are not in this view, and keep no room.
#[test]
fn on_a_wide_screen_it_is_in_the_middle() {
    let page = Exported::file("examples/lighthouse.jsonl").page().sized(1920, 1080).open("");
    page.wait("the lists", "document.querySelector('.lists').getBoundingClientRect().width > 0");
    page.press("v");
    page.press("v");
    // What is far below the screen has no lines yet.
    page.wait_for(
        "document.querySelectorAll('#changes .file .hunk-lines:not(:empty)').length > 0",
        true,
    );
    page.settle();
    let room: f64 = page.get("(() => { const [main, view] = ['main', '#changes'].map((name) => document.querySelector(name).getBoundingClientRect()); return Math.abs(view.left - main.left - (main.right - view.right)); })()");
    assert!(room < 40.0, "{room}");
}
