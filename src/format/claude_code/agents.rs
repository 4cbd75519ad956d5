//! The main session, and the sessions of the agents that it started.
//!
//! They stand in four places, by the program's age: inline with `isSidechain`, in the session's `agent_progress`
//! lines, as `agent-<id>.jsonl` beside the session, or in `<session>/subagents/` with a `.meta.json`. Files lie flat
//! however deep agents start each other. The places: `isSidechain` inline up to 1.0.108, `agent_progress` in 2.1.12,
//! a file beside the session in 2.0.x (claude-code-log, agentsview), `subagents/` from 2.1.x to 2.1.330.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::format::compressed::plain_name;
use crate::format::own_folder::Budget;
use crate::format::read_options::ReadOptions;
use crate::format::translation::{Spot, Translation};
use crate::session::Format;
use crate::session::text::counted;
use crate::session::usage::Usage;

use super::cost_state::CostState;
use super::entries::File;
use super::found::{Folders, Reading};
use super::progress;
use super::replays::{Links, link};
use super::row::{Row, Task};
use super::rows::Lines;
use super::unit::{COMPACTION_RUN, Unit};

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
    let results = folders.results.as_ref();
    let mut units = vec![Unit::main(file, &main, results)];
    name_continuation(&mut units[0], &lines, options);
    name_next(&mut units[0], options);
    units.extend(inline.into_iter().map(|(key, rows)| Unit::inline(file, key, &rows, results)));
    if !folders.is_empty() {
        let mut reading = Reading::new(&units, &lines, is_agents_own, budget);
        reading.read(&folders, &mut units);
    }
    if progress > 0 {
        progress::add(progress::units(file, results), &mut units, progress);
    }
    add_stated(&mut units, &lines);
    let mut family = Family { units };
    family.say_missing(options.session.is_some(), folders.refused.as_deref());
    family.link();
    family.finish()
}

/// A session that goes on from another in a new file may begin with lines of that one: its own id
/// is the file's name.
// Lines of the previous session's id at the beginning: toolpath, session-chains.md (2.1.37 to 2.1.112).
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

/// Names the sessions that it goes on in, and their files where these lie beside its own.
fn name_next(main: &mut Unit, options: &ReadOptions) {
    let out = &mut main.written.translation;
    let next = out.header().continued_in.clone();
    let beside = || options.folder().map(|folder| folder.list(".jsonl")).unwrap_or_default();
    let beside = if next.is_empty() { Vec::new() } else { beside() };
    for session in next {
        let file = format!("{session}.jsonl");
        let place = if beside.contains(&file) {
            format!(", `{file}` beside this file")
        } else {
            String::new()
        };
        out.note(format!("Continued in another session: {session}{place}"));
    }
}

/// Adds what the session states beyond its responses and those of its agents, and says which
/// responses have no number of output tokens.
fn add_stated(units: &mut [Unit], lines: &Lines) {
    let mut counted_so_far = Usage::default();
    for unit in units.iter() {
        counted_so_far += unit.written.translation.counted();
    }
    let without: usize = units.iter().map(|unit| unit.written.without_output).sum();
    let is_stated = lines.cost.is_some()
        || lines.stream.as_ref().is_some_and(|stream| stream.totals.are_stated());
    let Some(main) = units.first_mut() else { return };
    let out = &mut main.written.translation;
    if let (Some(CostState { line, model, stated }), Some(leaf)) = (&lines.cost, &main.written.leaf)
    {
        let id = Some("cost-state".to_owned());
        let spot = Spot { line: *line, id, parent_id: Some(leaf.clone()), time: None };
        if let Some(id) = out.stated(spot, model.as_deref(), *stated, counted_so_far) {
            out.leaf(id);
        }
    }
    if without > 0 && !is_stated {
        out.note(format!(
            "The output tokens of {} are unknown and not counted: the file has only their number at the start",
            counted(without, "response")
        ));
    }
}

/// The main session's rows, and those of each agent that ran inline.
fn split(rows: &[Row], links: &Links) -> (Vec<usize>, BTreeMap<String, Vec<usize>>) {
    let mut main = Vec::new();
    let mut inline: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    // Of lines without an agent's id, the first of their chain names it. 1.0.98 and 1.0.108 write no `agentId`; 2.1.x
    // does.
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
    // `toolUseResult.agentId` of the result (2.1.12 to 2.1.330), `toolUseId` of the file's .meta.json (2.1.330), and
    // for inline lines the prompt, which equals the call's `input.prompt` (1.0.108; claude-code-log,
    // dev-docs/agents.md).
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
    // Files `agent-acompact-<id>.jsonl`: agentsview and toolpath, format-changelog.md.
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
        main.map_or_else(|| Translation::new(Format::ClaudeCode), |main| main.written.translation)
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
