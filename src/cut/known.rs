//! The fields whose meaning is known: what else is there may be a copy of anything.

/// Those of every entry.
const ENTRY: [&str; 5] = ["type", "id", "parentId", "timestamp", "version"];

/// Whether a field of an entry of this type is known; of an unknown type none is.
pub(super) fn of_entry(entry_type: &str, name: &str) -> bool {
    let own: &[&str] = match entry_type {
        "message" => &["message"],
        "model_change" => {
            &["provider", "modelId", "model", "role", "previousModel", "resolvedModel"]
        }
        "thinking_level_change" => &["thinkingLevel", "configured"],
        "compaction" => &[
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
        "branch_summary" => {
            &["summary", "fromId", "givenEmpty", "details", "usage", "fromHook", "fromExtension"]
        }
        "custom" => &["customType"],
        "custom_message" => &["customType", "content", "display", "attribution"],
        "context_edit" => &["targetId", "replacement"],
        "label" => &["targetId", "label"],
        "session_info" => &["name"],
        "usage" => &["kind", "provider", "model", "usage", "note"],
        "service_tier_change" => &["serviceTier"],
        "title_change" => &["title", "previousTitle", "source"],
        "mode_change" => &["mode"],
        "model_usage" => &["purpose", "role", "provider", "model", "usage"],
        "ttsr_injection" => &["injectedRules"],
        "session_init" => &["systemPrompt", "task", "tools", "agent", "modelRole", "resolvedModel"],
        "archive" => &["targetId", "archived"],
        "credential_pin" => &["provider"],
        _ => &[],
    };
    ENTRY.contains(&name) || own.contains(&name)
}

/// Those of every message but for its content.
const MESSAGE: [&str; 3] = ["role", "timestamp", "attribution"];

/// Whether a field of a message of this role is known; of an unknown role none is.
pub(super) fn of_message(role: &str, name: &str) -> bool {
    let own: &[&str] = match role {
        "user" | "developer" => &["content", "steering", "synthetic"],
        "system" => &["content", "sections", "toolsAdded", "toolsRemoved"],
        "assistant" => &[
            "content",
            "api",
            "provider",
            "model",
            "usage",
            "stopReason",
            "thinkingLevel",
            "duration",
            "durationMs",
            "ttft",
            "responseId",
            "responseModel",
            "retryRecovery",
        ],
        "toolResult" => &[
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
        "bashExecution" => &[
            "command",
            "output",
            "exitCode",
            "cancelled",
            "truncated",
            "fullOutputPath",
            "excludeFromContext",
            "images",
        ],
        "pythonExecution" | "jsExecution" => {
            &["code", "output", "exitCode", "cancelled", "truncated", "excludeFromContext"]
        }
        "fileMention" => &["files"],
        "custom" | "hookMessage" => &["customType", "content", "display"],
        _ => &[],
    };
    MESSAGE.contains(&name) || own.contains(&name)
}

/// Whether the meaning of a block is known.
pub(super) fn is_block(block_type: &str) -> bool {
    matches!(
        block_type,
        "text"
            | "thinking"
            | "redactedThinking"
            | "image"
            | "toolCall"
            | "fallback"
            | "anthropicServerTool"
    )
}
