//! Texts of a session as text in Markdown: nothing of them takes effect.

use crate::html::Html;

/// Behind `@`, `#` and `GH-`, where GitHub would notify somebody or link an issue. It shows in no renderer, and no
/// line breaks at it.
pub(super) const JOINER: char = '\u{2060}';

/// A text of several lines: lines stay lines, blank lines part paragraphs, blanks at the start of a line are kept.
pub(super) fn text(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.trim_matches('\n').lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            out.push('\n');
            continue;
        }
        push_line(&mut out, line.trim_end());
        if lines.peek().is_some_and(|next| !next.trim().is_empty()) {
            out.push('\\');
        }
        out.push('\n');
    }
    out
}

/// A text on one line, wherever it stands but in a table.
pub(super) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_line(&mut out, text.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    out
}

/// A text on one line of HTML.
pub(super) fn html_line(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut before = None;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        words.push(c);
        if is_reference(before, c, rest.peek().copied()) {
            words.push(JOINER);
        }
        before = Some(c);
    }
    Html::text(&words).as_str().to_owned()
}

fn push_line(out: &mut String, line: &str) {
    let start = line.trim_start_matches([' ', '\t']);
    for blank in line[..line.len() - start.len()].chars() {
        out.push_str(if blank == '\t' { "&nbsp;&nbsp;&nbsp;&nbsp;" } else { "&nbsp;" });
    }
    let number = start.bytes().take_while(u8::is_ascii_digit).count();
    if number > 0 && start[number..].starts_with(['.', ')']) {
        out.push_str(&start[..number]);
        out.push('\\');
        out.push_str(&start[number..=number]);
        return push_words(out, &start[number + 1..]);
    }
    if start.starts_with(['#', '+', '-', '=']) {
        out.push('\\');
    }
    push_words(out, start);
}

/// Characters that mean something within a line.
fn push_words(out: &mut String, words: &str) {
    let mut before = out.chars().next_back();
    let mut rest = words.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // What a renderer would drop or replace.
            '\0' => out.push('\u{fffd}'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '|' | '$' | '&' => {
                out.extend(['\\', c]);
            }
            _ => out.push(c),
        }
        if is_reference(before, c, rest.peek().copied()) {
            out.push(JOINER);
        }
        before = Some(c);
    }
}

/// Whether [`is_reference`] may hold of a character.
#[expect(clippy::needless_bitwise_bool, reason = "looked for in blocks, without branches")]
pub(super) fn may_refer(byte: u8) -> bool {
    (byte == b'@') | (byte == b'#') | (byte == b'-')
}

/// Whether GitHub may take what begins with this character for a mention or the number of an issue.
pub(super) fn is_reference(before: Option<char>, c: char, next: Option<char>) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match c {
        '@' => {
            !before.is_some_and(is_word) && next.is_some_and(|next| next.is_ascii_alphanumeric())
        }
        '#' => next.is_some_and(|next| next.is_ascii_digit()),
        // `GH-123`
        '-' => {
            before.is_some_and(|before| before.eq_ignore_ascii_case(&'h'))
                && next.is_some_and(|next| next.is_ascii_digit())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_means_anything() {
        assert_eq!(line("# a *b* <i>x</i> [l](u) `c`"), r"\# a \*b\* \<i\>x\</i\> \[l\](u) \`c\`");
        assert_eq!(line("1. one\n2"), r"1\. one 2");
        assert_eq!(line("a | b & $c$ ~~d~~"), r"a \| b \& \$c\$ \~\~d\~\~");
    }

    #[test]
    fn lines_and_indents_stay() {
        assert_eq!(text("a\n  b\n\n\n- c\r\n"), "a\\\n&nbsp;&nbsp;b\n\n\n\\- c\n");
        assert_eq!(text("\ta"), "&nbsp;&nbsp;&nbsp;&nbsp;a\n");
    }

    #[test]
    fn nobody_is_notified() {
        let j = JOINER;
        assert_eq!(
            line("@ada see #12, o/r#3, GH-4"),
            format!("@{j}ada see #{j}12, o/r#{j}3, GH-{j}4")
        );
        assert_eq!(line("a@b.c, @ x, # y"), "a@b.c, @ x, # y");
    }
}
