//! Texts that stand as they are: in fences, and in code within a line.

/// A text in a fence longer than any run of backticks in it, with a newline at its end.
pub(super) fn block(text: &str, language: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    // An info string ends at a newline; a backtick in it makes the fence none.
    let language: String =
        language.chars().filter(|c| c.is_ascii_alphanumeric() || "+-_.#".contains(*c)).collect();
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}\n")
}

/// A text on one line as code.
pub(super) fn inline(text: &str) -> String {
    let text: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\0', "\u{fffd}");
    if text.is_empty() {
        return String::new();
    }
    let marks = "`".repeat(longest_run(&text) + 1);
    // Blanks on both sides are dropped, and part a backtick from the marks.
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{blank}{text}{blank}{marks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(block("a\n", "rs"), "```rs\na\n```\n");
        assert_eq!(block("````\nx", "`a\nb"), "`````ab\n````\nx\n`````\n");
        assert_eq!(block("", ""), "```\n\n```\n");
    }

    #[test]
    fn code_within_a_line_keeps_its_backticks() {
        assert_eq!(inline("a  b"), "`a b`");
        assert_eq!(inline("a`b"), "``a`b``");
        assert_eq!(inline("`a"), "`` `a ``");
        assert_eq!(inline(" \n"), "");
    }
}
