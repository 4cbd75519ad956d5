//! oh-my-pi: recognition, whole samples, and types gone wrong; rooms for the rest.

mod agents;
mod archive;
mod beside;
mod context;
mod rows;

use std::path::{Path, PathBuf};

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::Format;
use leafpress::session::context::{Facts, State};
use leafpress::{Session, report};
use serde_json::{Value, json};

use crate::support::session::{Log, fixture, index, read_fixture, seen};

const MAIN: &str = "samples-2026-03/omp/sessions/-proj-datefmt/2026-03-10T09-00-00-000Z_019c2b7e-55aa-7c31-8f00-0d3e5f6a7b8c.jsonl";

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A fixture with what lies beside it.
fn read_in_place(name: &str, archived: bool) -> Session {
    let options = ReadOptions::new().session(path_of(name)).archived(archived);
    read_with(fixture(name), None, &options).unwrap()
}

fn read_omp(log: &Log) -> Session {
    read_with(log.text().into_bytes(), Some(Format::Omp), &ReadOptions::default()).unwrap()
}

/// The page with every entry as plain markup, without its own program and the source.
fn page(session: &Session) -> String {
    let mut options = leafpress::Options::default();
    options.without_source = true;
    options.all_plain = true;
    let mut page = Vec::new();
    leafpress::export(session, &options, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn states(session: &Session, leaf: &str) -> Vec<State> {
    Facts::read(session).context(Some(index(session, leaf))).states
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn calling(stop: &str, blocks: Value) -> Value {
    json!({"type": "message", "message": {"role": "assistant", "stopReason": stop, "content": blocks}})
}

fn call(id: &str) -> Value {
    json!({"type": "toolCall", "id": id, "name": "t", "arguments": {}})
}

#[test]
fn omp_is_told_from_pi_by_content() {
    let header = json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"});
    let message = json!({"type": "message", "id": "1", "parentId": null, "message": {"role": "user", "content": "hi"}});
    let format = |lines: &[Value]| {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        leafpress::read(text.join("\n").into_bytes()).unwrap().format()
    };
    let with = |extra: Value| format(&[header.clone(), message.clone(), extra]);
    assert_eq!(format(&[header.clone(), message.clone()]), Format::Pi);
    for entry_type in ["reset_boundary", "session_init", "mode_change", "ttsr_injection", "archive"]
    {
        assert_eq!(
            with(json!({"type": entry_type, "id": "2", "parentId": "1"})),
            Format::Omp,
            "{entry_type}"
        );
    }
    assert_eq!(with(json!({"type": "model_change", "id": "2", "model": "a/b"})), Format::Omp);
    let of_pi =
        json!({"type": "model_change", "id": "2", "provider": "a", "modelId": "b", "model": "x"});
    assert_eq!(with(of_pi), Format::Pi);
    assert_eq!(
        with(json!({"type": "message", "id": "2", "message": {"role": "pythonExecution"}})),
        Format::Omp
    );
    assert_eq!(
        with(
            json!({"type": "message", "id": "2", "message": {"role": "user", "content": "blob:sha256:"}})
        ),
        Format::Pi
    );
    let mut titled = header.clone();
    titled["title"] = json!("t");
    assert_eq!(format(&[titled, message.clone()]), Format::Omp);
    let slot = json!({"type": "title", "v": 1, "title": ""});
    assert_eq!(format(&[slot, header.clone(), message.clone()]), Format::Omp);
    // A proposal's header, a file of pi's second version.
    let mut other = header.clone();
    other["uuid"] = json!("u");
    other["title"] = json!("t");
    assert_eq!(format(&[other, message.clone()]), Format::PiProposal);
    let mut old = header;
    old["version"] = json!(2);
    let hook = json!({"type": "message", "id": "2", "message": {"role": "hookMessage"}});
    assert_eq!(format(&[old, message, hook]), Format::Pi);
    for name in ["pi-1.5-main", "pi-1.5-edge", "pi-1.5-v1", "pi-1.5-v2"] {
        assert_eq!(read_fixture(&format!("samples/{name}.jsonl")).format(), Format::Pi, "{name}");
    }
    for name in ["omp-18-main", "omp-18-tree"] {
        assert_eq!(read_fixture(&format!("samples/{name}.jsonl")).format(), Format::Omp, "{name}");
    }
}

#[test]
fn l10_the_main_sample() {
    let session = read_in_place(MAIN, false);
    assert_eq!(session.title(), Some("Date parser clean-up"));
    let leaf = session.id(session.leaf()).unwrap().to_owned();
    assert_eq!(leaf, "0a00001b");
    let report = report::context(&session, session.leaf()).unwrap();
    assert_eq!(report.messages.len(), 8);
    let model = report.model.unwrap();
    assert_eq!(
        (model.provider.as_str(), model.model_id.as_str()),
        ("anthropic", "claude-sonnet-4-5")
    );
    let roles: Vec<_> = report.role_models.keys().map(String::as_str).collect();
    assert_eq!((roles, report.mode), (vec!["smol"], None));
    assert_eq!(session.index_of("0a00000c"), None);
    assert_eq!(session.index_of("0a00000d"), None);
    assert_eq!(
        session.notes(),
        ["2 entries of 1 archived branch not included; `--archived` includes them"]
    );
    let page = page(&session);
    assert!(page.contains("data:image/png;base64,"), "the blob is a picture in the page");
    assert!(page.contains("2 entries of 1 archived branch not included"));
    assert!(!page.contains("toolu_dangling"));
    let all = read_in_place(MAIN, true);
    assert!(all.index_of("0a00000d").is_some() && all.notes().is_empty());
}

#[test]
fn the_sample_of_2026_03_with_a_reset() {
    let session = read_fixture("samples-2026-03/omp/omp-reset-boundary.jsonl");
    let expected = [
        "compactionSummary S1",
        "assistant A1",
        "user two-b (a branch without the reset)",
        "assistant A2b",
    ];
    assert_eq!(seen(&session, "0c000009"), expected);
    assert_eq!(seen(&session, "0c000007"), ["user three", "assistant A3"]);
    let states = states(&session, "0c000007");
    assert_eq!(states[..4], [State::Cleared; 4]);
    assert_eq!(states[4..], [State::None, State::In, State::In]);
}

#[test]
fn the_sample_of_january_2026() {
    let session = read_fixture("samples-2026-03/omp/omp-jan2026.jsonl");
    assert_eq!(session.format(), Format::Omp);
    assert_eq!(session.title(), Some("Fix chart"));
    assert_eq!(
        seen(&session, "uUvVwWxX")[2..],
        ["hookMessage 0 warnings", "fileMention a.txt\nhello"]
    );
}

/// Each field of each type, and the types of its values exchanged.
#[test]
fn wrong_types_anywhere_are_survived() {
    let sample = String::from_utf8(fixture("samples/omp-18-main.jsonl")).unwrap();
    let odd =
        [json!(null), json!(7), json!("<b>"), json!([{"a": 1}]), json!({"b": [2]}), json!(true)];
    for (nth, odd) in odd.iter().enumerate() {
        let mut lines = Vec::new();
        for line in sample.lines() {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            let is_envelope = |key: &str| matches!(key, "type" | "id" | "parentId");
            for (key, value) in entry.as_object_mut().unwrap() {
                match value {
                    Value::Object(inner) if key == "message" && nth > 0 => {
                        for (key, value) in inner {
                            if key != "role" {
                                *value = odd.clone();
                            }
                        }
                    }
                    value if !is_envelope(key) => *value = odd.clone(),
                    _ => {}
                }
            }
            lines.push(entry.to_string());
        }
        let source = lines.join("\n").into_bytes();
        let session = read_with(source, Some(Format::Omp), &ReadOptions::default()).unwrap();
        assert_eq!(session.len(), 54, "{nth}");
        for leaf in session.indices() {
            report::context(&session, leaf).unwrap();
        }
        page(&session);
    }
}
