//! Messages in the core's form, which is that of pi's version 3: what the readers of other formats write.
//!
//! A field is written where it is set, in the order of the calls, and not at all where it is `None`. Roles and fields
//! are those of pi 1.5.2; `fileMention` is omp's (18.3.4).

use std::borrow::Cow;

use crate::session::json::Json;

use super::fields::{ObjectFields, Value, string};

/// A message that is being written.
#[derive(Debug)]
pub(super) struct NewMessage<'a>(ObjectFields<'a>);

impl<'a> NewMessage<'a> {
    fn of(role: &'static str) -> NewMessage<'a> {
        // As many as most messages have.
        let mut fields = Vec::with_capacity(8);
        fields.push(("role".into(), string(role)));
        NewMessage(fields)
    }

    /// A prompt.
    pub(super) fn user(content: impl Into<Value<'a>>) -> NewMessage<'a> {
        NewMessage::of("user").content(content)
    }

    /// A system prompt.
    pub(super) fn system(content: impl Into<Value<'a>>) -> NewMessage<'a> {
        NewMessage::of("system").content(content)
    }

    /// A response of a model.
    pub(super) fn assistant(content: impl Into<Value<'a>>) -> NewMessage<'a> {
        NewMessage::of("assistant").content(content)
    }

    /// A response that did not come: the provider (`error`) or the user (`aborted`) ended it.
    pub(super) fn stopped(
        how: impl Into<Value<'a>>,
        why: Option<impl Into<Value<'a>>>,
    ) -> NewMessage<'a> {
        NewMessage::assistant(Vec::new()).stop_reason(Some(how)).error_message(why)
    }

    /// The result of a call, by the call's id. The content is set by itself.
    pub(super) fn tool_result(call_id: impl Into<Value<'a>>) -> NewMessage<'a> {
        NewMessage::tool_result_of(Some(call_id))
    }

    /// The same where the file may not say which call.
    pub(super) fn tool_result_of(call_id: Option<impl Into<Value<'a>>>) -> NewMessage<'a> {
        NewMessage::of("toolResult").given("toolCallId", call_id)
    }

    /// A command that the user ran.
    pub(super) fn shell(
        command: Option<impl Into<Value<'a>>>,
        output: Option<impl Into<Value<'a>>>,
    ) -> NewMessage<'a> {
        NewMessage::of("bashExecution").given("command", command).given("output", output)
    }

    /// Files that a prompt names.
    pub(super) fn file_mention(files: Vec<Json<'a>>) -> NewMessage<'a> {
        NewMessage::of("fileMention").given("files", Some(files))
    }

    pub(super) fn content(self, content: impl Into<Value<'a>>) -> Self {
        self.given("content", Some(content))
    }

    pub(super) fn tool_name(self, name: Option<impl Into<Value<'a>>>) -> Self {
        self.given("toolName", name)
    }

    pub(super) fn failed(self, is_error: bool) -> Self {
        self.given("isError", Some(Json::Bool(is_error)))
    }

    /// What a tool left for viewers.
    pub(super) fn details(self, details: Option<Json<'a>>) -> Self {
        self.given("details", details)
    }

    pub(super) fn provider(self, provider: Option<impl Into<Value<'a>>>) -> Self {
        self.given("provider", provider)
    }

    pub(super) fn model(self, model: Option<impl Into<Value<'a>>>) -> Self {
        self.given("model", model)
    }

    /// Tokens and cost, as [`UsageFields`](super::blocks::UsageFields) has them.
    pub(super) fn usage(self, usage: Option<Json<'a>>) -> Self {
        self.given("usage", usage)
    }

    pub(super) fn stop_reason(self, reason: Option<impl Into<Value<'a>>>) -> Self {
        self.given("stopReason", reason)
    }

    /// A response ended by itself: for its calls to run, or for good.
    pub(super) fn ended(self, has_calls: bool) -> Self {
        self.stop_reason(Some(if has_calls { "toolUse" } else { "stop" }))
    }

    pub(super) fn error_message(self, error: Option<impl Into<Value<'a>>>) -> Self {
        self.given("errorMessage", error)
    }

    /// In milliseconds.
    pub(super) fn duration(self, ms: Option<Json<'a>>) -> Self {
        self.given("durationMs", ms)
    }

    /// A field that few formats have, or whose value stands in the file as it is.
    pub(super) fn given(mut self, key: &'static str, value: Option<impl Into<Value<'a>>>) -> Self {
        self.0.extend(value.map(|value| (Cow::Borrowed(key), value.into().0)));
        self
    }

    /// All fields of an object that are not named.
    pub(super) fn rest(mut self, fields: ObjectFields<'a>) -> Self {
        self.0.extend(fields);
        self
    }

    pub(super) fn json(self) -> Json<'a> {
        Json::Object(self.0)
    }
}
