//! What kind of work a tool does, told by its name: one table for the card that
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

    /// The word for it in the page's data.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ToolKind::File(FileTool::Read) => "read",
            ToolKind::File(_) => "edit",
            ToolKind::Command => "command",
            ToolKind::Search | ToolKind::List => "search",
            ToolKind::Todo => "todo",
            ToolKind::Task => "task",
            ToolKind::Web => "web",
            ToolKind::Program => "program",
            ToolKind::Ask => "ask",
            ToolKind::Plan => "plan",
            ToolKind::Other => "other",
        }
    }

    /// Whether a person takes part in the call: it asks them, or gives work to another agent,
    /// so it is part of the story and not one of its steps.
    pub(crate) fn is_told(self) -> bool {
        matches!(self, ToolKind::Ask | ToolKind::Plan | ToolKind::Task)
    }
}
