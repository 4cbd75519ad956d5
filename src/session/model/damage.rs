//! What was wrong with a file, and where.

use std::fmt;

use super::format::Format;
use crate::session::texts::text;

/// One thing that could not be read as written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The line, counted from 1.
    pub line: u32,
    /// What was wrong there.
    pub kind: DamageKind,
}

/// The kinds of damage, from the bytes up to the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DamageKind {
    /// Bytes that are not UTF-8; each is shown as U+FFFD.
    InvalidUtf8,
    /// A line that is not JSON; skipped.
    NotJson,
    /// The last line is incomplete; skipped.
    TornLastLine,
    /// More than one JSON value on a line; all are read.
    Glued,
    /// A `\ud800`-like escape without its partner; read as U+FFFD.
    LoneSurrogate,
    /// A backslash before a character that needs none; both are shown.
    InvalidEscape,
    /// Control characters that stand in a string as they are; kept.
    ControlCharacter,
    /// Values nested too deep to read; kept as text.
    TooDeep,
    /// A number beyond the range of a double; kept as text.
    NumberRange,
    /// JSON, but not an object; skipped.
    NotAnObject,
    /// An object without a usable id; skipped.
    NoId,
    /// An entry without a field that its format requires; skipped.
    Incomplete,
    /// An entry of a type or a role that is not known, where more than a tenth of the lines are
    /// such entries or could not be read; shown as JSON.
    NotUnderstood,
    /// An entry without a text on whose line of the file texts stand, where more than half of those
    /// that hold texts are such entries.
    NoTextShown,
    /// The file has no marks of this agent's; it was read as its session because most lines give texts so.
    ReadAs(Format),
    /// No header line; read as if one stood there.
    NoHeader,
    /// A header without an id, or not at the top.
    OddHeader,
    /// Another header line; skipped.
    SecondHeader,
    /// The same id on an earlier line; this later one is shown.
    DuplicateId {
        /// The earlier line, skipped.
        earlier: u32,
    },
    /// The parent is not in the file; shown as a root.
    MissingParent,
    /// The parent is not in the file; shown behind the line before (Claude Code).
    JoinedBefore,
    /// The parent is on a line that could not be read; shown behind the entry above it.
    LostParent,
    /// The parents form a cycle; broken here, shown as a root.
    Cycle,
}

impl DamageKind {
    /// What happened, for people; plural when `count` is not 1.
    pub fn describe(self, count: usize) -> String {
        let one = count == 1;
        let s = |singular: &'static str, plural: &'static str| if one { singular } else { plural };
        let words = match self {
            DamageKind::InvalidUtf8 => s(
                "line with invalid UTF-8, shown as \u{fffd}",
                "lines with invalid UTF-8, shown as \u{fffd}",
            ),
            DamageKind::NotJson => {
                s("line that is not valid JSON, skipped", "lines that are not valid JSON, skipped")
            }
            DamageKind::TornLastLine => "incomplete last line, skipped",
            DamageKind::Glued => {
                s("line with several records, recovered", "lines with several records, recovered")
            }
            DamageKind::LoneSurrogate => s(
                "line with half a surrogate pair, shown as \u{fffd}",
                "lines with half a surrogate pair, shown as \u{fffd}",
            ),
            DamageKind::InvalidEscape => s(
                "line with an invalid escape sequence, shown as written",
                "lines with invalid escape sequences, shown as written",
            ),
            DamageKind::ControlCharacter => s(
                "line with unescaped control characters, recovered",
                "lines with unescaped control characters, recovered",
            ),
            DamageKind::TooDeep => s(
                "line nested too deeply, the inner part kept as text",
                "lines nested too deeply, the inner parts kept as text",
            ),
            DamageKind::NumberRange => s(
                "line with a number out of range, kept as text",
                "lines with a number out of range, kept as text",
            ),
            DamageKind::NotAnObject => {
                s("value that is not an object, skipped", "values that are not objects, skipped")
            }
            DamageKind::NoId => {
                s("entry without a usable id, skipped", "entries without a usable id, skipped")
            }
            DamageKind::Incomplete => s(
                "entry without a required field, skipped",
                "entries without a required field, skipped",
            ),
            DamageKind::NotUnderstood => s(
                "entry that leafpress does not understand, shown as words or JSON",
                "entries that leafpress does not understand, shown as words or JSON",
            ),
            DamageKind::NoTextShown => s(
                "entry whose text in the file is not shown",
                "entries whose text in the file is not shown",
            ),
            DamageKind::ReadAs(format) => {
                return format!(
                    "no line has the markers of {format}; read as {format} because most lines store text as it does"
                );
            }
            DamageKind::NoHeader => "missing session header",
            DamageKind::OddHeader => "session header without an id, or not on the first line",
            DamageKind::SecondHeader => {
                s("additional session header, skipped", "additional session headers, skipped")
            }
            DamageKind::DuplicateId { .. } => s(
                "duplicate id, the later entry is shown",
                "duplicate ids, the later entries are shown",
            ),
            DamageKind::MissingParent => s(
                "entry whose parent is missing, shown as a root",
                "entries whose parents are missing, shown as roots",
            ),
            DamageKind::JoinedBefore => s(
                "entry whose parent is not in the file, attached to the line before it",
                "entries whose parents are not in the file, attached to the lines before them",
            ),
            DamageKind::LostParent => s(
                "entry whose parent could not be read, attached to the entry above it",
                "entries whose parents could not be read, attached to the entries above them",
            ),
            DamageKind::Cycle => s(
                "cycle of parents, broken and shown as a root",
                "cycles of parents, broken and shown as roots",
            ),
        };
        format!("{} {words}", text::count(count))
    }

    /// Whether something of the file is not shown.
    pub fn loses_text(self) -> bool {
        matches!(
            self,
            DamageKind::NotJson
                | DamageKind::TornLastLine
                | DamageKind::NotAnObject
                | DamageKind::NoId
                | DamageKind::Incomplete
                | DamageKind::SecondHeader
                | DamageKind::DuplicateId { .. }
        )
    }
}

/// The damages of one kind, as one sentence with the first few line numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DamageGroup {
    /// The kind; of duplicate ids the first.
    pub kind: DamageKind,
    /// The lines, ascending.
    pub lines: Vec<u32>,
}

impl fmt::Display for DamageGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Line numbers printed before the rest is counted.
        const SHOWN: usize = 12;
        write!(f, "{}", self.kind.describe(self.lines.len()))?;
        if matches!(self.kind, DamageKind::NoHeader | DamageKind::ReadAs(_)) {
            return Ok(());
        }
        let shown: Vec<String> = self.lines.iter().take(SHOWN).map(u32::to_string).collect();
        let noun = if self.lines.len() == 1 { "line" } else { "lines" };
        write!(f, " ({noun} {}", shown.join(", "))?;
        match self.lines.len().saturating_sub(SHOWN) {
            0 => write!(f, ")"),
            more => write!(f, " and {} more)", text::count(more)),
        }
    }
}

/// Groups damages by kind, in the order of [`DamageKind`].
pub fn grouped(damages: &[Damage]) -> Vec<DamageGroup> {
    let mut sorted: Vec<&Damage> = damages.iter().collect();
    sorted.sort_by_key(|damage| (rank(damage.kind), damage.line));
    let mut groups: Vec<DamageGroup> = Vec::new();
    for damage in sorted {
        match groups.last_mut() {
            Some(group) if rank(group.kind) == rank(damage.kind) => group.lines.push(damage.line),
            _ => groups.push(DamageGroup { kind: damage.kind, lines: vec![damage.line] }),
        }
    }
    groups
}

/// The kind alone, without its facts.
fn rank(kind: DamageKind) -> DamageKind {
    match kind {
        DamageKind::DuplicateId { .. } => DamageKind::DuplicateId { earlier: 0 },
        kind => kind,
    }
}
