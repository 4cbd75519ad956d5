//! Sessions within the session: the ways in and back, what rows and entries show of them.

pub(crate) mod entries;
pub(crate) mod rows;
pub(crate) mod ways;

use leafpress::session::Child;
use leafpress::{Options, Session};
use serde_json::json;

use crate::support::{Exported, Page, row};

/// A chain of prompts and answers in turn with the ids `1`, `2`, … and these texts.
fn chain(texts: &[&str]) -> Session {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"})];
    for (at, text) in texts.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        lines.push(json!({
            "type": "message",
            "id": (at + 1).to_string(),
            "parentId": (at > 0).then(|| at.to_string()),
            "message": {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop"},
        }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn child(key: &str, started_by: &str, session: Session) -> Child {
    Child {
        key: key.to_owned(),
        agent: Some(key.to_owned()),
        task: Some(format!("the task of {key}")),
        started_by: Some(started_by.to_owned()),
        session: Ok(Box::new(session)),
    }
}

pub(super) fn family() -> Exported {
    Exported::with_options(family_session(), &Options::default())
}

fn family_session() -> Session {
    let helper = chain(&["help me", "a heron helped"]);
    let scout = chain(&["scout ahead", "a heron scouted", "and on", "further"]);
    let scout = scout.with_children(vec![child("Helper", "2", helper)]);
    let gone = Child { session: Err("not found".to_owned()), ..child("Gone", "4", chain(&["x"])) };
    let main = chain(&["go", "went", "again", "gone again", "the end"]);
    main.with_children(vec![child("Scout", "2", scout), gone])
}

fn row_text(page: &Page, key: &str) -> String {
    page.call("(row) => document.querySelector(row).textContent", &[row(key)])
}

fn crumbs(page: &Page, within: &str) -> String {
    page.call(
        "(within) => {
            const bar = document.querySelector(`${within} .crumbs`);
            return bar === null || bar.hidden ? '' : bar.textContent;
        }",
        &[within],
    )
}
