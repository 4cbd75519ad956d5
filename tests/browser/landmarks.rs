//! What a turn did to the world: lines in the story, glyphs in the tree, a fact of the head.

use std::fmt::Write as _;

use crate::support::{Exported, Page};

pub(crate) fn session() -> Vec<u8> {
    turn_of(&[
        ("cargo test", "Exit code 101\\nno", true),
        ("cargo test", "ok", false),
        ("cargo test | tail -1", "ok", false),
        ("git commit -m x", "[main 1a2b3c4] Cut days <b>at</b> midnight", false),
        ("git push", "To x\\n   1a2b3c4..5d6e7f8  main -> main", false),
        ("gh pr create", "https://github.com/o/r/pull/184", false),
    ])
}

/// A turn of calls, and the response to it.
fn turn_of(calls: &[(&str, &str, bool)]) -> Vec<u8> {
    let mut file = r#"{"uuid":"p","parentUuid":null,"sessionId":"s","type":"user","message":{"content":"ship it"}}
"#
    .to_owned();
    let mut parent = "p".to_owned();
    for (nth, (command, output, is_error)) in calls.iter().enumerate() {
        let _ = write!(
            file,
            r#"{{"uuid":"a{nth}","parentUuid":"{parent}","sessionId":"s","type":"assistant","message":{{"id":"m{nth}","content":[{{"type":"tool_use","id":"t{nth}","name":"Bash","input":{{"command":"{command}"}}}}]}}}}
{{"uuid":"b{nth}","parentUuid":"a{nth}","sessionId":"s","type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{nth}","content":"{output}","is_error":{is_error}}}]}}}}
"#
        );
        parent = format!("b{nth}");
    }
    let _ = writeln!(
        file,
        r#"{{"uuid":"r","parentUuid":"{parent}","sessionId":"s","type":"assistant","message":{{"id":"r","content":[{{"type":"text","text":"Shipped."}}]}}}}"#
    );
    file.into_bytes()
}

const LINES: &str = "Array.from(document.querySelectorAll('[data-landmark]'), (line) => line.checkVisibility() ? `${line.dataset.landmark} ${line.dataset.outcome}: ${line.textContent}` : '')";

fn focused(page: &Page) -> String {
    page.get("document.activeElement.id")
}

#[test]
fn lines_below_the_steps() {
    let page = Exported::story(session()).open();
    let lines: Vec<String> = page.get(LINES);
    assert_eq!(
        lines,
        [
            "test passed: Tests passed cargo test · 1 run failed before",
            "commit passed: Commit 1a2b3c4 Cut days <b>at</b> midnight",
            "push passed: Push main",
            "pull-request passed: Pull request #184 github.com/o/r/pull/184",
        ]
    );
    // That it was done is no icon of its own.
    for kind in ["test", "commit", "push", "pull-request"] {
        let icon = if kind == "test" { "check" } else { kind };
        let is_its_own: bool = page.get(&format!(
            "(() => {{ const style = getComputedStyle(document.querySelector('.did [data-landmark={kind}]')); return style.getPropertyValue('--icon') !== '' && style.getPropertyValue('--icon') === style.getPropertyValue('--i-{icon}'); }})()"
        ));
        assert!(is_its_own, "{kind}");
    }
    page.click(".steps-toggle");
    page.settle();
    let lines: Vec<String> = page.get(LINES);
    assert!(lines.iter().all(String::is_empty), "the open steps say it themselves: {lines:?}");
}

#[test]
fn a_line_goes_to_its_call() {
    let page = Exported::story(session()).open();
    page.click("[data-landmark=commit] a");
    page.settle();
    assert_eq!(focused(&page), "entry-b3");
    assert!(page.is_in_view("b3"));
}

#[test]
fn by_key() {
    let page = Exported::story(session()).open();
    // Not the push: the commit before it has the row.
    for expected in ["b1", "b3", "b5"] {
        page.press("m");
        page.settle();
        assert_eq!(focused(&page), format!("entry-{expected}"));
    }
    page.press("m");
    let none = "No later commit, push, pull request or test run on this branch";
    assert_eq!(page.notice().as_deref(), Some(none));
    page.press_shift("M");
    assert_eq!(focused(&page), "entry-b3");
    page.press("x");
    page.settle();
    assert_eq!(focused(&page), "entry-b3", "the key is free");
}

#[test]
fn in_tree_and_search() {
    let page = Exported::story(session()).open();
    let icons: Vec<String> = page.get("Array.from(document.querySelectorAll('[role=treeitem] .text[data-icon]'), (text) => text.dataset.icon).filter((icon) => icon !== 'dot')");
    assert_eq!(icons, ["check", "commit", "pull-request"]);
    for (query, hits) in [
        ("is:commit", &["b3"][..]),
        ("is:push", &["b4"]),
        ("is:pull-request", &["b5"]),
        ("is:test", &["b0", "b1", "b2"]),
        ("is:error", &["b0"]),
    ] {
        let found: Vec<String> = Exported::story(session()).hit_keys(query);
        assert_eq!(found, hits, "{query}");
        page.run("document.getElementById('search').value = ''");
        page.click("#search");
        page.type_text(query);
        let count = format!(
            "/^{} hits?/.test(document.getElementById('search-status').textContent)",
            hits.len()
        );
        page.wait(query, &count);
        assert_eq!(page.drawn_rows(), hits, "{query}");
    }
}

/// What a call printed says how its tests ended, not its exit status.
#[test]
fn tests_that_failed_have_no_check_mark() {
    let failed = "Test Suites: 1 failed, 1 total";
    let page = Exported::story(turn_of(&[
        ("npm test 2>&1 | tail -3", failed, false),
        ("npm test 2>&1 | tail -3", failed, false),
        ("cargo test", "ok", false),
    ]))
    .open();
    let lines: Vec<String> = page.get(LINES);
    let expected = [
        "test failed: Tests failed npm test",
        "test passed: Tests passed cargo test · 1 run failed before",
    ];
    assert_eq!(lines, expected);
    let rows: Vec<(String, bool)> = page.get("Array.from(document.querySelectorAll('.row:has(.text[data-tone=done])'), (row) => [row.querySelector('.text').dataset.icon, row.classList.contains('failed')])");
    assert_eq!(rows, [("cross".to_owned(), true), ("check".to_owned(), false)]);
}

#[test]
fn in_the_head() {
    let page = Exported::story(session()).open();
    assert_eq!(page.text("#head [data-fact=commits]"), "1 commit");
    assert_eq!(page.text("#head [data-fact=failures]"), "1 failure");
    assert_eq!(page.text("#head [data-fact=pull-request]"), "#184 pull request");
    let link: String = page.get("document.querySelector('#head [data-fact=pull-request] a').href");
    assert_eq!(link, "https://github.com/o/r/pull/184");
    let other = String::from_utf8(session()).unwrap().replace("https://github", "http://github");
    let page = Exported::story(other.into_bytes()).open();
    assert_eq!(page.text("#head [data-fact=pull-request]"), "#184 pull request");
    assert_eq!(page.count("#head a[href^=http], [data-landmark] a[href^=http]"), 0);
}

/// A response that failed and was asked for again.
#[test]
fn an_error_is_in_the_line_of_steps() {
    let file = r#"{"type":"session","version":3,"id":"s"}
{"type":"message","id":"p","parentId":null,"message":{"role":"user","content":"go"}}
{"type":"message","id":"e","parentId":"p","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}],"stopReason":"error","errorMessage":"Error: Not Found"}}
{"type":"message","id":"r","parentId":"e","message":{"role":"assistant","content":[{"type":"text","text":"Done."}],"stopReason":"stop"}}
"#;
    let page = Exported::story(file.into()).open();
    assert_eq!(page.text(".steps .steps-what"), "1 step · 1 failure");
    assert_eq!(page.text("#head [data-fact=failures]"), "1 failure");
    page.press("e");
    page.settle();
    assert_eq!(focused(&page), "entry-e");
}

#[test]
fn fingers_hit_them() {
    let page = Exported::story(session()).page().narrow().open("");
    let heights: Vec<f64> = page.get("Array.from(document.querySelectorAll('[data-landmark] a'), (link) => link.getBoundingClientRect().height)");
    assert!(heights.iter().all(|height| *height >= 44.0), "{heights:?}");
    let wide: bool = page.get("document.documentElement.scrollWidth > innerWidth");
    assert!(!wide);
}

/// In the place of commands stands what they did. A push of what a row says has none of its own; at Steps the commands
/// stand.
#[test]
fn rows_say_what_was_done() {
    let page = Exported::story(session()).open();
    let rows = || -> Vec<String> {
        page.get("Array.from(document.querySelectorAll('#tree .text:not([data-tone=user], [data-tone=assistant])'), (text) => `${text.dataset.icon ?? ''} ${text.textContent}`.trim())")
    };
    assert_eq!(
        rows(),
        [
            "6 steps",
            "check Tests passed cargo test",
            "commit 1a2b3c4 Cut days <b>at</b> midnight",
            "pull-request Pull request #184"
        ]
    );
    page.press("2");
    page.settle();
    assert!(rows().contains(&"commit Bash: git commit -m x".to_owned()), "{:?}", rows());
}
