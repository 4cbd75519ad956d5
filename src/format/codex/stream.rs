//! The output of `codex exec --json`: rows without times, of a run whose prompt, model and cost are
//! not in it. Each item has an id and comes once or several times: when it starts, and when it ended. Seen in
//! 0.169.0.

use std::collections::HashMap;

use crate::format::ReadError;
use crate::format::entry;
use crate::format::lines::{Value, line_id, scan_json};
use crate::format::message::NewMessage;
use crate::format::probe::{Probe, text};
use crate::format::read_options::ReadOptions;
use crate::format::run::{Ended, NO_PROMPT_ID, RunEnd};
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::notice;
use crate::session::usage::Usage;
use crate::session::{DamageKind, Format, Session};

use super::stream_items::{Item, State, has_ended, text_blocks};

/// What Codex says while it tries again.
// `error` {message: "Reconnecting... 1/3 (…)"}: 0.169.0.
const RETRY: &str = "Reconnecting... ";

/// Whether a row is one of such a stream.
pub(super) fn is_row(row: &Json<'_>) -> bool {
    match text(row, "type") {
        Some("thread.started") => text(row, "thread_id").is_some(),
        Some("item.started" | "item.updated" | "item.completed") => {
            row.get("item").is_some_and(|item| text(item, "id").is_some())
        }
        Some("turn.completed") => row.get("usage").is_some(),
        Some("turn.failed") => row.get("error").is_some(),
        Some("turn.started") => row.get("payload").is_none(),
        _ => false,
    }
}

/// Whether the file is such a stream.
pub(super) fn is_stream(probe: &Probe<'_>) -> bool {
    probe.any(is_row) || probe.whole.as_ref().is_some_and(is_row)
}

pub(super) fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut last = HashMap::new();
    let mut run = 0;
    scan_json(&source, |value, row| {
        run += u32::from(text(&row, "type") == Some("turn.started"));
        if let Some(id) = row.get("item").and_then(|item| text(item, "id")) {
            last.insert((run, id.to_owned()), (value.line, value.nth));
        }
    });
    let mut reader = StreamReader::new(last);
    let scan = options.scan_json(&source, |value, row| reader.value(&value, &row));
    for damage in &scan.damage {
        reader.out.damage(damage.line, damage.kind);
    }
    reader.finish().finish(source)
}

/// A row of an item: of which run it is, and its item's id. Ids begin again in each run.
// Ids begin at item_0 in each run: 0.169.0.
type ItemKey = (u32, String);

struct StreamReader {
    out: Translation,
    /// The last row of each item.
    last_rows: HashMap<ItemKey, (u32, u32)>,
    run: u32,
    last: Option<String>,
    /// The response that is being put together, and where it begins.
    answer: Vec<Json<'static>>,
    answer_at: Option<At>,
    /// Calls that were shown when they started.
    started: HashMap<ItemKey, String>,
    thread: Option<String>,
    /// What each thread took until now.
    totals: HashMap<String, Usage>,
    /// An error that may be why the turn failed, which the next row says.
    error: Option<(At, String)>,
    /// The turn that goes on.
    open: Option<At>,
}

#[derive(Clone, Copy)]
struct At {
    line: u32,
    nth: u32,
}

impl At {
    fn id(self) -> String {
        line_id(self.line, self.nth)
    }
}

impl StreamReader {
    fn new(last_rows: HashMap<ItemKey, (u32, u32)>) -> StreamReader {
        let mut out = Translation::new(Format::Codex);
        out.header().version = 1;
        out.no_prompt(1);
        StreamReader {
            out,
            last_rows,
            run: 0,
            last: Some(NO_PROMPT_ID.to_owned()),
            answer: Vec::new(),
            answer_at: None,
            started: HashMap::new(),
            thread: None,
            totals: HashMap::new(),
            error: None,
            open: None,
        }
    }

    fn value(&mut self, value: &Value<'_>, row: &Json<'_>) {
        if !matches!(row, Json::Object(_)) {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        }
        let at = At { line: value.line, nth: value.nth };
        let kind = text(row, "type").unwrap_or_default();
        if kind != "turn.failed" {
            self.failed();
        }
        if matches!(kind, "thread.started" | "turn.started") {
            self.cut_off(at);
        }
        match (kind, row.get("item")) {
            ("thread.started", _) => {
                let thread = text(row, "thread_id").unwrap_or_default().to_owned();
                if self.out.header().id.is_empty() {
                    self.out.header().id.clone_from(&thread);
                }
                self.thread = Some(thread);
            }
            ("turn.started", _) => {
                self.run += 1;
                self.open = Some(at);
            }
            ("item.started" | "item.updated" | "item.completed", Some(item)) => {
                // A stream whose beginning is missing.
                self.open.get_or_insert(at);
                self.item(at, item, kind == "item.completed");
            }
            ("turn.completed", _) => {
                self.flush();
                self.open = None;
                self.spent(at, row.get("usage"));
            }
            ("turn.failed", _) => {
                let error = row.get("error");
                let why = error.and_then(|error| error.as_str().or(text(error, "message")));
                let why = why.unwrap_or("the turn failed").to_owned();
                // Mostly the row before says the same.
                match self.error.take() {
                    Some((_, said)) if said == why => {}
                    said => {
                        self.error = said;
                        self.failed();
                    }
                }
                self.stopped(at, why);
                self.open = None;
                self.spent(at, row.get("usage"));
            }
            ("error", _) => {
                let said = text(row, "message").unwrap_or_default();
                if said.starts_with(RETRY) {
                    self.told(at, said, false);
                } else {
                    self.error = Some((at, said.to_owned()));
                }
            }
            _ => {
                self.flush();
                let spot = self.spot(at, at.id());
                self.out.push_unknown(spot, kind, row.clone());
            }
        }
    }

    fn item(&mut self, at: At, item: &Json<'_>, is_completed: bool) {
        let id = text(item, "id").unwrap_or_default();
        let key = (self.run, id.to_owned());
        match Item::read(item) {
            Item::Said(block) => {
                // Its last row tells it whole.
                if self.last_rows.get(&key) == Some(&(at.line, at.nth)) {
                    self.answered(at, block);
                }
            }
            Item::Warning(words) => self.told(at, &words, true),
            Item::Call(call) => {
                let is_over = is_completed || has_ended(item);
                let call_id = if let Some(call_id) = self.started.get(&key) {
                    call_id.clone()
                } else {
                    let call_id = format!("{}-{id}", self.run);
                    self.answered(at, call.block(&call_id));
                    self.started.insert(key.clone(), call_id.clone());
                    call_id
                };
                if is_over {
                    self.result(at, &call_id, call.state);
                }
            }
            Item::List(call) => {
                // It grows and changes; its last row is all of it.
                if self.last_rows.get(&key) == Some(&(at.line, at.nth)) {
                    let call_id = format!("{}-{id}", self.run);
                    self.answered(at, call.block(&call_id));
                    self.result(at, &call_id, call.state);
                }
            }
            Item::Unknown(kind) => {
                self.flush();
                let spot = self.spot(at, at.id());
                self.out.push_unknown(spot, kind, item.clone());
            }
        }
    }

    fn answered(&mut self, at: At, block: Json<'static>) {
        self.answer_at.get_or_insert(at);
        self.answer.push(block);
    }

    fn flush(&mut self) {
        let content = std::mem::take(&mut self.answer);
        let Some(at) = self.answer_at.take() else { return };
        let calls = content.iter().any(|block| text(block, "type") == Some("toolCall"));
        self.message(at, at.id(), NewMessage::assistant(content).ended(calls).json());
    }

    fn result(&mut self, at: At, call_id: &str, state: State<'_>) {
        self.flush();
        let message = NewMessage::tool_result(call_id)
            .content(state.content)
            .failed(state.has_failed)
            .details(state.details);
        // A row may be the call and its result.
        self.message(at, format!("{}-result", at.id()), message.json());
    }

    /// Why no response came.
    fn stopped(&mut self, at: At, why: String) {
        self.flush();
        self.message(at, at.id(), NewMessage::stopped("error", Some(why)).json());
    }

    /// An error that no row of the turn's end repeats.
    fn failed(&mut self) {
        if let Some((at, why)) = self.error.take() {
            self.stopped(at, why);
            self.open = None;
        }
    }

    fn message(&mut self, at: At, id: String, message: Json<'_>) {
        let spot = self.spot(at, id);
        self.out.push(spot, "message", entry::message(message));
    }

    fn told(&mut self, at: At, words: &str, is_shown: bool) {
        self.flush();
        let fields = entry::custom_message(notice::RUN_ERROR, text_blocks(words), is_shown);
        let spot = self.spot(at, at.id());
        self.out.push(spot, "custom_message", fields);
    }

    /// What the thread took, which each turn says of all turns until then.
    // 0.169.0: also over `resume` and, in a fork, with what the parent took. Counts of tokens.
    fn spent(&mut self, at: At, usage: Option<&Json<'_>>) {
        let Some(usage) = usage else { return };
        let count = |key: &str| usage.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let cached = count("cached_input_tokens");
        let written = count("cache_write_input_tokens");
        let stated = Usage {
            input: (count("input_tokens") - cached).max(0.0),
            output: count("output_tokens"),
            cache_read: cached,
            cache_write: written,
            ..Usage::default()
        };
        let thread = self.thread.clone().unwrap_or_default();
        let counted = self.totals.insert(thread, stated).unwrap_or_default();
        let id = format!("{}#usage", at.id());
        let before = self.last.clone();
        let spot = self.spot(at, id);
        self.last = self.out.stated(spot, None, stated, counted).or(before);
    }

    /// The turn that goes on has no end in this file.
    fn cut_off(&mut self, at: At) {
        self.flush();
        if self.open.take().is_some() {
            let end =
                RunEnd { ended: Ended::CutOff, text: None, lines: Vec::new(), facts: Vec::new() };
            let spot = self.spot(at, format!("{}#end", at.id()));
            self.out.run_end(spot, end);
        }
    }

    fn spot(&mut self, at: At, id: String) -> Spot {
        let parent_id = self.last.replace(id.clone());
        Spot { line: at.line, id: Some(id), parent_id, time: None }
    }

    fn finish(mut self) -> Translation {
        self.failed();
        self.flush();
        if let Some(at) = self.open {
            self.cut_off(at);
        }
        self.out
    }
}
