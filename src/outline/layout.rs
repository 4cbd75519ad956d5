//! How the visible rows lie: order, indentation, connectors.
//!
//! The rules are those of pi's `/tree` after filtering. They are computed over
//! the visible tree, in which each entry hangs from its nearest visible
//! ancestor. The page's script lays out by the same rules.

use crate::session::{EntryIndex, Tree};

/// Levels drawn exactly; deeper prefixes are shortened with `…`.
const EXACT_LEVELS: usize = 64;

/// A row in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidOut {
    /// The entry.
    pub entry: EntryIndex,
    /// How many levels the row is indented, each three characters wide.
    pub depth: usize,
    /// Indentation and connectors, in box-drawing characters.
    pub prefix: String,
}

/// Lays out the session of each of these leaves, in time linear in the whole.
pub(crate) fn lay_out_all(
    tree: &Tree,
    leaves: &[EntryIndex],
    visible: &[bool],
) -> Vec<Vec<LaidOut>> {
    let parents = visible_parents(tree, visible);
    let mut nodes = vec![Node::default(); tree.len()];
    let rows = |&leaf: &EntryIndex| lay_out_session(tree, leaf, visible, &parents, &mut nodes);
    leaves.iter().map(rows).collect()
}

/// The nearest visible ancestor of every entry, with which a session stands beside its starter.
pub(crate) fn visible_parents(tree: &Tree, visible: &[bool]) -> Vec<Option<EntryIndex>> {
    let mut parents = vec![None; tree.len()];
    for entry in tree.order() {
        parents[entry.get()] = tree.parent(entry).and_then(|parent| {
            if visible[parent.get()] { Some(parent) } else { parents[parent.get()] }
        });
    }
    parents
}

fn lay_out_session(
    tree: &Tree,
    leaf: EntryIndex,
    visible: &[bool],
    parents: &[Option<EntryIndex>],
    shown: &mut [Node],
) -> Vec<LaidOut> {
    let order = display_order(tree, leaf);
    let mut root_count = 0;
    for &entry in order.iter().filter(|&&entry| visible[entry.get()]) {
        match parents[entry.get()] {
            Some(parent) => shown[parent.get()].children += 1,
            None => root_count += 1,
        }
    }
    let several_roots = root_count > 1;

    let mut rows = Vec::new();
    for entry in order.into_iter().filter(|&entry| visible[entry.get()]) {
        let children = shown[entry.get()].children;
        let node = match parents[entry.get()] {
            None => Node {
                indent: usize::from(several_roots),
                branched: several_roots,
                children,
                ..Node::default()
            },
            Some(parent) => {
                shown[parent.get()].children_seen += 1;
                shown[parent.get()].child(children)
            }
        };
        let depth = node.indent - usize::from(several_roots && node.indent > 0);
        rows.push(LaidOut { entry, depth, prefix: node.prefix(depth) });
        shown[entry.get()] = Node { gutters: node.gutters_below(depth), ..node };
    }
    rows
}

/// What the layout knows of a visible entry.
#[derive(Clone, Copy, Default)]
struct Node {
    indent: usize,
    /// One of several siblings, or of several roots.
    branched: bool,
    /// Draws a connector: one of several siblings.
    connector: bool,
    is_last: bool,
    /// Levels with a vertical line, one bit each.
    gutters: u64,
    children: usize,
    children_seen: usize,
}

impl Node {
    /// The next child, which itself has `children`.
    fn child(&self, children: usize) -> Node {
        let forks = self.children > 1;
        let deeper = forks || (self.branched && self.indent > 0);
        Node {
            indent: self.indent + usize::from(deeper),
            branched: forks,
            connector: forks,
            is_last: self.children_seen == self.children,
            gutters: self.gutters,
            children,
            children_seen: 0,
        }
    }

    fn gutters_below(&self, depth: usize) -> u64 {
        let level = depth.saturating_sub(1);
        let draws = self.connector && !self.is_last && level < EXACT_LEVELS;
        self.gutters | (u64::from(draws) << (level % EXACT_LEVELS))
    }

    fn prefix(&self, depth: usize) -> String {
        let own = if self.is_last { "└─ " } else { "├─ " };
        let mut prefix = String::with_capacity(depth.min(EXACT_LEVELS) * 5);
        for level in 0..depth.min(EXACT_LEVELS) {
            prefix.push_str(if self.gutters >> level & 1 == 1 {
                "│  "
            } else if self.connector && level + 1 == depth {
                own
            } else {
                "   "
            });
        }
        if depth > EXACT_LEVELS {
            prefix.push('…');
            if self.connector {
                prefix.push_str(own);
            }
        }
        prefix
    }
}

/// Depth first, the roots and children whose subtree holds `leaf` ahead of the rest.
fn display_order(tree: &Tree, leaf: EntryIndex) -> Vec<EntryIndex> {
    let mut order = Vec::with_capacity(tree.len());
    let mut stack = Vec::new();
    let roots = tree.roots_of(tree.session_of(leaf));
    push_active_last(roots.rev(), tree, leaf, &mut stack);
    while let Some(entry) = stack.pop() {
        order.push(entry);
        push_active_last(tree.children(entry).rev(), tree, leaf, &mut stack);
    }
    order
}

/// Siblings onto the stack, so that the active one is popped first.
fn push_active_last(
    siblings: impl Iterator<Item = EntryIndex>,
    tree: &Tree,
    leaf: EntryIndex,
    stack: &mut Vec<EntryIndex>,
) {
    let mut active = None;
    for sibling in siblings {
        if tree.is_on_path(sibling, leaf) {
            active = Some(sibling);
        } else {
            stack.push(sibling);
        }
    }
    stack.extend(active);
}

#[cfg(test)]
mod tests;
