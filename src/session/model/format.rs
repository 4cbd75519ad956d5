//! The agents whose sessions are read, and where their rules part.

use std::fmt;

/// Whose session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Format {
    /// pi, JSON lines of versions 1 to 3.
    #[default]
    Pi,
    /// oh-my-pi.
    Omp,
    /// pi's harness: version 3 with `leaf` lines, version 4 with lanes.
    PiHarness,
    /// pi's tree proposal of December 2025, with `uuid` and `parentUuid`.
    PiProposal,
    /// Claude Code.
    ClaudeCode,
    /// Flue's session object.
    Flue,
    /// Chimera.
    Chimera,
    /// Codex rollouts.
    Codex,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor's agent transcripts.
    Cursor,
    /// Hugging Face's session traces, and exports of llama.app.
    Sts,
    /// Gemini CLI.
    Gemini,
    /// Qwen Code.
    Qwen,
    /// ATIF, the Agent Trajectory Interchange Format.
    Atif,
    /// OpenCode: exported sessions, the stream of a run, its database.
    OpenCode,
}

impl Format {
    /// All of them.
    pub const ALL: &'static [Format] = &[
        Format::Pi,
        Format::Omp,
        Format::PiHarness,
        Format::PiProposal,
        Format::ClaudeCode,
        Format::Flue,
        Format::Chimera,
        Format::Codex,
        Format::Copilot,
        Format::Cursor,
        Format::Sts,
        Format::Gemini,
        Format::Qwen,
        Format::Atif,
        Format::OpenCode,
    ];

    /// The name on the command line, such as `claude-code`.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// Whether leafpress can write labels into its files.
    pub(crate) fn keeps_labels(self) -> bool {
        matches!(self, Format::Pi | Format::Omp)
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.traits().title)
    }
}

/// All that sets the sessions of one agent apart once they are read.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a table, whose columns are named")]
pub(crate) struct Traits {
    /// On the command line.
    name: &'static str,
    /// For people.
    title: &'static str,
    /// Whose program words the rows of the tree.
    pub(crate) rows: RowStyle,
    pub(crate) context: ContextRules,
    /// Texts may hold addresses of the agent's own, such as `agent://Scout`.
    pub(crate) has_addresses: bool,
    /// The `customType` of entries that say something of the whole session: its title, a summary.
    pub(crate) about: Option<&'static str>,
    /// Titles in entries of their own are made by the agent.
    pub(crate) makes_titles: bool,
    /// A command's result that is no error ended with status 0.
    pub(crate) tells_failures: bool,
    /// Calls have results in its files; else none is missing.
    pub(crate) keeps_results: bool,
}

/// Whose program words the rows of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowStyle {
    Pi,
    Omp,
    /// None: they say what the heads of the cards say.
    Cards,
}

/// By whose rules the context is built and given to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextRules {
    Pi,
    Omp,
    /// Of version 3 a path that ends at the compaction, of version 4 calls and results in pairs.
    Harness,
    /// Prompts may wait and never be sent; progress lines belong to calls.
    ClaudeCode,
    Flue,
    Chimera,
}

impl Format {
    /// The one table of what the formats differ in, but for how their files are read.
    pub(crate) const fn traits(self) -> Traits {
        let pi = Traits {
            name: "pi",
            title: "pi",
            rows: RowStyle::Pi,
            context: ContextRules::Pi,
            has_addresses: false,
            about: None,
            makes_titles: false,
            tells_failures: true,
            keeps_results: true,
        };
        let other = Traits { rows: RowStyle::Cards, tells_failures: false, ..pi };
        match self {
            Format::Pi => pi,
            Format::Omp => Traits {
                name: "omp",
                title: "oh-my-pi",
                rows: RowStyle::Omp,
                context: ContextRules::Omp,
                has_addresses: true,
                ..pi
            },
            Format::PiHarness => Traits {
                name: "pi-harness",
                title: "pi harness",
                context: ContextRules::Harness,
                ..pi
            },
            Format::PiProposal => Traits { name: "pi-proposal", title: "pi proposal", ..pi },
            Format::ClaudeCode => Traits {
                name: "claude-code",
                title: "Claude Code",
                context: ContextRules::ClaudeCode,
                tells_failures: true,
                ..other
            },
            Format::Flue => {
                Traits { name: "flue", title: "Flue", context: ContextRules::Flue, ..other }
            }
            Format::Chimera => Traits {
                name: "chimera",
                title: "Chimera",
                context: ContextRules::Chimera,
                ..other
            },
            Format::Codex => Traits { name: "codex", title: "Codex", ..other },
            Format::Copilot => {
                Traits { name: "copilot", title: "Copilot CLI", makes_titles: true, ..other }
            }
            Format::Cursor => {
                Traits { name: "cursor", title: "Cursor", keeps_results: false, ..other }
            }
            Format::Sts => Traits { name: "sts", title: "STS", about: Some("session"), ..other },
            Format::Gemini => {
                Traits { name: "gemini", title: "Gemini CLI", about: Some("session"), ..other }
            }
            Format::Qwen => Traits { name: "qwen", title: "Qwen Code", ..other },
            Format::Atif => {
                Traits { name: "atif", title: "ATIF", about: Some("trajectory"), ..other }
            }
            Format::OpenCode => Traits { name: "opencode", title: "OpenCode", ..other },
        }
    }
}
