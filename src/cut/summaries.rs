//! Summaries tell of what they sum up: where any of that is gone, or not whole, they go too.

use crate::session::{Body, EntryIndex, Session};

use super::selection::{Selection, Why};
use super::strip::Text;

/// Rounds in which summaries of branches with summaries in them are looked for one by one.
const ROUNDS: usize = 8;

/// Drops the summaries that may tell of what is not there. One that goes makes what holds it less
/// than whole, and so may bring down a summary of that.
pub(super) fn drop_touched(session: &Session, selection: &Selection, texts: &mut [Option<Text>]) {
    let is_summary = |entry: &EntryIndex| {
        matches!(session.entry_type_at(*entry), "compaction" | "branch_summary")
    };
    let summaries: Vec<EntryIndex> = session.indices().filter(is_summary).collect();
    for round in 0..=ROUNDS {
        let touched = Touched::new(session, selection, texts);
        let mut is_done = true;
        for &entry in &summaries {
            let Some(text) = texts[entry.get()].as_mut().filter(|text| !text.without_summary)
            else {
                continue;
            };
            // So deep within each other, all of them go.
            if round == ROUNDS || touched.tells(session, entry) {
                text.drop_summary();
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
}

/// Which entries are gone or not whole.
struct Touched {
    /// How many there are on the way from the root to each entry, that included.
    on_way: Vec<usize>,
    /// How many there are in each session.
    in_session: Vec<usize>,
}

impl Touched {
    fn new(session: &Session, selection: &Selection, texts: &[Option<Text>]) -> Touched {
        let tree = session.tree();
        let mut touched = Touched {
            on_way: vec![0; session.len()],
            in_session: vec![0; session.sub_sessions().len() + 1],
        };
        for entry in tree.order() {
            let is_new = texts[entry.get()].as_ref().is_some_and(|text| text.is_new);
            let is_gone = selection.why(entry).is_some_and(Why::may_be_summed_up);
            let own = usize::from(is_gone || is_new);
            let above = tree.parent(entry).map_or(0, |parent| touched.on_way[parent.get()]);
            touched.on_way[entry.get()] = above + own;
            touched.in_session[tree.session_of(entry)] += own;
        }
        touched
    }

    fn tells(&self, session: &Session, entry: EntryIndex) -> bool {
        match session.entry_type_at(entry) {
            "compaction" => self.above(session, entry),
            _ => self.beside(session, entry),
        }
    }

    /// A compaction sums up the way to it. Where it begins a tree, what it sums up is elsewhere.
    fn above(&self, session: &Session, entry: EntryIndex) -> bool {
        match session.tree().parent(entry) {
            Some(parent) => self.on_way[parent.get()] > 0,
            None => self.in_session[session.tree().session_of(entry)] > 0,
        }
    }

    /// A branch summary sums up the way from where it hangs to the leaf that was left. Where it
    /// does not say which that was, it may be any.
    fn beside(&self, session: &Session, entry: EntryIndex) -> bool {
        let tree = session.tree();
        let Body::BranchSummary(branch) = session.entry_at(entry).body else { return true };
        let left = session.index_beside(entry, &branch.from_id);
        match (left, tree.parent(entry)) {
            (Some(left), Some(parent)) if left != parent && tree.is_on_path(parent, left) => {
                self.on_way[left.get()] > self.on_way[parent.get()]
            }
            _ => self.in_session[tree.session_of(entry)] > 0,
        }
    }
}
