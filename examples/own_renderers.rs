//! A tool and a message of one's own, shown as their author knows them.
//!
//! `cargo run --example own_renderers > page.html`

use std::io;

use leafpress::content::{Content, Line, Part, Renderers, Role, Span, Style, ToolCard, ToolRun};
use leafpress::session::json::Json;
use leafpress::session::message::{CustomMessage, joined_text};
use leafpress::{Options, export, read};

/// A sandbox for programs: the program in its colors, what it printed below.
fn script<'r>(run: &mut ToolRun<'r>) -> Option<ToolCard<'r>> {
    // Without a program this is no run that we know: leafpress shows it as any other tool.
    let code = run.arguments.text(&["code"])?;
    let mut card = ToolCard::about(code.lines().next().unwrap_or_default().to_owned());
    card.facts.push(format!("{} lines of program", code.lines().count()));
    card.body.code(code, "js");
    // What was not taken from the arguments is still shown.
    card.body.append(run.arguments.rest());
    card.body.append(run.output());
    Some(card)
}

/// A reminder that an extension puts before the model: one line instead of a message.
fn reminder<'r>(message: &'r CustomMessage<'r>) -> Option<Content<'r>> {
    let open = message.details.as_ref()?.get("open").and_then(Json::as_f64)?;
    let spans = [
        Span::styled(Style::Name, format!("{open} open: ")),
        Span::text(joined_text(&message.content, " ")),
    ];
    Some(Part::Line(Line::new(Role::Note, spans)).into())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = read(std::fs::read("examples/lighthouse.jsonl")?)?;
    let renderers =
        Renderers::new().with_tool("script", script).with_message("todo-reminder", reminder);
    export(&session, &Options::new().renderers(renderers), io::stdout().lock())?;
    Ok(())
}
