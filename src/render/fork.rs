//! The branches that part above an entry, by their first words.

use askama::Template;

use crate::session::entry::Body;
use crate::session::message::Message;
use crate::session::text::one_line;
use crate::session::{EntryIndex, Session, title};

use super::{Html, Time, fill};

/// So many branches are listed by their words; of more each only says its number and its neighbors.
const LISTED: usize = 4;

/// Entries that are passed on the way to the words of a branch.
const PASSED: usize = 16;

/// Of the words, in UTF-16 units: more than a line has room for.
const WORDS_UNITS: usize = 120;

#[derive(Template)]
#[template(path = "fork.html")]
struct Fork {
    nth: usize,
    count: usize,
    previous: Option<String>,
    next: Option<String>,
    /// All of them; none where there are too many.
    branches: Vec<ForkBranch>,
}

struct ForkBranch {
    key: String,
    words: String,
    label: Option<String>,
    time: Option<Time>,
}

/// The list above the entry, if it begins one of several branches. Branches that part again before anybody has spoken,
/// behind a summary or a setting, are of one list, at the place where the last of them part.
pub(super) fn above(session: &Session, index: EntryIndex) -> Option<Html> {
    let siblings = session.tree().branch(index);
    if siblings.count < 2 {
        return None;
    }
    let key = |entry: Option<EntryIndex>| entry.map(|entry| session.key_at(entry));
    let Some(starts) = starts(session, index) else {
        return Some(fill(&Fork {
            nth: siblings.nth,
            count: siblings.count,
            previous: key(siblings.previous),
            next: key(siblings.next),
            branches: Vec::new(),
        }));
    };
    let nth = starts.iter().position(|&start| start == index)?;
    let branch = |start| ForkBranch {
        key: session.key_at(start),
        words: words(session, start),
        label: label(session, start),
        time: session.time(start).map(Time::new),
    };
    Some(fill(&Fork {
        nth,
        count: starts.len(),
        previous: key(nth.checked_sub(1).map(|before| starts[before])),
        next: key(starts.get(nth + 1).copied()),
        branches: starts.into_iter().map(branch).collect(),
    }))
}

/// Where the branches of one list begin; `None` where they are more than are listed.
fn starts(session: &Session, index: EntryIndex) -> Option<Vec<EntryIndex>> {
    let tree = session.tree();
    let (mut top, mut above) = (index, tree.parent(index));
    for _ in 0..PASSED {
        let Some(entry) = above.filter(|&entry| is_silent(session, entry)) else { break };
        if tree.branch(entry).count > 1 {
            top = entry;
        }
        above = tree.parent(entry);
    }
    // Before they are collected: each of them asks, and together they would ask for the square of their number.
    if tree.branch(top).count > LISTED {
        return None;
    }
    let mut starts = Vec::new();
    let mut open: Vec<EntryIndex> = match tree.parent(top) {
        Some(parent) => tree.children(parent).rev().collect(),
        None => tree.roots_of(tree.session_of(top)).rev().collect(),
    };
    while let Some(start) = open.pop() {
        match fork_below(session, start) {
            Some(fork) if starts.len() + open.len() + tree.children(fork).len() > LISTED => {
                return None;
            }
            Some(fork) => open.extend(tree.children(fork).rev()),
            None => starts.push(start),
        }
    }
    Some(starts)
}

/// Where a branch parts again before anybody has spoken in it.
fn fork_below(session: &Session, start: EntryIndex) -> Option<EntryIndex> {
    let mut at = start;
    for _ in 0..PASSED {
        if !is_silent(session, at) {
            return None;
        }
        let mut children = session.tree().children(at);
        match children.len() {
            0 => return None,
            1 => at = children.next()?,
            _ => return Some(at),
        }
    }
    None
}

/// A setting, a label, a summary.
fn is_silent(session: &Session, entry: EntryIndex) -> bool {
    match session.entry_at(entry).body {
        Body::Message(message) => matches!(message, Message::System(_)),
        Body::CustomMessage(custom) => !custom.is_prompt(),
        _ => true,
    }
}

/// The first words of a branch.
fn words(session: &Session, start: EntryIndex) -> String {
    let tree = session.tree();
    let mut at = Some(start);
    for _ in 0..PASSED {
        let Some(entry) = at else { break };
        if let Some(words) = title::excerpt(session, entry, WORDS_UNITS) {
            return words;
        }
        at = tree.children(entry).next();
    }
    done_first(session, start).unwrap_or_else(|| "no text".to_owned())
}

/// Where nobody has spoken: the first command of the user, or the tool of the first call.
fn done_first(session: &Session, start: EntryIndex) -> Option<String> {
    let tree = session.tree();
    let below = std::iter::successors(Some(start), |&entry| tree.children(entry).next());
    below.take(PASSED).find_map(|entry| match session.entry_at(entry).body {
        Body::Message(Message::Bash(bash)) => Some(one_line(&bash.command)),
        Body::Message(Message::Assistant(assistant)) => {
            assistant.calls().next().map(|call| one_line(&call.name))
        }
        _ => None,
    })
}

/// Of its first entry, else of the last one of its newest path.
fn label(session: &Session, start: EntryIndex) -> Option<String> {
    let last = session.tree().newest_leaf_below(start);
    let label = session.label(start).or_else(|| session.label(last))?;
    Some(label.text.clone())
}
