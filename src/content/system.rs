//! System prompts: instructions, named sections and the tools that a model may call.

use std::borrow::Cow;

use super::reader::Reader;
use super::{Content, Fold, FoldKind, Group, GroupKind, Line, Part, Role, Span, Style};
use crate::figures;
use crate::session::json::Json;
use crate::session::message::{System, joined_text};

/// Instructions up to so many lines stand there unfolded.
const SHORT_LINES: usize = 6;

/// A parameter of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter<'s> {
    /// Its name.
    pub name: Cow<'s, str>,
    /// Its type, as stated.
    pub kind: Option<Cow<'s, str>>,
    /// It may be left out.
    pub is_optional: bool,
    /// What it is for.
    pub description: Option<Cow<'s, str>>,
}

impl<'s> Reader<'s> {
    pub(super) fn system(&self, system: &'s System<'s>) -> Content<'s> {
        let text = joined_text(&system.content, "\n");
        let mut content = self.blocks(&system.content);
        if text.lines().count() > SHORT_LINES {
            let title = format!("Instructions, {}", size(&text));
            content = Part::Fold(Fold::own(FoldKind::Plain, title, content)).into();
        }
        content.extend(system.sections.iter().map(|(name, text)| match text {
            Some(text) => section(name, text),
            None => removed("section removed: ", Span::styled(Style::Value, name.as_ref())),
        }));
        let tools = &system.tools_added;
        if !tools.is_empty() {
            let ending = if tools.len() == 1 { "" } else { "s" };
            let title = format!("{} tool{ending} defined", tools.len());
            content.fold(title, tools.iter().map(definition).collect());
        }
        content.extend(
            system
                .tools_removed
                .iter()
                .map(|tool| removed("tool removed: ", Span::styled(Style::Tool, name_of(tool)))),
        );
        Part::Group(Group::new(GroupKind::System, content)).into()
    }
}

fn section<'s>(name: &'s str, text: &'s str) -> Part<'s> {
    let size = Span { is_own: true, ..Span::styled(Style::Fact, format!(" {}", size(text))) };
    let title = vec![Span::text(name), size];
    Part::Fold(Fold { kind: FoldKind::Plain, title, content: Content::of_prose(text) })
}

fn removed<'s>(words: &'static str, name: Span<'s>) -> Part<'s> {
    Part::Line(Line::new(Role::Event, [Span::own(words), name]))
}

/// A tool that the model may call from here on.
fn definition<'s>(tool: &'s Json<'s>) -> Part<'s> {
    let known = ["name", "description", "parameters"];
    let description = tool.get("description").map(|text| text.clone().into_text());
    let mut content = Content::of_prose(description.unwrap_or_default());
    if let Some(schema) = tool.get("parameters") {
        content.append(parameters(schema));
    }
    if let Json::Object(fields) = tool {
        let rest = fields.iter().filter(|(key, _)| !known.contains(&key.as_ref()));
        content.fields(rest.map(|(key, value)| (key.as_ref(), value)));
    }
    let title = vec![Span::styled(Style::Tool, name_of(tool))];
    Part::Fold(Fold { kind: FoldKind::Plain, title, content })
}

/// The tool's name; what has none shows whole.
fn name_of<'s>(tool: &Json<'s>) -> Cow<'s, str> {
    tool.get("name").unwrap_or(tool).clone().into_text()
}

/// A tool's parameters: name, type and description each; a schema of another
/// shape, and what the list leaves out of it, as JSON.
fn parameters<'s>(schema: &'s Json<'s>) -> Content<'s> {
    let whole = Content::from(Part::Json(schema.into()));
    let Some(Json::Object(properties)) = schema.get("properties") else { return whole };
    let required = schema.get("required").map(Json::items).unwrap_or_default();
    let required: Vec<&str> = required.iter().filter_map(Json::as_str).collect();
    let parameter = |(name, property): &'s (Cow<'s, str>, Json<'s>)| Parameter {
        name: name.as_ref().into(),
        kind: property.get("type").map(|kind| kind.clone().into_text()),
        is_optional: !required.contains(&name.as_ref()),
        description: property.get("description").map(|text| text.clone().into_text()),
    };
    let mut content = Content::new();
    if !properties.is_empty() {
        content.push(Part::Parameters(properties.iter().map(parameter).collect()));
    }
    content.fold("Schema", whole);
    content
}

/// `120 lines, 4 KB`.
fn size(text: &str) -> String {
    format!("{}, {}", figures::counted(text.lines().count(), "line"), figures::bytes(text.len()))
}
