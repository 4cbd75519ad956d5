//! What the commands printed: the proof that they did what they are for.

use super::command::Ran;
use super::commit;
use super::event::{Found, LandmarkEvent, LandmarkKind, LandmarkOutcome, Notable};
use crate::session::action::outcome::could_not_write;
use crate::session::action::path::Folder;
use crate::session::model::message::Bash;
use crate::session::texts::json::Json;
use crate::session::texts::text::{one_line, shortened, trim};

/// Of an address or a branch, in UTF-16 units.
const TEXT_UNITS: usize = 200;

/// What is found in the output of a call. `exit` says whether the status of the whole line is 0, as
/// far as that is known; `did_run` whether the call ran at all, and `is_over` whether it ended by itself.
pub(super) fn found(
    ran: &[Ran],
    output: &str,
    exit: Option<bool>,
    (did_run, is_over): (bool, bool),
) -> Vec<Found> {
    let mut found = Vec::new();
    // Of several that ran tests nobody knows which printed what.
    let is_one = ran.iter().filter(|ran| ran.kind == LandmarkKind::Test).count() == 1;
    let mut has_commits = false;
    let passed = |event| Found { event, outcome: LandmarkOutcome::Passed };
    for one in ran {
        let outcome = one.outcome(exit);
        match one.kind {
            LandmarkKind::Commit => {
                if one.commits_quietly {
                    if outcome == LandmarkOutcome::Passed {
                        found.push(passed(commit::quiet(one)));
                    }
                } else if !has_commits {
                    found.extend(commit::printed(ran, output).into_iter().map(passed));
                    has_commits = true;
                }
            }
            LandmarkKind::Push => {
                let quiet = || outcome == LandmarkOutcome::Passed && !is_idle_push(output);
                let branch = pushed(output).or_else(|| quiet().then(|| one.text.clone()));
                found.extend(branch.map(|branch| passed(LandmarkEvent::Push { branch })));
            }
            LandmarkKind::PullRequest => {
                let opened =
                    opened(output, &one.text).filter(|_| outcome != LandmarkOutcome::Failed);
                found.extend(opened.map(passed));
            }
            LandmarkKind::Notable(what) => {
                let has = |other: &Found| other.event.kind() == one.kind;
                let is_idle = match what {
                    Notable::ForcedPush => is_idle_push(output),
                    Notable::OutsideWrite => {
                        could_not_write(output, &one.text, exit == Some(false))
                    }
                    _ => false,
                };
                if did_run
                    && outcome != LandmarkOutcome::Failed
                    && !is_idle
                    && !found.iter().any(has)
                {
                    let event = LandmarkEvent::Notable { what, text: one.text.clone() };
                    found.push(Found { event, outcome });
                }
            }
            LandmarkKind::Test => {
                if did_run {
                    let outcome =
                        if is_one { one.outcome_of_tests(output, exit, is_over) } else { outcome };
                    found.push(Found {
                        event: LandmarkEvent::Test { command: one.text.clone() },
                        outcome,
                    });
                }
            }
        }
    }
    found
}

/// What a command of the user did.
pub(in crate::session::derived) fn by_user(bash: &Bash<'_>, folder: &Folder) -> Vec<Found> {
    let exit = bash.exit_code.filter(|_| !bash.cancelled).map(|code| code == 0.0);
    found(&Ran::of(&bash.command, folder, ""), &bash.output, exit, (true, !bash.cancelled))
}

/// A row that says which pull request the session belongs to (`pr-link` of Claude Code 2.1.37).
pub(in crate::session::derived) fn from_row(data: &Json<'_>) -> Option<Found> {
    let event = pull_request(data.get("prUrl").and_then(Json::as_str)?, "")?;
    Some(Found { event, outcome: LandmarkOutcome::Passed })
}

/// The branch of the first line (git's manual of `git push`, "Output") such as `1234567..89abcde  main -> main`.
fn pushed(output: &str) -> Option<String> {
    let lines = || output.lines().map(trim);
    // What `git pull` prints before looks alike.
    let has_place = lines().any(|line| line.starts_with("To "));
    let mut after = lines().skip_while(|line| has_place && !line.starts_with("To "));
    after.find_map(|line| updated(line, has_place))
}

fn updated(line: &str, has_place: bool) -> Option<String> {
    let (before, to) = line.split_once(" -> ")?;
    let to = to.split(' ').next()?;
    let before = trim(before);
    let what = before.strip_prefix(['*', '+']).map_or(before, str::trim_start);
    let (change, from) = match what.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => what.split_once(' ')?,
    };
    let is_range = || {
        let (old, new) = change.split_once("..")?;
        let is_hash = |hash: &str| hash.len() >= 4 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        (is_hash(old) && is_hash(new.trim_start_matches('.'))).then_some(())
    };
    let is_new = what.starts_with('[') && change.starts_with("new ");
    let from = trim(from);
    let is_fetched = !has_place && to.contains('/') && to.rsplit('/').next() == Some(from);
    if !(is_new || is_range().is_some()) || is_fetched || from.is_empty() {
        return None;
    }
    let text = if from == to { to.to_owned() } else { format!("{from} → {to}") };
    Some(shortened(&one_line(&text), TEXT_UNITS))
}

/// Nothing was pushed: all was there already, or it was refused.
fn is_idle_push(output: &str) -> bool {
    ["Everything up-to-date", "[rejected]", "[remote rejected]", "failed to push", "fatal:"]
        .iter()
        .any(|words| output.contains(words))
}

/// The last address of a pull request of such a title; `None` where it was there before.
// `gh pr create` and `glab mr create` print it as their last line.
fn opened(output: &str, title: &str) -> Option<LandmarkEvent> {
    if output.contains("already exists") {
        return None;
    }
    let words = output.split(|c: char| c.is_whitespace() || "\"'<>()[]{}`,|".contains(c));
    words.filter_map(|word| pull_request(word, title)).next_back()
}

/// An address up to the number in `/pull/N` or `/merge_requests/N`.
pub(super) fn pull_request(word: &str, title: &str) -> Option<LandmarkEvent> {
    if !["https://", "http://"].iter().any(|scheme| word.starts_with(scheme)) {
        return None;
    }
    let at = ["/pull/", "/merge_requests/"]
        .iter()
        .find_map(|part| Some(word.find(part)? + part.len()))?;
    let digits = word[at..].bytes().take_while(u8::is_ascii_digit).count();
    let address = &word[..at + digits];
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic());
    let is_short = digits < 12 && address.len() <= TEXT_UNITS;
    let number = word[at..at + digits].parse().ok().filter(|_| is_plain && is_short)?;
    Some(LandmarkEvent::PullRequest {
        address: address.to_owned(),
        number,
        title: title.to_owned(),
    })
}
