//! The rows lie as the written rules say, here in their plainest form.

use leafpress::outline::lay_out;
use leafpress::session::Tree;
use proptest::prelude::*;

/// SEMANTICS of pi's `/tree`, node by node and without regard to cost.
struct Plain<'a> {
    tree: &'a Tree,
    leaf: usize,
    visible: &'a [bool],
    rows: Vec<(usize, usize, String)>,
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
    fn active_first(&self, entries: Vec<usize>) -> Vec<usize> {
        let (active, rest): (Vec<usize>, Vec<usize>) =
            entries.into_iter().partition(|&entry| self.tree.is_on_path(entry, self.leaf));
        active.into_iter().chain(rest).collect()
    }

    /// The visible entries nearest below, in display order.
    fn visible_below(&self, entries: Vec<usize>) -> Vec<usize> {
        let below = |entry| {
            if self.visible[entry] {
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

    fn row(&mut self, entry: usize, several: bool, place: &Place) {
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
            (pick < at).then_some(pick)
        };
        let parents: Vec<Option<usize>> = nodes.iter().enumerate().map(|(at, (index, ..))| parent(at, index)).collect();
        let times: Vec<Option<i64>> = nodes.iter().map(|(_, time, _)| Some(*time)).collect();
        let visible: Vec<bool> = nodes.iter().map(|(_, _, visible)| *visible).collect();
        let (tree, _) = Tree::build(&parents, &times);
        let leaf = leaf.index(nodes.len());

        let mut plain = Plain { tree: &tree, leaf, visible: &visible, rows: Vec::new() };
        plain.run();
        let rows: Vec<(usize, usize, String)> =
            lay_out(&tree, leaf, &visible).into_iter().map(|row| (row.entry, row.depth, row.prefix)).collect();
        prop_assert_eq!(rows, plain.rows);
    }
}
