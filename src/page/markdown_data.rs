//! The data of "Copy as Markdown": every entry as Markdown, mostly as pieces of what lies in its pack anyway.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use super::wire::delta::Delta;
use crate::markdown::pieces::{EntryPiece, Pieces, StoryPiece, SubAgentPiece};
use crate::session::{EntryIndex, Session};

/// So many bytes are compressed at once.
const BUFFER: usize = 64 << 10;

/// Of one entry.
pub(super) struct EntryMarkdown {
    entry: EntryIndex,
    data: EntryData,
}

impl EntryMarkdown {
    /// `base` are the bytes of the entry in its pack; of a plain one none.
    pub(super) fn new(pieces: &Pieces<'_>, entry: EntryIndex, base: &[u8]) -> Self {
        let EntryPiece { text, story, started } = pieces.entry(entry);
        let data = EntryData {
            text: Delta::of(base, &text),
            story: story.into_iter().map(StoryData::from).collect(),
            started: started.into_iter().map(|number| number - 1).collect(),
        };
        EntryMarkdown { entry, data }
    }
}

/// The element's JSON, which static/js/transcript/markdown.js reads.
#[derive(Serialize)]
struct Data {
    /// In the order of the outline.
    entries: Vec<EntryData>,
    #[serde(rename = "subAgents")]
    sub_agents: Vec<SubAgentData>,
}

#[derive(Serialize, Default)]
struct EntryData {
    #[serde(skip_serializing_if = "Delta::is_empty")]
    text: Delta,
    /// What it adds to a story: a string is a line, a list has the words of a heading, 0 is its own text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    story: Vec<StoryData>,
    /// The numbers of the sub-agents that it started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    started: Vec<usize>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum StoryData {
    Line(String),
    Heading([String; 1]),
    Own(u8),
}

impl From<StoryPiece> for StoryData {
    fn from(piece: StoryPiece) -> Self {
        match piece {
            StoryPiece::Line(line) => StoryData::Line(line),
            StoryPiece::Heading(words) => StoryData::Heading([words]),
            StoryPiece::Own => StoryData::Own(0),
        }
    }
}

#[derive(Serialize)]
struct SubAgentData {
    /// What begins its section.
    begin: Vec<String>,
    /// The last entry of its path; `null` where it cannot be shown.
    leaf: Option<usize>,
}

/// Writes the JSON of all entries.
pub(super) fn write(
    session: &Session,
    pieces: &Pieces<'_>,
    entries: Vec<EntryMarkdown>,
    out: impl Write,
) -> io::Result<()> {
    let place = |entry| session.tree().position_at(entry);
    let sub_agent =
        |sub: SubAgentPiece| SubAgentData { begin: sub.begin, leaf: sub.leaf.map(place) };
    let mut data = Data {
        entries: std::iter::repeat_with(EntryData::default).take(session.len()).collect(),
        sub_agents: pieces.sub_agents().map(sub_agent).collect(),
    };
    for one in entries {
        data.entries[place(one.entry)] = one.data;
    }
    // The compressor takes a while for each write, and JSON is written in bits. Not ended by `flush`, which would end
    // a block of zlib's, too.
    let mut out = BufWriter::with_capacity(BUFFER, out);
    serde_json::to_writer(&mut out, &data)?;
    out.into_inner()?;
    Ok(())
}
