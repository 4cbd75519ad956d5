//! What the catalog knows of a session beside its messages.

use serde::{Deserialize, Serialize};

use crate::report::{Edits, figures};
use crate::session::branches::branch_count;
use crate::session::digest::Digest;
use crate::session::ending::{Ending, ended};
use crate::session::{Session, title};

/// The figures of a session, as the total of `leafpress stats` has them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionFacts {
    /// Empty where the file has none.
    pub id: String,
    /// The name of its format.
    pub agent: String,
    /// As its page has it.
    pub title: String,
    /// The working directory; empty where unknown.
    pub cwd: String,
    /// The name of the folder that the agent worked in.
    pub project: Option<String>,
    /// The git branch that it worked on.
    pub git_branch: Option<String>,
    /// When the session was made, in milliseconds since 1970, as far as the file says. That of a fork is later than the
    /// entries that it copied.
    pub created: Option<i64>,
    /// When the first entry was written, in milliseconds since 1970.
    pub started: Option<i64>,
    /// When the last one was; where no entry has a time, when the file was.
    pub latest: Option<i64>,
    /// How many entries, without those of sub-agents.
    pub entries: usize,
    /// How many prompts.
    pub prompts: usize,
    /// How many leaves the tree has.
    pub branches: usize,
    /// How many sub-agent sessions.
    pub sub_sessions: usize,
    /// The files that were changed on the current branch.
    pub files: Vec<ChangedFile>,
    /// What failed, on any branch.
    pub failures: usize,
    /// What was stopped, on any branch.
    pub stops: usize,
    /// How the current branch ended.
    pub ended: Option<Ending>,
    /// By the model's id, the most used first.
    pub models: Vec<String>,
    /// Tokens of all kinds.
    pub tokens: f64,
    /// US dollars.
    pub cost: f64,
    /// Milliseconds in which the agent worked.
    pub worked: i64,
    /// The session that it was forked from or continues: a path or an id.
    pub parent: Option<String>,
    /// The ids of the sessions that it goes on in.
    pub continued_in: Vec<String>,
}

/// A file that the session changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangedFile {
    /// Its path, from the working directory on where it lies in there.
    pub path: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

impl SessionFacts {
    pub(crate) fn of(session: &Session, digest: &Digest<'_>) -> SessionFacts {
        let header = session.header();
        let path = session.tree().path(session.leaf());
        let figures = figures(session, digest);
        let files = Edits::of(session, digest).over(session, &path).into_iter();
        let tokens = figures.usage.usage().tokens();
        SessionFacts {
            id: header.id.clone(),
            agent: session.format().name().to_owned(),
            title: title::title(session),
            cwd: header.cwd.clone(),
            project: header.project(),
            git_branch: header.git_branch.clone(),
            created: header.time,
            started: times(session).min(),
            latest: times(session).max(),
            entries: session.own_len(),
            prompts: figures.prompts,
            branches: branch_count(session),
            sub_sessions: session.sub_sessions().len(),
            files: files
                .map(|file| ChangedFile {
                    path: file.path,
                    added: file.added,
                    removed: file.removed,
                })
                .collect(),
            failures: figures.failures,
            stops: figures.stops,
            ended: ended(session, session.leaf()).map(|ended| ended.how),
            models: figures.models.into_iter().map(|model| model.model_id).collect(),
            tokens,
            cost: figures.usage.cost,
            worked: figures.worked_ms,
            parent: header.parent_session.clone(),
            continued_in: header.continued_in.clone(),
        }
    }
}

fn times(session: &Session) -> impl Iterator<Item = i64> {
    session.own_indices().filter_map(|index| session.time(index))
}
