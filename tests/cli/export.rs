//! `leafpress SESSION`.

use snapbox::str;

use crate::support::folder::Folder;
use crate::support::inflated::everything;

#[test]
fn the_page_takes_the_session_s_name_and_stdout_says_it() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder
        .run(&["first-steps.jsonl"])
        .success()
        .stdout_eq(str![[r#"
first-steps.html

"#]])
        .stderr_eq(str![[r#"
[..] KB: text [..], tool output [..], session file [..], the page itself [..]

"#]]);
    let page = folder.read("first-steps.html");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(folder.names(), ["first-steps.html", "first-steps.jsonl"]);
}

#[test]
fn output_that_was_removed_has_no_size() {
    let folder = Folder::with_example("garden.jsonl");
    folder.run(&["garden.jsonl", "--no-tool-output"]).success().stderr_eq(str![[r#"
[..] KB: text [..] KB, session file [..], the page itself [..]

"#]]);
}

#[test]
fn the_source_is_only_read() {
    for name in ["samples/pi-1.5-v1.jsonl", "damaged/torn.jsonl", "damaged/no-final-newline.jsonl"]
    {
        let folder = Folder::with_fixture(name);
        let before = std::fs::read(folder.path("session.jsonl")).unwrap();
        let modified =
            || std::fs::metadata(folder.path("session.jsonl")).unwrap().modified().unwrap();
        let time = modified();
        folder.run(&["session.jsonl"]).success();
        assert_eq!(std::fs::read(folder.path("session.jsonl")).unwrap(), before, "{name}");
        assert_eq!(modified(), time, "{name}");
    }
}

#[test]
fn the_page_can_go_elsewhere_and_replaces_an_older_one() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.write("out.html", "old");
    folder.run(&["first-steps.jsonl", "--output", "out.html"]).success().stdout_eq(str![[r#"
out.html

"#]]);
    assert!(folder.read("out.html").starts_with("<!doctype html>"));
}

#[test]
fn streams() {
    let folder = Folder::with_example("first-steps.jsonl");
    let session = folder.read("first-steps.jsonl");
    let piped = folder.command(&["-", "-o", "-"]).stdin(session.clone()).assert().success();
    assert!(piped.get_output().stdout.starts_with(b"<!doctype html>"));
    folder.command(&["-"]).stdin(session).assert().success().stdout_eq(str![[r#"
session.html

"#]]);
    folder.run(&["first-steps.jsonl", "-o", "/dev/null"]).success();
    assert!(
        std::fs::metadata("/dev/null").is_ok_and(|data| !data.is_file()),
        "written, not replaced"
    );
}

#[test]
fn the_same_session_gives_the_same_page() {
    let folder = Folder::with_example("lighthouse.jsonl");
    folder.run(&["lighthouse.jsonl", "-o", "a.html"]).success();
    folder.run(&["lighthouse.jsonl", "-o", "b.html"]).success();
    assert_eq!(folder.read("a.html"), folder.read("b.html"));
}

#[test]
fn title_leaf_target_and_filter_reach_the_page() {
    let folder = Folder::with_fixture("samples/pi-1.5-tree.jsonl");
    let args =
        ["session.jsonl", "--title", "A <b> & c", "--leaf", "t0000006", "--filter", "user-only"];
    folder.run(&args).success();
    let page = folder.read("session.html");
    assert!(page.contains("<title>A &#60;b&#62; &#38; c</title>"), "the title is escaped");
    assert!(everything(&page).contains(r#""filter":"user-only""#));
    let shown = |page: &str, id: &str| page.contains(&format!("<article id=\"entry-{id}\""));
    assert!(shown(&page, "t0000005") && !shown(&page, "t0000009"));

    // An empty title is none: the first prompt stands in.
    folder.run(&["session.jsonl", "--title", " "]).success();
    assert!(folder.read("session.html").contains("<title>alpha root</title>"));

    // A target off the leaf's path wins over it.
    folder.run(&["session.jsonl", "--leaf", "t0000006", "--target", "t0000009"]).success();
    let page = folder.read("session.html");
    assert!(!shown(&page, "t0000005") && shown(&page, "t0000009"));

    // Everything in plain markup, what is off the path hidden.
    folder.run(&["session.jsonl", "--leaf", "t0000006", "--static"]).success();
    let page = folder.read("session.html");
    assert!(shown(&page, "t0000009") && !page.contains("id=\"pack-"));
    assert!(page.contains("<article id=\"entry-t0000009\" data-kind=\"user\" data-turn-role=\"prompt\" data-context=\"none\" tabindex=\"-1\" hidden>"));
}

#[test]
fn damage_is_a_warning_with_line_numbers() {
    let folder = Folder::with_fixture("samples-2026-03/broken/pi-v3-edge-cases.jsonl");
    folder.run(&["session.jsonl"]).success().stderr_eq(str![[r#"
warning: 1 line that is not valid JSON, skipped (line 3), in `session.jsonl`
warning: 1 entry that leafpress does not understand, shown as words or JSON (line 11), in `session.jsonl`
warning: 1 entry whose parent is missing, shown as a root (line 7), in `session.jsonl`
[..] KB: text [..], session file [..], the page itself [..]

"#]]);
    assert!(
        folder.read("session.html").contains("1 line that is not valid JSON, skipped (line 3)")
    );
}

#[test]
fn every_example_presses_without_a_warning() {
    for name in ["first-steps.jsonl", "garden.jsonl", "lighthouse.jsonl"] {
        Folder::with_example(name).run(&[name]).success().stderr_eq(str![[r#"
[..] KB: text [..]

"#]]);
    }
}

#[test]
fn a_packed_session_gives_the_page_of_the_plain_one() {
    use std::io::Write as _;
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["first-steps.jsonl"]).success();
    let plain = folder.read("first-steps.html");
    let file = std::fs::File::create(folder.path("packed.jsonl.gz")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(folder.read("first-steps.jsonl").as_bytes()).unwrap();
    encoder.finish().unwrap();
    folder.run(&["packed.jsonl.gz"]).success();
    assert_eq!(folder.read("packed.html"), plain);
}

#[test]
fn the_format_can_be_said_to_every_command() {
    let folder = Folder::with_fixture("samples/pi-harness/v3-leaf.jsonl");
    for (format, leaf) in [("pi-harness", "5d000005"), ("pi", "5d00000a")] {
        let args = ["context", "session.jsonl", "--json", "--format", format];
        assert_eq!(crate::support::folder::json(&folder.run(&args).success())["leafId"], leaf);
        folder.run(&["tree", "session.jsonl", "--format", format]).success();
        folder.run(&["session.jsonl", "--format", format]).success();
    }
    folder.run(&["session.jsonl", "--format", "nope"]).code(2);
}
