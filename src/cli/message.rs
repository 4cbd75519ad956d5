//! Errors, warnings and notes on standard error, with colors on a terminal unless `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};

use super::printable::printable;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// What ended the command, and what to do about it.
pub(super) fn error(text: &str, help: Option<&str>) {
    say("error", ERROR, text);
    if let Some(text) = help {
        say("help", HELP, text);
    }
}

/// What went wrong and did not end the command.
pub(super) fn warning(text: &str, help: Option<&str>) {
    say("warning", WARNING, text);
    if let Some(text) = help {
        say("help", HELP, text);
    }
}

fn say(word: &str, style: Style, text: &str) {
    super::progress::clear();
    // A text may quote the file, whose control characters must not reach the terminal.
    let lines: Vec<String> = text.lines().map(printable).collect();
    anstream::eprintln!("{style}{word}:{style:#} {}", lines.join("\n"));
}
