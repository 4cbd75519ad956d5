use crate::render::{Placement, Renderer};
use crate::session::EntryIndex;
use crate::session::digest::Digest;

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
    let line = &article[..article.find("<header").unwrap()];
    line.split("steps-spent\">")
        .nth(1)
        .and_then(|spent| spent.split('<').next())
        .unwrap_or_default()
        .to_owned()
}

const PROMPT: &str = r#""type":"message","message":{"role":"user","content":"do it"}"#;
const CALL: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}],"stopReason":"toolUse"}"#;
const RESULT: &str = r#""type":"message","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[]}"#;
const TEXT: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"text","text":"done"}],"stopReason":"stop"}"#;
const NOTE: &str =
    r#""type":"custom_message","customType":"note","content":"the job is done","display":true"#;

#[test]
fn steps_last_as_long_as_the_work() {
    assert_eq!(line(1, &[(0, PROMPT), (2, CALL), (9, RESULT), (20, TEXT)]), "9.0s");
}

#[test]
fn idle_time_is_no_steps_time() {
    // What comes minutes after a response, ahead of the next prompt.
    assert_eq!(line(2, &[(0, PROMPT), (2, TEXT), (385, NOTE), (386, PROMPT)]), "");
    // An agent that goes on by itself worked since it was asked to.
    let later = [(0, PROMPT), (2, TEXT), (385, NOTE), (386, CALL), (390, RESULT), (395, TEXT)];
    assert_eq!(line(1, &later), "7.0s");
}
