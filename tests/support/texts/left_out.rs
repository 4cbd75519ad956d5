//! What a file has and its page does not, and why: the one table of exceptions.

/// Why something is not on the page, or not again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Partial,
    Repeated,
    WrittenAgain,
    Opaque,
    Setting,
    Display,
    Before,
    Stopped,
    Unchanged,
    Drawn,
    Preview,
    Title,
}

/// Each with its reason.
pub(crate) const REASONS: [(&str, &str); 12] = [
    ("partial", "a part of a message, which the whole message behind it repeats"),
    ("repeated", "the same text stands in another row, which is the entry"),
    ("written again", "a later row of the same id replaces the earlier one"),
    ("opaque", "encrypted reasoning, a signature, or the bytes of an image"),
    ("setting", "tools, prompts and settings of the program, which are no words of the session"),
    ("display", "how the terminal drew what another field says"),
    ("before", "the whole of a file before an edit, of which the page shows the change"),
    ("stopped", "that the user stopped the run, which the page says in its own words"),
    ("unchanged", "a line that an edit leaves as it is, far from the lines that it changes"),
    (
        "drawn",
        "output in which a program drew over its own lines, of which the page shows the last state",
    ),
    ("preview", "the beginning of an output that is whole in another field"),
    ("title", "a title, which may be that of another session"),
];

impl Why {
    pub(super) fn name(self) -> &'static str {
        REASONS[self as usize].0
    }
}

/// Fields whose sentences are not looked for: of which shape (all, where empty), the name or the whole place, and why.
pub(super) const KEYS: &[(&str, &str, Why)] = &[
    ("", "signature", Why::Opaque),
    ("", "encrypted_content", Why::Opaque),
    ("pi", "partialArgs", Why::Partial),
    ("pi", "partialJson", Why::Partial),
    ("pi", "thinkingSignature", Why::Opaque),
    ("pi", "textSignature", Why::Opaque),
    ("claude-code", "aiTitle", Why::Title),
    ("claude-code", "rendered", Why::Repeated),
    ("codex", "replacement_history", Why::Repeated),
    ("claude-code", "originalFile", Why::Before),
    ("claude-code", "normalizedMessages", Why::Repeated),
    ("claude-code", ".data.message.toolUseResult.file.content", Why::Repeated),
    ("claude-code", ".toolUseResult", Why::Display),
    ("claude-code", ".tool_use_result", Why::Display),
    ("copilot", "transformedContent", Why::Setting),
    ("gemini", "description", Why::Display),
    ("gemini", "displayName", Why::Display),
    ("gemini", "recentActivity", Why::Display),
    ("gemini", ".toolCalls.*.resultDisplay", Why::Display),
    ("qwen", "displayText", Why::Display),
    ("opencode", "responseHeaders", Why::Display),
    ("opencode", "responseBody", Why::Display),
];

/// Texts that are not looked for, by how they begin.
pub(super) const BEGINNINGS: &[(&str, Why)] = &[
    ("[Request interrupted by user", Why::Stopped),
    ("User rejected tool use", Why::Stopped),
    ("[ede_diagnostic] ", Why::Stopped),
    ("<persisted-output>", Why::Preview),
    ("[REDACTED]", Why::Opaque),
];
