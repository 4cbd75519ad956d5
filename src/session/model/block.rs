//! The blocks that messages are made of.

use std::borrow::Cow;

use crate::session::texts::json::{Fields, Json};

/// One part of a message's content.
///
/// ```
/// use leafpress::session::message::{Block, read_content};
///
/// let content = serde_json::from_str(r#"[{"type": "text", "text": "Hello"}, {"type": "image", "data": "…", "mimeType": "image/png"}]"#)?;
/// let blocks = read_content(Some(content));
/// assert!(matches!(&blocks[..], [Block::Text(text), Block::Image { .. }] if text == "Hello"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Prose, Markdown by convention.
    Text(Cow<'a, str>),
    /// The model's reasoning.
    Thinking(Cow<'a, str>),
    /// Reasoning that the provider keeps to itself (omp).
    RedactedThinking,
    /// Another model took over within the answer (omp).
    Fallback {
        /// The model that began.
        from: Cow<'a, str>,
        /// The model that went on.
        to: Cow<'a, str>,
    },
    /// A tool that the provider ran itself, or its result (omp).
    ServerTool(Json<'a>),
    /// A picture; `data` is base64, in omp also the name of a blob or an address.
    Image {
        /// The base64 text.
        data: Cow<'a, str>,
        /// The MIME type as stated by the author of the file.
        mime_type: Cow<'a, str>,
    },
    /// What the text before it, or the person, refers to.
    Citations(Vec<Citation<'a>>),
    /// In words, what stands here and is not in the session, such as a picture by its file's id.
    NotShown(Cow<'a, str>),
    /// The model asks for a tool.
    ToolCall(ToolCall<'a>),
    /// A block of a kind unknown here, whole.
    Other(Json<'a>),
}

/// One source that a text refers to.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Citation<'a> {
    /// What the source is called.
    pub title: Option<Cow<'a, str>>,
    /// Where it is; an address, or whatever the file has.
    pub address: Option<Cow<'a, str>>,
    /// The place in it, in words: `page 3`.
    pub place: Option<Cow<'a, str>>,
    /// The words that are cited.
    pub words: Cow<'a, str>,
}

impl<'a> Citation<'a> {
    fn read(json: Json<'a>) -> Citation<'a> {
        let mut fields = Fields::new(json);
        Citation {
            title: fields.text("title"),
            address: fields.text("address"),
            place: fields.text("place"),
            words: fields.text("words").unwrap_or_default(),
        }
    }
}

/// A model's request to run a tool.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolCall<'a> {
    /// The provider's id, opaque; results name it.
    pub id: Cow<'a, str>,
    /// The tool's name.
    pub name: Cow<'a, str>,
    /// The arguments, an object by convention.
    pub arguments: Json<'a>,
    /// What the model says it is for (omp).
    pub intent: Option<Cow<'a, str>>,
    /// The provider ran it and says how that ended, `completed` or `failed`; no result need follow.
    pub status: Option<Cow<'a, str>>,
}

/// A provider and one of its models.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Model<'a> {
    /// Who serves the model.
    pub provider: Cow<'a, str>,
    /// The model's id there.
    pub id: Cow<'a, str>,
}

/// Provider and model as two fields; absent when neither is there.
pub(super) fn read_model<'a>(fields: &mut Fields<'a>, id_key: &str) -> Option<Model<'a>> {
    let provider = fields.text("provider");
    let id = fields.text(id_key);
    (provider.is_some() || id.is_some())
        .then(|| Model { provider: provider.unwrap_or_default(), id: id.unwrap_or_default() })
}

/// Content is a string, a list of blocks, or absent; anything else shows as JSON.
pub fn read_content(content: Option<Json<'_>>) -> Vec<Block<'_>> {
    match content {
        None => Vec::new(),
        Some(Json::Array(items)) => items.into_iter().map(read_block).collect(),
        Some(other) => vec![Block::Text(other.into_text())],
    }
}

pub(super) fn read_block(json: Json<'_>) -> Block<'_> {
    let kind = json.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
    // A picture that keeps its data in another way shows as what it is.
    let has_no_data = kind == "image" && ["data", "url"].iter().all(|key| json.get(key).is_none());
    // Of pi 1.5.2: text, thinking, image, toolCall. Of omp 18.3.4 also redactedThinking, fallback,
    // anthropicServerTool.
    match (kind.as_str(), json.get("block")) {
        ("image", _) if has_no_data => return Block::Other(json),
        // The last two are leafpress's own, of what readers found.
        (
            "text" | "thinking" | "image" | "toolCall" | "redactedThinking" | "fallback"
            | "citations" | "notShown",
            _,
        ) => {}
        ("anthropicServerTool", Some(block)) => return Block::ServerTool(block.clone()),
        _ => return Block::Other(json),
    }
    let mut fields = Fields::new(json);
    match kind.as_str() {
        "text" => Block::Text(fields.text("text").unwrap_or_default()),
        "thinking" => Block::Thinking(fields.text("thinking").unwrap_or_default()),
        "image" => Block::Image {
            // `url` is omp's.
            data: fields.text("data").or_else(|| fields.text("url")).unwrap_or_default(),
            mime_type: fields.text("mimeType").unwrap_or_default(),
        },
        "redactedThinking" => Block::RedactedThinking,
        "citations" => {
            Block::Citations(fields.array("citations").into_iter().map(Citation::read).collect())
        }
        "notShown" => Block::NotShown(fields.text("text").unwrap_or_default()),
        "fallback" => {
            let mut model = |key| fields.take(key).map(model_name).unwrap_or_default();
            Block::Fallback { from: model("from"), to: model("to") }
        }
        _ => Block::ToolCall(ToolCall {
            id: fields.text("id").unwrap_or_default(),
            name: fields.text("name").unwrap_or_default(),
            arguments: fields.take("arguments").unwrap_or(Json::Null),
            // omp.
            intent: fields.text("intent"),
            status: fields.text("status"),
        }),
    }
}

/// A model by its name, or an object that holds it.
fn model_name(json: Json<'_>) -> Cow<'_, str> {
    let mut fields = match json {
        Json::Object(_) if json.get("model").is_some() => Fields::new(json),
        other => return other.into_text(),
    };
    let id = fields.text("model").unwrap_or_default();
    match fields.text("provider") {
        Some(provider) => format!("{provider}/{id}").into(),
        None => id,
    }
}

/// The text blocks, put together with `separator`.
pub fn joined_text(content: &[Block<'_>], separator: &str) -> String {
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(separator)
}
