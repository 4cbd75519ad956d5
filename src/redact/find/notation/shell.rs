//! A command line taken apart as a shell does.

use std::ops::Range;

use super::value::{part, skip_blank, string};

/// Longest command that is read, in bytes.
pub(super) const MAX_COMMAND: usize = 2000;

/// Most arguments that are read.
const MAX_ARGUMENTS: usize = 80;

/// One argument.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    /// With its quotes.
    pub(super) range: Range<usize>,
    /// `<<<` or `<` stands before it.
    pub(super) is_input: bool,
}

/// The strings of an array, whose bracket stands before `at`: `([0]="x" [1]="y")`.
pub(super) fn array(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = at;
    while found.len() < MAX_ARGUMENTS {
        at = skip_blank(text, at);
        if text.get(at) == Some(&b'[') {
            let index = part(text, at..text.len().min(at + 40));
            let Some(end) = index.windows(2).position(|pair| pair == b"]=") else { break };
            at += end + 2;
        }
        let Some(value) = string(text, at) else { break };
        at = value.end + 1;
        found.push(value);
    }
    found
}

/// The arguments from `at` to the end of the command, over continued lines, or to `far`.
pub(super) fn arguments(text: &[u8], at: usize, far: usize) -> Vec<Argument> {
    let mut found = Vec::with_capacity(16);
    let mut at = at;
    let mut is_input = false;
    while at < far && found.len() < MAX_ARGUMENTS {
        match text[at] {
            b' ' | b'\t' => at += 1,
            // PowerShell goes on behind a backtick.
            b'\\' | b'`' if matches!(text.get(at + 1), Some(b'\n')) => at += 2,
            b'\\' if text[at..].starts_with(b"\\\r\n") => at += 3,
            b'<' => {
                at += text[at..].iter().take_while(|&&byte| byte == b'<').count();
                is_input = true;
            }
            b'\n' | b'\r' | b'|' | b';' | b'&' | b')' | b'`' | b'>' => break,
            _ => {
                let end = argument_end(text, at, far);
                found.push(Argument { range: at..end, is_input });
                is_input = false;
                at = end.max(at + 1);
            }
        }
    }
    found
}

fn argument_end(text: &[u8], from: usize, far: usize) -> usize {
    let mut at = from;
    let mut quote = None;
    while at < far {
        let byte = text[at];
        match quote {
            Some(open) if byte == open => quote = None,
            Some(b'"') if byte == b'\\' => at += 1,
            Some(_) if byte == b'\n' => return at,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None if byte == b'\\' && text.get(at + 1) != Some(&b'\n') => at += 1,
            None if byte.is_ascii_whitespace() || b"\\|;)`".contains(&byte) => return at,
            None if byte == b'&'
                && matches!(text.get(at + 1), None | Some(b'&' | b' ' | b'\n')) =>
            {
                return at;
            }
            _ => {}
        }
        at += 1;
    }
    at.min(far)
}

/// The text of an argument without quotes around it.
pub(super) fn unquoted(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    match (part.first(), part.last()) {
        (Some(open @ (b'"' | b'\'')), Some(close)) if part.len() >= 2 && open == close => {
            range.start + 1..range.end - 1
        }
        // Cut off.
        (Some(b'"' | b'\''), _) => range.start + 1..range.end,
        (_, Some(close @ (b'"' | b'\''))) if !part[..part.len() - 1].contains(close) => {
            range.start..range.end - 1
        }
        _ => range,
    }
}
