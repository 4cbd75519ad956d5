//! What a listing tells of a session, from the lines at both ends of its file.

use crate::session::json::Json;
use crate::session::text::{cut, one_line};
use crate::session::{Dialect, time};

use super::ends::Ends;

/// Of a prompt so much is kept, in UTF-16 units.
const PROMPT_UNITS: usize = 300;

/// What was found so far.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) agent: Dialect,
    pub(super) id: String,
    pub(super) began: Option<i64>,
    /// The last prompt or answer.
    pub(super) latest: Option<i64>,
    pub(super) cwd: Option<String>,
    pub(super) title: Option<String>,
    pub(super) prompt: Option<String>,
    /// A title that a person chose; others do not replace it.
    is_title_chosen: bool,
}

impl Facts {
    /// `None` when the file does not begin as a session of a known agent.
    pub(super) fn read(ends: &Ends, place_of: Dialect) -> Option<Facts> {
        let head = lines(&ends.head);
        let mut facts = Facts {
            agent: agent(&head, place_of)?,
            id: String::new(),
            began: None,
            latest: None,
            cwd: None,
            title: None,
            prompt: None,
            is_title_chosen: false,
        };
        for line in &head {
            facts.take(line);
        }
        if !ends.is_whole {
            // What the head says of times is not the last word.
            facts.latest = None;
            for line in &lines(&ends.tail) {
                facts.take(line);
            }
        }
        facts.title = facts.title.filter(|title| !title.is_empty());
        Some(facts)
    }

    fn take(&mut self, line: &Json<'_>) {
        match self.agent {
            Dialect::ClaudeCode => self.take_claude(line),
            Dialect::Codex => self.take_codex(line),
            _ => self.take_pi(line),
        }
    }

    fn take_pi(&mut self, line: &Json<'_>) {
        match text(line, "type") {
            Some("session") if self.id.is_empty() => {
                self.id = owned(line, "id").unwrap_or_default();
                self.cwd = owned(line, "cwd");
                self.began = line.get("timestamp").and_then(time::read);
                if self.title.is_none() {
                    self.title = owned(line, "title");
                }
            }
            Some("title" | "title_change") => self.title = owned(line, "title"),
            Some("session_info") => self.title = owned(line, "name"),
            Some("message") => {
                let Some(message) = line.get("message") else { return };
                let at = message.get("timestamp").and_then(time::read);
                let at = at.or_else(|| line.get("timestamp").and_then(time::read));
                match text(message, "role") {
                    Some("user") => {
                        self.spoken(at);
                        self.asked(&content(message));
                    }
                    Some("assistant") => self.spoken(at),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn take_claude(&mut self, line: &Json<'_>) {
        if self.cwd.is_none() {
            self.cwd = owned(line, "cwd");
        }
        if self.id.is_empty() {
            self.id = owned(line, "sessionId").unwrap_or_default();
        }
        let at = line.get("timestamp").and_then(time::read);
        self.began = self.began.or(at);
        let is = |key: &str| line.get(key).is_some_and(Json::is_truthy);
        match text(line, "type") {
            Some("custom-title") => {
                self.title = owned(line, "customTitle");
                self.is_title_chosen = true;
            }
            Some("ai-title") if !self.is_title_chosen => self.title = owned(line, "aiTitle"),
            Some("user") => {
                self.spoken(at);
                let is_typed = !is("isMeta") && !is("isSidechain") && !is("isCompactSummary");
                if let Some(message) = line.get("message").filter(|_| is_typed) {
                    self.asked(&content(message));
                }
            }
            Some("assistant") => self.spoken(at),
            _ => {}
        }
    }

    fn take_codex(&mut self, line: &Json<'_>) {
        let at = line.get("timestamp").and_then(time::read);
        let payload = line.get("payload").unwrap_or(line);
        match (text(line, "type"), text(payload, "type")) {
            (Some("session_meta"), _) => {
                self.id = owned(payload, "id").unwrap_or_default();
                self.cwd = owned(payload, "cwd");
                self.began = payload.get("timestamp").and_then(time::read).or(at);
            }
            (_, Some("user_message")) => {
                self.spoken(at);
                self.asked(&owned(payload, "message").unwrap_or_default());
            }
            (_, Some("message")) => match text(payload, "role") {
                Some("user") => {
                    self.spoken(at);
                    self.asked(&content(payload));
                }
                Some("assistant") => self.spoken(at),
                _ => {}
            },
            // The first versions wrote the header bare.
            _ if self.id.is_empty() => {
                self.id = owned(payload, "id").unwrap_or_default();
                self.began = at;
            }
            _ => {}
        }
    }

    fn spoken(&mut self, at: Option<i64>) {
        self.latest = self.latest.max(at);
    }

    /// The first that a person typed: agents put texts of their own, in tags
    /// or under a heading, where a prompt would be.
    fn asked(&mut self, prompt: &str) {
        let prompt = one_line(prompt);
        let is_agents = prompt.starts_with('<')
            || prompt.starts_with("# AGENTS.md")
            || prompt.starts_with("Caveat:");
        if self.prompt.is_none() && !prompt.is_empty() && !is_agents {
            self.prompt = Some(cut(&prompt, PROMPT_UNITS).to_owned());
        }
    }
}

/// Whose session it is by its first lines.
fn agent(head: &[Json<'_>], place_of: Dialect) -> Option<Dialect> {
    let first = head.first()?;
    let header = head.iter().take(2).find(|line| text(line, "type") == Some("session"));
    let is_slot = text(first, "type") == Some("title");
    if let Some(header) = header.filter(|_| is_slot || text(first, "type") == Some("session")) {
        text(header, "id")?;
        let is_omp = is_slot || place_of == Dialect::Omp || header.get("titleSource").is_some();
        return Some(if is_omp { Dialect::Omp } else { Dialect::Pi });
    }
    if text(first, "type") == Some("session_meta") {
        return Some(Dialect::Codex);
    }
    match place_of {
        Dialect::Codex if first.get("id").is_some() && first.get("timestamp").is_some() => {
            Some(Dialect::Codex)
        }
        Dialect::ClaudeCode => {
            let is_turn = |line: &Json<'_>| {
                matches!(text(line, "type"), Some("user" | "assistant" | "system"))
            };
            head.iter().any(is_turn).then_some(Dialect::ClaudeCode)
        }
        _ => None,
    }
}

/// The objects among the lines.
fn lines(bytes: &[u8]) -> Vec<Json<'_>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n');
    let values = lines.filter_map(|line| serde_json::from_slice(line).ok());
    values.filter(|value| matches!(value, Json::Object(_))).collect()
}

/// The text of a message, its blocks joined by blanks.
fn content(message: &Json<'_>) -> String {
    match message.get("content") {
        Some(Json::String(text)) => text.to_string(),
        Some(Json::Array(blocks)) => {
            let texts = blocks.iter().filter_map(|block| text(block, "text"));
            texts.collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}

fn text<'j>(json: &'j Json<'_>, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str()
}

fn owned(json: &Json<'_>, key: &str) -> Option<String> {
    text(json, key).map(str::to_owned)
}
