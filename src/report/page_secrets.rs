//! What looks like a secret in a page that is about to be written.
//!
//! The texts of the page itself are searched, as they come out of it: whatever reached it by another way than through
//! the redaction of the session's files is found here.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;

use crate::extract::{ExtractError, LinePlace, PageTexts, TextReader};
use crate::redact::{Finding, Redactor, Words};
use crate::workers::{Workers, cores};

use super::secrets::{FoundSecret, SecretPlace, SecretsReport, hide};

/// Looks through all texts of a page that is not encrypted.
pub(crate) fn page_secrets(
    page: &[u8],
    redactor: &Redactor,
) -> Result<SecretsReport, ExtractError> {
    let texts = PageTexts::of(page)?;
    let has_other_lines = AtomicBool::new(false);
    let look = |(): &mut (), piece: usize| {
        let mut search =
            Search { redactor, findings: Vec::new(), has_other_lines: &has_other_lines };
        texts.read(piece, &mut search).map(|()| search.findings)
    };
    let mut findings = Vec::new();
    Workers::new(cores(), || ()).run(texts.count(), look, |found| {
        findings.append(&mut found?);
        Ok::<(), ExtractError>(())
    })?;
    if has_other_lines.load(Ordering::Relaxed) {
        findings.extend(in_files(&texts, redactor)?);
    }
    let mut seen = HashSet::new();
    findings.retain(|found: &FoundSecret| {
        seen.insert((
            found.place.clone(),
            found.finding.rule.clone(),
            found.finding.context.clone(),
        ))
    });
    for found in &mut findings {
        if let SecretPlace::Entry(name) | SecretPlace::Line(name) | SecretPlace::Page(name) =
            &mut found.place
        {
            *name = redactor.text(name).into_owned();
        }
    }
    hide(&mut findings);
    Ok(SecretsReport { findings, pictures: 0 })
}

/// In files that are more than a JSON value a line: as a whole, as they were redacted.
fn in_files(texts: &PageTexts<'_>, redactor: &Redactor) -> Result<Vec<FoundSecret>, ExtractError> {
    let own = (None, texts.page().session_file()?);
    let children = texts.page().child_files()?.into_iter().map(|file| (Some(file.key), file.bytes));
    let mut findings = Vec::new();
    for (key, bytes) in std::iter::once(own).chain(children) {
        for (line, finding) in redactor.remaining_in_file(&bytes) {
            let place = match (line, &key) {
                (Some(line), None) => line_place(LinePlace::Session(line)),
                (Some(line), Some(key)) => line_place(LinePlace::Child(key, line)),
                (None, None) => SecretPlace::Page("session file".to_owned()),
                (None, Some(key)) => SecretPlace::Page(format!("session file of {key}")),
            };
            findings.push(FoundSecret { place, finding });
        }
    }
    Ok(findings)
}

fn line_place(place: LinePlace<'_>) -> SecretPlace {
    match place {
        LinePlace::Entry(key) => SecretPlace::Entry(key.to_owned()),
        LinePlace::Session(line) => SecretPlace::Line(line.to_string()),
        LinePlace::Child(key, line) => SecretPlace::Line(format!("{line} of {key}")),
    }
}

/// What was found in a piece of a page.
struct Search<'s> {
    redactor: &'s Redactor,
    findings: Vec<FoundSecret>,
    /// Lines that are no JSON by themselves.
    has_other_lines: &'s AtomicBool,
}

impl Search<'_> {
    fn add(&mut self, found: Vec<Finding>, place: impl Fn(&Finding) -> SecretPlace) {
        let at = |finding: Finding| FoundSecret { place: place(&finding), finding };
        self.findings.extend(found.into_iter().map(at));
    }
}

impl TextReader for Search<'_> {
    fn text(&mut self, entry: Option<&str>, text: &str, words: Words) {
        let found = self.redactor.remaining_in_text(text, words);
        self.add(found, |_| match entry {
            Some(key) => SecretPlace::Entry(key.to_owned()),
            None => SecretPlace::Page("head of the page".to_owned()),
        });
    }

    fn line(&mut self, place: LinePlace<'_>, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        // In a list each item but the last ends so.
        match self.redactor.remaining_in_json(text.strip_suffix(',').unwrap_or(text)) {
            Some(found) => self.add(found, |_| line_place(place)),
            None => self.has_other_lines.store(true, Ordering::Relaxed),
        }
    }

    fn outline(&mut self, json: &str) {
        let found = self.redactor.remaining_in_data(json, words);
        if !found.is_empty() {
            let keys = Keys::read(json);
            self.add(found, |finding| keys.place(&finding.path));
        }
    }
}

/// Whose words a field of the outline holds.
fn words(field: &str) -> Words {
    match field {
        "keys" | "ids" | "labels" | "drawnLabels" | "files" | "sessions" => Words::Said,
        // A row begins with words of its own, and names roles and tools.
        "text" | "drawnText" | "wordTable" | "toolNames" | "context" => Words::Mixed,
        _ => Words::Own,
    }
}

/// What tells the entry of a place in the outline.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Keys {
    keys: Vec<String>,
    sessions: Vec<StartedBy>,
    ids: Vec<(usize, String)>,
    labels: Vec<(usize, String)>,
    drawn_text: Vec<(usize, String)>,
    drawn_labels: Vec<(usize, String)>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct StartedBy {
    started_by: i64,
}

impl Keys {
    fn read(json: &str) -> Keys {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Of `text[3]` the entry of the number 3, of `labels[3][1]` that of the third label.
    fn place(&self, path: &str) -> SecretPlace {
        let (field, rest) = path.split_once('[').unwrap_or((path, ""));
        let number = rest.split(']').next().and_then(|number| number.parse::<usize>().ok());
        let numbered = |list: &[(usize, String)]| Some(list.get(number?)?.0);
        let entry = match field {
            "keys" | "text" => number,
            "ids" => numbered(&self.ids),
            "labels" => numbered(&self.labels),
            "drawnText" => numbered(&self.drawn_text),
            "drawnLabels" => numbered(&self.drawn_labels),
            "sessions" => {
                let session = number.and_then(|number| self.sessions.get(number));
                let by = session.and_then(|session| usize::try_from(session.started_by).ok());
                let key = by.and_then(|by| self.keys.get(by));
                let of = key.map(|key| format!(" of {key}")).unwrap_or_default();
                return SecretPlace::Name(format!("sub-session{of}"));
            }
            _ => None,
        };
        match entry.and_then(|entry| self.keys.get(entry)) {
            Some(key) => SecretPlace::Entry(key.clone()),
            None => SecretPlace::Page("tree of the page".to_owned()),
        }
    }
}
