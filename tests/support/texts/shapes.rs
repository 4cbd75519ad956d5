//! Where texts stand in the files of each agent, and which rows say nothing of their own.

use super::left_out::Why;
use super::rows::Kind::{self, Arguments, Failure, Name, Note, Prompt, Response, Result, Thinking};

/// A kind of file.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// One of these conditions holds for a row of such a file.
    pub(super) marks: &'static [&'static str],
    /// Where the rows are, if the file is a document.
    pub(super) within: &'static [&'static str],
    /// The id of a row, and of the row that it follows; several places, the first that is there.
    pub(super) id: &'static str,
    pub(super) parent: &'static str,
    /// Whose rows they are.
    pub(super) track: &'static str,
    /// A later row with the same value here replaces the earlier one …
    pub(super) replaces: &'static str,
    /// … unless such a row is between them.
    pub(super) run: Option<&'static str>,
    /// Which rows have texts of which kind where.
    pub(super) takes: &'static [(&'static str, Kind, &'static str)],
    /// Texts that stand before others by chance.
    pub(super) loose: &'static [Kind],
    /// Which rows say nothing of their own, and why.
    pub(super) leaves: &'static [(&'static str, Why)],
}

const PLAIN: Shape = Shape {
    name: "",
    marks: &[],
    within: &[],
    id: "",
    parent: "",
    track: "",
    replaces: "",
    run: None,
    takes: &[],
    loose: &[],
    leaves: &[],
};

/// The first that fits.
pub(super) const SHAPES: &[Shape] = &[
    QWEN_CHAT,
    CODEX_STREAM,
    CODEX,
    CODEX_OLDEST,
    COPILOT,
    CLAUDE_CODE,
    CURSOR,
    GEMINI_CHAT,
    GEMINI_LOG,
    GEMINI_STREAM,
    ATIF,
    OPENCODE_EXPORT,
    OPENCODE_STREAM,
    OPENCODE_EXPORT_2,
    PI_STREAM,
    FLUE,
    MESSAGES,
    PI,
];

/// The names of all shapes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|shape| shape.name).chain(["cursor, older"])
}

/// Claude Code's files and streams, and the streams of Qwen Code.
const CLAUDE_CODE: Shape = Shape {
    name: "claude-code",
    marks: &[
        "type=user|assistant, message.content",
        "type=system, subtype=init",
        "type=result, subtype",
    ],
    id: "uuid",
    parent: "parentUuid",
    track: "parent_tool_use_id|agentId|isSidechain",
    replaces: "uuid",
    takes: &[
        ("type=user", Prompt, "message.content"),
        ("type=user", Prompt, "message.content.*[type=text].text"),
        ("type=user", Result, "message.content.*[type=tool_result].content"),
        ("type=user", Result, "message.content.*[type=tool_result].content.*[type=text].text"),
        ("type=assistant", Response, "message.content"),
        ("type=assistant", Thinking, "message.content.*[type=thinking].thinking"),
        ("type=assistant", Response, "message.content.*[type=text].text"),
        ("type=assistant", Name, "message.content.*[type=tool_use].name"),
        ("type=assistant", Arguments, "message.content.*[type=tool_use].input.**"),
        ("type=result", Failure, "errors.*"),
        ("type=result", Note, "result"),
    ],
    leaves: &[
        ("type=stream_event", Why::Partial),
        ("type=system, subtype=task_progress", Why::Partial),
        ("type=api-request|api-request-shape|api-request-blob", Why::Setting),
        ("type=queue-operation", Why::Repeated),
        ("type=summary", Why::Title),
    ],
    ..PLAIN
};

const QWEN_CHAT: Shape = Shape {
    name: "qwen chat",
    marks: &["type=user|assistant, message.parts"],
    id: "uuid",
    parent: "parentUuid",
    takes: &[
        ("type=user", Prompt, "message.parts.*.text"),
        ("type=assistant", Thinking, "message.parts.*[thought=true].text"),
        ("type=assistant", Response, "message.parts.*.text"),
        ("type=assistant", Name, "message.parts.*.functionCall.name"),
        ("type=assistant", Arguments, "message.parts.*.functionCall.args.**"),
        ("type=tool_result", Result, "message.parts.*.functionResponse.response.**"),
        ("systemPayload.uiEvent.error_message", Failure, "systemPayload.uiEvent.error_message"),
    ],
    ..PLAIN
};

const CODEX: Shape = Shape {
    name: "codex rollout",
    marks: &["type=response_item|session_meta|event_msg, payload"],
    takes: &[
        ("payload.type=message, payload.role=user|developer", Prompt, "payload.content.*.text"),
        ("payload.type=message, payload.role=assistant", Response, "payload.content.*.text"),
        ("payload.type=agent_message", Prompt, "payload.content.*.text"),
        ("payload.type=reasoning", Thinking, "payload.summary.*.text"),
        ("payload.type=reasoning", Thinking, "payload.content.*.text"),
        ("payload.type=function_call|custom_tool_call", Name, "payload.name"),
        ("payload.type=function_call", Arguments, "payload.arguments"),
        ("payload.type=custom_tool_call", Arguments, "payload.input"),
        ("payload.type=local_shell_call", Arguments, "payload.action.command.*"),
        ("payload.type=function_call_output|custom_tool_call_output", Result, "payload.output"),
        (
            "payload.type=function_call_output|custom_tool_call_output",
            Result,
            "payload.output.*.text",
        ),
        ("payload.type=web_search_call", Arguments, "payload.action.query"),
        ("type=compacted", Note, "payload.message"),
    ],
    leaves: &[(
        "type=event_msg, payload.type=user_message|agent_message|agent_reasoning",
        Why::Repeated,
    )],
    ..PLAIN
};

const CODEX_OLDEST: Shape = Shape {
    name: "codex, oldest",
    marks: &["record_type", "type=function_call|local_shell_call, call_id, !payload"],
    takes: &[
        ("type=message, role=user", Prompt, "content.*.text"),
        ("type=message, role=assistant", Response, "content.*.text"),
        ("type=reasoning", Thinking, "summary.*.text"),
        ("type=function_call", Name, "name"),
        ("type=function_call", Arguments, "arguments"),
        ("type=local_shell_call", Arguments, "action.command.*"),
        ("type=function_call_output", Result, "output"),
    ],
    ..PLAIN
};

const CODEX_STREAM: Shape = Shape {
    name: "codex exec",
    marks: &["type=thread.started", "type=item.started|item.completed, item.type"],
    replaces: "item.id",
    run: Some("type=thread.started"),
    takes: &[
        ("item.type=agent_message", Response, "item.text"),
        ("item.type=reasoning", Thinking, "item.text"),
        ("item.type=command_execution", Arguments, "item.command"),
        ("item.type=command_execution", Result, "item.aggregated_output"),
        ("item.type=file_change", Arguments, "item.changes.*.path"),
        ("item.type=mcp_tool_call", Name, "item.tool"),
        ("item.type=mcp_tool_call", Arguments, "item.arguments.**"),
        ("item.type=mcp_tool_call", Result, "item.result.content.*.text"),
        ("item.type=mcp_tool_call", Failure, "item.error.message"),
        ("item.type=web_search", Arguments, "item.query"),
        ("item.type=todo_list", Note, "item.items.*.text"),
        ("item.type=error", Failure, "item.message"),
        ("type=error", Failure, "message"),
        ("type=turn.failed", Failure, "error.message"),
    ],
    ..PLAIN
};

const COPILOT: Shape = Shape {
    name: "copilot",
    marks: &["type=user.message|assistant.message|session.start, data"],
    track: "agentId|data.parentToolCallId",
    takes: &[
        ("type=user.message", Prompt, "data.content"),
        ("type=system.message", Note, "data.content"),
        ("type=assistant.message", Thinking, "data.reasoningText"),
        ("type=assistant.message", Response, "data.content"),
        ("type=assistant.message", Name, "data.toolRequests.*.name"),
        ("type=assistant.message", Arguments, "data.toolRequests.*.arguments"),
        ("type=assistant.message", Arguments, "data.toolRequests.*.arguments.**"),
        ("type=tool.execution_complete", Result, "data.result.content"),
        ("type=tool.execution_complete", Failure, "data.error.message"),
        ("type=session.error", Failure, "data.message"),
        ("type=session.compaction_complete", Note, "data.summaryContent"),
    ],
    leaves: &[("ephemeral=true", Why::Partial)],
    ..PLAIN
};

const CURSOR: Shape = Shape {
    name: "cursor",
    marks: &["role=user|assistant, message.content, !type"],
    takes: &[
        ("role=user", Prompt, "message.content.*[type=text].text"),
        ("role=assistant", Thinking, "message.content.*[type=thinking].thinking"),
        ("role=assistant", Response, "message.content.*[type=text].text"),
        ("role=assistant", Name, "message.content.*[type=tool_use].name"),
        ("role=assistant", Arguments, "message.content.*[type=tool_use].input"),
        ("role=assistant", Arguments, "message.content.*[type=tool_use].input.**"),
        ("role=user", Result, "message.content.*[type=tool_result].content"),
        ("type=turn_ended", Failure, "error"),
    ],
    ..PLAIN
};

const GEMINI_TEXTS: &[(&str, Kind, &str)] = &[
    ("type=user", Prompt, "content"),
    ("type=user", Prompt, "content.*.text"),
    ("type=gemini", Thinking, "thoughts.*.subject"),
    ("type=gemini", Thinking, "thoughts.*.description"),
    ("type=gemini", Response, "content"),
    ("type=gemini", Response, "content.*.text"),
    ("type=gemini", Name, "toolCalls.*.name"),
    ("type=gemini", Arguments, "toolCalls.*.args.**"),
    ("type=gemini", Result, "toolCalls.*.result.*.functionResponse.response.**"),
    ("type=error|info|warning", Failure, "content"),
    ("type=error|info|warning", Failure, "content.*.text"),
];

const GEMINI_CHAT: Shape = Shape {
    name: "gemini chat",
    marks: &[
        "type=gemini, content",
        "type=user, content, timestamp, id, !uuid, !parentId, !message",
    ],
    within: &["messages.*"],
    takes: GEMINI_TEXTS,
    ..PLAIN
};

const GEMINI_LOG: Shape = Shape {
    name: "gemini log",
    marks: &["projectHash", "$set", "type=gemini, content"],
    replaces: "id",
    takes: GEMINI_TEXTS,
    ..PLAIN
};

const GEMINI_STREAM: Shape = Shape {
    name: "gemini stream",
    marks: &[
        "type=init, session_id, model",
        "type=message, role=user|assistant, timestamp, content, !message, !id",
    ],
    takes: &[
        ("type=message, role=user", Prompt, "content"),
        ("type=message, role=assistant", Response, "content"),
        ("type=tool_use", Name, "tool_name"),
        ("type=tool_use", Arguments, "parameters.**"),
        ("type=tool_result, status=success", Result, "output"),
        ("type=tool_result, status=error", Failure, "error.message"),
        ("type=error", Failure, "message"),
        ("type=result", Failure, "error.message"),
    ],
    ..PLAIN
};

const ATIF: Shape = Shape {
    name: "atif",
    marks: &["step_id"],
    within: &["steps.*"],
    takes: &[
        ("source=user", Prompt, "message"),
        ("source=user", Prompt, "message.*.text"),
        ("source=system", Note, "message"),
        ("source=agent", Thinking, "reasoning_content"),
        ("source=agent", Response, "message"),
        ("source=agent", Response, "message.*.text"),
        ("", Name, "tool_calls.*.function_name"),
        ("", Arguments, "tool_calls.*.arguments.**"),
        ("", Result, "observation.results.*.content"),
        ("", Result, "observation.results.*.content.*.text"),
    ],
    ..PLAIN
};

const OPENCODE_EXPORT: Shape = Shape {
    name: "opencode export",
    marks: &["info.role, parts"],
    within: &["messages.*"],
    takes: &[
        ("info.role=user", Prompt, "parts.*[type=text].text"),
        ("info.role=assistant", Thinking, "parts.*[type=reasoning].text"),
        ("info.role=assistant", Response, "parts.*[type=text].text"),
        ("info.role=assistant", Name, "parts.*[type=tool].tool"),
        ("info.role=assistant", Arguments, "parts.*[type=tool].state.input.**"),
        ("info.role=assistant", Result, "parts.*[type=tool].state.output"),
        ("info.role=assistant", Failure, "parts.*[type=tool].state.error"),
        ("info.role=assistant", Failure, "info.error.data.message"),
    ],
    ..PLAIN
};

const OPENCODE_EXPORT_2: Shape = Shape {
    name: "opencode export, version 2",
    marks: &["type=user|assistant, id, time, !message"],
    within: &["messages.*"],
    takes: &[
        ("type=user", Prompt, "text"),
        ("type=system|synthetic", Note, "text"),
        ("type=assistant", Thinking, "content.*[type=reasoning].text"),
        ("type=assistant", Response, "content.*[type=text].text"),
        ("type=assistant", Name, "content.*[type=tool].name"),
        ("type=assistant", Arguments, "content.*[type=tool].state.input.**"),
        ("type=assistant", Result, "content.*[type=tool].state.content.*.text"),
        ("type=assistant", Failure, "content.*[type=tool].state.error.message"),
        ("type=assistant", Failure, "error.message"),
        ("type=shell", Arguments, "command"),
        ("type=shell", Result, "output.output"),
        ("type=compaction", Note, "summary"),
    ],
    ..PLAIN
};

const OPENCODE_STREAM: Shape = Shape {
    name: "opencode run",
    marks: &["part.type, sessionID"],
    track: "sessionID",
    takes: &[
        ("type=text", Response, "part.text"),
        ("type=reasoning", Thinking, "part.text"),
        ("type=tool_use", Name, "part.tool"),
        ("type=tool_use", Arguments, "part.state.input.**"),
        ("type=tool_use, part.state.status=completed", Result, "part.state.output"),
        ("type=tool_use", Failure, "part.state.error"),
        ("type=error", Failure, "error.data.message"),
    ],
    // A step prints what ends first.
    loose: &[Result],
    ..PLAIN
};

/// pi's messages, and those of the agents that write alike.
const PI_TEXTS: &[(&str, Kind, &str)] = &[
    ("message.role=user|developer|hookMessage", Prompt, "message.content"),
    ("message.role=user|developer|hookMessage", Prompt, "message.content.*[type=text].text"),
    ("message.role=assistant", Thinking, "message.content.*[type=thinking].thinking"),
    ("message.role=assistant", Thinking, "message.reasoningContent"),
    ("message.role=assistant", Response, "message.content"),
    ("message.role=assistant", Response, "message.content.*[type=text].text"),
    ("message.role=assistant", Name, "message.content.*[type=toolCall].name"),
    ("message.role=assistant", Arguments, "message.content.*[type=toolCall].arguments.**"),
    ("message.role=assistant", Name, "message.toolCalls.*.function.name"),
    ("message.role=assistant", Arguments, "message.toolCalls.*.function.arguments"),
    ("message.role=assistant", Name, "message.tool_calls.*.name"),
    ("message.role=assistant", Arguments, "message.tool_calls.*.arguments.**"),
    ("message.role=assistant", Failure, "message.errorMessage"),
    ("message.role=toolResult|tool", Result, "message.content"),
    ("message.role=toolResult|tool", Result, "message.content.*[type=text].text"),
    ("message.role=bashExecution|pythonExecution|jsExecution", Arguments, "message.command"),
    ("message.role=bashExecution|pythonExecution|jsExecution", Arguments, "message.code"),
    ("message.role=bashExecution|pythonExecution|jsExecution", Result, "message.output"),
    // The notes of an advisor stand in its details, too.
    ("type=custom_message, !details.notes", Note, "content"),
    ("type=custom_message", Note, "content.*[type=text].text"),
    ("type=compaction|branch_summary|stack_summary", Note, "summary"),
];

const PI: Shape = Shape {
    name: "pi",
    marks: &["message.role"],
    id: "id|uuid|message.id",
    parent: "parentId|parentUuid|parent_id|message.parent",
    replaces: "id|uuid|message.id",
    takes: PI_TEXTS,
    ..PLAIN
};

const FLUE: Shape = Shape {
    name: "flue",
    marks: &["message.role"],
    within: &["entries.*"],
    id: "id",
    parent: "parentId",
    takes: PI_TEXTS,
    ..PLAIN
};

/// The first version of Flue, and what llama.app exported before STS: messages in a list.
const MESSAGES: Shape = Shape {
    name: "messages",
    marks: &["role=user|assistant, content"],
    within: &["messages.*"],
    id: "id",
    parent: "parent",
    takes: &[
        ("role=user", Prompt, "content"),
        ("role=user", Prompt, "content.*.text"),
        ("role=assistant", Thinking, "thinking"),
        ("role=assistant", Thinking, "reasoningContent"),
        ("role=assistant", Response, "content"),
        ("role=assistant", Response, "content.*.text"),
        ("role=assistant", Arguments, "toolCalls"),
        ("role=tool", Result, "content"),
        ("role=system", Note, "content"),
    ],
    ..PLAIN
};

const PI_STREAM: Shape = Shape {
    name: "pi run",
    marks: &["type=message_end|message_start|agent_start|turn_start"],
    takes: PI_TEXTS,
    leaves: &[
        ("type=message_start|message_update|turn_end|agent_end", Why::Partial),
        ("type=response, command=get_commands|get_state", Why::Setting),
        ("type=available_commands_update", Why::Setting),
        ("type=tool_execution_start|tool_execution_update|tool_execution_end", Why::Repeated),
    ],
    ..PLAIN
};
