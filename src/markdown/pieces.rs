//! A document in pieces, one an entry: "Copy as Markdown" of a page puts them together for a turn of any branch.

use super::Detail;
use super::story::{BranchWalk, BranchWriter, Piece, PieceKind, Section};
use crate::content::work::Work;
use crate::session::digest::Digest;
use crate::session::story::TurnRole;
use crate::session::{EntryIndex, Session};

/// What one entry adds to a story.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum StoryPiece {
    /// As it is.
    Line(String),
    /// Behind `## ` and the number of its prompt on the branch.
    Heading(String),
    /// The entry's own text.
    Own,
}

/// An entry by itself.
#[derive(Debug)]
pub(crate) struct EntryPiece {
    /// What a person, the model or a summary says in it; calls and their output would make a page much larger.
    pub(crate) text: String,
    pub(crate) story: Vec<StoryPiece>,
    /// The numbers of the sub-agents that it started.
    pub(crate) started: Vec<usize>,
}

/// A sub-agent's section in a story.
pub(crate) struct SubAgentPiece {
    pub(crate) begin: Vec<String>,
    /// Of the path that follows; none where it cannot be shown.
    pub(crate) leaf: Option<EntryIndex>,
}

/// Writes entries by themselves.
pub(crate) struct Pieces<'s> {
    writer: BranchWriter<'s>,
}

impl<'s> Pieces<'s> {
    pub(crate) fn new(session: &'s Session, digest: &'s Digest<'s>, work: Work<'s>) -> Self {
        Pieces { writer: BranchWriter::with_work(session, digest, work) }
    }

    pub(crate) fn entry(&self, index: EntryIndex) -> EntryPiece {
        let BranchWriter { session, digest, .. } = self.writer;
        let is_main = session.sub_session_of(index).is_none();
        let section = if is_main { Section::MAIN } else { Section::SUB_AGENT };
        let mut walk = self.writer.walk(Detail::Story, None);
        walk.entry(index, section);
        let BranchWalk { pieces, started, .. } = walk;
        let mut text = String::new();
        let mut story = Vec::new();
        for piece in pieces {
            story.push(match piece.kind {
                PieceKind::Frame | PieceKind::Changed => StoryPiece::Line(piece.text),
                PieceKind::Heading => {
                    let words = piece.text.strip_prefix("## 1").unwrap_or(&piece.text);
                    StoryPiece::Heading(words.to_owned())
                }
                PieceKind::Text | PieceKind::Response => {
                    text = piece.text;
                    StoryPiece::Own
                }
            });
        }
        if digest.story.role(index) == TurnRole::Step && self.writer.work.has_text(index) {
            text = self.writer.walk(Detail::Story, None).content(index, section, false);
        }
        EntryPiece { text, story, started }
    }

    /// The sub-agents of the session, in their order.
    pub(crate) fn sub_agents(&self) -> impl Iterator<Item = SubAgentPiece> + '_ {
        (1..=self.writer.session.sub_sessions().len()).map(|number| {
            let mut walk = self.writer.walk(Detail::Story, None);
            let leaf = walk.begin_sub_agent(number);
            let begin = walk.pieces.into_iter().map(|Piece { text, .. }| text).collect();
            SubAgentPiece { begin, leaf }
        })
    }
}
