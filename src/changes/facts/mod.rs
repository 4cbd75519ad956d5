//! What results say of the files that calls read and changed.
//!
//! Most of it stands in the entries. What readers leave out of them, because nobody looks at it (the whole text of
//! a file beside each of its edits), is read from the lines of the session file when it is needed.

mod claude_code;
mod codex;
mod part;
mod rows;

use crate::session::action::outcome::Outcome;
use crate::session::action::{FileAction, Request};
use crate::session::json::Json;
use crate::session::message::{ToolCall, ToolResult, joined_text};
use crate::session::{EntryIndex, Format, Session};

use super::diff::{Diff, FileDiff};
use super::edit::{Edit, Hunk, Replacement, hunks};
pub(crate) use codex::PatchEnds;
pub(crate) use part::Part;
use rows::Rows;

/// A file before an edit, as the session file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Before {
    /// There was none.
    Absent,
    /// Its whole text.
    Text(String),
}

/// What is said of one edit beside its call.
#[derive(Debug, Default)]
pub(crate) struct EditFacts {
    /// The file before.
    pub(crate) before: Option<Before>,
    /// The texts that were replaced in truth, which may be others than those that the call has.
    pub(crate) replaced: Option<Vec<Replacement<'static>>>,
    /// The diff that the tool left, its hunks with the numbers of lines.
    pub(crate) hunks: Vec<Hunk>,
    /// The whole text after.
    pub(crate) after: Option<String>,
    /// In the diff each tab is two spaces: nothing may be taken from it but where it stands.
    pub(crate) tabs_are_spaces: bool,
}

/// What a call read of a file.
#[derive(Debug)]
pub(crate) enum Read {
    Whole(String),
    Part(Part),
}

impl From<Part> for Read {
    fn from(part: Part) -> Read {
        let lines = memchr::memchr_iter(b'\n', part.text.as_bytes()).count() + 1;
        if part.start == 1 && part.total == lines {
            Read::Whole(part.text)
        } else {
            Read::Part(part)
        }
    }
}

/// Reads what results say.
#[derive(Debug)]
pub(crate) struct FactReader<'s> {
    format: Format,
    rows: Rows<'s>,
    ends: Option<PatchEnds>,
}

impl<'s> FactReader<'s> {
    pub(crate) fn new(session: &'s Session) -> FactReader<'s> {
        let ends = (session.format() == Format::Codex).then(|| PatchEnds::read(session));
        FactReader { format: session.format(), rows: Rows::new(session), ends }
    }

    /// The folder that a call ran in, by the entry of the call. Claude Code's shell stays where the one before went.
    pub(crate) fn folder(&mut self, at: EntryIndex) -> Option<String> {
        if self.format != Format::ClaudeCode {
            return None;
        }
        Some(self.rows.of(at)?.get("cwd")?.as_str()?.to_owned())
    }

    /// Whether a command ended without an error, where its result or its format says so.
    pub(crate) fn has_succeeded(&self, result: &ToolResult<'_>) -> bool {
        // pi and Claude Code mark a status other than 0 as an error.
        let says_so = matches!(
            self.format,
            Format::Pi | Format::PiHarness | Format::PiProposal | Format::ClaudeCode
        );
        !result.is_error && (says_so || Outcome::of(result).code == Some(0.0))
    }

    /// The edits of a call as they were made: those that Codex says it made instead of those that were asked.
    pub(crate) fn made(&self, call: &ToolCall<'_>) -> Option<Vec<Edit<'static>>> {
        self.ends.as_ref()?.of(&call.id)
    }

    /// What is said of the edit of a file. A call that edits several has a diff for each.
    pub(crate) fn edit(
        &mut self,
        call: &ToolCall<'_>,
        edit: &Edit<'_>,
        is_only: bool,
        at: EntryIndex,
        result: &ToolResult<'_>,
    ) -> EditFacts {
        let hunks = left_hunks(result, &edit.path, is_only);
        let mut facts = EditFacts { hunks, ..EditFacts::default() };
        if is_only && self.says_new(result) {
            facts.before = Some(Before::Absent);
        }
        if self.format == Format::ClaudeCode {
            facts.tabs_are_spaces = true;
            if let Some(row) = self.rows.of(at) {
                claude_code::edit(&row, &call.id, &mut facts);
            }
        }
        facts
    }

    /// Whether the tool says that it made a file that was not there.
    fn says_new(&self, result: &ToolResult<'_>) -> bool {
        let begins = |words: &str| result.only_text().is_some_and(|text| text.starts_with(words));
        let exists = || result.details.as_ref()?.get("exists");
        match self.format {
            // 0.61.0; Qwen 0.24.4.
            Format::Gemini | Format::Qwen => begins("Successfully created and wrote to new file"),
            // 1.0.102.
            Format::Copilot => begins("Created file "),
            // 1.18.33.
            Format::OpenCode => exists() == Some(&Json::Bool(false)),
            _ => false,
        }
    }

    /// What a call read of a file, and its path as the call has it.
    pub(crate) fn read(
        &mut self,
        call: &ToolCall<'_>,
        at: EntryIndex,
        result: &ToolResult<'_>,
    ) -> Option<(String, Read)> {
        let Request::File(request) = call.action().request else { return None };
        let FileAction::Read { lines, is_part } = request.does else { return None };
        if request.path.is_empty() || result.is_error || result.pruned_at.is_some() {
            return None;
        }
        let whole = || if is_part { None } else { plain(result) };
        let read = match self.format {
            Format::ClaudeCode => claude_code::read(&self.rows.of(at)?, &call.id)?.into(),
            // Their tools give a file as it is: without the numbers of lines that Claude Code and OpenCode put before
            // each.
            Format::Pi | Format::PiHarness | Format::PiProposal => match whole() {
                Some(text) => Read::Whole(text),
                None => part::of_pi(lines, result)?.into(),
            },
            Format::Gemini | Format::Qwen => Read::Whole(whole()?),
            _ => return None,
        };
        Some((request.path.to_owned(), read))
    }
}

/// A tool that prints a file without numbers printed all of it.
fn plain(result: &ToolResult<'_>) -> Option<String> {
    let detail = |key| result.details.as_ref().and_then(|details| details.get(key));
    if detail("truncation").is_some_and(Json::is_truthy) || detail("shortForm").is_some() {
        return None;
    }
    let text = joined_text(&result.content, "\n");
    (result.content.len() == 1 && !is_cut(&text)).then_some(text)
}

/// Whether a tool says at the end or the beginning of a file that this is not all of it.
fn is_cut(text: &str) -> bool {
    let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
    // pi up to 1.5.2: `[Showing lines 1-9 of 20 … Use offset=10 to continue]`, `[11 more lines in file. Use
    // offset=…]`; of 2025 `... (11 more lines not shown. Use offset=…)`. Gemini CLI: the texts below
    // (docs/tools/file-system.md, read-file.ts).
    let notice = (last.starts_with('[') && last.ends_with(']'))
        || (last.starts_with("... (") && last.ends_with(')'));
    let words = ["more line", "Showing lines", "offset=", "limit", "truncated", "lines not shown"];
    notice && words.iter().any(|word| last.contains(word))
        || text.starts_with("IMPORTANT: The file content has been truncated")
        || text.starts_with("[File content truncated")
        || text.starts_with("Read image file")
}

/// The hunks of the diff that a result has of a file.
fn left_hunks(result: &ToolResult<'_>, path: &str, is_only: bool) -> Vec<Hunk> {
    let Some(diff) = result.diff().and_then(Diff::lines_written) else { return Vec::new() };
    let path = path.trim_start_matches('/');
    let is_same = |name: &str| name == path;
    // Of the two, either may begin further up.
    let is_end = |name: &str| {
        let ends = |whole: &str, end: &str| {
            whole.strip_suffix(end).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        ends(name, path) || ends(path, name)
    };
    let of = |is_of: &dyn Fn(&str) -> bool| {
        let has = |file: &&FileDiff<'_>| {
            file.names.iter().any(|name| is_of(name.trim_start_matches('/')))
        };
        let files = diff.files.iter().filter(has);
        files.flat_map(|file| hunks(&file.rows)).collect::<Vec<_>>()
    };
    if is_only {
        return diff.files.iter().flat_map(|file| hunks(&file.rows)).collect();
    }
    let same = of(&is_same);
    if same.is_empty() { of(&is_end) } else { same }
}
