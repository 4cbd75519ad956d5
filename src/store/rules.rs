//! Where pi and oh-my-pi write differently: one table, which the rest of the store asks.

use std::fmt;

use crate::format::WRITER;
use crate::session::Format;

use super::agent::Agent;
use super::shape::{OMP, PI, Shape};

/// What the files of one agent look like and when they are written.
#[derive(Debug)]
pub(super) struct Rules {
    /// By whose rules a file is read.
    pub(super) format: Format,
    /// The types of entries and the order of their fields.
    pub(super) shapes: &'static [Shape],
    /// The role of the message that a file begins to exist with. A response always is one.
    pub(super) file_begins: &'static str,
    /// The file of a branch exists at once; else as any new file.
    pub(super) writes_branch_at_once: bool,
    pub(super) name: NamePlace,
    /// The writer that the header names: nothing else tells such a file from oh-my-pi's.
    pub(super) writer: Option<&'static str>,
    pub(super) summary_names: SummaryNames,
    /// Labels keep their time when a branch takes them along; else theirs is that of the branch.
    pub(super) keeps_label_times: bool,
    pub(super) taken_back: TakenBack,
    pub(super) tasks: TaskFiles,
}

/// Where the name of the session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamePlace {
    /// In an entry.
    Entry,
    /// In the first line, which is overwritten in place; an entry tells of the change.
    FirstLine,
}

/// What a branch summary names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SummaryNames {
    /// The leaf that was left.
    LeftLeaf,
    /// The entry that the summary hangs from.
    Parent,
}

/// What is taken back for editing when a person moves the leaf to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakenBack {
    /// Each prompt and each message of an extension that is not the leaf.
    AllAboveLeaf,
    /// The same without the texts of skills, and the leaf too if it is a prompt.
    AllButSkills,
}

/// Where the session of a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskFiles {
    /// Beside the session that started it, named in an entry there.
    Beside,
    /// In the folder that is called as the file without its ending, under the name of the task.
    OwnFolder,
}

const PI_RULES: Rules = Rules {
    format: Format::Pi,
    shapes: PI,
    file_begins: "user",
    writes_branch_at_once: false,
    name: NamePlace::Entry,
    writer: Some(WRITER.1),
    summary_names: SummaryNames::LeftLeaf,
    keeps_label_times: true,
    taken_back: TakenBack::AllAboveLeaf,
    tasks: TaskFiles::Beside,
};

const OMP_RULES: Rules = Rules {
    format: Format::Omp,
    shapes: OMP,
    file_begins: "assistant",
    writes_branch_at_once: true,
    name: NamePlace::FirstLine,
    writer: None,
    summary_names: SummaryNames::Parent,
    keeps_label_times: false,
    taken_back: TakenBack::AllButSkills,
    tasks: TaskFiles::OwnFolder,
};

impl Rules {
    pub(super) fn has_title_line(&self) -> bool {
        self.name == NamePlace::FirstLine
    }
}

impl Agent {
    pub(super) const fn rules(self) -> &'static Rules {
        match self {
            Agent::Pi => &PI_RULES,
            Agent::Omp => &OMP_RULES,
        }
    }

    /// The agent whose files are of this format, where the store writes them.
    pub(super) fn of(format: Format) -> Option<Agent> {
        [Agent::Pi, Agent::Omp].into_iter().find(|agent| agent.rules().format == format)
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules().format.fmt(f)
    }
}
