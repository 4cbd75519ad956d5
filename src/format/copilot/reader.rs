//! The second pass: what happened, for each agent as a chain of entries.
//!
//! Events of all agents stand in one file, in the order of time; each goes to the unit of its agent and becomes an
//! entry there, by its type (`value`). What says only that something began, or what another event says whole, is
//! counted. What is not known has a row, marked as such where even its group is new.

use std::collections::{BTreeMap, HashMap};

use crate::format::blocks::{text_block, thinking};
use crate::format::entry::{self, custom};
use crate::format::fields::fields_of;
use crate::format::lines::Value;
use crate::format::message::NewMessage;
use crate::format::translation::Translation;
use crate::session::json::Json;
use crate::session::message::UNFINISHED;
use crate::session::text::counted;
use crate::session::{Damage, DamageKind};

use super::agents;
use super::event::{Event, says};
use super::first_pass::FirstPass;
use super::unit::Unit;

/// Events that say when something began or ended, or what another event says too.
const NOISE: [&str; 4] =
    ["assistant.turn_start", "assistant.turn_end", "session.compaction_start", "hook.end"];

/// What the types of events begin with; other groups are of later versions.
const GROUPS: [&str; 11] = [
    "session",
    "user",
    "assistant",
    "tool",
    "subagent",
    "skill",
    "hook",
    "permission",
    "system",
    "model",
    "result",
];

/// Events whose words, where they have some, other events say, or are given to the model and not said.
// 1.0.68 to 1.0.102.
const STATE: [&str; 17] = [
    "assistant.turn_retry",
    "hook.end",
    "model.call_failure",
    "model.message",
    "model.messages_snapshot",
    "model.model_call_started",
    "model.model_call_success",
    "model.response",
    "model.turn_ended",
    "model.turn_started",
    "permission.completed",
    "result",
    "session.resume",
    "session.skills_loaded",
    "session.tools_updated",
    "skill.invoked",
    "subagent.completed",
];

/// Events of a run's output that say how far it is, or a part of what a later event says whole.
// Ephemeral events of `copilot -p --output-format json`: 1.0.102.
const PASSING: [&str; 17] = [
    "agent.interrupted",
    "assistant.idle",
    "assistant.message_delta",
    "assistant.message_start",
    "assistant.reasoning_delta",
    "assistant.tool_call_delta",
    "model.call_final_result",
    "model.call_finished",
    "model.call_start",
    "session.background_tasks_changed",
    "session.mcp_servers_loaded",
    "session.skills_loaded",
    "session.todos_changed",
    "session.tools_updated",
    "tool.execution_partial_result",
    "tool.execution_progress",
    "tool.shell_output",
];

pub(super) struct CopilotReader {
    pub(super) known: FirstPass,
    /// The main agent's session, and behind it those of the sub-agents.
    pub(super) units: Vec<Unit>,
    /// Their places by the calls that started them.
    pub(super) numbers: HashMap<String, usize>,
    pub(super) has_start: bool,
    /// Events without entries, counted by type.
    pub(super) aside: BTreeMap<String, usize>,
    /// Prompts to which the program added something.
    pub(super) added_to: usize,
    /// Results with a longer form for the screen.
    pub(super) longer: usize,
}

impl CopilotReader {
    pub(super) fn new(known: FirstPass) -> CopilotReader {
        CopilotReader {
            known,
            units: vec![Unit::new(String::new())],
            numbers: HashMap::new(),
            has_start: false,
            aside: BTreeMap::new(),
            added_to: 0,
            longer: 0,
        }
    }

    pub(super) fn damaged(&mut self, damage: &[Damage]) {
        for damage in damage {
            self.units[0].out.damage(damage.line, damage.kind);
        }
    }

    pub(super) fn value(&mut self, value: &Value<'_>, json: Json<'_>) {
        let Some(event) = Event::read(value, json) else {
            return self.units[0].out.damage(value.line, DamageKind::NotAnObject);
        };
        let unit = self.unit_of(&event);
        match event.kind() {
            "session.start" => self.start(unit, &event),
            "session.model_change" => self.model(unit, &event),
            "session.mode_changed" => {
                let mode = event.data().get("newMode").cloned();
                self.units[unit].push(&event, "mode_change", fields_of([("mode", mode)]));
            }
            "session.title_changed" if event.text("title").is_some() => {
                let name = event.data().get("title").cloned();
                self.units[unit].push(&event, "session_info", fields_of([("name", name)]));
            }
            "session.error" => self.failed(unit, &event, "message"),
            "subagent.started" => self.agent_started(unit, &event),
            "subagent.failed" => self.failed(unit, &event, "error"),
            "session.compaction_complete" => self.compaction(unit, &event),
            "session.shutdown" => self.shutdown(unit, &event),
            "session.usage_record" => self.request(unit, &event),
            "session.binary_asset" => self.asset(unit, &event),
            "user.message" => self.prompt(unit, &event),
            "assistant.message" => self.response(unit, &event),
            "assistant.reasoning" => self.reasoning(unit, &event),
            "tool.user_requested" => self.asked_by_person(unit, &event),
            "tool.execution_start" => self.started(unit, &event),
            "tool.execution_complete" => self.result(unit, &event),
            "system.message" => self.system(unit, &event),
            "system.notification" => self.notification(unit, &event),
            "abort" => self.aborted(unit, &event),
            "hook.start" => self.hook(unit, &event),
            "hook.end"
                if event.data().get("success") == Some(&Json::Bool(false))
                    || says(&event, "output")
                    || says(&event, "error") =>
            {
                self.custom(unit, &event);
            }
            "permission.requested" => self.asked(unit, &event),
            "assistant.message_delta" | "assistant.reasoning_delta"
                if self.partial(unit, &event) => {}
            // Said as it happens in the output of a run; other events say it as it was.
            kind if event.is_ephemeral() && PASSING.contains(&kind) => self.count(kind),
            kind if NOISE.contains(&kind) => self.count(kind),
            kind => {
                if STATE.contains(&kind) {
                    return self.custom(unit, &event);
                }
                let name = if kind.is_empty() { "event" } else { kind };
                let (entry_type, fields) = entry::unknown(name, event.whole().clone());
                self.units[unit].push(&event, entry_type, fields);
                let group = kind.split_once('.').map_or(kind, |(group, _)| group);
                if !GROUPS.contains(&group) {
                    self.units[unit].out.last_is_not_understood();
                }
            }
        }
    }

    /// Whose event it is.
    fn unit_of(&mut self, event: &Event<'_>) -> usize {
        let Some(agent) = self.known.agent_of(event) else { return 0 };
        if let Some(&number) = self.numbers.get(agent) {
            return number;
        }
        self.units.push(Unit::new(agent.to_owned()));
        self.numbers.insert(agent.to_owned(), self.units.len() - 1);
        self.units.len() - 1
    }

    pub(super) fn count(&mut self, kind: &str) {
        *self.aside.entry(kind.to_owned()).or_default() += 1;
    }

    pub(super) fn custom(&mut self, unit: usize, event: &Event<'_>) {
        let kind = if event.kind().is_empty() { "event" } else { event.kind() };
        let fields = custom(kind.to_owned(), event.whole().clone());
        self.units[unit].push(event, "custom", fields);
    }

    pub(super) fn finish(mut self) -> Translation {
        for unit in 0..self.units.len() {
            self.flush(unit);
        }
        let out = &mut self.units[0].out;
        out.not_shown(&self.aside);
        if self.known.shutdowns.len() > 1 {
            out.note(
                "A shutdown counts fewer tokens than the one before it. Both are added".to_owned(),
            );
        }
        if self.known.counts_less {
            out.note("The last shutdown counts fewer tokens than the responses wrote. The tokens read before it are not in the file".to_owned());
        }
        if self.added_to > 0 {
            let prompts = counted(self.added_to, "prompt");
            out.note(format!(
                "Copilot added the date or reminders to {prompts} before sending. The page does not show these additions"
            ));
        }
        if self.longer > 0 {
            let results = counted(self.longer, "tool result");
            out.note(format!(
                "{results} with a longer form for the terminal (`detailedContent`). The page shows what the model got"
            ));
        }
        agents::joined(self.units, &self.known)
    }
}

impl CopilotReader {
    /// A part: where it begins what no event has whole, all of that. Says whether it does.
    pub(super) fn partial(&mut self, unit: usize, event: &Event<'_>) -> bool {
        let Some((said, has_ended)) = self.known.partials.take(event.key) else {
            return false;
        };
        if event.kind() == "assistant.reasoning_delta" {
            if self.known.is_told(&said) {
                return false;
            }
            let unit = &mut self.units[unit];
            unit.reasoning.push(thinking(said));
            unit.reasoning_ids.push((unit.id_of(event), event.key.0, event.time));
            return true;
        }
        let unit = &mut self.units[unit];
        let mut content = std::mem::take(&mut unit.reasoning);
        content.push(text_block(said));
        let ids = std::mem::take(&mut unit.reasoning_ids);
        let message = NewMessage::assistant(content)
            .model(unit.model.clone())
            .stop_reason(Some(if has_ended { "stop" } else { UNFINISHED }));
        let id = unit.message(event, message.json());
        for (alias, ..) in ids {
            unit.out.alias(alias, id.clone());
        }
        true
    }
}
