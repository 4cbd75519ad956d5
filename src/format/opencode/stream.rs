//! What `opencode run --format json` prints: JSON lines, each a part of a response.

use crate::format::lines::{line_id, scan};
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
}

struct StreamReader {
    chain: Chain,
    open: Option<Gathered>,
    has_session: bool,
}

pub(super) fn read(source: &[u8]) -> Chain {
    let mut reader = StreamReader { chain: Chain::new(), open: None, has_session: false };
    let scan = scan(source, |value| {
        let line: Json<'_> = serde_json::from_str(value.text).unwrap_or(Json::Null);
        if matches!(line, Json::Object(_)) {
            reader.line(value.line, value.nth, &line);
        } else {
            reader.chain.damage(value.line, DamageKind::NotAnObject);
        }
    });
    reader.write();
    let StreamReader { mut chain, has_session, .. } = reader;
    for damage in scan.damage {
        chain.damage(damage.line, damage.kind);
    }
    if has_session {
        let note = "What `opencode run` prints does not include the prompt, the model and the working directory";
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
        }
        match json.get("part").filter(|part| matches!(part, Json::Object(_))) {
            Some(part) => self.part(line, time, part),
            None => self.other(At { line, id: line_id(line, nth), time }, json),
        }
    }

    fn part(&mut self, line: u32, time: Option<i64>, part: &Json<'_>) {
        let message = text(part, "messageID").unwrap_or_default();
        if self.open.as_ref().is_none_or(|open| open.at.id != message) {
            self.write();
            let at = At { line, id: message.to_owned(), time };
            self.open = Some(Gathered { at, parts: Vec::new() });
        }
        if let Some(open) = &mut self.open {
            open.parts.push((line, part.clone().owned()));
        }
    }

    /// An error that ended the run, or a line unknown here.
    fn other(&mut self, at: At, json: &Json<'_>) {
        self.write();
        if let Some(failed) = error(json).filter(|_| text(json, "type") == Some("error")) {
            let about = About { error: Some(failed), ..About::of(at) };
            Response::new(&mut self.chain, about).finish();
        } else {
            let name = text(json, "type").filter(|name| !name.is_empty()).unwrap_or("line");
            self.chain.unknown(at, name, json.clone());
        }
    }

    fn write(&mut self) {
        let Some(Gathered { mut at, parts }) = self.open.take() else { return };
        if at.id.is_empty() {
            at.id = line_id(at.line, 1);
        }
        let mut response = Response::new(&mut self.chain, About::of(at));
        for (line, part) in &parts {
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
        }
    }
}
