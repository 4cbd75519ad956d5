//! Who is whose parent: flat index arrays, built in linear time.
//!
//! Nothing here recurses: real sessions are chains of many thousands of entries.
//!
//! All orders are arrays by entry: document order, the end of each subtree, depth, the newest leaf. "Is this on the
//! path to that leaf" is then two comparisons, which the outline asks for every entry and every leaf.

use super::index::EntryIndex;

const NONE: u32 = u32::MAX;

/// The tree over a session's entries.
///
/// Every entry is in it exactly once. A parent that is not there makes a root,
/// and a circle of parents is cut at its earliest entry, which becomes a root.
///
/// Sessions that an entry started hang from it without being branches: paths and
/// contexts of each session begin at its own roots, and document order puts a
/// session directly behind the entry that started it, before that entry's children.
///
/// ```
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let tree = session.tree();
/// for fork in tree.branch_points() {
///     println!("{} ways on from {:?}", tree.children(fork).len(), session.id(fork));
/// }
/// assert!(tree.leaves().all(|leaf| tree.path(leaf).len() == tree.depth(leaf) + 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Tree {
    parent: Vec<u32>,
    child_start: Vec<u32>,
    children: Vec<u32>,
    roots: Vec<u32>,
    order: Vec<u32>,
    position: Vec<u32>,
    subtree_end: Vec<u32>,
    depth: Vec<u32>,
    rank: Vec<u32>,
    newest_leaf: Vec<u32>,
    /// The session of each entry; empty where there is only one.
    session: Vec<u32>,
    /// Where the roots of each session begin, and where the last ones end.
    root_start: Vec<u32>,
    /// Each further session behind the entry that started it, sorted.
    started: Vec<(u32, u32)>,
}

/// A session within the tree: its entries, which follow each other, and where it hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChildLink {
    /// The first of its entries.
    pub first: EntryIndex,
    /// The entry that started it, one of another session.
    pub started_by: EntryIndex,
}

/// One of several ways on from an entry, or one of several roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// Which one, from 0.
    pub nth: usize,
    /// How many there are; 1 where nothing parts.
    pub count: usize,
    /// The first entry of the branch before.
    pub previous: Option<EntryIndex>,
    /// The first entry of the branch after.
    pub next: Option<EntryIndex>,
}

#[expect(clippy::cast_possible_truncation, reason = "a session holds fewer than 2^32 entries")]
fn small(index: usize) -> u32 {
    index as u32
}

fn entry(index: u32) -> EntryIndex {
    EntryIndex::new(index as usize)
}

impl Tree {
    /// Builds the tree from each entry's parent and time (milliseconds), both
    /// in file order. Also gives the entries at which a circle was cut.
    pub(crate) fn build(
        parents: &[Option<EntryIndex>],
        times: &[Option<i64>],
    ) -> (Tree, Vec<EntryIndex>) {
        Tree::build_all(parents, times, &[])
    }

    /// The same with further sessions, whose entries follow those of the first; no parent is of
    /// another session.
    pub(crate) fn build_all(
        parents: &[Option<EntryIndex>],
        times: &[Option<i64>],
        further: &[ChildLink],
    ) -> (Tree, Vec<EntryIndex>) {
        let mut parents: Vec<Option<usize>> =
            parents.iter().map(|parent| parent.map(EntryIndex::get)).collect();
        let cuts = cut_cycles(&mut parents).into_iter().map(EntryIndex::new).collect();
        let parent: Vec<u32> = parents.iter().map(|p| p.map_or(NONE, small)).collect();
        let (child_start, mut children) = group_by_parent(&parent);
        let roots: Vec<u32> = (0..parent.len()).filter(|&i| parent[i] == NONE).map(small).collect();

        let session = sessions(parent.len(), further);
        let firsts = std::iter::once(0).chain(further.iter().map(|link| link.first.get()));
        let before = |first| small(roots.partition_point(|&root| (root as usize) < first));
        let root_start: Vec<u32> = firsts.map(before).chain([small(roots.len())]).collect();
        let mut started: Vec<(u32, u32)> = (1..)
            .zip(further)
            .map(|(number, link)| (small(link.started_by.get()), number))
            .collect();
        started.sort_unstable();

        let times = effective_times(times, &child_start, &children, &roots, &root_start);
        for entry in 0..parent.len() {
            let siblings =
                &mut children[child_start[entry] as usize..child_start[entry + 1] as usize];
            siblings.sort_by_key(|&child| times[child as usize]);
        }

        let mut tree = Tree {
            parent,
            child_start,
            children,
            roots,
            session,
            root_start,
            started,
            ..Tree::default()
        };
        tree.order = tree.depth_first();
        tree.position = vec![0; tree.len()];
        for (at, &entry) in tree.order.iter().enumerate() {
            tree.position[entry as usize] = small(at);
        }
        tree.subtree_end = tree.subtree_ends();
        tree.depth = tree.depths();
        tree.rank = tree.ranks();
        tree.newest_leaf = tree.newest_leaves(&times);
        (tree, cuts)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The parent; `None` for a root.
    pub fn parent(&self, at: EntryIndex) -> Option<EntryIndex> {
        self.parent.get(at.get()).filter(|&&parent| parent != NONE).map(|&parent| entry(parent))
    }

    /// The children by time; an unreadable time counts as the sibling's before it.
    pub fn children(
        &self,
        parent: EntryIndex,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + '_ {
        self.child_slice(parent).iter().map(|&child| entry(child))
    }

    fn child_slice(&self, parent: EntryIndex) -> &[u32] {
        let at = parent.get();
        let Some(&[from, to]) = self.child_start.get(at..at + 2) else { return &[] };
        &self.children[from as usize..to as usize]
    }

    /// The roots of the first session in file order.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + '_ {
        self.roots_of(0)
    }

    /// The roots of a session in file order: 0 is the first session, the sub-sessions follow from 1 on. A number
    /// beyond them has none.
    pub fn roots_of(
        &self,
        session: usize,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + '_ {
        self.root_slice(session).iter().map(|&root| entry(root))
    }

    fn root_slice(&self, session: usize) -> &[u32] {
        let Some(&[from, to]) = self.root_start.get(session..session + 2) else { return &[] };
        &self.roots[from as usize..to as usize]
    }

    /// The number of an entry's session: 0 for the first, then in the order in which they were given.
    pub fn session_of(&self, entry: EntryIndex) -> usize {
        self.session.get(entry.get()).map_or(0, |&session| session as usize)
    }

    /// The numbers of the sessions that an entry started, from 1 on as in [`Tree::session_of`].
    pub fn started_by(
        &self,
        entry: EntryIndex,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        let entry = small(entry.get());
        let from = self.started.partition_point(|&(by, _)| by < entry);
        let to = self.started.partition_point(|&(by, _)| by <= entry);
        self.started[from..to].iter().map(|&(_, session)| session as usize)
    }

    /// All entries depth first: each before its children, children by time, and
    /// sessions that it started between them. Every path from a root to a leaf
    /// is a subsequence of it.
    pub fn order(&self) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + '_ {
        self.order.iter().map(|&at| entry(at))
    }

    /// An entry's place in [`Tree::order`], counted from 0; `None` for one that is not in the tree.
    pub fn position(&self, entry: EntryIndex) -> Option<usize> {
        self.position.get(entry.get()).map(|&place| place as usize)
    }

    pub(crate) fn position_at(&self, entry: EntryIndex) -> usize {
        self.position[entry.get()] as usize
    }

    /// Whether the tree has such an entry: not one of another session with more entries.
    pub(crate) fn has(&self, entry: EntryIndex) -> bool {
        entry.get() < self.len()
    }

    /// The path from the root to `leaf`, both included.
    pub fn path(&self, leaf: EntryIndex) -> Vec<EntryIndex> {
        let mut path: Vec<EntryIndex> = self.ancestors(leaf).collect();
        path.reverse();
        path
    }

    /// The entry itself, its parent, and so on up to the root.
    pub fn ancestors(&self, entry: EntryIndex) -> impl Iterator<Item = EntryIndex> + '_ {
        let first = Some(entry).filter(|&entry| self.has(entry));
        std::iter::successors(first, |&entry| self.parent(entry))
    }

    /// How many entries lie above.
    pub fn depth(&self, entry: EntryIndex) -> usize {
        self.depth.get(entry.get()).map_or(0, |&depth| depth as usize)
    }

    /// The branches that part above `entry`: the children of its parent, or the roots.
    pub fn branch(&self, first: EntryIndex) -> Branch {
        let siblings = match self.parent(first) {
            Some(parent) => self.child_slice(parent),
            None => self.root_slice(self.session_of(first)),
        };
        let nth = self.rank.get(first.get()).map_or(0, |&nth| nth as usize);
        let at = |nth: usize| siblings.get(nth).map(|&at| entry(at));
        Branch {
            nth,
            count: siblings.len(),
            previous: nth.checked_sub(1).and_then(at),
            next: at(nth + 1),
        }
    }

    /// Whether `entry` lies on the path to `leaf`.
    pub fn is_on_path(&self, entry: EntryIndex, leaf: EntryIndex) -> bool {
        if !self.has(entry) || !self.has(leaf) {
            return false;
        }
        let range = self.position_at(entry)..self.subtree_end[entry.get()] as usize;
        // The sessions started below an entry lie in its range too.
        range.contains(&self.position_at(leaf)) && self.session_of(entry) == self.session_of(leaf)
    }

    /// Entries of the first session without children, depth first.
    pub fn leaves(&self) -> impl Iterator<Item = EntryIndex> + '_ {
        self.first_session().filter(|&entry| self.children(entry).len() == 0)
    }

    /// Entries of the first session with several children, depth first.
    pub fn branch_points(&self) -> impl Iterator<Item = EntryIndex> + '_ {
        self.first_session().filter(|&entry| self.children(entry).len() > 1)
    }

    fn first_session(&self) -> impl Iterator<Item = EntryIndex> + '_ {
        self.order().filter(|&entry| self.session_of(entry) == 0)
    }

    /// All entries, session by session, each depth first.
    pub fn by_session(&self) -> Vec<EntryIndex> {
        let mut order: Vec<EntryIndex> = self.order().collect();
        order.sort_by_key(|&entry| self.session_of(entry));
        order
    }

    /// The childless entry below `entry`, or itself, that is newest by time;
    /// of equally new ones the later in the file.
    pub fn newest_leaf_below(&self, top: EntryIndex) -> EntryIndex {
        self.newest_leaf.get(top.get()).map_or(top, |&leaf| entry(leaf))
    }

    /// The deepest entry on both paths; `None` under different roots.
    pub fn common_ancestor(&self, a: EntryIndex, b: EntryIndex) -> Option<EntryIndex> {
        self.ancestors(a).find(|&entry| self.is_on_path(entry, b))
    }

    fn depth_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.len());
        let mut stack: Vec<EntryIndex> = self.roots().rev().collect();
        while let Some(entry) = stack.pop() {
            order.push(small(entry.get()));
            stack.extend(self.children(entry).rev());
            for session in self.started_by(entry).rev() {
                stack.extend(self.roots_of(session).rev());
            }
        }
        order
    }

    fn subtree_ends(&self) -> Vec<u32> {
        let mut ends: Vec<u32> = self.position.iter().map(|&at| at + 1).collect();
        for entry in self.order().rev() {
            if let Some(parent) = self.parent(entry) {
                ends[parent.get()] = ends[parent.get()].max(ends[entry.get()]);
            }
        }
        ends
    }

    fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        for entry in self.order() {
            if let Some(parent) = self.parent(entry) {
                depths[entry.get()] = depths[parent.get()] + 1;
            }
        }
        depths
    }

    /// Each entry's place among its siblings.
    fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.len()];
        for start in self.root_start.windows(2) {
            for (nth, &root) in self.roots[start[0] as usize..start[1] as usize].iter().enumerate()
            {
                ranks[root as usize] = small(nth);
            }
        }
        for start in self.child_start.windows(2) {
            let siblings = &self.children[start[0] as usize..start[1] as usize];
            for (nth, &child) in siblings.iter().enumerate() {
                ranks[child as usize] = small(nth);
            }
        }
        ranks
    }

    fn newest_leaves(&self, times: &[i64]) -> Vec<u32> {
        // An inner entry is no candidate itself: something below it is the leaf.
        let candidate = |at: usize| match self.child_slice(EntryIndex::new(at)) {
            [] => small(at),
            _ => NONE,
        };
        let mut newest: Vec<u32> = (0..self.len()).map(candidate).collect();
        for entry in self.order().rev() {
            let Some(parent) = self.parent(entry) else { continue };
            let (mine, best) = (newest[entry.get()], newest[parent.get()]);
            let rank = |leaf: u32| (times[leaf as usize], leaf);
            if best == NONE || rank(mine) > rank(best) {
                newest[parent.get()] = mine;
            }
        }
        newest
    }
}

/// Cuts every cycle of parents at its earliest entry, which becomes a root, and names these.
pub(crate) fn cut_cycles(parents: &mut [Option<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let mut walk_of = vec![NEW; parents.len()];
    let mut cuts = Vec::new();
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| walk_of[at] == NEW) {
            walk_of[at] = start;
            next = parents[at];
        }
        // Met again within the same walk.
        if let Some(first) = next.filter(|&at| walk_of[at] == start) {
            let around = std::iter::successors(parents[first], |&at| parents[at]);
            let earliest = around.take_while(|&at| at != first).fold(first, usize::min);
            parents[earliest] = None;
            cuts.push(earliest);
        }
    }
    cuts.sort_unstable();
    cuts
}

/// Children of all entries in one array, in file order, with each one's start.
fn group_by_parent(parent: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0; parent.len() + 1];
    for &p in parent.iter().filter(|&&p| p != NONE) {
        start[p as usize + 1] += 1;
    }
    for i in 0..parent.len() {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut children = vec![0; start[parent.len()] as usize];
    for (entry, &p) in parent.iter().enumerate().filter(|(_, p)| **p != NONE) {
        children[next[p as usize] as usize] = small(entry);
        next[p as usize] += 1;
    }
    (start, children)
}

/// The session of each entry; nothing where there is only one.
fn sessions(entries: usize, further: &[ChildLink]) -> Vec<u32> {
    if further.is_empty() {
        return Vec::new();
    }
    let mut session = vec![0; entries];
    let ends = further.iter().skip(1).map(|link| link.first.get()).chain([entries]);
    for ((number, link), end) in (1..).zip(further).zip(ends) {
        session[link.first.get()..end].fill(number);
    }
    session
}

/// A time for every entry: its own, else the sibling's before it in the file.
fn effective_times(
    times: &[Option<i64>],
    start: &[u32],
    children: &[u32],
    roots: &[u32],
    root_start: &[u32],
) -> Vec<i64> {
    let mut effective = vec![i64::MIN; times.len()];
    let mut fill = |siblings: &[u32]| {
        let mut last = i64::MIN;
        for &entry in siblings {
            last = times[entry as usize].unwrap_or(last);
            effective[entry as usize] = last;
        }
    };
    for pair in root_start.windows(2) {
        fill(&roots[pair[0] as usize..pair[1] as usize]);
    }
    for pair in start.windows(2) {
        fill(&children[pair[0] as usize..pair[1] as usize]);
    }
    effective
}

#[cfg(test)]
mod tests;
