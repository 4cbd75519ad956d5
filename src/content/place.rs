//! Who worked, and where: one line at the top of a page.

use crate::session::digest::Digest;
use crate::session::story::TurnRole;
use crate::session::text::{one_line, short_path, shortened};
use crate::session::{EntryIndex, Session, time};

/// A fact that the session's text gives is at most this long, in UTF-16 units.
pub(crate) const FACT_UNITS: usize = 80;

/// One fact: an agent, a project, a git branch, a model, a day.
pub(crate) struct PlaceFact {
    /// Which of them.
    pub(crate) name: &'static str,
    /// Ahead of the words: the name of an agent that is known here.
    pub(crate) figure: String,
    pub(crate) words: String,
    /// What it is, where the words do not say it.
    pub(crate) title: Option<String>,
    /// In ms since 1970, where it is a time.
    pub(crate) time: Option<i64>,
}

impl PlaceFact {
    fn new(name: &'static str, words: String) -> PlaceFact {
        PlaceFact { name, figure: String::new(), words, title: None, time: None }
    }
}

/// What is known of it, for the entries of a path.
pub(crate) fn of(session: &Session, digest: &Digest<'_>, path: &[EntryIndex]) -> Vec<PlaceFact> {
    let header = session.header();
    let words = |text: &str| shortened(&one_line(text), FACT_UNITS);
    let version = header.agent_version.as_deref().map(words).unwrap_or_default();
    let agent = if let Some(agent) = &header.agent {
        PlaceFact::new("agent", words(&format!("{agent} {version}")).trim().to_owned())
    } else {
        let figure = session.format().to_string();
        PlaceFact { figure, ..PlaceFact::new("agent", version) }
    };
    let mut place = vec![agent];
    if let Some(project) = header.project() {
        let title = Some(short_path(&header.cwd));
        place.push(PlaceFact { title, ..PlaceFact::new("project", words(&project)) });
    }
    if let Some(branch) = &header.git_branch {
        let title = Some("git branch".to_owned());
        place.push(PlaceFact { title, ..PlaceFact::new("git-branch", words(branch)) });
    }
    if let Some((model, others)) = digest.totals.main_model(path) {
        let more = if others > 0 { format!(" and {others} more") } else { String::new() };
        place.push(PlaceFact::new("model", format!("{}{more}", words(model))));
    }
    // A file that was resumed, or made by a fork, has a time of its own, later than its first prompts.
    let asked = path.iter().find(|&&entry| digest.story.role(entry) == TurnRole::Prompt);
    let asked = asked.and_then(|&entry| session.time(entry));
    let first = || session.indices().find_map(|index| session.time(index));
    if let Some(ms) = asked.or(header.time).or_else(first) {
        place.push(PlaceFact { time: Some(ms), ..PlaceFact::new("day", time::plain(ms)) });
    }
    place
}
