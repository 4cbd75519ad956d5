//! The rows of a file and the texts in them.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::file::{of_transcript, pointer, text_at, unlisted, within};
use super::left_out::{BEGINNINGS, KEYS, Why};
use super::place::{at, holds, strings};
use super::shapes::{SHAPES, Shape};
use super::words::squashed;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Prompt,
    Response,
    Thinking,
    /// Of a call.
    Name,
    Arguments,
    Result,
    Failure,
    /// A summary, a word of the program.
    Note,
}

pub(super) struct Text {
    /// Counted from 1.
    pub(super) row: usize,
    pub(super) kind: Kind,
    pub(super) words: String,
    /// The text before it on its branch.
    pub(super) before: Option<usize>,
    /// Whose it is; empty for the session itself.
    pub(super) track: String,
}

pub(super) struct Walked {
    pub(super) shape: &'static str,
    pub(super) texts: Vec<Text>,
    /// Where else a sentence stands, and the sentence.
    pub(super) sentences: Vec<(String, String)>,
    pub(super) left_out: BTreeSet<&'static str>,
    /// The letters of each string of the file.
    pub(super) strings: Vec<String>,
    /// Kinds behind which others do not stand.
    pub(super) loose: &'static [Kind],
}

/// Nothing where the file is of no shape that is known.
pub(super) fn walk(file: &[u8]) -> Option<Walked> {
    let file = String::from_utf8_lossy(file);
    let file = file.trim_start_matches('\u{feff}');
    let whole: Option<Value> = serde_json::from_str(file).ok();
    let rows: Vec<Value> = match &whole {
        Some(Value::Array(items)) => items.clone(),
        Some(_) => Vec::new(),
        None => file.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    if rows.is_empty() && file.starts_with("user:") {
        return Some(of_transcript(file));
    }
    for shape in SHAPES {
        let rows = match &whole {
            Some(document @ Value::Object(_)) => within(document, shape),
            _ if shape.within.is_empty() => rows.clone(),
            // Several documents.
            Some(_) => rows.iter().flat_map(|document| within(document, shape)).collect(),
            None => continue,
        };
        if rows.iter().any(|row| shape.marks.iter().any(|mark| holds(row, mark))) {
            return Some(Walk::new(shape).over(rows));
        }
    }
    None
}

struct Walk {
    shape: &'static Shape,
    walked: Walked,
    /// The last text at or above a row, by the row's id.
    by_id: HashMap<String, Option<usize>>,
    /// And by whose rows they are, where rows name no parent.
    by_track: HashMap<String, usize>,
}

impl Walk {
    fn new(shape: &'static Shape) -> Walk {
        let (texts, sentences, left_out) = (Vec::new(), Vec::new(), BTreeSet::new());
        let (strings, loose) = (Vec::new(), shape.loose);
        let walked = Walked { shape: shape.name, texts, sentences, left_out, strings, loose };
        Walk { shape, walked, by_id: HashMap::new(), by_track: HashMap::new() }
    }

    fn over(mut self, rows: Vec<Value>) -> Walked {
        let texts = rows.iter().flat_map(strings).filter_map(Value::as_str);
        self.walked.strings = texts.map(squashed).collect();
        for (nth, row) in self.latest(rows).into_iter().enumerate() {
            if let Some(row) = row {
                self.row(nth + 1, &row);
            }
        }
        self.walked
    }

    /// Each row once, as it was written last, where it was written first.
    fn latest(&mut self, rows: Vec<Value>) -> Vec<Option<Value>> {
        let rows = unlisted(rows);
        let mut first: HashMap<String, usize> = HashMap::new();
        let mut out: Vec<Option<Value>> = Vec::with_capacity(rows.len());
        let mut run = 0;
        for row in rows {
            run += usize::from(self.shape.run.is_some_and(|run| holds(&row, run)));
            let id = text_at(&row, self.shape.replaces).map(|id| format!("{run} {id}"));
            match id.and_then(|id| first.insert(id.clone(), out.len()).map(|at| (id, at))) {
                Some((id, at)) => {
                    first.insert(id, at);
                    out[at] = Some(row);
                    out.push(None);
                    self.walked.left_out.insert(Why::WrittenAgain.name());
                }
                None => out.push(Some(row)),
            }
        }
        out
    }

    fn row(&mut self, number: usize, row: &Value) {
        let left = self.shape.leaves.iter().find(|(condition, _)| holds(row, condition));
        let track = text_at(row, self.shape.track).unwrap_or_default();
        let id = text_at(row, self.shape.id);
        let parent = self.shape.parent.split('|').find_map(|place| row.pointer(&pointer(place)));
        let mut before = match parent {
            Some(Value::String(parent)) => self.by_id.get(parent).copied().flatten(),
            Some(_) => None,
            None => self.by_track.get(&track).copied(),
        };
        if let Some((_, why)) = left {
            self.walked.left_out.insert(why.name());
        } else {
            let taken = self.taken(row);
            let places: HashSet<*const Value> =
                taken.iter().map(|(_, value)| std::ptr::from_ref(*value)).collect();
            for (kind, text) in self.texts(&taken) {
                self.walked.texts.push(Text {
                    row: number,
                    kind,
                    words: text,
                    before,
                    track: track.clone(),
                });
                before = Some(self.walked.texts.len() - 1);
            }
            self.sentences(number, row, &places);
        }
        if let Some(id) = id {
            self.by_id.insert(id, before);
        }
        if let Some(before) = before {
            self.by_track.insert(track, before);
        }
    }

    /// The strings that rules take, list by list.
    fn taken<'r>(&self, row: &'r Value) -> Vec<(Kind, &'r Value)> {
        let order: HashMap<*const Value, usize> =
            strings(row).into_iter().map(std::ptr::from_ref).zip(0..).collect();
        let mut taken: Vec<(Option<usize>, usize, Kind, &Value)> = Vec::new();
        for (_, kind, place) in self.shape.takes.iter().filter(|rule| holds(row, rule.0)) {
            // What lies in one list is in its order.
            let list = |place: &'static str| place.split(".*").next();
            let rank = self.shape.takes.iter().position(|rule| list(rule.2) == list(place));
            for value in at(row, place).into_iter().filter(|value| value.is_string()) {
                let is_known = taken.iter().any(|(.., known)| std::ptr::eq(*known, value));
                if !is_known {
                    taken.push((rank, order[&std::ptr::from_ref(value)], *kind, value));
                }
            }
        }
        taken.sort_by_key(|(rank, order, ..)| (*rank, *order));
        taken.into_iter().map(|(_, _, kind, value)| (kind, value)).collect()
    }

    /// Their texts. An edit shows what it changes: the lines that its arguments share are not looked for.
    fn texts(&mut self, taken: &[(Kind, &Value)]) -> Vec<(Kind, String)> {
        let mut texts = Vec::new();
        for (kind, value) in taken {
            let text = value.as_str().unwrap_or_default();
            if !self.is_left_out(text) {
                texts.extend(inner(*kind, text).into_iter().map(|text| (*kind, text)));
            }
        }
        let mut count: HashMap<String, usize> = HashMap::new();
        for (_, text) in texts.iter().filter(|(kind, _)| *kind == Kind::Arguments) {
            let lines: HashSet<&str> = text.lines().collect();
            for line in lines.into_iter().filter(|_| text.contains('\n')) {
                *count.entry(line.to_owned()).or_default() += 1;
            }
        }
        for (_, text) in
            texts.iter_mut().filter(|(kind, text)| *kind == Kind::Arguments && text.contains('\n'))
        {
            let changed: Vec<&str> = text.lines().filter(|line| count[*line] < 2).collect();
            if changed.len() < text.lines().count() {
                self.walked.left_out.insert(Why::Unchanged.name());
                *text = changed.join("\n");
            }
        }
        texts
    }

    /// A whole place is that of a text, not of what holds some.
    fn left_out(&self, key: &str, place: &str, value: &Value) -> Option<Why> {
        let is_meant = |known: &str| key == known || value.is_string() && place == known;
        let is_of = |shape: &str| self.shape.name.starts_with(shape);
        let known = KEYS.iter().find(|(shape, known, _)| is_of(shape) && is_meant(known));
        known.map(|(_, _, why)| *why)
    }

    fn is_left_out(&mut self, text: &str) -> bool {
        let known = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning));
        // Up, to a column, or what follows erased.
        let moves = ["\u{1b}[1G", "\u{1b}[2K", "\u{1b}[1A", "\u{1b}[J", "\u{1b}[0J"];
        let drawn = moves.iter().any(|sequence| text.contains(sequence)).then_some(Why::Drawn);
        let why = known.map(|(_, why)| *why).or(drawn);
        self.walked.left_out.extend(why.map(Why::name));
        why.is_some()
    }

    /// The sentences of a row that no rule took.
    fn sentences(&mut self, number: usize, row: &Value, taken: &HashSet<*const Value>) {
        let mut rest = vec![(String::new(), row)];
        while let Some((place, value)) = rest.pop() {
            match value {
                Value::Object(fields) => {
                    for (key, value) in fields {
                        let inner = format!("{place}.{key}");
                        match self.left_out(key, &inner, value) {
                            Some(why) => {
                                if strings(value)
                                    .into_iter()
                                    .filter_map(Value::as_str)
                                    .any(is_sentence)
                                {
                                    self.walked.left_out.insert(why.name());
                                }
                            }
                            None => rest.push((inner, value)),
                        }
                    }
                }
                Value::Array(items) => {
                    rest.extend(items.iter().map(|item| (format!("{place}.*"), item)));
                }
                Value::String(text) if is_sentence(text) => {
                    let is_taken = taken.contains(&std::ptr::from_ref(value));
                    if !is_taken && !self.is_left_out(text) {
                        self.walked.sentences.push((format!("row {number}{place}"), text.clone()));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Three words and more.
pub(super) fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace();
    words.filter(|word| word.chars().any(char::is_alphabetic)).count() >= 3
}

/// The arguments of a call and some results are JSON within a string; what an editor shows stands before a prompt.
fn inner(kind: Kind, text: &str) -> Vec<String> {
    if let Some(at) = text.find("<user_query>").filter(|at| *at > 0 && kind == Kind::Prompt) {
        return vec![text[..at].to_owned(), text[at..].to_owned()];
    }
    let is_json = matches!(kind, Kind::Arguments | Kind::Result) && text.starts_with(['{', '[']);
    if let Some(mut value) = is_json.then(|| serde_json::from_str::<Value>(text).ok()).flatten() {
        // A list of calls, or of items; of an image the bytes are no text.
        for call in value.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            call.retain(|key, _| !matches!(key.as_str(), "id" | "type" | "image_url"));
        }
        let texts = strings(&value).into_iter().filter_map(Value::as_str);
        return texts.flat_map(|text| inner(kind, text)).collect();
    }
    vec![text.to_owned()]
}
