//! Files at several leaves, for a page that can open any of them.

use crate::session::EntryIndex;

use super::Changes;
use super::at::FileAt;
use super::model::FileChanges;

/// A file at several leaves.
#[derive(Debug)]
pub(crate) struct FileOverTime<'c> {
    /// The file between any two things that happened to it, in time order. Which edits are on a path is left empty.
    pub(crate) states: Vec<FileAt<'c>>,
    /// By leaf, the place of its state; `None` where nothing had happened to the file yet.
    pub(crate) of_leaf: Vec<Option<usize>>,
}

impl Changes {
    /// All files at these leaves, in the order of [`files`](Changes::files). Leaves between which nothing happened to a
    /// file share its state, and each file is followed once, when its turn comes: its texts take memory.
    pub(crate) fn at_each(
        &self,
        leaves: &[EntryIndex],
    ) -> impl Iterator<Item = (&FileChanges, FileOverTime<'_>)> {
        let position = |(nth, &leaf): (usize, &EntryIndex)| (self.timeline.position(leaf), nth);
        let mut places: Vec<(usize, usize)> = leaves.iter().enumerate().map(position).collect();
        places.sort_unstable();
        let files = self.files.iter().enumerate();
        files.map(move |(place, file)| (file, self.over_time(place, file, &places)))
    }

    /// `places` in the time order, ascending, each with the leaf that is there.
    fn over_time<'c>(
        &'c self,
        place: usize,
        file: &'c FileChanges,
        places: &[(usize, usize)],
    ) -> FileOverTime<'c> {
        let happened = self.happened(file);
        let mut states: Vec<FileAt<'c>> = Vec::new();
        let mut of_leaf = vec![None; places.len()];
        let (mut ends, mut last) = (Vec::new(), 0);
        for &(until, leaf) in places {
            let count = happened.partition_point(|&at| at <= until);
            if count != last {
                last = count;
                if let Some(state) = self.without_net(place, file, until) {
                    states.push(state);
                    ends.push(until);
                }
            }
            of_leaf[leaf] = states.len().checked_sub(1);
        }
        let states = states.into_iter().zip(file.nets_until(&ends));
        let states = states.map(|(state, net)| state.with_net(net)).collect();
        FileOverTime { states, of_leaf }
    }

    /// Where in the time order something happened to a file, ascending.
    fn happened(&self, file: &FileChanges) -> Vec<usize> {
        let mut happened: Vec<usize> = file.edits.iter().map(|edit| edit.position).collect();
        happened.extend(file.steps.iter().map(|step| step.position));
        happened.extend(file.breaks.iter().map(|one| one.position));
        happened.extend(file.maybe.iter().map(|&entry| self.timeline.position(entry)));
        happened.sort_unstable();
        happened
    }
}
