//! The lines below the line of steps: commits, pushes, pull requests, how the tests ended, what is worth a look, and
//! compactions.

use askama::Template;

use crate::content::work::Did;
use crate::figures::short;
use crate::session::Session;
use crate::session::invisible::marked;
use crate::session::landmarks::{Landmark, LandmarkEvent};
use crate::session::text::{counted, numbered, shortened};

/// A subject, a branch, an address or a command is shown up to this length, in UTF-16 units.
const TEXT_UNITS: usize = 80;

#[derive(Template)]
#[template(path = "did.html")]
pub(super) struct DidTemplate {
    lines: Vec<DidLine>,
}

impl askama::filters::HtmlSafe for DidTemplate {}

/// A landmark, or several of a turn.
struct DidLine {
    kind: &'static str,
    /// Empty for what has none.
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
    pub(super) fn new(session: &Session, did: &[Did<'_>]) -> DidTemplate {
        DidTemplate { lines: did.iter().map(|did| DidLine::of(session, did)).collect() }
    }
}

impl DidLine {
    fn of(session: &Session, did: &Did<'_>) -> DidLine {
        match *did {
            Did::Landmark { landmark, others, in_failure } => {
                DidLine::of_landmark(session, landmark, others, in_failure)
            }
            Did::Compaction { entry, tokens } => DidLine {
                kind: "compaction",
                outcome: "",
                key: session.key_at(entry),
                word: "Compaction",
                code: String::new(),
                text: tokens
                    .map_or_else(String::new, |tokens| format!("of {} tokens", short(tokens))),
                link: None,
                address: String::new(),
            },
        }
    }

    fn of_landmark(
        session: &Session,
        landmark: &Landmark,
        others: usize,
        in_failure: bool,
    ) -> DidLine {
        let written = |text: &str| marked(&shortened(text, TEXT_UNITS)).into_owned();
        let (code, text) = match &landmark.event {
            LandmarkEvent::Commit { hash, subject, .. } => (hash.clone(), written(subject)),
            LandmarkEvent::Push { branch } => (String::new(), written(branch)),
            LandmarkEvent::PullRequest { number, title, .. } => {
                (format!("#{number}"), written(title))
            }
            LandmarkEvent::Test { command } => {
                let runs = match others {
                    0 => String::new(),
                    failed => format!("· {} failed before", counted(failed, "run")),
                };
                (written(command), runs)
            }
            LandmarkEvent::Notable { text, .. } => {
                let mut words = Vec::new();
                if in_failure {
                    words.push("· the call failed".to_owned());
                }
                if others > 0 {
                    words.push(format!("· {}", numbered(others, "more call", "more calls")));
                }
                (written(text), words.join(" "))
            }
        };
        let (kind, link) = (landmark.event.kind(), landmark.event.link());
        let mut address = link.unwrap_or_default().trim_start_matches("https://");
        if !text.is_empty() {
            // Beside the title a line has no room for all of it.
            address = address.split('/').next().unwrap_or_default();
        }
        DidLine {
            kind: if kind.notable().is_some() { "notable" } else { kind.name() },
            outcome: landmark.outcome.name(),
            key: session.key_at(landmark.entry),
            word: landmark.word(),
            code,
            text,
            address: written(address),
            link: link.map(str::to_owned),
        }
    }
}
