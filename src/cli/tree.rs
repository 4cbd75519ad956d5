//! `leafpress tree`: prints the tree of a session.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::error::Error;
use crate::outline::{Filter, advice};
use crate::report::{self, SubSessionReport, TreeReport};

use crate::session::Kind;
use crate::session::text::one_line;
use crate::short_ids::ShortIds;

use super::columns::{fitting, of_terminal, path_within};
use super::printable::printable;
use super::{SessionArg, input, message, output};

/// What `leafpress tree` takes.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    #[command(flatten)]
    input: SessionArg,
    /// Mark the path to this leaf [default: the current leaf]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Filter of the tree
    #[arg(long, value_enum, default_value_t)]
    filter: Filter,
    /// Show only entries that match: words, "phrases", role: tool: is: label: before: after:
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    search: Option<String>,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl TreeArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = self.input.read()?;
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?
            .unwrap_or_else(|| session.leaf());
        for advice in self.search.as_deref().map(advice).unwrap_or_default() {
            message::warning(&advice, None);
        }
        let tree = report::tree(&session, leaf, self.filter, self.search.as_deref());
        let tree = tree.expect(input::FOUND);
        if self.json {
            return output::json(&tree);
        }
        let ids = ShortIds::of(&session);
        output::to_person(|out| print(&tree, &ids, of_terminal(), out))
    }
}

/// One line a row: its id, then the row as `/tree` draws it.
fn print(
    tree: &TreeReport,
    ids: &ShortIds,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lengths = tree.rows.iter().map(|row| ids.short(&row.id).len());
    // Longer ids stand unpadded rather than push all rows aside.
    let width = lengths.filter(|&len| len <= ShortIds::LONGEST_WHOLE).max().unwrap_or(0);
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let red = AnsiColor::Red.on_default();
    let below = places(tree);
    print_below(&below, "", 0, columns, out)?;
    for row in &tree.rows {
        let mark = if row.on_path { "• " } else { "" };
        let label =
            row.label.as_ref().map(|label| format!("[{}] ", printable(label))).unwrap_or_default();
        let is_tool = matches!(row.kind, Kind::ToolResult | Kind::Bash | Kind::Program);
        let is_bold = row.id == tree.leaf_id || row.kind == Kind::User;
        let style = match (is_bold, row.failed, is_tool) {
            (true, ..) => bold,
            (_, true, _) => red,
            (_, _, true) => dim,
            _ => Style::new(),
        };
        // Rows in a pipe are as `/tree` has them.
        let failed = if row.failed && columns.is_some() { "✗ " } else { "" };
        let prefix = prefix_within(&row.prefix, columns);
        let taken = width.max(ids.short(&row.id).len())
            + 2
            + [&*prefix, mark, &label, failed].iter().map(|part| part.width()).sum::<usize>();
        let text = match (row.text.rsplit_once(' '), columns) {
            // The file's name says more than the folders before it.
            (Some((tool, path)), Some(columns)) if is_tool && path.contains('/') => {
                let room = columns.saturating_sub(taken + tool.width() + 1);
                Cow::Owned(format!("{tool} {}", path_within(path, room)))
            }
            _ => Cow::Borrowed(row.text.as_str()),
        };
        print_row(
            &[
                (dim, &format!("{:width$}  {prefix}", ids.short(&row.id))),
                (Style::new(), mark),
                (bold, &label),
                (red, failed),
                (style, &printable(&text)),
            ],
            columns,
            out,
        )?;
        print_below(&below, &row.id, width + 2 + prefix.chars().count(), columns, out)?;
    }
    writeln!(out, "{dim}{} of {} entries{dim:#}", tree.shown, tree.total)
}

/// A row of several parts, each in its style. What is wider than the terminal ends with `…`.
fn print_row(
    parts: &[(Style, &str)],
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let whole: usize = parts.iter().map(|(_, text)| text.width()).sum();
    // Room for the parts, and for the sign that there is more.
    let mut room = match columns {
        Some(columns) if whole > columns => columns.saturating_sub(1),
        _ => usize::MAX,
    };
    let mut is_whole = true;
    for (style, text) in parts.iter().filter(|(_, text)| !text.is_empty()) {
        let fitting = fitting(text, room);
        write!(out, "{style}{fitting}{style:#}")?;
        room -= fitting.width();
        is_whole = fitting.len() == text.len();
        if !is_whole {
            break;
        }
    }
    writeln!(out, "{}", if is_whole { "" } else { "…" })
}

/// The lines before a row: of deep rows only the innermost, so that half of the terminal is left
/// for the text.
fn prefix_within(prefix: &str, columns: Option<usize>) -> Cow<'_, str> {
    let most = columns.map_or(usize::MAX, |columns| columns / 2);
    match prefix.chars().count().checked_sub(most) {
        None | Some(0) => Cow::Borrowed(prefix),
        Some(over) => {
            Cow::Owned(std::iter::once('…').chain(prefix.chars().skip(over + 1)).collect())
        }
    }
}

/// Sub-sessions by the row or the other sub-session below which they stand; by nothing where
/// neither is shown.
fn places(tree: &TreeReport) -> HashMap<&str, Vec<&SubSessionReport>> {
    let shown = tree.rows.iter().map(|row| &row.id).chain(tree.sub_sessions.iter().map(|s| &s.id));
    let shown: HashSet<&str> = shown.map(String::as_str).collect();
    let mut places: HashMap<&str, Vec<&SubSessionReport>> = HashMap::new();
    for sub in tree.sub_sessions.iter().filter(|sub| sub.has_row) {
        let within = sub.id.rsplit_once('/').map(|(outer, _)| outer);
        let place = [sub.below.as_deref(), within].into_iter().flatten();
        let place = place.into_iter().find(|place| shown.contains(place)).unwrap_or_default();
        places.entry(place).or_default().push(sub);
    }
    places
}

/// The sub-sessions below a row, each with its own below it.
fn print_below(
    below: &HashMap<&str, Vec<&SubSessionReport>>,
    place: &str,
    indent: usize,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    /// Deeper ones stand no further in.
    const WIDEST: usize = 64;
    let started = |place: &str| below.get(place).into_iter().flatten().rev();
    let mut stack: Vec<_> = started(place).map(|sub| (*sub, indent)).collect();
    while let Some((sub, indent)) = stack.pop() {
        print_sub_session(sub, &" ".repeat(indent), columns, out)?;
        stack.extend(started(&sub.id).map(|sub| (*sub, (indent + 3).min(WIDEST))));
    }
    Ok(())
}

/// `⊞ Scout: task · done · 12 entries`, and what to ask for to see them.
fn print_sub_session(
    sub: &SubSessionReport,
    indent: &str,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = sub.agent.as_deref().unwrap_or(&sub.id);
    let task = sub.task.as_ref().map(|task| format!(": {task}")).unwrap_or_default();
    let entries = match (&sub.missing, sub.total) {
        (Some(reason), _) => format!(": {reason}"),
        (None, 1) => " · 1 entry".to_owned(),
        (None, total) => format!(" · {total} entries"),
    };
    let text = printable(&one_line(&format!("⊞ {name}{task} · {}{entries}", sub.state)));
    let parts = [
        (Style::new(), &*format!("{indent}{text}  ")),
        (Style::new().dimmed(), sub.leaf_id.as_str()),
    ];
    print_row(&parts, columns, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(prompt: &str, columns: Option<usize>) -> String {
        let line = serde_json::json!({"type": "message", "id": "a", "parentId": null,
            "message": {"role": "user", "content": prompt}});
        let session = crate::read(line.to_string().into_bytes()).unwrap();
        let tree = report::tree(&session, session.leaf(), Filter::Default, None).unwrap();
        let mut out = anstream::StripStream::new(Vec::new());
        print(&tree, &ShortIds::of(&session), columns, &mut out).unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn ids_are_short_and_a_file_keeps_its_name() {
        let row = |id: &str, parent: &str, rest: &str| {
            format!(r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"s",{rest}}}"#)
        };
        let rows = [
            row(
                "740cc691-1111-4000-8000-000000000001",
                "null",
                r#""type":"user","message":{"content":"read it"}"#,
            ),
            row(
                "740cc691-2222-4000-8000-000000000002",
                r#""740cc691-1111-4000-8000-000000000001""#,
                r#""type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/srv/coast/charts/of/the/inner/harbor/tide_table.rs"}}]}"#,
            ),
            row(
                "b92884d3-1111-4000-8000-000000000003",
                r#""740cc691-2222-4000-8000-000000000002""#,
                r#""type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}"#,
            ),
        ];
        let session = crate::read(rows.join("\n").into_bytes()).unwrap();
        let tree = report::tree(&session, session.leaf(), Filter::Default, None).unwrap();
        let mut out = anstream::StripStream::new(Vec::new());
        print(&tree, &ShortIds::of(&session), Some(60), &mut out).unwrap();
        let out = String::from_utf8(out.into_inner()).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "740cc691-1  • user: read it");
        assert_eq!(lines[1], "b92884d3    • Read /srv/coast/charts/of/the/i…/tide_table.rs");
    }

    #[test]
    fn rows_fit_the_terminal_and_are_whole_in_a_pipe() {
        let prompt = "Plant two rows of beans";
        assert_eq!(rows(prompt, None), format!("a  • user: {prompt}\n1 of 1 entries\n"));
        assert_eq!(rows(prompt, Some(34)), rows(prompt, None), "exactly as wide");
        assert!(rows(prompt, Some(33)).starts_with("a  • user: Plant two rows of bea…\n"));
        assert!(rows(prompt, Some(1)).starts_with("…\n"));
        // Such letters are two columns wide.
        assert!(rows("海底灯塔", Some(16)).starts_with("a  • user: 海底…\n"));
    }

    #[test]
    fn a_terminal_gets_a_mark_for_each_failure_and_dim_tool_rows() {
        let file = [
            r#"{"type":"session","version":3,"id":"s"}"#,
            r#"{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"d","name":"bash","arguments":{"command":"pwd"}}]}}"#,
            r#"{"type":"message","id":"b","parentId":"a","message":{"role":"toolResult","toolCallId":"c","isError":true,"content":"x"}}"#,
            r#"{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"d","content":"x"}}"#,
            r#"{"type":"message","id":"d","parentId":"c","message":{"role":"user","content":"go"}}"#,
        ];
        let session = crate::read(file.join("\n").into_bytes()).unwrap();
        let tree = report::tree(&session, session.leaf(), Filter::Default, None).unwrap();
        let printed = |columns| {
            let mut out = Vec::new();
            print(&tree, &ShortIds::of(&session), columns, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let terminal = printed(Some(80));
        assert!(terminal.contains("\u{1b}[31m✗ \u{1b}[0m\u{1b}[31m[bash: ls]"), "{terminal:?}");
        assert!(terminal.contains("\u{1b}[2m[bash: pwd]"), "{terminal:?}");
        assert!(!printed(None).contains('✗'));
    }

    #[test]
    fn the_lines_before_a_deep_row_leave_room_for_its_text() {
        assert_eq!(prefix_within("│  │  └─ ", Some(40)), "│  │  └─ ");
        assert_eq!(prefix_within("│  │  └─ ", Some(10)), "… └─ ");
        assert_eq!(prefix_within("│  │  └─ ", None), "│  │  └─ ");
    }
}
