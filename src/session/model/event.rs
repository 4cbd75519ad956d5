//! Entries that tell of a change rather than say something, as omp 18.3.4
//! writes them beside those it shares with pi.

use std::borrow::Cow;

use super::message::{Model, read_model};
use super::usage::Usage;
use crate::session::texts::json::{Fields, Json};

/// A change, or a fact for the record; none of them gives the model a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `service_tier_change`: the tier by family of models, or none.
    ServiceTier(Option<Json<'a>>),
    /// `title_change`: the session's name from here on.
    Title {
        /// The new name.
        title: Cow<'a, str>,
        /// The name before.
        previous: Option<Cow<'a, str>>,
        /// `auto` or `user`.
        source: Option<Cow<'a, str>>,
    },
    /// `mode_change`; `none` ends a mode.
    Mode {
        /// The mode's name.
        mode: Cow<'a, str>,
        /// Facts of its own.
        data: Option<Json<'a>>,
    },
    /// `model_usage`: a side call, and what it cost.
    ModelUsage(ModelUsage<'a>),
    /// `ttsr_injection`: rules that were put before the model in mid-answer.
    Rules(Vec<Cow<'a, str>>),
    /// `reset_boundary` (omp) or `reset` (OpenClaw): the model sees nothing of what is above, but for what is kept.
    Reset {
        /// Why, in a word of the agent's: `manual`, `rollover`.
        reason: Option<Cow<'a, str>>,
        /// The first entry above that the model still sees.
        first_kept_id: Option<Cow<'a, str>>,
    },
    /// `session_init`: how a sub-agent was started.
    Init(Init<'a>),
    /// `archive`: an entry and all below it put away, or taken out again.
    Archive {
        /// The entry.
        target_id: Cow<'a, str>,
        /// Put away rather than taken out.
        archived: bool,
    },
    /// `credential_pin`: which provider's account is used. Its hash would link
    /// the sessions of one account and is never read.
    CredentialPin {
        /// The provider.
        provider: Cow<'a, str>,
    },
}

/// What a call of a model beside the conversation cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelUsage<'a> {
    /// What for, such as `title`.
    pub purpose: Cow<'a, str>,
    /// The role of the model, such as `tiny`.
    pub role: Option<Cow<'a, str>>,
    /// Which model.
    pub model: Option<Model<'a>>,
    /// How much.
    pub usage: Option<Usage>,
    /// The provider's words when it failed.
    pub error_message: Option<Cow<'a, str>>,
}

/// How a sub-agent was started.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Init<'a> {
    /// Its instructions; some versions keep them in parts.
    pub system_prompt: Vec<Cow<'a, str>>,
    /// What it was asked to do.
    pub task: Cow<'a, str>,
    /// The names of its tools.
    pub tools: Vec<Cow<'a, str>>,
    /// All else, such as its kind and its limits.
    pub rest: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a> Event<'a> {
    /// Reads an entry of one of these types; `None` for any other.
    pub(super) fn read(entry_type: &str, fields: &mut Fields<'a>) -> Option<Event<'a>> {
        Some(match entry_type {
            "service_tier_change" => Event::ServiceTier(fields.take("serviceTier")),
            "title_change" => Event::Title {
                title: fields.text("title").unwrap_or_default(),
                previous: fields.text("previousTitle"),
                source: fields.text("source"),
            },
            "mode_change" => Event::Mode {
                mode: fields.text("mode").unwrap_or_default(),
                data: fields.take("data"),
            },
            "model_usage" => Event::ModelUsage(ModelUsage {
                purpose: fields.text("purpose").unwrap_or_default(),
                role: fields.text("role"),
                model: read_model(fields, "model"),
                usage: Usage::take(fields),
                error_message: fields.text("errorMessage"),
            }),
            "ttsr_injection" => Event::Rules(texts(fields.array("injectedRules"))),
            // OpenClaw 2026.9.6 has a reason, and may keep a part.
            "reset_boundary" | "reset" => Event::Reset {
                reason: fields.text("reason"),
                first_kept_id: fields.text("firstKeptEntryId"),
            },
            "session_init" => Event::Init(Init::read(fields)),
            // Of omp's sources of 2026: the last one counts.
            "archive" => Event::Archive {
                target_id: fields.text("targetId").unwrap_or_default(),
                archived: fields.flag("archived"),
            },
            "credential_pin" => {
                Event::CredentialPin { provider: fields.text("provider").unwrap_or_default() }
            }
            _ => return None,
        })
    }

    /// The tier of each family; none for the default (omp 18.3.4). Old files have one word, for all
    /// families or for one.
    pub fn tiers(tier: Option<Json<'a>>) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        const FAMILIES: [&str; 3] = ["openai", "anthropic", "google"];
        let priority = |families: &[&'static str]| {
            let of = |&family| (Cow::Borrowed(family), Cow::Borrowed("priority"));
            families.iter().map(of).collect()
        };
        match tier {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Object(families)) => {
                families.into_iter().map(|(family, tier)| (family, tier.into_text())).collect()
            }
            Some(word) => match word.into_text() {
                word if word == "priority" => priority(&FAMILIES),
                word if word == "openai-only" => priority(&FAMILIES[..1]),
                word if word == "claude-only" => priority(&FAMILIES[1..2]),
                word => vec![(Cow::Borrowed("openai"), word)],
            },
        }
    }

    /// `openai:priority`; nothing for the default tier. Old files have one word for all.
    pub fn tier_words(tier: Option<&Json<'_>>) -> String {
        match tier {
            None => String::new(),
            Some(Json::Object(families)) => {
                let word = |(family, tier): &(Cow<'_, str>, Json<'_>)| {
                    format!("{family}:{}", tier.clone().into_text())
                };
                families.iter().map(word).collect::<Vec<_>>().join(", ")
            }
            Some(tier) => tier.clone().into_text().into_owned(),
        }
    }
}

impl<'a> Init<'a> {
    fn read(fields: &mut Fields<'a>) -> Init<'a> {
        let system_prompt = match fields.take("systemPrompt") {
            None => Vec::new(),
            Some(Json::Array(parts)) => texts(parts),
            Some(text) => vec![text.into_text()],
        };
        let task = fields.text("task").unwrap_or_default();
        let tools = texts(fields.array("tools"));
        for key in ["id", "parentId", "timestamp"] {
            fields.take(key);
        }
        Init { system_prompt, task, tools, rest: fields.drain() }
    }

    /// One of the further facts, where it is a text.
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.rest.iter().rev().find(|(name, _)| name == key)?.1.as_str()
    }
}

fn texts(items: Vec<Json<'_>>) -> Vec<Cow<'_, str>> {
    items.into_iter().map(Json::into_text).collect()
}
