//! Commits: what a command asks of `git commit`, and what that prints.

use super::command::Ran;
use super::event::LandmarkEvent;
use crate::session::texts::text::{one_line, shortened, trim};

/// Of a hash and a subject, in UTF-16 units.
const TEXT_UNITS: usize = 200;

/// Of the commits of one call so many are read: a script may commit without end.
const MAX_COMMITS: usize = 50;

/// The short options that take a value, and those whose value stands right behind the letter or not at all (git's
/// manual of `git commit`).
const WITH_VALUE: [char; 5] = ['m', 'F', 'C', 'c', 't'];
const WITH_ATTACHED: [char; 2] = ['S', 'u'];

/// What a command asks of `git commit`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CommitOptions<'w> {
    /// The commit takes the place of the one before.
    pub(super) amends: bool,
    /// Nothing is printed.
    pub(super) is_quiet: bool,
    /// The first one given.
    pub(super) message: Option<&'w str>,
}

impl<'w> CommitOptions<'w> {
    /// Of the words of a command.
    pub(super) fn of(words: &'w [String]) -> CommitOptions<'w> {
        let mut options = CommitOptions::default();
        let mut words = words.iter().map(String::as_str).skip_while(|word| *word != "commit");
        while let Some(word) = words.next() {
            match word {
                "--" => break,
                "--amend" => options.amends = true,
                "--quiet" => options.is_quiet = true,
                "--message" => options.add_message(words.next()),
                _ => match word.strip_prefix('-') {
                    Some(long) if long.starts_with('-') => {
                        options.add_message(long.strip_prefix("-message="));
                    }
                    Some(letters) => options.add_letters(letters, &mut words),
                    None => {}
                },
            }
        }
        options
    }

    /// Short options, several behind one dash.
    fn add_letters(&mut self, letters: &'w str, words: &mut impl Iterator<Item = &'w str>) {
        for (at, letter) in letters.char_indices() {
            let rest = &letters[at + letter.len_utf8()..];
            if WITH_VALUE.contains(&letter) {
                let value = if rest.is_empty() { words.next() } else { Some(rest) };
                self.add_message(value.filter(|_| letter == 'm'));
                return;
            }
            if WITH_ATTACHED.contains(&letter) {
                return;
            }
            self.is_quiet |= letter == 'q';
        }
    }

    fn add_message(&mut self, message: Option<&'w str>) {
        self.message = self.message.or(message);
    }

    /// The first line of its message, as far as the shell puts nothing into it. `written` is the command.
    pub(super) fn subject<'s>(&self, written: &'s str) -> Option<&'s str>
    where
        'w: 's,
    {
        /// What Claude Code's instructions ask for: behind it `'EOF'` and the message.
        const DOCUMENT: &str = "$(cat <<";
        let message = trim(self.message?);
        // Of a word that the shell makes are left the letters of its commands.
        let (subject, is_literal) = if message == "$cat" {
            let (_, document) = written.split_once(DOCUMENT)?;
            let (marker, text) = document.split_once('\n')?;
            (text.lines().next()?, trim(marker).starts_with(['\'', '"', '\\']))
        } else {
            (message.lines().next()?, false)
        };
        let subject = trim(subject);
        let is_known = is_literal || !subject.contains(['$', '`']);
        (!subject.is_empty() && is_known).then_some(subject)
    }
}

/// A commit of which nothing is printed.
pub(super) fn quiet(ran: &Ran) -> LandmarkEvent {
    LandmarkEvent::Commit {
        hash: String::new(),
        subject: shortened(&one_line(&ran.text), TEXT_UNITS),
        is_amended: ran.amends,
    }
}

/// Each `[branch hash] subject` that `git commit` prints (git's `print_commit_summary`). Below that of an amended commit
/// it prints the date of the one before.
pub(super) fn printed(ran: &[Ran], output: &str) -> Vec<LandmarkEvent> {
    let amends = ran.iter().any(|ran| ran.amends);
    let mut found: Vec<LandmarkEvent> = Vec::new();
    let mut lines = output.lines().map(trim).peekable();
    while let Some(line) = lines.next() {
        let Some((hash, subject)) = commit(line) else { continue };
        let has_date = lines.peek().is_some_and(|next| next.starts_with("Date:"));
        let is_amended = amends && (has_date || ran.len() == 1);
        let commit = LandmarkEvent::Commit { hash, subject, is_amended };
        if !found.contains(&commit) {
            found.push(commit);
        }
        if found.len() == MAX_COMMITS {
            break;
        }
    }
    found
}

/// Hash and subject.
fn commit(line: &str) -> Option<(String, String)> {
    let (head, subject) = line.strip_prefix('[')?.split_once("] ")?;
    let (branch, hash) = head.rsplit_once(' ')?;
    let is_hash =
        (7..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    // `main`, `main (root-commit)`, `detached HEAD`.
    let is_branch = match branch.split_once(' ') {
        None => !branch.is_empty(),
        Some((name, rest)) => {
            rest == "(root-commit)"
                || (name, rest) == ("detached", "HEAD")
                || rest == "HEAD (root-commit)"
        }
    };
    let subject = shortened(&one_line(trim(subject)), TEXT_UNITS - 1 - hash.len().min(64));
    (is_hash && is_branch && !subject.is_empty()).then(|| (hash.to_owned(), subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::action::shell::commands;

    #[test]
    fn a_command_says_what_it_asks_of_git() {
        for (written, expected) in [
            ("git commit -m 'Cut days'", (false, false, Some("Cut days"))),
            ("git -C a commit -qam 'Cut days\n\nMore'", (true, false, Some("Cut days"))),
            ("git commit --quiet --message=Cut -m More", (true, false, Some("Cut"))),
            ("git commit -mCut -q --amend", (true, true, Some("Cut"))),
            ("git commit -F -q", (false, false, None)),
            ("git commit -m -q", (false, false, Some("-q"))),
            ("git commit -m x -- -q", (false, false, Some("x"))),
            ("git commit -Squay -uq -m x", (false, false, Some("x"))),
            ("git commit -q -m \"On $DAY\"", (true, false, None)),
            ("git commit -qm \"$(cat <<'E'\nPay $5\nE\n)\"", (true, false, Some("Pay $5"))),
            ("git commit -qm \"$(cat <<E\nPay $5\nE\n)\"", (true, false, None)),
            ("git commit -q -m ''", (true, false, None)),
        ] {
            let commands = commands(written);
            let options = CommitOptions::of(&commands[0].words);
            let told = (options.is_quiet, options.amends, options.subject(commands[0].text));
            assert_eq!(told, expected, "{written}");
        }
    }
}
