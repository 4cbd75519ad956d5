//! A diff as pi (0.87.1 to 1.5.2) keeps it for viewers, `details.diff`: each line with its sign and number.

use super::{LineChange, Row};

/// `+12 text`, `-12 text`, ` 12 text`, the numbers padded, and `...` for what is left out.
/// omp (18.3.4) has `|` after the number. `None` where a line is of another form or
/// nothing changed.
pub(super) fn read(text: &str) -> Option<Vec<Row<'_>>> {
    let text = text.trim_end_matches(['\n', '\r']);
    let rows = text.split('\n').map(row).collect::<Option<Vec<_>>>()?;
    rows.iter()
        .any(|row| matches!(row.kind, LineChange::Removed | LineChange::Added))
        .then_some(rows)
}

fn row(line: &str) -> Option<Row<'_>> {
    if matches!(line.trim(), "..." | "…") {
        return Some(Row::new(LineChange::Skipped, None, ""));
    }
    let kind = match line.chars().next()? {
        '+' => LineChange::Added,
        '-' => LineChange::Removed,
        ' ' => LineChange::Same,
        _ => return None,
    };
    let rest = line[1..].trim_start_matches(' ');
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok()?;
    let text = match rest[end..].strip_prefix([' ', '|']) {
        Some(text) => text,
        None if rest[end..].trim().is_empty() => &rest[end..],
        None => return None,
    };
    Some(Row::new(kind, Some(number), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_numbers_and_texts_are_read() {
        let rows = read("     ...\n  9 kept\n-10   old\n+10   new\n+11\n     ...\n").unwrap();
        let parts: Vec<_> = rows.iter().map(|row| (row.kind, row.number, row.text)).collect();
        assert_eq!(
            parts,
            [
                (LineChange::Skipped, None, ""),
                (LineChange::Same, Some(9), "kept"),
                (LineChange::Removed, Some(10), "  old"),
                (LineChange::Added, Some(10), "  new"),
                (LineChange::Added, Some(11), ""),
                (LineChange::Skipped, None, ""),
            ]
        );
        assert_eq!(
            read("-  87 a\n+  87 b").unwrap()[1].text,
            "b",
            "the numbers of old files are padded"
        );
        assert_eq!(read("+3|\tb").unwrap()[0].text, "\tb");
    }

    #[test]
    fn other_texts_are_not() {
        for text in [
            "",
            "\n",
            "words",
            " 1 kept",
            "+1 a\nwords",
            "+99999999999999999999999 a",
            "--- a\n+++ b",
            "+1a",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
