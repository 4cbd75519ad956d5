//! What answers cost, each and since the prompt above them.

use leafpress::Session;
use leafpress::session::digest::Digest;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}"#;

fn read_lines(lines: &[String]) -> Session {
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn user(id: &str, parent: &str, time: u32) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-01T00:00:{time:02}.000Z","message":{{"role":"user","content":"ask"}}}}"#
    )
}

fn answer(id: &str, parent: &str, time: u32, model: &str, stop: &str, tokens: u32) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-01-01T00:00:{time:02}.000Z","message":{{"role":"assistant","content":[],"provider":"p","model":"{model}","stopReason":"{stop}","usage":{{"input":{tokens},"output":1,"cost":{{"total":0.5}}}}}}}}"#
    )
}

#[test]
fn the_last_of_several_answers_sums_up_since_the_prompt() {
    let session = read_lines(&[
        HEADER.to_owned(),
        user("a", "null", 0),
        answer("b", "a", 5, "m", "toolUse", 10),
        answer("c", "b", 9, "m", "stop", 20),
        user("d", "\"c\"", 10),
        answer("e", "d", 12, "n", "stop", 30),
        answer("f", "b", 20, "m", "length", 40),
    ]);
    let turns = Digest::read(&session).turns;
    let of = |id| turns.of(session.index_of(id).unwrap()).unwrap();
    let spent = |id| of(id).since_prompt.as_ref().map(|s| (s.answers, s.usage.input, s.elapsed_ms));
    assert_eq!(spent("b"), None, "it went on");
    assert_eq!(spent("c"), Some((2, 30.0, Some(9_000))));
    assert_eq!(spent("e"), None, "alone, its own figures say it");
    assert_eq!(spent("f"), Some((2, 50.0, Some(20_000))), "its own branch");
    assert_eq!(["b", "c", "e", "f"].map(|id| of(id).is_new_model), [true, false, true, false]);
    assert_eq!(turns.of(session.index_of("a").unwrap()), None);
}

#[test]
fn a_compaction_knows_the_request_after_it() {
    let compaction = r#"{"type":"compaction","id":"c","parentId":"b","timestamp":"2026-01-01T00:00:06.000Z","summary":"s","tokensBefore":9}"#;
    let session = read_lines(&[
        HEADER.to_owned(),
        user("a", "null", 0),
        answer("b", "a", 5, "m", "stop", 900),
        compaction.to_owned(),
        user("d", "\"c\"", 10),
        answer("e", "d", 12, "m", "stop", 30),
        answer("f", "e", 13, "m", "stop", 31),
    ]);
    let turns = Digest::read(&session).turns;
    assert_eq!(turns.request_after(session.index_of("c").unwrap()), Some(30.0));
    assert_eq!(turns.request_after(session.index_of("b").unwrap()), None);
}
