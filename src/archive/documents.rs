//! All sessions as documents for a database: JSON lines, an entry each. docs/scale.md describes the fields.

use std::io::{self, Write};

use serde::Serialize;

use super::disk::SESSIONS;
use super::plan::Wish;
use super::session::{Settings, file_name};
use crate::catalog::{self, Member, Message, SessionFacts};
use crate::content::work::{Step, Work};
use crate::find::ManyOptions;
use crate::outline::read_with;
use crate::page;
use crate::progress::{Progress, Steps, Task};
use crate::redact::{self, Redacted};
use crate::session::{key, time};
use crate::workers::{Threads, Workers};

/// The version of the fields. A field that is added does not change it.
const SCHEMA: u32 = 1;

/// What became of the sessions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) sessions: usize,
    pub(crate) documents: usize,
    /// How many secrets were replaced.
    pub(crate) redacted: usize,
    /// Ids and reasons of those that could not be written.
    pub(crate) failed: Vec<(String, String)>,
}

/// An entry that says something.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema: u32,
    /// Different for each entry of each file.
    id: String,
    session: &'a str,
    entry: &'a str,
    agent: &'a str,
    project: &'a str,
    cwd: &'a str,
    git_branch: &'a str,
    title: &'a str,
    models: &'a [String],
    started: Option<String>,
    time: Option<String>,
    role: &'static str,
    kind: &'static str,
    tools: &'a [String],
    failed: bool,
    stopped: bool,
    landmarks: &'a [String],
    label: &'a str,
    text: &'a str,
    /// Its place in an archive of the same sessions.
    page: String,
}

/// Writes the documents of all sessions that are wanted, the newest session first.
///
/// # Errors
/// The system's reason.
pub(crate) fn documents(
    wish: &Wish<'_>,
    settings: &Settings,
    progress: Option<Progress>,
    out: &mut dyn Write,
) -> io::Result<Written> {
    let sources = wish.sources();
    let mut wanted: Vec<(&Member, &String)> = wish
        .members
        .iter()
        .zip(&sources)
        .filter(|(member, _)| wish.filter.takes(&member.session.facts))
        .collect();
    wanted.sort_by_key(|(member, _)| std::cmp::Reverse(member.session.facts.latest));
    let options = ManyOptions::default();
    let mut written = Written::default();
    let steps = Steps::new(progress, Task::Write, wanted.len());
    let one = |(): &mut (), nth: usize| {
        let (member, source) = wanted[nth];
        settings.documents(member, source, &options)
    };
    let mut ids = wanted.iter().map(|(member, _)| member.session.facts.id.clone());
    Workers::new(Threads::available(), || ()).run(wanted.len(), one, |made| {
        steps.add(1);
        let id = ids.next().unwrap_or_default();
        match made {
            Ok((lines, documents, redacted)) => {
                out.write_all(&lines)?;
                written.sessions += 1;
                written.documents += documents;
                written.redacted += redacted;
            }
            Err(why) => written.failed.push((id, why)),
        }
        Ok::<(), io::Error>(())
    })?;
    Ok(written)
}

impl Settings {
    /// The documents of a session, how many they are, and how many secrets were replaced in them.
    fn documents(
        &self,
        member: &Member,
        source: &str,
        options: &ManyOptions,
    ) -> Result<(Vec<u8>, usize, usize), String> {
        let (session, redacted) = self.read(&member.session, options)?;
        let redactor = redacted.as_ref().map(Redacted::redactor);
        let report =
            redactor.as_ref().map(|redactor| page::redacted_within(&session, &redactor.report()));
        let (digest, outline, steps) = read_with(&session, Threads::ONE, Step::of);
        let work = Work::new(&session, &digest, steps);
        let facts = SessionFacts::of(&session, &digest);
        let messages = catalog::messages(&session, &digest, &outline, &work, self.with_output);
        let mut lines = Vec::new();
        let mut left = 0;
        for message in &messages {
            let document = document(&facts, message, source);
            let line = serde_json::to_string(&document).map_err(|error| error.to_string())?;
            if let Some(redactor) = &redactor {
                left += redactor.remaining_in_json(&line).map_or(0, |found| found.len());
            }
            lines.extend_from_slice(line.as_bytes());
            lines.push(b'\n');
        }
        if left > 0 {
            let count = crate::session::text::counted(left, "possible secret");
            return Err(format!("its documents still contain {count}"));
        }
        Ok((lines, messages.len(), report.as_ref().map_or(0, redact::Report::places)))
    }
}

fn document<'a>(facts: &'a SessionFacts, message: &'a Message, source: &str) -> Document<'a> {
    let page = file_name(&facts.id);
    Document {
        schema: SCHEMA,
        id: format!("{source}/{}", message.key),
        session: &facts.id,
        entry: &message.key,
        agent: &facts.agent,
        project: facts.project.as_deref().unwrap_or_default(),
        cwd: &facts.cwd,
        git_branch: facts.git_branch.as_deref().unwrap_or_default(),
        title: &facts.title,
        models: &facts.models,
        started: facts.started.map(time::iso),
        time: message.time.map(time::iso),
        role: message.role_name(),
        kind: message.kind.name(),
        tools: &message.tools,
        failed: message.failed,
        stopped: message.stopped,
        landmarks: &message.landmarks,
        label: message.label.as_deref().unwrap_or_default(),
        text: message.shown(),
        page: format!("{SESSIONS}/{page}.html?targetId={}", key::encode(&message.key)),
    }
}
