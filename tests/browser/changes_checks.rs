//! What the view Changes says of the commands after the edits of a prompt.

use crate::changes::wait;
use crate::support::Exported;
use crate::support::claude::Rows;

#[test]
fn a_stop_says_whether_it_was_tested() {
    let mut rows = Rows::new();
    let mut nth = 0;
    let mut turn = |prompt: &str, calls: &[(&str, bool)]| {
        rows.prompt(prompt, prompt);
        for (command, is_error) in calls {
            nth += 1;
            let id = nth.to_string();
            if *command == "write" {
                rows.write(&id, "/w/log.rs", &format!("tide {nth}\\n"));
            } else {
                let input = format!(r#"{{"command":"{command}"}}"#);
                rows.call(
                    &id,
                    "Bash",
                    &input,
                    if *is_error { "Exit code 1" } else { "ok" },
                    *is_error,
                );
            }
        }
    };
    turn(
        "p1",
        &[
            ("write", false),
            ("sh tests/a.sh", true),
            ("sh tests/b.sh", true),
            ("write", false),
            ("ls", false),
            ("python3 tests/test_log.py", false),
        ],
    );
    turn("p2", &[("write", false), ("npm test", true), ("npm test", false), ("write", false)]);
    turn("p3", &[("write", false), ("npm test", true), ("write", false), ("cargo build", false)]);
    let page = Exported::story(rows.bytes()).page();
    let page = page.open("?view=changes");
    wait(&page);
    let told = |stop: &str| -> Vec<String> {
        let rows = format!("#changes [data-stop={stop}] .checks li");
        page.call(
            "(rows) => Array.from(document.querySelectorAll(rows), (row) => `${row.dataset.outcome}: ${row.firstChild.textContent}${row.childNodes[1].textContent}`.replace(row.querySelector('.stop-time').textContent, ''))",
            &[&rows],
        )
    };
    assert_eq!(
        told("p1"),
        ["passed: Checked by python3 tests/test_log.py · 2 failed before", "unknown: Ran ls"]
    );
    assert_eq!(
        told("p2"),
        ["passed: Tests before the last edit passed: npm test · 1 failed before"]
    );
    assert_eq!(
        told("p3"),
        ["failed: Tests before the last edit failed: npm test", "unknown: Ran cargo build"]
    );
}
