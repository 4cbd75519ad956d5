//! Whatever stands in any argument of any tool is shown, and none of it becomes markup.
//!
//! The names of tools, of arguments and of details are read from the renderers' own source, so that a new one is
//! tried as soon as it is written.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use leafpress::render::{Placement, Renderer};
use leafpress::session::digest::Digest;
use serde_json::{Value, json};

use crate::property::markup::foreign;

/// All texts in double quotes of a source file that could be a name.
fn names_in(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let texts = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
    let is_name = |text: &String| {
        (1..30).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    texts.filter(is_name).collect()
}

/// A kind of tool: its names, and the names of arguments and details that may mean something to it.
struct Known {
    tools: BTreeSet<String>,
    keys: BTreeSet<String>,
}

/// The rows of the table of names, and one for a tool that is in none. Which argument a card takes is not asked: each is
/// tried with all of them.
fn renderers() -> Vec<Known> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = fs::read_to_string(folder.join("session/action/names.rs")).unwrap();
    let (tools, arguments) = table.split_once("\n// Files.\n").unwrap();
    let mut keys = names_in(arguments);
    for file in fs::read_dir(folder.join("content/tool")).unwrap() {
        keys.extend(names_in(&fs::read_to_string(file.unwrap().path()).unwrap()));
    }
    let rows = tools.split_once("const TOOLS").unwrap().1.split_once("\n];").unwrap().0;
    let rows = rows.split("Tool::").skip(1).map(names_in).chain([BTreeSet::new()]);
    rows.map(|tools| Known { tools, keys: keys.clone() }).collect()
}

/// Values of every shape, each holding texts with markers of their own.
fn shapes(key: &str, keys: &BTreeSet<String>, marker: &mut u32) -> Vec<Value> {
    let mut text = || {
        *marker += 1;
        format!("<img src=x onerror=alert(1)>\"' onclick=\"x\" marker{marker}z")
    };
    let all: serde_json::Map<String, Value> =
        keys.iter().map(|key| (key.clone(), text().into())).collect();
    vec![
        text().into(),
        format!("{}\n```\n{}\r\n*** Begin Patch\n{}", text(), text(), text()).into(),
        json!([text(), text()]),
        json!({key: text(), "status": text()}),
        json!([all]),
        json!([[text()], {"options": [{"label": text(), "description": text()}, text()], "question": text()}]),
        json!([{"content": text(), "status": "completed", "tasks": [{"content": text(), "notes": text()}]}]),
        json!([{"old_string": text(), "new_string": text(), "oldText": text(), "newText": text()}]),
        json!(true),
    ]
}

fn markers(text: &str) -> Vec<String> {
    let parts = text.split("marker").skip(1);
    parts.filter_map(|rest| rest.split_once('z').map(|(number, _)| number.to_owned())).collect()
}

/// A session whose calls are answered on one branch and not on another.
fn session(calls: &[Value], results: &[Value]) -> leafpress::Session {
    let mut lines = vec![
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/"}),
        json!({"type": "message", "id": "lonely", "parentId": null, "message": {"role": "assistant", "content": calls}}),
        json!({"type": "message", "id": "calls", "parentId": null, "message": {"role": "assistant", "content": calls}}),
    ];
    let mut parent = "calls".to_owned();
    for (nth, result) in results.iter().enumerate() {
        let id = format!("r{nth}");
        lines.push(json!({"type": "message", "id": id, "parentId": parent, "message": result}));
        parent = id;
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn check(tool: &str, cases: &[(Value, Value)]) {
    let calls: Vec<Value> = cases
        .iter()
        .enumerate()
        .map(|(nth, (arguments, _))| json!({"type": "toolCall", "id": format!("c{nth}"), "name": tool, "arguments": arguments}))
        .collect();
    let results: Vec<Value> = cases
        .iter()
        .enumerate()
        .map(|(nth, (_, details))| {
            json!({"role": "toolResult", "toolCallId": format!("c{nth}"), "isError": nth % 2 == 1, "details": details,
                "content": [{"type": "text", "text": "<script>alert(1)</script> said"}]})
        })
        .collect();
    let session = session(&calls, &results);
    let digest = Digest::read(&session);
    let mut renderer = Renderer::new(&session, &digest);
    let mut article = |id: &str| {
        let index = session.index_of(id).unwrap();
        renderer.article(index, Placement { state: None, leaf: index })
    };
    // Of a call id made twice the answered one has a stub, the other its cards.
    let lonely = article("lonely");
    assert_eq!(foreign(lonely.as_str()), [""; 0], "{tool}");
    for (nth, (arguments, _)) in cases.iter().enumerate() {
        let card = article(&format!("r{nth}"));
        assert_eq!(foreign(card.as_str()), [""; 0], "{tool} {arguments}");
        let shown: BTreeSet<String> = markers(&card.visible_text()).into_iter().collect();
        let lost: Vec<String> =
            markers(&arguments.to_string()).into_iter().filter(|m| !shown.contains(m)).collect();
        assert_eq!(lost, [""; 0], "{tool} loses of {arguments} in {}", card.as_str());
        assert!(
            card.visible_text().contains("<script>alert(1)</script> said"),
            "{tool} {arguments}"
        );
    }
}

#[test]
fn every_argument_of_every_tool_is_shown_and_harmless() {
    let known = renderers();
    assert!(known.len() > 12 && known.iter().map(|k| k.tools.len()).sum::<usize>() > 40);
    // Only tools unknown here have no name.
    assert_eq!(known.iter().filter(|known| known.tools.is_empty()).count(), 1);
    let mut marker = 0;
    for Known { tools, keys } in &known {
        // The last is for any other name.
        let tool = tools.first().map_or("no_such_tool", String::as_str);
        let mut cases = Vec::new();
        for key in keys {
            for value in shapes(key, &BTreeSet::new(), &mut marker) {
                cases.push((json!({ key.clone(): value }), json!({ key.clone(): "detail" })));
            }
        }
        // All of them at once: the first alias is taken, the others are not lost.
        for nth in 0..shapes("", keys, &mut marker).len() {
            let all: serde_json::Map<String, Value> = keys
                .iter()
                .map(|key| {
                    (key.clone(), shapes(key, &BTreeSet::new(), &mut marker).swap_remove(nth))
                })
                .collect();
            cases.push((all.into(), Value::Null));
        }
        cases.extend(shapes("", keys, &mut marker).into_iter().map(|value| (value, Value::Null)));
        check(tool, &cases);
    }
}

#[test]
fn every_detail_of_every_tool_is_harmless() {
    let mut marker = 0;
    for Known { tools, keys } in &renderers() {
        let mut cases = Vec::new();
        for key in keys {
            for value in shapes(key, &BTreeSet::new(), &mut marker) {
                cases.push((json!({}), json!({ key.clone(): value })));
            }
        }
        cases.extend(shapes("", keys, &mut marker).into_iter().map(|value| (json!({}), value)));
        check(tools.first().map_or("no_such_tool", String::as_str), &cases);
    }
}
