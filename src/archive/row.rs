//! A session in the index.

use serde::{Deserialize, Serialize};

use super::manifest::UNKNOWN;
use crate::catalog::{OwnFigures, SessionFacts};
use crate::session::ending::Ending;
use crate::session::{Format, time};

/// What the index shows of a session. What is zero or empty is not written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Row {
    /// By which the word lists name it. It stays the same as long as the session is in the archive.
    pub(super) n: u32,
    pub(super) id: String,
    /// Its file in `sessions/`.
    pub(super) page: String,
    pub(super) title: String,
    /// As a person knows it.
    pub(super) agent: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) project: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) branch: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) started: Option<i64>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) latest: Option<i64>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) prompts: usize,
    /// More than one.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) branches: usize,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) subs: usize,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) files: usize,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) failures: usize,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) stops: usize,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) ended: Option<Ending>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) models: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) labels: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) tokens: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) cost: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) worked: i64,
    /// The number of the session that it goes on from.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) parent: Option<u32>,
    /// What of its figures is no copy of another session's.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) own: Option<OwnFigures>,
    /// The sessions that its page names, as a hash.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) family: String,
    /// Its file is gone.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) gone: bool,
    /// Its texts in `data/text/`.
    pub(super) text: String,
    /// The file that it was made of, as a keyed hash.
    pub(super) source: String,
    /// What that file was like, in the same way.
    pub(super) stamp: String,
    /// The place that it was found in, in the same way; empty for an agent's.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) place: String,
    /// The size of its page in bytes.
    pub(super) bytes: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Row {
    /// Of what is known of a session; the rest is filled in where it is known.
    pub(super) fn of(facts: &SessionFacts) -> Row {
        let agent = Format::from_name(&facts.agent).map(|agent| agent.to_string());
        Row {
            id: facts.id.clone(),
            title: facts.title.clone(),
            agent: agent.unwrap_or_else(|| facts.agent.clone()),
            project: facts.project.clone().unwrap_or_default(),
            branch: facts.git_branch.clone().unwrap_or_default(),
            started: facts.started,
            latest: facts.latest,
            prompts: facts.prompts,
            branches: if facts.branches > 1 { facts.branches } else { 0 },
            subs: facts.sub_sessions,
            files: facts.files.len(),
            failures: facts.failures,
            stops: facts.stops,
            ended: facts.ended,
            models: facts.models.clone(),
            tokens: facts.tokens,
            cost: facts.cost,
            worked: facts.worked,
            ..Row::default()
        }
    }

    /// The month that it is listed in, such as `2026-11`, by UTC.
    pub(super) fn month(&self) -> String {
        self.day().map_or_else(|| UNKNOWN.to_owned(), |day| day[..7].to_owned())
    }

    /// The day, such as `2026-11-03`, by UTC.
    pub(super) fn day(&self) -> Option<String> {
        let iso = self.latest.map(time::iso)?;
        // Years beyond 9999 have a sign.
        let is_usual = iso.as_bytes().first().is_some_and(u8::is_ascii_digit);
        iso.get(..10).filter(|_| is_usual).map(str::to_owned)
    }
}
