//! An entry before it has an id and a place.
//!
//! A constructor for each type, fields kept as JSON in the order given. Ids, parents and times are the store's; which
//! fields stand first is the agent's business (`shape.rs`). So one entry can be written into a file of either agent.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::session::json::Json;

use super::StoreError;

/// An entry to append. Each constructor is a type of pi's or oh-my-pi's format; what is
/// optional is added by [`NewEntry::with`]. The store writes it as the session's agent does.
///
/// ```
/// use leafpress::store::{NewEntry, NewSession, SessionStore};
///
/// let mut store = SessionStore::in_memory(NewSession::new())?;
/// let note = NewEntry::custom("my-extension")?.with("data", &[1, 2])?;
/// let id = store.append(&note)?;
/// assert_eq!(store.leaf(), Some(id.as_str()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewEntry {
    entry_type: &'static str,
    fields: Vec<(&'static str, Box<RawValue>)>,
    /// The entry that this one is about, which must be there.
    target: Option<String>,
    /// The role of a message.
    role: Option<String>,
}

impl NewEntry {
    fn new(entry_type: &'static str) -> NewEntry {
        NewEntry { entry_type, fields: Vec::new(), target: None, role: None }
    }

    /// A message of any role that is stored, as an object with `role` and
    /// `content`; its `timestamp` is in milliseconds.
    ///
    /// # Errors
    /// [`StoreError::InvalidMessage`] for what is no object, has no role, or has a
    /// role that only exists in built contexts.
    pub fn message(message: &impl Serialize) -> Result<NewEntry, StoreError> {
        let mut entry = NewEntry::new("message").with("message", message)?;
        let raw = entry.fields.last().map(|(_, raw)| raw.get()).unwrap_or_default();
        let json: Json<'_> = serde_json::from_str(raw).map_err(StoreError::json)?;
        let invalid = |reason: String| Err(StoreError::InvalidMessage(reason));
        let Json::Object(_) = json else { return invalid("it is no object".to_owned()) };
        let role = match json.get("role").and_then(Json::as_str) {
            None | Some("") => return invalid("it has no `role`".to_owned()),
            Some(role @ ("branchSummary" | "compactionSummary")) => {
                return invalid(format!("`{role}` is made from entries and never stored"));
            }
            Some(role) => role.to_owned(),
        };
        entry.role = Some(role);
        Ok(entry)
    }

    /// Another thinking level.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn thinking_level(level: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("thinking_level_change").with("thinkingLevel", level)
    }

    /// Another model.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn model(provider: &str, model_id: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("model_change").with("provider", provider)?.with("modelId", model_id)
    }

    /// A summary in place of what lies before `first_kept_id`, or of all there is.
    /// `tokens_before` is the size of the context until then, in tokens. Optional: `details`,
    /// `usage`, `fromHook`, `systemMessage`, and for oh-my-pi `shortSummary`, `preserveData` and more.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn compaction(
        summary: &str,
        first_kept_id: Option<&str>,
        tokens_before: u64,
    ) -> Result<NewEntry, StoreError> {
        let mut entry = NewEntry::new("compaction").with("summary", summary)?;
        entry = match first_kept_id {
            Some(id) => entry.about("firstKeptEntryId", id)?,
            None => entry,
        };
        entry.with("tokensBefore", &tokens_before)
    }

    /// What happened on a branch that was left. Optional: `details`, `usage`, `fromHook`.
    pub(super) fn branch_summary(from_id: &str, summary: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("branch_summary").with("fromId", from_id)?.with("summary", summary)
    }

    /// An extension's state, which the model never sees. Optional: `data`.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn custom(custom_type: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("custom").with("customType", custom_type)
    }

    /// An extension's message, a text or a list of blocks, which the model gets.
    /// Optional: `details`.
    ///
    /// # Errors
    /// As [`NewEntry::with`].
    pub fn custom_message(
        custom_type: &str,
        content: &impl Serialize,
        display: bool,
    ) -> Result<NewEntry, StoreError> {
        NewEntry::new("custom_message")
            .with("customType", custom_type)?
            .with("content", content)?
            .with("display", &display)
    }

    /// A name for another entry; none or an empty one clears.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn label(target_id: &str, label: Option<&str>) -> Result<NewEntry, StoreError> {
        let entry = NewEntry::new("label").about("targetId", target_id)?;
        match label.filter(|label| !label.is_empty()) {
            Some(label) => entry.with("label", label),
            None => Ok(entry),
        }
    }

    /// The session's name, without blanks around it; an empty one clears it in pi.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn session_info(name: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("session_info").with("name", name.trim())
    }

    /// The agent's mode; `none` ends it. Optional: `data`.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn mode(mode: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("mode_change").with("mode", mode)
    }

    /// How a sub-agent was started. Optional: `agent`, `outputSchema` and more.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn session_init(
        system_prompt: &str,
        task: &str,
        tools: &[&str],
    ) -> Result<NewEntry, StoreError> {
        NewEntry::new("session_init")
            .with("systemPrompt", system_prompt)?
            .with("task", task)?
            .with("tools", tools)
    }

    /// Rules that were put before the model in mid-answer.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn ttsr_injection(rules: &[&str]) -> Result<NewEntry, StoreError> {
        NewEntry::new("ttsr_injection").with("injectedRules", rules)
    }

    /// What the model gets instead of an entry's message (pi): `{content}`, or nothing for `None`.
    ///
    /// # Errors
    /// As [`NewEntry::with`].
    pub fn context_edit(
        target_id: &str,
        content: Option<&impl Serialize>,
    ) -> Result<NewEntry, StoreError> {
        #[derive(Serialize)]
        struct Replacement<C> {
            content: C,
        }
        NewEntry::new("context_edit")
            .about("targetId", target_id)?
            .with("replacement", &content.map(|content| Replacement { content }))
    }

    /// Money spent outside any message (pi); `kind` says what for. Optional: `note`.
    ///
    /// # Errors
    /// As [`NewEntry::with`].
    pub fn usage(
        kind: &str,
        provider: &str,
        model: &str,
        usage: &impl Serialize,
    ) -> Result<NewEntry, StoreError> {
        NewEntry::new("usage")
            .with("kind", kind)?
            .with("provider", provider)?
            .with("model", model)?
            .with("usage", usage)
    }

    /// A title (oh-my-pi). Optional: `trigger`.
    pub(super) fn title_change(title: &str, source: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("title_change").with("title", title)?.with("source", source)
    }

    /// The model sees nothing from before it (oh-my-pi's `/clear`).
    pub fn reset_boundary() -> NewEntry {
        NewEntry::new("reset_boundary")
    }

    /// The service tier of each family of models, or none (oh-my-pi).
    ///
    /// # Errors
    /// As [`NewEntry::with`].
    pub fn service_tier(tiers: Option<&impl Serialize>) -> Result<NewEntry, StoreError> {
        NewEntry::new("service_tier_change").with("serviceTier", &tiers)
    }

    /// Which account served a provider, as a hash (oh-my-pi).
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn credential_pin(provider: &str, hash: &str) -> Result<NewEntry, StoreError> {
        NewEntry::new("credential_pin").with("provider", provider)?.with("hash", hash)
    }

    /// Money spent outside any message (oh-my-pi); `purpose` says what for.
    ///
    /// # Errors
    /// As [`NewEntry::with`].
    pub fn model_usage(
        purpose: &str,
        api: &str,
        [provider, model]: [&str; 2],
        usage: &impl Serialize,
        stop_reason: &str,
    ) -> Result<NewEntry, StoreError> {
        NewEntry::new("model_usage")
            .with("purpose", purpose)?
            .with("api", api)?
            .with("provider", provider)?
            .with("model", model)?
            .with("usage", usage)?
            .with("stopReason", stop_reason)
    }

    /// Adds a field, or replaces it.
    ///
    /// # Errors
    /// [`StoreError::Json`] for what JSON cannot hold, such as a map with keys
    /// that are no strings.
    pub fn with<V: Serialize + ?Sized>(
        mut self,
        key: &'static str,
        value: &V,
    ) -> Result<NewEntry, StoreError> {
        let mut raw = to_raw_value(value).map_err(StoreError::json)?;
        // A raw value of the caller's may hold line ends between its tokens.
        if raw.get().contains(['\n', '\r']) {
            let json: Json<'_> = serde_json::from_str(raw.get()).map_err(StoreError::json)?;
            let line = to_raw_value(&json).map_err(StoreError::json)?;
            raw = line;
        }
        self.fields.retain(|(other, _)| *other != key);
        self.fields.push((key, raw));
        Ok(self)
    }

    fn about(mut self, key: &'static str, id: &str) -> Result<NewEntry, StoreError> {
        self.target = Some(id.to_owned());
        self.with(key, id)
    }

    pub(super) fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    pub(super) fn entry_type(&self) -> &'static str {
        self.entry_type
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &RawValue)> {
        self.fields.iter().map(|(key, raw)| (*key, raw.as_ref()))
    }

    pub(super) fn field(&self, key: &str) -> Option<&RawValue> {
        self.fields().find(|(other, _)| *other == key).map(|(_, raw)| raw)
    }

    /// The text of a field.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.field(key)?.get()).ok()
    }

    /// The role of a message.
    pub(super) fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    pub(super) fn is_edit(&self) -> bool {
        self.entry_type == "context_edit"
    }

    pub(super) fn is_name(&self) -> bool {
        self.entry_type == "session_info"
    }

    pub(super) fn is_title(&self) -> bool {
        self.entry_type == "title_change"
    }

    pub(super) fn is_label(&self) -> bool {
        self.entry_type == "label"
    }
}
