//! Lines that make one entry: the parts of a response, a compaction and its
//! summary, a command and its output.
//!
//! Claude Code writes each block of a response as a line, with lines of others between. `group` goes along the file
//! once and finds the response that a further part belongs to by its ids. Lines whose parent is not in the file hang,
//! all of them, from the line above the first: so those of a lost branch point still part there.

use std::collections::HashMap;

use super::replays::Links;
use super::row::{Row, RowKind, Task};

/// One entry to be, or several in line (the results of one line).
#[derive(Debug)]
pub(super) struct Node {
    /// Its rows in file order, at least one.
    pub(super) rows: Vec<usize>,
    pub(super) parent: Option<usize>,
    /// A parent that is not in the file.
    pub(super) missing: Option<String>,
    pub(super) is_typed: bool,
    /// Of a response, the last row that came while it was the newest: its last part or
    /// the last result of its calls.
    pub(super) open_until: Option<usize>,
}

/// The nodes of one session: the main one, or a sub-agent's.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    pub(super) list: Vec<Node>,
    /// The node of each row that is in one.
    pub(super) of_row: HashMap<usize, usize>,
    pub(super) calls: HashMap<String, CallPlace>,
    /// Whether a node hangs from the call it answers.
    has_call: Vec<bool>,
    /// The last node that is no orphan.
    linked: Option<usize>,
    /// The newest response.
    response: Option<usize>,
    /// The places of parents that are not in the file.
    lost: HashMap<String, usize>,
    /// Orphans that hang from the line before them.
    pub(super) joined: Vec<usize>,
}

/// Where a tool was called.
#[derive(Debug)]
pub(super) struct CallPlace {
    pub(super) node: usize,
    pub(super) name: String,
    pub(super) task: Option<Task>,
}

/// A response that is still open for further parts.
struct Open {
    node: usize,
    /// How many prompts had been typed by its last part.
    prompts: usize,
}

// One response is several lines of one message id and request id (1.0.98 to 2.1.330), which results may part.
pub(super) fn group(rows: &[Row], links: &Links, members: &[usize]) -> Nodes {
    let is_list = is_list(rows, links, members);
    let mut nodes = Nodes::default();
    let mut open: HashMap<(&str, Option<&str>), Open> = HashMap::new();
    let mut prompts = 0;
    let mut before = None;
    for &at in members.iter().filter(|&&at| !links.is_left_out(at)) {
        let row = &rows[at];
        prompts += usize::from(row.kind.is_typed() || row.kind == RowKind::Queued);
        let response = row.response.as_ref().map(|(id, request)| (id.as_str(), request.as_deref()));
        let known = response.and_then(|response| open.get_mut(&response));
        let joined = match known {
            // Some providers give all messages one id; a request's id is its own.
            Some(known)
                if row.response.as_ref().is_some_and(|(_, request)| request.is_some())
                    || known.prompts == prompts =>
            {
                known.prompts = prompts;
                Some(known.node)
            }
            _ => nodes.partner(rows, links, at),
        };
        let node = joined.unwrap_or_else(|| nodes.add(rows, at, links, is_list, before));
        if joined.is_some() {
            nodes.list[node].rows.push(at);
            // A command that ran at the person's side asked nothing of the model.
            nodes.list[node].is_typed &= row.kind != RowKind::Output;
        } else if let Some(response) = response {
            open.insert(response, Open { node, prompts });
        }
        nodes.of_row.insert(at, node);
        nodes.extend_response(row, node, at);
        before = Some(at);
        for call in &row.calls {
            let place = CallPlace { node, name: call.name.clone(), task: call.task.clone() };
            nodes.calls.insert(call.id.clone(), place);
        }
    }
    nodes.follow(links);
    nodes
}

/// Whether the file is a plain list, to be read as a chain: no line hangs from another,
/// or hardly one does among lines that have neither an id nor a parent.
fn is_list(rows: &[Row], links: &Links, members: &[usize]) -> bool {
    let linked = members.iter().filter(|&&at| links.up[at].is_some()).count();
    let is_unlinked = |at: &&usize| rows[**at].is_unlinked && rows[**at].fate.is_none();
    let unlinked = members.iter().filter(is_unlinked).count();
    members.len() > 1 && (linked == 0 || linked < unlinked)
}

/// Whether a line whose parent is not in the file goes on from the line above it. Files
/// are cut, and begun in the middle of a session, while their lines stand in sequence:
/// as a root such a line would hide all that was said above it.
fn follows(above: &Row, row: &Row) -> bool {
    above.session == row.session
        && above.is_sidechain == row.is_sidechain
        && (above.agent == row.agent || above.fate.is_some())
}

impl Nodes {
    fn add(
        &mut self,
        rows: &[Row],
        at: usize,
        links: &Links,
        is_list: bool,
        above: Option<usize>,
    ) -> usize {
        let row = &rows[at];
        let call = row.answers.iter().find_map(|id| self.calls.get(id)).map(|call| call.node);
        // A list goes on past an orphan that is a root.
        let before = if is_list { self.linked } else { self.list.len().checked_sub(1) };
        let unknown = row.parent.as_ref().filter(|_| links.up[at].is_none());
        let (parent, missing) = match (call, unknown) {
            (Some(call), _) => (Some(call), None),
            (None, Some(id)) => match self.place_of_lost(rows, row, id, above) {
                Some(parent) => {
                    self.joined.push(at);
                    (Some(parent), None)
                }
                None => (None, Some(id.clone())),
            },
            // A second prompt at the root is a branch, anything else goes on from the line before.
            (None, None) if row.kind.is_typed() && !is_list && !row.is_unlinked => (None, None),
            (None, None) => (before, None),
        };
        self.has_call.push(call.is_some());
        let is_local = links.up[at].is_some_and(|up| rows[up].kind == RowKind::Caveat);
        let is_typed = row.kind.is_typed()
            && !(is_local && row.kind == RowKind::Command)
            && !links.settled.contains(&at);
        let node = self.list.len();
        if missing.is_none() {
            self.linked = Some(node);
        }
        self.list.push(Node { rows: vec![at], parent, missing, is_typed, open_until: None });
        node
    }

    /// What stands for a parent that is not in the file: the line above the first of its
    /// children, for all of them, so that those of a lost branch point still part there.
    fn place_of_lost(
        &mut self,
        rows: &[Row],
        row: &Row,
        id: &str,
        above: Option<usize>,
    ) -> Option<usize> {
        if let Some(&place) = self.lost.get(id) {
            return Some(place);
        }
        let above = above.filter(|&above| follows(&rows[above], row))?;
        let place = self.of_row.get(&above).copied()?;
        self.lost.insert(id.to_owned(), place);
        Some(place)
    }

    /// Notes how long a response is open: until the next one begins.
    fn extend_response(&mut self, row: &Row, node: usize, at: usize) {
        if row.kind == RowKind::Assistant && self.list[node].rows.len() == 1 {
            self.response = Some(node);
        }
        let Some(response) = self.response else { return };
        let answers = |id: &String| self.calls.get(id).is_some_and(|call| call.node == response);
        if node == response || row.answers.iter().any(answers) {
            self.list[response].open_until = Some(at);
        }
    }

    /// Hangs nodes from those that their lines name, which may stand further down.
    fn follow(&mut self, links: &Links) {
        for node in (0..self.list.len()).filter(|&node| !self.has_call[node]) {
            let at = self.list[node].rows[0];
            let Some(up) = links.up[at] else { continue };
            match self.of_row.get(&up) {
                // Parts of one response in another order than they hang in.
                Some(&own) if own == node && up != at => {}
                Some(&parent) => self.list[node].parent = Some(parent),
                None => {}
            }
        }
    }

    /// The node that a summary or an output belongs to, if that lacks one.
    // The line behind a `compact_boundary` is a user's with `isCompactSummary` (2.1.37, 2.1.197).
    fn partner(&self, rows: &[Row], links: &Links, at: usize) -> Option<usize> {
        let wanted = match rows[at].kind {
            RowKind::Summary => RowKind::Boundary,
            RowKind::Output => RowKind::Command,
            _ => return None,
        };
        let up = links.up[at].and_then(|up| self.of_row.get(&up).copied());
        let before = self.list.len().checked_sub(1);
        [up, before].into_iter().flatten().find(|&node| {
            let [only] = self.list[node].rows[..] else { return false };
            rows[only].kind == wanted
        })
    }
}
