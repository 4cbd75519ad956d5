//! What oh-my-pi's entries say in the tree list and in the page.

use leafpress::session::EntryIndex;
use leafpress::session::Format;
use leafpress::session::context::Facts;
use leafpress::{Filter, report};
use serde_json::json;

use super::{calling, page, read_omp};
use crate::support::session::{Log, index, read_fixture};

#[test]
fn rows_of_the_main_sample() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    let leaf = index(&session, "o0000043");
    let rows = report::tree(&session, leaf, Filter::All, None).unwrap().rows;
    let text = |id: &str| {
        let row = rows.iter().find(|row| row.id == id);
        row.map_or_else(|| panic!("no row {id}"), |row| row.text.as_str())
    };
    for (id, wanted) in [
        ("o0000001", "[model: acme/wren-2]"),
        ("o0000003", "[service tier: openai:priority]"),
        ("o0000004", "[credential pin: acme]"),
        ("o0000008", "[grep: /buoy/ in src, docs]"),
        ("o0000010", "[model usage: title tiny acme/finch-1]"),
        ("o0000011", "[title: Harbour lights v2]"),
        ("o0000012", "developer: Keep going with the plan."),
        ("o0000013", "[mode: plan]"),
        ("o0000014", "[ttsr injection]"),
        ("o0000017", "[pythonExecution]"),
        ("o0000019", "[fileMention]"),
        ("o0000021", "advisor (sec, concern, nit): check the anchor fine"),
        ("o0000022", "[async-result]: Job 7 finished"),
        ("o0000030", "assistant: waited 3s"),
    ] {
        assert_eq!(text(id), wanted, "{id}");
    }
    // A turn of dots and a picture says nothing.
    assert!(rows.iter().all(|row| row.id != "o0000015"));
    let users = report::tree(&session, leaf, Filter::UserOnly, None).unwrap().rows;
    assert!(users.iter().any(|row| row.id == "o0000020"), "a skill that a person called");
    let default = report::tree(&session, leaf, Filter::Default, None).unwrap().rows;
    for id in ["o0000003", "o0000004", "o0000010", "o0000011", "o0000013", "o0000014"] {
        assert!(default.iter().all(|row| row.id != id), "{id} is a setting");
    }
}

#[test]
fn side_calls_count_as_spent() {
    let side = json!({"type": "model_usage", "purpose": "title", "provider": "p", "model": "m",
        "usage": {"input": 10, "output": 5, "cost": {"total": 0.25}}});
    let session = read_omp(&Log::new().user("a").entry(side));
    assert!((session.entry(EntryIndex::new(1)).unwrap().usage().unwrap().cost - 0.25).abs() < 1e-9);
    assert!(page(&session).contains("$0.25"));
}

#[test]
fn the_name_is_that_of_the_title_line() {
    let change = json!({"type": "title_change", "title": "changed", "source": "user"});
    let entry = json!({"type": "message", "message": {"role": "user", "content": "x"}});
    let title = |lines: &str| {
        let log = Log::without_header().line(lines).entry(entry.clone()).entry(change.clone());
        log.read().title().map(str::to_owned)
    };
    let header = r#"{"type":"session","version":3,"id":"s"}"#;
    let slot =
        |title: &str| format!("{}\n{header}", json!({"type": "title", "v": 1, "title": title}));
    assert_eq!(title(&slot("slot")).as_deref(), Some("slot"));
    assert_eq!(title(&slot("")), None);
    assert_eq!(title(header).as_deref(), Some("changed"));
    assert_eq!(
        title(r#"{"type":"session","version":3,"id":"s","title":"header"}"#).as_deref(),
        Some("header")
    );
}

#[test]
fn a_credential_s_hash_is_nowhere() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    assert!(!page(&session).contains("abababab"));
}

#[test]
fn a_search_in_several_paths_names_them_all() {
    let arguments = json!({"pattern": "tide", "paths": ["src/moon.rs", "docs"]});
    let call = json!({"type": "toolCall", "id": "x", "name": "grep", "arguments": arguments});
    let result =
        json!({"role": "toolResult", "toolCallId": "x", "toolName": "grep", "content": "none"});
    let session = read_omp(&Log::new().entry(calling("toolUse", json!([call]))).message(result));
    let rows = report::tree(&session, EntryIndex::new(1), Filter::All, None).unwrap().rows;
    assert_eq!(rows.last().unwrap().text, "[grep: /tide/ in src/moon.rs, docs]");
}

#[test]
fn user_only_counts_called_skills_and_shared_prompts_but_no_steering() {
    let custom = |custom_type: &str, by: &str| {
        json!({"type": "custom_message", "customType": custom_type, "content": custom_type,
            "display": true, "attribution": by})
    };
    let said = [
        ("skill-prompt", "user"),
        ("skill-prompt", "agent"),
        ("collab prompt", "user"),
        ("steering", "user"),
    ];
    let log = said.iter().fold(Log::new(), |log, (kind, by)| log.entry(custom(kind, by)));
    let session = read_omp(&log.assistant("done"));
    let rows = report::tree(&session, EntryIndex::new(4), Filter::UserOnly, None).unwrap().rows;
    let shown: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(shown, ["1", "3"]);
    let facts = Facts::read(&session);
    let context = facts.context(Some(EntryIndex::new(4)));
    let roles = context.messages.iter().flat_map(|message| {
        let seen = message.read(&session).unwrap();
        seen.for_model_of(Format::Omp).iter().map(|m| m.role.to_owned()).collect::<Vec<_>>()
    });
    let roles: Vec<String> = roles.collect();
    assert_eq!(roles, ["user", "developer", "user", "user", "assistant"]);
}
