//! Questions to the person, with the options given and what was chosen.

use super::{ToolCard, ToolRun};
use crate::content::{
    Content, Group, GroupKind, Item, ItemState, List, ListKind, Part, Span, Style,
};
use crate::figures::counted;
use crate::session::action::Ask;
use crate::session::action::heading::question_text;
use crate::session::json::Json;

pub(super) fn read<'r>(run: &ToolRun<'r>, asked: Ask<'r>) -> ToolCard<'r> {
    let Ask { question: single, options, questions } = asked;
    let mut card = ToolCard::default();
    card.facts
        .extend(questions.filter(|all| all.len() > 1).map(|all| counted(all.len(), "question")));
    let answers = ["answers", "answer", "selected", "selectedOptions", "results"];
    let chosen: Vec<&str> =
        answers.iter().filter_map(|key| run.detail(key)).flat_map(strings).collect();
    if single.is_some() || options.is_some() {
        let text = single.map(Span::text);
        card.body.push(question(text, options.unwrap_or_default(), &chosen));
    }
    for asked in questions.unwrap_or_default() {
        card.body.append(one_of_several(asked, &chosen));
    }
    card.body.append(run.arguments.rest());
    card.body.append(run.output());
    card
}

fn one_of_several<'r>(asked: &'r Json<'r>, chosen: &[&str]) -> Content<'r> {
    let Some(text) = question_text(asked) else { return Part::Value(asked.into()).into() };
    let options = asked.get("options").map(Json::items).unwrap_or_default();
    let mut content: Content<'r> = question(Some(Span::text(text)), options, chosen).into();
    if let Json::Object(fields) = asked {
        let said = |key: &str| {
            ["question", "prompt", "text"].contains(&key)
                && asked.get(key).and_then(Json::as_str) == Some(text)
                || (key == "options" && !options.is_empty())
        };
        let rest = fields.iter().filter(|(key, _)| !said(key));
        content.fields(rest.map(|(key, value)| (key.as_ref(), value)));
    }
    content
}

fn question<'r>(text: Option<Span<'r>>, options: &'r [Json<'r>], chosen: &[&str]) -> Part<'r> {
    let mut content = Content::new();
    if !options.is_empty() {
        let items = options.iter().map(|option| read_option(option, chosen)).collect();
        content.push(Part::List(List { kind: ListKind::Options, items, is_incomplete: false }));
    }
    Part::Group(Group { kind: GroupKind::Question, title: text.into_iter().collect(), content })
}

fn read_option<'r>(option: &'r Json<'r>, chosen: &[&str]) -> Item<'r> {
    let label = option.as_str().or_else(|| {
        ["label", "title", "value", "text"].iter().find_map(|key| option.get(key)?.as_str())
    });
    let is_chosen = label.is_some_and(|label| chosen.contains(&label));
    let state = if is_chosen { ItemState::Done } else { ItemState::Open };
    let mut words: Vec<Span<'r>> = label.map(Span::text).into_iter().collect();
    let mut content = Content::new();
    match (label, option) {
        (Some(label), Json::Object(fields)) => {
            let mut more = fields.iter().filter(|(_, value)| value.as_str() != Some(label));
            // Most have a description and nothing else, which reads best as a sentence.
            match (more.next(), more.next()) {
                (None, _) => {}
                (Some((key, Json::String(text))), None) if key == "description" => {
                    words.extend([Span::text(" "), Span::styled(Style::Args, text.as_ref())]);
                }
                _ => {
                    let more = fields.iter().filter(|(_, value)| value.as_str() != Some(label));
                    content.fields(more.map(|(key, value)| (key.as_ref(), value)));
                }
            }
        }
        (Some(_), _) => {}
        (None, option) => content.push(Part::Value(option.into())),
    }
    Item { state, words, content }
}

/// All texts in a value of a few levels: answers come alone, in lists and by question.
fn strings<'a>(value: &'a Json<'_>) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Json::String(text) => found.push(text.as_ref()),
            Json::Array(items) => open.extend(items),
            Json::Object(fields) => open.extend(fields.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    found
}
