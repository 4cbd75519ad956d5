//! Stored sessions as the versions of 2026 write them.

use leafpress::report::stats;
use leafpress::session::EntryIndex;
use leafpress::session::message::Message;
use leafpress::session::{Body, Kind};
use serde_json::json;

use super::{Lines, calls, forks, part, path, prompt, says};

#[test]
fn a_typed_compact_is_no_branch() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null,
        "logicalParentUuid": "u2", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 4000}});
    let summary = json!({"type": "user", "isCompactSummary": true,
        "message": {"role": "user", "content": "This session is being continued. Baked."}});
    let command = prompt(
        "<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>",
    );
    let begun = || Lines::default().user("bake").says("m", "Baked.");
    let session = begun()
        .user("/compact")
        .line(boundary.clone())
        .line(summary.clone())
        .line(command)
        .user("and now rolls")
        .read();
    assert!(forks(&session).is_empty(), "{:?}", forks(&session));
    assert_eq!(path(&session), ["u1", "u2", "u4", "u6", "u7"]);
    // The line as it was typed is known by its id.
    assert_eq!(session.find("u3").map(|entry| session.id(entry).unwrap()), Some("u6"));
    // Without the command's own line it stays where it is.
    let session = begun()
        .user("/compact now")
        .line(boundary.clone())
        .line(summary.clone())
        .user("rolls")
        .read();
    assert!(forks(&session).is_empty(), "{:?}", forks(&session));
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u6"]);
    // Another prompt there is one that was gone back from.
    let session = begun().user("and now rolls").line(boundary).line(summary).user("bread").read();
    assert_eq!(forks(&session), ["u2"]);
}

#[test]
fn an_output_too_large_is_shown_whole() {
    let short = "<persisted-output>\nOutput too large (40KB). Full output saved to: /h/.claude/projects/p/s/tool-results/b7.txt\n\nPreview (first 2KB):\nrow 0\n</persisted-output>";
    let whole: String = (0..3000).flat_map(|row| [format!("row {row}"), "\n".to_owned()]).collect();
    let result = json!({"type": "user", "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c", "content": short}]},
        "toolUseResult": {"stdout": whole, "stderr": "", "interrupted": false}});
    let result_line = result.clone();
    let session = Lines::default().user("go").calls("m", "c").line(result).read();
    let text = session.raw(EntryIndex::new(2)).unwrap();
    assert!(text.contains("row 2999"), "{}", &text[..300]);
    assert!(session.notes().iter().all(|note| !note.contains("is not shown")));
    let Body::Message(Message::ToolResult(result)) =
        session.entry(EntryIndex::new(2)).unwrap().body
    else {
        panic!("{text}")
    };
    assert!(result.details.is_some_and(|details| details.get("shortForm").is_some()));
    // Wherever it was saved.
    let text = Lines::default().user("go").calls("m", "c").line(result_line).text();
    let elsewhere = text.replace("/p/s/tool-results/b7.txt", "/out/b7.txt");
    let session = leafpress::read(elsewhere.into_bytes()).unwrap();
    assert!(session.raw(EntryIndex::new(2)).unwrap().contains("row 2999"));
}

#[test]
fn lines_without_an_id_that_say_something_are_shown() {
    let bare = |mut line: serde_json::Value| {
        line["sessionId"] = json!("s");
        line.to_string()
    };
    let hook = bare(json!({"type": "attachment", "attachment": {"type": "hook_success",
        "hookName": "Stop", "content": "", "stdout": "the crumb is fine"}}));
    let link = bare(json!({"type": "frame-link", "url": "https://frames.example/7"}));
    let found = bare(json!({"type": "result", "agentId": "w1", "result": "Rye is best."}));
    let text = Lines::default().user("go").says("m", "Done.").user("more").text();
    let (first, rest) = text.split_once('\n').unwrap();
    let text = format!("{first}\n{hook}\n{link}\n{found}\n{rest}");
    let session = leafpress::read(text.into_bytes()).unwrap();
    let all: String = session.indices().map(|entry| session.raw(entry).unwrap()).collect();
    for said in ["the crumb is fine", "https://frames.example/7", "Rye is best."] {
        assert_eq!(all.matches(said).count(), 1, "{said}");
    }
    assert!(forks(&session).is_empty());
    assert_eq!(path(&session).len(), 6);
    let is_user = |entry: &EntryIndex| Kind::of(&session.entry(*entry).unwrap().body) == Kind::User;
    assert_eq!(session.indices().filter(is_user).count(), 2);
}

#[test]
fn a_compaction_on_a_line_without_an_id_is_one() {
    let says = |id: &str, words: &str| {
        json!({"type": "assistant", "message": {"role": "assistant", "id": id,
        "content": [{"type": "text", "text": words}]}})
    };
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null,
        "logicalParentUuid": "nowhere", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "auto", "preTokens": 9000, "postTokens": 700}});
    let rows = [says("a", "Kneaded."), boundary, says("b", "Baked.")].map(|row| row.to_string());
    let session = leafpress::read(rows.join("\n").into_bytes()).unwrap();
    let kind = |id: &str| Kind::of(&session.entry(session.find(id).unwrap()).unwrap().body);
    let kinds: Vec<Kind> = path(&session).iter().map(|id| kind(id)).collect();
    assert_eq!(kinds, [Kind::Assistant, Kind::Compaction, Kind::Assistant]);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
}

#[test]
fn output_tokens_of_a_beginning_are_not_summed() {
    let long = "a long answer ".repeat(9);
    let text = |text: &str| json!({"type": "text", "text": text});
    let begun = Lines::default().user("go").line(part("m", text(&long), 2)).says("n", "Done.");
    let session = begun.read();
    assert!((stats(&session).total.usage.output - 7.0).abs() < 1e-9);
    assert!((stats(&session).total.usage.input - 6.0).abs() < 1e-9);
    let said = |note: &&String| note.starts_with("The output tokens of 1 response are unknown");
    assert_eq!(session.notes().iter().filter(said).count(), 1, "{:?}", session.notes());
    // A line that ends the response has its number.
    let mut last = says("m", &long);
    last["message"]["stop_reason"] = json!("end_turn");
    last["message"]["usage"]["output_tokens"] = json!(3);
    let session = Lines::default().user("go").line(last).read();
    assert!((stats(&session).total.usage.output - 3.0).abs() < 1e-9);
}

#[test]
fn the_last_cost_state_wins() {
    let state = |output: u32, cost: f64| {
        let line = json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": cost,
            "modelUsage": {"claude-x": {"inputTokens": 30, "outputTokens": output,
                "cacheReadInputTokens": 50, "cacheCreationInputTokens": 4, "costUSD": cost}}});
        format!("{line}\n")
    };
    let lines = Lines::default().user("go").line(calls("m", "c")).says("n", "Done.").text();
    let text = format!("{}{lines}{}", state(1, 0.1), state(100, 0.75));
    let session = leafpress::read(text.into_bytes()).unwrap();
    let usage = stats(&session).total.usage;
    let found = (usage.input, usage.output, usage.cache_read, usage.cache_write, usage.cost);
    assert_eq!(found, (30.0, 100.0, 50.0, 4.0, 0.75));
    assert!(forks(&session).is_empty());
    // Sums that were never made, as those of a run that was stopped, state nothing.
    let empty =
        json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": 0, "modelUsage": {}});
    let session = leafpress::read(format!("{lines}{empty}\n").into_bytes()).unwrap();
    assert!((stats(&session).total.usage.output - 16.0).abs() < 1e-9);
}
