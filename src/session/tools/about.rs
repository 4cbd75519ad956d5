//! What a tool call is about, on one line: the card's head, the row in the tree and
//! whatever else names a call take it from here.
//!
//! `About::of` chooses by the kind of the tool (`tool_kind.rs`) and takes the arguments that the line tells whole, so
//! that a card shows each only once. Names of arguments are those of any agent: what is not found shows as values.

use std::borrow::Cow;

use super::arguments::Arguments;
use super::code_mode;
use super::file_tools::{FileTool, PATCH, PATH, patched, path_in};
use super::tool_kind::ToolKind;
use crate::session::model::message::ToolCall;
use crate::session::texts::json::Json;
use crate::session::texts::text::{cut, one_line, row_path, short_path, shortened};

/// What agents call that which is searched for.
const PATTERN: &[&str] = &["pattern", "query", "regex", "glob_pattern", "pat", "glob"];

/// What agents call the folder.
const FOLDER: &[&str] =
    &["path", "dir_path", "directory", "target_directory", "relative_workspace_path", "dir"];

/// A command is shown up to this length, in UTF-16 units.
const COMMAND_UNITS: usize = 200;

/// The first line of a plan, and the arguments of an unknown tool, in UTF-16 units.
const WORDS_UNITS: usize = 100;

/// A patch names this many of its files.
const NAMED_FILES: usize = 3;

/// Says that a call on a file names none.
pub(crate) const NO_PATH: &str = "no path";

/// Says that a search is for nothing.
pub(crate) const NO_PATTERN: &str = "no pattern";

/// Numbers beyond are no lines of a file.
const MAX_LINE: f64 = 1e9;

/// What a call is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum About {
    /// A file or a folder: what is done with it where the tool's name does not say that, its path as
    /// written, and which lines, as in `:10-29`.
    File { verb: String, path: String, lines: String },
    /// The files of a patch.
    Files(Vec<String>),
    /// A command or a program in one line.
    Command(String),
    /// What is searched for, and where.
    Search { pattern: Option<String>, folder: String },
    /// Words of the call.
    Words(String),
    /// What a reader would look for is not there.
    Missing(&'static str),
}

impl About {
    /// What a call of the tool `name` is about. Takes the arguments that the line tells whole.
    pub(crate) fn of(name: &str, given: &mut Arguments<'_>) -> About {
        if *given.json() == Json::Null {
            return About::Words(String::new());
        }
        let about = match ToolKind::of(name) {
            ToolKind::File(tool) => file(tool, given),
            ToolKind::Command => command(name, given),
            ToolKind::Search => search(given),
            ToolKind::List => list(given),
            ToolKind::Todo => to_do(given),
            ToolKind::Task => task(given),
            ToolKind::Web => web(given),
            ToolKind::Program => program(given),
            ToolKind::Ask => question(given),
            ToolKind::Plan => plan(given),
            ToolKind::Other => About::Words(String::new()),
        };
        match about {
            About::Words(words) if words.is_empty() => About::Words(values(given.json())),
            about => about,
        }
    }

    /// As one line of text. Home folders are written `~`.
    pub(crate) fn text(&self) -> String {
        self.written(&short_path)
    }

    /// The same for a row of the tree: paths without the working folder `cwd`.
    pub(crate) fn row(&self, cwd: &str) -> String {
        let text = self.written(&|path| row_path(path, cwd));
        match self {
            About::Command(_) => within(&text, cwd),
            _ => text,
        }
    }

    fn written(&self, path_of: &dyn Fn(&str) -> String) -> String {
        match self {
            About::File { verb, path, lines } => {
                let space = if verb.is_empty() { "" } else { " " };
                let path = if path.is_empty() { NO_PATH.to_owned() } else { path_of(path) };
                format!("{verb}{space}{}{lines}", one_line(&path))
            }
            About::Files(paths) => {
                let (named, more) = About::named(paths);
                let named: Vec<String> =
                    named.iter().map(|path| one_line(&path_of(path))).collect();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more}", named.join(", "))
            }
            About::Command(line) => shortened(line, COMMAND_UNITS),
            About::Search { pattern, folder } => {
                let pattern = pattern.as_deref().unwrap_or(NO_PATTERN);
                let place = one_line(&path_of(folder));
                if place.is_empty() { pattern.to_owned() } else { format!("{pattern} in {place}") }
            }
            About::Words(words) => words.clone(),
            About::Missing(words) => (*words).to_owned(),
        }
    }

    /// The files of a patch that are named, and how many more there are.
    pub(crate) fn named(paths: &[String]) -> (&[String], usize) {
        let (named, more) = paths.split_at(paths.len().min(NAMED_FILES));
        (named, more.len())
    }

    /// A command as far as one line shows it, and whether that is all.
    pub(crate) fn shown_command(line: &str) -> (&str, bool) {
        let shown = cut(line, COMMAND_UNITS);
        (shown, shown.len() == line.len())
    }
}

impl ToolCall<'_> {
    /// What the call is about.
    pub(crate) fn about(&self) -> About {
        About::of(&self.name, &mut Arguments::new(&self.arguments))
    }
}

/// A command without the folder that it is run in: `cd FOLDER && cargo test` becomes `cargo test`.
fn within(command: &str, cwd: &str) -> String {
    if cwd.len() < 2 {
        return command.to_owned();
    }
    let after = command.strip_prefix("cd ").and_then(|rest| {
        let rest = rest.trim_start_matches(['"', '\'']).strip_prefix(cwd)?;
        let rest = rest.trim_start_matches(['"', '\'', '/', ' ']);
        rest.strip_prefix("&&").or_else(|| rest.strip_prefix(';')).map(str::trim_start)
    });
    after.unwrap_or(command).replace(&format!("{cwd}/"), "")
}

fn file(tool: FileTool, given: &mut Arguments<'_>) -> About {
    let path = given.text(PATH).unwrap_or_default();
    let verb = match tool {
        FileTool::Editor => one_line(&given.text(&["command"]).unwrap_or_default()),
        _ => String::new(),
    };
    let reads = tool == FileTool::Read || verb == "view";
    if path.is_empty() && !reads {
        // Not taken: the line names its files, and the card has to show the rest.
        let keyed = || PATCH.iter().find_map(|key| given.json().get(key)?.as_str());
        let paths = given.json().as_str().or_else(keyed).map(patched);
        match paths {
            Some(paths) if !paths.is_empty() => {
                return About::Files(paths.into_iter().map(str::to_owned).collect());
            }
            _ if tool == FileTool::Patch && given.json().get("changes").is_none() => {
                return About::Missing("no readable patch");
            }
            _ => {}
        }
    }
    if path.is_empty() {
        let lists =
            ["edits", "files", "changes"].into_iter().filter_map(|key| given.json().get(key));
        let paths: Vec<String> =
            lists.flat_map(Json::items).filter_map(path_in).map(str::to_owned).collect();
        if !paths.is_empty() {
            return About::Files(paths);
        }
    }
    let lines = if reads { LineRange::take(given).text() } else { String::new() };
    About::File { verb, path: path.into_owned(), lines }
}

/// The command of a call; some agents pass its words one by one.
pub(crate) fn command_of<'r>(given: &mut Arguments<'r>) -> Option<Cow<'r, str>> {
    given.text(&["command", "cmd", "script"]).or_else(|| {
        given.take(&["command", "cmd"], |value| match value {
            Json::Array(words) => {
                let words: Option<Vec<_>> = words.iter().map(Json::as_str).collect();
                Some(words?.join(" ").into())
            }
            _ => None,
        })
    })
}

fn command(tool: &str, given: &mut Arguments<'_>) -> About {
    let command = command_of(given).map(|command| one_line(&command));
    let line = command.or_else(|| code_mode::script(tool, given).map(code_mode::about));
    let line = line.unwrap_or_default();
    if line.is_empty() { About::Missing("no command") } else { About::Command(line) }
}

fn search(given: &mut Arguments<'_>) -> About {
    let pattern = given.text(PATTERN).map(|text| one_line(&text));
    About::Search { pattern, folder: given.text(FOLDER).unwrap_or_default().into_owned() }
}

fn list(given: &mut Arguments<'_>) -> About {
    let folder = given.text(FOLDER).or_else(|| given.text(PATH)).unwrap_or_default();
    if folder.is_empty() {
        return About::Missing("the working directory");
    }
    About::File { verb: String::new(), path: folder.into_owned(), lines: String::new() }
}

/// The texts that are there, on one line each.
fn joined(texts: &[Option<Cow<'_, str>>], between: &str) -> About {
    let texts: Vec<String> = texts.iter().flatten().map(|text| one_line(text)).collect();
    About::Words(texts.join(between))
}

fn to_do(given: &mut Arguments<'_>) -> About {
    let id = given.text(&["taskId", "task_id", "id"]);
    let words = given.text(&["subject", "description", "explanation", "content"]);
    let status = given.text(&["status", "state"]);
    let doing = given.array(&TO_DO_LISTS).and_then(doing);
    joined(&[id, words, status, doing.map(Cow::Borrowed)], " · ")
}

/// Where agents put a list of things to do, in the arguments or in what the tool left for viewers: `todos` Claude
/// Code, OpenCode and Qwen Code, `plan` Codex, `phases` omp (18.2.3).
pub(crate) const TO_DO_LISTS: [&str; 6] = ["todos", "plan", "tasks", "items", "phases", "list"];

/// Where an item of such a list has its words.
pub(crate) const TO_DO_WORDS: [&str; 8] =
    ["content", "step", "text", "task", "subject", "title", "description", "name"];

/// An item's own list of smaller ones.
pub(crate) const TO_DO_INNER: [&str; 4] = ["tasks", "items", "todos", "subtasks"];

/// Lists within lists go this deep.
pub(crate) const TO_DO_DEPTH: usize = 4;

/// The first item of a list that is being done, or one of its own items.
pub(crate) fn doing<'j>(items: &'j [Json<'_>]) -> Option<&'j str> {
    let mut open: Vec<(&Json<'_>, usize)> = items.iter().rev().map(|item| (item, 0)).collect();
    while let Some((item, depth)) = open.pop() {
        let state = ["status", "state"].iter().find_map(|key| item.get(key)?.as_str());
        if matches!(state, Some("in_progress" | "in-progress" | "active" | "doing")) {
            return TO_DO_WORDS.iter().find_map(|key| item.get(key)?.as_str());
        }
        if depth < TO_DO_DEPTH {
            let inner = TO_DO_INNER.iter().find_map(|key| item.get(key)).map(Json::items);
            open.extend(inner.unwrap_or_default().iter().rev().map(|item| (item, depth + 1)));
        }
    }
    None
}

fn task(given: &mut Arguments<'_>) -> About {
    let agent = given.text(&["subagent_type", "agent", "agentType", "agent_type"]);
    let about = given.text(&["description", "title", "name"]);
    joined(&[agent, about], " · ")
}

/// What agents call an address.
pub(crate) const URL: &[&str] = &["url", "uri", "link"];

fn web(given: &mut Arguments<'_>) -> About {
    let method = given.text(&["method"]);
    let url = given.text(URL);
    let query = given.text(&["query", "q", "search_query", "searchQuery"]);
    joined(&[method, url, query], " ")
}

/// Where cells of a notebook have their code.
pub(crate) const CELL_TEXT: [&str; 3] = ["code", "source", "input"];

/// The code of a cell.
pub(crate) fn cell_text<'a>(cell: &'a Json<'_>) -> Option<&'a str> {
    CELL_TEXT.iter().find_map(|key| cell.get(key)?.as_str()).or(cell.as_str())
}

fn program(given: &mut Arguments<'_>) -> About {
    let first_line = |code: &str| code.lines().find(|line| !line.trim().is_empty()).map(one_line);
    if let Some(title) = given.text(&["title", "description"]) {
        return About::Words(one_line(&title));
    }
    let code = given.text(&["code", "source", "script", "expression"]);
    let about = code
        .and_then(|code| first_line(&code))
        .or_else(|| given.array(&["cells"])?.iter().find_map(|cell| first_line(cell_text(cell)?)));
    About::Words(about.unwrap_or_default())
}

/// The words of a question among several.
pub(crate) fn question_text<'a>(question: &'a Json<'_>) -> Option<&'a str> {
    let keyed =
        ["question", "prompt", "text", "title"].iter().find_map(|key| question.get(key)?.as_str());
    keyed.or(question.as_str())
}

fn question(given: &mut Arguments<'_>) -> About {
    let single = given.text(&["question", "prompt", "message"]).map(|text| one_line(&text));
    let several = || given.array(&["questions"])?.iter().find_map(question_text).map(one_line);
    About::Words(single.or_else(several).unwrap_or_default())
}

fn plan(given: &mut Arguments<'_>) -> About {
    let plan = given.text(&["plan", "proposal", "content"]).unwrap_or_default();
    let mut lines = plan.lines().map(|line| line.trim_matches(['#', ' ']));
    let title = one_line(lines.find(|line| !line.is_empty()).unwrap_or_default());
    About::Words(cut(&title, WORDS_UNITS).to_owned())
}

/// The first arguments that are short enough to be read, without their names.
fn values(arguments: &Json<'_>) -> String {
    let values: Vec<String> = match arguments {
        Json::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !matches!(value, Json::Array(_) | Json::Object(_) | Json::Null))
            .map(|(_, value)| one_line(&value.clone().into_text()))
            .filter(|text| !text.is_empty())
            .collect(),
        Json::Null => Vec::new(),
        other => vec![one_line(&other.clone().into_text())],
    };
    shortened(&values.join(" · "), WORDS_UNITS)
}

/// Which lines of a file were asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineRange {
    pub(crate) first: Option<usize>,
    count: Option<usize>,
    last: Option<usize>,
}

impl LineRange {
    /// Takes the lines from the arguments.
    pub(crate) fn take(given: &mut Arguments<'_>) -> LineRange {
        let range = |value: &Json<'_>| match value {
            Json::Array(items) => match items.as_slice() {
                // Anthropic's editor writes -1 for the end of the file.
                [first, last] if last.as_f64() == Some(-1.0) => {
                    Some((as_line_number(first)?, None))
                }
                [first, last] => Some((as_line_number(first)?, Some(as_line_number(last)?))),
                _ => None,
            },
            _ => None,
        };
        if let Some((first, last)) = given.take(&["view_range"], range) {
            return LineRange { first: Some(first), count: None, last };
        }
        let mut number = |keys: &[&str]| given.take(keys, as_line_number);
        LineRange {
            first: number(&["offset", "start_line", "startLine", "start_line_one_indexed"]),
            count: number(&["limit"]),
            last: number(&["end_line", "endLine", "end_line_one_indexed_inclusive"]),
        }
    }

    /// `:10-29`, `:10`, or nothing for the whole file.
    pub(crate) fn text(self) -> String {
        let first = self.first.unwrap_or(1);
        match (self.first, self.count, self.last) {
            (_, _, Some(last)) => format!(":{first}-{last}"),
            (_, Some(count), None) => format!(":{first}-{}", (first + count).saturating_sub(1)),
            (Some(first), None, None) => format!(":{first}"),
            (None, None, None) => String::new(),
        }
    }
}

/// A whole number that can be a line's, or a numeral of one.
pub(crate) fn as_line_number(value: &Json<'_>) -> Option<usize> {
    let number = match value {
        Json::String(text) => text.trim().parse().ok()?,
        value => value.as_f64()?,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, in range")]
    (number.fract() == 0.0 && (0.0..=MAX_LINE).contains(&number)).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(name: &str, arguments: &str) -> About {
        About::of(name, &mut Arguments::new(&serde_json::from_str(arguments).unwrap()))
    }

    #[test]
    fn each_kind_of_tool_says_what_it_is_about() {
        let cases = [
            ("Read", r#"{"file_path":"/Users/x/w/a.rs","offset":10,"limit":20}"#, "~/w/a.rs:10-29"),
            (
                "str_replace_based_edit_tool",
                r#"{"command":"view","path":"/w/a.rs"}"#,
                "view /w/a.rs",
            ),
            ("Bash", r#"{"command":"cargo\ntest"}"#, "cargo test"),
            ("shell", r#"{"command":["ls","-l"]}"#, "ls -l"),
            ("Grep", r#"{"pattern":"fn","path":"/w/src"}"#, "fn in /w/src"),
            ("Glob", "{}", "no pattern"),
            ("LS", "{}", "the working directory"),
            (
                "TodoWrite",
                r#"{"todos":[{"content":"a","status":"done"},{"content":"b","status":"in_progress"}]}"#,
                "b",
            ),
            (
                "Task",
                r#"{"subagent_type":"scout","description":"find it","prompt":"long"}"#,
                "scout · find it",
            ),
            ("WebFetch", r#"{"url":"https://a.example","prompt":"p"}"#, "https://a.example"),
            ("python", r#"{"code":"\n  import os\nx"}"#, "import os"),
            ("AskUserQuestion", r#"{"questions":[{"question":"which?"}]}"#, "which?"),
            ("ExitPlanMode", r##"{"plan":"# The plan\nsteps"}"##, "The plan"),
            ("weigh", r#"{"item":"lamp","grams":120,"more":{}}"#, "lamp · 120"),
            (
                "apply_patch",
                r#""*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n""#,
                "a, b",
            ),
            ("edit", "{}", "no path"),
            ("edit", "null", ""),
        ];
        for (name, arguments, expected) in cases {
            assert_eq!(about(name, arguments).text(), expected, "{name} {arguments}");
        }
    }

    #[test]
    fn a_row_leaves_out_the_working_folder() {
        let read = about("Read", r#"{"file_path":"/home/x/w/src/a.rs"}"#);
        assert_eq!(read.row("/home/x/w"), "src/a.rs");
        let run = |command: &str| About::Command(command.to_owned()).row("/home/x/w");
        assert_eq!(run("cd /home/x/w && cargo test"), "cargo test");
        assert_eq!(run("cat /home/x/w/a /home/x/wide/b"), "cat a /home/x/wide/b");
        assert_eq!(run("cd /home/x/w/sub && ls"), "cd sub && ls");
        assert_eq!(About::Command("ls /".to_owned()).row("/"), "ls /");
    }
}
