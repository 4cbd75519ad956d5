//! What agents call their tools and the arguments of these: the one table of spellings, with its sources.
//!
//! A tool that does what another one does is a name in a row of [`TOOLS`], and an argument that means what another one
//! means is a name in a list below. Whoever wants to know what a call asks takes it from [`Action`](super::Action).

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tool {
    /// Gives a file, or a part of it.
    Read,
    /// Writes a whole file.
    Write,
    /// Replaces parts of a file.
    Edit,
    /// Changes a cell of a notebook.
    Notebook,
    /// Anthropic's editor: a command says what it does.
    Editor,
    /// Takes changes to several files in one text.
    Patch,
    /// Runs a command in a shell.
    Command,
    /// Searches in files or for files.
    Search,
    /// Lists a folder.
    List,
    /// Keeps a list of what is to be done.
    ToDo,
    /// Starts a sub-agent.
    Task,
    /// Reads or searches the web.
    Web,
    /// Runs a program in a language.
    Program,
    /// Asks the user.
    Ask,
    /// Puts a plan before the user.
    Plan,
    /// Of a server that speaks the Model Context Protocol.
    Mcp,
    /// Not known here.
    Other,
}

/// The names of tools. Case, `_` and `-` do not count: agents spell one tool as `Bash`, `web_search` or `WebSearch`.
#[rustfmt::skip]
const TOOLS: &[(Tool, &[&str])] = &[
    // pi `read`; Claude Code `Read`; Copilot CLI `view`; Gemini CLI and Qwen Code `read_file`.
    (Tool::Read, &["read", "readfile", "view", "viewfile", "notebookread"]),
    // pi, Cursor `write`; Copilot CLI `create`; Gemini CLI and Qwen Code `write_file`.
    (Tool::Write, &["write", "writefile", "createfile", "create"]),
    // pi, Copilot CLI, Qwen Code `edit`; Claude Code `Edit`, `MultiEdit`; Cursor `StrReplace`; Gemini CLI `replace`.
    (Tool::Edit, &["edit", "editfile", "multiedit", "strreplace", "searchreplace", "replace"]),
    // Claude Code `NotebookEdit`.
    (Tool::Notebook, &["notebookedit", "editnotebook"]),
    // Anthropic's documentation, `text_editor_20241022` and later.
    // The last one is run by Anthropic itself (its documentation of server tools).
    (Tool::Editor, &["strreplacebasededittool", "strreplaceeditor", "texteditorcodeexecution"]),
    // Codex `apply_patch`, and `file_change` in `--json`.
    (Tool::Patch, &["applypatch", "patch", "applydiff", "filechange"]),
    // pi, omp `bash`; Claude Code `Bash`; Codex `exec`, `exec_command`, `shell`; Cursor `Shell`; Gemini CLI and Qwen
    // Code `run_shell_command`.
    // The last one is run by Anthropic itself (its documentation of server tools).
    (Tool::Command, &["bash", "shell", "exec", "execcommand", "shellcommand", "localshell", "localshellcall",
        "commandexecution", "runcommand", "runshellcommand", "runterminalcmd", "terminal", "powershell",
        "bashcodeexecution"]),
    // Claude Code `Grep`, `Glob`.
    // The last two are run by Anthropic itself (its documentation of server tools).
    (Tool::Search, &["grep", "rg", "grepsearch", "glob", "globfilesearch", "find", "findfiles", "searchfiles",
        "filesearch", "searchfilecontent", "toolsearchtoolregex", "toolsearchtoolbm25"]),
    (Tool::List, &["ls", "list", "listdir", "listfiles", "listdirectory"]),
    // Claude Code `TodoWrite`, `TaskCreate`; Codex `update_plan`; Qwen Code `todo_write`; omp `todo`.
    (Tool::ToDo, &["todo", "todolist", "todowrite", "writetodos", "todoread", "updatetodo", "updateplan",
        "taskcreate", "taskupdate", "tasklist", "taskget"]),
    // Claude Code `Task`, `Agent`; Codex `spawn_agent`; omp `task`.
    (Tool::Task, &["task", "agent", "subagent", "spawnagent", "delegate", "delegatetoagent",
        "codebaseinvestigator"]),
    // Claude Code `WebFetch`; Gemini CLI and Qwen Code `web_fetch`.
    (Tool::Web, &["webfetch", "fetch", "fetchurl", "websearch", "googlesearch", "googlewebsearch", "codesearch"]),
    // omp `eval`.
    // `code_execution` is run by Anthropic itself; the last ones are cells of notebooks.
    (Tool::Program, &["eval", "python", "js", "javascript", "node", "notebook", "runcode", "script",
        "codeinterpreter", "executecode", "codeexecution", "runcell", "executecell", "runnotebookcell"]),
    // omp `ask`; Claude Code `AskUserQuestion`; Codex `request_user_input`.
    (Tool::Ask, &["ask", "askuser", "askuserquestion", "askfollowupquestion", "question", "requestuserinput",
        "requestuserinputasync"]),
    // Claude Code `ExitPlanMode`.
    (Tool::Plan, &["exitplanmode", "plan", "presentplan", "createplan"]),
];

/// A name without what does not count in it.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The custom tool of Codex's code mode (0.169.0), whose argument [`CODE_MODE`] is a script that calls the tools.
pub(super) fn is_code_mode(name: &str) -> bool {
    plain_name(name) == "exec"
}

impl Tool {
    /// The tool that agents call `name`.
    pub(crate) fn of(name: &str) -> Tool {
        static BY_NAME: LazyLock<HashMap<&str, Tool>> = LazyLock::new(|| {
            let names = |(tool, names): &(Tool, &'static [&'static str])| {
                let tool = *tool;
                names.iter().map(move |name| (*name, tool))
            };
            TOOLS.iter().flat_map(names).collect()
        });
        // Claude Code, Gemini CLI and Qwen Code: `mcp__server__tool`.
        let unknown = if name.starts_with("mcp__") { Tool::Mcp } else { Tool::Other };
        BY_NAME.get(plain_name(name).as_str()).copied().unwrap_or(unknown)
    }

    /// Whether it reads or changes files by their names.
    pub(crate) fn is_of_files(self) -> bool {
        matches!(
            self,
            Tool::Read | Tool::Write | Tool::Edit | Tool::Notebook | Tool::Editor | Tool::Patch
        )
    }

    /// Whether the user takes part in the call, or another agent gets work by it: it is part of the story and not one
    /// of its steps.
    pub(crate) fn is_in_story(self) -> bool {
        matches!(self, Tool::Ask | Tool::Plan | Tool::Task)
    }

    /// The icon of its rows in the tree, and what the line of a turn's steps counts it as.
    fn look(self) -> (&'static str, StepKind) {
        match self {
            Tool::Read => ("file", StepKind::Read),
            Tool::Write | Tool::Edit | Tool::Notebook | Tool::Editor | Tool::Patch => {
                ("edit", StepKind::Edit)
            }
            Tool::Command => ("term", StepKind::Command),
            Tool::Search | Tool::List => ("search", StepKind::Search),
            Tool::ToDo => ("todo", StepKind::ToDo),
            Tool::Task => ("agent", StepKind::Task),
            Tool::Web => ("web", StepKind::Web),
            Tool::Program => ("run", StepKind::Command),
            Tool::Ask => ("question", StepKind::Other),
            Tool::Plan => ("plan", StepKind::Other),
            Tool::Mcp => ("tool", StepKind::Mcp),
            Tool::Other => ("tool", StepKind::Other),
        }
    }

    /// The icon of its rows in the tree.
    pub(crate) fn icon(self) -> &'static str {
        self.look().0
    }

    /// What the line of a turn's steps counts it as.
    pub(crate) fn step(self) -> StepKind {
        self.look().1
    }
}

/// What the line of a turn's steps counts, in the order of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    Read,
    Search,
    Edit,
    Command,
    Web,
    ToDo,
    Task,
    Mcp,
    Other,
}

impl StepKind {
    /// All of them with their words, for one and for several.
    pub(crate) const ALL: [(StepKind, &'static str, &'static str); 9] = [
        (StepKind::Read, "read", "reads"),
        (StepKind::Search, "search", "searches"),
        (StepKind::Edit, "edit", "edits"),
        (StepKind::Command, "command", "commands"),
        (StepKind::Web, "web request", "web requests"),
        (StepKind::ToDo, "to-do update", "to-do updates"),
        (StepKind::Task, "sub-agent", "sub-agents"),
        (StepKind::Mcp, "MCP call", "MCP calls"),
        (StepKind::Other, "other call", "other calls"),
    ];
}

// A kind is counted at its place in the table.
const _: () = {
    let mut at = 0;
    while at <= StepKind::Other as usize {
        assert!(StepKind::ALL[at].0 as usize == at);
        at += 1;
    }
    assert!(at == StepKind::ALL.len());
};

/// A list of names for one argument; the first that a call has counts.
pub(crate) type Names = &'static [&'static str];

// Files.

/// The path of a file.
// `path` pi, Copilot CLI 1.0.102, Anthropic's editor; `file_path` Claude Code 2.1.330, Gemini CLI 0.61.0, Qwen Code
// 0.24.4; `filePath` OpenCode 1.18.33; `absolute_path` and `target_file` older Gemini CLI and Cursor.
pub(crate) const PATH: Names = &[
    "path",
    "file_path",
    "filePath",
    "absolute_path",
    "file",
    "filename",
    "target_file",
    "notebook_path",
];

/// What Anthropic's editor is to do.
pub(super) const EDITOR_COMMAND: Names = &["command"];

/// The first and the last line of a part, as one array.
// Anthropic's editor.
pub(super) const LINES: Names = &["view_range"];

/// The first line of a part.
// `offset`, with `limit`: pi, Claude Code, Qwen Code; `start_line`, with `end_line`: Gemini CLI.
pub(super) const FIRST_LINE: Names =
    &["offset", "start_line", "startLine", "start_line_one_indexed"];

/// How many lines a part has.
pub(super) const LINE_COUNT: Names = &["limit"];

/// The last line of a part.
pub(super) const LAST_LINE: Names = &["end_line", "endLine", "end_line_one_indexed_inclusive"];

/// What else asks for a part of a file.
// `pages` Claude Code 2.1.330.
pub(super) const PART: Names = &["lines", "range", "pages"];

/// The whole text of a file.
// `content` pi, Claude Code and Gemini CLI, `contents` Cursor, `file_text` Copilot CLI 1.0.102 and Anthropic's
// editor.
pub(super) const CONTENT: Names = &["content", "contents", "file_text", "text"];

/// A text that a second model merges into the file: nothing says where it goes.
pub(super) const SKETCH: Names = &["code_edit"];

/// The text to be replaced.
// `oldText` pi 0.87.1, `old_string` Claude Code 2.1.330, Gemini CLI 0.61.0 and Qwen Code 0.24.4, `old_str` Copilot
// CLI 1.0.102 and Anthropic's editor, `oldString` OpenCode 1.18.33; the others are of no agent that was measured.
pub(crate) const OLD: Names =
    &["oldText", "old_string", "old_str", "oldString", "old_text", "old", "search", "find"];

/// The text put in its place.
// The same agents as for `OLD`.
pub(crate) const NEW: Names =
    &["newText", "new_string", "new_str", "newString", "new_text", "new", "replace", "replacement"];

/// Whether every occurrence is replaced.
// `replace_all` Claude Code (1.0.98 to 2.1.330), which calls it `replaceAll` in its results.
pub(super) const ALL: Names = &["replace_all", "replaceAll", "all"];

/// Several replacements in one call.
// `edits` pi 0.87.1 and `MultiEdit` of Claude Code (1.0.98, 1.0.108); `changes` `codex exec --json` 0.169.0.
pub(super) const REPLACEMENTS: Names = &["edits", "changes", "replacements"];

/// Parts that each name a file.
pub(super) const FILES: Names = &["edits", "files", "changes", "replacements"];

/// A patch.
// `input` Codex 0.169.0 (a custom tool's text), `patchText` OpenCode.
pub(super) const PATCH: Names = &["input", "patch", "diff", "patch_text", "patchText"];

/// The text that Anthropic's editor inserts.
// Anthropic's documentation: `new_str` up to `text_editor_20250124`, `insert_text` from `text_editor_20250728` on.
pub(super) const INSERTED: Names = &["insert_text", "new_str"];

/// The line that it is inserted after.
pub(super) const INSERT_AFTER: Names = &["insert_line"];

/// The cell of a notebook: its id, or its place.
// `NotebookEdit` of Claude Code; `cell_number` in its older versions.
pub(super) const CELL: Names = &["cell_id", "cellId", "cell_number", "cellNumber"];

/// What is done with the cell: it is replaced where nothing says so.
pub(super) const CELL_MODE: Names = &["edit_mode", "editMode"];

/// What a cell is: code or Markdown.
pub(super) const CELL_KIND: Names = &["cell_type"];

/// The source of the cell.
// As Claude Code's SDK names the fields.
pub(super) const CELL_SOURCE: Names = &["new_source", "newSource"];

// Commands and programs.

/// A command, also word by word.
pub(super) const COMMAND: Names = &["command", "cmd", "script"];

/// The script of code mode.
pub(super) const CODE_MODE: Names = &["input"];

/// The folder that a command runs in.
// `workdir` Codex and OpenCode, `dir_path` Gemini CLI, `directory` its older versions and Qwen Code 0.24.4.
pub(super) const WORK_FOLDER: Names = &["workdir", "cwd", "dir_path", "directory"];

/// What the model says a command is for.
pub(super) const PURPOSE: Names = &["description"];

/// How long a command may run, in milliseconds.
pub(super) const TIMEOUT_MS: Names = &["timeout_ms", "timeoutMs"];

/// The same in seconds for some agents, in milliseconds for others.
pub(super) const TIMEOUT: Names = &["timeout"];

/// Whether nobody waits for a command.
pub(super) const BACKGROUND: Names =
    &["run_in_background", "background", "is_background", "isBackground"];

/// The text of a program.
pub(super) const CODE: Names = &["code", "source", "script", "expression"];

/// The cells of a notebook that are to run.
pub(super) const CELLS: Names = &["cells"];

/// The code of one of them.
pub(crate) const CELL_CODE: Names = &["code", "source", "input"];

/// The language of a program.
pub(super) const LANGUAGE: Names = &["language", "lang", "kernel"];

/// What a program is for.
pub(super) const PROGRAM_TITLE: Names = &["title", "description"];

// Searches.

/// What is searched for.
pub(super) const PATTERN: Names = &["pattern", "query", "regex", "glob_pattern", "pat", "glob"];

/// The folder that is searched or listed.
pub(super) const FOLDER: Names =
    &["path", "dir_path", "directory", "target_directory", "relative_workspace_path", "dir"];

/// An address of the web.
pub(super) const ADDRESS: Names = &["url", "uri", "link"];

/// The method of a request.
pub(super) const METHOD: Names = &["method"];

/// What the web is searched for.
pub(super) const WEB_QUERY: Names = &["query", "q", "search_query", "searchQuery"];

/// What is to be found out from a page.
pub(super) const WEB_PROMPT: Names = &["prompt", "objective"];

// Work, lists, questions and plans.

/// The agent that gets a task.
pub(super) const AGENT: Names = &["subagent_type", "agent", "agentType", "agent_type"];

/// The task in a few words.
pub(super) const TASK_TITLE: Names = &["description", "title", "name"];

/// The task itself.
pub(super) const TASK_PROMPT: Names = &["prompt", "task", "assignment", "instructions", "message"];

/// Several tasks.
pub(super) const TASKS: Names = &["tasks"];

/// What all tasks have in common.
pub(super) const TASK_CONTEXT: Names = &["context"];

/// A list of things to do, in the arguments or in what the tool left for viewers.
// `todos` Claude Code, OpenCode and Qwen Code, `plan` Codex, `phases` omp (18.2.3).
pub(crate) const TO_DO_LISTS: Names = &["todos", "plan", "tasks", "items", "phases", "list"];

/// The words of an item of such a list.
pub(crate) const TO_DO_WORDS: Names =
    &["content", "step", "text", "task", "subject", "title", "description", "name"];

/// An item's own list of smaller ones.
pub(crate) const TO_DO_INNER: Names = &["tasks", "items", "todos", "subtasks"];

/// The item that a call changes, what it is, and its new state.
pub(super) const TO_DO_ID: Names = &["taskId", "task_id", "id"];
pub(super) const TO_DO_SUBJECT: Names = &["subject", "description", "explanation", "content"];
pub(crate) const STATE: Names = &["status", "state"];

/// A question.
pub(super) const QUESTION: Names = &["question", "prompt", "message"];

/// Several questions.
pub(super) const QUESTIONS: Names = &["questions"];

/// The words of one of them.
pub(crate) const QUESTION_WORDS: Names = &["question", "prompt", "text", "title"];

/// The answers to choose from.
pub(super) const OPTIONS: Names = &["options", "choices"];

/// A plan.
pub(super) const PLAN: Names = &["plan", "proposal", "content"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_row() {
        let mut names: Vec<&str> = TOOLS.iter().flat_map(|(_, names)| *names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| plain_name(name) == *name));
        assert_eq!(Tool::of("Web_Fetch"), Tool::Web);
        assert_eq!(Tool::of("weigh"), Tool::Other);
        assert_eq!(Tool::of("mcp__tides__read"), Tool::Mcp);
        assert_eq!(Tool::of("bash_code_execution"), Tool::Command);
        assert_eq!(Tool::of("text_editor_code_execution"), Tool::Editor);
    }
}
