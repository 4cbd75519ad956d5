//! What a row says of its session.

use serde_json::json;
use snapbox::str;

use crate::support::home::{Home, pi};

#[test]
fn a_session_without_a_prompt_is_called_as_its_page_is() {
    let home = Home::new();
    let text = pi("low tide", "/w", 1).replace("\"user\"", "\"assistant\"");
    home.file(".pi/agent/sessions/a.jsonl", &text);
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.contains("  pi           low tide\n"), "{stdout}");
}

#[test]
fn a_person_gets_three_lines_a_session() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("Fix the\\ndate parser", "/home/ana/w", 1));
    home.run(&["list"]).success().stdout_eq(str![[r#"
1  2026-03-01 10:01  pi           Fix the/ndate parser
   1 entry, 1 branch, 265 B, cut off, /home/ana/w
   ~/.pi/agent/sessions/--w--/a.jsonl
1 of 1 session, times in UTC
`leafpress N` exports session N of this list

"#]]);
}

#[test]
fn a_hostile_session_does_not_steer_the_terminal() {
    let home = Home::new();
    let text = pi("\u{1b}]0;title\u{7}\u{202e}\u{200b}", "/w\u{1b}[31m\u{2067}", 1);
    home.file(".pi/agent/sessions/\u{1b}[2J/a.jsonl", &text);
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let steering = ['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}', '\u{2067}'];
    assert!(!stdout.contains(steering), "{stdout:?}");
    let assert = home.run(&["--last", "-o", "-"]).success();
    let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
}

#[test]
fn a_row_is_called_by_what_was_answered_and_fits_the_columns() {
    let home = Home::new();
    let prompt = "Plant the tide tables of all harbours of the northern coast in one long sentence";
    let rows = [
        json!({"role": "user", "content": "/model"}),
        json!({"role": "user", "content": prompt}),
        json!({"role": "assistant", "content": [{"type": "text", "text": "Shall I?"}]}),
    ];
    let mut text = pi("x", "/w", 1).lines().next().unwrap().to_owned();
    for (nth, message) in rows.iter().enumerate() {
        let parent = nth.checked_sub(1).map(|before| before.to_string());
        let entry = json!({"type": "message", "id": nth.to_string(), "parentId": parent, "message": message});
        text = format!("{text}\n{entry}");
    }
    let place = format!(".pi/agent/sessions/--{}--/a.jsonl", "w".repeat(90));
    home.file(&place, &text);
    let command = home.command(&["list"]).env("COLUMNS", "80");
    let printed =
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
    assert!(printed.contains("  Plant the tide tables of all harbours of the…\n"), "{printed}");
    assert!(printed.contains(", ended with a question, /w\n"), "{printed}");
    assert!(printed.contains("…/a.jsonl\n"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let session = &home.list(&[])["sessions"][0];
    assert_eq!(
        (&session["ended"], &session["endedText"]),
        (&json!("question"), &json!("Shall I?"))
    );
}

#[test]
fn a_session_is_called_by_the_skill_or_command_that_it_begins_with() {
    let home = Home::new();
    let skill = "<skill name=\"bake\" location=\"/s/SKILL.md\">\nMix.\n</skill>\n\nrye, please";
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi(skill, "/w", 3));
    let command = "<command-message>grant</command-message>\n<command-name>/grant</command-name>\n<command-args>the tides</command-args>";
    let row = json!({"type": "user", "uuid": "a", "parentUuid": null, "sessionId": "c", "cwd": "/w",
        "timestamp": "2026-03-01T10:01:00.000Z", "message": {"role": "user", "content": command}});
    home.file(".claude/projects/-w/a.jsonl", &row.to_string());
    assert_eq!(home.prompts(&[]), ["bake: rye, please", "/grant the tides"]);
}
