//! Agents whose messages stand in `agent_progress` lines of the session that started them.
//!
//! Each such line holds one message (`data.message`) and repeats those of the turn so far in
//! `data.normalizedMessages`, which also holds texts that have no line of their own. The messages
//! become a session of the agent's, unless a file or inline lines hold it. Seen in 2.1.12, not in 2.1.197.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::format::fields::string;
use crate::format::own_folder::OwnFolder;
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;
use crate::session::text::counted;

use super::access::{is_message, owned, text};
use super::entries::File;
use super::replays::{Links, link};
use super::rows::Lines;
use super::unit::{Meta, Unit};

/// The agents that lines of the file tell the progress of, each as a session.
pub(super) fn units(file: File<'_>, results: Option<&OwnFolder>) -> Vec<Unit> {
    let mut agents: BTreeMap<&str, Agent> = BTreeMap::new();
    for (at, row) in file.lines.rows.iter().enumerate() {
        let Some(agent) = row.progress_of.as_deref().filter(|_| file.links.is_left_out(at)) else {
            continue;
        };
        let text = file.lines.text(file.source, row);
        let line: Json<'_> = serde_json::from_str(text).unwrap_or(Json::Null);
        agents.entry(agent).or_default().take(agent, row.line, &line);
    }
    let agents = agents.into_iter();
    agents.map(|(key, agent)| agent.into_unit(key.to_owned(), results)).collect()
}

/// The messages of an agent, as lines of a session of its own.
#[derive(Default)]
struct Agent {
    source: Vec<u8>,
    /// Of each line, the one in the session that it comes from.
    lines: Vec<u32>,
    seen: HashSet<String>,
    last: Option<String>,
    call: Option<String>,
}

impl Agent {
    fn take(&mut self, agent: &str, line: u32, json: &Json<'_>) {
        if self.call.is_none() {
            self.call = text(json, "parentToolUseID").map(str::to_owned);
        }
        let session = owned(json, "sessionId");
        let Some(data) = json.get("data") else { return };
        let before = data.get("normalizedMessages").map_or(&[][..], Json::items);
        for message in before.iter().chain(data.get("message")).filter(|line| is_message(line)) {
            let id = owned(message, "uuid");
            if !id.is_empty() && !self.seen.insert(id.clone()) {
                continue;
            }
            let Json::Object(mut fields) = message.clone() else { continue };
            fields.retain(|(key, _)| !matches!(key.as_ref(), "parentUuid" | "sessionId"));
            fields.push(("isSidechain".into(), Json::Bool(true)));
            fields.push(("agentId".into(), string(agent.to_owned())));
            fields.push(("sessionId".into(), string(session.clone())));
            fields.extend(self.last.take().map(|last| ("parentUuid".into(), string(last))));
            self.source.extend(Json::Object(fields).compact().into_bytes());
            self.source.push(b'\n');
            self.lines.push(line);
            self.last = Some(id).filter(|id| !id.is_empty());
        }
    }

    fn into_unit(self, key: String, results: Option<&OwnFolder>) -> Unit {
        let mut lines = Lines::read(&self.source, &ReadOptions::default());
        for row in &mut lines.rows {
            let nth = usize::try_from(row.line).unwrap_or_default().saturating_sub(1);
            row.line = self.lines.get(nth).copied().unwrap_or(row.line);
        }
        let hung = link(&lines.rows);
        let members: Vec<usize> = (0..lines.rows.len()).collect();
        let file = File { source: &self.source, lines: &lines, links: &hung };
        let mut unit = Unit::inline(file, key, &members, results);
        unit.meta = Meta { call: self.call, ..Meta::default() };
        unit
    }
}

/// Adds the agents that no file and no inline lines hold, and says what became of the others.
pub(super) fn add(agents: Vec<Unit>, units: &mut Vec<Unit>, lines: usize) {
    let mut known: HashMap<String, usize> = HashMap::new();
    for (at, unit) in units.iter().enumerate().skip(1) {
        known.insert(unit.key.clone(), at);
    }
    let mut missing = Vec::new();
    for mut agent in agents {
        let Some(&at) = known.get(&agent.key) else {
            units.push(agent);
            continue;
        };
        if units[at].is_failed() {
            let Meta { agent: kind, description, .. } = std::mem::take(&mut units[at].meta);
            agent.meta = Meta { agent: kind, description, ..agent.meta };
            units[at] = agent;
            continue;
        }
        let held = &units[at].written.ids;
        let count = agent.written.ids.keys().filter(|id| !held.contains_key(*id)).count();
        if count > 0 {
            missing.push(format!("{count} of agent {}", agent.key));
        }
    }
    let Some(main) = units.first_mut().filter(|_| lines > 0) else { return };
    let out = &mut main.written.translation;
    out.note(match lines {
        1 => "1 progress line of a sub-agent is shown in its session".to_owned(),
        lines => {
            format!("{} of sub-agents are shown in their sessions", counted(lines, "progress line"))
        }
    });
    if !missing.is_empty() {
        let missing = missing.join(", ");
        out.note(format!(
            "Messages in progress lines that are not in the sub-agents' files: {missing}"
        ));
    }
}

impl Links {
    /// Leaves out the lines that stand in sessions of agents: what hangs from one hangs from the
    /// line that it was below. One without such a line before it stays, for others to hang from.
    pub(super) fn leave_out_progress(&mut self, lines: &Lines) -> usize {
        let stand_ins: HashSet<usize> = self.stands_for.iter().flatten().copied().collect();
        let mut count = 0;
        let mut gone = vec![false; lines.rows.len()];
        for (at, row) in lines.rows.iter().enumerate() {
            let Some(up) = self.up[at] else { continue };
            let up = if gone[up] { self.standing(up) } else { up };
            let is_left_out = self.is_left_out(at) || stand_ins.contains(&at);
            if row.progress_of.is_some() && !row.is_sidechain && !is_left_out && up < at {
                self.stands_for[at] = Some(up);
                gone[at] = true;
                count += 1;
            }
        }
        for at in 0..self.up.len() {
            if let Some(up) = self.up[at].filter(|&up| gone[up]) {
                self.up[at] = Some(self.standing(up));
            }
        }
        count
    }
}
