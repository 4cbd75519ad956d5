//! Puts all but true branches in line.
//!
//! A branch point is true only if two or more of its children lead to a prompt
//! that a person typed. Everything else below a node follows in file order, and so does
//! a prompt typed while a response was streaming or its tools were running: lines of
//! that response stand behind it, so nobody went back to type it.
//!
//! Seen in 2.1.12 to 2.1.330: results of parallel calls, progress lines and copies after a compaction share a parent.
//! A rewind of 2.1.330 is a prompt with the parent of an earlier one. claude-code-log (dev-docs/dag.md) agrees.

use super::nodes::Node;
use crate::session::cut_cycles;

/// The tree as it is shown.
#[derive(Debug)]
pub(super) struct Linear {
    /// Each node's parent.
    pub(super) parents: Vec<Option<usize>>,
    /// The nodes, parents before children within a line.
    pub(super) order: Vec<usize>,
    /// Nodes at which a cycle of parents was cut.
    pub(super) cuts: Vec<usize>,
}

pub(super) fn straighten(nodes: &[Node]) -> Linear {
    let mut parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    let cuts = cut_cycles(&mut parents);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(node);
        }
    }
    let roots: Vec<usize> = (0..nodes.len()).filter(|&node| parents[node].is_none()).collect();
    let order = parents_first(&children, &roots);
    let forest = Forest { leads: leads(nodes, &parents, &order), children };
    let mut linear = Linear { parents: vec![None; nodes.len()], order: Vec::new(), cuts };
    // Lines yet to be laid, each with the node that it hangs from.
    let mut open: Vec<(usize, Option<usize>)> =
        roots.iter().rev().map(|&root| (root, None)).collect();
    while let Some((start, parent)) = open.pop() {
        let (line, forks) = forest.line(start);
        let mut last = parent;
        for node in line {
            linear.parents[node] = last;
            linear.order.push(node);
            last = Some(node);
        }
        open.extend(forks.into_iter().rev().map(|fork| (fork, last)));
    }
    linear
}

impl Linear {
    /// The end of the line that begins at or runs through `node`; of branches the last.
    pub(super) fn end(&self, node: usize) -> usize {
        let mut last_child: Vec<Option<usize>> = vec![None; self.parents.len()];
        for &child in &self.order {
            if let Some(parent) = self.parents[child] {
                let last = last_child[parent].get_or_insert(child);
                *last = child.max(*last);
            }
        }
        let mut node = node;
        while let Some(child) = last_child[node] {
            node = child;
        }
        node
    }
}

struct Forest {
    children: Vec<Vec<usize>>,
    /// Whether a typed prompt is at a node or below it.
    leads: Vec<bool>,
}

impl Forest {
    /// The line from `start` to where it truly parts, and the ways on from there.
    fn line(&self, start: usize) -> (Vec<usize>, Vec<usize>) {
        // Each with the place it can have at the earliest: behind its parent.
        let mut line: Vec<(usize, usize)> = Vec::new();
        let mut aside: Vec<(usize, usize)> = Vec::new();
        let mut next = Some((start, start));
        let mut forks = Vec::new();
        while let Some((node, key)) = next.take() {
            line.push((key, node));
            let below = |child: usize| (child, child.max(key));
            let (leading, others): (Vec<usize>, Vec<usize>) =
                self.children[node].iter().partition(|&&child| self.leads[child]);
            aside.extend(others.into_iter().map(below));
            match leading[..] {
                [] => {}
                [only] => next = Some(below(only)),
                _ => forks = leading,
            }
        }
        while let Some((node, key)) = aside.pop() {
            line.push((key, node));
            aside.extend(self.children[node].iter().map(|&child| (child, child.max(key))));
        }
        // Stable, so that of equal places a parent, laid first, stays before its children.
        line.sort_by_key(|(key, _)| *key);
        (line.into_iter().map(|(_, node)| node).collect(), forks)
    }
}

/// All nodes, each behind its parent.
fn parents_first(children: &[Vec<usize>], roots: &[usize]) -> Vec<usize> {
    let mut order = Vec::with_capacity(children.len());
    let mut open = roots.to_vec();
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(&children[node]);
    }
    order
}

/// Which nodes have a typed prompt at or below them that a branch may begin with.
fn leads(nodes: &[Node], parents: &[Option<usize>], order: &[usize]) -> Vec<bool> {
    // The response that each node hangs below, as the last row while it was open.
    let mut open_until: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut leads = vec![false; nodes.len()];
    for &node in order {
        let above = parents[node].and_then(|parent| open_until[parent]);
        open_until[node] = nodes[node].open_until.or(above);
        let is_within = above.is_some_and(|last| nodes[node].rows[0] < last);
        leads[node] = nodes[node].is_typed && !is_within;
    }
    for &node in order.iter().rev() {
        if let Some(parent) = parents[node].filter(|_| leads[node]) {
            leads[parent] = true;
        }
    }
    leads
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes by parent; a prompt where the number is negative or the text says so.
    fn tree(nodes: &[(Option<usize>, bool)]) -> Vec<Option<usize>> {
        let nodes: Vec<Node> = nodes
            .iter()
            .enumerate()
            .map(|(at, &(parent, is_typed))| Node {
                rows: vec![at],
                parent,
                missing: None,
                is_typed,
                open_until: None,
            })
            .collect();
        straighten(&nodes).parents
    }

    #[test]
    fn only_two_ways_to_prompts_part() {
        let forked = [(None, true), (Some(0), false), (Some(1), true), (Some(1), true)];
        assert_eq!(tree(&forked), [None, Some(0), Some(1), Some(1)]);
        let tools = [(None, true), (Some(0), false), (Some(0), false), (Some(1), true)];
        assert_eq!(tree(&tools), [None, Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn what_comes_late_stands_before_the_parting() {
        let late =
            [(None, true), (Some(0), false), (Some(1), true), (Some(1), true), (Some(0), false)];
        assert_eq!(tree(&late), [None, Some(0), Some(4), Some(4), Some(1)]);
    }

    #[test]
    fn a_circle_is_cut_at_its_earliest_node() {
        assert_eq!(
            tree(&[(Some(2), false), (Some(0), false), (Some(1), true), (Some(3), false)]),
            [None, Some(0), Some(1), None]
        );
    }
}
