//! The context at a call, and the band of the calls' tokens on top of it.

use leafpress::session::EntryIndex;
use leafpress::session::context::Facts;
use leafpress::session::digest::Digest;
use leafpress::session::over_time::{self, Call};
use serde_json::{Value, json};

use crate::support::{Exported, Page};

/// Entry and role of each message in the context view, from above.
const MESSAGES: &str = "Array.from(document.querySelectorAll('#context-view > article.message'), (article) => [article.querySelector('a.to-path').getAttribute('href').slice('#entry-'.length), article.dataset.role])";

const BARS: &str = "Array.from(document.querySelectorAll('#context-band [data-call]'), (bar) => [bar.dataset.call, Number(bar.getAttribute('height'))])";

/// The long session: prompts, a compaction, two branches, tokens.
const LONG: &str = "examples/lighthouse.jsonl";

fn calls(exported: &Exported, leaf: &str) -> Vec<Call> {
    let session = &exported.session;
    let path = session.tree().path(EntryIndex::new(exported.entry(leaf)));
    over_time::calls(session, &Digest::read(session), &path)
}

fn keys(exported: &Exported, calls: &[Call]) -> Vec<String> {
    calls.iter().map(|call| exported.session.key(call.entry).unwrap()).collect()
}

/// What a call got, as the library says.
fn sent_to(exported: &Exported, call: &str) -> Vec<(String, String)> {
    let facts = Facts::read(&exported.session);
    let parent = exported
        .session
        .tree()
        .parent(EntryIndex::new(exported.entry(call)))
        .expect("a call has one");
    let context = exported.context(&facts, &exported.session.key(parent).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let messages = context["messages"].as_array().unwrap().iter();
    messages
        .filter(|message| message["sent"] == true)
        .map(|message| (text(&message["entryId"]), text(&message["role"])))
        .collect()
}

fn assert_context_of(page: &Page, exported: &Exported, call: &str) {
    page.wait("the view", "!document.getElementById('context-view').hidden");
    page.wait_for(MESSAGES, sent_to(exported, call));
}

fn title(page: &Page) -> String {
    page.text(".context-head h2")
}

#[test]
fn opens_at_the_call_that_got_the_current_entry() {
    let long = Exported::file(LONG);
    let path = long.path(&long.leaf());
    let kind = |key: &str| {
        leafpress::session::Kind::of(
            &long.session.entry(EntryIndex::new(long.entry(key))).unwrap().body,
        )
    };
    let prompts: Vec<&String> =
        path.iter().filter(|key| kind(key) == leafpress::session::Kind::User).collect();
    let prompt = prompts[3];
    let at = path.iter().position(|key| key == prompt).unwrap();
    let call = path[at..].iter().find(|key| kind(key) == leafpress::session::Kind::Assistant);
    let call = call.expect("it was answered");
    let page = long.page().open(&format!("?leafId={}&targetId={prompt}", long.leaf()));
    page.wait_until_in_view(prompt);
    page.press("v");
    assert_context_of(&page, &long, call);
    assert_eq!(title(&page), "Sent to the model at prompt 4");
    page.wait("the step to remember it", "history.state?.call >= 0");
    page.reload();
    assert_context_of(&page, &long, call);
    page.click("button[data-view=path]");
    page.wait("the same entry", "!document.getElementById('transcript').hidden");
    page.wait_until_in_view(prompt);
    page.press("v");
    assert_context_of(&page, &long, call);
    page.click("#context-view nav button:last-child");
    page.wait(
        "the end",
        "document.querySelector('.context-head h2').textContent === 'Context sent to the model'",
    );
    page.back();
    assert_context_of(&page, &long, call);
}

/// A session of pi's, each entry below the one before.
fn session(entries: &[Value]) -> Exported {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s"}).to_string()];
    for (nth, entry) in entries.iter().enumerate() {
        let mut entry = entry.clone();
        entry["id"] = json!(format!("e{nth}"));
        if entry.get("parentId").is_none() {
            entry["parentId"] =
                nth.checked_sub(1).map_or(Value::Null, |nth| json!(format!("e{nth}")));
        }
        lines.push(entry.to_string());
    }
    Exported::bytes(lines.join("\n").into_bytes()).expect("a session")
}

fn user(text: &str) -> Value {
    json!({"type": "message", "message": {"role": "user", "content": text}})
}

fn response(model: &str, input: u32, cache_read: u32) -> Value {
    json!({"type": "message", "message": {"role": "assistant", "provider": "p", "model": model, "stopReason": "stop",
        "content": [{"type": "text", "text": "so"}], "usage": {"input": input, "cacheRead": cache_read, "cacheWrite": 0, "output": 7}}})
}

fn compaction(kept: &str) -> Value {
    json!({"type": "compaction", "summary": "so far", "firstKeptEntryId": kept, "tokensBefore": 9000})
}

/// Two compactions, two models, a fork behind the first prompt after the first compaction.
fn compacted() -> Exported {
    let mut other = response("other", 300, 0);
    other["parentId"] = json!("e4");
    session(&[
        user("one"),
        response("m", 1000, 0),
        response("m", 200, 2000),
        compaction("e2"),
        user("two"),
        response("m", 500, 0),
        compaction("e5"),
        user("three"),
        response("n", 100, 900),
        other,
    ])
}

#[test]
fn steps_between_compactions() {
    let exported = compacted();
    let page = exported.page().open("?leafId=e8&view=context");
    let steps = "Array.from(document.querySelectorAll('#context-view nav button:not([hidden])'), (button) => button.textContent)";
    assert_eq!(page.get::<Vec<String>>(steps), ["Previous compaction"]);
    page.click("#context-view nav button:nth-child(1)");
    assert_context_of(&page, &exported, "e8");
    page.click("#context-view nav button:nth-child(1)");
    assert_context_of(&page, &exported, "e5");
    assert_eq!(title(&page), "Sent to the model at prompt 2");
    assert_eq!(page.get::<Vec<String>>(steps), ["Next compaction", "End"]);
    page.click("#context-view nav button:nth-child(2)");
    assert_context_of(&page, &exported, "e8");
    assert_eq!(title(&page), "Sent to the model at prompt 3");
}

#[test]
fn a_compaction_leads_to_what_the_model_got_next() {
    let exported = compacted();
    let page = exported.page().open("?leafId=e8");
    page.settle();
    assert_eq!(page.count("#transcript button[data-call]"), 2);
    page.click("#entry-e3 button[data-call]");
    assert_context_of(&page, &exported, "e5");
    let end = exported.page().open("?leafId=e6");
    end.settle();
    end.click("#entry-e6 button[data-call]");
    end.wait(
        "the end of the branch",
        "document.querySelector('.context-head h2')?.textContent === 'Context sent to the model'",
    );
}

#[test]
fn one_bar_a_call() {
    let long = Exported::file(LONG);
    let page = long.page().open("?view=context");
    let calls = calls(&long, &long.leaf());
    assert!(calls.len() > 10, "{}", calls.len());
    let bars: Vec<(String, f64)> = page.get(BARS);
    let drawn: Vec<_> = bars.iter().map(|(key, _)| key.clone()).collect();
    assert_eq!(drawn, keys(&long, &calls));
    let scale = bars[0].1 / calls[0].sent();
    for ((key, height), call) in bars.iter().zip(&calls) {
        assert!((height - scale * call.sent()).abs() < 1e-6, "{key}");
    }
    page.click("#context-band summary");
    let rows = "Array.from(document.querySelectorAll('#context-band tbody tr'), (row) => row.cells[4].textContent.replaceAll(',', ''))";
    let wanted: Vec<String> = calls.iter().map(|call| call.sent().to_string()).collect();
    page.wait_for(rows, wanted);
    assert_eq!(page.count("#context-band caption"), 1);
    assert_eq!(page.count("#context-band [style]"), 0);
}

#[test]
fn pointer_and_keyboard_say_a_call_and_open_it() {
    let long = Exported::file(LONG);
    let calls = calls(&long, &long.leaf());
    let keys = keys(&long, &calls);
    let page = long.page().open("?view=context");
    let said = || page.text("#context-band p");
    assert!(said().starts_with(&format!("Call {0} of {0} · prompt ", keys.len())), "{}", said());
    page.run("document.querySelector('#context-band [role=slider]').focus()");
    page.press("Home");
    page.press("ArrowRight");
    let value = || page.get::<String>("document.activeElement.getAttribute('aria-valuetext')");
    assert!(value().starts_with(&format!("Call 2 of {} · prompt 1 · ", keys.len())), "{}", value());
    assert_eq!(value(), said());
    page.press("Enter");
    assert_context_of(&page, &long, &keys[1]);
    assert_eq!(page.get::<String>("document.activeElement.getAttribute('role')"), "slider");
    assert!(value().starts_with("Call 2 of "), "{}", value());
    let [x, y]: [f64; 2] = page.get("(() => { const box = document.querySelectorAll('#context-band [data-call]')[5].getBoundingClientRect(); return [box.left + box.width / 2, box.top + 2]; })()");
    page.protocol("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
    page.wait(
        "the pointer's call",
        "document.querySelector('#context-band p').textContent.startsWith('Call 6 of ')",
    );
    page.click_at([x, y]);
    assert_context_of(&page, &long, &keys[5]);
    page.press("j");
    page.wait("keys go on", "document.querySelector('#context-view article.target, #transcript article.target, #notice:not([hidden])') !== null || scrollY > 0");
}

#[test]
fn drawn_anew_on_another_branch() {
    let exported = compacted();
    let page = exported.page().open("?leafId=e8&view=context");
    let drawn = || -> Vec<String> {
        page.get::<Vec<(String, f64)>>(BARS).into_iter().map(|(key, _)| key).collect()
    };
    assert_eq!(drawn(), ["e1", "e2", "e5", "e8"]);
    page.run("leafpress.go({ leafId: 'e9' })");
    page.wait("the view", "!document.getElementById('context-view').hidden");
    assert_eq!(drawn(), ["e1", "e2", "e9"]);
    assert_eq!(page.count("#context-band"), 1);
}

#[test]
fn names_compactions_models_and_windows() {
    let page = compacted().page().open("?leafId=e8&view=context");
    let names = "Array.from(document.querySelectorAll('#context-band text'), ({ textContent }) => textContent)";
    assert_eq!(page.get::<Vec<String>>(names), ["Compaction 1", "Compaction 2"]);
    assert_eq!(page.count("#context-band .model"), 1);
    assert_eq!(page.text("#context-band .model title"), "p/n");
    let said = page.text("#context-band p");
    assert!(said.contains("first after compaction 2"), "{said}");
    assert!(said.contains("1,000 tokens sent: 900 from the cache, 100 new"), "{said}");
    let mut with_window = response("m", 2500, 0);
    with_window["message"]["contextWindow"] = json!(10_000);
    let page = session(&[user("one"), with_window]).page().open("?view=context");
    assert_eq!(page.get::<Vec<String>>(names), ["10,000 window"]);
    assert_eq!(page.count("#context-band .window"), 1);
    assert!(page.text("#context-band p").contains("25% of 10,000"));
}

#[test]
fn only_where_tokens_are_reported() {
    let mut silent = response("m", 0, 0);
    silent["message"].as_object_mut().unwrap().remove("usage");
    let exported = session(&[user("one"), silent]);
    let page = exported.page().open("?view=context");
    page.wait("the view", "document.querySelector('#context-view article') !== null");
    assert_eq!(page.count("#context-band"), 0);
}

#[test]
fn in_a_locked_page_too() {
    let sealed = Exported::sealed(compacted().session, "a long password for this page");
    let page = sealed.page().open_sealed("#leafId=e8&view=context");
    page.type_text("a long password for this page");
    page.press("Enter");
    page.wait_until_opened();
    page.wait("the band", "document.querySelectorAll('#context-band [data-call]').length === 4");
}

#[test]
fn holds_without_colors() {
    let page = compacted().page().open("?leafId=e8&view=context");
    page.protocol(
        "Emulation.setEmulatedMedia",
        json!({"features": [{"name": "forced-colors", "value": "active"}]}),
    );
    let style = |selector: &str, name: &str| -> String {
        page.get(&format!(
            "getComputedStyle(document.querySelector('#context-band {selector}')).{name}"
        ))
    };
    assert_ne!(style(".drop", "strokeDasharray"), "none");
    assert_ne!(style("path", "fill"), style("pattern rect", "fill"));
    assert_ne!(style(".model", "strokeWidth"), style(".drop", "strokeWidth"));
}

/// The call after a compaction was stopped and reports no tokens: the bar, the title and the band name one prompt.
#[test]
fn one_prompt_is_named() {
    let mut stopped = response("m", 0, 0);
    stopped["message"]["stopReason"] = json!("aborted");
    stopped["message"]["usage"] = Value::Null;
    let page = session(&[
        user("one"),
        response("m", 1000, 0),
        compaction("e1"),
        user("two"),
        stopped,
        user("three"),
        response("m", 2000, 0),
    ])
    .open();
    page.press("c");
    page.settle();
    page.press("v");
    page.wait("the view", "!document.getElementById('context-view').hidden");
    page.settle();
    assert_eq!(title(&page), "Sent to the model at prompt 2");
    page.wait_for("document.getElementById('place').textContent", "2 of 3");
    assert_eq!(page.text("#context-band p"), "This call reports no tokens");
    page.click("#context-view nav button:last-child");
    page.wait_for("document.getElementById('place').textContent", "3 of 3");
    assert!(page.text("#context-band p").contains("prompt 3"), "{}", page.text("#context-band p"));
}

/// Bars of a few pixels would flicker.
#[test]
fn the_calls_are_one_area() {
    let of = |calls: usize| -> usize {
        let mut entries = vec![user("one")];
        entries.extend((0..calls).map(|nth| response("m", 1000 + u32::try_from(nth).unwrap(), 0)));
        let page = session(&entries).open();
        page.press("v");
        page.wait("the band", "document.querySelector('#context-band path') !== null");
        page.get(
            "document.querySelector('#context-band path').getAttribute('d').match(/M/g).length",
        )
    };
    assert_eq!((of(20), of(400)), (1, 1));
}
