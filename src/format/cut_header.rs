//! The header of a session that a cut wrote anew.

use memchr::memmem;

use crate::session::json::Json;
use crate::session::{Format, Label, omitted};

use super::probe::{object, text};

/// What the header says of how the session was written.
pub(super) struct CutFacts {
    pub(super) format: Format,
    pub(super) version: Option<u32>,
    pub(super) agent: Option<String>,
    pub(super) agent_version: Option<String>,
    pub(super) git_branch: Option<String>,
    pub(super) continued_in: Vec<String>,
    pub(super) leaf: Option<String>,
    pub(super) labels: Vec<(String, Label)>,
}

/// The facts of a file that was written by a cut; nothing for any other.
pub(super) fn facts(source: &[u8]) -> Option<CutFacts> {
    let line = source.split(|byte| *byte == b'\n').next()?;
    memmem::find(line, b"\"leafpress\"")?;
    let header = object(line).filter(|header| text(header, "type") == Some("session"))?;
    let own = header.get(omitted::HEADER)?;
    let version = own.get("version").and_then(Json::as_f64);
    let label = |json: &Json<'_>| match json.items() {
        [id, name, time] => {
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
            let time = time.as_f64().map(|ms| ms as i64);
            Some((id.as_str()?.to_owned(), Label { text: name.as_str()?.to_owned(), time }))
        }
        _ => None,
    };
    Some(CutFacts {
        format: Format::from_name(text(own, "dialect")?)?,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        version: version.map(|version| version as u32),
        agent: text(own, "agent").map(str::to_owned),
        agent_version: text(own, "agentVersion").map(str::to_owned),
        git_branch: text(own, "gitBranch").map(str::to_owned),
        continued_in: own
            .get("continuedIn")
            .map_or(&[][..], Json::items)
            .iter()
            .filter_map(|id| id.as_str().map(str::to_owned))
            .collect(),
        leaf: text(own, "leaf").map(str::to_owned),
        labels: own
            .get("labels")
            .map(Json::items)
            .unwrap_or_default()
            .iter()
            .filter_map(label)
            .collect(),
    })
}
