//! A trajectory as a session: what it says of itself, and what belongs to it.
//!
//! `about` is the root, from which the steps hang (`steps.rs`). What a trajectory says of others (embedded ones,
//! those that results name, the one that goes on) is only noted here (`Wanted`): they may lie in other files, and
//! each is read in its turn.

use std::borrow::Cow;
use std::sync::Arc;

use crate::format::document::Document;
use crate::format::entry::{self, custom};
use crate::format::fields::{ObjectFields, string};
use crate::format::own_folder::OwnFolder;
use crate::format::probe::text;
use crate::format::spans::{Span, items, members};
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::text::{counted, one_line, shortened};
use crate::session::{Damage, DamageKind, Format, Label};

use super::Embedded;
use super::beside::TrajectoryFiles;
use super::metrics::{Sums, agent_words};

/// Of the notes of a trajectory so much is shown in the head of a page, in UTF-16 units.
const NOTES_UNITS: usize = 300;

/// What a trajectory says of others.
#[derive(Default)]
pub(super) struct Wanted {
    /// Its own ids.
    pub(super) trajectory: Option<String>,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) embedded: Vec<Embedded>,
    pub(super) references: Vec<Reference>,
    /// The folder of its file.
    pub(super) folder: Option<OwnFolder>,
}

/// A trajectory that a result names, or the one that goes on.
#[derive(Default)]
pub(super) struct Reference {
    pub(super) trajectory: Option<String>,
    pub(super) path: Option<String>,
    pub(super) session: Option<String>,
    /// The entry that names it.
    pub(super) entry: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) task: Option<String>,
}

pub(super) struct TrajectoryReader {
    pub(super) out: Translation,
    damage: Vec<Damage>,
    pub(super) wanted: Wanted,
    pub(super) sums: Sums,
    /// The last entry.
    pub(super) last: Option<String>,
    pub(super) agent_model: Option<String>,
    pub(super) effort: Option<String>,
    /// Definitions of tools, for the first system message.
    pub(super) tools: Vec<Json<'static>>,
    pub(super) step_ids: std::collections::HashSet<String>,
    pub(super) copied: usize,
    pub(super) is_in_copied: bool,
    pub(super) per_token: usize,
}

impl TrajectoryReader {
    pub(super) fn new(damage: Vec<Damage>) -> TrajectoryReader {
        TrajectoryReader {
            out: Translation::new(Format::Atif),
            damage,
            wanted: Wanted::default(),
            sums: Sums::default(),
            last: None,
            agent_model: None,
            effort: None,
            tools: Vec::new(),
            step_ids: std::collections::HashSet::new(),
            copied: 0,
            is_in_copied: false,
            per_token: 0,
        }
    }

    /// Reads the object that lies there.
    pub(super) fn read(
        mut self,
        document: &str,
        span: Span,
        beside: &mut TrajectoryFiles,
    ) -> (Translation, Wanted) {
        let moved = |own: Span| Span {
            start: own.start + span.start,
            end: own.end + span.start,
            line: own.line + span.line - 1,
        };
        let members = members(&document[span.start..span.end]);
        let is_list = |span: Span| document[span.start..].starts_with('[');
        let mut about = Vec::new();
        let mut lists = Vec::new();
        for (key, own) in members {
            let own = moved(own);
            if matches!(key, "steps" | "subagent_trajectories") && is_list(own) {
                lists.push((key, own));
            } else if let Some(json) = Document::read(document, own, &mut self.damage) {
                about.push((Cow::Borrowed(key), json));
            }
        }
        let about = Json::Object(about);
        let has_steps =
            lists.iter().any(|(key, own)| *key == "steps" && !items(document, *own).is_empty());
        if has_steps {
            self.about(&about, span.line);
        }
        let mut nth = 0;
        for (key, own) in lists {
            for item in items(document, own) {
                if key == "steps" {
                    nth += 1;
                    match Document::read(document, item, &mut self.damage) {
                        Some(step @ Json::Object(_)) => self.step(item.line, nth, &step, beside),
                        Some(_) => {
                            let damage = Damage { line: item.line, kind: DamageKind::NotAnObject };
                            self.damage.push(damage);
                        }
                        None => {}
                    }
                } else {
                    self.wanted.embedded.push(Embedded {
                        text: Arc::from(&document[item.start..item.end]),
                        span: Span { start: 0, end: item.end - item.start, line: 1 },
                        lines_above: item.line - 1,
                    });
                }
            }
        }
        self.finish(&about)
    }

    /// The row of the trajectory itself, from which all steps hang.
    fn about(&mut self, about: &Json<'_>, line: u32) {
        let agent = about.get("agent");
        let own = |key: &str| text(about, key).map(str::to_owned);
        let header = self.out.header();
        header.version = 1;
        header.id = own("session_id").or_else(|| own("trajectory_id")).unwrap_or_default();
        header.agent_version = agent.and_then(|agent| text(agent, "version")).map(str::to_owned);
        self.wanted.trajectory = own("trajectory_id");
        self.wanted.session = own("session_id");
        self.wanted.agent = agent.and_then(|agent| text(agent, "name")).map(str::to_owned);
        self.out.header().agent = self.wanted.agent.clone().filter(|name| !name.trim().is_empty());
        self.agent_model = agent.and_then(|agent| text(agent, "model_name")).map(str::to_owned);
        let tools = agent.and_then(|agent| agent.get("tool_definitions"));
        let tools = tools.map(Json::items).unwrap_or_default();
        // As the API has them, or bare.
        let tool = |tool: &Json<'_>| tool.get("function").unwrap_or(tool).clone().owned();
        self.tools = tools.iter().map(tool).collect();
        if let Some(words) = agent.and_then(agent_words) {
            self.out.note(format!("Recorded by {words}"));
        }
        if let Some(notes) = text(about, "notes").map(one_line).filter(|notes| !notes.is_empty()) {
            self.out.note(format!("Notes of the trajectory: {}", shortened(&notes, NOTES_UNITS)));
        }
        let id = "trajectory".to_owned();
        self.last = Some(id.clone());
        let spot = Spot { line, id: Some(id), parent_id: None, time: None };
        self.out.push(spot, "custom", custom("trajectory", about.clone()));
    }

    pub(super) fn push(
        &mut self,
        line: u32,
        id: String,
        time: Option<i64>,
        entry_type: &str,
        fields: ObjectFields<'_>,
    ) {
        let parent_id = self.last.replace(id.clone());
        self.out.push(Spot { line, id: Some(id), parent_id, time }, entry_type, fields);
    }

    /// The first of the steps that are copies is marked.
    pub(super) fn mark_copied(&mut self, id: &str) {
        let label = Label { text: "copied from the trajectory before".to_owned(), time: None };
        self.out.label(id.to_owned(), Some(label));
    }

    fn finish(mut self, about: &Json<'_>) -> (Translation, Wanted) {
        if let Some(leaf) = self.last.clone() {
            self.out.leaf(leaf);
        }
        if let Some(metrics) = self.sums.only_final(about).filter(|_| self.last.is_some()) {
            let mut fields =
                entry::usage("final_metrics", self.agent_model.clone(), metrics.usage());
            fields.push(("note".into(), string("the steps say nothing of tokens")));
            let spot = Spot {
                line: 1,
                id: Some("final-metrics".to_owned()),
                parent_id: self.last.clone(),
                time: None,
            };
            self.out.push(spot, "usage", fields);
        }
        if let Some(words) = self.sums.differences(about) {
            self.out.note(words);
        }
        if self.copied > 0 {
            let steps = counted(self.copied, "step");
            self.out.note(format!(
                "{steps} copied from the trajectory before; their tokens are not counted"
            ));
        }
        if self.per_token > 0 {
            let fields = counted(self.per_token, "list");
            self.out.note(format!("{fields} of token ids or probabilities not shown"));
        }
        // The path of the next file (nat_atif).
        if let Some(path) = text(about, "continued_trajectory_ref").filter(|path| !path.is_empty())
        {
            self.wanted.references.push(Reference {
                path: Some(path.to_owned()),
                entry: self.last.clone(),
                task: Some(format!("Continuation in {path}")),
                ..Reference::default()
            });
        }
        Document::told(self.damage, &mut self.out);
        (self.out, self.wanted)
    }
}
