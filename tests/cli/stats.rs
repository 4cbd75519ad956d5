//! `leafpress stats`.

use serde_json::Value;

use crate::support::folder::{Folder, json};
use crate::support::inflated::everything;

fn stats(name: &str) -> Value {
    let folder = Folder::with_example(name);
    json(&folder.run(&["stats", name, "--json"]).success())
}

#[test]
fn the_json_has_its_promised_shape() {
    let found = stats("garden.jsonl");
    assert_eq!(
        found["total"],
        serde_json::json!({
            "entries": 28,
            "prompts": 5,
            "turns": 10,
            "toolCalls": 7,
            "failures": 2,
            "stops": 1,
            "compactions": 0,
            "usage": {"input": 2645, "output": 1137, "cacheRead": 4941, "cacheWrite": 0, "cost": 0.015_294},
            "first": "2026-11-08T14:05:31.141Z",
            "last": "2026-11-08T14:20:06.673Z",
            "elapsedMs": 875_532,
            "workedMs": 41851,
            "tools": [
                {"name": "bash", "calls": 3, "failures": 1},
                {"name": "edit", "calls": 2, "failures": 0},
                {"name": "read", "calls": 1, "failures": 0},
                {"name": "write", "calls": 1, "failures": 0},
            ],
            "models": [{"provider": "openai", "modelId": "gpt-5.1-codex", "turns": 10}],
        })
    );
    let branch = &found["branches"][1];
    assert_eq!((&branch["id"], &branch["current"]), (&"b8774523".into(), &false.into()));
    assert_eq!(branch["sharedEntries"], 14);
    assert_eq!(branch["sharedUsage"]["input"], 898);
}

/// What branches share is counted once: the total is each branch's own part and what is above.
#[test]
fn what_is_shared_is_not_counted_twice_in_the_total() {
    let found = stats("garden.jsonl");
    let branches = found["branches"].as_array().unwrap();
    let shared = branches[0]["sharedEntries"].as_u64().unwrap();
    let own = |branch: &Value| {
        branch["entries"].as_u64().unwrap() - branch["sharedEntries"].as_u64().unwrap()
    };
    let all: u64 = shared + branches.iter().map(own).sum::<u64>();
    assert_eq!(found["total"]["entries"], all);
    let tokens = |value: &Value, key: &str| value[key]["output"].as_u64().unwrap();
    let own = |branch: &Value| tokens(branch, "usage") - tokens(branch, "sharedUsage");
    let all = tokens(&branches[0], "sharedUsage") + branches.iter().map(own).sum::<u64>();
    assert_eq!(tokens(&found["total"], "usage"), all);
}

/// A session of these lines, each an id, a parent, seconds after nine and a message.
fn session(entries: &[(&str, Option<&str>, u32, Value)]) -> String {
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/w"}"#;
    let line = |(id, parent, seconds, message): &(&str, Option<&str>, u32, Value)| {
        let time = format!("2026-11-02T09:{:02}:{:02}.000Z", seconds / 60, seconds % 60);
        serde_json::json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message}).to_string()
    };
    let lines: Vec<String> =
        std::iter::once(header.to_owned()).chain(entries.iter().map(line)).collect();
    lines.join("\n") + "\n"
}

#[test]
fn the_time_worked_leaves_out_waiting_and_going_on_anew() {
    let user = || serde_json::json!({"role": "user", "content": "go"});
    let answer = || serde_json::json!({"role": "assistant", "content": [{"type": "text", "text": "ok"}], "stopReason": "stop"});
    let folder = Folder::new();
    let lines = [
        ("a", None, 0, user()),
        ("b", Some("a"), 10, answer()),
        ("c", Some("b"), 600, user()),
        ("d", Some("c"), 605, answer()),
        ("e", Some("a"), 3000, answer()),
        ("f", Some("e"), 3002, answer()),
    ];
    folder.write("session.jsonl", &session(&lines));
    let found = json(&folder.run(&["stats", "session.jsonl", "--json"]).success());
    assert_eq!(found["total"]["workedMs"], 10_000 + 5_000 + 2_000);
    assert_eq!(found["total"]["elapsedMs"], 3_002_000);
    let worked: Vec<&Value> =
        found["branches"].as_array().unwrap().iter().map(|branch| &branch["workedMs"]).collect();
    assert_eq!(worked, [2_000, 15_000]);
}

#[test]
fn sub_sessions_are_in_the_total_and_apart() {
    let folder = Folder::new();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/samples/omp-18-main.jsonl");
    let found = json(&folder.run(&["stats", samples, "--json"]).success());
    let within: u64 = found["subSessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sub| sub["entries"].as_u64().unwrap())
        .sum();
    assert!(within > 0);
    let alone = json(&folder.run(&["stats", samples, "--json", "--no-subsessions"]).success());
    let entries = |value: &Value| value["total"]["entries"].as_u64().unwrap();
    assert_eq!(entries(&alone) + within, entries(&found));
    assert_eq!(alone["total"]["workedMs"], found["total"]["workedMs"], "they work meanwhile");
    assert_eq!(alone["branches"], found["branches"]);
}

#[test]
fn people_read_what_is_shared() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let told = folder.run(&["stats", "lighthouse.jsonl"]).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(told.starts_with("Skerry Point: the lost tide of 25 October\npi  tidebook  2026-11-03\nended  answered  Committed as f27d9ab. For the keeper's wall: for day in 24 25…\n  commit         cut days at local midnight, find every tide once\n  tests failed   cargo test --test table\n  tests passed   cargo test\n2 failures\n  bash           test a_day_in_june ... FAILED\n"), "{told}");
    assert!(told.contains("total  each entry counted once\n  counts   95 entries, 10 prompts, 35 turns, 28 tool calls, 5 failures, 1 stop,\n           1 compaction\n"), "{told}");
    assert!(
        told.contains(
            "branch 240cd75b [shipped], current\n  14 entries and $0.031 shared with other branches\n"
        ),
        "{told}"
    );
    assert!(told.contains("tools    bash 8 (2 failed), edit 5"), "{told}");
}

#[test]
fn amounts_beyond_reason_are_left_out_of_every_sum() {
    let usage = |count: &str| {
        format!(r#"{{"input":{count},"output":7,"cacheRead":-3,"cost":{{"total":{count}}}}}"#)
    };
    let mut text = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
    for (id, count) in ["1e308", "1e308", "-1e300", "120"].iter().enumerate() {
        let usage: Value = serde_json::from_str(&usage(count)).unwrap();
        let ms: Value = serde_json::from_str(count).unwrap();
        let parent = id.checked_sub(1).map(|id| id.to_string());
        let message = serde_json::json!({"role": "assistant", "content": "x", "durationMs": ms, "usage": usage});
        let entry = serde_json::json!({"type": "message", "id": id.to_string(), "parentId": parent, "message": message});
        text = format!("{text}{entry}\n");
    }
    let folder = Folder::new();
    folder.write("odd.jsonl", &text);
    let found = json(&folder.run(&["stats", "odd.jsonl", "--json"]).success());
    let expected = serde_json::json!({"input": 120, "output": 28, "cacheRead": 0, "cacheWrite": 0, "cost": 120.0});
    assert_eq!(found["total"]["usage"], expected);
    for command in ["stats", "context", "branches", "tree"] {
        let output = folder.run(&[command, "odd.jsonl"]).success();
        let output = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        let longest = output.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
        assert!(!output.contains("inf") && longest < Some(20), "{command}: {output}");
    }
    folder.run(&["odd.jsonl"]).success();
    let page = everything(&folder.read("odd.html"));
    assert!(page.contains("120 in") && !page.contains("infM"), "{page}");
    // What was there instead is shown.
    assert!(page.contains("1e308") || page.contains("1e+308"));
}

const PRICES: &str = r#"{"claude-x": {"input": 3, "output": 15, "cacheRead": 0.5}}"#;

/// A session of Claude Code's: one response by a model that has a price, and one that has none.
fn unpriced() -> Folder {
    let folder = Folder::new();
    folder.write("prices.json", PRICES);
    let line = |id: &str, parent: &str, model: &str| {
        serde_json::json!({"type": "assistant", "uuid": id, "parentUuid": parent, "sessionId": "s",
            "isSidechain": false, "timestamp": "2026-01-01T00:00:01.000Z", "requestId": id,
            "message": {"id": id, "role": "assistant", "model": model, "content": [{"type": "text", "text": "hi"}],
                "usage": {"input_tokens": 1_000_000, "output_tokens": 100_000, "cache_read_input_tokens": 2_000_000}}})
    };
    let prompt = serde_json::json!({"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "s",
        "isSidechain": false, "message": {"role": "user", "content": "go"}});
    let lines = [prompt, line("a1", "u1", "claude-x-20260101"), line("a2", "a1", "other")];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    folder.write("session.jsonl", &lines.join("\n"));
    folder
}

#[test]
fn costs_are_computed_from_prices_alone_and_marked() {
    let folder = unpriced();
    let without = json(&folder.run(&["stats", "session.jsonl", "--json"]).success());
    assert_eq!(without["total"]["usage"]["cost"], 0.0);
    assert_eq!(without["total"]["usage"].get("computedCost"), None);

    let args = ["stats", "session.jsonl", "--prices", "prices.json", "--json"];
    let assert = folder.run(&args).success();
    let usage = json(&assert)["total"]["usage"].clone();
    assert_eq!((&usage["cost"], &usage["computedCost"]), (&5.5.into(), &5.5.into()));
    let warning = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(
        warning,
        "warning: no cost was computed for `other`: a price of its tokens is missing\n"
    );
    let plain = folder.run(&args[..4]).success();
    let plain = String::from_utf8(plain.get_output().stdout.clone()).unwrap();
    assert!(plain.contains("$5.50 computed"), "{plain}");
}

#[test]
fn a_cost_that_the_session_states_stays() {
    let folder = Folder::with_example("garden.jsonl");
    folder.write(
        "prices.json",
        r#"{"gpt-5.1-codex": {"input": 1000, "output": 1000, "cacheRead": 1000}}"#,
    );
    let args = ["stats", "garden.jsonl", "--prices", "prices.json", "--json"];
    let usage = json(&folder.run(&args).success())["total"]["usage"].clone();
    assert_eq!(usage["cost"], 0.015_294);
    assert_eq!(usage.get("computedCost"), None);
}

#[test]
fn prices_that_cannot_be_used_are_refused() {
    let folder = unpriced();
    for (prices, reason) in [
        ("[]", "expected JSON such as"),
        (r#"{"m": {"inputs": 1}}"#, "unknown field `inputs`, expected one of `input`, "),
        (r#"{"m": {"input": -1}}"#, "invalid price `-1`; write dollars"),
    ] {
        folder.write("prices.json", prices);
        for command in [&["stats", "session.jsonl"][..], &["session.jsonl"]] {
            let args = [command, &["--prices", "prices.json"]].concat();
            let assert = folder.run(&args).failure();
            let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
            assert!(
                said.contains("invalid prices `prices.json`") && said.contains(reason),
                "{said}"
            );
        }
    }
    assert!(!folder.path("session.html").exists());
}

#[test]
fn a_page_marks_computed_costs() {
    let folder = unpriced();
    folder.run(&["session.jsonl", "--prices", "prices.json", "--static"]).success();
    let page = folder.read("session.html");
    assert!(page.contains("$5.50 computed"));
    assert!(page.contains("Costs marked as computed are not in the session"));
    folder.run(&["session.jsonl", "--static"]).success();
    assert!(!folder.read("session.html").contains("$5.50"));
    // What a cut leaves has its cost.
    folder
        .run(&["session.jsonl", "--prices", "prices.json", "--static", "--branch", "a1"])
        .success();
    assert!(folder.read("session.html").contains("$5.50 computed"));
}

#[test]
fn the_report_says_who_worked_where_and_how_each_branch_ended() {
    let folder = Folder::with_fixture("samples/copilot/session-state/5e1f0c2a-tide/events.jsonl");
    let stats = json(&folder.run(&["stats", "session.jsonl", "--json"]).success());
    let keys = ["agent", "agentVersion", "project", "gitBranch"];
    assert_eq!(keys.map(|key| &stats[key]), ["copilot", "1.0.68", "tides", "main"]);
    // Of a format of several agents, the one that the file names; a cut keeps it.
    let openclaw = concat!(
        r#"{"type":"session","version":3,"id":"s","cwd":"/p"}"#,
        "\n",
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"go"}}"#,
        "\n",
        r#"{"type":"custom","id":"b","parentId":"a","customType":"openclaw:prompt-error","data":{}}"#,
        "\n"
    );
    let letta = openclaw.replace("openclaw:", "").replace(
        r#""role":"user","content":"go""#,
        r#""role":"assistant","model":"letta/auto","content":"Done.""#,
    );
    let sts = "{\"type\":\"session\",\"harness\":\"rake\",\"id\":\"s\"}\n\
               {\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n";
    let atif = r#"{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"hoe","version":"2.1"},
        "steps":[{"step_id":1,"source":"user","message":"go"}]}"#;
    for (text, agent, version) in [
        (openclaw, "OpenClaw", Value::Null),
        (&letta, "Letta", Value::Null),
        (&openclaw.replace("openclaw:", ""), "pi", Value::Null),
        (sts, "rake", Value::Null),
        (atif, "hoe", "2.1".into()),
    ] {
        let folder = Folder::new();
        folder.write("s.jsonl", text);
        let stats = json(&folder.run(&["stats", "s.jsonl", "--json"]).success());
        assert_eq!((&stats["agent"], &stats["agentVersion"]), (&agent.into(), &version), "{text}");
        folder.run(&["s.jsonl", "--static", "--no-images"]).success();
        assert!(folder.read("s.html").contains(agent));
    }
    let folder = Folder::with_example("garden.jsonl");
    let stats = json(&folder.run(&["stats", "garden.jsonl", "--json"]).success());
    assert_eq!(stats["gitBranch"], Value::Null);
    assert_eq!(stats["ended"], "answered");
    let branches = stats["branches"].as_array().unwrap();
    assert_eq!(branches[0]["endedText"], stats["endedText"]);
    assert!(branches.iter().all(|branch| branch["ended"].is_string()), "{branches:?}");
}

#[test]
fn each_branch_lists_the_files_that_its_edits_changed() {
    let folder = Folder::with_example("garden.jsonl");
    let stats = json(&folder.run(&["stats", "garden.jsonl", "--json"]).success());
    let file = |added: usize, removed: usize, edits: usize| serde_json::json!([{"path": "beds.py", "edits": edits, "added": added, "removed": removed, "isAbout": false}]);
    assert_eq!(stats["branches"][0]["files"], file(49, 0, 3));
    assert_eq!(stats["branches"][1]["files"], file(40, 0, 2));
    assert_eq!(stats["title"], "A page for the vegetable beds");
    assert_eq!(stats["since"], Value::Null);
}

#[test]
fn figures_since_an_entry_are_those_of_the_current_branch() {
    let folder = Folder::with_example("garden.jsonl");
    let since = |entry: &str| {
        let args = ["stats", "garden.jsonl", "--since", entry];
        let printed = folder.run(&args).success();
        let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
        (json(&folder.run(&[&args[..], &["--json"]].concat()).success()), printed)
    };
    let (found, printed) = since("160d4253");
    assert_eq!(found["since"], serde_json::json!({"entryId": "160d4253", "onCurrentBranch": true}));
    assert_eq!((&found["total"]["entries"], &found["total"]["prompts"]), (&10.into(), &2.into()));
    assert_eq!(found["branches"].as_array().unwrap().len(), 1);
    assert_eq!(found["branches"][0]["files"][0]["edits"], 1);
    assert!(printed.contains("total  current branch after 160d4253\n"), "{printed}");
    let (found, printed) = since("b8774523");
    assert_eq!(found["since"]["onCurrentBranch"], false);
    assert_eq!(
        (&found["total"]["entries"], &found["total"]["usage"]["input"]),
        (&0.into(), &0.into())
    );
    assert_eq!(found["branches"][0]["files"], serde_json::json!([]));
    assert!(
        printed.contains("b8774523 is not on the current branch: nothing is counted"),
        "{printed}"
    );
    assert_eq!((&found["ended"], &found["endedText"]), (&Value::Null, &Value::Null));
    let none = serde_json::json!([]);
    assert_eq!((&found["landmarks"], &found["failureList"]), (&none, &none));
    folder.run(&["stats", "garden.jsonl", "--since", "nobody"]).code(1);
}

#[test]
fn every_line_fits_the_columns_asked_for() {
    let folder = Folder::with_example("lighthouse.jsonl");
    for (args, columns) in [
        (&["stats", "lighthouse.jsonl"][..], "80"),
        (&["stats", "lighthouse.jsonl"], "60"),
        (&["branches", "lighthouse.jsonl"], "50"),
        (&["compare", "lighthouse.jsonl"], "80"),
        (&["context", "lighthouse.jsonl", "--over-time"], "50"),
    ] {
        let printed = folder.command(args).env("COLUMNS", columns).assert().success();
        let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
        let most: usize = columns.parse().unwrap();
        for line in printed.lines().filter(|line| !line.starts_with("counts start")) {
            assert!(line.chars().count() <= most.max(78), "{args:?} {columns}: {line}");
        }
    }
}

#[test]
fn what_was_done_what_failed_and_the_end_are_those_since_the_entry() {
    let folder = Folder::with_example("garden.jsonl");
    let row = |id: &str, parent: &str, kind: &str, content: Value| {
        let parent = if parent.is_empty() { Value::Null } else { parent.into() };
        let message = serde_json::json!({"id": id, "role": kind, "content": content});
        serde_json::json!({"uuid": id, "parentUuid": parent, "sessionId": "s", "type": kind, "message": message})
            .to_string()
    };
    let call = |id: &str, command: &str| serde_json::json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    let result = |id: &str, output: &str, is_error: bool| serde_json::json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": is_error}]);
    let lines = [
        row("p1", "", "user", "Water the beans".into()),
        row("c1", "p1", "assistant", call("t1", "git commit -m x")),
        row("r1", "c1", "user", result("t1", "[main 1a2b3c4] Water", false)),
        row("c2", "r1", "assistant", call("t2", "rake")),
        row("r2", "c2", "user", result("t2", "Exit code 1\nno rake", true)),
        row("e1", "r2", "assistant", serde_json::json!([{"type": "text", "text": "Watered."}])),
        row("p2", "e1", "user", "Now test".into()),
        row("c3", "p2", "assistant", call("t3", "cargo test")),
        row("r3", "c3", "user", result("t3", "Exit code 101\nerror: dry", true)),
    ];
    folder.write("beds.jsonl", &(lines.join("\n") + "\n"));
    let since = |entry: &str| {
        let args = ["stats", "beds.jsonl", "--since", entry, "--json"];
        json(&folder.run(&args).success())
    };
    let texts = |found: &Value, list: &str| -> Vec<String> {
        let list = found[list].as_array().unwrap().iter();
        list.map(|one| one["text"].as_str().unwrap().to_owned()).collect()
    };
    let all = since("p1");
    assert_eq!(texts(&all, "landmarks"), ["1a2b3c4 Water", "cargo test"]);
    assert_eq!(texts(&all, "failureList"), ["no rake", "error: dry"]);
    assert_eq!((&all["ended"], &all["endedText"]), (&"cut-off".into(), &"Watered.".into()));
    let later = since("e1");
    assert_eq!(texts(&later, "landmarks"), ["cargo test"]);
    assert_eq!(texts(&later, "failureList"), ["error: dry"]);
    assert_eq!((&later["ended"], &later["endedText"]), (&"cut-off".into(), &Value::Null));
    assert_eq!(later["branches"][0]["endedText"], Value::Null);
    assert_eq!(since("r3")["ended"], Value::Null);
}
