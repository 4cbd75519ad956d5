//! What a call is about, on one line: the card's head, the row in the tree and whatever else names a call take it
//! from here. What nothing is known of shows as the values of its arguments.

use std::borrow::Cow;

use super::arguments::text_of;
use super::code_mode;
use super::names::{CELL_CODE, QUESTION_WORDS, STATE, TO_DO_INNER, TO_DO_WORDS, Tool};
use super::{Action, Ask, FileAction, FileRequest, Program, Request, Run, Script};
use crate::session::texts::json::Json;
use crate::session::texts::text::{cut, one_line, row_path, short_path, shortened};

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

/// Lists within lists of things to do go this deep.
pub(crate) const TO_DO_DEPTH: usize = 4;

/// What a call is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heading {
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

impl Heading {
    fn of_path(path: &str) -> Heading {
        Heading::File { verb: String::new(), path: path.to_owned(), lines: String::new() }
    }

    /// As one line of text. Home folders are written `~`.
    pub(crate) fn text(&self) -> String {
        self.written(&short_path)
    }

    /// The same for a row of the tree: paths without the working folder `cwd`.
    pub(crate) fn row(&self, cwd: &str) -> String {
        let text = self.written(&|path| row_path(path, cwd));
        match self {
            Heading::Command(_) => within(&text, cwd),
            _ => text,
        }
    }

    fn written(&self, path_of: &dyn Fn(&str) -> String) -> String {
        match self {
            Heading::File { verb, path, lines } => {
                let space = if verb.is_empty() { "" } else { " " };
                let path = if path.is_empty() { NO_PATH.to_owned() } else { path_of(path) };
                format!("{verb}{space}{}{lines}", one_line(&path))
            }
            Heading::Files(paths) => {
                let (named, more) = Heading::named(paths);
                let named: Vec<String> =
                    named.iter().map(|path| one_line(&path_of(path))).collect();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more}", named.join(", "))
            }
            Heading::Command(line) => shortened(line, COMMAND_UNITS),
            Heading::Search { pattern, folder } => {
                let pattern = pattern.as_deref().unwrap_or(NO_PATTERN);
                let place = one_line(&path_of(folder));
                if place.is_empty() { pattern.to_owned() } else { format!("{pattern} in {place}") }
            }
            Heading::Words(words) => words.clone(),
            Heading::Missing(words) => (*words).to_owned(),
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

impl Action<'_> {
    /// What the call is about.
    pub(crate) fn heading(&self) -> Heading {
        let arguments = self.arguments.json();
        if *arguments == Json::Null {
            return Heading::Words(String::new());
        }
        let heading = match &self.request {
            Request::File(request) => file(self.tool, request, arguments),
            Request::Run(run) => command(run),
            Request::Search { pattern, folder } => Heading::Search {
                pattern: pattern.as_deref().map(one_line),
                folder: folder.clone().into_owned(),
            },
            Request::List { folder } if folder.is_empty() => {
                Heading::Missing("the working directory")
            }
            Request::List { folder } => Heading::of_path(folder),
            Request::ToDo(list) => {
                let doing = list.items.and_then(doing).map(Cow::Borrowed);
                joined(&[&list.id, &list.subject, &list.state, &doing], " · ")
            }
            Request::Task(task) => joined(&[&task.agent, &task.title], " · "),
            Request::Web(web) => joined(&[&web.method, &web.address, &web.query], " "),
            Request::Program(it) => Heading::Words(program(it)),
            Request::Ask(ask) => Heading::Words(question(ask)),
            Request::Plan(plan) => Heading::Words(plan_title(plan)),
            Request::Other => Heading::Words(String::new()),
        };
        match heading {
            Heading::Words(words) if words.is_empty() => Heading::Words(values(arguments)),
            heading => heading,
        }
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

fn file(tool: Tool, request: &FileRequest<'_>, arguments: &Json<'_>) -> Heading {
    let verb = one_line(request.verb.as_deref().unwrap_or_default());
    if request.path.is_empty() {
        let files = request.files();
        if !files.is_empty() {
            return Heading::Files(files.into_iter().map(|file| file.path).collect());
        }
        if tool == Tool::Patch && arguments.get("changes").is_none() {
            return Heading::Missing("no readable patch");
        }
    }
    let lines = match &request.does {
        FileAction::Read { lines, .. } => lines.text(),
        _ => String::new(),
    };
    Heading::File { verb, path: request.path.to_owned(), lines }
}

fn command(run: &Run<'_>) -> Heading {
    let line = match &run.script {
        Script::CodeMode(script) => code_mode::about(script),
        _ => one_line(&run.command()),
    };
    if line.is_empty() { Heading::Missing("no command") } else { Heading::Command(line) }
}

/// The texts that are there, on one line each.
fn joined(texts: &[&Option<Cow<'_, str>>], between: &str) -> Heading {
    let texts: Vec<String> =
        texts.iter().filter_map(|text| Some(one_line(text.as_deref()?))).collect();
    Heading::Words(texts.join(between))
}

/// The first item of a list that is being done, or one of its own items.
pub(crate) fn doing<'j>(items: &'j [Json<'_>]) -> Option<&'j str> {
    let mut open: Vec<(&Json<'_>, usize)> = items.iter().rev().map(|item| (item, 0)).collect();
    while let Some((item, depth)) = open.pop() {
        let state = text_of(item, STATE);
        if matches!(state, Some("in_progress" | "in-progress" | "active" | "doing")) {
            return text_of(item, TO_DO_WORDS);
        }
        if depth < TO_DO_DEPTH {
            let inner = TO_DO_INNER.iter().find_map(|key| item.get(key)).map(Json::items);
            open.extend(inner.unwrap_or_default().iter().rev().map(|item| (item, depth + 1)));
        }
    }
    None
}

/// The code of a cell.
pub(crate) fn cell_text<'a>(cell: &'a Json<'_>) -> Option<&'a str> {
    text_of(cell, CELL_CODE).or(cell.as_str())
}

fn program(program: &Program<'_>) -> String {
    let first_line = |code: &str| code.lines().find(|line| !line.trim().is_empty()).map(one_line);
    if let Some(title) = &program.title {
        return one_line(title);
    }
    let of_cells = || program.cells?.iter().find_map(|cell| first_line(cell_text(cell)?));
    program.code.as_deref().and_then(first_line).or_else(of_cells).unwrap_or_default()
}

/// The words of a question among several.
pub(crate) fn question_text<'a>(question: &'a Json<'_>) -> Option<&'a str> {
    text_of(question, QUESTION_WORDS).or(question.as_str())
}

fn question(ask: &Ask<'_>) -> String {
    let several = || ask.questions?.iter().find_map(question_text).map(one_line);
    ask.question.as_deref().map(one_line).or_else(several).unwrap_or_default()
}

fn plan_title(plan: &str) -> String {
    let mut lines = plan.lines().map(|line| line.trim_matches(['#', ' ']));
    let title = one_line(lines.find(|line| !line.is_empty()).unwrap_or_default());
    cut(&title, WORDS_UNITS).to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn about(name: &str, arguments: &str) -> Heading {
        Action::of(name, &serde_json::from_str(arguments).unwrap()).heading()
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
        let run = |command: &str| Heading::Command(command.to_owned()).row("/home/x/w");
        assert_eq!(run("cd /home/x/w && cargo test"), "cargo test");
        assert_eq!(run("cat /home/x/w/a /home/x/wide/b"), "cat a /home/x/wide/b");
        assert_eq!(run("cd /home/x/w/sub && ls"), "cd sub && ls");
        assert_eq!(Heading::Command("ls /".to_owned()).row("/"), "ls /");
    }
}
