//! The turns of a branch in order: what was asked, what was done, how it was answered.
//!
//! `BranchWriter` has what all branches share, and `BranchWalk` goes along one path. It makes pieces, which the limit
//! on the size may take away later, and which "Copy as Markdown" in a page takes one by one. An entry is a heading, a
//! text, a line of steps or nothing, by its role in its turn.

use std::fmt::Write as _;

use super::blocks::Blocks;
use super::{Detail, escape, fence};
use crate::content::artifact::ArtifactPlaces;
use crate::content::work::Work;
use crate::content::{Caller, Content, FoldKind, Part, Reader, Renderers, Role, Source};
use crate::session::action::heading::Heading;
use crate::session::calls::{CallPlace, CallReader};
use crate::session::digest::Digest;
use crate::session::message::{Message, ToolCall};
use crate::session::story::TurnRole;
use crate::session::text::{one_line, shortened};
use crate::session::{Body, EntryIndex, Session, title};

/// Of a prompt, in the heading of its turn, in UTF-16 units.
const HEADING_UNITS: usize = 72;

/// What a call is about, in UTF-16 units.
const ABOUT_UNITS: usize = 120;

/// A part of the document, which may give way to the limit on its size.
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A line or a section of leafpress's own; stays.
    Frame,
    /// `## 1. words`
    Heading,
    /// What a prompt or a divider says; stays.
    Text,
    /// The files that changed.
    Changed,
    Response,
}

/// Writes the branches of one session.
pub(super) struct BranchWriter<'s> {
    pub(super) session: &'s Session,
    pub(super) digest: &'s Digest<'s>,
    pub(super) work: Work<'s>,
    artifacts: ArtifactPlaces,
    /// None of a caller's own.
    renderers: Renderers,
}

/// Which branch, in which section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// The level of its headings.
    level: usize,
    /// A prompt begins a numbered section.
    is_main: bool,
}

impl Section {
    pub(super) const MAIN: Section = Section { level: 2, is_main: true };
    pub(super) const SUB_AGENT: Section = Section { level: 3, is_main: false };
}

impl<'s> BranchWriter<'s> {
    pub(super) fn new(session: &'s Session, digest: &'s Digest<'s>) -> Self {
        BranchWriter::with_work(session, digest, Work::read(session, digest))
    }

    /// The same where the work of all entries is known.
    pub(super) fn with_work(session: &'s Session, digest: &'s Digest<'s>, work: Work<'s>) -> Self {
        BranchWriter {
            session,
            digest,
            work,
            artifacts: ArtifactPlaces::read(session),
            renderers: Renderers::new(),
        }
    }

    /// The turns of the branch that ends at `leaf`, each followed by the sub-agents that it started.
    pub(super) fn pieces(
        &self,
        leaf: EntryIndex,
        detail: Detail,
        most_lines: Option<usize>,
    ) -> Vec<Piece> {
        let mut walk = self.walk(detail, most_lines);
        for index in self.session.tree().path(leaf) {
            if self.digest.story.role(index) == TurnRole::Prompt {
                walk.sub_agents();
            }
            walk.entry(index, Section::MAIN);
        }
        walk.sub_agents();
        walk.pieces
    }

    pub(super) fn walk(&self, detail: Detail, most_lines: Option<usize>) -> BranchWalk<'_, 's> {
        BranchWalk {
            writer: self,
            calls: CallReader::new(self.session),
            detail,
            most_lines,
            pieces: Vec::new(),
            prompts: 0,
            started: Vec::new(),
        }
    }
}

pub(super) struct BranchWalk<'t, 's> {
    writer: &'t BranchWriter<'s>,
    calls: CallReader<'s>,
    detail: Detail,
    most_lines: Option<usize>,
    pub(super) pieces: Vec<Piece>,
    /// Of the main branch, so far.
    prompts: usize,
    /// Sub-agents of the turn at hand whose sections are still to come, by number.
    pub(super) started: Vec<usize>,
}

impl BranchWalk<'_, '_> {
    fn add(&mut self, text: String) {
        self.add_as(PieceKind::Frame, text);
    }

    fn add_as(&mut self, kind: PieceKind, text: String) {
        if !text.is_empty() {
            self.pieces.push(Piece { kind, text });
        }
    }

    /// The sections of the sub-agents that the turn started, and of those that they started.
    fn sub_agents(&mut self) {
        while !self.started.is_empty() {
            // Each before what it started itself.
            let number = self.started.remove(0);
            let Some(leaf) = self.begin_sub_agent(number) else { continue };
            for index in self.writer.session.tree().path(leaf) {
                self.entry(index, Section::SUB_AGENT);
            }
        }
    }

    /// What begins a sub-agent's section. Gives the leaf of its path, if it can be shown.
    pub(super) fn begin_sub_agent(&mut self, number: usize) -> Option<EntryIndex> {
        let sub = self.writer.session.sub_sessions().get(number.checked_sub(1)?)?;
        let name = escape::line(sub.name());
        let task = sub.task.as_deref().map(|task| shortened(&one_line(task), HEADING_UNITS));
        let task = task.map(|task| format!(": {}", escape::line(&task))).unwrap_or_default();
        self.add(format!("### Sub-agent {name}{task}\n"));
        if let Some(reason) = &sub.missing {
            self.add(format!("_It cannot be shown: {}_\n", escape::line(reason)));
            return None;
        }
        Some(sub.leaf)
    }

    pub(super) fn entry(&mut self, index: EntryIndex, section: Section) {
        let session = self.writer.session;
        let role = self.writer.digest.story.role(index);
        if role == TurnRole::Prompt && section.is_main {
            self.heading(index);
        }
        let branch = session.tree().branch(index);
        if branch.count > 1 {
            self.add(format!("_Branch {} of {} begins here_\n", branch.nth + 1, branch.count));
        }
        self.started.extend(session.tree().started_by(index));
        if let Some(label) = session.label(index) {
            self.add(format!("_Label: {}_\n", escape::line(&label.text)));
        }
        match role {
            TurnRole::Prompt => {
                let text = self.content(index, section, true);
                self.add_as(PieceKind::Text, text);
            }
            TurnRole::Response => {
                let text = self.content(index, section, false);
                self.add_as(PieceKind::Response, text);
            }
            TurnRole::Divider => self.divider(index, section),
            TurnRole::Step => self.step(index, section),
        }
    }

    /// The heading of the turn that a prompt begins.
    fn heading(&mut self, prompt: EntryIndex) {
        self.prompts += 1;
        let words = title::first_words(self.writer.session, prompt).unwrap_or_default();
        let words = escape::line(&shortened(&words, HEADING_UNITS));
        let heading = format!("## {}. {words}", self.prompts);
        self.add_as(PieceKind::Heading, heading.trim_end().to_owned() + "\n");
    }

    /// A compaction or a summary: its line, and at full length what it says.
    fn divider(&mut self, index: EntryIndex, section: Section) {
        let session = self.writer.session;
        let entry = session.entry_at(index);
        let blocks = self.blocks(index, section, false);
        let content = self.reader().body(Source { index, entry: &entry, call: None });
        let is_line = |part: &&Part<'_>| matches!(part, Part::Line(_));
        let text = if self.detail == Detail::Full {
            blocks.content(&content)
        } else {
            let first: Content<'_> =
                content.parts().iter().find(is_line).cloned().into_iter().collect();
            blocks.content(&first)
        };
        if text.is_empty() {
            let kind = crate::session::Kind::of(&entry.body).name().replace('-', " ");
            return self.add_as(PieceKind::Text, format!("_{}_\n", escape::line(&kind)));
        }
        self.add_as(PieceKind::Text, text);
    }

    fn step(&mut self, index: EntryIndex, section: Section) {
        if let Some(steps) = self.writer.work.steps(index).filter(|steps| !steps.is_aside) {
            let line = steps_line(&steps);
            self.add(line);
        }
        match self.detail {
            Detail::Story => {}
            Detail::Steps => {
                let entry = self.writer.session.entry_at(index);
                if matches!(entry.body, Body::Message(Message::Assistant(_))) {
                    let text = self.content(index, section, false);
                    self.add_as(PieceKind::Text, text);
                }
                let bullets = self.bullets(index);
                // One list with the line above.
                let is_list = |last: &&mut Piece| {
                    last.kind == PieceKind::Frame && last.text.trim_start().starts_with("- ")
                };
                if let Some(last) = self.pieces.last_mut().filter(is_list) {
                    last.text.push_str(&bullets);
                } else {
                    self.add(bullets);
                }
            }
            Detail::Full => {
                let text = self.content(index, section, false);
                self.add(text);
            }
        }
    }

    /// The calls of a step, a bullet each: a result for its call, a call that has none for itself.
    fn bullets(&mut self, index: EntryIndex) -> String {
        let session = self.writer.session;
        let failures = &self.writer.digest.failures;
        let end = match failures.of(index) {
            Some(_) => Some("failed"),
            None => failures.is_stopped(index).then_some("stopped"),
        };
        match session.entry_at(index).body {
            Body::Message(Message::ToolResult(result)) => {
                let place = self.writer.digest.calls.call_of(index);
                let call = place.and_then(|place| self.calls.read(place));
                let name = call.map(|call| call.name.as_ref()).or(result.name.as_deref());
                let about = call.map(about).unwrap_or_default();
                bullet(name.unwrap_or("tool"), &about, end)
            }
            Body::Message(Message::Assistant(assistant)) => (assistant.calls().zip(0..))
                .filter(|(_, nth)| self.has_no_result(index, *nth))
                .map(|(call, _)| bullet(&call.name, &about(call), Some("no result")))
                .collect(),
            Body::Message(Message::Bash(bash)) => {
                let words = shortened(&one_line(&bash.command), ABOUT_UNITS);
                bullet("$", &fence::inline(&words), end)
            }
            _ => String::new(),
        }
    }

    fn has_no_result(&self, entry: EntryIndex, nth: usize) -> bool {
        self.writer.digest.calls.results_of(CallPlace { entry, nth }).is_empty()
    }

    /// What an entry says; thinking, calls and their output only at full length.
    pub(super) fn content(&mut self, index: EntryIndex, section: Section, is_text: bool) -> String {
        let entry = self.writer.session.entry_at(index);
        let place = self.writer.digest.calls.call_of(index);
        let call = place.and_then(|place| self.calls.read(place)).cloned();
        let content = self.reader().body(Source { index, entry: &entry, call: call.as_ref() });
        let is_shown = |part: &&Part<'_>| match part {
            Part::Fold(fold) => {
                self.detail == Detail::Full || is_text || fold.kind == FoldKind::Citation
            }
            Part::Card(card) => self.detail == Detail::Full || card.caller == Caller::Provider,
            Part::Line(line) => line.role != Role::Spent,
            _ => true,
        };
        let shown: Content<'_> = content.parts().iter().filter(is_shown).cloned().collect();
        self.blocks(index, section, is_text).content(&shown)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            session: self.writer.session,
            digest: self.writer.digest,
            artifacts: &self.writer.artifacts,
            work: &self.writer.work,
            renderers: &self.writer.renderers,
        }
    }

    fn blocks(&self, entry: EntryIndex, section: Section, is_text: bool) -> Blocks<'_> {
        Blocks {
            session: self.writer.session,
            entry,
            level: section.level + 1,
            is_text,
            most_lines: self.most_lines,
        }
    }
}

/// `- 11 steps: 4 reads, 3 commands (1 failed), 2 edits +42 −9`
fn steps_line(steps: &crate::content::work::Steps<'_>) -> String {
    let mut parts = steps.parts.iter().map(|part| {
        let mut words = escape::line(&part.words);
        if part.failed > 0 {
            let _ = write!(words, " ({} failed)", part.failed);
        }
        let lines = part.lines;
        if lines.is_about && lines.added + lines.removed > 0 {
            words.push_str(" about");
        }
        if lines.added > 0 {
            let _ = write!(words, " +{}", lines.added);
        }
        if lines.removed > 0 {
            let _ = write!(words, " \u{2212}{}", lines.removed);
        }
        words
    });
    let first = parts.next().unwrap_or_default();
    let rest = parts.collect::<Vec<_>>().join(", ");
    if rest.is_empty() { format!("- {first}\n") } else { format!("- {first}: {rest}\n") }
}

fn bullet(name: &str, about: &str, state: Option<&str>) -> String {
    let about = if about.is_empty() { String::new() } else { format!(" {about}") };
    let state = state.map(|state| format!(" ({state})")).unwrap_or_default();
    format!("  - **{}**{about}{state}\n", escape::line(name))
}

/// What a call is about: a path and a command as code.
fn about(call: &ToolCall<'_>) -> String {
    let about = call.action().heading();
    let words = shortened(&one_line(&about.text()), ABOUT_UNITS);
    match about {
        Heading::Words(_) | Heading::Missing(_) => escape::line(&words),
        _ => fence::inline(&words),
    }
}
