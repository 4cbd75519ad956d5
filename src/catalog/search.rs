//! Which sessions have what a query asks for, the best first.
//!
//! A query is that of the page: words, phrases and operators, all of which one message must meet; a title may meet those
//! of words alone. Operators of the session stand beside them: `project:`, `agent:`, `session:`, `file:`. What the index
//! finds by its words is looked at once more where the words alone do not decide.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::database::{Catalog, CatalogError};
use super::excerpt::{Excerpt, excerpt};
use super::facts::SessionFacts;
use super::message::Message;
use super::row_number::RowNumber;
use super::store::{Reader, StoredSession};
use super::words::Asked;
use crate::find::{read_options, read_whole};
use crate::outline::{OwnTerm, Query, normalised, take_own};
use crate::progress::{Progress, Steps, Task};
use crate::report;
use crate::session::Kind;

/// What is asked of a session and not of its messages.
const OPERATORS: [&str; 4] = ["project", "agent", "session", "file"];

/// Of a session, so many hits are given.
const HITS: usize = 3;

/// How much the next best hits of a session count beside its best one.
const NEXT_COUNT: [f64; 3] = [1.0, 0.25, 0.1];

/// A search of all sessions.
#[derive(Debug)]
pub struct Search {
    own: Vec<OwnTerm>,
    query: Query,
    /// The part of the query that is asked of messages, as typed.
    pub of_messages: String,
}

/// In which order sessions are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The best matches first.
    Best,
    /// The newest first.
    Newest,
}

/// What a search found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// How many sessions were found.
    pub total: usize,
    /// How many sessions had to be read, and could not.
    pub unread: usize,
    /// The first of those that were found.
    pub sessions: Vec<FoundIn>,
}

/// A session with its hits, the best first.
#[derive(Debug)]
#[non_exhaustive]
pub struct FoundIn {
    /// The session.
    pub session: StoredSession,
    /// Its best hits, at most three; none where its title alone matches.
    pub hits: Vec<Hit>,
    /// How many messages match.
    pub count: usize,
}

/// A message that meets the query.
#[derive(Debug)]
#[non_exhaustive]
pub struct Hit {
    /// The entry's key.
    pub key: String,
    /// What the entry is.
    pub kind: Kind,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The words around what was found.
    pub excerpt: Excerpt,
}

/// The messages of a session that may match.
#[derive(Debug, Default)]
struct Candidates {
    /// Numbers and scores; `None` where all may.
    messages: Option<Vec<(usize, f64)>>,
    in_title: bool,
    score: f64,
}

impl Candidates {
    fn of(found: &[RowNumber]) -> Candidates {
        let mut of_session = Candidates::default();
        let mut messages = Vec::new();
        for number in found {
            if number.nth() == 0 {
                of_session.in_title = true;
                of_session.score += number.score();
            } else {
                messages.push((number.nth(), number.score()));
            }
        }
        messages.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal));
        let best = messages.iter().zip(NEXT_COUNT).map(|((_, score), count)| score * count);
        of_session.score += best.sum::<f64>();
        of_session.messages = Some(messages);
        of_session
    }
}

impl Search {
    /// Reads a search as typed. Every text is a query.
    pub fn new(query: &str) -> Search {
        let (own, of_messages) = take_own(query, &OPERATORS);
        Search { own, query: Query::new(&of_messages), of_messages }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.query.is_empty()
    }

    /// Searches all that the catalog's sessions show, tool output and thinking included: reads each of them, the newest
    /// first.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read.
    pub fn run_full(
        &self,
        catalog: &Catalog,
        limit: usize,
        progress: Option<Progress>,
    ) -> Result<Found, CatalogError> {
        let _snapshot = catalog.snapshot()?;
        let newest = catalog.newest()?;
        let steps = Steps::new(progress, Task::Find, newest.len());
        let mut reader = catalog.reader()?;
        let mut found = Found::default();
        for id in newest {
            steps.add(1);
            let Some(session) = reader.session(id)?.filter(|session| self.is_of(&session.facts))
            else {
                continue;
            };
            let Some((hits, count)) = self.hits_in_file(&session, &mut found.unread) else {
                continue;
            };
            found.total += 1;
            if found.sessions.len() < limit {
                found.sessions.push(FoundIn { session, hits, count });
            }
        }
        Ok(found)
    }

    /// The first hits in all that a session shows, and how many there are; `None` where it has none, not even its title.
    fn hits_in_file(
        &self,
        stored: &StoredSession,
        unread: &mut usize,
    ) -> Option<(Vec<Hit>, usize)> {
        if self.query.is_empty() {
            return Some((Vec::new(), 0));
        }
        let Some(session) =
            read_whole(&stored.path, stored.in_file.as_deref(), &read_options(&stored.path))
        else {
            *unread += 1;
            return None;
        };
        let matches = report::matches(&session, &self.query, HITS);
        let texts: Vec<&str> = self.query.texts().collect();
        let count = matches.len();
        let hits = matches.into_iter().filter_map(|(index, kind, text)| {
            let excerpt = excerpt(&text?, &texts);
            Some(Hit { key: session.key_at(index), kind, time: session.time(index), excerpt })
        });
        let is_found = count > 0 || self.query.matches_text(&stored.facts.title);
        is_found.then(|| (hits.collect(), count))
    }

    /// Searches the catalog; gives the first `limit` sessions.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read.
    pub fn run(
        &self,
        catalog: &Catalog,
        order: Order,
        limit: usize,
    ) -> Result<Found, CatalogError> {
        let _snapshot = catalog.snapshot()?;
        let asked: Vec<Asked> = self.query.texts().map(Asked::of).collect();
        let is_exact = self.query.is_of_texts() && asked.iter().all(|asked| asked.is_exact);
        let newest = catalog.newest()?;
        let places: HashMap<i64, usize> = newest.iter().copied().zip(0..).collect();
        let place = |id: i64| places.get(&id).copied().unwrap_or(usize::MAX);
        let candidates = Search::candidates(catalog, &asked, &newest)?;
        let mut ranked: Vec<(i64, Candidates)> = candidates.into_iter().collect();
        ranked.sort_by(|(a, of_a), (b, of_b)| {
            let by_score = of_b.score.partial_cmp(&of_a.score).unwrap_or(Ordering::Equal);
            let by_score = if order == Order::Best { by_score } else { Ordering::Equal };
            by_score.then_with(|| place(*a).cmp(&place(*b)))
        });
        let mut found = Found::default();
        let mut reader = catalog.reader()?;
        for (id, candidates) in ranked {
            let is_shown = found.sessions.len() < limit;
            if is_exact && self.own.is_empty() && !is_shown {
                found.total += 1;
                continue;
            }
            let Some(session) = reader.session(id)? else { continue };
            if !self.is_of(&session.facts) {
                continue;
            }
            // Of those that are counted alone, one hit tells enough.
            let most = if is_shown { usize::MAX } else { 1 };
            let Some((hits, count)) =
                self.hits(&mut reader, &session, &candidates, (is_exact, most))?
            else {
                continue;
            };
            // What is excluded may stand where the index does not look.
            let (hits, count) = if self.query.excludes_texts() {
                let Some(hits) = self.hits_in_file(&session, &mut found.unread) else { continue };
                hits
            } else {
                (hits, count)
            };
            found.total += 1;
            if is_shown {
                found.sessions.push(FoundIn { session, hits, count });
            }
        }
        Ok(found)
    }

    /// What the index says, by session.
    fn candidates(
        catalog: &Catalog,
        asked: &[Asked],
        newest: &[i64],
    ) -> Result<HashMap<i64, Candidates>, CatalogError> {
        let terms: Vec<&str> =
            asked.iter().filter_map(|asked| asked.expression.as_deref()).collect();
        if terms.is_empty() {
            return Ok(newest.iter().map(|&id| (id, Candidates::default())).collect());
        }
        let found = catalog.matches(&terms.join(" AND "))?;
        let by_session = found.chunk_by(|a, b| a.session() == b.session());
        Ok(by_session.map(|found| (found[0].session(), Candidates::of(found))).collect())
    }

    /// The hits among the candidates of a session, and how many there are, up to `most`; `None` where it has none, not even
    /// its title.
    fn hits(
        &self,
        reader: &mut Reader<'_>,
        session: &StoredSession,
        candidates: &Candidates,
        (is_exact, most): (bool, usize),
    ) -> Result<Option<(Vec<Hit>, usize)>, CatalogError> {
        if self.query.is_empty() {
            return Ok(Some((Vec::new(), 0)));
        }
        let texts: Vec<&str> = self.query.texts().collect();
        let hit = |message: Message| Hit {
            excerpt: excerpt(message.shown(), &texts),
            key: message.key,
            kind: message.kind,
            time: message.time,
        };
        let in_title = match candidates.messages {
            Some(_) => candidates.in_title && self.query.matches_text(&session.facts.title),
            None => self.query.matches_text(&session.facts.title),
        };
        let (hits, count) = match &candidates.messages {
            Some(messages) if is_exact => {
                let mut hits = Vec::new();
                for (nth, _) in messages.iter().take(HITS) {
                    hits.extend(reader.message(session.id, *nth)?.map(hit));
                }
                (hits, messages.len())
            }
            of_index => {
                let all = reader.messages(session.id)?;
                let numbers: Vec<usize> = match of_index {
                    Some(messages) => messages.iter().map(|(nth, _)| *nth).collect(),
                    None => (1..=all.len()).collect(),
                };
                let is_hit = |nth: &usize| {
                    let message = all.get(nth - 1);
                    message.is_some_and(|message| {
                        message.with_subject(|subject| self.query.matches(subject))
                    })
                };
                let numbers: Vec<usize> = numbers.into_iter().filter(is_hit).take(most).collect();
                let hits = numbers.iter().take(HITS).map(|nth| hit(all[nth - 1].clone()));
                (hits.collect(), numbers.len())
            }
        };
        Ok((count > 0 || in_title).then_some((hits, count)))
    }

    /// Whether a session meets what is asked of it and not of its messages.
    pub fn is_of(&self, facts: &SessionFacts) -> bool {
        let holds = |term: &OwnTerm| {
            let has = |text: &str| normalised(text).contains(&term.value);
            match term.name.as_str() {
                "project" => facts.project.as_deref().is_some_and(has) || has(&facts.cwd),
                // `pi` stands in `copilot`, too.
                "agent" => facts.agent.starts_with(&term.value),
                "session" => normalised(&facts.id).starts_with(&term.value),
                _ => facts.files.iter().any(|file| has(&file.path)),
            }
        };
        self.own.iter().all(|term| holds(term) != term.negated)
    }
}
