//! The sessions of sub-agents, each below the call that started it: `agentId` or `data.parentToolCallId` (1.0.102).

use crate::format::translation::Translation;
use crate::session::Child;
use crate::session::text::counted;

use super::first_pass::FirstPass;
use super::unit::Unit;

/// The main session with those of its agents, theirs in them.
pub(super) fn joined(units: Vec<Unit>, known: &FirstPass) -> Translation {
    let mut parents = parents(&units, known);
    let circles = cut_circles(&mut parents);
    let depths = depths(&parents);
    let mut order: Vec<usize> = (1..units.len()).collect();
    // The deepest first; of one depth in the order of the file.
    order.sort_by_key(|&unit| std::cmp::Reverse(depths[unit]));
    let unknown = parents.iter().skip(1).filter(|parent| parent.is_none()).count();
    let mut units: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
    for at in order {
        let Some(unit) = units[at].take() else { continue };
        if let Some(parent) = &mut units[parents[at].unwrap_or(0)] {
            let started_by = parent.entries_of_calls.get(&unit.key).cloned();
            parent.out.child(child(unit, started_by, known));
        }
    }
    let main = units.into_iter().next().flatten();
    let mut main = main.map_or_else(|| Unit::new(String::new()).out, |main| main.out);
    if unknown > circles {
        let agents = counted(unknown - circles, "sub-agent");
        main.note(format!("The call that started {agents} is not in the file; shown at the root"));
    }
    if circles > 0 {
        let agents = counted(circles, "sub-agent");
        main.note(format!("{agents} started by their own work; shown at the root"));
    }
    main
}

/// The unit whose call started each; none where the call is not in the file.
fn parents(units: &[Unit], known: &FirstPass) -> Vec<Option<usize>> {
    let numbers: std::collections::HashMap<&str, usize> =
        units.iter().enumerate().map(|(at, unit)| (unit.key.as_str(), at)).collect();
    let parent = |unit: &Unit| {
        let by = known.agent_of_call(&unit.key).and_then(|agent| numbers.get(agent).copied());
        known.calls.contains_key(&unit.key).then_some(by.unwrap_or(0))
    };
    units.iter().map(parent).collect()
}

/// Agents that started each other, or themselves, hang from the main session. Gives how many were cut.
fn cut_circles(parents: &mut [Option<usize>]) -> usize {
    let mut seen_from = vec![0; parents.len()];
    let mut cut = 0;
    for start in 1..parents.len() {
        let mut unit = start;
        while unit != 0 && seen_from[unit] == 0 {
            seen_from[unit] = start;
            unit = parents[unit].unwrap_or(0);
        }
        if unit != 0 && seen_from[unit] == start {
            parents[unit] = None;
            cut += 1;
        }
    }
    cut
}

fn depths(parents: &[Option<usize>]) -> Vec<usize> {
    let mut depths = vec![0; parents.len()];
    for start in 1..parents.len() {
        let mut above = Vec::new();
        let mut unit = start;
        while unit != 0 && depths[unit] == 0 {
            above.push(unit);
            unit = parents[unit].unwrap_or(0);
        }
        let mut depth = depths[unit];
        for unit in above.into_iter().rev() {
            depth += 1;
            depths[unit] = depth;
        }
    }
    depths
}

fn child(unit: Unit, started_by: Option<String>, known: &FirstPass) -> Child {
    let facts = known.calls.get(&unit.key);
    let told = |fact: Option<&String>| fact.cloned();
    Child {
        agent: unit.agent.or_else(|| told(facts.and_then(|facts| facts.agent_type.as_ref()))),
        task: told(facts.and_then(|facts| facts.task.as_ref())),
        key: unit.key,
        started_by,
        // Its entries lie in the file of the main session.
        session: match unit.out.finish(Vec::new()) {
            Ok(session) => Ok(Box::new(session)),
            Err(error) => Err(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_cut_once_and_depths_follow() {
        let mut parents = vec![None, Some(2), Some(3), Some(1), Some(3), Some(0), Some(6), None];
        assert_eq!(cut_circles(&mut parents), 2);
        assert_eq!(parents, [None, None, Some(3), Some(1), Some(3), Some(0), None, None]);
        assert_eq!(depths(&parents), [0, 1, 3, 2, 3, 1, 1, 1]);
    }
}
