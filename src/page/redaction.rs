//! What the page says of secrets that were replaced: by which rules, how often, where; never a value.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use crate::redact::{Report, RuleCount, told};
use crate::session::redaction_mark::{START, parse};
use crate::session::text::counted;
use crate::session::{EntryIndex, Session, omitted};

use super::redacted::{Redacted, RedactedRule};

/// Entries that are named for one rule; more of them are counted.
const ENTRIES: usize = 100;

impl Redacted {
    pub(super) fn new(session: &Session, report: &Report) -> Redacted {
        let marked = marked(session);
        let report = within_marks(session, report, &marked);
        let rule = |count: &RuleCount| {
            let entries = marked.get(count.rule.as_str()).map(|found| found.entries.as_slice());
            let entries = entries.unwrap_or_default();
            let instead = count.instead.map(|instead| format!(", replaced by {instead}"));
            let told = told(count.values, count.places);
            RedactedRule {
                told: format!("{}: {told}{}", count.rule, instead.unwrap_or_default()),
                entries: entries.iter().take(ENTRIES).map(|&at| session.key_at(at)).collect(),
                more: entries.len().saturating_sub(ENTRIES),
            }
        };
        let rules = report.rules.iter().map(rule).collect();
        let mut further = Vec::new();
        let mut tell = |count: usize, what: &str, told: &str| {
            if count > 0 {
                further.push(format!("{} {told}", counted(count, what)));
            }
        };
        tell(
            report.lines_dropped,
            "line",
            "dropped: damaged, so secrets in them cannot be recognized",
        );
        tell(
            report.files_dropped,
            "file",
            "dropped: not text, so secrets in them cannot be recognized",
        );
        let pictures = report.pictures + pictures(session);
        tell(pictures, "image", "not searched: what an image shows stays in it");
        Redacted { summary: format!("Redacted: {}", report.summary()), rules, further }
    }
}

/// What of a report is true of a session from which parts may have been removed since: their marks
/// are gone with them. What leaves no mark is counted as it was found.
#[cfg(feature = "cli")]
pub(crate) fn within(session: &Session, report: &Report) -> Report {
    within_marks(session, report, &marked(session))
}

fn within_marks(session: &Session, report: &Report, marked: &BTreeMap<&str, Marks>) -> Report {
    let mut report = report.clone();
    let header = session.source().split(|&byte| byte == b'\n').next().unwrap_or_default();
    let cut_facts = format!("\"{}\":{{", omitted::HEADER);
    if memmem::find(header, cut_facts.as_bytes()).is_none() {
        return report;
    }
    report.rules.retain_mut(|count| {
        if count.instead.is_some() {
            return true;
        }
        let Some(found) = marked.get(count.rule.as_str()) else { return false };
        (count.values, count.places) = (found.values.len(), found.places);
        true
    });
    report
}

/// The marks of one rule.
#[derive(Default)]
struct Marks {
    /// Their numbers.
    values: BTreeSet<u32>,
    places: usize,
    /// The entries that hold one, each once.
    entries: Vec<EntryIndex>,
}

fn marked(session: &Session) -> BTreeMap<&str, Marks> {
    let mut marked: BTreeMap<&str, Marks> = BTreeMap::new();
    let finder = memmem::Finder::new(START);
    for entry in session.indices() {
        let raw = session.raw_at(entry);
        for at in finder.find_iter(raw.as_bytes()) {
            let Some((rule, number, _)) = parse(&raw[at..]) else { continue };
            let marks = marked.entry(rule).or_default();
            marks.values.insert(number);
            marks.places += 1;
            if marks.entries.last() != Some(&entry) {
                marks.entries.push(entry);
            }
        }
    }
    marked
}

/// Pictures that stand in entries themselves, about: as often as a block says that it is one.
fn pictures(session: &Session) -> usize {
    let finder = memmem::Finder::new(b"\"type\":\"image\"");
    session.indices().map(|entry| finder.find_iter(session.raw_at(entry).as_bytes()).count()).sum()
}
