//! Work given to another agent.

use super::{ToolCard, ToolRun};
use crate::content::{Content, Fold, FoldKind, Part, Span, Style};
use crate::figures::counted;
use crate::session::action::Task;
use crate::session::json::Json;
use crate::session::text::one_line;

pub(super) fn read<'r>(run: &ToolRun<'r>, task: Task<'r>) -> ToolCard<'r> {
    let Task { prompt, context, tasks, .. } = task;
    let mut card = ToolCard::default();
    card.facts.extend(tasks.map(|tasks| counted(tasks.len(), "task")));
    card.body.append(run.arguments.rest());
    for (title, text) in [("Context", context), ("Prompt", prompt)] {
        if let Some(text) = text {
            // A text that the model wrote for another: there on demand.
            let title = format!("{title}, {}", counted(text.split_whitespace().count(), "word"));
            card.body.fold(title, Content::of_prose(text));
        }
    }
    card.body.extend(tasks.unwrap_or_default().iter().map(one_task));
    card.body.append(run.prose());
    card
}

/// One of several tasks given at once.
fn one_task<'r>(task: &'r Json<'r>) -> Part<'r> {
    let text =
        |keys: &[&'static str]| keys.iter().find_map(|key| Some((*key, task.get(key)?.as_str()?)));
    let name = text(&["id", "name", "agent"]);
    let about = text(&["description", "title"]);
    let prompt = text(&["assignment", "prompt", "task"]);
    let (Json::Object(fields), Some(_)) = (task, name.or(about).or(prompt)) else {
        return Part::Value(task.into());
    };
    let mut title = Vec::new();
    if let Some((_, name)) = name {
        title.extend([Span::styled(Style::Tool, one_line(name)), Span::text(" ")]);
    }
    title.push(Span::text(about.map(|(_, text)| one_line(text)).unwrap_or_default()));
    let mut content = Content::of_prose(prompt.map_or("", |(_, text)| text));
    let shown: Vec<&str> =
        [name, about, prompt].into_iter().flatten().map(|(key, _)| key).collect();
    let rest = fields.iter().filter(|(key, _)| !shown.contains(&key.as_ref()));
    content.fields(rest.map(|(key, value)| (key.as_ref(), value)));
    Part::Fold(Fold { kind: FoldKind::Plain, title, content })
}
