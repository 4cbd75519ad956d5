//! The rows lie as the written rules say, here in their plainest form.

use proptest::prelude::*;

use super::*;

fn lay_out(tree: &Tree, leaf: EntryIndex, visible: &[bool]) -> Vec<LaidOut> {
    lay_out_all(tree, &[leaf], visible).remove(0)
}

/// SEMANTICS of pi's `/tree`, node by node and without regard to cost.
struct Plain<'a> {
    tree: &'a Tree,
    leaf: EntryIndex,
    visible: &'a [bool],
    rows: Vec<(EntryIndex, usize, String)>,
}

#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the written rules")]
struct Place {
    indent: usize,
    connector: bool,
    virtual_root: bool,
    is_last: bool,
    branched: bool,
    gutters: Vec<(usize, bool)>,
}

impl Plain<'_> {
    fn active_first(&self, entries: Vec<EntryIndex>) -> Vec<EntryIndex> {
        let (active, rest): (Vec<EntryIndex>, Vec<EntryIndex>) =
            entries.into_iter().partition(|&entry| self.tree.is_on_path(entry, self.leaf));
        active.into_iter().chain(rest).collect()
    }

    /// The visible entries nearest below, in display order.
    fn visible_below(&self, entries: Vec<EntryIndex>) -> Vec<EntryIndex> {
        let below = |entry: EntryIndex| {
            if self.visible[entry.get()] {
                vec![entry]
            } else {
                self.visible_below(self.tree.children(entry).collect())
            }
        };
        self.active_first(entries).into_iter().flat_map(below).collect()
    }

    fn run(&mut self) {
        let roots = self.visible_below(self.tree.roots().collect());
        let several = roots.len() > 1;
        for (nth, &root) in roots.iter().enumerate() {
            let place = Place {
                indent: usize::from(several),
                connector: several,
                virtual_root: several,
                is_last: nth + 1 == roots.len(),
                branched: several,
                gutters: Vec::new(),
            };
            self.row(root, several, &place);
        }
    }

    fn row(&mut self, entry: EntryIndex, several: bool, place: &Place) {
        let depth = if several { place.indent.saturating_sub(1) } else { place.indent };
        let drawn = place.connector && !place.virtual_root;
        let mut prefix = String::new();
        for level in 0..depth {
            let gutter = place.gutters.iter().find(|(position, _)| *position == level);
            prefix.push_str(match gutter {
                Some((_, true)) => "│  ",
                None if drawn && level + 1 == depth && place.is_last => "└─ ",
                None if drawn && level + 1 == depth => "├─ ",
                Some((_, false)) | None => "   ",
            });
        }
        self.rows.push((entry, depth, prefix));

        let mut gutters = place.gutters.clone();
        if drawn {
            gutters.push((depth.saturating_sub(1), !place.is_last));
        }
        let children = self.visible_below(self.tree.children(entry).collect());
        let forks = children.len() > 1;
        for (nth, &child) in children.iter().enumerate() {
            let deeper = forks || (place.branched && place.indent > 0);
            let place = Place {
                indent: place.indent + usize::from(deeper),
                connector: forks,
                virtual_root: false,
                is_last: nth + 1 == children.len(),
                branched: forks,
                gutters: gutters.clone(),
            };
            self.row(child, several, &place);
        }
    }
}

proptest! {
    #[test]
    fn rows_lie_as_the_rules_say(
        nodes in prop::collection::vec((any::<prop::sample::Index>(), 0i64..5, any::<bool>()), 1..40),
        leaf in any::<prop::sample::Index>(),
    ) {
        // Parents come earlier in the file; one in ten entries or so is a root.
        let parent = |at: usize, index: &prop::sample::Index| {
            let pick = index.index(at + at / 10 + 1);
            (pick < at).then_some(EntryIndex::new(pick))
        };
        let parents: Vec<Option<EntryIndex>> = nodes.iter().enumerate().map(|(at, (index, ..))| parent(at, index)).collect();
        let times: Vec<Option<i64>> = nodes.iter().map(|(_, time, _)| Some(*time)).collect();
        let visible: Vec<bool> = nodes.iter().map(|(_, _, visible)| *visible).collect();
        let (tree, _) = Tree::build(&parents, &times);
        let leaf = EntryIndex::new(leaf.index(nodes.len()));

        let mut plain = Plain { tree: &tree, leaf, visible: &visible, rows: Vec::new() };
        plain.run();
        let rows: Vec<(EntryIndex, usize, String)> =
            lay_out(&tree, leaf, &visible).into_iter().map(|row| (row.entry, row.depth, row.prefix)).collect();
        prop_assert_eq!(rows, plain.rows);
    }
}

#[test]
fn beyond_64_levels_the_prefix_is_shortened() {
    // A comb: each entry has a childless sibling, so every level indents.
    let parents: Vec<Option<EntryIndex>> =
        (0..401usize).map(|i| i.checked_sub(1).map(|i| EntryIndex::new(i / 2 * 2))).collect();
    let times: Vec<Option<i64>> = (0..401).map(Some).collect();
    let tree = Tree::build(&parents, &times).0;
    let rows = lay_out(&tree, EntryIndex::new(400), &vec![true; 401]);
    let deepest = rows.iter().max_by_key(|row| row.depth).unwrap();
    assert_eq!(deepest.depth, 200);
    assert!(deepest.prefix.ends_with("…├─ ") || deepest.prefix.ends_with("…└─ "));
    assert_eq!(deepest.prefix.chars().count(), 64 * 3 + 4);
}
