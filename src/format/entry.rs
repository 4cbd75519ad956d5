//! The fields of entries in the core's form, which is that of pi's version 3: what stands in an entry beside
//! its type, id, parent and time. Types and fields are those of pi 1.5.2 and, where pi has none, of omp 18.3.4.

use std::borrow::Cow;

use crate::session::json::Json;
use crate::session::unknown::{notice_of, words_within};

use super::blocks::text_block;
use super::fields::{ObjectFields, Value, fields_of, string};

/// The fields of a `message`.
pub(super) fn message(message: Json<'_>) -> ObjectFields<'_> {
    vec![("message".into(), message)]
}

/// The fields of a `custom` entry that holds a line whole.
pub(super) fn custom<'a>(custom_type: impl Into<Cow<'a, str>>, line: Json<'a>) -> ObjectFields<'a> {
    fields_of([("customType", Some(string(custom_type))), ("data", Some(line))])
}

/// The fields of a `custom_message`: what a program said to the model or, where it is displayed, the person.
pub(super) fn custom_message<'a>(
    custom_type: impl Into<Cow<'a, str>>,
    content: impl Into<Value<'a>>,
    display: bool,
) -> ObjectFields<'a> {
    fields_of([
        ("customType", Some(string(custom_type))),
        ("content", Some(content.into().0)),
        ("display", Some(Json::Bool(display))),
    ])
}

/// The same with figures for a reader.
pub(super) fn custom_message_with<'a>(
    custom_type: impl Into<Cow<'a, str>>,
    content: impl Into<Value<'a>>,
    display: bool,
    details: Option<Json<'a>>,
) -> ObjectFields<'a> {
    let mut fields = custom_message(custom_type, content, display);
    fields.extend(details.map(|details| ("details".into(), details)));
    fields
}

/// The entry of a row of a kind that its reader does not know: the words in it, where there are some, and all of it.
pub(super) fn unknown<'a>(kind: &str, row: Json<'a>) -> (&'static str, ObjectFields<'a>) {
    match words_within(&row) {
        Some(words) => {
            let content = vec![text_block(words)];
            ("custom_message", custom_message_with(notice_of(kind), content, true, Some(row)))
        }
        None => ("custom", custom(kind.to_owned(), row)),
    }
}

/// The fields of a `model_change`.
pub(super) fn model_change<'a>(
    provider: Option<Cow<'a, str>>,
    model: Option<impl Into<Value<'a>>>,
) -> ObjectFields<'a> {
    fields_of([("provider", provider.map(string)), ("modelId", model.map(|value| value.into().0))])
}

/// The fields of a `thinking_level_change`.
pub(super) fn thinking_level<'a>(level: Option<impl Into<Value<'a>>>) -> ObjectFields<'a> {
    fields_of([("thinkingLevel", level.map(|value| value.into().0))])
}

/// The fields of a `usage` entry: what was spent outside of the responses, and for what.
pub(super) fn usage<'a>(
    kind: impl Into<Cow<'a, str>>,
    model: Option<impl Into<Value<'a>>>,
    usage: Json<'a>,
) -> ObjectFields<'a> {
    fields_of([
        ("kind", Some(string(kind))),
        ("model", model.map(|value| value.into().0)),
        ("usage", Some(usage)),
    ])
}

/// A `compaction` that is being written, as a [`NewMessage`](super::message::NewMessage) is.
#[derive(Debug)]
pub(super) struct NewCompaction<'a>(ObjectFields<'a>);

impl<'a> NewCompaction<'a> {
    /// With the summary that stands for what was before.
    pub(super) fn new(summary: Option<impl Into<Value<'a>>>) -> NewCompaction<'a> {
        NewCompaction(Vec::new()).given("summary", summary)
    }

    /// From this entry on all is kept.
    pub(super) fn first_kept(self, id: Option<impl Into<Value<'a>>>) -> Self {
        self.given("firstKeptEntryId", id)
    }

    /// The messages that are kept behind the summary.
    // `retainedTail` is a field of pi's harness and of pi from 2026 on (docs/session-format.md of earendil-works/pi).
    pub(super) fn retained(self, messages: Vec<Json<'a>>) -> Self {
        self.given("retainedTail", (!messages.is_empty()).then_some(Json::Array(messages)))
    }

    /// The context's tokens before it.
    pub(super) fn tokens_before(self, tokens: Option<Json<'a>>) -> Self {
        self.given("tokensBefore", tokens)
    }

    /// And after it.
    pub(super) fn tokens_after(self, tokens: Option<Json<'a>>) -> Self {
        self.given("tokensAfter", tokens)
    }

    /// More about it; nothing where that is an empty object.
    pub(super) fn details(self, details: ObjectFields<'a>) -> Self {
        self.given("details", (!details.is_empty()).then_some(Json::Object(details)))
    }

    /// What writing the summary took.
    pub(super) fn usage(self, usage: Option<Json<'a>>) -> Self {
        self.given("usage", usage)
    }

    /// A field that few formats have, or whose value stands in the file as it is.
    pub(super) fn given(mut self, key: &'static str, value: Option<impl Into<Value<'a>>>) -> Self {
        self.0.extend(value.map(|value| (Cow::Borrowed(key), value.into().0)));
        self
    }

    pub(super) fn fields(self) -> ObjectFields<'a> {
        self.0
    }
}
