//! What a session says of itself, and the names that people give entries.

use crate::session::texts::text;

/// What a session says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The session's id; empty where the file has none.
    pub id: String,
    /// The format's version as written; 1 where it was left out.
    pub version: u32,
    /// When the session began, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The folder that the agent worked in; empty where unknown.
    pub cwd: String,
    /// The session this one was forked from or continues, a path or an id.
    pub parent_session: Option<String>,
    /// The ids of the sessions that this one goes on in (Claude Code).
    pub continued_in: Vec<String>,
    /// A title that the format keeps beside the entries.
    pub title: Option<String>,
    /// The agent's name, where the format is of several agents and the file says whose it is.
    pub agent: Option<String>,
    /// The version of the agent's program that wrote the file, as far as the file says.
    pub agent_version: Option<String>,
    /// The git branch that the agent worked on, as far as the file says: the last one that it names.
    pub git_branch: Option<String>,
    /// Pull requests that lines without an entry name (Claude Code): the line, counted from 1, and the
    /// address, each once.
    pub pull_requests: Vec<(u32, String)>,
    /// What the session had cost so far in US dollars, as lines without an entry say (Claude Code): the line, counted from 1,
    /// and the sum. A fork begins with that of the entries that it copied.
    pub costs: Vec<(u32, f64)>,
}

impl Header {
    /// The name of the folder that the agent worked in; `None` where that is unknown. A folder such as
    /// `.worktrees/1` has the name of the one around it.
    pub fn project(&self) -> Option<String> {
        let short = text::short_path(&self.cwd);
        let is_name = |part: &&str| !part.starts_with('.') && part.chars().any(char::is_alphabetic);
        short.split(['/', '\\']).rfind(is_name).map(str::to_owned)
    }
}

/// A name that somebody gave an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The name.
    pub text: String,
    /// When it was given, in milliseconds since 1970.
    pub time: Option<i64>,
}
