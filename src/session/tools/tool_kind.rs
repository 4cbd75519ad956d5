//! What kind of work a tool does, recognized by its name: one place for the card that
//! draws a call, the line that counts the steps of a turn, and the row in the tree.

use super::file_tools::{FileTool, plain_name};

/// A kind of tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolKind {
    /// Reads or changes files.
    File(FileTool),
    /// Runs a command in a shell.
    Command,
    /// Searches in files or for files.
    Search,
    /// Lists a folder.
    List,
    /// Keeps a list of what is to be done.
    Todo,
    /// Starts a sub-agent.
    Task,
    /// Reads or searches the web.
    Web,
    /// Runs a program in a language.
    Program,
    /// Asks the person.
    Ask,
    /// Puts a plan before the person.
    Plan,
    /// A tool unknown here.
    Other,
}

impl ToolKind {
    /// The kind of the tool that agents call `name`.
    pub(crate) fn of(name: &str) -> ToolKind {
        let plain = plain_name(name);
        if let Some(tool) = FileTool::of(&plain) {
            return ToolKind::File(tool);
        }
        // Seen: pi, omp `bash`; Claude Code `Bash`, `Grep`, `Glob`, `TodoWrite`, `TaskCreate`, `Task`, `Agent`,
        // `WebFetch`, `ExitPlanMode`; Codex `exec`, `exec_command`, `shell`, `update_plan`, `spawn_agent`,
        // `request_user_input`; Cursor `Shell`; Gemini CLI and Qwen Code `run_shell_command`, `web_fetch`,
        // `todo_write`; omp `todo`, `task`, `eval`, `ask`.
        match plain.as_str() {
            "bash" | "shell" | "exec" | "execcommand" | "shellcommand" | "localshell"
            | "localshellcall" | "commandexecution" | "runcommand" | "runshellcommand"
            | "runterminalcmd" | "terminal" | "powershell" => ToolKind::Command,
            "grep" | "rg" | "grepsearch" | "glob" | "globfilesearch" | "find" | "findfiles"
            | "searchfiles" | "filesearch" | "searchfilecontent" => ToolKind::Search,
            "ls" | "list" | "listdir" | "listfiles" | "listdirectory" => ToolKind::List,
            "todo" | "todolist" | "todowrite" | "writetodos" | "todoread" | "updatetodo"
            | "updateplan" | "taskcreate" | "taskupdate" | "tasklist" | "taskget" => ToolKind::Todo,
            "task"
            | "agent"
            | "subagent"
            | "spawnagent"
            | "delegate"
            | "delegatetoagent"
            | "codebaseinvestigator" => ToolKind::Task,
            "webfetch" | "fetch" | "fetchurl" | "websearch" | "googlesearch"
            | "googlewebsearch" | "codesearch" => ToolKind::Web,
            "eval" | "python" | "js" | "javascript" | "node" | "notebook" | "runcode"
            | "script" | "codeinterpreter" | "executecode" => ToolKind::Program,
            "ask"
            | "askuser"
            | "askuserquestion"
            | "askfollowupquestion"
            | "question"
            | "requestuserinput"
            | "requestuserinputasync" => ToolKind::Ask,
            "exitplanmode" | "plan" | "presentplan" | "createplan" => ToolKind::Plan,
            _ => ToolKind::Other,
        }
    }

    /// The glyph of its rows in the tree, and what the line of a turn's steps counts it as.
    fn shown(self) -> (&'static str, StepKind) {
        match self {
            ToolKind::File(FileTool::Read) => ("▤", StepKind::Read),
            ToolKind::File(_) => ("✎", StepKind::Edit),
            ToolKind::Command => ("$", StepKind::Command),
            ToolKind::Search | ToolKind::List => ("⌕", StepKind::Search),
            ToolKind::Todo => ("☑", StepKind::Todo),
            ToolKind::Task => ("⊞", StepKind::Task),
            ToolKind::Web => ("↗", StepKind::Web),
            ToolKind::Program => ("▷", StepKind::Command),
            ToolKind::Ask => ("?", StepKind::Other),
            ToolKind::Plan => ("☰", StepKind::Other),
            ToolKind::Other => ("⚙", StepKind::Other),
        }
    }

    pub(crate) fn glyph(self) -> &'static str {
        self.shown().0
    }

    pub(crate) fn step(self) -> StepKind {
        self.shown().1
    }

    /// Whether a person takes part in the call: it asks them, or gives work to another agent,
    /// so it is part of the story and not one of its steps.
    pub(crate) fn is_told(self) -> bool {
        matches!(self, ToolKind::Ask | ToolKind::Plan | ToolKind::Task)
    }
}

/// What can be done, in the order of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    Read,
    Search,
    Edit,
    Command,
    Web,
    Todo,
    Task,
    Other,
}

impl StepKind {
    /// All of them with their words, for one and for several.
    pub(crate) const ALL: [(StepKind, &'static str, &'static str); 8] = [
        (StepKind::Read, "read", "reads"),
        (StepKind::Search, "search", "searches"),
        (StepKind::Edit, "edit", "edits"),
        (StepKind::Command, "command", "commands"),
        (StepKind::Web, "web request", "web requests"),
        (StepKind::Todo, "to-do update", "to-do updates"),
        (StepKind::Task, "sub-agent", "sub-agents"),
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
