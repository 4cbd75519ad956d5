//! Makes what an archive has of one session: its page, its texts, its words and its row.

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::data::hash;
use super::pack;
use super::row::Row;
use crate::catalog::{self, Message, SessionFacts, StoredSession};
use crate::content::work::{Step, Work};
use crate::cut::{Cut, cut};
use crate::file_name;
use crate::find::{ManyOptions, was_used, whole_bytes};
use crate::format::{self, ReadOptions};
use crate::outline::read_with;
use crate::page::{self, Options, Relative};
use crate::redact::{self, Redacted, Rules};
use crate::report;
use crate::session::Session;
use crate::session::prices::Prices;
use crate::session::text::counted;
use crate::short_ids::ShortIds;
use crate::workers::Threads;

/// A page takes the beginning of a key that no other has, from so many characters on.
const SHORTEST_KEY: usize = 4;

/// How the pages of an archive are made.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// `None` for pages with all that the sessions have.
    pub(crate) rules: Option<Rules>,
    pub(crate) prices: Option<Prices>,
    pub(crate) cut: Cut,
    pub(crate) page: Options,
    pub(crate) archived: bool,
    pub(crate) without_children: bool,
    /// Whether the search finds what tools gave back.
    pub(crate) with_output: bool,
    /// All of it in one text, to tell whether anything is different the next time.
    pub(crate) fingerprint: String,
}

/// What was made of a session.
#[derive(Debug)]
pub(super) struct Made {
    /// Without its number and what other sessions decide.
    pub(super) row: Row,
    pub(super) page: Vec<u8>,
    /// The script for `data/text/`.
    pub(super) text: Vec<u8>,
    pub(super) words: Vec<String>,
    /// How many secrets were replaced in it.
    pub(super) redacted: usize,
}

/// Why a session could not be made.
#[derive(Debug)]
pub(super) struct Unmade {
    pub(super) why: String,
    /// A secret is left in its page.
    pub(super) has_secrets: bool,
}

impl From<String> for Unmade {
    fn from(why: String) -> Unmade {
        Unmade { why, has_secrets: false }
    }
}

/// What the search of the index reads of a session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Text {
    files: Vec<String>,
    messages: Vec<Message>,
}

impl Settings {
    /// Makes a session; says in words why it cannot be done.
    pub(super) fn make(
        &self,
        stored: &StoredSession,
        options: &ManyOptions,
        family: &[Relative],
    ) -> Result<Made, Unmade> {
        let (session, redacted) = self.read(stored, options)?;
        let redactor = redacted.as_ref().map(Redacted::redactor);
        let mut options = self.page.clone();
        options.family = family.to_vec();
        options.redacted =
            redactor.as_ref().map(|redactor| page::redacted_within(&session, &redactor.report()));
        let redacted = options.redacted.as_ref().map_or(0, redact::Report::places);
        let (digest, outline, steps) = read_with(&session, Threads::ONE, Step::of);
        let work = Work::new(&session, &digest, steps);
        let mut facts = SessionFacts::of(&session, &digest);
        let messages = catalog::messages(&session, &digest, &outline, &work, self.with_output);
        let mut page = Vec::new();
        let read = (&digest, &outline, work);
        page::export_read(&session, &options, Threads::ONE, read, &mut page)
            .map_err(|error| format!("failed to make the page: {error}"))?;
        if let Some(redactor) = &redactor {
            let found = report::page_secrets(&page, redactor, None)
                .map_err(|error| format!("failed to search the page for secrets: {error}"))?;
            if !found.findings.is_empty() {
                let count = counted(found.findings.len(), "possible secret");
                let why = format!("the page still contains {count}");
                return Err(Unmade { why, has_secrets: true });
            }
        }
        facts.latest = facts.latest.or(stored.facts.latest);
        let mut row = Row { labels: labels(&session), ..Row::of(&facts) };
        row.bytes = page.len() as u64;
        let files = facts.files.into_iter().map(|file| file.path).collect();
        let mut text = Text { files, messages };
        let words = text.words(&facts.title);
        let ids = ShortIds::of(&session);
        for message in &mut text.messages {
            let length = ids.beginning(&message.key, SHORTEST_KEY).len();
            message.key.truncate(length);
        }
        Ok(Made { row, page, text: text.script()?, words, redacted })
    }

    /// Reads a session without its secrets and without what is to be left out.
    pub(super) fn read(
        &self,
        stored: &StoredSession,
        options: &ManyOptions,
    ) -> Result<(Session, Option<Redacted>), String> {
        let bytes = whole_bytes(&stored.path, stored.in_file.as_deref());
        let bytes = bytes.ok_or("failed to read the file")?;
        let options = ReadOptions {
            archived: self.archived,
            without_children: self.without_children,
            ..options.of(&stored.path)
        };
        let (mut session, redacted) = if let Some(rules) = &self.rules {
            let read = redact::read_beside(bytes, None, &options, rules, None);
            let (session, redacted) = read.map_err(|error| error.to_string())?;
            (session, Some(redacted))
        } else {
            let read = format::read_with(bytes, None, &options);
            (read.map_err(|error| error.to_string())?, None)
        };
        if let Some(prices) = &self.prices {
            session.set_prices(prices.clone());
        }
        if !self.cut.is_empty() {
            session = cut(session, &self.cut).map_err(|error| error.to_string())?;
        }
        if !was_used(&session) {
            return Err("the session has no messages".to_owned());
        }
        Ok((session, redacted))
    }
}

/// The labels of a session, each once.
fn labels(session: &Session) -> Vec<String> {
    let labels = session.own_indices().filter_map(|index| session.label(index));
    let labels: BTreeSet<&str> = labels.map(|label| &*label.text).collect();
    labels.into_iter().map(str::to_owned).collect()
}

impl Text {
    /// All words by which the search finds a session.
    pub(super) fn words(&self, title: &str) -> Vec<String> {
        let mut all = HashSet::new();
        let mut words = String::new();
        let texts = self.messages.iter().flat_map(Message::texts);
        for part in [title].into_iter().chain(self.files.iter().map(String::as_str)).chain(texts) {
            words.clear();
            catalog::add_words(part, &mut words);
            for word in words.split_terminator(' ') {
                if !all.contains(word) {
                    all.insert(word.to_owned());
                }
            }
        }
        all.into_iter().collect()
    }

    /// The script that holds it.
    pub(super) fn script(mut self) -> Result<Vec<u8>, String> {
        Message::shrink(&mut self.messages);
        let text = serde_json::to_vec(&self);
        Ok(pack::script(&text.map_err(|error| format!("failed to write its texts: {error}"))?))
    }

    /// That of a script; `None` where it is damaged.
    pub(super) fn read(script: &[u8]) -> Option<Text> {
        serde_json::from_slice(&pack::text(script)?).ok()
    }
}

/// A name for the files of a session: its id as far as every file system takes it.
pub(super) fn file_name(id: &str) -> String {
    let name = file_name::of_id(id);
    if name.is_empty() || is_device(&name) {
        format!("session-{}", hash(&[id.as_bytes()]))
    } else {
        name
    }
}

/// Windows has no files of these names.
pub(super) fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
    let name = name.to_ascii_lowercase();
    let of_number = |device: &str| {
        name.strip_prefix(device)
            .is_some_and(|nth| nth.len() == 1 && nth.as_bytes()[0].is_ascii_digit())
    };
    DEVICES.contains(&&*name) || of_number("com") || of_number("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_its_id_alone() {
        for (id, name) in [
            ("0199a3c2-77aa", "0199a3c2-77aa"),
            ("../../etc/x", "______etc_x"),
            ("a<b>\u{202e}", "a_b__"),
            ("session.v1", "session_v1"),
        ] {
            assert_eq!(file_name(id), name);
        }
        assert!(file_name("").starts_with("session-"));
        assert!(file_name("NUL").starts_with("session-"));
        assert!(file_name("com1").starts_with("session-"));
        assert_eq!(file_name(&"x".repeat(300)).len(), 100);
    }
}
