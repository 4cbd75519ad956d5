//! What an agent tells the person beside the conversation: messages that are shown and are in no
//! context, recognized by their custom type (Claude Code).

/// Words of the program, such as the reason why a hook blocked a prompt.
pub(crate) const INFORMATION: &str = "informational";
/// The provider refused to answer.
pub(crate) const REFUSAL: &str = "api-refusal";
/// Another model answers from here on.
pub(crate) const FALLBACK: &str = "model-fallback";

/// How a headless run ended, of any agent. The end is in the details.
pub(crate) const RUN_END: &str = "run-end";
/// The stream of a run has no prompt.
pub(crate) const NO_PROMPT: &str = "no-prompt";

/// Whether a message of this custom type is such a notice.
pub(super) fn is_one(custom_type: &str) -> bool {
    matches!(custom_type, INFORMATION | REFUSAL | FALLBACK)
}

/// Whether it is leafpress's own, of the stream of a headless run.
pub(super) fn is_of_a_run(custom_type: &str) -> bool {
    matches!(custom_type, RUN_END | NO_PROMPT)
}
