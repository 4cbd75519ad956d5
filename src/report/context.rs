//! Context sent to the model.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::session::context::Facts;
use crate::session::convert::SentMessage;
use crate::session::message::Model;
use crate::session::{EntryIndex, Session};

/// The context at a leaf, as `leafpress context --json` prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContextReport {
    /// The leaf's key.
    pub leaf_id: String,
    /// The thinking level at the leaf; `off` unless something set it.
    pub thinking_level: String,
    /// The model at the leaf.
    pub model: Option<ModelReport>,
    /// The models of other roles at the leaf, such as `smol` (omp).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub role_models: BTreeMap<String, ModelReport>,
    /// The mode at the leaf, where one is on (omp).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The service tier at the leaf by family of models (omp).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub service_tier: BTreeMap<String, String>,
    /// The messages in the order the model got them.
    pub messages: Vec<MessageReport>,
}

/// A provider and one of its models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelReport {
    /// Who serves the model.
    pub provider: String,
    /// The model's id there.
    pub model_id: String,
}

/// One message of a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MessageReport {
    /// The key of the entry it comes from.
    pub entry_id: String,
    /// That entry's type.
    pub entry_type: String,
    /// The message's role.
    pub role: String,
    /// Whether the conversion for the model lets it through.
    pub sent: bool,
    /// Its text blocks by line; of a command the command, of a summary the summary.
    pub text: String,
    /// What somebody left out of it, one remark each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<String>,
}

impl ModelReport {
    fn of(model: &Model<'_>) -> ModelReport {
        ModelReport { provider: model.provider.to_string(), model_id: model.id.to_string() }
    }
}

/// Lists the context at `leaf` for people, as `leafpress context --json` does. `None` where the session has no such entry.
///
/// Each message is its text with the entry that it comes from, whether or not it is sent. This is not what a provider
/// would be sent: [`ModelContext::at`](crate::session::context::ModelContext::at) is, with calls, results and images.
///
/// ```
/// use leafpress::report;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let context = report::context(&session, session.leaf()).expect("the leaf is of this session");
/// println!("{} messages", context.messages.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn context(session: &Session, leaf: EntryIndex) -> Option<ContextReport> {
    let leaf_id = session.key(leaf)?;
    let context = Facts::read(session).context(Some(leaf));
    let messages = context.messages.iter().map(|message| MessageReport {
        entry_id: session.key_at(message.entry),
        entry_type: session.entry_type_at(message.entry).to_owned(),
        role: message.role.to_string(),
        sent: message.sent,
        text: message.read(session).as_ref().map(SentMessage::text).unwrap_or_default(),
        omitted: session.entry_at(message.entry).omitted.words(),
    });
    Some(ContextReport {
        leaf_id,
        thinking_level: context.thinking_level.to_string(),
        messages: messages.collect(),
        model: context.model.as_ref().map(ModelReport::of),
        role_models: context
            .role_models
            .iter()
            .map(|(role, model)| (role.to_string(), ModelReport::of(model)))
            .collect(),
        mode: context.mode.as_ref().map(ToString::to_string),
        service_tier: context
            .tiers
            .iter()
            .map(|(family, tier)| (family.to_string(), tier.to_string()))
            .collect(),
    })
}
