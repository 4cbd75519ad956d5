//! What a call asks, as typed values.

use std::borrow::Cow;

use super::arguments::Arguments;
use super::lines::LineRange;
use super::names::{StepKind, Tool};
use super::program::{is_script_flag, is_shell};
use crate::session::texts::json::Json;

/// What a call asks.
#[derive(Debug, Clone)]
pub(crate) struct Action<'c> {
    /// What the tool is for. Anthropic's editor stays one, whatever it is to do.
    pub(crate) tool: Tool,
    /// What the call asks, as far as it can be read.
    pub(crate) request: Request<'c>,
    /// The arguments; what the request has none of is not taken.
    pub(crate) arguments: Arguments<'c>,
}

/// What a call asks, by the kind of its tool.
#[derive(Debug, Clone)]
pub(crate) enum Request<'c> {
    File(FileRequest<'c>),
    Run(Run<'c>),
    Search {
        pattern: Option<Cow<'c, str>>,
        /// Empty where none is named.
        folder: Cow<'c, str>,
    },
    List {
        /// Empty for the working directory.
        folder: Cow<'c, str>,
    },
    ToDo(ToDo<'c>),
    Task(Task<'c>),
    Web(Web<'c>),
    Program(Program<'c>),
    Ask(Ask<'c>),
    /// Markdown; empty where there is none.
    Plan(Cow<'c, str>),
    Other,
}

/// What is asked of files.
#[derive(Debug, Clone)]
pub(crate) struct FileRequest<'c> {
    /// The path as written; empty where the call names none itself.
    pub(crate) path: &'c str,
    /// What Anthropic's editor is to do, in its own word.
    pub(crate) verb: Option<Cow<'c, str>>,
    /// A text that may be a patch.
    pub(crate) patch: Option<&'c str>,
    /// Items of a list that may each name a file.
    pub(crate) parts: Vec<&'c Json<'c>>,
    pub(crate) does: FileAction<'c>,
}

/// What is to be done with a file.
#[derive(Debug, Clone)]
pub(crate) enum FileAction<'c> {
    Read {
        lines: LineRange,
        /// Only a part of the file is asked for, whether or not its lines could be read.
        is_part: bool,
    },
    Write {
        /// The whole text.
        text: Option<Cow<'c, str>>,
        /// A text that a second model merges into the file.
        sketch: Option<Cow<'c, str>>,
    },
    Replace {
        /// In the order in which they are made.
        all: Vec<Replacement<'c>>,
        /// Items of the list of replacements that are none.
        unreadable: Vec<&'c Json<'c>>,
        /// A text that a second model merges into the file, where nothing is replaced.
        sketch: Option<Cow<'c, str>>,
    },
    Insert {
        /// After this many lines.
        after: Option<usize>,
        text: Option<&'c str>,
    },
    Cell {
        /// The cell's id, or its place counted from 0, as written.
        cell: Option<Cow<'c, str>>,
        /// `replace`, `insert` or `delete`.
        mode: &'c str,
        source: Option<Cow<'c, str>>,
        /// `code` or `markdown`.
        kind: Option<&'c str>,
    },
    /// The patch is applied, or what is done to each of the parts is not said.
    Patch,
    /// The last edit is taken back.
    Undo,
}

/// A text and what is put in its place.
#[derive(Debug, Clone)]
pub(crate) struct Replacement<'c> {
    /// The file, where the replacement names it itself.
    pub(crate) path: Option<&'c str>,
    pub(crate) old: &'c str,
    pub(crate) new: &'c str,
    /// Whether every occurrence is replaced, where the replacement or the call says so.
    pub(crate) every: bool,
    /// What else the item of a list says; `None` for the replacement that the call itself is.
    pub(crate) rest: Option<Arguments<'c>>,
}

/// A command that is to run.
#[derive(Debug, Clone)]
pub(crate) struct Run<'c> {
    pub(crate) script: Script<'c>,
    /// The folder that the call names; empty for that of the session.
    pub(crate) folder: &'c str,
    /// What the model says it is for.
    pub(crate) purpose: Option<Cow<'c, str>>,
    /// How long it may run, in milliseconds.
    pub(crate) timeout_ms: Option<f64>,
    /// The same in an unknown unit.
    pub(crate) timeout: Option<f64>,
    /// Nobody waits for it.
    pub(crate) in_background: bool,
}

/// What a command runs.
#[derive(Debug, Clone)]
pub(crate) enum Script<'c> {
    Missing,
    /// As a shell reads it.
    Shell(Cow<'c, str>),
    /// A program and its arguments, one by one.
    Words(Vec<&'c str>),
    /// A script of Codex's code mode, in JavaScript: it calls the tools.
    CodeMode(&'c str),
}

/// A list of things to do, or a change of one of them.
#[derive(Debug, Clone)]
pub(crate) struct ToDo<'c> {
    pub(crate) id: Option<Cow<'c, str>>,
    pub(crate) subject: Option<Cow<'c, str>>,
    pub(crate) state: Option<Cow<'c, str>>,
    pub(crate) items: Option<&'c [Json<'c>]>,
}

/// Work for another agent.
#[derive(Debug, Clone)]
pub(crate) struct Task<'c> {
    pub(crate) agent: Option<Cow<'c, str>>,
    pub(crate) title: Option<Cow<'c, str>>,
    pub(crate) prompt: Option<Cow<'c, str>>,
    pub(crate) context: Option<Cow<'c, str>>,
    pub(crate) tasks: Option<&'c [Json<'c>]>,
}

/// A page of the web, or a search there.
#[derive(Debug, Clone)]
pub(crate) struct Web<'c> {
    pub(crate) method: Option<Cow<'c, str>>,
    pub(crate) address: Option<Cow<'c, str>>,
    pub(crate) query: Option<Cow<'c, str>>,
    /// What is to be found out.
    pub(crate) prompt: Option<Cow<'c, str>>,
}

/// A program in a language, as one text or as cells of a notebook.
#[derive(Debug, Clone)]
pub(crate) struct Program<'c> {
    pub(crate) title: Option<Cow<'c, str>>,
    pub(crate) code: Option<Cow<'c, str>>,
    pub(crate) cells: Option<&'c [Json<'c>]>,
    pub(crate) language: Option<&'c str>,
}

/// One question, or several.
#[derive(Debug, Clone)]
pub(crate) struct Ask<'c> {
    pub(crate) question: Option<Cow<'c, str>>,
    pub(crate) options: Option<&'c [Json<'c>]>,
    pub(crate) questions: Option<&'c [Json<'c>]>,
}

impl<'c> Action<'c> {
    /// The command that the call runs.
    pub(crate) fn run(&self) -> Option<&Run<'c>> {
        match &self.request {
            Request::Run(run) => Some(run),
            _ => None,
        }
    }

    /// What the line of a turn's steps counts it as.
    pub(crate) fn step(&self) -> StepKind {
        match &self.request {
            Request::File(FileRequest { does: FileAction::Read { .. }, .. }) => StepKind::Read,
            _ => self.tool.step(),
        }
    }
}

impl<'c> Run<'c> {
    /// The command as it was asked for, its words with blanks between them; empty where there is none.
    pub(crate) fn command(&self) -> Cow<'c, str> {
        match &self.script {
            Script::Shell(script) => script.clone(),
            Script::Words(words) => words.join(" ").into(),
            Script::Missing | Script::CodeMode(_) => Cow::Borrowed(""),
        }
    }

    /// The script that a shell runs: of `["bash", "-lc", "cd x && make"]` the last word.
    pub(crate) fn shell_script(&self) -> Option<Cow<'c, str>> {
        match &self.script {
            Script::Words(words) => match words[..] {
                [shell, flag, script] if is_shell(shell) && is_script_flag(flag) => {
                    Some(Cow::Borrowed(script))
                }
                _ => Some(self.command()),
            },
            Script::Shell(_) => Some(self.command()),
            Script::Missing | Script::CodeMode(_) => None,
        }
    }
}
