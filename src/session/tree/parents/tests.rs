use super::*;

fn at(place: usize) -> EntryIndex {
    EntryIndex::new(place)
}

fn parents(places: &[Option<usize>]) -> Vec<Option<EntryIndex>> {
    places.iter().map(|place| place.map(at)).collect()
}

fn places(entries: impl IntoIterator<Item = EntryIndex>) -> Vec<usize> {
    entries.into_iter().map(EntryIndex::get).collect()
}

fn tree(of: &[Option<usize>]) -> Tree {
    let times: Vec<_> = (0..of.len()).map(|i| i64::try_from(i).ok()).collect();
    Tree::build(&parents(of), &times).0
}

#[test]
fn children_come_by_time_and_roots_in_file_order() {
    let (tree, _) = Tree::build(
        &parents(&[None, Some(0), Some(0), Some(0), None]),
        &[Some(9), Some(5), Some(3), None, Some(1)],
    );
    // The third has no time: it counts as 3, its sibling's before it.
    assert_eq!(places(tree.children(at(0))), [2, 3, 1]);
    assert_eq!(places(tree.roots()), [0, 4]);
}

#[test]
fn a_circle_is_cut_at_its_earliest_entry() {
    let (tree, cuts) = Tree::build(&parents(&[Some(1), Some(0), Some(1), Some(3)]), &[None; 4]);
    assert_eq!(places(cuts), [0, 3]);
    assert_eq!(places(tree.roots()), [0, 3]);
    assert_eq!(places(tree.path(at(2))), [0, 1, 2]);
    assert_eq!(tree.order().count(), 4);
}

#[test]
fn newest_leaf_is_by_time_not_by_the_last_child() {
    // 0 ─ 1 ─ 3 and 0 ─ 2: the second child is newer, the first one's leaf newest.
    let tree = tree(&[None, Some(0), Some(0), Some(1)]);
    assert_eq!(tree.newest_leaf_below(at(0)), at(3));
    assert_eq!(tree.newest_leaf_below(at(2)), at(2));
    assert_eq!(tree.newest_leaf_below(at(3)), at(3));
}

#[test]
fn ancestors_leaves_and_branch_points() {
    let tree = tree(&[None, Some(0), Some(0), Some(1), Some(1), None]);
    assert_eq!(tree.common_ancestor(at(3), at(4)), Some(at(1)));
    assert_eq!(tree.common_ancestor(at(3), at(2)), Some(at(0)));
    assert_eq!(tree.common_ancestor(at(3), at(5)), None);
    assert_eq!(places(tree.leaves()), [3, 4, 2, 5]);
    assert_eq!(places(tree.branch_points()), [0, 1]);
}

#[test]
fn branches_know_their_neighbors() {
    let tree = tree(&[None, Some(0), Some(0), Some(0), None]);
    let branch = tree.branch(at(2));
    assert_eq!(
        (branch.nth, branch.count, branch.previous, branch.next),
        (1, 3, Some(at(1)), Some(at(3)))
    );
    assert_eq!((tree.branch(at(0)).count, tree.branch(at(0)).next), (2, Some(at(4))));
    assert_eq!([0, 1, 4].map(|entry| tree.depth(at(entry))), [0, 1, 0]);
}

#[test]
fn a_session_within_a_session_is_no_branch() {
    // 0 ─ 1 ─ 2, and from 1 hangs 3 ─ 4, from 4 hangs 5.
    let parents = parents(&[None, Some(0), Some(1), None, Some(3), None]);
    let further = [
        ChildLink { first: at(3), started_by: at(1) },
        ChildLink { first: at(5), started_by: at(4) },
    ];
    let (tree, cuts) = Tree::build_all(&parents, &[None; 6], &further);
    assert!(cuts.is_empty());
    assert_eq!(places(tree.order()), [0, 1, 3, 4, 5, 2]);
    assert_eq!(places(tree.path(at(4))), [3, 4]);
    assert_eq!((tree.depth(at(5)), tree.branch(at(3)).count, tree.branch(at(2)).count), (0, 1, 1));
    assert_eq!(places(tree.leaves()), [2]);
    assert_eq!([0, 1, 3, 4].map(|entry| tree.newest_leaf_below(at(entry)).get()), [2, 2, 4, 4]);
    assert!(
        !tree.is_on_path(at(1), at(4))
            && !tree.is_on_path(at(1), at(5))
            && tree.is_on_path(at(1), at(2))
    );
    assert_eq!(tree.started_by(at(1)).collect::<Vec<_>>(), [1]);
    assert_eq!(places(tree.by_session()), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_chain_and_a_fan_of_100_000_are_ordinary() {
    let chain: Vec<_> = (0..100_000usize).map(|i| i.checked_sub(1)).collect();
    assert_eq!(tree(&chain).path(at(99_999)).len(), 100_000);
    let fan: Vec<_> = (0..100_000usize).map(|i| (i > 0).then_some(0)).collect();
    assert_eq!(tree(&fan).children(at(0)).len(), 99_999);
}

#[test]
fn an_entry_of_another_session_is_nowhere() {
    let tree = tree(&[None, Some(0), Some(1)]);
    let foreign = at(7);
    assert_eq!(
        (tree.parent(foreign), tree.position(foreign), tree.depth(foreign)),
        (None, None, 0)
    );
    assert_eq!((tree.children(foreign).len(), tree.path(foreign).len()), (0, 0));
    assert!(!tree.is_on_path(foreign, at(2)) && !tree.is_on_path(at(0), foreign));
    assert_eq!(tree.common_ancestor(foreign, at(2)), None);
    assert_eq!(tree.newest_leaf_below(foreign), foreign);
    assert_eq!(tree.started_by(foreign).len(), 0);
    let branch = tree.branch(foreign);
    assert_eq!((branch.previous, branch.nth), (None, 0));
}
