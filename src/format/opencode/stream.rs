//! What `opencode run --format json` prints: JSON lines, each a part of a response. Seen in 1.18.33: a tool part
//! comes once, when it ended; there is no prompt and no model; a stream that is stopped just ends.

use crate::format::entry::NewCompaction;
use crate::format::fields::{fields_of, string};
use crate::format::lines::{line_id, scan_json};
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::{DamageKind, time};

use super::chain::{At, Chain};
use super::response::{About, Response, error};
use super::usage::Spent;

/// The parts of one message that follow each other.
struct Gathered {
    at: At,
    parts: Vec<(u32, Json<'static>)>,
    /// OpenCode said this in the person's name.
    is_added: bool,
}

impl Gathered {
    /// The finish of its last step; `None` where that has none.
    fn finish(&self) -> Option<&str> {
        let is = |part: &Json<'_>, kind| text(part, "type") == Some(kind);
        let of_step = |part: &Json<'_>| is(part, "step-start") || is(part, "step-finish");
        let (_, last) = self.parts.iter().rev().find(|(_, part)| of_step(part))?;
        is(last, "step-finish").then(|| text(last, "reason").unwrap_or("unknown"))
    }

    fn words(&self, kind: &str) -> String {
        let of_kind = self.parts.iter().filter(|(_, part)| text(part, "type") == Some(kind));
        let words = of_kind.filter_map(|(_, part)| text(part, "text"));
        words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

/// How a step ends that an error broke off.
const BROKEN_OFF: [&str; 5] = ["content-filter", "error", "length", "other", "unknown"];

/// Words in the person's name that follow a compaction's summary.
// A compaction prints its summary as a text, and then "Continue if you have next steps" as synthetic: 1.18.33.
fn continues(part: &Json<'_>) -> bool {
    let metadata = part.get("metadata");
    metadata.and_then(|metadata| metadata.get("compaction_continue")) == Some(&Json::Bool(true))
}

struct StreamReader {
    chain: Chain,
    open: Option<Gathered>,
    has_session: bool,
}

pub(super) fn read(source: &[u8]) -> Chain {
    let mut reader = StreamReader { chain: Chain::new(), open: None, has_session: false };
    let scan = scan_json(source, |value, line| {
        if matches!(line, Json::Object(_)) {
            reader.line(value.line, value.nth, &line);
        } else {
            reader.chain.damage(value.line, DamageKind::NotAnObject);
        }
    });
    reader.write(None);
    let StreamReader { mut chain, has_session, .. } = reader;
    for damage in scan.damage {
        chain.damage(damage.line, damage.kind);
    }
    if has_session {
        let note =
            "What `opencode run` prints does not include the model and the working directory";
        chain.note(note.to_owned());
    }
    chain
}

impl StreamReader {
    fn line(&mut self, line: u32, nth: u32, json: &Json<'_>) {
        let time = json.get("timestamp").and_then(time::read);
        if let Some(session) = text(json, "sessionID").filter(|_| !self.has_session) {
            self.has_session = true;
            let header = self.chain.header();
            session.clone_into(&mut header.id);
            header.version = 1;
            header.time = time;
            self.chain.no_prompt(line);
        }
        match json.get("part").filter(|part| matches!(part, Json::Object(_))) {
            Some(part) => self.part(line, time, part),
            None => self.other(At { line, id: line_id(line, nth), time }, json),
        }
    }

    fn part(&mut self, line: u32, time: Option<i64>, part: &Json<'_>) {
        let message = text(part, "messageID").unwrap_or_default();
        if self.open.as_ref().is_none_or(|open| open.at.id != message) {
            if continues(part) {
                self.write_summary();
            }
            self.write(None);
            let at = At { line, id: message.to_owned(), time };
            let is_added = part.get("synthetic") == Some(&Json::Bool(true));
            self.open = Some(Gathered { at, parts: Vec::new(), is_added });
        }
        if let Some(open) = &mut self.open {
            open.parts.push((line, part.clone().owned()));
        }
    }

    /// An error that ended the run, or a line unknown here.
    fn other(&mut self, at: At, json: &Json<'_>) {
        let failed = error(json).filter(|_| text(json, "type") == Some("error"));
        // A response that went on or came to its end failed in nothing; the next one did.
        let is_whole =
            |open: &Gathered| open.finish().is_some_and(|finish| !BROKEN_OFF.contains(&finish));
        if failed.is_some() && self.open.as_ref().is_some_and(|open| !is_whole(open)) {
            return self.write(failed);
        }
        self.write(None);
        if failed.is_some() {
            let about = About { error: failed, ..About::of(at) };
            Response::new(&mut self.chain, about).finish();
        } else {
            let name = text(json, "type").filter(|name| !name.is_empty()).unwrap_or("line");
            self.chain.unknown(at, name, json.clone());
        }
    }

    /// The response before was a summary of the history.
    fn write_summary(&mut self) {
        let Some(open) = self.open.take_if(|open| !open.is_added) else { return };
        let steps = open.parts.iter().filter(|(_, part)| text(part, "type") == Some("step-finish"));
        let spent = steps.fold(Spent::default(), |sum, (_, part)| sum.plus(Spent::read(part)));
        let reasoning = open.words("reasoning");
        let details = fields_of([
            ("auto", Some(Json::Bool(true))),
            ("reasoning", (!reasoning.is_empty()).then(|| string(reasoning))),
        ]);
        let compaction =
            NewCompaction::new(Some(open.words("text"))).details(details).usage(spent.usage());
        self.chain.push(open.at, "compaction", compaction.fields());
    }

    fn write(&mut self, failed: Option<(String, String)>) {
        let Some(mut open) = self.open.take() else { return };
        if open.at.id.is_empty() {
            open.at.id = line_id(open.at.line, 1);
        }
        if open.is_added {
            let words = open.words("text");
            return self.chain.added(open.at, "synthetic", words);
        }
        let is_open = failed.is_none() && open.finish().is_none();
        let about = About { error: failed, is_open, ..About::of(open.at) };
        let mut response = Response::new(&mut self.chain, about);
        for (line, part) in &open.parts {
            response.part(*line, part);
        }
        response.finish();
    }
}

impl About {
    /// Of a response that says nothing of itself.
    fn of(at: At) -> About {
        About {
            at,
            provider: None,
            model: None,
            spent: Spent::default(),
            finish: None,
            error: None,
            ms: None,
            is_open: false,
        }
    }
}
