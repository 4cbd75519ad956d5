//! The main session, and the sessions of the agents that it started.
//!
//! They stand in four places, by the program's age: inline with `isSidechain`, in the session's
//! `agent_progress` lines, as `agent-<id>.jsonl` beside the session, or in
//! `<session>/subagents/` with a `.meta.json`. Files lie flat however deep agents start each
//! other.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::format::compressed::plain_name;
use crate::format::read_options::{Budget, ReadOptions};
use crate::format::translation::Translation;
use crate::session::text::counted;
use crate::session::{Child, Dialect};

use super::content::{blocks, words};
use super::cost_state;
use super::entries::{File, Started, Written, write};
use super::found::{Folders, Meta, Reading};
use super::progress;
use super::replays::{Links, link};
use super::row::{Row, Task};
use super::rows::Lines;
use super::stream::stored_form;
use super::stream_rows;

/// How the ids of agents begin that write the summary of a compaction.
const COMPACTION_RUN: &str = "acompact-";

/// The main session with its children, yet to be finished over the source.
pub(super) fn translate(source: &[u8], options: &ReadOptions, budget: Budget) -> Translation {
    let lines = Lines::read(source, options);
    let mut hung = link(&lines.rows);
    let progress = hung.leave_out_progress(&lines);
    let folders = Folders::of(options);
    let is_agents_own = lines.rows.iter().all(|row| row.is_sidechain || row.fate.is_some());
    let (main, inline) = if is_agents_own {
        ((0..lines.rows.len()).collect(), BTreeMap::new())
    } else {
        split(&lines.rows, &hung)
    };
    let file = File { source, lines: &lines, links: &hung };
    let mut units = vec![Unit::main(file, &main, &folders)];
    name_continuation(&mut units[0], &lines, options);
    units.extend(inline.into_iter().map(|(key, rows)| Unit::inline(file, key, &rows, &folders)));
    if !folders.is_empty() {
        let mut reading = Reading::new(&units, &lines, is_agents_own, budget);
        reading.read(&folders, &mut units);
    }
    if progress > 0 {
        progress::add(progress::units(file, &folders), &mut units, progress);
    }
    cost_state::add(&mut units, &lines);
    let mut family = Family { units };
    family.say_missing(options.session.is_some(), folders.refused.as_deref());
    family.link();
    family.finish()
}

/// A session that goes on from another in a new file may begin with lines of that one: its own id
/// is the file's name.
fn name_continuation(main: &mut Unit, lines: &Lines, options: &ReadOptions) {
    let name = options.session.as_deref().and_then(|path| path.file_name()?.to_str());
    let Some(own) = name.map(plain_name).and_then(|name| name.strip_suffix(".jsonl")) else {
        return;
    };
    let Some(first) = lines.session_id.as_deref().filter(|first| *first != own) else { return };
    if lines.session_ids.contains(own) {
        let out = &mut main.written.translation;
        own.clone_into(&mut out.header().id);
        out.header().parent_session.get_or_insert_with(|| first.to_owned());
        out.note(format!("The session continues session {first} and begins with its lines"));
    }
}

/// A session on its way: the first is the main one.
pub(super) struct Unit {
    pub(super) key: String,
    pub(super) written: Written,
    source: Vec<u8>,
    /// What its first prompt says.
    prompt: Option<String>,
    /// When its last line was written.
    ended: Option<i64>,
    pub(super) meta: Meta,
    /// Why there is none to show.
    failed: Option<String>,
    parent: Option<usize>,
    started_by: Option<String>,
    task: Option<Task>,
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

    fn main(file: File<'_>, members: &[usize], folders: &Folders) -> Unit {
        let mut unit = Unit::of(String::new(), write(file, members, folders.results.as_ref()));
        about(&mut unit.written, file, members);
        unit
    }

    /// Lines within the main file; its source lies there.
    pub(super) fn inline(
        file: File<'_>,
        key: String,
        members: &[usize],
        folders: &Folders,
    ) -> Unit {
        let mut unit = Unit::of(key, write(file, members, folders.results.as_ref()));
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

    pub(super) fn file(key: String, source: Vec<u8>, folders: &Folders) -> Unit {
        let lines = Lines::read(&source, &ReadOptions::default());
        let hung = link(&lines.rows);
        let members: Vec<usize> = (0..lines.rows.len()).collect();
        let file = File { source: &source, lines: &lines, links: &hung };
        let mut unit = Unit::main(file, &members, folders);
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
            translation: Translation::new(Dialect::ClaudeCode),
            started: Started::default(),
            ids: HashMap::new(),
            leaf: None,
            without_output: 0,
        };
        Unit { failed: Some(reason), ..Unit::of(key, nothing) }
    }
}

/// Header, title, damage, and what else the file holds.
fn about(written: &mut Written, file: File<'_>, members: &[usize]) {
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
    header.time = members.iter().find_map(|&at| lines.rows[at].time);
    header.title = title;
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

/// The main session's rows, and those of each agent that ran inline.
fn split(rows: &[Row], links: &Links) -> (Vec<usize>, BTreeMap<String, Vec<usize>>) {
    let mut main = Vec::new();
    let mut inline: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    // Of lines without an agent's id, the first of their chain names it.
    let mut chain: Vec<usize> = (0..rows.len()).collect();
    let mut above: Option<usize> = None;
    for (at, row) in rows.iter().enumerate() {
        if !row.is_sidechain {
            main.push(at);
            continue;
        }
        let up = links.stands_for[at].or(links.up[at]);
        if let Some(up) = up.filter(|&up| up < at && rows[up].is_sidechain) {
            chain[at] = chain[up];
        } else if row.parent.is_some() && links.up[at].is_none() && !row.kind.is_typed() {
            // Its parent was lost, and only a prompt begins the work of another agent.
            chain[at] = above.map_or(at, |above| chain[above]);
        }
        above = Some(at);
        let key = row.agent.as_ref().unwrap_or(&rows[chain[at]].id);
        inline.entry(key.clone()).or_default().push(at);
    }
    (main, inline)
}

fn first_prompt(file: File<'_>, members: &[usize]) -> Option<String> {
    let first = members.iter().find(|&&at| file.lines.rows[at].kind.is_typed())?;
    let line = file.lines.text(file.source, &file.lines.rows[*first]);
    let (line, _) = stored_form(serde_json::from_str(line).ok()?);
    let content = line.get("message")?.get("content")?.clone();
    Some(words(&blocks(Some(content))).trim().to_owned())
}

/// The main session with all that descend from it.
struct Family {
    units: Vec<Unit>,
}

impl Family {
    /// Agents whose results are there and whose sessions are not.
    fn say_missing(&mut self, has_place: bool, refused: Option<&str>) {
        let known: HashSet<&str> = self.units.iter().map(|unit| unit.key.as_str()).collect();
        let named = self.units.iter().flat_map(|unit| unit.written.started.by_agent.keys());
        let missing: HashSet<&String> = named.filter(|id| !known.contains(id.as_str())).collect();
        let mut missing: Vec<String> = missing.into_iter().cloned().collect();
        missing.sort();
        let reason = match refused {
            Some(refused) => refused,
            None if has_place => "its file is not beside the session",
            None => "the session came without a place, so its file was not looked for",
        };
        self.units.extend(missing.into_iter().map(|id| Unit::failed(id, reason.to_owned())));
    }

    /// Finds for each agent who started it: the result that names it, the call
    /// that its file names, else the call that asked in its own words.
    fn link(&mut self) {
        let mut by_agent: HashMap<&str, (usize, &str, Option<&str>)> = HashMap::new();
        let mut by_call: HashMap<&str, (usize, &str)> = HashMap::new();
        let mut tasks: HashMap<&str, &Task> = HashMap::new();
        let mut by_prompt: HashMap<&str, Vec<&str>> = HashMap::new();
        for (at, unit) in self.units.iter().enumerate() {
            let started = &unit.written.started;
            for (agent, (entry, call)) in &started.by_agent {
                by_agent.entry(agent).or_insert((at, entry, call.as_deref()));
            }
            for (call, entry) in &started.by_call {
                by_call.entry(call).or_insert((at, entry));
            }
        }
        // From the back, so that the first call of the main session is taken first.
        for unit in self.units.iter().rev() {
            for (call, task) in unit.written.started.tasks.iter().rev() {
                tasks.insert(call, task);
                by_prompt.entry(task.prompt.trim()).or_default().push(call);
            }
        }
        let mut found = Vec::with_capacity(self.units.len());
        let mut used: HashSet<&str> = HashSet::new();
        let by_name = |unit: &Unit| {
            let told = by_agent.get(unit.key.as_str()).map(|&(at, entry, call)| (at, entry, call));
            told.or_else(|| {
                let (&call, &(at, entry)) = by_call.get_key_value(unit.meta.call.as_deref()?)?;
                Some((at, entry, Some(call)))
            })
        };
        used.extend(self.units.iter().skip(1).filter_map(|unit| by_name(unit)?.2));
        for unit in self.units.iter().skip(1) {
            let by_words = || {
                let calls = by_prompt.get_mut(unit.prompt.as_deref()?)?;
                while let Some(call) = calls.pop() {
                    if used.insert(call) {
                        let &(at, entry) = by_call.get(call)?;
                        return Some((at, entry, Some(call)));
                    }
                }
                None
            };
            let place = by_name(unit).or_else(by_words).or_else(|| self.compaction_of(unit));
            found.push(place.map(|(at, entry, call)| {
                let task = call.and_then(|call| tasks.get(call)).map(|&task| task.clone());
                (at, entry.to_owned(), task)
            }));
        }
        for (unit, place) in self.units.iter_mut().skip(1).zip(found) {
            if let Some((parent, entry, task)) = place {
                (unit.parent, unit.started_by, unit.task) = (Some(parent), Some(entry), task);
            }
        }
        self.cut_circles();
    }

    /// The compaction whose summary an agent wrote: the first one after its work.
    fn compaction_of(&self, unit: &Unit) -> Option<(usize, &str, Option<&str>)> {
        // The lines of one moment may be written in any order.
        const TOLERANCE_MS: i64 = 1000;
        let compactions = &self.units[0].written.started.compactions;
        let ended = unit.ended.filter(|_| unit.key.starts_with(COMPACTION_RUN))?;
        let follows = |time: &Option<i64>| {
            time.is_some_and(|time| time.saturating_add(TOLERANCE_MS) >= ended)
        };
        let found = compactions.iter().find(|(_, time)| follows(time));
        found.map(|(entry, _)| (0, entry.as_str(), None))
    }

    /// Agents that started each other, or themselves, hang from the root.
    fn cut_circles(&mut self) {
        let mut seen_in = vec![usize::MAX; self.units.len()];
        seen_in[0] = 0;
        for start in 1..self.units.len() {
            let mut unit = start;
            while seen_in[unit] == usize::MAX {
                seen_in[unit] = start;
                match self.units[unit].parent {
                    Some(parent) => unit = parent,
                    None => break,
                }
            }
            if unit != 0 && seen_in[unit] == start && self.units[unit].parent.is_some() {
                self.units[unit].parent = None;
                self.units[unit].started_by = None;
                let note = format!(
                    "The agents' files name each other as their starters at {}",
                    self.units[unit].key
                );
                self.units[0].written.translation.note(note);
            }
        }
    }

    /// Hands each child to its parent, the deepest first.
    fn finish(mut self) -> Translation {
        let unlinked = self.units.iter().skip(1).filter(|unit| unit.parent.is_none()).count();
        if unlinked > 0 {
            let agents =
                if unlinked == 1 { "1 agent".to_owned() } else { format!("{unlinked} agents") };
            let note =
                format!("Nothing in the session says who started {agents}; shown at its root");
            self.units[0].written.translation.note(note);
        }
        let mut order: Vec<usize> = (1..self.units.len()).collect();
        let depths = self.depths();
        order.sort_by_key(|&unit| std::cmp::Reverse(depths[unit]));
        let parents: Vec<usize> = self.units.iter().map(|unit| unit.parent.unwrap_or(0)).collect();
        let mut units: Vec<Option<Unit>> = self.units.into_iter().map(Some).collect();
        for at in order {
            let child = units[at].take().map(Unit::into_child);
            if let (Some(child), Some(parent)) = (child, &mut units[parents[at]]) {
                parent.written.translation.child(child);
            }
        }
        let main = units.into_iter().next().flatten();
        main.map_or_else(|| Translation::new(Dialect::ClaudeCode), |main| main.written.translation)
    }

    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.units.len()];
        for start in 1..self.units.len() {
            let mut way = Vec::new();
            let mut unit = start;
            while unit != 0 && depths[unit] == 0 {
                way.push(unit);
                unit = self.units[unit].parent.unwrap_or(0);
            }
            let mut depth = depths[unit];
            for unit in way.into_iter().rev() {
                depth += 1;
                depths[unit] = depth;
            }
        }
        depths
    }
}

impl Unit {
    fn into_child(self) -> Child {
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
