//! The lines below the line of steps: commits, pushes, pull requests, and how the tests ended.

use askama::Template;

use crate::content::work::Did;
use crate::session::Session;
use crate::session::invisible::marked;
use crate::session::landmarks::{Deed, Landmark};
use crate::session::text::{counted, shortened};

/// A subject, a branch, an address or a command is shown up to this length, in UTF-16 units.
const TEXT_UNITS: usize = 80;

#[derive(Template)]
#[template(path = "did.html")]
pub(super) struct DidTemplate {
    lines: Vec<DidLine>,
}

impl askama::filters::HtmlSafe for DidTemplate {}

/// A landmark, or the test runs of a turn.
struct DidLine {
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

impl DidTemplate {
    pub(super) fn new(session: &Session, did: &Did<'_>) -> DidTemplate {
        let lines = did.landmarks.iter();
        DidTemplate {
            lines: lines.map(|landmark| DidLine::of(session, landmark, did.failed_tests)).collect(),
        }
    }
}

impl DidLine {
    fn of(session: &Session, landmark: &Landmark, failed_before: usize) -> DidLine {
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
        DidLine {
            kind: kind.name(),
            outcome: landmark.outcome.name(),
            key: session.key_at(landmark.entry),
            word: kind.title(landmark.outcome),
            code,
            text,
            address: written(link.unwrap_or_default().trim_start_matches("https://")),
            link: link.map(str::to_owned),
        }
    }
}
