//! Levels of detail: Story, Steps and Full; steps as one line that opens in place.

use leafpress::session::digest::Digest;
use serde_json::json;

use crate::query::search;
use crate::support::sessions::Lines;
use crate::support::{Exported, Page, article};

/// The entries of which more than a line is seen.
const SEEN: &str = "Array.from(document.querySelectorAll('#transcript > article:not([hidden])'))
    .filter((article) => article.querySelector(':scope > .body')?.checkVisibility({ contentVisibilityAuto: false }) && !article.querySelector(':scope > .body').hasAttribute('hidden'))
    .map((article) => article.id.slice('entry-'.length))";

/// Two turns: progress, a call, its result, text in between; the second call failed.
fn turns() -> Vec<u8> {
    let call = |id: &str, text: &str, name: &str, arguments: serde_json::Value| {
        let content = json!([{"type": "text", "text": text}, {"type": "toolCall", "id": id, "name": name, "arguments": arguments}]);
        json!({"type": "message", "message": {"role": "assistant", "content": content, "stopReason": "toolUse"}})
    };
    let result = |id: &str, text: &str, is_error: bool| json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": text}], "isError": is_error}});
    let progress = json!({"type": "custom", "customType": "bash_progress", "data": {"elapsed": 1}});
    let mut lines = Lines::new();
    lines
        .user("ask", None, "why is the low water late?")
        .entry("call", Some("ask"), call("c1", "", "read", json!({"path": "tide.rs"})))
        .entry("result", Some("call"), result("c1", "fn low_water()", false))
        .entry(
            "between",
            Some("result"),
            call("c2", "Now the tests.", "bash", json!({"command": "cargo test"})),
        )
        .entry("p1", Some("between"), progress.clone())
        .entry("p2", Some("p1"), progress)
        .entry("failed", Some("p2"), result("c2", "one test failed: harbor", true))
        .assistant("answer", Some("failed"), "It samples 24 hours a day.")
        .user("ship", Some("answer"), "ship it")
        .assistant("shipped", Some("ship"), "Done.");
    lines.bytes()
}

fn line(page: &Page) -> String {
    page.text("#transcript [data-steps] button")
}

fn expanded(page: &Page) -> Option<String> {
    page.attribute("[data-steps] button", "aria-expanded")
}

#[test]
fn shows_prompts_and_responses() {
    let page = Exported::story(turns()).open();
    page.wait_for(SEEN, ["ask", "answer", "ship", "shipped"]);
    assert_eq!(page.attribute("html", "data-detail").as_deref(), Some("story"));
    let line = line(&page);
    assert!(line.starts_with("3 steps · 1 read · 1 command · 1 message · 1 failure"), "{line}");
    assert_eq!(page.count("#transcript [data-steps]"), 1);
    assert_eq!(expanded(&page).as_deref(), Some("false"));
    let role = |id: &str| page.attribute(&article(id), "data-turn-role");
    let roles = ["ask", "result", "answer"].map(role).map(Option::unwrap);
    assert_eq!(roles, ["prompt", "step", "response"]);
}

#[test]
fn a_line_opens_in_place() {
    let page = Exported::story(turns()).open();
    let top = "document.querySelector('#transcript [data-steps]').getBoundingClientRect().top";
    let before: f64 = page.get(top);
    page.click("[data-steps] button");
    page.wait_for(
        SEEN,
        ["ask", "call", "result", "between", "failed", "answer", "ship", "shipped"],
    );
    assert_eq!(expanded(&page).as_deref(), Some("true"));
    let after: f64 = page.get(top);
    assert!((after - before).abs() < 1.0, "the line stays where it is: {before}, then {after}");
    assert_eq!(page.count("#transcript .card[open]"), 0, "as in Steps");
    page.click("[data-steps] button");
    page.wait_for(SEEN, ["ask", "answer", "ship", "shipped"]);
}

#[test]
fn keys_and_buttons_choose_the_level() {
    let page = Exported::story(turns()).open();
    let pressed = "Array.from(document.querySelectorAll('#tools button[data-detail][aria-pressed=true]'), (button) => button.dataset.detail)";
    for (key, level, open) in [("3", "full", 2), ("2", "steps", 0), ("1", "story", 0)] {
        page.press(key);
        page.wait_for(pressed, [level]);
        page.wait_for("document.documentElement.dataset.detail", level);
        page.wait_for("document.querySelectorAll('#transcript .card[open]').length", open);
    }
    page.click("#tools button[data-detail=steps]");
    page.wait_for(pressed, ["steps"]);
    page.wait_for(
        SEEN,
        ["ask", "call", "result", "between", "failed", "answer", "ship", "shipped"],
    );
}

#[test]
fn the_level_is_in_the_address_and_remembered() {
    let page = Exported::story(turns()).open();
    page.press("2");
    page.wait_for("new URLSearchParams(location.search).get('detail')", "steps");
    page.load_anew("");
    page.wait_for("document.documentElement.dataset.detail", "steps");
    page.load_anew("?detail=full");
    page.wait_for("document.querySelectorAll('#transcript .card[open]').length", 2);
    page.load_anew("?detail=nonsense");
    page.wait_for("document.documentElement.dataset.detail", "steps");
}

#[test]
fn a_link_opens_the_steps_it_lands_in() {
    let call = |id: &str| json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": id}}], "stopReason": "toolUse"}});
    let result = |id: &str| json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": "x"}]}});
    let mut lines = Lines::new();
    let mut parent = None;
    for n in ["1", "2", "3"] {
        let [ask, calls, read, told] =
            ["ask", "call", "result", "told"].map(|what| format!("{what}{n}"));
        lines
            .user(&ask, parent.as_deref(), "and the next one?")
            .entry(&calls, Some(&ask), call(&calls))
            .entry(&read, Some(&calls), result(&calls))
            .assistant(&told, Some(&read), "So it is.");
        parent = Some(told);
    }
    let page = Exported::story(lines.bytes()).page().open("?targetId=result2");
    page.wait_until_in_view("result2");
    page.wait_for(SEEN, ["ask1", "told1", "ask2", "call2", "result2", "told2", "ask3", "told3"]);
}

#[test]
fn a_search_hit_opens_its_steps() {
    let page = Exported::story(turns()).open();
    search(&page, "harbor");
    page.press("Enter");
    page.wait("the steps to open", &format!("{SEEN}.includes('failed')"));
    page.wait_until_in_view("failed");
}

#[test]
fn the_browsers_own_search_finds_steps() {
    let page = Exported::story(turns()).open();
    let hidden =
        format!("document.querySelector({})", json!(format!("{} > .body", article("failed"))));
    page.wait_for(&format!("{hidden}.getAttribute('hidden')"), "until-found");
    // What the browser does before it shows what it has found.
    page.run(&format!("{hidden}.dispatchEvent(new Event('beforematch', {{ bubbles: true }}))"));
    page.wait_for(&format!("{hidden}.hasAttribute('hidden')"), false);
    assert_eq!(expanded(&page).as_deref(), Some("true"));
}

/// The card where the result is; the call itself only where the path has none.
#[test]
fn a_call_stands_once() {
    let mut lines = Lines::new();
    let call = json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "a"}}], "stopReason": "toolUse"}});
    let result = json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "c", "content": [{"type": "text", "text": "x"}]}});
    lines
        .user("ask", None, "read it")
        .entry("call", Some("ask"), call)
        .entry("result", Some("call"), result)
        .user("other", Some("call"), "stop, something else");
    let page = Exported::story(lines.bytes()).page().open("?detail=full&leafId=result");
    let stub = format!("{} a.call", article("call"));
    let is_seen = format!("document.querySelector({}).checkVisibility()", json!(stub));
    page.wait_for(&is_seen, false);
    assert_eq!(page.count("#transcript > article:not([hidden]) .card"), 1);
    let height: f64 =
        page.get(&format!("document.querySelector({}).offsetHeight", json!(article("call"))));
    assert!(height < 40.0, "no head of its own, the line of steps aside: {height}");
    page.run("leafpress.go({ leafId: 'other' })");
    page.wait_for(&is_seen, true);
}

#[test]
fn progress_never_stands_alone() {
    let page = Exported::story(turns()).page().open("?detail=full");
    let seen = ["ask", "call", "result", "between", "failed", "answer", "ship", "shipped"];
    page.wait_for(SEEN, seen);
    assert_eq!(page.text(&format!("{} .quiet", article("p1"))).trim(), "2 progress updates");
    page.click(&format!("{} .quiet button", article("p1")));
    page.wait_for(&format!("{SEEN}.filter((id) => id.startsWith('p'))"), ["p1", "p2"]);
    page.load_anew("?targetId=p2");
    page.wait_until_in_view("p2");
    page.wait_for(&format!("{SEEN}.filter((id) => id.startsWith('p'))"), ["p1", "p2"]);
}

/// Claude Code names the call of an update and of a hook.
#[test]
fn progress_of_a_call_is_in_its_card() {
    const LINES: &str = "Array.from(document.querySelectorAll('#transcript .quiet')).filter((line) => line.checkVisibility()).map((line) => line.textContent.trim())";
    let mut at = 0;
    let mut line = |kind: &str, id: &str, parent: Option<&str>, more: serde_json::Value| {
        at += 1;
        let mut line = json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "cwd": "/srv", "version": "2.1.37", "timestamp": format!("2026-02-09T18:14:{at:02}.000Z")});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line.to_string()
    };
    let call = json!({"message": {"role": "assistant", "id": "m1", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "go test"}}]}});
    let result = json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}]}});
    let update = |own: &str| json!({"data": {"type": "bash_progress", "output": "tick"}, "toolUseID": own, "parentToolUseID": "toolu_1"});
    let hook = |id: &str| json!({"data": {"type": "hook_progress", "hookEvent": "PostToolUse"}, "toolUseID": id, "parentToolUseID": id});
    let lines = [
        line("user", "ask", None, json!({"message": {"role": "user", "content": "run the tests"}})),
        line("assistant", "call", Some("ask"), call),
        line("progress", "p1", Some("call"), update("bash-progress-0")),
        line("progress", "p2", Some("p1"), update("bash-progress-1")),
        line("user", "result", Some("p2"), result),
        line("progress", "p3", Some("result"), hook("toolu_1")),
        line("progress", "other", Some("p3"), hook("none")),
        line(
            "assistant",
            "end",
            Some("other"),
            json!({"message": {"role": "assistant", "id": "m2", "content": [{"type": "text", "text": "All pass."}]}}),
        ),
    ];
    let page = Exported::story(lines.join("\n").into_bytes()).page().open("?detail=full");
    let toggle = format!("{} .card-body > .progress > button", article("result"));
    page.wait("the line in the card", &format!("document.querySelector({toggle:?}) !== null"));
    assert_eq!(page.text(&toggle), "2 progress updates, 1 hook");
    page.wait_for(LINES, ["1 hook"]);
    page.wait_for(SEEN, ["ask", "call", "result", "end"]);
    page.click(&toggle);
    page.wait_for(SEEN, ["ask", "call", "p1", "p2", "result", "p3", "end"]);
    page.click(&toggle);
    page.wait_for(SEEN, ["ask", "call", "result", "end"]);
    page.load_anew("?detail=full&targetId=p2");
    page.wait_until_in_view("p2");
    page.wait_for(SEEN, ["ask", "call", "p1", "p2", "result", "end"]);
}

#[test]
fn without_a_script_all_of_a_static_page_is_readable() {
    let mut options = leafpress::Options::default();
    options.all_plain = true;
    let session = Exported::story(turns()).session;
    let page = Exported::with_options(session, &options).page().without_script().open("");
    for id in ["ask", "result", "between", "p1", "failed", "answer"] {
        let body = format!("{} > .body", article(id));
        assert!(
            page.get::<bool>(&format!("document.querySelector({}).checkVisibility()", json!(body))),
            "{id}"
        );
    }
}

/// Thousands of entries that take no room are no reason to stop.
#[test]
fn a_long_run_of_shut_steps_is_passed() {
    let mut lines = Lines::new();
    lines.user("ask", None, "wait for it");
    let mut parent = "ask".to_owned();
    for n in 0..3000 {
        let id = format!("p{n}");
        lines.entry(
            &id,
            Some(&parent),
            json!({"type": "custom", "customType": "bash_progress", "data": {}}),
        );
        parent = id;
    }
    lines.assistant("answer", Some(&parent), "It came.");
    let page = Exported::story(lines.bytes()).open();
    page.wait_for(&format!("{SEEN}.filter((id) => !id.startsWith('p'))"), ["ask", "answer"]);
}

/// One session of each agent: at Story the prompts, the responses and what else is always visible; at Full each call of
/// the path once.
#[test]
fn of_every_agent() {
    for file in [
        "pi-1.5-main.jsonl",
        "pi-1.5-compact.jsonl",
        "omp-18-main.jsonl",
        "omp-18-compact.jsonl",
        "claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
        "codex/rollout.jsonl",
        "flue/session-v3.json",
        "chimera/session.jsonl",
        "pi-harness/v3-compaction.jsonl",
        "pi-proposal/session.jsonl",
        "codex/sessions/2026/06/18/rollout-2026-06-18T23-58-00-0195c0de-0000-7000-8000-000000000001.jsonl",
        "copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "opencode/export-v2.json",
        "gemini/chats/session-tide.json",
        "gemini/rewind.jsonl",
        "cursor/older.txt",
        "atif/trajectory.json",
        "sts/llama-app.jsonl",
    ] {
        let path = crate::support::own_file(&format!("tests/fixtures/samples/{file}"));
        let pressed = Exported::story(std::fs::read(path).unwrap());
        let session = &pressed.session;
        let story = Digest::read(session).story;
        // The level is remembered for all pages of one origin.
        let page = pressed.page().open("?detail=story");
        let path = session.tree().path(session.leaf());
        let told = path.iter().filter(|&&entry| story.run_of(entry).is_none());
        let told: Vec<String> = told.map(|&entry| session.key(entry).unwrap()).collect();
        page.settle();
        assert_eq!(page.get::<Vec<String>>(SEEN), told, "{file}");
        page.press("3");
        page.wait_for("document.documentElement.dataset.detail", "full");
        page.settle();
        let loose: Vec<String> = page.get("Array.from(document.querySelectorAll('#transcript > article[data-kind=custom]:not([hidden], .shut)'), (article) => article.id)");
        assert!(loose.is_empty(), "{file}: state that no person saw stands in a line: {loose:?}");
        let wrong: Vec<String> = page.get("(() => {
            const seen = Array.from(document.querySelectorAll('#transcript > article:not([hidden], .shut) > .body [data-call-id]')).filter((call) => call.checkVisibility({ contentVisibilityAuto: false }) && call.parentElement.closest('[data-call-id]') === null);
            const ids = seen.map((call) => call.dataset.callId);
            return ids.filter((id, at) => id !== '' && ids.indexOf(id) !== at);
        })()");
        assert!(wrong.is_empty(), "{file}: calls that stand twice: {wrong:?}");
    }
}

#[test]
fn a_grown_session_continues() {
    let page = Exported::story(turns()).page().open("?leafId=answer");
    page.wait("the line", "document.querySelector('.continues')?.checkVisibility() === true");
    let words = page.text(".continues");
    assert!(words.starts_with("The session continues: 2 newer entries."), "{words}");
    let newer = "document.querySelectorAll('#tree .row.newer').length";
    page.wait_for(newer, 2);
    page.click(".continues button");
    page.wait_until_in_view("ship");
    page.wait_for(newer, 0);
    assert!(!page.get::<bool>("document.querySelector('.continues').checkVisibility()"));
}

#[test]
fn days_are_divided() {
    let said = |id: &str, parent: Option<&str>, time: &str| {
        let message = json!({"role": "user", "content": id});
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message})
    };
    let lines = [
        json!({"type": "session", "version": 3, "id": "days", "timestamp": "2026-01-30T09:00:00.000Z", "cwd": "/srv"}),
        said("a", None, "2026-01-30T09:00:00.000Z"),
        said("b", Some("a"), "2026-01-30T10:00:00.000Z"),
        said("c", Some("b"), "2026-02-02T10:00:00.000Z"),
    ];
    let page = Exported::story(lines.map(|line| line.to_string()).join("\n").into_bytes()).open();
    page.wait_for(
        "Array.from(document.querySelectorAll('.day'), (day) => day.parentElement.id)",
        ["entry-c"],
    );
    assert!(page.text(".day").contains("2026"), "{}", page.text(".day"));
    let time = page.text(&format!("{} > .entry-head > time", article("b")));
    assert!(!time.contains("30") && time.contains(":00"), "{time}");
}

/// The last entries never come to the top of the view.
#[test]
fn the_end_of_the_page_is_a_place() {
    let mut lines = Lines::new();
    let mut parent: Option<String> = None;
    for n in 0..30 {
        let id = format!("e{n}");
        lines.user(&id, parent.as_deref(), &format!("prompt number {n}"));
        parent = Some(id);
    }
    let page = Exported::story(lines.bytes()).open();
    page.wait_for("document.querySelector('#place').textContent", "1 of 30");
    page.run(
        "document.querySelector('main').dispatchEvent(new WheelEvent('wheel', { bubbles: true }))",
    );
    // Heights become known on the way, so the end of the page moves.
    let at_end =
        |what: &str| format!("(scrollTo(0, document.documentElement.scrollHeight), {what})");
    page.wait_for(&at_end("document.querySelector('#place').textContent"), "30 of 30");
    page.wait_for(
        &at_end("document.querySelector('#tree [aria-current=location]')?.dataset.entryId ?? null"),
        "e29",
    );
}

/// The result of a task is shown; the line stands over the result that follows it.
#[test]
fn a_line_and_the_time_below_it_stand_apart() {
    let call = |id: &str, name: &str, arguments: serde_json::Value| json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments});
    let calls = [
        call("c1", "task", json!({"prompt": "look"})),
        call("c2", "read", json!({"path": "a.rs"})),
    ];
    let result = |id: &str, name: &str| json!({"type": "message", "timestamp": "2026-11-02T09:00:00Z", "message": {"role": "toolResult", "toolCallId": id, "toolName": name, "content": [{"type": "text", "text": "seen"}], "isError": false}});
    let mut lines = Lines::new();
    lines
        .user("ask", None, "look around")
        .entry("calls", Some("ask"), json!({"type": "message", "message": {"role": "assistant", "content": calls, "stopReason": "toolUse"}}))
        .entry("task", Some("calls"), result("c1", "task"))
        .entry("read", Some("task"), result("c2", "read"))
        .assistant("answer", Some("read"), "Done.");
    let page = Exported::story(lines.bytes()).page().open("?detail=steps");
    page.settle();
    let box_of = |selector: &str| -> [f64; 2] {
        page.get(&format!("(() => {{ const {{ top, bottom }} = document.querySelector('#entry-read {selector}').getBoundingClientRect(); return [top, bottom]; }})()"))
    };
    let (line, time) = (box_of("> .steps"), box_of("> .entry-head > time"));
    assert!(line[1] > line[0] && time[0] >= line[1] - 1.0, "line {line:?}, time {time:?}");
}

/// Settings, state and what the agent tells the model alone have no line at Story, and one at Steps.
#[test]
fn nothing_internal_at_story() {
    let mut lines = Lines::new();
    let caveat = "<local-command-caveat>Caveat</local-command-caveat>";
    lines
        .entry("model", None, json!({"type": "model_change", "provider": "acme", "modelId": "heron"}))
        .entry("caveat", Some("model"), json!({"type": "custom_message", "customType": "local-command-caveat", "content": caveat, "display": false}))
        .user("ask", Some("caveat"), "go")
        .assistant("answer", Some("ask"), "Done.")
        .entry("hook", Some("answer"), json!({"type": "custom", "customType": "stop_hook_summary", "data": {"n": 1}}))
        .entry("time", Some("hook"), json!({"type": "turn_duration", "durationMs": 7}))
        .user("more", Some("time"), "go on")
        .entry("stop", Some("more"), json!({"type": "custom_message", "customType": "interrupted", "content": "[Request interrupted by user]", "display": true}));
    let page = Exported::story(lines.bytes()).open();
    page.wait_for(SEEN, ["ask", "answer", "more", "stop"]);
    let visible = "document.getElementById('transcript').innerText";
    let said: String = page.get(visible);
    for word in ["heron", "hook", "turn", "aveat", "nterrupted"] {
        assert!(!said.contains(word), "{word}: {said}");
    }
    assert!(said.contains("Stopped by the user"), "{said}");
    page.press("2");
    page.wait("the lines", &format!("{visible}.includes('Model heron')"));
    let said: String = page.get(visible);
    assert!(said.contains("2 state updates") || said.contains("turn duration"), "{said}");
    page.click("#transcript .aside button");
    page.wait("the message", &format!("{visible}.includes('Hidden by the agent')"));
    page.press("h");
    page.wait("the words", &format!("{visible}.includes('Caveat')"));
    assert!(!page.get::<String>(visible).contains("<local"));
}

#[test]
fn a_key_opens_and_closes_the_steps_of_the_turn() {
    let page = Exported::story(turns()).open();
    page.wait_for(SEEN, ["ask", "answer", "ship", "shipped"]);
    page.press("s");
    page.wait_for(
        SEEN,
        ["ask", "call", "result", "between", "failed", "answer", "ship", "shipped"],
    );
    page.press("s");
    page.wait_for(SEEN, ["ask", "answer", "ship", "shipped"]);
}
