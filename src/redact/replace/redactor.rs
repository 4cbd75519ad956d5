//! Replaces secrets in all files of a session.
//!
//! First it learns from every file, then it replaces: a value that only one place shows as a secret goes in all
//! places, by the same mark, and the marks depend on the order of learning alone, whichever thread replaces. Lines
//! keep their numbers. What cannot be read is not trusted: it is left blank where it may hold something.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::format;
use crate::progress::{Progress, Steps, Task};
use crate::redact::find::compiled::RuleId;
use crate::redact::find::custom::{Rules, RulesError};
use crate::redact::find::personal;
use crate::redact::find::pieces;
use crate::redact::find::scan::{FoundSecret, Scanner};
use crate::redact::find::search::MAX_ESCAPES;
use crate::redact::find::values::{Learnt, Values};
use crate::redact::views::decode;
use crate::redact::views::json::Strings;

use super::edit;
use super::kind::{ContentKind, kind};
use super::marks::Marks;
use super::report::{Report, RuleCount};
use super::rewrite::{in_raw, keep_apart};
use super::waste::waste;

/// Times a text is gone through again since a mark may bare what stood beside it.
const MAX_ROUNDS: usize = 4;

/// Replaces secrets, the same value by the same mark.
///
/// First [`learn`](Self::learn) from every file, then [`file`](Self::file) and
/// [`text`](Self::text), from any thread: the marks depend on the order of
/// learning alone.
///
/// ```
/// use leafpress::redact::{Redactor, Rules};
///
/// let mut rules = Rules::new();
/// rules.pattern("garden-[0-9]+")?;
/// let redactor = Redactor::new(&rules)?;
/// # drop(redactor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Redactor {
    scanner: Scanner,
    learns_users: bool,
    /// Known beforehand.
    own: Option<Values>,
    learnt: Learnt,
    values: OnceLock<Option<Values>>,
    hasher: RandomState,
    state: Mutex<RedactorState>,
    /// Is called with how far a file is.
    pub(super) progress: Option<Progress>,
}

#[derive(Default)]
struct RedactorState {
    marks: Marks,
    counts: BTreeMap<RuleId, Count>,
    report: Report,
    /// Hashes of JSON texts without a secret: those of a page are mostly the same.
    clean: HashSet<u64>,
}

#[derive(Default)]
struct Count {
    values: HashSet<String>,
    places: usize,
}

impl Redactor {
    /// Knows nothing yet but the rules.
    ///
    /// # Errors
    /// Those of the rules that were added.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let scanner = Scanner::new(rules)?;
        let mut learnt = Learnt::default();
        for own in rules.values() {
            learnt.add_own(scanner.rule(own.rule), &own.value, own.whole_word);
        }
        let environment = scanner.rule("environment");
        for line in &rules.environment {
            for found in scanner.find(line, None) {
                learnt.add_own(environment, &found.value, false);
            }
        }
        let own = learnt.values();
        let (values, state) = (OnceLock::new(), Mutex::default());
        let (learns_users, hasher) = (rules.learns_users, RandomState::new());
        let progress = None;
        Ok(Redactor { scanner, learns_users, own, learnt, values, hasher, state, progress })
    }

    /// Takes in the secrets of a file. Bytes as [`file`](Self::file) has them.
    pub fn learn(&mut self, bytes: &[u8]) {
        self.forget();
        self.keep_clear(bytes);
        match kind(bytes) {
            ContentKind::Lines => {
                let steps = self.steps(bytes);
                for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                    self.learn_json(line.strip_suffix(b"\n").unwrap_or(line));
                    steps.add(line.len());
                }
            }
            ContentKind::Document => self.learn_json(bytes),
            ContentKind::Text => self.learn_text(&String::from_utf8_lossy(bytes)),
            ContentKind::Picture | ContentKind::Binary => {}
        }
    }

    /// Takes in the secrets of one line of a file.
    pub(super) fn learn_line(&mut self, line: &[u8]) {
        self.forget();
        self.keep_clear(line);
        self.learn_json(line);
    }

    /// The work on all lines of a file.
    fn steps(&self, bytes: &[u8]) -> Steps {
        Steps::new(self.progress.clone(), Task::Redact, bytes.len())
    }

    /// There is more to be known than what was found so far was searched for.
    fn forget(&mut self) {
        self.values = OnceLock::new();
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).clean.clear();
    }

    /// Keeps clear of the marks of a file, of those that are written in escapes too.
    fn keep_clear(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.marks.keep_clear(bytes);
        // Line by line, since each is copied where it has escapes, and a damaged file may have a line of gigabytes.
        for line in bytes.split(|&byte| byte == b'\n') {
            let mut line = Cow::Borrowed(line);
            for _ in 0..MAX_ESCAPES {
                if memchr::memmem::find(&line, b"\\u00").is_none() {
                    break;
                }
                let text = String::from_utf8_lossy(&line);
                line = Cow::Owned(decode::unescaped_text(&text).into_owned().into_bytes());
                state.marks.keep_clear(&line);
            }
        }
    }

    fn learn_json(&mut self, line: &[u8]) {
        let text = std::str::from_utf8(line).map(|text| text.trim_start_matches('\u{feff}'));
        match text.ok().and_then(|text| Some((text, Strings::walk(text)?))) {
            Some((text, strings)) => self.learn_strings(text, &strings),
            None => self.learn_damaged(line),
        }
    }

    /// As the line is read; what cannot be read is dropped, but may stand elsewhere.
    fn learn_damaged(&mut self, line: &[u8]) {
        match format::repaired_values(line) {
            Some(values) => {
                for value in values {
                    if let Some(strings) = Strings::walk(&value) {
                        self.learn_strings(&value, &strings);
                    }
                }
            }
            None => {
                if let Ok(text) = std::str::from_utf8(line) {
                    self.learn_text(text);
                }
            }
        }
    }

    fn learn_strings(&mut self, text: &str, strings: &Strings) {
        for token in &strings.tokens {
            if let Some((decoded, found)) =
                self.scanner.in_string(text, strings, token, self.own.as_ref())
            {
                self.take_in(&decoded, &found);
            }
        }
    }

    /// Takes in the secrets of a name, a title or a path.
    pub fn learn_text(&mut self, text: &str) {
        self.forget();
        let found = self.scanner.find(text, self.own.as_ref());
        self.take_in(text, &found);
    }

    fn take_in(&mut self, text: &str, found: &[FoundSecret]) {
        let mut swallowed = Vec::new();
        let pieces = pieces::pieces(found, &mut swallowed);
        let kept = pieces.iter().map(|piece| piece.found).chain(swallowed);
        for one in kept.map(|at| &found[at]) {
            let rule = &self.scanner.rules[one.rule];
            if rule.instead.is_some() {
                let user = personal::odd_user(&one.value).filter(|_| self.learns_users);
                if let Some(user) = user {
                    self.learnt.add_own(self.scanner.rule("user"), user, true);
                }
                continue;
            }
            self.state
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .marks
                .number(&rule.name, &one.value);
            self.learnt.add(one.rule, &one.value);
            if one.pieces.len() > 1 {
                let lines = one.pieces.iter().filter_map(|piece| text.get(piece.clone()));
                self.learnt.add_lines(one.rule, &one.value, lines);
            }
        }
    }

    /// The file without its secrets: JSON lines, one JSON document or text.
    /// Lines stay where they are; lines of JSON that may hold a secret and
    /// cannot be walked are left blank, and what is no JSON and longer than a
    /// megabyte is left out. Pictures stay as they are, other binary files become empty.
    pub fn file(&self, bytes: &[u8]) -> Vec<u8> {
        self.whole_file(bytes.to_vec())
    }

    /// The same, in the memory of the file itself as far as may be.
    pub(super) fn whole_file(&self, bytes: Vec<u8>) -> Vec<u8> {
        match kind(&bytes) {
            ContentKind::Lines => {
                let bytes = self.without_waste(bytes);
                let edits = self.lines(&bytes, |redactor, line| {
                    redactor.json(line).or_else(|| redactor.damaged(line))
                });
                edit::in_place(bytes, edits)
            }
            ContentKind::Document => match self.json(&bytes) {
                Some(Cow::Owned(new)) => new,
                Some(Cow::Borrowed(_)) | None => bytes,
            },
            ContentKind::Text => {
                if let Ok(text) = std::str::from_utf8(&bytes) {
                    return match self.text(text) {
                        Cow::Owned(new) => new.into_bytes(),
                        Cow::Borrowed(_) => bytes,
                    };
                }
                let edits = self.lines(&bytes, |redactor, line| {
                    let text = std::str::from_utf8(line).ok()?;
                    Some(match redactor.text(text) {
                        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                    })
                });
                edit::in_place(bytes, edits)
            }
            ContentKind::Picture => {
                self.state().report.pictures += 1;
                bytes
            }
            ContentKind::Binary => {
                let mut state = self.state();
                state.report.files_dropped += 1;
                state.report.bytes_dropped += bytes.len();
                Vec::new()
            }
        }
    }

    fn without_waste(&self, bytes: Vec<u8>) -> Vec<u8> {
        let waste = waste(&bytes);
        let mut state = self.state();
        state.report.lines_dropped += waste.len();
        state.report.bytes_dropped += waste.iter().map(ExactSizeIterator::len).sum::<usize>();
        edit::in_place(bytes, waste.into_iter().map(|part| (part, Vec::new())).collect())
    }

    /// A name, a title, a path or any other text without its secrets.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let values = self.values();
        let mut current = Cow::Borrowed(text);
        for _ in 0..MAX_ROUNDS {
            let edits = self.edits(&current, &self.scanner.find(&current, values));
            if edits.is_empty() {
                break;
            }
            current = Cow::Owned(edit::spliced(&current, &edits));
        }
        current
    }

    /// What was found and replaced so far.
    pub fn report(&self) -> Report {
        let state = self.state();
        let mut rules: Vec<RuleCount> = Vec::new();
        for (rule, count) in &state.counts {
            let name = self.scanner.name(*rule);
            // Several rows of the table may have one name.
            if let Some(same) = rules.iter_mut().find(|same| same.rule == name) {
                same.values += count.values.len();
                same.places += count.places;
            } else {
                let values = count.values.len();
                let instead = self.scanner.rules[*rule].instead;
                rules.push(RuleCount { rule: name, values, places: count.places, instead });
            }
        }
        Report { rules, ..state.report.clone() }
    }

    fn state(&self) -> MutexGuard<'_, RedactorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a JSON text was searched and holds no secret.
    #[cfg(feature = "cli")]
    pub(super) fn is_clean(&self, text: &str) -> bool {
        let hash = self.hasher.hash_one(text);
        self.state().clean.contains(&hash)
    }

    #[cfg(feature = "cli")]
    pub(crate) fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    pub(crate) fn values(&self) -> Option<&Values> {
        self.values.get_or_init(|| self.learnt.values()).as_ref()
    }

    /// What to put in place of which line, all of them through `redact`; those it refuses
    /// are kept when there is nothing to be found in them, and left blank otherwise.
    fn lines<'a>(
        &self,
        bytes: &'a [u8],
        redact: impl Fn(&Self, &'a [u8]) -> Option<Cow<'a, [u8]>>,
    ) -> Vec<(Range<usize>, Vec<u8>)> {
        let mut edits = Vec::new();
        let steps = self.steps(bytes);
        let mut start = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            steps.add(line.len());
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            let content = content.strip_suffix(b"\r").unwrap_or(content);
            let place = start..start + content.len();
            start += line.len();
            match redact(self, content) {
                Some(Cow::Owned(new)) => edits.push((place, new)),
                Some(Cow::Borrowed(_)) => {}
                None if !self.holds_some(content) => {}
                None => {
                    let mut state = self.state();
                    state.report.lines_dropped += 1;
                    state.report.bytes_dropped += content.len();
                    edits.push((place, Vec::new()));
                }
            }
        }
        edits
    }

    /// Whether something is found in a damaged line: in all of it, or in what
    /// stands between two of its quotes, as a string that is whole.
    fn holds_some(&self, line: &[u8]) -> bool {
        let line = String::from_utf8_lossy(line);
        let is_secret = |text: &str| !self.scanner.find(text, self.values()).is_empty();
        is_secret(&line) || edit::between_quotes(&line).any(is_secret)
    }

    /// One JSON value. `None` when it cannot be walked.
    fn json<'a>(&self, bytes: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let values = self.values();
        let mut current = Cow::Borrowed(std::str::from_utf8(bytes).ok()?);
        for _ in 0..MAX_ROUNDS {
            let start = if current.starts_with('\u{feff}') { 3 } else { 0 };
            let text = &current[start..];
            if text.trim_ascii().is_empty() {
                break;
            }
            let strings = Strings::walk(text)?;
            let mut edits = Vec::new();
            let mut keys = Vec::new();
            for (at, token) in strings.tokens.iter().enumerate() {
                let Some((decoded, found)) = self.scanner.in_string(text, &strings, token, values)
                else {
                    continue;
                };
                let own = self.edits(&decoded, &found);
                if own.is_empty() {
                    continue;
                }
                if token.is_key {
                    keys.push((at, edits.len(), edit::spliced(&decoded, &own)));
                }
                edits.extend(in_raw(text, token, own));
            }
            if edits.is_empty() {
                let hash = self.hasher.hash_one(text);
                self.state().clean.insert(hash);
                break;
            }
            keep_apart(text, &strings, &keys, &mut edits);
            let new = edit::spliced(text, &edits);
            current = Cow::Owned(format!("{}{new}", &current[..start]));
        }
        Some(match current {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }

    /// A line that is no JSON value as the reader reads it: repaired, or several values.
    /// `None` where not all of it can be read.
    fn damaged<'a>(&self, line: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let values = format::repaired_values(line)?;
        let mut out = Vec::new();
        let mut is_changed = false;
        for value in values {
            let new = self.json(value.as_bytes())?;
            is_changed |= matches!(new, Cow::Owned(_));
            out.extend_from_slice(&new);
        }
        // A line without a secret stays as it was written, damage and all.
        Some(if is_changed { Cow::Owned(out) } else { Cow::Borrowed(line) })
    }

    /// What to put where in a text, and counts it.
    fn edits(&self, text: &str, found: &[FoundSecret]) -> Vec<(Range<usize>, String)> {
        let pieces = pieces::pieces(found, &mut Vec::new());
        let mut state = self.state();
        let mut counted: HashSet<usize> = HashSet::new();
        let mut edits = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let one = &found[piece.found];
            let rule = &self.scanner.rules[one.rule];
            let Some(old) = text.get(piece.range.clone()) else { continue };
            let new = match edit::instead(rule, one, &piece.range) {
                Some(instead) => instead.to_owned(),
                None => edit::replacement(old, &state.marks.mark(&rule.name, &one.value)),
            };
            if counted.insert(piece.found) {
                let count = state.counts.entry(one.rule).or_default();
                count.places += 1;
                count.values.insert(one.value.clone());
            }
            edits.push((piece.range, new));
        }
        edits
    }
}
