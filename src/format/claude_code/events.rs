//! Lines that are neither a prompt, nor a response, nor a result: words of the program, files, and
//! state, which stays a folded row.

use crate::format::blocks::text_block;
use crate::format::entry;
use crate::format::message::NewMessage;
use crate::format::translation::Spot;
use crate::session::json::Json;

use super::access::{text, type_of};
use super::attachments::{self, Shown, Words};
use super::content::blocks;
use super::entries::Writer;
use super::fields::drop_repeated;

/// What every line says of itself and no entry needs.
const ENVELOPE: [&str; 14] = [
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "timestamp",
    "sessionId",
    "version",
    "gitBranch",
    "cwd",
    "slug",
    "userType",
    "isSidechain",
    "type",
    "subtype",
    "agentId",
];

/// Lines about the session, which mostly come without a uuid and then are counted in a note.
// Seen up to 2.1.37: summary, pr-link. 2.1.330: atis-latch, last-prompt, mode. Others: toolpath (entry-types.md,
// 2.1.215 to 2.1.245), agentsview; session-branch, content-replacement, goal-state: openclaude.
// continued-in and others of 2.1.332: its strings.
const METADATA: [&str; 49] = [
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-resumed",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "continued-in",
    "cost-state",
    "custom-title",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "ended-by-model",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "goal-state",
    "history-suppression",
    "host-row",
    "hybrid-organization",
    "isolation-latch",
    "last-prompt",
    "memory-mode",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "relocated",
    "repl-mode",
    "resume-head-vouch",
    "session-branch",
    "session-owner",
    "stream_event",
    "summary",
    "tag",
    "task-summary",
    "tools-used",
    "worktree-state",
];

/// Whether lines of a type are known here, by themselves or by their subtypes.
pub(super) fn is_known(kind: &str) -> bool {
    matches!(kind, "system" | "attachment" | "progress" | "user" | "assistant")
        || METADATA.contains(&kind)
}

impl Writer<'_> {
    fn words(&mut self, spot: Spot, words: Words) {
        let content = vec![text_block(words.text)];
        let fields = entry::custom_message(words.name, content, words.is_open);
        self.push(spot, "custom_message", fields);
    }

    /// A line that joins the chain without a message for the model.
    pub(super) fn event(&mut self, spot: Spot, at: usize) {
        let line = self.parsed(at);
        let kind = type_of(&line);
        // Of an event of the program, it says what happened.
        let is_said = |message: &&Json<'_>| {
            matches!(message, Json::Object(_)) || text(&line, "subtype").is_none()
        };
        if let ("system", Some(message)) = (kind, line.get("message").filter(is_said)) {
            let content = match message {
                Json::Object(_) => message.get("content").cloned(),
                other => Some(other.clone()),
            };
            return self.message(spot, NewMessage::system(blocks(content)).json());
        }
        match attachments::shown(&line) {
            Some(Shown::File(file)) => {
                return self.message(spot, NewMessage::file_mention(vec![file]).json());
            }
            Some(Shown::Words(words)) => {
                return self.words(spot, words);
            }
            None => {}
        }
        let inner = |key: &str| line.get(key).and_then(|inner| text(inner, "type"));
        let name = match kind {
            "system" => text(&line, "subtype"),
            "attachment" => inner("attachment"),
            "progress" => inner("data"),
            _ => None,
        };
        let is_known = is_known(kind);
        let is_progress = kind == "progress";
        let name = name.unwrap_or(if kind.is_empty() { "line" } else { kind }).to_owned();
        let mut fields = match line {
            Json::Object(fields) => fields,
            _ => Vec::new(),
        };
        if is_progress {
            for (_, value) in &mut fields {
                drop_repeated(value);
            }
        }
        let data =
            fields.into_iter().filter(|(key, _)| !ENVELOPE.contains(&key.as_ref())).collect();
        let data = Json::Object(data);
        if is_known {
            return self.push(spot, "custom", entry::custom(name, data));
        }
        let (entry_type, fields) = entry::unknown(&name, data);
        self.push(spot, entry_type, fields);
        self.written.translation.last_is_not_understood();
    }
}
