//! Section L, Claude Code: L8 and L9, and what its files do to a reader.

mod damage;
mod entries;
mod program_lines;
mod queue;
mod samples;
mod stored_2026;
mod stream;
mod trunk;

use leafpress::Session;
use leafpress::session::entry::Compaction;
use leafpress::session::{Body, Format};
use serde_json::{Value, json};

use crate::support::session::{ids, index};

const FOLDER: &str = "samples/claude-code/projects/-home-ana-proj-datefmt";

fn uuid(number: u32) -> String {
    format!("00000000-0000-4000-8000-000000000{number:03}")
}

/// Lines written in a few words; each hangs from the one before unless said otherwise.
#[derive(Default)]
struct Lines {
    lines: Vec<Value>,
}

impl Lines {
    fn line(mut self, mut line: Value) -> Lines {
        let number = self.lines.len() + 1;
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        let defaults = json!({
            "uuid": format!("u{number}"), "parentUuid": parent, "isSidechain": false, "sessionId": "s",
            "timestamp": format!("2026-01-01T00:{:02}:{:02}.000Z", number / 60, number % 60),
        });
        for (key, value) in defaults.as_object().unwrap() {
            line.as_object_mut().unwrap().entry(key.clone()).or_insert(value.clone());
        }
        self.lines.push(line);
        self
    }

    fn user(self, text: &str) -> Lines {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    fn under(self, parent: &str, mut line: Value) -> Lines {
        line["parentUuid"] = json!(parent);
        self.line(line)
    }

    fn says(self, id: &str, text: &str) -> Lines {
        self.line(says(id, text))
    }

    fn calls(self, id: &str, call: &str) -> Lines {
        self.line(calls(id, call))
    }

    fn answers(self, call: &str, text: &str) -> Lines {
        self.line(answers(call, text))
    }

    fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
    }

    fn read(&self) -> Session {
        let session = leafpress::read(self.text().into_bytes()).unwrap();
        assert_eq!(session.format(), Format::ClaudeCode);
        session
    }
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn part(id: &str, block: Value, output: u32) -> Value {
    json!({"type": "assistant", "requestId": format!("r-{id}"), "message": {"id": id, "role": "assistant",
        "model": "claude-x", "content": [block], "stop_reason": null,
        "usage": {"input_tokens": 3, "output_tokens": output, "cache_read_input_tokens": 5}}})
}

fn says(id: &str, text: &str) -> Value {
    part(id, json!({"type": "text", "text": text}), 7)
}

fn calls(id: &str, call: &str) -> Value {
    part(id, json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": call}}), 9)
}

fn answers(call: &str, text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}})
}

fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn forks(session: &Session) -> Vec<&str> {
    let tree = session.tree();
    ids(session, session.indices().filter(|&entry| tree.children(entry).len() > 1))
}

fn path(session: &Session) -> Vec<&str> {
    ids(session, session.tree().path(session.leaf()))
}

fn compaction<'a>(session: &'a Session, id: &str) -> Compaction<'a> {
    match session.entry(index(session, id)).unwrap().body {
        Body::Compaction(compaction) => compaction,
        body => panic!("{id}: {body:?}"),
    }
}
