//! The fields whose meaning is known: what else is there may be a copy of anything.
//!
//! Three ask: a cut that must not leave anything in a field that it cannot judge, the redaction, which must not put a
//! mark where a session is then unreadable, and whoever says that a row is not understood. A new field is read
//! elsewhere and named here.

use super::omitted;

/// Types of entries or roles of messages, and their fields.
type Fields = (&'static [&'static str], &'static [&'static str]);

/// Those of every entry.
const ENTRY: [&str; 5] = ["type", "id", "parentId", "timestamp", "version"];

/// Those of an entry by its type.
// Of pi 1.5.2, omp 18.3.4, pi's harness and its proposal.
const ENTRIES: &[Fields] = &[
    (&["message"], &["message"]),
    (
        &["model_change"],
        &["provider", "modelId", "model", "role", "previousModel", "resolvedModel"],
    ),
    (&["thinking_level_change"], &["thinkingLevel", "configured"]),
    (
        &["compaction"],
        &[
            "summary",
            "firstKeptEntryId",
            "inPlace",
            "tokensBefore",
            "tokensAfter",
            "systemMessage",
            "retainedTail",
            "details",
            "usage",
            "fromHook",
            "fromExtension",
            "shortSummary",
            "method",
            "warning",
            "providerReplayThroughEntryId",
        ],
    ),
    (
        &["branch_summary"],
        &["summary", "fromId", "givenEmpty", "details", "usage", "fromHook", "fromExtension"],
    ),
    (&["custom"], &["customType"]),
    (&["custom_message"], &["customType", "content", "display", "attribution"]),
    (&["context_edit"], &["targetId", "replacement"]),
    (&["label"], &["targetId", "label"]),
    (&["session_info"], &["name"]),
    (&["usage"], &["kind", "provider", "model", "usage", "note"]),
    (&["service_tier_change"], &["serviceTier"]),
    (&["title_change"], &["title", "previousTitle", "source"]),
    (&["mode_change"], &["mode"]),
    (&["model_usage"], &["purpose", "role", "provider", "model", "usage"]),
    (&["ttsr_injection"], &["injectedRules"]),
    (&["session_init"], &["systemPrompt", "task", "tools", "agent", "modelRole", "resolvedModel"]),
    (&["archive"], &["targetId", "archived"]),
    (&["credential_pin"], &["provider"]),
    // OpenClaw 2026.9.6.
    (&["reset"], &["reason", "firstKeptEntryId"]),
];

/// Types of which only the name is known, and one of leafpress's own.
const BY_NAME: [&str; 2] = ["active_tools_change", omitted::TYPE];

/// Those of every message but for its content.
// `excludeFromContext` of any message: OpenClaw 2026.9.6.
const MESSAGE: [&str; 4] = ["role", "timestamp", "attribution", "excludeFromContext"];

/// Those of a message by its role.
const MESSAGES: &[Fields] = &[
    (&["user", "developer"], &["content", "steering", "synthetic"]),
    (&["system"], &["content", "sections", "toolsAdded", "toolsRemoved"]),
    (
        &["assistant"],
        &[
            "content",
            "api",
            "provider",
            "model",
            "usage",
            "stopReason",
            "goesOn",
            "thinkingLevel",
            "duration",
            "durationMs",
            "ttft",
            "responseId",
            "responseModel",
            "retryRecovery",
        ],
    ),
    (
        &["toolResult"],
        &[
            "toolCallId",
            "toolName",
            "content",
            "isError",
            "details",
            "usage",
            "nestedCalls",
            "durationMs",
            "prunedAt",
        ],
    ),
    (
        &["bashExecution"],
        &[
            "command",
            "output",
            "exitCode",
            "cancelled",
            "truncated",
            "fullOutputPath",
            "excludeFromContext",
            "images",
        ],
    ),
    (
        &["pythonExecution", "jsExecution"],
        &["code", "output", "exitCode", "cancelled", "truncated", "excludeFromContext"],
    ),
    (&["fileMention"], &["files"]),
    (&["custom", "hookMessage"], &["customType", "content", "display"]),
];

/// Those of the first line, of blocks and of counts of tokens.
const PARTS: &[&str] = &[
    "cwd",
    "parentSession",
    "text",
    "textSignature",
    "thinking",
    "thinkingSignature",
    "redacted",
    "data",
    "mimeType",
    "arguments",
    "input",
    "cacheRead",
    "cacheWrite",
    "totalTokens",
    "cost",
    "total",
];

/// Fields whose value is a word of the format or names a program's part, not something said.
const WORDS: &[&str] = &[
    "type",
    "role",
    "customType",
    "stopReason",
    "api",
    "provider",
    "model",
    "modelId",
    "toolName",
    "thinkingLevel",
];

/// Longest such value, in bytes.
const MAX_WORD: usize = 64;

fn of<'a>(table: &'a [Fields], kind: &str) -> &'a [&'static str] {
    table.iter().find(|(kinds, _)| kinds.contains(&kind)).map_or(&[], |(_, fields)| fields)
}

/// Whether a field of an entry of this type is known; of an unknown type none is.
pub(crate) fn of_entry(entry_type: &str, name: &str) -> bool {
    ENTRY.contains(&name) || of(ENTRIES, entry_type).contains(&name)
}

/// Whether a field of a message of this role is known; of an unknown role none is.
pub(crate) fn of_message(role: &str, name: &str) -> bool {
    MESSAGE.contains(&name) || of(MESSAGES, role).contains(&name)
}

/// Whether entries of this type are known.
pub(crate) fn is_type(entry_type: &str) -> bool {
    BY_NAME.contains(&entry_type) || ENTRIES.iter().any(|(types, _)| types.contains(&entry_type))
}

/// Whether messages of this role are known.
pub(crate) fn is_role(role: &str) -> bool {
    MESSAGES.iter().any(|(roles, _)| roles.contains(&role))
}

/// Whether a session has a field of this name somewhere.
pub(crate) fn is_field(name: &str) -> bool {
    let in_table = |table: &[Fields]| table.iter().any(|(_, fields)| fields.contains(&name));
    ENTRY.contains(&name)
        || MESSAGE.contains(&name)
        || PARTS.contains(&name)
        || WORDS.contains(&name)
        || in_table(ENTRIES)
        || in_table(MESSAGES)
}

/// Whether a field's value is an identifier that sessions cannot be read without.
pub(crate) fn is_word(name: &str, value: &str) -> bool {
    WORDS.contains(&name)
        && (1..=MAX_WORD).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/".contains(&byte))
}

/// Whether the meaning of a block is known.
pub(crate) fn is_block(block_type: &str) -> bool {
    matches!(
        block_type,
        "text"
            | "thinking"
            | "redactedThinking"
            | "image"
            | "toolCall"
            | "fallback"
            | "citations"
            | "notShown"
            | "anthropicServerTool"
    )
}
