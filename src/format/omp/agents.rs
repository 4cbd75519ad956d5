//! The agents that an omp session started: each has its own session file in the folder that carries the session's
//! name, and its own folder beside that (18.2.3, 18.3.4).

use std::collections::HashMap;

use crate::session::json::Json;
use crate::session::message::Message;
use crate::session::text::one_line;
use crate::session::{Body, Child, Format, Session};

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::pi;
use crate::format::read_options::ReadOptions;

/// What a task's result says of an agent.
struct Mention {
    entry: String,
    agent: Option<String>,
}

/// The session with those of its agents, theirs in them.
pub(super) fn with_agents(session: Session, options: &ReadOptions, mut budget: Budget) -> Session {
    with_descendants(session, options.clone(), |session, options, _| {
        children(session, &options, &mut budget)
    })
}

/// The agents' sessions: those whose files are there, and those that a result
/// names and no file holds.
fn children(
    session: &Session,
    options: &ReadOptions,
    budget: &mut Budget,
) -> Vec<FoundChild<ReadOptions>> {
    let mut mentions = mentions(session);
    let mut children = Vec::new();
    let folder = options.own_folder();
    let files = folder
        .iter()
        .flat_map(|folder| folder.list(".jsonl").into_iter().map(move |name| (folder, name)));
    for (folder, name) in files {
        // Copies that omp rescued from a damaged file are no sessions of their own.
        // `.jsonl.*.bak` (18.3.4).
        let Some(key) = name.strip_suffix(".jsonl").filter(|key| !key.contains(".bak")) else {
            continue;
        };
        let own = options.of(folder.join(&name));
        let found = read(folder, &name, &own, budget);
        let mention = mentions.remove(key);
        let said = found.as_ref().ok().map(init).unwrap_or_default();
        let child = Child {
            key: key.to_owned(),
            agent: said.0.or(mention.as_ref().and_then(|mention| mention.agent.clone())),
            task: said.1,
            started_by: mention.map(|mention| mention.entry),
            session: found.map(Box::new),
        };
        children.push(FoundChild { child, next: Some(own) });
    }
    // A session that came without a place has nothing beside it to be missed.
    if options.session.is_some() {
        let mut missing: Vec<_> = mentions.into_iter().collect();
        missing.sort_by(|a, b| a.0.cmp(&b.0));
        let reason = match &folder {
            Err(error @ (SessionFileError::Link | SessionFileError::Unreadable(_))) => {
                error.to_string()
            }
            _ => "its session file is not beside the session".to_owned(),
        };
        let absent = |(key, mention): (String, Mention)| Child {
            key,
            agent: mention.agent,
            task: None,
            started_by: Some(mention.entry),
            session: Err(reason.clone()),
        };
        let absent = missing.into_iter().map(absent);
        children.extend(absent.map(|child| FoundChild { child, next: None }));
    }
    children
}

fn read(
    folder: &OwnFolder,
    name: &str,
    own: &ReadOptions,
    budget: &mut Budget,
) -> Result<Session, String> {
    let source = budget.read(folder, name).map_err(|error| error.to_string())?;
    pi::read_as(Format::Omp, source, own).map_err(|error| error.to_string())
}

/// The agents by the ids that results of tasks give them; the first that names one started it.
// `details.results[].id`, and while it runs `details.progress[].id` (18.3.4).
fn mentions(session: &Session) -> HashMap<String, Mention> {
    let mut mentions = HashMap::new();
    for index in session.indices().filter(|&index| session.entry_type_at(index) == "message") {
        let Body::Message(Message::ToolResult(result)) = session.entry_at(index).body else {
            continue;
        };
        // Other tools number their results too.
        let Some(details) = result.details.filter(|_| result.name.as_deref() == Some("task"))
        else {
            continue;
        };
        for list in ["results", "progress"] {
            for told in details.get(list).map(Json::items).unwrap_or_default() {
                let Some(id) = told.get("id").and_then(Json::as_str) else { continue };
                let agent = told.get("agent").and_then(Json::as_str).map(str::to_owned);
                let mention = || Mention { entry: session.id_at(index).to_owned(), agent };
                mentions.entry(id.to_owned()).or_insert_with(mention);
            }
        }
    }
    mentions
}

/// The agent's kind and its task, from the entry that begins its session.
fn init(session: &Session) -> (Option<String>, Option<String>) {
    let at = session.indices().find(|&index| session.entry_type_at(index) == "session_init");
    let json: Option<Json<'_>> =
        at.and_then(|index| serde_json::from_str(session.raw_at(index)).ok());
    let text = |key: &str| Some(one_line(json.as_ref()?.get(key)?.as_str()?));
    (text("agent"), text("task"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    /// Two names for each folder, and again within it: 2^30 ways to the innermost, were links followed.
    #[test]
    fn links_that_double_at_each_step_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| {
            format!(
                "{{\"type\":\"session\",\"version\":3,\"id\":\"{name}\"}}\n{{\"type\":\"message\",\"id\":\"1\"}}\n"
            )
        };
        let mut path = folder.path().join("s");
        fs::write(folder.path().join("s.jsonl"), text("s")).unwrap();
        for nth in 1..=30 {
            fs::create_dir(&path).unwrap();
            for name in ["A", "B"] {
                fs::write(path.join(format!("{name}.jsonl")), text(&format!("{name}{nth}")))
                    .unwrap();
            }
            std::os::unix::fs::symlink("A", path.join("B")).unwrap();
            path.push("A");
        }
        let options =
            ReadOptions { session: Some(folder.path().join("s.jsonl")), ..ReadOptions::default() };
        let read = |files| {
            let session = pi::read_as(Format::Omp, text("s").into_bytes(), &options).unwrap();
            let budget = Budget { files, ..Budget::default() };
            with_agents(session, &options, budget).with_merged_children()
        };
        let session = read(200);
        assert_eq!(session.sub_sessions().len(), 60, "two files in each of the folders");
        assert!(session.sub_sessions().iter().all(|sub| sub.missing.is_none()));
        let session = read(20);
        let mut reasons = session.sub_sessions().iter().filter_map(|sub| sub.missing.as_deref());
        assert!(reasons.any(|reason| reason.starts_with("not read: the files")));
    }
}
