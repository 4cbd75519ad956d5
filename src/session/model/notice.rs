//! What an agent tells the person beside the conversation: messages that are shown and are in no
//! context, recognized by their custom type (Claude Code; its rows are named in `format/claude_code/attachments.rs`).

use super::entry::Body;

/// Words of the program, such as the reason why a hook blocked a prompt.
pub(crate) const INFORMATION: &str = "informational";
/// The provider refused to answer.
pub(crate) const REFUSAL: &str = "api-refusal";
/// Another model answers from here on.
pub(crate) const FALLBACK: &str = "model-fallback";

/// A request failed and was sent again.
pub(crate) const RETRY: &str = "api-retry";
/// A tool was not allowed; the model learns it by the result of its call.
pub(crate) const DENIED: &str = "permission-denied";

/// Mail of another agent, given to the model (Claude Code).
pub(crate) const MAIL: &str = "teammate-mailbox";
/// The picture that a call showed to the model, in a row of the user's (Codex).
pub(crate) const VIEW_IMAGE: &str = "view_image";

/// What begins the custom type of a row that no reader knows and that holds words; its own type follows. No extension
/// of an agent writes such a type.
pub(crate) const ROW: &str = "leafpress-row:";

/// The stream of a run has no prompt.
pub(crate) const NO_PROMPT: &str = "no-prompt";
/// What a headless run printed of an error or a warning, beside what the model said.
pub(crate) const RUN_ERROR: &str = "run-error";

/// How a headless run ended, of any agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEnd {
    Completed,
    Failed,
    /// The user stopped it.
    Stopped,
    /// Its stream ends without the row that ends a run.
    CutOff,
}

impl RunEnd {
    const ALL: [RunEnd; 4] = [RunEnd::Completed, RunEnd::Failed, RunEnd::Stopped, RunEnd::CutOff];

    /// The custom type of the message that says so. A cut leaves that as it is.
    pub(crate) fn custom_type(self) -> &'static str {
        match self {
            RunEnd::Completed => "run-end",
            RunEnd::Failed => "run-end-failed",
            RunEnd::Stopped => "run-end-stopped",
            RunEnd::CutOff => "run-end-cut-off",
        }
    }

    /// What a message of this custom type says.
    pub(crate) fn of(custom_type: &str) -> Option<RunEnd> {
        RunEnd::ALL.into_iter().find(|end| end.custom_type() == custom_type)
    }

    /// How the message begins.
    pub(crate) fn words(self) -> &'static str {
        match self {
            RunEnd::Completed => "The run completed",
            RunEnd::Failed => "The run failed",
            RunEnd::Stopped => "The run was stopped by the user",
            RunEnd::CutOff => "The end of the run is not in this file",
        }
    }
}

/// Where the entries before the first one are.
pub(crate) const HISTORY: &str = "history";

/// Whether a message of this custom type is such a notice.
pub(crate) fn is_one(custom_type: &str) -> bool {
    matches!(custom_type, INFORMATION | REFUSAL | FALLBACK | RETRY | DENIED)
}

/// A custom type as the session has it.
pub(crate) fn name(custom_type: &str) -> &str {
    custom_type.strip_prefix(ROW).unwrap_or(custom_type)
}

/// Whether an entry holds the words of such a row.
pub(crate) fn is_row(body: &Body<'_>) -> bool {
    matches!(body, Body::CustomMessage(custom) if custom.custom_type.starts_with(ROW))
}

/// Whether it is leafpress's own, of any agent: of the stream of a headless run, or of a row that no reader knows.
pub(crate) fn is_own(custom_type: &str) -> bool {
    matches!(custom_type, NO_PROMPT | RUN_ERROR | HISTORY)
        || RunEnd::of(custom_type).is_some()
        || custom_type.starts_with(ROW)
}
