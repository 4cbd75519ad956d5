//! What looks like a secret in a session.
//!
//! Entries are searched first, as they are what a page shows. Then the lines of the files: one that an entry repeats
//! whole is passed over, and of others only what the entry has not. Then outputs beside the session and names. At
//! last the words around each finding are cleared of all the others (`hide`).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::ops::Range;

use serde::Serialize;

use crate::byte_search;
use crate::progress::{Progress, Steps, Task};
use crate::redact::{Finding, Hidden, Scanner};
use crate::session::attachments::Attachments;
use crate::session::{EntryIndex, Session};
use crate::workers::{Threads, Workers};

/// Entries, or lines, that are looked through in one go.
const PIECE: usize = 64;

/// Everything in a session that looks like a secret, as `leafpress secrets --json` prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SecretsReport {
    /// One a secret and place: those of entries in file order, then those elsewhere.
    pub findings: Vec<FoundSecret>,
    /// Pictures kept beside the session, which cannot be searched; nor can those within entries.
    pub pictures: usize,
}

/// Something that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FoundSecret {
    /// Where it stands.
    #[serde(flatten)]
    pub place: SecretPlace,
    /// By which rule it was found, and what stands around it, without the value.
    #[serde(flatten)]
    pub finding: Finding,
}

/// Where a secret stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum SecretPlace {
    /// In the entry of this key.
    Entry(String),
    /// In this line, counted from 1, of the session's file, outside of entries; for a sub-session with its key.
    Line(String),
    /// In an output that is kept in a file of this name.
    Output(String),
    /// In the name of a sub-session, as it begins keys.
    Name(String),
    /// In a part of a page that belongs to no entry.
    Page(String),
}

impl SecretsReport {
    /// Adds what a title holds that somebody gave the page.
    #[cfg(feature = "cli")]
    pub(crate) fn add_title(&mut self, title: &str, scanner: &Scanner) {
        let place = SecretPlace::Page("title".to_owned());
        self.findings.extend(at(&place, scanner.scan_json(title)));
        hide(&mut self.findings);
    }

    /// Where something was found, each place once, in the order of the findings.
    pub fn places(&self) -> Vec<&SecretPlace> {
        let mut seen = HashSet::new();
        let places = self.findings.iter().map(|found| &found.place);
        places.filter(|place| seen.insert(*place)).collect()
    }
}

/// Looks through all that a page made of the session would hold, and tells how far it is.
pub fn secrets(session: &Session, scanner: &Scanner, progress: Option<Progress>) -> SecretsReport {
    let sources = sources(session);
    let pieces: Vec<Piece> =
        sources.iter().enumerate().flat_map(|(file, (_, source))| pieces(file, source)).collect();
    let steps = session.len().div_ceil(PIECE) + pieces.len();
    let steps = Steps::new(progress, Task::Search, steps);
    let (mut findings, holders) = in_entries(session, scanner, &steps);
    let own = findings.len();
    let files = Files { session, scanner, sources, by_line: entries_by_line(session), holders };
    let (more, repeat) = files.in_all(&pieces, &steps);
    findings.extend(more);
    for attachments in attachments(session) {
        for output in attachments.artifacts() {
            let place = SecretPlace::Output(masked(scanner, &output.name));
            findings.extend(at(&place, scanner.scan_json(&output.text)));
        }
    }
    for sub in session.sub_sessions() {
        let place = SecretPlace::Name(format!(
            "sub-agent session of {}",
            masked(scanner, &session.key_at(sub.started_by))
        ));
        findings.extend(at(&place, scanner.scan_json(&sub.key)));
    }
    hide(&mut findings);
    let known: HashSet<(String, String)> =
        findings[..own].iter().map(|found| told(&found.finding)).collect();
    let mut repeat = std::iter::repeat_n(false, own).chain(repeat);
    findings.retain(|found| {
        !repeat.next().unwrap_or_default() || !known.contains(&told(&found.finding))
    });
    let pictures = attachments(session).map(Attachments::pictures).sum();
    SecretsReport { findings, pictures }
}

/// Takes out of the words on each finding what is part of any of the secrets.
pub(super) fn hide(findings: &mut [FoundSecret]) {
    let hidden = Hidden::of(findings.iter().flat_map(|found| &found.finding.values));
    for found in findings {
        found.finding.hide(&hidden);
        if let SecretPlace::Output(name) | SecretPlace::Name(name) = &mut found.place {
            *name = hidden.without(name);
        }
    }
}

fn at(place: &SecretPlace, findings: Vec<Finding>) -> impl Iterator<Item = FoundSecret> {
    findings.into_iter().map(|finding| FoundSecret { place: place.clone(), finding })
}

/// A key or a name, itself without secrets.
fn masked(scanner: &Scanner, name: &str) -> String {
    let mut masked = name.to_owned();
    for hit in scanner.scan_text(name).into_iter().rev() {
        masked.replace_range(hit.range, "…");
    }
    masked
}

/// What tells one finding from another, wherever the same text stands.
fn told(finding: &Finding) -> (String, String) {
    (finding.rule.clone(), finding.context.clone())
}

fn attachments(session: &Session) -> impl Iterator<Item = &Attachments> {
    let firsts = session.sub_sessions().iter().filter(|sub| sub.len > 0).map(|sub| sub.first);
    std::iter::once(EntryIndex::FIRST).chain(firsts).map(|entry| session.attachments_of(entry))
}

/// What entries hold, and which of them hold something.
fn in_entries(
    session: &Session,
    scanner: &Scanner,
    steps: &Steps,
) -> (Vec<FoundSecret>, HashSet<EntryIndex>) {
    let look = |(): &mut (), piece: usize| {
        let mut found = Vec::new();
        for entry in EntryIndex::range(piece * PIECE..session.len().min((piece + 1) * PIECE)) {
            let findings = scanner.scan_json(session.raw_at(entry));
            if !findings.is_empty() {
                let place = SecretPlace::Entry(masked(scanner, &session.key_at(entry)));
                found.extend(at(&place, findings).map(|found| (entry, found)));
            }
        }
        found
    };
    let mut all = Vec::new();
    let mut holders = HashSet::new();
    let take = |found: Vec<(EntryIndex, FoundSecret)>| {
        steps.add(1);
        holders.extend(found.iter().map(|(entry, _)| *entry));
        all.extend(found.into_iter().map(|(_, found)| found));
        Ok::<(), Infallible>(())
    };
    let Ok(()) =
        Workers::new(Threads::available(), || ()).run(session.len().div_ceil(PIECE), look, take);
    (all, holders)
}

/// The files of a session and what is known of their lines.
struct Files<'a> {
    session: &'a Session,
    scanner: &'a Scanner,
    /// Each with its key, that of the session itself aside.
    sources: Vec<(Option<&'a str>, &'a [u8])>,
    by_line: HashMap<(usize, u32), Vec<EntryIndex>>,
    /// Entries that hold something.
    holders: HashSet<EntryIndex>,
}

/// Some lines of a file.
struct Piece {
    file: usize,
    /// The number of the first line.
    number: u32,
    bytes: Range<usize>,
}

/// The files of a session, each with its key, that of the session itself aside.
fn sources(session: &Session) -> Vec<(Option<&str>, &[u8])> {
    let subs = session.sub_sessions().iter().map(|sub| (Some(sub.key.as_str()), sub.source()));
    std::iter::once((None, session.source())).chain(subs).collect()
}

impl Files<'_> {
    /// What the files hold beside entries, and in the lines of entries, which may have taken it over.
    fn in_all(&self, pieces: &[Piece], steps: &Steps) -> (Vec<FoundSecret>, Vec<bool>) {
        let mut found = Vec::new();
        let mut repeat = Vec::new();
        let take = |piece: Vec<(FoundSecret, bool)>| {
            steps.add(1);
            for (one, may_repeat) in piece {
                found.push(one);
                repeat.push(may_repeat);
            }
            Ok::<(), Infallible>(())
        };
        let look = |(): &mut (), piece: usize| self.in_piece(&pieces[piece]);
        let Ok(()) = Workers::new(Threads::available(), || ()).run(pieces.len(), look, take);
        (found, repeat)
    }

    /// What the lines of a piece hold, and whether it may repeat what an entry holds.
    fn in_piece(&self, piece: &Piece) -> Vec<(FoundSecret, bool)> {
        let Files { session, scanner, .. } = *self;
        let (key, source) = self.sources[piece.file];
        let mut found = Vec::new();
        let bytes = &source[piece.bytes.clone()];
        for (line, number) in byte_search::lines(bytes).zip(piece.number..) {
            let line = &bytes[line];
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let entries = self.by_line.get(&(piece.file, number)).map_or(&[][..], Vec::as_slice);
            if entries.iter().any(|&entry| session.raw_at(entry).as_bytes() == line) {
                continue;
            }
            let text = std::str::from_utf8(line)
                .map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
            if entries.iter().any(|&entry| session.raw_at(entry) == text.trim()) {
                continue;
            }
            // In a list each item but the last ends so.
            let item = text.trim().strip_suffix(',').unwrap_or(text.trim());
            // An entry has most of its line's strings as they are.
            let without = entries.iter().filter(|entry| !self.holders.contains(entry));
            let clean = scanner.strings_without(without.map(|&entry| session.raw_at(entry)));
            let findings = scanner.scan_json_beside(item, &clean);
            if findings.is_empty() {
                continue;
            }
            let place = match (entries.first(), key) {
                (Some(&entry), _) => SecretPlace::Entry(masked(scanner, &session.key_at(entry))),
                (None, None) => SecretPlace::Line(number.to_string()),
                (None, Some(key)) => {
                    SecretPlace::Line(format!("{number} of {}", masked(scanner, key)))
                }
            };
            found.extend(at(&place, findings).map(|found| (found, !entries.is_empty())));
        }
        found
    }
}

/// The lines of a file, so many at a time.
fn pieces(file: usize, source: &[u8]) -> impl Iterator<Item = Piece> {
    let mut ends = memchr::memchr_iter(b'\n', source).chain([source.len()]);
    let mut start = 0;
    (1..).step_by(PIECE).map_while(move |number| {
        let end = ends.by_ref().take(PIECE).last()?;
        Some(Piece { file, number, bytes: std::mem::replace(&mut start, end + 1)..end })
    })
}

/// The entries of each line of each file, files numbered as sub-sessions are.
fn entries_by_line(session: &Session) -> HashMap<(usize, u32), Vec<EntryIndex>> {
    let mut by_line: HashMap<(usize, u32), Vec<EntryIndex>> = HashMap::new();
    for entry in session.indices() {
        let file = session.sub_session_of(entry).map_or(0, |sub| sub.in_file);
        by_line.entry((file, session.line(entry))).or_default().push(entry);
    }
    by_line
}
