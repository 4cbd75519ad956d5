//! `leafpress list --families`: sessions that share entries are one tree, and each entry is counted once.

use std::fmt::Write as _;

use serde_json::{Value, json};
use snapbox::str;

use crate::support::folder::json;
use crate::support::home::{Home, pi};

fn families(home: &Home, args: &[&str]) -> Value {
    let args = [&["list", "--families", "--json"], args].concat();
    json(&home.run(&args).success())
}

/// `title(own prompts or - [children])` of each tree.
fn trees(report: &Value) -> Vec<String> {
    fn draw(session: &Value, out: &mut String) {
        let own = &session["own"]["prompts"];
        let own = own.as_u64().map_or("-".to_owned(), |own| own.to_string());
        let _ = write!(out, "{} {own}", session["id"].as_str().unwrap());
        let children = session["children"].as_array().unwrap();
        for (nth, child) in children.iter().enumerate() {
            out.push_str(if nth == 0 { " [" } else { ", " });
            draw(child, out);
        }
        if !children.is_empty() {
            out.push(']');
        }
    }
    let families = report["families"].as_array().unwrap().iter();
    let drawn = families.map(|family| {
        let mut out = String::new();
        draw(&family["sessions"][0], &mut out);
        out
    });
    drawn.collect()
}

fn sums(report: &Value) -> Value {
    let totals = &report["totals"];
    json!([
        totals["sessions"],
        totals["prompts"],
        totals["tokens"],
        totals["failures"],
        totals["workedMs"]
    ])
}

fn at(minute: u32, second: u32) -> String {
    format!("2026-03-01T10:{minute:02}:{second:02}.000Z")
}

fn lines(rows: Vec<Value>) -> String {
    rows.into_iter().fold(String::new(), |text, row| text + &row.to_string() + "\n")
}

fn uuid(turn: u32, nth: u32) -> String {
    format!("0000{turn:04}-0000-4000-8000-{nth:012}")
}

/// Turns of Claude Code: a prompt, a call that fails, a response 9 seconds later; 100 tokens times the turn's number.
fn claude(id: &str, turns: &[u32]) -> String {
    let mut rows = Vec::new();
    let mut parent = Value::Null;
    for &turn in turns {
        let mut row = |nth: u32, second, kind: &str, message: Value| {
            let uuid = uuid(turn, nth);
            rows.push(json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": id, "cwd": "/w",
                "timestamp": at(turn, second), "message": message}));
            parent = uuid.into();
        };
        let usage = |tokens: u32| json!({"input_tokens": tokens, "output_tokens": 0});
        let call = format!("toolu_{turn}");
        row(1, 0, "user", json!({"role": "user", "content": format!("ask {turn}")}));
        row(
            2,
            1,
            "assistant",
            json!({"role": "assistant", "id": format!("msg_{turn}"), "model": "claude",
            "usage": usage(turn * 40),
            "content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}}]}),
        );
        row(
            3,
            2,
            "user",
            json!({"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call, "content": "no", "is_error": true}]}),
        );
        row(
            4,
            9,
            "assistant",
            json!({"role": "assistant", "id": format!("msg_{turn}b"), "model": "claude",
            "usage": usage(turn * 60), "content": [{"type": "text", "text": "done"}]}),
        );
    }
    lines(rows)
}

/// The same of pi, at 1 cent a turn.
fn pi_turns(id: &str, parent_session: Option<&str>, turns: &[u32]) -> String {
    let mut rows = vec![
        json!({"type": "session", "version": 3, "id": id, "timestamp": at(turns[0], 0), "cwd": "/w",
        "parentSession": parent_session}),
    ];
    let mut parent = Value::Null;
    for &turn in turns {
        let mut row = |nth: u32, second, message: Value| {
            let id = format!("{turn:04}{nth:04}");
            rows.push(json!({"type": "message", "id": id, "parentId": parent, "timestamp": at(turn, second),
                "message": message}));
            parent = id.into();
        };
        row(1, 0, json!({"role": "user", "content": format!("ask {turn}")}));
        row(
            2,
            9,
            json!({"role": "assistant", "content": [{"type": "text", "text": "done"}], "stopReason": "stop",
            "usage": {"input": turn * 100, "output": 0, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0.01}}}),
        );
    }
    lines(rows)
}

/// The same of Codex. A fork writes the turns that it copies with the time at which it began.
fn codex(id: &str, fork: Option<(&str, u32)>, turns: &[u32]) -> String {
    let (from, begin) = fork.unzip();
    let mut rows = vec![json!({"timestamp": at(begin.unwrap_or(1), 0), "type": "session_meta",
        "payload": {"id": id, "cwd": "/w", "forked_from_id": from, "cli_version": "0.146.0"}})];
    for &turn in turns {
        let when = |second| match begin.filter(|&begin| turn < begin) {
            Some(begin) => at(begin, 0),
            None => at(turn, second),
        };
        rows.push(
            json!({"timestamp": when(0), "type": "response_item", "payload": {"type": "message",
            "role": "user", "content": [{"type": "input_text", "text": format!("ask {turn}")}]}}),
        );
        rows.push(
            json!({"timestamp": when(9), "type": "response_item", "payload": {"type": "message",
            "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}}),
        );
        let usage =
            json!({"input_tokens": turn * 100, "cached_input_tokens": 0, "output_tokens": 0});
        rows.push(
            json!({"timestamp": when(9), "type": "event_msg", "payload": {"type": "token_count",
            "info": {"last_token_usage": usage}}}),
        );
    }
    lines(rows)
}

fn claude_file(home: &Home, id: &str, turns: &[u32]) {
    home.file(&format!(".claude/projects/-w/{id}.jsonl"), &claude(id, turns));
}

fn pi_file(home: &Home, name: &str, parent: Option<&str>, turns: &[u32]) -> String {
    let place = format!(".pi/agent/sessions/--w--/{name}.jsonl");
    home.file(&place, &pi_turns(name, parent, turns));
    home.path(&place).display().to_string()
}

#[test]
fn a_resumed_session_of_claude_code_is_counted_once() {
    let home = Home::new();
    claude_file(&home, "first", &[1, 2]);
    assert_eq!(sums(&families(&home, &[])), json!([1, 2, 300, 2, 18_000]));
    claude_file(&home, "resumed", &[1, 2, 3]);
    claude_file(&home, "again", &[1, 2, 3, 5]);
    claude_file(&home, "fork", &[1, 4]);
    claude_file(&home, "other", &[7]);
    let report = families(&home, &[]);
    assert_eq!(trees(&report), ["other -", "first - [resumed 1 [again 1], fork 1]"]);
    assert_eq!(sums(&report), json!([5, 6, 2200, 6, 54_000]));
    let family = &report["families"][1];
    assert_eq!(family["totals"]["tokens"], 1500);
    let resumed = &family["sessions"][0]["children"][0];
    assert_eq!((&resumed["tokens"], &resumed["own"]["tokens"]), (&json!(600), &json!(300)));
    assert_eq!(resumed["own"]["workedMs"], 9000);
    // What a session is does not depend on which was read first.
    let home = Home::new();
    claude_file(&home, "resumed", &[1, 2, 3]);
    families(&home, &[]);
    claude_file(&home, "first", &[1, 2]);
    assert_eq!(trees(&families(&home, &[])), ["first - [resumed 1]"]);
}

/// Turns of Claude Code 2.1.330, which says from time to time what all of a session has cost: behind so many turns, in dollars.
fn claude_with_costs(home: &Home, id: &str, turns: &[u32], costs: &[(usize, f64)]) {
    const LINES_PER_TURN: usize = 4;
    let text = claude(id, turns);
    let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
    for (behind, cost) in costs.iter().rev() {
        let row = json!({"type": "cost-state", "sessionId": id, "totalCostUSD": cost});
        rows.insert(behind * LINES_PER_TURN, row.to_string());
    }
    home.file(&format!(".claude/projects/-w/{id}.jsonl"), &(rows.join("\n") + "\n"));
}

#[test]
fn what_a_fork_says_that_its_copies_cost_is_counted_once() {
    let dollars = |cost: &Value| format!("{:.2}", cost.as_f64().unwrap());
    // Whichever of the two is older, the sum where they part is known from the one that was forked.
    for (last_of_first, last_of_fork, trees_of_both) in
        [(3, 4, "first - [fork 1]"), (4, 3, "fork - [first 1]")]
    {
        let home = Home::new();
        let costs = [(1, 0.10), (2, 0.15), (3, 0.30)];
        claude_with_costs(&home, "first", &[1, 2, last_of_first], &costs);
        claude_with_costs(&home, "fork", &[1, 2, last_of_fork], &[(3, 0.22)]);
        let report = families(&home, &[]);
        assert_eq!(trees(&report), [trees_of_both]);
        assert_eq!(dollars(&report["totals"]["cost"]), "0.37");
        let child = &report["families"][0]["sessions"][0]["children"][0];
        let own = if child["id"] == "fork" { "0.07" } else { "0.15" };
        assert_eq!(dollars(&child["own"]["cost"]), own);
    }
}

#[test]
fn a_fork_that_ended_first_stands_below_what_it_copied() {
    let home = Home::new();
    claude_file(&home, "parent", &[1, 2, 5]);
    // The line above those that it copied is its own.
    let queued = json!({"type": "queue-operation", "operation": "enqueue", "timestamp": at(2, 30), "sessionId": "fork"});
    let text = format!("{queued}\n{}", claude("fork", &[1, 2, 3]));
    home.file(".claude/projects/-w/fork.jsonl", &text);
    assert_eq!(trees(&families(&home, &[])), ["parent - [fork 1]"]);
}

#[test]
fn a_fork_stands_below_its_parent_however_old() {
    let home = Home::new();
    let parent = pi_file(&home, "parent", None, &[1, 2, 9]);
    let fork = pi_file(&home, "fork", Some(&parent), &[1, 2, 3]);
    pi_file(&home, "deeper", Some(&fork), &[1, 2, 3, 4]);
    // By its id, and by the name of its file in another home.
    pi_file(&home, "by-id", Some("parent"), &[5]);
    pi_file(&home, "moved", Some("/old/home/.pi/agent/sessions/--w--/fork.jsonl"), &[1, 6]);
    pi_file(&home, "begin", Some("paren"), &[7]);
    let report = families(&home, &[]);
    assert_eq!(trees(&report), ["parent - [fork 1 [moved 1, deeper 1], by-id -]", "begin -"]);
    assert_eq!(sums(&report), json!([6, 8, 3700, 0, 72_000]));
    assert_eq!(report["totals"]["cost"], 0.08);
    // One that parted from the fork where that is not named: who had the last shared entry first.
    let unnamed = pi_turns("unnamed", None, &[1, 2, 3, 8]).replacen(&at(1, 0), &at(3, 30), 1);
    home.file(".pi/agent/sessions/--w--/unnamed.jsonl", &unnamed);
    let trees = trees(&families(&home, &[]));
    assert_eq!(trees[0], "parent - [fork 1 [unnamed 1, moved 1, deeper 1], by-id -]");
}

#[test]
fn a_fork_of_codex_is_counted_once_though_its_copies_have_another_time() {
    let home = Home::new();
    let file = |nth: u32, fork: Option<u32>, begin, turns: &[u32]| {
        let fork = fork.map(|fork| uuid(0, fork));
        let text = codex(&uuid(0, nth), fork.as_deref().map(|fork| (fork, begin)), turns);
        home.file(
            &format!(
                ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{}.jsonl",
                uuid(0, nth)
            ),
            &text,
        );
    };
    file(1, None, 0, &[1, 2]);
    file(2, Some(1), 3, &[1, 2, 3]);
    // The same words behind other ones are no copy.
    file(3, Some(1), 4, &[1, 4, 2]);
    file(4, None, 0, &[1]);
    let report = families(&home, &[]);
    let id = |nth| uuid(0, nth);
    assert_eq!(
        trees(&report),
        [format!("{} - [{} 2, {} 1]", id(1), id(3), id(2)), format!("{} -", id(4))]
    );
    assert_eq!(sums(&report)[1], 6);
    assert_eq!(sums(&report)[2], 100 + 200 + 300 + 400 + 200 + 100);
}

#[test]
fn a_session_that_goes_on_in_another_one_is_its_parent() {
    let home = Home::new();
    let next = json!({"type": "continued-in", "continuedInSessionId": "b", "sessionId": "a"});
    home.file(".claude/projects/-w/a.jsonl", &format!("{}{next}\n", claude("a", &[1])));
    claude_file(&home, "b", &[2]);
    let from = json!({"type": "derived-from", "sessions": [{"id": "b", "via": "compact"}], "sessionId": "c"});
    home.file(".claude/projects/-w/c.jsonl", &format!("{from}\n{}", claude("c", &[3])));
    let report = families(&home, &[]);
    assert_eq!(trees(&report), ["a - [b - [c -]]"]);
    assert_eq!(sums(&report), json!([3, 3, 600, 3, 27_000]));
}

#[test]
fn a_copy_of_a_file_adds_nothing() {
    let home = Home::new();
    let parent = pi_file(&home, "parent", None, &[1, 2]);
    let child = pi_file(&home, "child", Some("parent"), &[1, 2, 3]);
    for file in [parent, child] {
        let backup = file.replace("--w--", "--w-backup--");
        std::fs::create_dir_all(std::path::Path::new(&backup).parent().unwrap()).unwrap();
        std::fs::copy(file, backup).unwrap();
    }
    let report = families(&home, &[]);
    assert_eq!(sums(&report), json!([4, 3, 600, 0, 27_000]));
    // The one that lies beside it is meant.
    let drawn = trees(&report);
    assert_eq!(drawn, ["parent - [child 1, parent 0 [child 0]]"]);
    let said = home.run(&["list", "--families"]).success();
    assert!(String::from_utf8_lossy(&said.get_output().stdout).contains("child.jsonl  a copy, /w"));
    // Of Codex nothing but the words and the id is known.
    let home = Home::new();
    for day in ["01", "02"] {
        let name = format!("rollout-2026-03-{day}T10-00-00-{}.jsonl", uuid(0, 1));
        home.file(
            &format!(".codex/sessions/2026/03/{day}/{name}"),
            &codex(&uuid(0, 1), None, &[1, 2]),
        );
    }
    assert_eq!(sums(&families(&home, &[])), json!([2, 2, 300, 0, 18_000]));
}

#[test]
fn names_in_a_circle_are_a_tree() {
    let home = Home::new();
    let path = |name: &str| {
        home.path(&format!(".pi/agent/sessions/--w--/{name}.jsonl")).display().to_string()
    };
    pi_file(&home, "a", Some(&path("b")), &[1, 2]);
    pi_file(&home, "b", Some(&path("c")), &[1, 3]);
    pi_file(&home, "c", Some(&path("a")), &[1, 4]);
    pi_file(&home, "self", Some(&path("self")), &[5]);
    pi_file(&home, "own-id", Some("own-id"), &[6]);
    for twin in ["x", "y"] {
        home.file(
            &format!(".pi/agent/sessions/--{twin}--/twin.jsonl"),
            &pi_turns("twin", Some("twin"), &[7]),
        );
    }
    let report = families(&home, &[]);
    assert_eq!(trees(&report), ["twin - [twin 0]", "own-id -", "self -", "a - [c 1 [b 1]]"]);
    assert_eq!(sums(&report), json!([7, 7, 2800, 0, 63_000]));
}

#[test]
fn a_long_line_of_forks_can_be_read() {
    let home = Home::new();
    for nth in 0..200 {
        let parent = format!("s{:03}", nth + 1);
        home.file(
            &format!(".pi/agent/sessions/--w--/s{nth:03}.jsonl"),
            &pi_turns(&format!("s{nth:03}"), Some(&parent), &[1]),
        );
    }
    let report = families(&home, &[]);
    assert_eq!(sums(&report), json!([200, 1, 100, 0, 9000]));
    let drawn = trees(&report);
    assert_eq!((drawn.len(), drawn[0].matches('s').count()), (1, 200));
    home.run(&["list", "--families"]).success();
}

#[test]
fn trees_are_printed_with_what_is_their_own() {
    let home = Home::new();
    claude_file(&home, "first", &[1, 2]);
    claude_file(&home, "resumed", &[1, 2, 3]);
    claude_file(&home, "again", &[1, 2, 3, 5]);
    claude_file(&home, "fork", &[1, 4]);
    pi_file(&home, "pi-session", None, &[30]);
    home.file(".pi/agent/sessions/--x--/x.jsonl", &pi("elsewhere", "/x", 20));
    let printed = home.run(&["list", "--families"]).success();
    printed
        .stderr_eq(str![[r#"
made the catalog `[..]/.local/share/leafpress/catalog.sqlite`
it holds your prompts in the clear; `leafpress search --forget` deletes it

"#]])
        .stdout_eq(str![[r#"
2026-03-01 10:30  pi           ask 30
  pi-session  1 prompt, 3.0k tokens, $0.010, /w
2026-03-01 10:20  pi           elsewhere
  id-elsewhere  1 prompt, /x
2026-03-01 10:02  claude-code  ask 1
│ ~/.claude/projects/-w/first.jsonl  2 prompts, 300 tokens, /w
├ 2026-03-01 10:03  claude-code  ask 1
│ │ resumed  adds 1 prompt, 300 tokens, /w
│ └ 2026-03-01 10:05  claude-code  ask 1
│     ~/.claude/projects/-w/again.jsonl  adds 1 prompt, 500 tokens, /w
└ 2026-03-01 10:04  claude-code  ask 1
    ~/.claude/projects/-w/fork.jsonl  adds 1 prompt, 400 tokens, /w
3 of 3 families, times in UTC; 6 sessions, 7 prompts, 4.5k tokens, $0.010;
entries that sessions share are counted once

"#]]);
    let ids = |args: &[&str]| {
        trees(&families(&home, args))
            .iter()
            .map(|tree| tree.split(' ').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&["-n", "1"]), ["pi-session"]);
    assert_eq!(ids(&["-n", "0"]), ["pi-session", "id-elsewhere", "first"]);
    assert_eq!(ids(&["--agent", "claude-code"]), ["first"]);
    assert_eq!(ids(&["--cwd", "/x"]), ["id-elsewhere"]);
    let few = families(&home, &["-n", "1"]);
    assert_eq!((&few["total"], &few["totals"]["sessions"]), (&json!(3), &json!(6)));
    home.run(&["list", "--families", "--cwd", "/nowhere"])
        .success()
        .stdout_eq("")
        .stderr_eq(str![[r#"
warning: no sessions with the working directory `/nowhere` found (looked in 14 folders; `leafpress list --help` names them)

"#]]);
}
