//! A command that does not exist, which the parser takes for a session file.

use std::ffi::OsString;
use std::path::Path;

/// The first argument, if it was meant as a command, and the commands that it resembles most.
pub(super) struct Unknown<'c> {
    pub(super) name: String,
    /// Those that it resembles equally.
    pub(super) similar: Vec<&'c str>,
}

/// Looks at arguments that could not be parsed, or whose session does not exist. Without a similar
/// command, one word alone is rather a file than a command.
pub(super) fn command<'c>(args: &[OsString], commands: &'c clap::Command) -> Option<Unknown<'c>> {
    let name = args.first()?.to_str()?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.starts_with('-') || !name.chars().all(is_word) || Path::new(name).exists() {
        return None;
    }
    if name == "help" || commands.find_subcommand(name).is_some() {
        return None;
    }
    let similar = similar(name, commands);
    let is_alone = args.len() == 1;
    (!similar.is_empty() || !is_alone).then(|| Unknown { name: name.to_owned(), similar })
}

/// Whether a name that exists may have been meant.
pub(super) fn is_near(typed: &str, known: &str) -> bool {
    /// Letters that may differ, of a name of so many.
    const LETTERS_FOR_EACH: usize = 3;
    let (typed, known) = (typed.trim_start_matches('-'), known.trim_start_matches('-'));
    strsim::damerau_levenshtein(typed, known) <= known.len() / LETTERS_FOR_EACH
}

fn similar<'c>(name: &str, commands: &'c clap::Command) -> Vec<&'c str> {
    let names = commands.get_subcommands().map(clap::Command::get_name);
    let near = names.filter(|known| is_near(name, known));
    let near: Vec<(usize, &str)> =
        near.map(|known| (strsim::damerau_levenshtein(name, known), known)).collect();
    let least = near.iter().map(|(distance, _)| *distance).min();
    near.into_iter()
        .filter(|(distance, _)| Some(*distance) == least)
        .map(|(_, known)| known)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands() -> clap::Command {
        crate::cli::Cli::command()
    }

    fn told(args: &[&str]) -> Option<(String, Vec<String>)> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let commands = commands();
        let unknown = command(&args, &commands)?;
        Some((unknown.name, unknown.similar.into_iter().map(str::to_owned).collect()))
    }

    #[test]
    fn a_misspelled_command_is_told_from_a_file() {
        let similar = |name: &str, to: &str| Some((name.to_owned(), vec![to.to_owned()]));
        assert_eq!(told(&["treee", "x.jsonl"]), similar("treee", "tree"));
        assert_eq!(told(&["treee"]), similar("treee", "tree"));
        assert_eq!(told(&["brnaches", "x.jsonl"]), similar("brnaches", "branches"));
        let either = vec!["branches".to_owned(), "branch".to_owned()];
        assert_eq!(told(&["branchs", "x.jsonl"]), Some(("branchs".to_owned(), either)));
        assert_eq!(told(&["frobnicate", "x.jsonl"]), Some(("frobnicate".to_owned(), Vec::new())));
        for known in commands().get_subcommands() {
            assert_eq!(told(&[known.get_name(), "x.jsonl"]), None);
        }
        for file in [&["session"][..], &["treee.jsonl", "x"], &["./treee", "x"], &["--treee"], &[]]
        {
            assert_eq!(told(file), None, "{file:?}");
        }
    }
}
