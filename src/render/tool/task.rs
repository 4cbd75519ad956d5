//! Work given to another agent.

use super::{ToolCard, ToolRun};
use crate::figures::counted;
use crate::html::Html;
use crate::render::{markdown, value};
use crate::session::json::Json;
use crate::session::text::one_line;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let arguments = &mut run.arguments;
    let prompt = arguments.text(&["prompt", "task", "assignment", "instructions", "message"]);
    let tasks = arguments.array(&["tasks"]);
    let context = arguments.text(&["context"]);
    let mut card = ToolCard::default();
    card.facts.extend(tasks.map(|tasks| counted(tasks.len(), "task")));
    card.body.push(&arguments.rest());
    for (title, text) in [("Context", context), ("Prompt", prompt)] {
        if let Some(text) = text {
            card.body.push(&folded_prose(title, &text));
        }
    }
    for task in tasks.unwrap_or_default() {
        card.body.push(&one_task(task));
    }
    card.body.push(&run.prose());
    card
}

/// One of several tasks given at once.
fn one_task(task: &Json<'_>) -> Html {
    let text =
        |keys: &[&'static str]| keys.iter().find_map(|key| Some((*key, task.get(key)?.as_str()?)));
    let name = text(&["id", "name", "agent"]);
    let about = text(&["description", "title"]);
    let prompt = text(&["assignment", "prompt", "task"]);
    let (Json::Object(fields), Some(_)) = (task, name.or(about).or(prompt)) else {
        return value::alone(task);
    };
    let mut html = Html::new();
    html.push_markup("<details class=\"fold\"><summary>");
    if let Some((_, name)) = name {
        html.push_markup("<b class=\"tool\">");
        html.push_text(&one_line(name));
        html.push_markup("</b> ");
    }
    html.push_text(&about.map(|(_, text)| one_line(text)).unwrap_or_default());
    html.push_markup("</summary>\n");
    html.push(&prompt.map(|(_, text)| markdown::block(text)).unwrap_or_default());
    let shown: Vec<&str> =
        [name, about, prompt].into_iter().flatten().map(|(key, _)| key).collect();
    let rest = fields.iter().filter(|(key, _)| !shown.contains(&key.as_ref()));
    html.push(&value::fields(rest.map(|(key, value)| (key.as_ref(), value))));
    html.push_markup("</details>\n");
    html
}

/// A text that the model wrote for another: there on demand.
fn folded_prose(title: &'static str, text: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<details class=\"fold\"><summary data-ui>");
    html.push_markup(title);
    html.push_text(&format!(", {}", counted(text.split_whitespace().count(), "word")));
    html.push_markup("</summary>\n");
    html.push(&markdown::block(text));
    html.push_markup("</details>\n");
    html
}
