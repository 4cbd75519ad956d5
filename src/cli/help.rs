//! The help of the command as a whole: its commands in groups.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

/// Every command, in the order of the help. A test compares it with the commands that exist.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Export", &["export", "archive", "markdown", "demo"]),
    ("Read", &["list", "search", "tree", "changes", "branches", "compare", "context", "stats"]),
    ("Share and keep", &["secrets", "extract", "keep"]),
    ("Change a session", &["branch", "label", "migrate"]),
    ("Set up", &["completions", "help"]),
];

/// The same command with its groups in the help. clap has headings for options only, so that its own
/// list of commands is hidden.
pub(super) fn grouped(command: Command) -> Command {
    let template = StyledStr::from(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{all-args}}{{after-help}}",
        groups(&command)
    ));
    command.mut_subcommands(|command| command.hide(true)).help_template(template)
}

fn groups(command: &Command) -> String {
    let heading = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let names = GROUPS.iter().flat_map(|(_, names)| *names);
    let width = names.map(|name| name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(out, "{heading}{group}:{heading:#}");
        for name in names {
            let about = match *name {
                // clap adds it later.
                "help" => "Print the help of a command".to_owned(),
                name => {
                    let about = command.find_subcommand(name).and_then(Command::get_about);
                    about.map(ToString::to_string).unwrap_or_default()
                }
            };
            let _ = writeln!(out, "  {literal}{name:width$}{literal:#}  {about}");
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.sort_unstable();
        let command = crate::cli::Cli::command();
        let mut existing: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        existing.push("help");
        existing.sort_unstable();
        assert_eq!(grouped, existing);
    }
}
