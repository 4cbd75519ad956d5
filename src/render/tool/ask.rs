//! Questions to the person, with the options given and what was chosen.

use super::{ToolCard, ToolRun};
use crate::figures::counted;
use crate::html::Html;
use crate::render::value;
use crate::session::about::question_text;
use crate::session::json::Json;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let arguments = &mut run.arguments;
    let questions = arguments.array(&["questions"]);
    let single = arguments.text(&["question", "prompt", "message"]);
    let options = arguments.array(&["options", "choices"]);
    let mut card = ToolCard::default();
    card.facts
        .extend(questions.filter(|all| all.len() > 1).map(|all| counted(all.len(), "question")));
    let answers = ["answers", "answer", "selected", "selectedOptions", "results"];
    let chosen: Vec<&str> =
        answers.iter().filter_map(|key| run.detail(key)).flat_map(strings).collect();
    if single.is_some() || options.is_some() {
        card.body.push(&question(single.as_deref(), options.unwrap_or_default(), &chosen));
    }
    for asked in questions.unwrap_or_default() {
        card.body.push(&draw_question(asked, &chosen));
    }
    card.body.push(&run.arguments.rest());
    card.body.push(&run.output());
    card
}

fn draw_question(asked: &Json<'_>, chosen: &[&str]) -> Html {
    let Some(text) = question_text(asked) else { return value::alone(asked) };
    let options = asked.get("options").map(Json::items).unwrap_or_default();
    let mut html = question(Some(text), options, chosen);
    if let Json::Object(fields) = asked {
        let said = |key: &str| {
            ["question", "prompt", "text"].contains(&key)
                && asked.get(key).and_then(Json::as_str) == Some(text)
                || (key == "options" && !options.is_empty())
        };
        let rest = fields.iter().filter(|(key, _)| !said(key));
        html.push(&value::fields(rest.map(|(key, value)| (key.as_ref(), value))));
    }
    html
}

fn question(text: Option<&str>, options: &[Json<'_>], chosen: &[&str]) -> Html {
    let mut html = Html::new();
    html.push_markup("<div class=\"question\">\n");
    if let Some(text) = text {
        html.push_markup("<p><b>");
        html.push_text(text);
        html.push_markup("</b></p>\n");
    }
    if !options.is_empty() {
        html.push_markup("<ul class=\"options\">\n");
    }
    for option in options {
        html.push(&draw_option(option, chosen));
    }
    html.push_markup(if options.is_empty() { "</div>\n" } else { "</ul>\n</div>\n" });
    html
}

fn draw_option(option: &Json<'_>, chosen: &[&str]) -> Html {
    let label = option.as_str().or_else(|| {
        ["label", "title", "value", "text"].iter().find_map(|key| option.get(key)?.as_str())
    });
    let mut html = Html::new();
    let is_chosen = label.is_some_and(|label| chosen.contains(&label));
    html.push_markup(if is_chosen {
        "<li data-state=\"chosen\"><span class=\"mark\" data-ui>● </span>"
    } else {
        "<li data-state=\"open\"><span class=\"mark\" data-ui>○ </span>"
    });
    match (label, option) {
        (Some(label), Json::Object(fields)) => {
            html.push_text(label);
            let mut more = fields.iter().filter(|(_, value)| value.as_str() != Some(label));
            // Most have a description and nothing else, which reads best as a sentence.
            match (more.next(), more.next()) {
                (None, _) => {}
                (Some((key, Json::String(text))), None) if key == "description" => {
                    html.push_markup(" <span class=\"args\">");
                    html.push_text(text);
                    html.push_markup("</span>");
                }
                _ => {
                    let more = fields.iter().filter(|(_, value)| value.as_str() != Some(label));
                    html.push(&value::fields(more.map(|(key, value)| (key.as_ref(), value))));
                }
            }
        }
        (Some(label), _) => html.push_text(label),
        (None, option) => html.push(&value::of(option)),
    }
    html.push_markup("</li>\n");
    html
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
