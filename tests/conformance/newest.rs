//! What agents write since the autumn of 2026 (`fixtures/samples-2026-11`): what happened in each sample is what a reader
//! finds.

use leafpress::report;
use leafpress::session::context::Facts;
use leafpress::session::ending::{Ending, ended};
use leafpress::session::message::Block;
use leafpress::session::{Body, Session};
use serde_json::Value;

use crate::support::inflated::everything;
use crate::support::session::{fixture, read_fixture};

fn read(name: &str) -> Session {
    read_fixture(&format!("samples-2026-11/{name}.jsonl"))
}

/// Counts of the whole session.
fn counts(session: &Session) -> [u64; 4] {
    let stats: Value = serde_json::to_value(report::stats(session)).unwrap();
    ["prompts", "toolCalls", "failures", "stops"].map(|name| stats["total"][name].as_u64().unwrap())
}

/// What the blocks of all entries are that are no calls: words, sources, what is not there, pictures.
fn parts(session: &Session) -> Vec<String> {
    let content = |body: Body<'_>| -> Vec<String> {
        let blocks = match &body {
            Body::Message(message) => message.content(),
            Body::CustomMessage(custom) => &custom.content,
            _ => &[],
        };
        blocks.iter().filter_map(part).collect()
    };
    session.indices().filter_map(|at| session.entry(at)).flat_map(|e| content(e.body)).collect()
}

fn part(block: &Block<'_>) -> Option<String> {
    Some(match block {
        Block::Text(text) => text.to_string(),
        Block::NotShown(words) => format!("<{words}>"),
        Block::Image { .. } => "<image>".to_owned(),
        Block::Citations(all) => {
            let one = |number: usize| {
                let source = &all[number];
                format!(
                    "[{}] {} {} {}",
                    number + 1,
                    source.title.as_deref().unwrap_or_default(),
                    source.address.as_deref().unwrap_or_default(),
                    source.words
                )
            };
            (0..all.len()).map(one).collect::<Vec<_>>().join(" ")
        }
        _ => return None,
    })
}

fn sent(session: &Session) -> usize {
    let context = Facts::read(session).context(Some(session.leaf()));
    context.messages.iter().filter(|message| message.sent).count()
}

#[test]
fn tools_of_the_provider_are_calls_and_citations_have_sources() {
    let session = read("provider-tools-and-citations");
    assert_eq!(counts(&session), [7, 4, 2, 0]);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    let parts = parts(&session);
    for expected in [
        "Kiln heights of the north\nhttps://example.org/kilns\n3 days",
        "[1] Kiln heights of the north https://example.org/kilns six meters tall on average",
        "kilnstdout 2\nkilnstderr warn",
        "mcp says no",
        "<Image at https://example.org/pic.png, not in the session>",
        "<Image of the file file_77, not in the session>",
        "<File file_88, uploaded to the container, not in the session>",
        "[1] A manual of masonry https://example.org/doc mortar takes a day",
        "MortarMixer",
    ] {
        assert!(parts.iter().any(|part| part == expected), "{expected}: {parts:#?}");
    }
    let end = ended(&session, session.leaf()).unwrap();
    assert_eq!((end.how, end.text.to_string().as_str()), (Ending::Refused, ""));
}

#[test]
fn codex_comments_and_answers_are_two_and_a_picture_is_no_prompt() {
    let session = read("codex-phases-images");
    assert_eq!(counts(&session), [1, 3, 0, 0]);
    let parts = parts(&session);
    let images = parts.iter().filter(|part| *part == "<image>").count();
    assert_eq!(images, 3, "in a list, in a list within a text, behind view_image: {parts:?}");
    let last: Vec<&str> = parts.iter().rev().take(3).map(String::as_str).collect();
    let cited = "[1]  /home/ana/.codex/memories/leaf.md A leaf has a stem";
    assert_eq!(last, [cited, "A leaf and a stem.", "Working on the leaf."]);
    assert_eq!(ended(&session, session.leaf()).unwrap().text.to_string(), "A leaf and a stem.");
}

#[test]
fn a_session_says_where_it_goes_on() {
    let session = read("continued-in");
    let note = "Continued in another session: 12345678-0000-4000-8000-000000000000";
    assert!(session.notes().iter().any(|found| found == note), "{:?}", session.notes());
    assert_eq!(counts(&session)[0], 2, "one was typed while the agent worked");
    let stats = serde_json::to_value(report::stats(&session)).unwrap();
    assert_eq!(stats["continuedIn"][0], "12345678-0000-4000-8000-000000000000");

    let folder = tempfile::tempdir().unwrap();
    let name = "12345678-0000-4000-8000-000000000000.jsonl";
    std::fs::write(folder.path().join(name), "").unwrap();
    let file = folder.path().join("a.jsonl");
    std::fs::write(&file, fixture("samples-2026-11/continued-in.jsonl")).unwrap();
    let session = leafpress::read_file(&file).unwrap();
    let beside = format!("{note}, `{name}` beside this file");
    assert!(session.notes().contains(&beside), "{:?}", session.notes());
    let mut page = Vec::new();
    leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<span class=\"prior\">continued in another session</span>"));
}

#[test]
fn rows_with_words_are_read_and_those_for_the_person_are_not_sent() {
    let session = read("system-rows-with-words");
    assert_eq!(session.title(), Some("Mill started and watched"));
    let parts = parts(&session);
    for expected in [
        "While you were away: the mill ground 40 sacks.",
        "Switched to claude-sonnet-5 because opus is overloaded",
        "From miller: The stones are worn, stop at noon.",
    ] {
        assert!(parts.iter().any(|part| part == expected), "{expected}: {parts:?}");
    }
    assert_eq!(sent(&session), 4, "the mail is given to the model");
}

#[test]
fn a_row_of_an_unknown_type_shows_its_words() {
    let row = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"later-thing","uuid":"u2","parentUuid":"u1","sessionId":"s","inner":{"reason":"planted words of lime"}}
{"type":"system","subtype":"later_state","uuid":"u3","parentUuid":"u2","sessionId":"s","content":"more planted words here"}
{"type":"assistant","uuid":"u4","parentUuid":"u3","sessionId":"s","message":{"id":"m","role":"assistant","model":"claude","content":[{"type":"text","text":"done"}]}}"#;
    let session = leafpress::read(row.as_bytes().to_vec()).unwrap();
    let parts = parts(&session);
    for expected in ["planted words of lime", "more planted words here"] {
        assert!(parts.iter().any(|part| part == expected), "{parts:?}");
    }
    assert_eq!(sent(&session), 2);
}

#[test]
fn an_escape_is_one_stop_and_what_was_not_sent_is_said() {
    let session = read("pi-1.6-escape");
    assert_eq!(counts(&session), [2, 4, 0, 1]);
    let mut page = Vec::new();
    leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
    let page = everything(&String::from_utf8(page).unwrap());
    for expected in
        ["2 reasoning items were not sent: prefix mismatch", "The model did not see this image"]
    {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn blocks_run_in_the_direction_of_their_words() {
    let session = read("right-to-left-math");
    let mut page = Vec::new();
    leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    for expected in [
        "<p dir=\"auto\">שלום",
        "<p dir=\"auto\">مرحبا",
        "<div dir=\"rtl\" class=\"table\">",
        "<td dir=\"auto\">1",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    assert!(page.contains("<p>潮の高さは"), "no direction where all runs from left to right");
}

#[test]
fn prompts_that_a_compaction_kept_are_prompts() {
    let rows = r#"{"timestamp":"2026-11-20T10:00:00.000Z","type":"session_meta","payload":{"id":"t","cwd":"/w","cli_version":"0.171.0"}}
{"timestamp":"2026-11-20T10:00:01.000Z","type":"compacted","payload":{"message":"They baked.","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Bake rye bread"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"And a cake"}]}]}}
{"timestamp":"2026-11-20T10:00:02.000Z","type":"realtime_item","payload":{"item":{"type":"message","role":"user","content":[{"type":"input_audio","transcript":"Now the oven"}]}}}
{"timestamp":"2026-11-20T10:00:03.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is warm."}]}}"#;
    let session = leafpress::read(rows.as_bytes().to_vec()).unwrap();
    assert_eq!(counts(&session)[0], 3, "two that were kept, and one spoken aloud");
    let parts = parts(&session);
    for expected in ["Bake rye bread", "And a cake", "Now the oven"] {
        assert!(parts.iter().any(|part| part == expected), "{expected}: {parts:?}");
    }
    assert!(parts[0].starts_with("What was before this compaction"), "{parts:?}");
}

#[test]
fn an_agent_that_was_given_a_conversation_has_no_lost_parent() {
    let rows = r#"{"type":"fork-context-ref","agentId":"a","parentSessionId":"p","parentLastUuid":"elsewhere","contextLength":4}
{"type":"user","uuid":"u1","parentUuid":"elsewhere","isSidechain":true,"agentId":"a","sessionId":"p","message":{"role":"user","content":"go on"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","isSidechain":true,"agentId":"a","sessionId":"p","message":{"id":"m","role":"assistant","model":"claude","content":[{"type":"text","text":"done"}]}}"#;
    let session = leafpress::read(rows.as_bytes().to_vec()).unwrap();
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    assert_eq!(session.tree().parent(session.find("u1").unwrap()), None);
    assert!(
        session.notes().iter().any(|note| note.contains("up to elsewhere")),
        "{:?}",
        session.notes()
    );
}

#[test]
fn what_copilot_cites_has_its_sources() {
    let parts = parts(&read("copilot-citations"));
    let cited = "[1] Chart of the harbor https://example.org/chart Five fathoms at the quay \
        [2] Soundings /home/ana/tides/soundings.csv four at the pier";
    for expected in [cited, "The harbor office is closed."] {
        assert!(parts.iter().any(|part| part == expected), "{expected}: {parts:#?}");
    }
}
