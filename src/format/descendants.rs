//! Sessions that sessions started, read without recursion: nothing bounds how deep they go.

use crate::session::{Child, Session};

/// A child, and what it takes to find its own children.
pub(super) struct FoundChild<T> {
    pub(super) child: Child,
    pub(super) next: Option<T>,
}

/// A sub-agent's session as a tool call names it.
#[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "for sessions of one database"))]
#[derive(Debug, Clone)]
pub(super) struct Started {
    /// The id by which its agent knows the session.
    pub(super) session: String,
    /// The result, or the response where there is none.
    pub(super) entry: String,
    pub(super) agent: Option<String>,
    pub(super) task: Option<String>,
}

/// The session with all that descend from it, not yet merged. `children_of` gives those of one
/// session, of whose ancestors all come before it and none between it and its own;
/// it knows how deep the session lies.
pub(super) fn with_descendants<T>(
    root: Session,
    next: T,
    mut children_of: impl FnMut(&Session, T, usize) -> Vec<FoundChild<T>>,
) -> Session {
    // Each behind the one that started it, which has the number 0 or that of its place from 1.
    let mut all: Vec<(usize, Child)> = Vec::new();
    let mut open = vec![(0, 0, next)];
    while let Some((number, depth, next)) = open.pop() {
        let session = match number {
            0 => Some(&root),
            _ => all[number - 1].1.session.as_deref().ok(),
        };
        let found = session.map(|session| children_of(session, next, depth)).unwrap_or_default();
        let first_open = open.len();
        for FoundChild { child, next } in found {
            all.push((number, child));
            open.extend(next.map(|next| (all.len(), depth + 1, next)));
        }
        open[first_open..].reverse();
    }
    let mut children: Vec<Vec<Child>> = (0..=all.len()).map(|_| Vec::new()).collect();
    while let Some((parent, mut child)) = all.pop() {
        let own = in_order(&mut children[all.len() + 1]);
        child.session = child.session.map(|session| Box::new(session.linked(own)));
        children[parent].push(child);
    }
    root.linked(in_order(&mut children[0]))
}

fn in_order(children: &mut Vec<Child>) -> Vec<Child> {
    let mut children = std::mem::take(children);
    children.reverse();
    children
}
