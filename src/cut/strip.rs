//! Takes parts out of the entries that stay.
//!
//! Each entry's JSON is changed and then written anew: what places it (`PLACE`) comes from elsewhere, and what was
//! taken out is counted (`Parts`), so that the page can say so. An entry that stands for others is left as it is. A
//! cut that takes away what was thought, printed or told to the model also takes what nobody knows: it may be a copy.

use crate::session::json::Json;
use crate::session::known;
use crate::session::omitted::{self, Parts};
use crate::session::{EntryIndex, Session};

use super::fields::{drop_duplicates, get_mut, remove, retain, size, text};
use super::selection::Selection;
use super::{Cut, output, pictures, system, thinking};

/// An entry as it will be written.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Its fields but for those that place it: an object without its closing brace.
    pub(super) fields: String,
    /// What it lost.
    pub(super) parts: Parts,
    /// It lost something just now.
    pub(super) is_new: bool,
    /// Its summary was looked at and taken out.
    pub(super) without_summary: bool,
}

/// What places an entry, and what is written anew for each.
const PLACE: [&str; 6] = ["type", "id", "parentId", "timestamp", omitted::PARTS, omitted::ALIASES];

/// The texts of all entries that stay.
pub(super) fn texts(session: &Session, cut: &Cut, selection: &Selection) -> Vec<Option<Text>> {
    let text = |entry| (!selection.is_gone(entry)).then(|| text_of(session, entry, cut));
    session.indices().map(text).collect()
}

fn text_of(session: &Session, entry: EntryIndex, cut: &Cut) -> Text {
    let mut json: Json<'_> = serde_json::from_str(session.raw_at(entry)).unwrap_or(Json::Null);
    drop_duplicates(&mut json);
    let before = session.entry_at(entry).omitted;
    let mut lost = Parts::default();
    let entry_type = session.entry_type_at(entry);
    // What stands for others holds nothing of theirs.
    if cut.strips() && entry_type != omitted::TYPE {
        Stripper { cut, lost: &mut lost }.entry(&mut json, entry_type);
    }
    let mut parts = before;
    parts += lost;
    Text { fields: fields_of(json), parts, is_new: !lost.is_empty(), without_summary: false }
}

/// The fields but for those that are written anew.
fn fields_of(mut json: Json<'_>) -> String {
    retain(&mut json, |name| !PLACE.contains(&name));
    let mut fields = match json {
        Json::Object(_) => json.compact(),
        _ => "{}".to_owned(),
    };
    fields.pop();
    fields
}

impl Text {
    /// Takes the summary out, and says so.
    pub(super) fn drop_summary(&mut self) {
        /// What tells of the history in another form.
        const TELLING: [&str; 6] =
            ["summary", "shortSummary", "details", "preserveData", "retainedTail", "warning"];
        self.without_summary = true;
        self.parts.summary += usize::from(self.retain(|name| !TELLING.contains(&name)));
    }

    /// Takes out all that an extension keeps, and says so.
    pub(super) fn drop_data(&mut self) {
        self.parts.other += usize::from(self.retain(|name| name == "customType"));
    }

    /// Keeps the fields of these names, and says whether the others held anything.
    fn retain(&mut self, keeps: impl Fn(&str) -> bool) -> bool {
        let whole = format!("{}}}", self.fields);
        let mut json: Json<'_> = serde_json::from_str(&whole).unwrap_or(Json::Null);
        let is_less = retain(&mut json, keeps) > 0;
        self.is_new |= is_less;
        self.fields = fields_of(json);
        is_less
    }
}

/// One entry's parts, as a cut has them.
pub(super) struct Stripper<'c> {
    pub(super) cut: &'c Cut,
    pub(super) lost: &'c mut Parts,
}

impl Stripper<'_> {
    fn entry(&mut self, json: &mut Json<'_>, entry_type: &str) {
        match entry_type {
            "message" => self.of_field(json, "message", Self::message),
            "custom_message" => self.extension(json),
            "compaction" => self.compaction(json),
            "context_edit" => self.of_field(json, "replacement", Self::replacement),
            "session_init" | "ttsr_injection" if self.cut.without_system => {
                system::start(json, self.lost);
            }
            _ => {}
        }
        if self.cut.drops_unknown() {
            self.errors(json);
            self.unknown(json, |name| known::of_entry(entry_type, name));
        }
        self.everywhere(json);
    }

    fn of_field(&mut self, json: &mut Json<'_>, key: &str, change: fn(&mut Self, &mut Json<'_>)) {
        // Of duplicate keys the last counts; the others show in the raw line alone.
        if let Json::Object(fields) = json {
            for (_, value) in fields.iter_mut().filter(|(name, _)| name == key) {
                change(self, value);
            }
        }
    }

    /// What is no field of a known name, and anything but an object where one is due.
    fn unknown(&mut self, json: &mut Json<'_>, is_known: impl Fn(&str) -> bool) {
        if !matches!(json, Json::Object(_)) {
            self.lost.other += usize::from(size(json) > 0);
            *json = Json::Object(Vec::new());
        }
        self.lost.other += usize::from(retain(json, is_known) > 0);
    }

    fn errors(&mut self, json: &mut Json<'_>) {
        for key in ["errorMessage", "error"] {
            self.lost.errors += usize::from(json.get(key).is_some() && remove(json, key));
        }
    }

    fn message(&mut self, message: &mut Json<'_>) {
        let role = text(message, "role").to_owned();
        if self.cut.drops_unknown() {
            self.errors(message);
        }
        match role.as_str() {
            "system" | "developer" if self.cut.without_system => {
                system::message(message, self.lost);
            }
            "custom" | "hookMessage" => self.extension(message),
            _ => {}
        }
        if self.cut.without_tool_output {
            output::message(message, &role, self.lost);
        }
        if self.cut.drops_unknown() {
            self.unknown(message, |name| known::of_message(&role, name));
        }
        if let Some(content) = get_mut(message, "content") {
            self.content(content);
        }
    }

    /// A message's list of blocks.
    fn content(&mut self, content: &mut Json<'_>) {
        if !self.cut.drops_unknown() {
            return;
        }
        if !matches!(content, Json::Array(_) | Json::String(_) | Json::Null) {
            self.lost.other += 1;
            *content = Json::Array(Vec::new());
        }
        let Json::Array(blocks) = content else { return };
        let thinking = self.cut.without_thinking;
        blocks.retain_mut(|block| {
            if thinking && thinking::is_block(block) {
                self.lost.thinking += 1;
                return false;
            }
            if self.cut.without_tool_output && output::is_result(block) {
                self.lost.output += size(block);
                return false;
            }
            let is_known = known::is_block(text(block, "type"));
            self.lost.other += usize::from(!is_known);
            is_known
        });
    }

    /// A message of an extension, in an entry of its own or not.
    fn extension(&mut self, message: &mut Json<'_>) {
        if self.cut.drops_unknown() {
            self.lost.other += usize::from(remove(message, "details"));
        }
        let kind = text(message, "customType").to_ascii_lowercase();
        let is_hidden = message.get("display") == Some(&Json::Bool(false));
        let mut take = |count: &mut usize, bytes: bool| {
            if let Some(content) = get_mut(message, "content") {
                let lost = size(content);
                *count += if bytes { lost } else { usize::from(lost > 0) };
                *content = Json::Array(Vec::new());
            }
        };
        if self.cut.without_thinking && thinking::is_name(&kind) {
            take(&mut self.lost.thinking, false);
        }
        // What only the model was given is often what a tool had to say later.
        if self.cut.without_tool_output && (is_hidden || output::is_name(&kind)) {
            take(&mut self.lost.output, true);
        }
        if self.cut.without_system && is_hidden {
            take(&mut self.lost.system, false);
        }
        if let Some(content) = get_mut(message, "content") {
            self.content(content);
        }
    }

    fn compaction(&mut self, json: &mut Json<'_>) {
        if self.cut.without_system {
            self.lost.system += usize::from(remove(json, "systemMessage"));
        }
        // The history in a form of the provider's own, pictures of it among them.
        self.lost.other += usize::from(remove(json, "preserveData"));
        if let Some(Json::Array(messages)) = get_mut(json, "retainedTail") {
            for message in messages {
                self.message(message);
            }
        }
    }

    /// Other content for a message: an edit does not say of which role.
    fn replacement(&mut self, replacement: &mut Json<'_>) {
        if let Some(content) = get_mut(replacement, "content") {
            if self.cut.without_tool_output || self.cut.without_system {
                self.lost.other += usize::from(size(content) > 0);
                *content = Json::Array(Vec::new());
            }
            self.content(content);
        }
    }

    /// What may stand in any value.
    fn everywhere(&mut self, json: &mut Json<'_>) {
        if self.cut.without_thinking {
            thinking::prune(json, self.lost);
        }
        if self.cut.without_system {
            system::prune(json, self.lost);
        }
        if self.cut.without_images {
            pictures::prune(json, self.lost);
        }
    }
}
