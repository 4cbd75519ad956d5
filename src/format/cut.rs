//! Sessions that a cut wrote anew (`crate::cut`): the core's own form, which is that of pi's
//! version 3, with what that has no place for in fields of their own.

use std::borrow::Cow;

use crate::format::ReadError;
use crate::session::json::{Fields, Json};
use crate::session::{Session, omitted};

use super::cut_header::CutFacts;
use super::pi;
use super::read_options::ReadOptions;

/// Reads such a file. What the cut left is all that there is: no sub-session is looked for, and
/// nothing is put away that was shown.
pub(super) fn read(
    source: Vec<u8>,
    facts: CutFacts,
    options: &ReadOptions,
) -> Result<Session, ReadError> {
    let mut found = pi::scanned(facts.format, source, options, false);
    let builder = &mut found.builder;
    if let Some(version) = facts.version {
        builder.header_mut().version = version;
    }
    let header = builder.header_mut();
    header.agent = facts.agent;
    (header.agent_version, header.git_branch) = (facts.agent_version, facts.git_branch);
    header.continued_in = facts.continued_in;
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
