//! Prompts that waited in an agent's queue and never reached the model: messages that are shown
//! and are in no context, recognized by their custom type (Claude Code).

/// The person took it back, or it was dropped.
pub(crate) const TAKEN_BACK: &str = "queued-prompt-taken-back";
/// It was still waiting when the file ended.
pub(crate) const NOT_SENT: &str = "queued-prompt-not-sent";
/// A sub-agent got it instead.
pub(crate) const GIVEN_TO_AGENT: &str = "queued-prompt-given-to-agent";

/// Whether a message of this custom type is such a prompt.
pub(crate) fn is_one(custom_type: &str) -> bool {
    matches!(custom_type, TAKEN_BACK | NOT_SENT | GIVEN_TO_AGENT)
}
