use super::*;
use crate::render::{Placement, Renderer};
use crate::session::EntryIndex;
use crate::session::digest::Digest;

/// How long the steps took whose line the entry `at` begins.
fn spent(at: usize, entries: &[(u32, &str)]) -> String {
    let line = line(at, entries);
    let spent = line.split("steps-spent\">").nth(1).and_then(|spent| spent.split('<').next());
    spent.unwrap_or_default().to_owned()
}

/// The line of steps that the entry `at` begins, of entries with the seconds at which they were written.
fn line(at: usize, entries: &[(u32, &str)]) -> String {
    let mut file = vec![r#"{"type":"session","version":3,"id":"s"}"#.to_owned()];
    for (nth, (second, entry)) in entries.iter().enumerate() {
        let parent = nth.checked_sub(1).map_or("null".to_owned(), |before| format!("\"{before}\""));
        let (minute, second) = (second / 60, second % 60);
        file.push(format!(
            r#"{{"id":"{nth}","parentId":{parent},"timestamp":"2026-01-01T00:{minute:02}:{second:02}.000Z",{entry}}}"#
        ));
    }
    let session = crate::read(file.join("\n").into_bytes()).unwrap();
    let digest = Digest::read(&session);
    let mut renderer = Renderer::new(&session, &digest);
    let article =
        renderer.article(EntryIndex::new(at), Placement { state: None, leaf: EntryIndex::new(at) });
    let article = article.as_str();
    article[..article.find("<header").unwrap()].to_owned()
}

const PROMPT: &str = r#""type":"message","message":{"role":"user","content":"do it"}"#;
const CALL: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}],"stopReason":"toolUse"}"#;
const RESULT: &str = r#""type":"message","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[]}"#;
const TEXT: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"text","text":"done"}],"stopReason":"stop"}"#;
const NOTE: &str =
    r#""type":"custom_message","customType":"note","content":"the job is done","display":true"#;

#[test]
fn steps_last_as_long_as_the_work() {
    assert_eq!(spent(1, &[(0, PROMPT), (2, CALL), (9, RESULT), (20, TEXT)]), "9.0s");
}

#[test]
fn idle_time_is_no_steps_time() {
    // What comes minutes after a response, ahead of the next prompt.
    assert_eq!(spent(2, &[(0, PROMPT), (2, TEXT), (385, NOTE), (386, PROMPT)]), "");
    // An agent that goes on by itself worked since it was asked to.
    let later = [(0, PROMPT), (2, TEXT), (385, NOTE), (386, CALL), (390, RESULT), (395, TEXT)];
    assert_eq!(spent(1, &later), "7.0s");
}

#[test]
fn a_call_of_a_tool_that_nothing_is_known_of_has_its_name() {
    let of = |entry: &str, tool: &str| entry.replace("read", tool);
    let calls = |tools: [&str; 2]| {
        let pair = |tool| [(2, of(CALL, tool)), (3, of(RESULT, tool))];
        let entries: Vec<_> = tools.into_iter().flat_map(pair).collect();
        let entries = entries.iter().map(|(second, entry)| (*second, entry.as_str()));
        line(1, &[(0, PROMPT)].into_iter().chain(entries).collect::<Vec<_>>())
    };
    let same = calls(["frobnicate", "frobnicate"]);
    assert!(same.contains("2 frobnicate calls"), "{same}");
    let two = calls(["frobnicate", "defrob"]);
    assert!(two.contains("2 other calls"), "{two}");
}

#[test]
fn the_line_has_room_for_four_kinds() {
    let part = |words: &str, count: usize, added: usize| StepsPart {
        words: words.to_owned(),
        count,
        failed: 0,
        lines: EditedLines { added, ..EditedLines::default() },
    };
    let all = vec![
        part("63 steps", 0, 0),
        part("9 reads", 9, 0),
        part("7 searches", 7, 0),
        part("1 edit", 1, 3),
        part("9 commands", 9, 0),
        part("2 to-do updates", 2, 0),
        part("7 messages", 7, 0),
    ];
    let (shown, others) = on_one_line(all);
    let shown: Vec<&str> = shown.iter().map(|part| part.words.as_str()).collect();
    assert_eq!(shown, ["63 steps", "9 reads", "7 searches", "1 edit", "9 commands"]);
    assert_eq!(others, "2 to-do updates, 7 messages");
    assert_eq!(on_one_line(vec![part("1 step", 0, 0)]).1, "");
}
