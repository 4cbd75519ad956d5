//! Sessions written in a few words.

use leafpress::store::{NewSession, SessionStore, StoreError};
use serde_json::{Value, json};

pub(crate) fn user(text: &str) -> Value {
    json!({"role": "user", "content": text, "timestamp": 1_767_225_600_000_u64})
}

pub(crate) fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}], "api": "test",
        "provider": "anthropic", "model": "claude-test", "stopReason": "stop",
        "usage": {"input": 10, "output": 5, "cacheRead": 1, "cacheWrite": 0, "totalTokens": 16,
            "cost": {"input": 0.1, "output": 0.2, "cacheRead": 0, "cacheWrite": 0, "total": 0.3}},
        "timestamp": 1_767_225_600_000_u64})
}

pub(crate) fn new() -> NewSession {
    NewSession::new().cwd("/work")
}

pub(crate) fn memory() -> SessionStore {
    SessionStore::in_memory(new()).unwrap()
}

/// Short ways to append, as the cases are written.
pub(crate) trait Append {
    fn user(&mut self, text: &str) -> String;
    fn assistant(&mut self, text: &str) -> String;
}

impl Append for SessionStore {
    fn user(&mut self, text: &str) -> String {
        self.append_message(&user(text)).unwrap()
    }

    fn assistant(&mut self, text: &str) -> String {
        self.append_message(&assistant(text)).unwrap()
    }
}

/// The lines of a file as JSON.
pub(crate) fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn is_not_found<T: std::fmt::Debug>(result: Result<T, StoreError>, id: &str) -> bool {
    matches!(result, Err(StoreError::NotFound(found)) if found == id)
}
