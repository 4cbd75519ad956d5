//! Whatever stands in any argument of any tool is shown, and none of it becomes markup.
//!
//! The names of tools, of arguments and of details are read from the renderers' own source, so that a new one is
//! tried as soon as it is written.

use std::collections::{BTreeMap, BTreeSet};
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

/// A renderer: the names it is chosen by, and the names of arguments and details that it knows.
struct Known {
    tools: BTreeSet<String>,
    keys: BTreeSet<String>,
}

/// The arms of the `match` in a function: the text before `=>` and the name of the variant on either side of it.
fn arms<'a>(source: &'a str, function: &str) -> Vec<(&'a str, &'a str)> {
    let start = source.find(function).unwrap();
    let end = start
        + source[start..].find("\n    }\n").or_else(|| source[start..].find("\n}\n")).unwrap();
    let pieces: Vec<&str> = source[start..end].split("=>").collect();
    // What an arm gives stands at the beginning of the next piece, before the next pattern.
    pieces.windows(2).map(|pair| (pair[0], pair[1].trim_start_matches([' ', '{', '\n']))).collect()
}

/// `Read` of `… ToolKind::File(FileTool::Read)…`, the last variant named.
fn last_variant(text: &str) -> &str {
    let name = text.rsplit("::").next().unwrap();
    name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap()
}

/// The names of tools by the kind that they are of.
fn names_of_kinds() -> BTreeMap<String, BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/session/tools");
    let mut names = BTreeMap::new();
    for file in ["tool_kind.rs", "file_tools.rs"] {
        let source = fs::read_to_string(folder.join(file)).unwrap();
        for (pattern, gives) in arms(&source, "fn of(") {
            let variant = last_variant(gives.lines().next().unwrap());
            // A pattern begins after what the arm before it gives.
            let from = pattern
                .rfind("::")
                .map_or(0, |at| pattern[at..].find(',').map_or(at, |comma| at + comma));
            names.insert(variant.to_owned(), names_in(&pattern[from..]));
        }
    }
    names
}

fn renderers() -> Vec<Known> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/content/tool");
    let source = |module: &str| fs::read_to_string(folder.join(format!("{module}.rs"))).unwrap();
    let dispatch = source("mod");
    let shared = names_in(&source("file"));
    let kinds = names_of_kinds();
    let known = arms(&dispatch, "fn built_in").into_iter().map(|(pattern, gives)| {
        let module = gives.split("::").next().unwrap();
        let tools = kinds.get(last_variant(pattern)).cloned().unwrap_or_default();
        Known { tools, keys: names_in(&source(module)).union(&shared).cloned().collect() }
    });
    known.collect()
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
    let all_keys: BTreeSet<String> = known.iter().flat_map(|known| known.keys.clone()).collect();
    let mut marker = 0;
    for Known { tools, keys } in &known {
        // The last arm is for any other name.
        let tool = tools.first().map_or("no_such_tool", String::as_str);
        let mut cases = Vec::new();
        for key in keys {
            for value in shapes(key, &BTreeSet::new(), &mut marker) {
                cases.push((json!({ key.clone(): value }), json!({ key.clone(): "detail" })));
            }
        }
        // All of them at once: the first alias is taken, the others are not lost.
        for nth in 0..shapes("", keys, &mut marker).len() {
            let all: serde_json::Map<String, Value> = all_keys
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
