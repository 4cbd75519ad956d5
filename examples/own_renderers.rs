//! A tool and a message of one's own, drawn as their author knows them.
//!
//! `cargo run --example own_renderers > page.html`

use std::io;

use leafpress::render::{Html, Renderers, ToolCard, ToolRun, part};
use leafpress::session::json::Json;
use leafpress::session::message::{CustomMessage, joined_text};
use leafpress::{Options, export, read};

/// A sandbox for programs: the program in its colors, what it printed below.
fn script(run: &mut ToolRun<'_>) -> Option<ToolCard> {
    // Without a program this is no run that we know: leafpress draws it as any other tool.
    let code = run.arguments.text(&["code"])?;
    let mut card = ToolCard::default();
    card.summary.push_text(code.lines().next().unwrap_or_default());
    card.facts.push(format!("{} lines of program", code.lines().count()));
    card.body.push(&part::code(&code, "js"));
    // What was not taken from the arguments is still shown.
    card.body.push(&run.arguments.rest());
    card.body.push(&run.output());
    Some(card)
}

/// A reminder that an extension puts before the model: one line instead of a message.
fn reminder(message: &CustomMessage<'_>) -> Option<Html> {
    let open = message.details.as_ref()?.get("open").and_then(Json::as_f64)?;
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><b>");
    html.push_text(&format!("{open} open: "));
    html.push_markup("</b>");
    html.push_text(&joined_text(&message.content, " "));
    html.push_markup("</p>");
    Some(html)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = read(std::fs::read("examples/lighthouse.jsonl")?)?;
    let renderers =
        Renderers::new().with_tool("script", script).with_message("todo-reminder", reminder);
    export(&session, &Options::default().renderers(renderers), &mut io::stdout().lock())?;
    Ok(())
}
