//! The context view: what the model saw at the leaf, against what the library says.

use leafpress::session::context::Facts;
use serde_json::{Value, json};

use crate::support::{Exported, Page, article};

const MAIN: &str = "tests/fixtures/samples/pi-1.5-main.jsonl";
const AFTER_EDITS: &str = "?leafId=ast00008&view=context";

/// Entry and role of each message in the context view, from above.
const MESSAGES: &str = "Array.from(document.querySelectorAll('#context-view > article.message'), (article) => [article.querySelector('a.to-path').getAttribute('href').slice('#entry-'.length), article.dataset.role])";

/// Entry and reason of each line for what was left out, from above.
const LEFT_OUT: &str = "Array.from(document.querySelectorAll('#context-view > article.left-out'), (article) => [article.querySelector('a.to-path').getAttribute('href').slice('#entry-'.length), article.querySelector('.why').textContent])";

fn wait_until_listed(page: &Page, what: &str, count: usize) {
    let there = format!("{what}.length === {count}");
    // The next lines compare them one by one, and say more.
    if !page.get::<bool>(&there) {
        page.settle();
        page.settle();
    }
}

fn sent(context: &Value) -> Vec<(String, String)> {
    let messages = context["messages"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    messages
        .filter(|message| message["sent"] == true)
        .map(|message| (text(&message["entryId"]), text(&message["role"])))
        .collect()
}

/// The keys of a path whose entries are in a state, in the order of the path.
fn in_state(context: &Value, state: &str) -> Vec<String> {
    let path = context["path"].as_array().unwrap().iter().map(|key| key.as_str().unwrap());
    path.filter(|key| context["states"][*key] == state).map(str::to_owned).collect()
}

/// The message of an entry, or of a compaction's first.
fn message(key: &str) -> String {
    format!("#context-view > article:has(> .entry-head > a.to-path[href='#entry-{key}'])")
}

#[test]
fn lists_what_the_library_lists() {
    for file in [
        MAIN,
        "tests/fixtures/samples/omp-18-edge.jsonl",
        "tests/fixtures/samples/pi-harness/v4-results.jsonl",
        "examples/lighthouse.jsonl",
        "examples/garden.jsonl",
    ] {
        let pressed = Exported::file(file);
        let facts = Facts::read(&pressed.session);
        let page = pressed.page().open("?view=context");
        for leaf in pressed.keys() {
            let place = format!("{file} at {leaf}");
            let context = pressed.context(&facts, &leaf);
            let wanted = sent(&context);
            page.run(&format!("leafpress.go({{ leafId: '{leaf}' }})"));
            wait_until_listed(&page, MESSAGES, wanted.len());
            assert_eq!(page.get::<Vec<(String, String)>>(MESSAGES), wanted, "{place}");
            let of_page: Value = page.call("(leaf) => leafpress.context(leaf)", &[&leaf]);
            assert_eq!(sent(&of_page), wanted, "{place}, by the page's own script");
            let left_out: Vec<(String, String)> = page.get(LEFT_OUT);
            let left_out: Vec<_> = left_out.into_iter().map(|(key, _)| key).collect();
            assert_eq!(left_out, in_state(&context, "excluded"), "{place}: left out");
            let numbers: Vec<String> = page.get("Array.from(document.querySelectorAll('#context-view .message .nth'), (nth) => nth.textContent)");
            let counted: Vec<_> = (1..=wanted.len()).map(|nth| nth.to_string()).collect();
            assert_eq!(numbers, counted, "{place}: numbered");
            let head = page.text(".context-head p");
            let level = context["thinkingLevel"].as_str().unwrap();
            let is_told = head.contains(&format!("thinking {level}"));
            assert_eq!(is_told, level != "off", "{place}: {head}");
            assert_eq!(head.contains("thinking"), is_told, "{place}: {head}");
            if let Some(model) = context["model"]["modelId"].as_str() {
                assert!(head.contains(model), "{place}: {head}");
            }
        }
    }
}

fn pressed_views(page: &Page) -> Vec<String> {
    page.get("Array.from(document.querySelectorAll('#tools [data-view][aria-pressed=true]'), (button) => button.dataset.view)")
}

fn assert_view(page: &Page, view: &str) {
    assert_eq!(pressed_views(page), [view]);
    assert_eq!(page.count("#transcript[hidden]"), usize::from(view == "context"));
    assert_eq!(page.count("#context-view[hidden]"), usize::from(view == "path"));
}

#[test]
fn switched_by_button_and_by_key() {
    let page = Exported::file(MAIN).open();
    assert_view(&page, "path");
    page.click("#tools [data-view=context]");
    assert_view(&page, "context");
    assert_eq!(page.text(".context-head h2"), "Context sent to the model");
    page.click("#tools [data-view=path]");
    assert_view(&page, "path");
    page.press("v");
    assert_view(&page, "context");
    page.press("v");
    assert_view(&page, "path");
}

#[test]
fn switched_on_a_phone() {
    let page = Exported::file(MAIN).page().narrow().open("");
    page.click("#more");
    page.click("#menu [data-view=context]");
    assert_view(&page, "context");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
}

#[test]
fn in_the_address() {
    let main = Exported::file(MAIN);
    let page = main.page().open("?leafId=ast00009");
    page.click("#tools [data-view=context]");
    page.wait(
        "the view in the address",
        "new URLSearchParams(location.search).get('view') === 'context'",
    );
    page.reload();
    assert_view(&page, "context");
    let facts = Facts::read(&main.session);
    let wanted = sent(&main.context(&facts, "ast00009"));
    wait_until_listed(&page, MESSAGES, wanted.len());
    assert_eq!(page.get::<Vec<(String, String)>>(MESSAGES), wanted, "the same leaf");
    page.click("#tools [data-view=path]");
    page.wait("the view to leave the address", "!location.search.includes('view')");
    page.reload();
    assert_view(&page, "path");
    page.load_anew("#leafId=ast00009&view=context");
    assert_view(&page, "context");
}

#[test]
fn back_leaves_it() {
    let page = Exported::file(MAIN).open();
    page.press("v");
    assert_view(&page, "context");
    page.back();
    page.wait_for("document.getElementById('context-view').hidden", true);
    assert_view(&page, "path");
    page.run("history.forward()");
    page.wait_for("document.getElementById('context-view').hidden", false);
    assert_view(&page, "context");
}

#[test]
fn compaction_says_what_it_replaced() {
    let main = Exported::file(MAIN);
    let facts = Facts::read(&main.session);
    let context = main.context(&facts, "ast00009");
    let summarised = in_state(&context, "summarised").len();
    assert!(summarised > 15, "{summarised}");
    let page = main.page().open("?leafId=ast00009&view=context");
    let head = page.text(".context-head p");
    assert!(head.contains(&format!("{summarised} entries summarized by the compaction")), "{head}");
    page.click("#tools [data-view=path]");
    let said = page.text(&format!("{} .event", article("cpt00002")));
    assert!(said.contains("from 52k tokens"), "{said}");
    assert!(said.ends_with(&format!("; this summary replaces {summarised} entries")), "{said}");
    page.click("#tools [data-view=context]");
    let summary = format!("{}[data-role=compactionSummary]", message("cpt00002"));
    page.wait("the summary", &format!("document.querySelector(\"{summary}\") !== null"));
    let seen = page.text(&format!("{summary} .body"));
    assert!(seen.contains("Second digest: brass done."), "{seen}");
    assert!(!seen.contains("First digest"), "{seen}");
    assert_eq!(page.text(&format!("{summary} .why")), "what came before");
    let system = format!("{}[data-role=system]", message("cpt00002"));
    assert!(page.text(&format!("{system} .why")).contains("system prompt"));
    let kept = page.text(&format!("{} .why", message("ast00007")));
    assert!(kept.starts_with("kept from before the compaction"), "{kept}");
}

#[test]
fn edited_with_the_original_a_click_away() {
    let page = Exported::file(MAIN).page().open(AFTER_EDITS);
    let edited = message("ast00007");
    let seen: String = page.get(&format!("document.querySelector(\"{edited}\").innerText"));
    assert!(seen.contains("Brass polished. EDITED"), "{seen}");
    assert!(!seen.contains("FIRST WORDING") && !seen.contains("OLD EDIT"), "{seen}");
    assert!(page.text(&format!("{edited} .why")).contains("edited"));
    page.click(&format!("{edited} details.original > summary"));
    page.wait(
        "the original",
        &format!("document.querySelector(\"{edited}\").innerText.includes('Brass polished. FIRST WORDING')"),
    );
    page.click(&format!("{edited} details.original > summary"));
    page.wait(
        "the original to be folded away",
        &format!("!document.querySelector(\"{edited}\").innerText.includes('FIRST WORDING')"),
    );
}

#[test]
fn left_out_and_hidden_are_named() {
    let page = Exported::file(MAIN).page().open(AFTER_EDITS);
    let left_out: Vec<(String, String)> = page.get(LEFT_OUT);
    let wanted = [
        ("usr00002", "removed by a context edit"),
        ("bsh00001", "removed by a context edit"),
        ("bsh00002", "not sent"),
    ];
    let wanted = wanted.map(|(key, why)| (key.to_owned(), why.to_owned()));
    for line in &wanted {
        assert!(left_out.contains(line), "{line:?} in {left_out:?}");
    }
    let text = page.text(&format!("{} a.to-path", message("bsh00002")));
    assert!(text.contains("cat secret"), "it says which entry: {text}");
    let hidden = page.text(&format!("{} .why", message("cms00002")));
    assert!(hidden.contains("hidden by the agent"), "{hidden}");
}

#[test]
fn each_leads_to_its_entry() {
    let main = Exported::file(MAIN);
    let page = main.page().open(AFTER_EDITS);
    for key in ["bsh00001", "ast00007", "cpt00001"] {
        page.load_anew(AFTER_EDITS);
        page.click(&format!("{} a.to-path", message(key)));
        assert_view(&page, "path");
        assert_eq!(page.get::<String>("document.activeElement.id"), format!("entry-{key}"));
        page.wait_until_in_view(key);
        assert_eq!(page.shown_articles(), main.path("ast00008"), "the same branch");
        page.wait("the address to follow", &format!("location.search.includes('targetId={key}')"));
        assert!(!page.link().contains("view"), "{}", page.link());
    }
}

/// What the model did not see cannot be shown in the context view: choosing it leaves that view.
#[test]
fn summarised_entries_open_in_the_path() {
    let page = Exported::file(MAIN).page().open("?leafId=ast00009&view=context");
    page.click("button[data-filter=all]");
    page.scroll_to_row("usr00005");
    page.click_row("usr00005");
    assert_view(&page, "context");
    page.run("document.getElementById('tree').scrollTop = 0");
    page.wait("the row", "document.querySelector('#tree [data-entry-id=usr00001]') !== null");
    page.click_row("usr00001");
    assert_view(&page, "path");
    page.wait_until_in_view("usr00001");
}

/// An entry of a session of omp's, hanging from the one before.
fn omp(entries: &[Value]) -> Exported {
    let header = json!({"type": "session", "version": 3, "id": "s", "title": "t", "cwd": "/w"});
    let mut lines = vec![header.to_string()];
    for (nth, entry) in entries.iter().enumerate() {
        let mut entry = entry.clone();
        entry["id"] = json!(format!("e{nth}"));
        entry["parentId"] = nth.checked_sub(1).map_or(Value::Null, |nth| json!(format!("e{nth}")));
        lines.push(entry.to_string());
    }
    Exported::bytes(lines.join("\n").into_bytes()).expect("a session")
}

fn user(text: &str) -> Value {
    json!({"type": "message", "message": {"role": "user", "content": text}})
}

#[test]
fn omp_says_what_it_put_ahead_and_took_out() {
    let call =
        |id: &str, name: &str| json!({"type": "toolCall", "id": id, "name": name, "arguments": {}});
    let turn = |stop: &str, blocks: Value| json!({"type": "message", "message": {"role": "assistant", "stopReason": stop, "content": blocks}});
    let text = json!({"type": "text", "text": "both"});
    let result = json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "a", "toolName": "read", "content": "answer"}});
    let pressed = omp(&[
        user("first request"),
        json!({"type": "custom", "customType": "experimental_context_notes", "data": {"version": 1, "text": "red means port"}}),
        json!({"type": "compaction", "summary": "digest", "firstKeptEntryId": "none", "details": {"kind": "experimental-context-rollover"}}),
        turn("toolUse", json!([text, call("a", "read"), call("b", "weigh")])),
        result,
        turn("aborted", json!([{"type": "text", "text": "half"}])),
    ]);
    let page = pressed.page().open("?view=context");
    wait_until_listed(&page, MESSAGES, 5);
    let wanted = [
        ("e1", "custom"),
        ("e2", "compactionSummary"),
        ("e0", "user"),
        ("e3", "assistant"),
        ("e4", "toolResult"),
    ];
    let wanted = wanted.map(|(key, role)| (key.to_owned(), role.to_owned()));
    assert_eq!(page.get::<Vec<(String, String)>>(MESSAGES), wanted);
    let why = |key: &str| page.text(&format!("{} .why", message(key)));
    assert_eq!(why("e1"), "the agent's notes, given first");
    assert_eq!(why("e0"), "asked again after the compaction");
    assert_eq!(why("e3"), "1 call without a result not sent");
    let notes = page.text(&format!("{} .body", message("e1")));
    assert!(
        notes.trim_start().starts_with("<experimental-context-notes>"),
        "as the model gets them: {notes}"
    );
    assert!(notes.contains("red means port"), "{notes}");
    let turn = page.text(&format!("{} .body", message("e3")));
    assert!(turn.contains("Call of weigh not included") && turn.contains("read"), "{turn}");
    let gone: Vec<(String, String)> = page.get(LEFT_OUT);
    assert_eq!(gone, [("e5".to_owned(), "not sent: the turn failed or was stopped".to_owned())]);
}

#[test]
fn a_cleared_context_says_so() {
    let pressed = omp(&[user("before"), json!({"type": "reset_boundary"}), user("after")]);
    let page = pressed.page().open("?view=context");
    wait_until_listed(&page, MESSAGES, 1);
    assert_eq!(page.get::<Vec<(String, String)>>(MESSAGES), [("e2".to_owned(), "user".to_owned())]);
    assert_eq!(page.get::<Vec<(String, String)>>(LEFT_OUT), []);
    let head = page.text(".context-head p");
    assert!(head.contains("1 entry no longer sent: before the context was cleared"), "{head}");
}

/// The pairs of a head and the head of its card that lie over each other, by the number of the message.
const OVER_EACH_OTHER: &str = "Array.from(document.querySelectorAll('#context-view > article.message:has(.card)'), (article) => {
    const box = (selector) => article.querySelector(selector).getBoundingClientRect();
    const [head, card] = [box('.entry-head'), box('.card-head')];
    return head.bottom > card.top + 1 ? article.querySelector('.nth').textContent : '';
}).filter((nth) => nth !== '')";

#[test]
fn no_head_lies_over_a_card() {
    let garden = || Exported::file("examples/garden.jsonl").page();
    for page in [garden(), garden().narrow()] {
        let page = page.open("?view=context");
        page.wait("cards", "document.querySelector('#context-view .card') !== null");
        assert_eq!(page.get::<Vec<String>>(OVER_EACH_OTHER), [""; 0]);
    }
}
