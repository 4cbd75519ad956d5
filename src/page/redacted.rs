//! What the page says of secrets that were replaced: by which rules, how often, where; never a value.

use std::collections::BTreeMap;

use memchr::memmem;

use crate::redact::Report;
use crate::session::text::counted;
use crate::session::{EntryIndex, Session};

/// How a mark begins, before the name of its rule.
const MARK: &[u8] = b"[redacted:";

/// Entries that are named for one rule; more of them are counted.
const ENTRIES: usize = 100;

/// The report in the page's head.
pub(super) struct Redacted {
    /// `Redacted: 3 values in 4 places`.
    pub(super) summary: String,
    pub(super) rules: Vec<RedactedRule>,
    /// What was dropped, and what was not searched.
    pub(super) further: Vec<String>,
}

/// One rule that hit.
pub(super) struct RedactedRule {
    /// `github-token: 2 values in 3 places`.
    pub(super) told: String,
    /// The keys of the entries that hold its marks.
    pub(super) entries: Vec<String>,
    /// How many more there are.
    pub(super) more: usize,
}

impl Redacted {
    pub(super) fn new(session: &Session, report: &Report) -> Redacted {
        let marked = marked(session);
        let rule = |count: &crate::redact::RuleCount| {
            let entries = marked.get(count.rule.as_str()).map_or(&[][..], Vec::as_slice);
            RedactedRule {
                told: format!("{}: {}", count.rule, of(count.values, count.places)),
                entries: entries.iter().take(ENTRIES).map(|&entry| session.key(entry)).collect(),
                more: entries.len().saturating_sub(ENTRIES),
            }
        };
        let values = report.rules.iter().map(|rule| rule.values).sum();
        let mut further = Vec::new();
        let mut tell = |count: usize, what: &str, told: &str| {
            if count > 0 {
                further.push(format!("{} {told}", counted(count, what)));
            }
        };
        tell(report.lines_dropped, "line", "dropped: damaged, so secrets in them cannot be told");
        tell(report.files_dropped, "file", "dropped: not text, so secrets in them cannot be told");
        let pictures = report.pictures + pictures(session);
        tell(pictures, "picture", "not searched: what a picture shows stays in it");
        Redacted {
            summary: format!("Redacted: {}", of(values, report.places())),
            rules: report.rules.iter().map(rule).collect(),
            further,
        }
    }
}

fn of(values: usize, places: usize) -> String {
    format!("{} in {}", counted(values, "value"), counted(places, "place"))
}

/// The entries that hold marks, by rule.
fn marked(session: &Session) -> BTreeMap<&str, Vec<EntryIndex>> {
    let mut marked: BTreeMap<&str, Vec<EntryIndex>> = BTreeMap::new();
    let finder = memmem::Finder::new(MARK);
    for entry in 0..session.len() {
        let raw = session.raw(entry);
        for at in finder.find_iter(raw.as_bytes()) {
            let rest = &raw[at + MARK.len()..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            let entries = marked.entry(&rest[..end.unwrap_or(rest.len())]).or_default();
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
    }
    marked
}

/// Pictures that stand in entries themselves, about: as often as a block says that it is one.
fn pictures(session: &Session) -> usize {
    let finder = memmem::Finder::new(b"\"type\":\"image\"");
    (0..session.len()).map(|entry| finder.find_iter(session.raw(entry).as_bytes()).count()).sum()
}
