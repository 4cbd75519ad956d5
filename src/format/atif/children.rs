//! Trajectories that belong to another: within it, in files beside it, and where it goes on.

use std::collections::HashMap;

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::own_folder::OwnFolder;
use crate::session::{Child, Session};

use super::beside::TrajectoryFiles;
use super::reader::{Reference, TrajectoryReader, Wanted};
use super::{Embedded, translate_file};

/// Deeper ones are not read: each is looked through by all around it.
const MAX_DEPTH: usize = 32;

/// The session with the trajectories that belong to it, theirs in them.
pub(super) fn with_children(
    session: Session,
    mut wanted: Wanted,
    mut beside: TrajectoryFiles,
) -> Session {
    wanted.folder.clone_from(&beside.folder);
    with_descendants(session, wanted, |_, wanted, depth| children(wanted, depth, &mut beside))
}

type Read = Result<(Session, Wanted), String>;

fn children(wanted: Wanted, depth: usize, beside: &mut TrajectoryFiles) -> Vec<FoundChild<Wanted>> {
    beside.folder.clone_from(&wanted.folder);
    let mut within: Vec<Option<Read>> = Vec::new();
    for embedded in &wanted.embedded {
        within.push(Some(read_embedded(embedded, depth, wanted.folder.as_ref(), beside)));
    }
    // Newer versions name them by trajectory, older ones by session, which may be that of the whole run.
    // 1.7 by `trajectory_id` or `trajectory_path`, up to 1.6 by `session_id` (nat_atif).
    let mut by_trajectory: HashMap<String, usize> = HashMap::new();
    let mut by_session: HashMap<String, usize> = HashMap::new();
    for (nth, read) in within.iter().enumerate() {
        let Some(Ok((_, own))) = read else { continue };
        by_trajectory.extend(own.trajectory.clone().map(|id| (id, nth)));
        let session = own.session.clone().filter(|id| wanted.session.as_ref() != Some(id));
        by_session.extend(session.map(|id| (id, nth)));
    }
    let mut children = Vec::new();
    for reference in wanted.references {
        let of = |id: &Option<String>, known: &HashMap<String, usize>| {
            id.as_ref().and_then(|id| known.get(id).copied())
        };
        let named = of(&reference.trajectory, &by_trajectory);
        let older = of(&reference.session, &by_session);
        let mut take = |nth: usize| {
            let read = within.get_mut(nth).and_then(Option::take);
            read.unwrap_or_else(|| Err("it is shown elsewhere in this session".to_owned()))
        };
        let read = match (named, &reference.path, older) {
            (Some(nth), ..) | (None, None, Some(nth)) => take(nth),
            (None, Some(path), _) => read_file(path, wanted.folder.as_ref(), beside),
            (None, None, None) => {
                Err("the trajectory is neither in the file nor named by a path".to_owned())
            }
        };
        let name = reference.path.as_deref().and_then(stem);
        let name = reference.trajectory.as_deref().or(name).or(reference.session.as_deref());
        let key = name.unwrap_or("trajectory").to_owned();
        children.push(found(key, Some(&reference), read));
    }
    for read in within.into_iter().flatten() {
        let name =
            read.as_ref().ok().and_then(|(_, own)| own.trajectory.clone().or(own.session.clone()));
        let key = name.unwrap_or_else(|| "trajectory".to_owned());
        children.push(found(key, None, read));
    }
    children
}

fn found(key: String, reference: Option<&Reference>, read: Read) -> FoundChild<Wanted> {
    let agent = read.as_ref().ok().and_then(|(_, own)| own.agent.clone());
    let (session, next) = match read {
        Ok((session, next)) => (Ok(Box::new(session)), Some(next)),
        Err(reason) => (Err(reason), None),
    };
    let child = Child {
        key,
        agent: agent.or_else(|| reference.and_then(|reference| reference.agent.clone())),
        task: reference.and_then(|reference| reference.task.clone()),
        started_by: reference.and_then(|reference| reference.entry.clone()),
        session,
    };
    FoundChild { child, next }
}

fn read_embedded(
    embedded: &Embedded,
    depth: usize,
    folder: Option<&OwnFolder>,
    beside: &mut TrajectoryFiles,
) -> Read {
    if depth >= MAX_DEPTH {
        return Err("it is nested too deeply".to_owned());
    }
    let Embedded { text, span, lines_above } = embedded;
    let span = crate::format::spans::Span { line: span.line + lines_above, ..*span };
    let (translation, mut wanted) = TrajectoryReader::new(Vec::new()).read(text, span, beside);
    wanted.folder = folder.cloned();
    // Its text is part of the file that it stands in.
    let session = translation.finish(Vec::new()).map_err(|error| error.to_string())?;
    Ok((session, wanted))
}

fn read_file(path: &str, folder: Option<&OwnFolder>, beside: &mut TrajectoryFiles) -> Read {
    let (source, own) = beside.trajectory(path)?;
    beside.folder = Some(own.clone());
    let (translation, mut wanted) = translate_file(&source, beside);
    beside.folder = folder.cloned();
    wanted.folder = Some(own);
    let session = translation.finish(source).map_err(|error| error.to_string())?;
    Ok((session, wanted))
}

/// `a/config.json` is `config`.
fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    Some(name.strip_suffix(".json").unwrap_or(name)).filter(|name| !name.is_empty())
}
