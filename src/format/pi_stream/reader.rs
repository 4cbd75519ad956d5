//! Takes the rows of a run in order, and writes its entries.
//!
//! A message is written at its `message_end`; until then its pieces are kept, for a run that breaks off. The same
//! holds for calls: what a running or ended one gave is kept until the message with its result. `entry_appended`
//! names entries by the agent's own ids, which compactions and labels refer to. Rows: pi 0.87.1, omp 18.2.3.

use std::collections::{BTreeMap, HashMap};

use crate::format::entry::{self, custom};
use crate::format::envelope::{Checked, Envelope};
use crate::format::fields::{ObjectFields, fields_of, fields_without, id_of, object, string};
use crate::format::lines::{Value, line_id};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::{DamageKind, Format, time};

use super::partial::{Partial, has_content};
use super::rows::{Kind, is_widget, kind};

struct Reader {
    out: Translation,
    last: Option<String>,
    /// The entries that the agent's own ids name.
    named: HashMap<String, String>,
    open: Option<Partial>,
    /// What running calls printed, and calls that ended; the messages of both come later.
    running: BTreeMap<String, (u32, Json<'static>)>,
    ended: BTreeMap<String, (u32, Json<'static>)>,
    is_begun: bool,
    keeps_unknown: bool,
}

pub(super) fn read(format: Format, source: &[u8], options: &ReadOptions) -> Translation {
    let mut reader = Reader {
        out: Translation::new(format),
        last: None,
        named: HashMap::new(),
        open: None,
        running: BTreeMap::new(),
        ended: BTreeMap::new(),
        is_begun: false,
        keeps_unknown: false,
    };
    let scan =
        options.scan(source, |value, Checked(envelope)| reader.value(&value, envelope.as_ref()));
    for damage in scan.damage {
        reader.out.damage(damage.line, damage.kind);
    }
    reader.finish(if format == Format::Omp { "omp" } else { "pi" })
}

impl Reader {
    fn value(&mut self, value: &Value<'_>, envelope: Option<&Envelope<'_>>) {
        let Some(envelope) = envelope else {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        };
        let row = envelope.entry_type.as_ref().and_then(Json::as_str).unwrap_or_default();
        let kind = kind(row);
        // Rows that repeat the whole run are long.
        if kind == Kind::Progress {
            return;
        }
        let json: Json<'_> = serde_json::from_str(value.text).unwrap_or(Json::Null);
        let spot = Spot { line: value.line, id: Some(value.line_id()), ..Spot::default() };
        self.row(kind, row, spot, json);
    }

    fn row(&mut self, kind: Kind, row: &str, spot: Spot, json: Json<'_>) {
        match kind {
            Kind::Header => self.header(spot.line, &json),
            Kind::MessageBegins => {
                self.give_up();
                let message = json.get("message").cloned().unwrap_or(Json::Null).owned();
                self.open = Some(Partial::new(spot.line, message));
            }
            Kind::MessageGrows => {
                if let Some(open) = &mut self.open {
                    open.update(&json);
                }
            }
            Kind::Message => self.message(spot, json),
            Kind::ToolRuns => {
                if let Some((id, printed)) = id_of(&json, "toolCallId").zip(printed(&json)) {
                    self.running.insert(id, (spot.line, printed));
                }
            }
            Kind::ToolEnded => {
                if let Some((id, answer)) = id_of(&json, "toolCallId").zip(answer(&json)) {
                    self.running.remove(&id);
                    self.ended.insert(id, (spot.line, answer));
                }
            }
            Kind::Compaction => self.compaction(spot, row, json),
            Kind::Entry => self.entry(spot, &json),
            Kind::Name => {
                let name = json.get("name").cloned();
                self.push(spot, "session_info", fields_of([("name", name)]));
            }
            Kind::Thinking => {
                let level = json.get("level").cloned();
                self.push(spot, "thinking_level_change", entry::thinking_level(level));
            }
            Kind::Response => self.response(spot, &json),
            Kind::RetryEnded => self.retry_ended(spot, &json),
            Kind::Interface if text(&json, "method").is_none_or(is_widget) => {}
            Kind::Shown | Kind::Interface => self.push(spot, "custom", custom(row, json)),
            Kind::Progress => {}
            Kind::Unknown => {
                let name = if row.is_empty() { "line" } else { row };
                let (entry_type, fields) = entry::unknown(name, json);
                self.push(spot, entry_type, fields);
                self.out.last_is_not_understood();
            }
        }
    }

    fn push(&mut self, spot: Spot, entry_type: &str, fields: ObjectFields<'_>) {
        let id = spot.id.clone().unwrap_or_else(|| line_id(spot.line, 1));
        let parent_id = self.last.replace(id);
        self.out.push(Spot { parent_id, ..spot }, entry_type, fields);
    }

    fn header(&mut self, line: u32, json: &Json<'_>) {
        let id = text(json, "id").unwrap_or_default();
        let header = self.out.header();
        if self.is_begun {
            // Runs of one session, one behind the other.
            if header.id != id {
                self.out.damage(line, DamageKind::SecondHeader);
            }
            return;
        }
        self.is_begun = true;
        id.clone_into(&mut header.id);
        header.version = 3;
        header.time = json.get("timestamp").and_then(time::read);
        text(json, "cwd").unwrap_or_default().clone_into(&mut header.cwd);
        header.parent_session = text(json, "parentSession").map(str::to_owned);
        header.title = text(json, "title").map(str::to_owned);
    }

    /// A message that began, and neither grew to its end nor got one.
    fn give_up(&mut self) {
        let Some(open) = self.open.take() else { return };
        let line = open.line;
        if let Some(message) = open.unfinished() {
            self.write(Spot { line, id: Some(line_id(line, 1)), ..Spot::default() }, message);
        }
    }

    fn message(&mut self, spot: Spot, json: Json<'_>) {
        let open = self.open.take();
        let Json::Object(fields) = json else { return };
        let message = fields.into_iter().find(|(key, _)| key == "message").map(|(_, json)| json);
        let mut message = message.unwrap_or(Json::Null);
        if let Some(id) = id_of(&message, "toolCallId") {
            self.running.remove(&id);
            self.ended.remove(&id);
        }
        // oh-my-pi drops what a response said that it tries again.
        if text(&message, "role") == Some("assistant")
            && !has_content(&message)
            && let Some(said) = open.and_then(|open| open.content())
            && let Json::Object(fields) = &mut message
        {
            fields.retain(|(key, _)| key != "content");
            fields.push(("content".into(), said));
        }
        self.write(spot, message);
    }

    fn write(&mut self, spot: Spot, message: Json<'_>) {
        let time = message.get("timestamp").and_then(time::read);
        self.push(Spot { time, ..spot }, "message", entry::message(message));
    }

    /// What was summarized, or why it was not.
    fn compaction(&mut self, spot: Spot, row: &str, json: Json<'_>) {
        let Some(result) = json.get("result").filter(|result| text(result, "summary").is_some())
        else {
            let says_why = json.get("errorMessage").is_some()
                || json.get("aborted") == Some(&Json::Bool(true));
            if says_why {
                self.push(spot, "custom", custom(row, json));
            }
            return;
        };
        let mut fields = fields_without(
            result.clone(),
            &["type", "id", "parentId", "firstKeptEntryId", "estimatedTokensAfter"],
        );
        let kept = text(result, "firstKeptEntryId").unwrap_or_default();
        let own = self.named.get(kept);
        self.keeps_unknown |= own.is_none() && !kept.is_empty();
        fields.extend(fields_of([
            ("firstKeptEntryId", Some(string(own.map_or(kept, String::as_str).to_owned()))),
            ("tokensAfter", result.get("estimatedTokensAfter").cloned()),
            ("method", json.get("action").cloned()),
        ]));
        self.push(spot, "compaction", fields);
    }

    /// The last response says why nothing more was tried, unless the person stopped that.
    fn retry_ended(&mut self, spot: Spot, json: &Json<'_>) {
        let why = text(json, "finalError").unwrap_or_default();
        if why.to_ascii_lowercase().contains("cancel") {
            let fields = entry::custom_message("interrupted", why, true);
            self.push(spot, "custom_message", fields);
        }
    }

    /// An entry as the session file has it: what stood last there is the entry above it.
    fn entry(&mut self, spot: Spot, json: &Json<'_>) {
        let Some(entry) = json.get("entry") else { return };
        if let Some((above, last)) = id_of(entry, "parentId").zip(self.last.clone()) {
            self.name(above, last);
        }
        let entry_type = text(entry, "type").unwrap_or_default();
        let role = entry.get("message").and_then(|message| text(message, "role"));
        // Rows of their own say these.
        let is_repeated =
            matches!(entry_type, "compaction" | "session_info" | "thinking_level_change")
                || matches!(role, Some("assistant" | "system" | "toolResult" | "user"));
        if is_repeated || entry_type.is_empty() {
            return;
        }
        let mut fields =
            fields_without(entry.clone(), &["type", "id", "parentId", "timestamp", "targetId"]);
        if let Some(target) = id_of(entry, "targetId") {
            let target = self.named.get(&target).cloned().unwrap_or(target);
            fields.push(("targetId".into(), string(target)));
        }
        let time = entry.get("timestamp").and_then(time::read);
        let own = spot.id.clone();
        self.push(Spot { time, ..spot }, entry_type, fields);
        if let Some((id, own)) = id_of(entry, "id").zip(own) {
            self.name(id, own);
        }
    }

    /// Remembers the agent's own id of an entry.
    fn name(&mut self, id: String, own: String) {
        if !self.named.contains_key(&id) {
            self.out.alias(id.clone(), own.clone());
            self.named.insert(id, own);
        }
    }

    /// What a command of `--mode rpc` gave.
    fn response(&mut self, spot: Spot, json: &Json<'_>) {
        let data = json.get("data");
        let fact = |key| data.and_then(|data| text(data, key)).filter(|fact| !fact.is_empty());
        match text(json, "command") {
            _ if json.get("success") == Some(&Json::Bool(false)) => {
                self.push(spot, "custom", custom("response", json.clone()));
            }
            Some("bash") if data.is_some() => {
                let given = |key| data.and_then(|data| data.get(key)).cloned();
                let command = fact("command").unwrap_or_default().to_owned();
                let message = NewMessage::shell(Some(command), given("output"))
                    .given("exitCode", given("exitCode"))
                    .given("cancelled", given("cancelled"))
                    .given("truncated", given("truncated"));
                self.push(spot, "message", entry::message(message.json()));
            }
            Some("get_state") => {
                let header = self.out.header();
                if header.id.is_empty() {
                    fact("sessionId").unwrap_or_default().clone_into(&mut header.id);
                }
            }
            _ => {}
        }
    }

    /// The file ended: what was still to be written, in the order of the file.
    fn finish(mut self, program: &str) -> Translation {
        self.give_up();
        let mut rest: Vec<(u32, &str, Json<'static>)> = Vec::new();
        let ended = std::mem::take(&mut self.ended).into_values();
        rest.extend(ended.map(|(line, message)| (line, "", message)));
        let running = std::mem::take(&mut self.running).into_values();
        rest.extend(running.map(|(line, printed)| (line, "tool_execution_update", printed)));
        rest.sort_by_key(|(line, ..)| *line);
        for (line, row, json) in rest {
            let spot = Spot { line, id: Some(line_id(line, 1)), ..Spot::default() };
            match row {
                "" => self.write(spot, json),
                row => self.push(spot, "custom", custom(row, json)),
            }
        }
        let mode = if self.is_begun { "json" } else { "rpc" };
        let directory = if self.is_begun { "" } else { "the working directory, " };
        self.out.note(format!(
            "What `{program} --mode {mode}` prints does not include {directory}branches, labels and what came before this run"
        ));
        if self.keeps_unknown {
            self.out.note("The file does not say which messages a compaction kept".to_owned());
        }
        self.out
    }
}

/// What a running call gave so far, where that is something.
fn printed(json: &Json<'_>) -> Option<Json<'static>> {
    let given = json.get("partialResult")?;
    let says = |block: &Json<'_>| text(block, "text").is_none_or(|said| !said.is_empty());
    given.get("content").map(Json::items).unwrap_or_default().iter().any(says).then(|| {
        object([
            ("toolCallId", json.get("toolCallId").cloned()),
            ("toolName", json.get("toolName").cloned()),
            ("partialResult", Some(given.clone())),
        ])
        .owned()
    })
}

/// The message of a call that ended, where the file ends before it.
fn answer(json: &Json<'_>) -> Option<Json<'static>> {
    let result = json.get("result")?;
    Some(
        NewMessage::tool_result_of(json.get("toolCallId").cloned())
            .tool_name(json.get("toolName").cloned())
            .given("content", result.get("content").cloned())
            .details(result.get("details").cloned())
            .given("isError", json.get("isError").cloned())
            .json()
            .owned(),
    )
}
