use super::*;

fn tree(parents: &[Option<usize>]) -> Tree {
    let times: Vec<_> = (0..parents.len()).map(|i| i64::try_from(i).ok()).collect();
    Tree::build(parents, &times).0
}

#[test]
fn children_come_by_time_and_roots_in_file_order() {
    let parents = [None, Some(0), Some(0), Some(0), None];
    let (tree, _) = Tree::build(&parents, &[Some(9), Some(5), Some(3), None, Some(1)]);
    // The third has no time: it counts as 3, its sibling's before it.
    assert_eq!(tree.children(0).collect::<Vec<_>>(), [2, 3, 1]);
    assert_eq!(tree.roots().collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn a_circle_is_cut_at_its_earliest_entry() {
    let (tree, cuts) = Tree::build(&[Some(1), Some(0), Some(1), Some(3)], &[None; 4]);
    assert_eq!(cuts, [0, 3]);
    assert_eq!(tree.roots().collect::<Vec<_>>(), [0, 3]);
    assert_eq!(tree.path(2), [0, 1, 2]);
    assert_eq!(tree.order().count(), 4);
}

#[test]
fn newest_leaf_is_by_time_not_by_the_last_child() {
    // 0 ─ 1 ─ 3 and 0 ─ 2: the second child is newer, the first one's leaf newest.
    let tree = tree(&[None, Some(0), Some(0), Some(1)]);
    assert_eq!(tree.newest_leaf_below(0), 3);
    assert_eq!(tree.newest_leaf_below(2), 2);
    assert_eq!(tree.newest_leaf_below(3), 3);
}

#[test]
fn ancestors_leaves_and_branch_points() {
    let tree = tree(&[None, Some(0), Some(0), Some(1), Some(1), None]);
    assert_eq!(tree.common_ancestor(3, 4), Some(1));
    assert_eq!(tree.common_ancestor(3, 2), Some(0));
    assert_eq!(tree.common_ancestor(3, 5), None);
    assert_eq!(tree.leaves().collect::<Vec<_>>(), [3, 4, 2, 5]);
    assert_eq!(tree.branch_points().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn branches_know_their_neighbors() {
    let tree = tree(&[None, Some(0), Some(0), Some(0), None]);
    let branch = tree.branch(2);
    assert_eq!((branch.nth, branch.count, branch.previous, branch.next), (1, 3, Some(1), Some(3)));
    assert_eq!((tree.branch(0).count, tree.branch(0).next), (2, Some(4)));
    assert_eq!([0, 1, 4].map(|entry| tree.depth(entry)), [0, 1, 0]);
}

#[test]
fn a_session_within_a_session_is_no_branch() {
    // 0 ─ 1 ─ 2, and from 1 hangs 3 ─ 4, from 4 hangs 5.
    let parents = [None, Some(0), Some(1), None, Some(3), None];
    let further = [ChildLink { first: 3, started_by: 1 }, ChildLink { first: 5, started_by: 4 }];
    let (tree, cuts) = Tree::build_all(&parents, &[None; 6], &further);
    assert!(cuts.is_empty());
    assert_eq!(tree.order().collect::<Vec<_>>(), [0, 1, 3, 4, 5, 2]);
    assert_eq!(tree.path(4), [3, 4]);
    assert_eq!((tree.depth(5), tree.branch(3).count, tree.branch(2).count), (0, 1, 1));
    assert_eq!(tree.leaves().collect::<Vec<_>>(), [2]);
    assert_eq!([0, 1, 3, 4].map(|entry| tree.newest_leaf_below(entry)), [2, 2, 4, 4]);
    assert!(!tree.is_on_path(1, 4) && !tree.is_on_path(1, 5) && tree.is_on_path(1, 2));
    assert_eq!(tree.started_by(1).collect::<Vec<_>>(), [1]);
    assert_eq!(tree.by_session(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_chain_and_a_fan_of_100_000_are_ordinary() {
    let chain: Vec<_> = (0..100_000usize).map(|i| i.checked_sub(1)).collect();
    assert_eq!(tree(&chain).path(99_999).len(), 100_000);
    let fan: Vec<_> = (0..100_000usize).map(|i| (i > 0).then_some(0)).collect();
    assert_eq!(tree(&fan).children(0).len(), 99_999);
}
