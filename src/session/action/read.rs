//! Reads the arguments of a call by the names of `names`.

use super::arguments::{Arguments, text_of};
use super::files::path_in;
use super::lines::{LineRange, as_line_number};
use super::names::{self, Names, Tool};
use super::request::{
    Action, Ask, FileAction, FileRequest, Program, Replacement, Request, Run, Script, Task, ToDo,
    Web,
};
use crate::session::model::entry::Body;
use crate::session::model::message::{Message, ToolCall};
use crate::session::texts::json::Json;

impl<'c> Action<'c> {
    /// What a call of the tool `name` asks.
    pub(crate) fn of(name: &str, arguments: &'c Json<'c>) -> Action<'c> {
        let tool = Tool::of(name);
        let mut arguments = Arguments::new(arguments);
        let request = request(tool, name, &mut arguments);
        Action { tool, request, arguments }
    }

    /// The calls of an entry, in their order.
    pub(crate) fn all_of(body: &'c Body<'_>) -> Vec<Action<'c>> {
        match body {
            Body::Message(Message::Assistant(assistant)) => {
                assistant.calls().map(ToolCall::action).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl ToolCall<'_> {
    /// What it asks.
    pub(crate) fn action(&self) -> Action<'_> {
        Action::of(&self.name, &self.arguments)
    }
}

fn request<'c>(tool: Tool, name: &str, given: &mut Arguments<'c>) -> Request<'c> {
    match tool {
        Tool::Read | Tool::Write | Tool::Edit | Tool::Notebook | Tool::Editor | Tool::Patch => {
            Request::File(file(tool, given))
        }
        Tool::Command => Request::Run(run(name, given)),
        Tool::Search => Request::Search {
            pattern: given.text(names::PATTERN),
            folder: given.text(names::FOLDER).unwrap_or_default(),
        },
        Tool::List => Request::List {
            folder: given
                .text(names::FOLDER)
                .or_else(|| given.text(names::PATH))
                .unwrap_or_default(),
        },
        Tool::ToDo => Request::ToDo(ToDo {
            id: given.text(names::TO_DO_ID),
            subject: given.text(names::TO_DO_SUBJECT),
            state: given.text(names::STATE),
            items: given.array(names::TO_DO_LISTS),
        }),
        Tool::Task => Request::Task(Task {
            agent: given.text(names::AGENT),
            title: given.text(names::TASK_TITLE),
            prompt: given.text(names::TASK_PROMPT),
            tasks: given.array(names::TASKS),
            context: given.text(names::TASK_CONTEXT),
        }),
        Tool::Web => Request::Web(Web {
            method: given.text(names::METHOD),
            address: given.text(names::ADDRESS),
            query: given.text(names::WEB_QUERY),
            prompt: given.text(names::WEB_PROMPT),
        }),
        Tool::Program => Request::Program(Program {
            title: given.text(names::PROGRAM_TITLE),
            code: given.text(names::CODE),
            cells: given.array(names::CELLS),
            language: look(given, names::LANGUAGE),
        }),
        Tool::Ask => Request::Ask(Ask {
            questions: given.array(names::QUESTIONS),
            question: given.text(names::QUESTION),
            options: given.array(names::OPTIONS),
        }),
        Tool::Plan => Request::Plan(given.text(names::PLAN).unwrap_or_default()),
        Tool::Mcp | Tool::Other => Request::Other,
    }
}

/// The text under the first of `names` that has one. It is not taken: a card lists it among the other arguments.
fn look<'c>(given: &Arguments<'c>, names: Names) -> Option<&'c str> {
    let arguments: &'c Json<'c> = given.json();
    text_of(arguments, names)
}

fn file<'c>(tool: Tool, given: &mut Arguments<'c>) -> FileRequest<'c> {
    let path = given.take(names::PATH, Json::as_str).unwrap_or_default();
    let verb =
        (tool == Tool::Editor).then(|| given.text(names::EDITOR_COMMAND).unwrap_or_default());
    let json: &'c Json<'c> = given.json();
    let text = json.as_str().or_else(|| text_of(json, names::PATCH));
    let parts = names::FILES.iter().filter_map(|name| json.get(name)).flat_map(Json::items);
    let parts = parts.collect();
    let does = match (tool, verb.as_deref()) {
        (Tool::Read, _) | (Tool::Editor, Some("view")) => read(given),
        (Tool::Write, _) | (Tool::Editor, Some("create")) => {
            let text = given.text(names::CONTENT);
            let sketch = if text.is_none() { given.text(names::SKETCH) } else { None };
            FileAction::Write { text, sketch }
        }
        (Tool::Editor, Some("insert")) => FileAction::Insert {
            after: given.take(names::INSERT_AFTER, as_line_number),
            text: given.take(names::INSERTED, Json::as_str),
        },
        (Tool::Editor, Some("undo_edit")) => FileAction::Undo,
        (Tool::Notebook, _) => FileAction::Cell {
            cell: names::CELL
                .iter()
                .find_map(|name| json.get(name))
                .filter(|cell| matches!(cell, Json::String(_) | Json::Number(_)))
                .map(|cell| cell.clone().into_text()),
            mode: look(given, names::CELL_MODE).unwrap_or("replace"),
            source: given.text(names::CELL_SOURCE),
            kind: look(given, names::CELL_KIND),
        },
        (Tool::Patch, _) => FileAction::Patch,
        _ => replace(given, text.is_some()),
    };
    if matches!(does, FileAction::Patch) {
        given.take_text(names::PATCH);
    }
    FileRequest { path, verb, patch: text, parts, does }
}

fn read<'c>(given: &mut Arguments<'c>) -> FileAction<'c> {
    let asks = |name: &&str| given.json().get(name).is_some_and(|value| *value != Json::Null);
    let parts = [names::LINES, names::FIRST_LINE, names::LINE_COUNT, names::LAST_LINE, names::PART];
    let is_part = parts.iter().any(|names| names.iter().any(asks));
    FileAction::Read { lines: LineRange::take(given), is_part }
}

/// Replacements of one file or of several: each may name its own. A patch is one where there is nothing else.
fn replace<'c>(given: &mut Arguments<'c>, has_patch: bool) -> FileAction<'c> {
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    for part in given.array(names::REPLACEMENTS).unwrap_or_default() {
        match replacement(path_in(part), Arguments::new(part), given.json()) {
            Some((one, rest)) => all.push(Replacement { rest: Some(rest), ..one }),
            None => unreadable.push(part),
        }
    }
    if let Some((one, rest)) = replacement(None, given.clone(), given.json()) {
        all.push(one);
        *given = rest;
    }
    if all.is_empty() && unreadable.is_empty() && has_patch {
        return FileAction::Patch;
    }
    let sketch = if all.is_empty() {
        given.text(names::SKETCH).or_else(|| given.text(names::CONTENT))
    } else {
        None
    };
    FileAction::Replace { all, unreadable, sketch }
}

/// The replacement that arguments hold, and what else they have. Nothing is taken where half of it is missing.
fn replacement<'c>(
    path: Option<&'c str>,
    mut given: Arguments<'c>,
    call: &'c Json<'c>,
) -> Option<(Replacement<'c>, Arguments<'c>)> {
    let (old, new) = (given.take(names::OLD, Json::as_str)?, given.take(names::NEW, Json::as_str)?);
    let every = given.flag(names::ALL).or_else(|| Arguments::new(call).flag(names::ALL));
    Some((Replacement { path, old, new, every: every.unwrap_or_default(), rest: None }, given))
}

fn run<'c>(name: &str, given: &mut Arguments<'c>) -> Run<'c> {
    let words = |value: &'c Json<'c>| match value {
        Json::Array(words) => words.iter().map(Json::as_str).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    let script = given.text(names::COMMAND).map(Script::Shell);
    let script = script.or_else(|| given.take(names::COMMAND, words).map(Script::Words));
    let is_empty = match &script {
        Some(Script::Shell(script)) => script.is_empty(),
        Some(Script::Words(words)) => words.is_empty(),
        _ => true,
    };
    let script = match script {
        Some(script) if !is_empty => script,
        _ => code_mode(name, given).map_or(Script::Missing, Script::CodeMode),
    };
    Run {
        script,
        folder: look(given, names::WORK_FOLDER).unwrap_or_default(),
        purpose: given.text(names::PURPOSE),
        timeout_ms: given.number(names::TIMEOUT_MS),
        timeout: given.number(names::TIMEOUT),
        in_background: given.flag(names::BACKGROUND) == Some(true),
    }
}

fn code_mode<'c>(name: &str, given: &mut Arguments<'c>) -> Option<&'c str> {
    look(given, names::CODE_MODE).filter(|script| !script.trim().is_empty())?;
    if !names::is_code_mode(name) {
        return None;
    }
    given.take(names::CODE_MODE, Json::as_str)
}
