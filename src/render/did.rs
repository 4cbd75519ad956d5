//! The lines below the line of steps: commits, pushes, pull requests, and how the tests ended.

use askama::Template;

use super::Renderer;
use crate::session::invisible::marked;
use crate::session::landmarks::{Deed, Landmark, Outcome};
use crate::session::story::Run;
use crate::session::text::{counted, shortened};

/// A subject, a branch, an address or a command is shown up to this length, in UTF-16 units.
const TEXT_UNITS: usize = 80;

#[derive(Template)]
#[template(path = "did.html")]
pub(super) struct DidTemplate {
    lines: Vec<Line>,
}

impl askama::filters::HtmlSafe for DidTemplate {}

/// A landmark, or the test runs of a turn.
struct Line {
    kind: &'static str,
    outcome: &'static str,
    /// The entry that it is found in.
    key: String,
    word: &'static str,
    /// A hash, a number or a command.
    code: String,
    text: String,
    /// The address of a pull request.
    link: Option<String>,
    address: String,
}

impl Renderer<'_> {
    /// What the steps of a run did to the world, in their order; its test runs where the last one ended.
    pub(super) fn did(&self, run: &Run) -> DidTemplate {
        let (shown, failed) = self.done(run);
        DidTemplate {
            lines: shown.into_iter().map(|landmark| self.line(landmark, failed)).collect(),
        }
    }

    /// How many lines that makes.
    pub(crate) fn lines_did(&self, run: &Run) -> usize {
        self.done(run).0.len()
    }

    /// What of it has a line, and how many test runs failed before the last one.
    fn done(&self, run: &Run) -> (Vec<&Landmark>, usize) {
        let landmarks = self.digest.landmarks.over(&run.entries);
        let lines = landmarks.into_iter().filter(|landmark| landmark.has_line());
        let lines: Vec<&Landmark> = lines.collect();
        let is_test = |landmark: &Landmark| matches!(landmark.deed, Deed::Test { .. });
        let last_test = lines.iter().rposition(|landmark| is_test(landmark));
        let before = lines.iter().take(last_test.unwrap_or(0)).filter(|one| is_test(one));
        let failed = before.filter(|test| test.outcome == Outcome::Failed).count();
        let shown = lines
            .iter()
            .enumerate()
            .filter(|(at, landmark)| !is_test(landmark) || Some(*at) == last_test);
        (shown.map(|(_, landmark)| *landmark).collect(), failed)
    }

    fn line(&self, landmark: &Landmark, failed_before: usize) -> Line {
        let written = |text: &str| marked(&shortened(text, TEXT_UNITS)).into_owned();
        let (code, text) = match &landmark.deed {
            Deed::Commit { hash, subject } => (hash.clone(), written(subject)),
            Deed::Push { branch } => (String::new(), written(branch)),
            Deed::PullRequest { number, .. } => (format!("#{number}"), String::new()),
            Deed::Test { command } => {
                let runs = match failed_before {
                    0 => String::new(),
                    failed => format!("· {} failed before", counted(failed, "run")),
                };
                (written(command), runs)
            }
        };
        let (kind, link) = (landmark.deed.kind(), landmark.deed.link());
        Line {
            kind: kind.name(),
            outcome: landmark.outcome.name(),
            key: self.session.key(landmark.entry),
            word: kind.title(landmark.outcome),
            code,
            text,
            address: written(link.unwrap_or_default().trim_start_matches("https://")),
            link: link.map(str::to_owned),
        }
    }
}
