//! Sessions that a cut wrote anew (`crate::cut`): the core's own form, which is that of pi's
//! version 3, with what that has no place for in fields of their own.

use std::borrow::Cow;

use memchr::memmem;

use crate::format::ReadError;
use crate::session::json::{Fields, Json};
use crate::session::{Dialect, Label, Session, omitted};

use super::pi;
use super::probe::{object, text};
use super::read_options::ReadOptions;

/// What the header says of how the session was written.
pub(super) struct CutFacts {
    dialect: Dialect,
    version: Option<u32>,
    agent: Option<String>,
    agent_version: Option<String>,
    git_branch: Option<String>,
    leaf: Option<String>,
    labels: Vec<(String, Label)>,
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
        dialect: Dialect::from_name(text(own, "dialect")?)?,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        version: version.map(|version| version as u32),
        agent: text(own, "agent").map(str::to_owned),
        agent_version: text(own, "agentVersion").map(str::to_owned),
        git_branch: text(own, "gitBranch").map(str::to_owned),
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

/// Reads such a file. What the cut left is all that there is: no sub-session is looked for, and
/// nothing is put away that was shown.
pub(super) fn read(
    source: Vec<u8>,
    facts: CutFacts,
    options: &ReadOptions,
) -> Result<Session, ReadError> {
    let mut found = pi::scanned(facts.dialect, source, options, false);
    let builder = &mut found.builder;
    if let Some(version) = facts.version {
        builder.header_mut().version = version;
    }
    let header = builder.header_mut();
    header.agent = facts.agent;
    (header.agent_version, header.git_branch) = (facts.agent_version, facts.git_branch);
    for (alias, id) in aliases(builder.texts()) {
        builder.alias(alias, id);
    }
    for (id, label) in facts.labels {
        builder.label(id, Some(label));
    }
    if let Some(leaf) = facts.leaf {
        builder.leaf(leaf);
    }
    found.finish()
}

/// The further ids that entries and stubs give.
fn aliases<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<(String, String)> {
    let mut aliases = Vec::new();
    for (id, entry) in texts {
        if !entry.contains(omitted::ALIASES) && !entry.contains(omitted::TYPE) {
            continue;
        }
        let mut fields = Fields::new(serde_json::from_str(entry).unwrap_or(Json::Null));
        let is_stub = fields.text("type").as_deref() == Some(omitted::TYPE);
        let ids = fields.array(if is_stub { "ids" } else { omitted::ALIASES });
        let ids = ids.into_iter().map(Json::into_text).map(Cow::into_owned);
        aliases.extend(ids.filter(|alias| alias != id).map(|alias| (alias, id.to_owned())));
    }
    aliases
}
