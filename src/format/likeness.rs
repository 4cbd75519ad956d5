//! What a file is whose lines have no marks of any agent's: as the session of which agent most of its
//! lines give text.

use crate::session::message::{Block, Message};
use crate::session::{Body, Format};

use super::probe::Probe;
use super::read_options::ReadOptions;
use super::{READERS, Reader};

/// The formats whose lines may give text without any mark. Those of the others say what they are.
const LIKELY: [Format; 7] = [
    Format::ClaudeCode,
    Format::Pi,
    Format::Codex,
    Format::Gemini,
    Format::Qwen,
    Format::Copilot,
    Format::OpenCode,
];

/// The format in which most of the file's first lines give text, and how many of them do.
pub(super) struct Likeness {
    pub(super) reader: &'static Reader,
    giving: usize,
    of: usize,
}

impl Likeness {
    /// Nothing where no line gives text in any format.
    pub(super) fn of(probe: &Probe<'_>) -> Option<Likeness> {
        // One object may be the only line of a file.
        if probe.lines.is_empty() || probe.whole.is_some() && probe.lines.len() > 1 {
            return None;
        }
        let mut lines: Vec<u8> = Vec::new();
        for line in &probe.lines {
            lines.extend(line.compact().bytes());
            lines.push(b'\n');
        }
        let of = probe.lines.len();
        let likenesses = LIKELY.iter().filter_map(|format| {
            let reader = READERS.iter().find(|reader| reader.format == *format)?;
            Some(Likeness { reader, giving: giving(reader, lines.clone()), of })
        });
        // Of equals the first, which is the most common.
        let nearest =
            likenesses.reduce(|one, other| if other.giving > one.giving { other } else { one });
        nearest.filter(|nearest| nearest.giving > 0)
    }

    /// Whether the file can be read so.
    pub(super) fn is_enough(&self) -> bool {
        self.giving * 2 > self.of
    }
}

/// How many lines give text, read in a format.
fn giving(reader: &Reader, lines: Vec<u8>) -> usize {
    let options = ReadOptions { without_children: true, ..ReadOptions::default() };
    let Ok(session) = (reader.read)(lines, &options) else { return 0 };
    let mut giving: Vec<u32> = session
        .own_indices()
        .filter(|&entry| match session.entry_at(entry).body {
            Body::Message(message) => gives_text(&message),
            _ => false,
        })
        .map(|entry| session.line(entry))
        .collect();
    giving.dedup();
    giving.len()
}

fn gives_text(message: &Message<'_>) -> bool {
    let any = |blocks: &[Block<'_>]| {
        blocks.iter().any(|block| match block {
            Block::Text(text) | Block::Thinking(text) => !text.trim().is_empty(),
            Block::ToolCall(_) | Block::Image { .. } => true,
            _ => false,
        })
    };
    match message {
        Message::User(blocks) => any(blocks),
        Message::Assistant(assistant) => any(&assistant.content),
        Message::ToolResult(result) => any(&result.content),
        _ => false,
    }
}
