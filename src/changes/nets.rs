//! What became of a file up to a leaf, and in a turn. `Follower` makes the hunks.

use std::collections::HashMap;

use super::follow::Follower;
use super::model::{FileChanges, FileState, Step, never_seen};
use super::net::Net;
use crate::session::EntryIndex;

impl FileChanges {
    /// What became of the file from its first known state to a place in the time order.
    pub(super) fn net_until(&self, until: usize) -> Net {
        let nets = self.nets_until(&[until]);
        nets.into_iter().next().unwrap_or_else(|| Net::unknown(never_seen()))
    }

    /// The same for several places, in ascending order. The states are made once for all of them.
    pub(super) fn nets_until(&self, places: &[usize]) -> Vec<Net> {
        let mut follower: Option<Follower> = None;
        let mut passed = 0;
        let mut state = never_seen();
        let mut steps = self.steps.iter().peekable();
        let mut nets = Vec::with_capacity(places.len());
        for (nth, &until) in places.iter().enumerate() {
            while let Some(step) = steps.next_if(|step| step.position <= until) {
                let after = step.change.of(&state);
                passed = step.edit.map_or(passed, |edit| edit + 1);
                match &mut follower {
                    // A gap in what is known is passed over: the text after it is compared with the one before.
                    Some(follower) if after.is_known() => {
                        follower.follow(&after, step.edit, step.lines.as_ref());
                        follower.between.end = passed;
                    }
                    Some(_) => {}
                    None => follower = self.first(step, &state, &after),
                }
                state = after;
            }
            let is_last = nth + 1 == places.len();
            let reached = if is_last { follower.take() } else { follower.clone() };
            let net = reached.map(Follower::finish);
            let net = net.unwrap_or_else(|| Net::unknown(never_seen()));
            nets.push(Net { after: state.clone(), ..net });
        }
        nets
    }

    /// Begins with the first edit before or after which the file is known.
    fn first(&self, step: &Step, before: &FileState, after: &FileState) -> Option<Follower> {
        let edit = step.edit?;
        let begun = self.begin(edit, before);
        let mut follower = if begun.before.is_known() || begun.is_new {
            begun
        } else {
            Some(Follower::new(after, edit + 1)).filter(|_| after.is_known())?
        };
        if after.is_known() {
            follower.follow(after, Some(edit), step.lines.as_ref());
            follower.between.end = edit + 1;
        }
        Some(follower)
    }

    /// Begins with the file as an edit found it; where that is a copy that a command put there, with what was there
    /// before.
    fn begin(&self, edit: usize, found: &FileState) -> Follower {
        let is_new = self.is_new_by(edit);
        let Some(before) = self.copied_onto(edit) else {
            return Follower::begin(found, edit, is_new);
        };
        let mut follower = Follower::begin(before, edit, is_new);
        follower.follow(found, None, None);
        follower
    }

    /// What became of the file in each turn that edited it, by prompt, in the order of the last edits. The states are
    /// made once for all turns.
    pub(super) fn net_by_turn(&self) -> Vec<(Option<EntryIndex>, Net)> {
        let mut last_of: HashMap<Option<EntryIndex>, usize> = HashMap::new();
        for (at, edit) in self.edits.iter().enumerate().filter(|(_, edit)| edit.ok) {
            last_of.insert(edit.prompt, at);
        }
        let mut open: HashMap<Option<EntryIndex>, Follower> = HashMap::new();
        let mut turns = Vec::new();
        self.each_state(usize::MAX, |step, before, after| {
            let Some(edit) = step.edit else { return };
            let prompt = self.edits[edit].prompt;
            let follower = open.entry(prompt).or_insert_with(|| self.begin(edit, before));
            // What others did in between, or somebody else.
            if before.is_known() {
                if follower.after != *before {
                    follower.follow(before, None, None);
                }
                follower.between.end = edit;
            }
            if after.is_known() {
                follower.follow(after, Some(edit), step.lines.as_ref());
                follower.between.end = edit + 1;
            }
            if last_of.get(&prompt) == Some(&edit)
                && let Some(follower) = open.remove(&prompt)
            {
                turns.push((prompt, Net { after: after.clone(), ..follower.finish() }));
            }
        });
        turns
    }
}
