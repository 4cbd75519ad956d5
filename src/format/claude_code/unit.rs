//! A session of the file on its way: the main one, or one of an agent.
//!
//! Lines of several sessions stand in one file or in files beside it. Each becomes a unit first, whether or not it
//! can be tied to a call; `into_child` comes last, when it is known which unit started which.

use std::collections::HashMap;

use crate::format::own_folder::OwnFolder;
use crate::format::read_options::ReadOptions;
use crate::format::translation::Translation;
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::{Child, Format};

use super::access::text;
use super::content::{blocks, words};
use super::entries::{File, Started, Written, write};
use super::replays::link;
use super::row::Task;
use super::rows::Lines;
use super::stream::stored_form;
use super::stream_rows;

/// How the ids of agents begin that write the summary of a compaction.
pub(super) const COMPACTION_RUN: &str = "acompact-";

/// What `agent-<id>.meta.json` says.
// {agentType, description, toolUseId, spawnDepth, model}: 2.1.330.
#[derive(Debug, Default)]
pub(super) struct Meta {
    pub(super) agent: Option<String>,
    pub(super) call: Option<String>,
    pub(super) description: Option<String>,
}

impl Meta {
    pub(super) fn read(bytes: &[u8]) -> Meta {
        let json = serde_json::from_slice(bytes).unwrap_or(Json::Null);
        let named = |key| text(&json, key).map(str::to_owned);
        Meta {
            agent: named("agentType"),
            call: named("toolUseId"),
            description: named("description"),
        }
    }
}

/// A session on its way: the first is the main one.
pub(super) struct Unit {
    pub(super) key: String,
    pub(super) written: Written,
    pub(super) source: Vec<u8>,
    /// What its first prompt says.
    pub(super) prompt: Option<String>,
    /// When its last line was written.
    pub(super) ended: Option<i64>,
    pub(super) meta: Meta,
    /// Why there is none to show.
    pub(super) failed: Option<String>,
    pub(super) parent: Option<usize>,
    pub(super) started_by: Option<String>,
    pub(super) task: Option<Task>,
}

impl Unit {
    fn of(key: String, written: Written) -> Unit {
        Unit {
            key,
            written,
            source: Vec::new(),
            prompt: None,
            ended: None,
            meta: Meta::default(),
            failed: None,
            parent: None,
            started_by: None,
            task: None,
        }
    }

    pub(super) fn main(file: File<'_>, members: &[usize], results: Option<&OwnFolder>) -> Unit {
        let mut unit = Unit::of(String::new(), write(file, members, results));
        about(&mut unit.written, file);
        unit
    }

    /// Lines within the main file; its source lies there.
    pub(super) fn inline(
        file: File<'_>,
        key: String,
        members: &[usize],
        results: Option<&OwnFolder>,
    ) -> Unit {
        let mut unit = Unit::of(key, write(file, members, results));
        unit.prompt = first_prompt(file, members);
        if let Some(call) = stream_rows::call_of(&file.lines.rows, members) {
            let task = file.lines.stream.as_ref().and_then(|stream| stream.task_of(&unit.key));
            unit.meta = Meta {
                call: Some(call),
                agent: task.and_then(|task| task.kind.clone()),
                description: task.and_then(|task| task.description.clone()),
            };
        }
        let header = unit.written.translation.header();
        header.id.clone_from(&unit.key);
        header.version = 1;
        unit
    }

    pub(super) fn file(key: String, source: Vec<u8>, results: Option<&OwnFolder>) -> Unit {
        let lines = Lines::read(&source, &ReadOptions::default());
        let hung = link(&lines.rows);
        let members: Vec<usize> = (0..lines.rows.len()).collect();
        let file = File { source: &source, lines: &lines, links: &hung };
        let mut unit = Unit::main(file, &members, results);
        unit.prompt = first_prompt(file, &members);
        unit.ended = lines.rows.iter().rev().find_map(|row| row.time);
        unit.written.translation.header().id.clone_from(&key);
        unit.key = key;
        unit.source = source;
        unit
    }

    pub(super) fn is_failed(&self) -> bool {
        self.failed.is_some()
    }

    pub(super) fn failed(key: String, reason: String) -> Unit {
        let nothing = Written {
            translation: Translation::new(Format::ClaudeCode),
            started: Started::default(),
            ids: HashMap::new(),
            leaf: None,
            without_output: 0,
        };
        Unit { failed: Some(reason), ..Unit::of(key, nothing) }
    }
}

/// Header, title, damage, and what else the file holds.
fn about(written: &mut Written, file: File<'_>) {
    let lines = file.lines;
    let title = lines.titles.best(|leaf| written.ids.contains_key(leaf));
    let out = &mut written.translation;
    let header = out.header();
    header.id = lines.session_id.clone().unwrap_or_default();
    header.version = 1;
    header.cwd = lines.cwd.clone().unwrap_or_default();
    header.agent_version.clone_from(&lines.version);
    header.git_branch.clone_from(&lines.git_branch);
    let requests = lines.pull_requests.iter();
    header.pull_requests = requests.map(|(address, line)| (*line, address.clone())).collect();
    header.costs.clone_from(&lines.costs);
    header.time = lines.begun;
    header.title = title;
    header.continued_in = lines.facts.continued_in();
    header.parent_session = lines.facts.parent_session().map(str::to_owned);
    for damage in lines.damage.iter().chain(&file.links.damage) {
        out.damage(damage.line, damage.kind);
    }
    for note in lines.facts.notes() {
        out.note(note);
    }
    match file.links.replayed {
        0 => {}
        1 => out.note("1 line is a copy of an earlier one and is not repeated".to_owned()),
        number => out.note(format!(
            "{} are copies of earlier ones and are not repeated",
            counted(number, "line")
        )),
    }
    out.not_shown(&lines.aside);
}

fn first_prompt(file: File<'_>, members: &[usize]) -> Option<String> {
    let first = members.iter().find(|&&at| file.lines.rows[at].kind.is_typed())?;
    let line = file.lines.text(file.source, &file.lines.rows[*first]);
    let (line, _) = stored_form(serde_json::from_str(line).ok()?);
    let content = line.get("message")?.get("content")?.clone();
    Some(words(&blocks(Some(content))).trim().to_owned())
}

impl Unit {
    pub(super) fn into_child(self) -> Child {
        let task = self.task;
        let is_compaction = self.key.starts_with(COMPACTION_RUN);
        let kind = is_compaction.then(|| "compaction".to_owned());
        let asked = task.as_ref().and_then(|task| task.description.clone());
        Child {
            key: self.key,
            agent: self.meta.agent.or_else(|| task.and_then(|task| task.agent)).or(kind),
            task: self.meta.description.or(asked).or(self.prompt.map(|prompt| first_line(&prompt))),
            started_by: self.started_by,
            session: match self.failed {
                Some(reason) => Err(reason),
                None => match self.written.translation.finish(self.source) {
                    Ok(session) => Ok(Box::new(session)),
                    Err(error) => Err(error.to_string()),
                },
            },
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
