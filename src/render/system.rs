//! System prompts: instructions, named sections and tool definitions as folded cards.

use askama::Template;

use super::{Renderer, fill, markdown, output, value};
use crate::figures;
use crate::html::Html;
use crate::session::EntryIndex;
use crate::session::json::Json;
use crate::session::message::{System, joined_text};

/// Instructions up to so many lines stand there unfolded.
const SHORT_LINES: usize = 6;

#[derive(Template)]
#[template(path = "system.html")]
struct SystemTemplate {
    content: Html,
    /// How long the content is, where it is folded.
    folded: Option<String>,
    sections: Vec<Section>,
    tools_added: Vec<ToolDefinition>,
    tools_removed: Vec<String>,
}

struct Section {
    name: String,
    text: Option<Html>,
    size: String,
}

struct ToolDefinition {
    name: String,
    description: Html,
    parameters: Html,
}

impl Renderer<'_> {
    pub(super) fn system(&mut self, index: EntryIndex, system: &System<'_>) -> Html {
        let text = joined_text(&system.content, "\n");
        fill(&SystemTemplate {
            content: self.blocks(index, &system.content),
            folded: (text.lines().count() > SHORT_LINES).then(|| size(&text)),
            sections: system
                .sections
                .iter()
                .map(|(name, text)| Section {
                    name: name.to_string(),
                    text: text.as_deref().map(markdown::block),
                    size: text.as_deref().map(size).unwrap_or_default(),
                })
                .collect(),
            tools_added: system.tools_added.iter().map(ToolDefinition::read).collect(),
            tools_removed: system.tools_removed.iter().map(name_of).collect(),
        })
    }
}

impl ToolDefinition {
    fn read(tool: &Json<'_>) -> ToolDefinition {
        let known = ["name", "description", "parameters"];
        let rest = match tool {
            Json::Object(fields) => value::fields(
                fields
                    .iter()
                    .filter(|(key, _)| !known.contains(&key.as_ref()))
                    .map(|(key, value)| (key.as_ref(), value)),
            ),
            _ => Html::new(),
        };
        let mut parameters = tool.get("parameters").map_or_else(Html::new, parameters);
        parameters.push(&rest);
        ToolDefinition {
            name: name_of(tool),
            description: tool
                .get("description")
                .map(|text| markdown::block(&text.clone().into_text()))
                .unwrap_or_default(),
            parameters,
        }
    }
}

/// The tool's name; what has none shows whole.
fn name_of(tool: &Json<'_>) -> String {
    tool.get("name").unwrap_or(tool).clone().into_text().into_owned()
}

/// A tool's parameters: name, type and description each; a schema of another
/// shape, and what the list leaves out of it, as JSON.
fn parameters(schema: &Json<'_>) -> Html {
    let Some(Json::Object(properties)) = schema.get("properties") else {
        return output::raw(&schema.pretty());
    };
    let required: Vec<&str> = schema
        .get("required")
        .map(Json::items)
        .unwrap_or_default()
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let mut html = Html::new();
    if !properties.is_empty() {
        html.push_markup("<dl class=\"fields parameters\">\n");
    }
    for (name, property) in properties {
        html.push_markup("<dt>");
        html.push_text(name);
        html.push_markup("</dt>\n<dd>");
        html.push(&parameter(property, required.contains(&name.as_ref())));
        html.push_markup("</dd>\n");
    }
    if !properties.is_empty() {
        html.push_markup("</dl>\n");
    }
    html.push_markup("<details class=\"fold\"><summary data-ui>Schema</summary>\n");
    html.push(&output::raw(&schema.pretty()));
    html.push_markup("</details>\n");
    html
}

fn parameter(property: &Json<'_>, required: bool) -> Html {
    let mut html = Html::new();
    if let Some(kind) = property.get("type") {
        html.push_markup("<code>");
        html.push_text(&kind.clone().into_text());
        html.push_markup("</code> ");
    }
    html.push_markup(if required {
        ""
    } else {
        "<span class=\"optional\" data-ui>optional</span> "
    });
    if let Some(description) = property.get("description") {
        html.push_text(&description.clone().into_text());
    }
    html
}

/// `120 lines, 4 KB`.
fn size(text: &str) -> String {
    format!("{}, {}", figures::counted(text.lines().count(), "line"), figures::bytes(text.len()))
}
