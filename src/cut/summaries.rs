//! Summaries tell of what they sum up: where any of that is gone, or not whole, they go too.

use crate::session::{Body, EntryIndex, Session};

use super::select::Selection;
use super::strip::Text;

/// Drops the summaries that may tell of what is not there.
pub(super) fn drop_touched(session: &Session, selection: &Selection, texts: &mut [Option<Text>]) {
    let touched = Touched::new(session, selection, texts);
    for (entry, text) in texts.iter_mut().enumerate() {
        let Some(text) = text else { continue };
        let tells = match session.entry_type(entry) {
            "compaction" => touched.above(session, entry),
            "branch_summary" => touched.beside(session, entry),
            _ => false,
        };
        if tells {
            text.drop_summary();
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
            in_session: vec![0; session.children().len() + 1],
        };
        for entry in tree.order() {
            let is_new = texts[entry].as_ref().is_some_and(|text| text.is_new);
            let own = usize::from(selection.is_gone(entry) || is_new);
            let above = tree.parent(entry).map_or(0, |parent| touched.on_way[parent]);
            touched.on_way[entry] = above + own;
            touched.in_session[tree.session_of(entry)] += own;
        }
        touched
    }

    /// A compaction sums up the way to it. Where it begins a tree, what it sums up is elsewhere.
    fn above(&self, session: &Session, entry: EntryIndex) -> bool {
        match session.tree().parent(entry) {
            Some(parent) => self.on_way[parent] > 0,
            None => self.in_session[session.tree().session_of(entry)] > 0,
        }
    }

    /// A branch summary sums up the way from where it hangs to the leaf that was left. Where it
    /// does not say which that was, it may be any.
    fn beside(&self, session: &Session, entry: EntryIndex) -> bool {
        let tree = session.tree();
        let Body::BranchSummary(branch) = session.entry(entry).body else { return true };
        let left = session.index_beside(entry, &branch.from_id);
        match (left, tree.parent(entry)) {
            (Some(left), Some(parent)) if left != parent && tree.is_on_path(parent, left) => {
                self.on_way[left] > self.on_way[parent]
            }
            _ => self.in_session[tree.session_of(entry)] > 0,
        }
    }
}
