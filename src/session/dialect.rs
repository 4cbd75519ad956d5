//! The agents whose sessions are read, and where their rules part.

use std::fmt;

/// Whose session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
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
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 8] = [
        Dialect::Pi,
        Dialect::Omp,
        Dialect::PiHarness,
        Dialect::PiProposal,
        Dialect::ClaudeCode,
        Dialect::Flue,
        Dialect::Chimera,
        Dialect::Codex,
    ];

    /// The name on the command line, such as `claude-code`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Pi => "pi",
            Dialect::Omp => "omp",
            Dialect::PiHarness => "pi-harness",
            Dialect::PiProposal => "pi-proposal",
            Dialect::ClaudeCode => "claude-code",
            Dialect::Flue => "flue",
            Dialect::Chimera => "chimera",
            Dialect::Codex => "codex",
        }
    }

    /// The dialect of this name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Pi => "pi",
            Dialect::Omp => "oh-my-pi",
            Dialect::PiHarness => "pi harness",
            Dialect::PiProposal => "pi proposal",
            Dialect::ClaudeCode => "Claude Code",
            Dialect::Flue => "Flue",
            Dialect::Chimera => "Chimera",
            Dialect::Codex => "Codex",
        })
    }
}
