//! What each kind of row is: pi 0.87.1 and oh-my-pi 18.2.3, `--mode json` and `--mode rpc`.

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Header,
    MessageBegins,
    MessageGrows,
    Message,
    ToolRuns,
    ToolEnded,
    Compaction,
    Entry,
    Name,
    Thinking,
    Response,
    RetryEnded,
    /// Shown as it is.
    Shown,
    /// Of an extension: shown where it says something.
    Interface,
    /// It repeats other rows, or says only how far the run is.
    Progress,
    Unknown,
}

pub(super) fn kind(row: &str) -> Kind {
    match row {
        "session" => Kind::Header,
        "message_start" => Kind::MessageBegins,
        "message_update" => Kind::MessageGrows,
        "message_end" => Kind::Message,
        "tool_execution_update" => Kind::ToolRuns,
        "tool_execution_end" => Kind::ToolEnded,
        "compaction_end" | "auto_compaction_end" => Kind::Compaction,
        "entry_appended" => Kind::Entry,
        "session_info_changed" => Kind::Name,
        "thinking_level_changed" => Kind::Thinking,
        "response" => Kind::Response,
        "auto_retry_end" => Kind::RetryEnded,
        "notice" | "todo_reminder" | "extension_error" => Kind::Shown,
        "extension_ui_request" => Kind::Interface,
        "advisor_cost_changed"
        | "agent_end"
        | "agent_settled"
        | "agent_start"
        | "auto_compaction_start"
        | "auto_retry_start"
        | "available_commands_update"
        | "bash_execution_update"
        | "compaction_start"
        | "prompt_result"
        | "queue_update"
        | "ready"
        | "tool_execution_start"
        | "turn_end"
        | "turn_start" => Kind::Progress,
        _ => Kind::Unknown,
    }
}

/// What an extension asks of the terminal without words for a person.
pub(super) fn is_widget(method: &str) -> bool {
    matches!(
        method,
        "set_editor_text"
            | "setFooter"
            | "setHeader"
            | "setStatus"
            | "setTitle"
            | "setWidget"
            | "setWorkingMessage"
    )
}
