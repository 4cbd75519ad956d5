//! Older transcripts: a text with a line `user:` or `assistant:` above each message, and marks
//! for reasoning, calls and results, whose own lines are indented (agentsview).
//!
//! Nothing is escaped in it, so a text that a person or a model wrote may look like a mark. A mark counts only at the
//! beginning of a line that is not indented, and only names of arguments that are known begin one.

use std::borrow::Cow;

use crate::format::blocks::{text_block, thinking};
use crate::format::fields::string;
use crate::session::DamageKind;
use crate::session::json::Json;

use super::writer::{At, Writer};

const THINKING: &str = "[Thinking]";
const CALL: &str = "[Tool call]";
const RESULT: &str = "[Tool result]";

/// The names of arguments: other lines with a colon belong to the value above them.
// The arguments of Cursor's tools: toolpath, cursor.md.
const ARGUMENTS: [&str; 24] = [
    "path",
    "contents",
    "old_string",
    "new_string",
    "replace_all",
    "command",
    "description",
    "working_directory",
    "pattern",
    "glob",
    "glob_pattern",
    "target_directory",
    "target_directories",
    "query",
    "search_term",
    "explanation",
    "url",
    "prompt",
    "subagent_type",
    "offset",
    "limit",
    "paths",
    "todos",
    "patch",
];

/// Whether the file begins with a prompt of such a text: nothing else does with both of its marks.
pub(super) fn is_one(source: &[u8]) -> bool {
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let mut lines = source.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    lines.by_ref().find(|line| !line.is_empty()) == Some(b"user:")
        && lines
            .take_while(|line| !matches!(*line, b"user:" | b"assistant:"))
            .any(|line| line.starts_with(b"<user_query>"))
}

/// Reads such a text.
pub(super) fn read(source: &[u8]) -> Writer {
    let mut reader = Reader { writer: Writer::new(), role: None, from: 1, lines: Vec::new() };
    for (line, number) in source.split(|&byte| byte == b'\n').zip(1..) {
        let text = String::from_utf8_lossy(line);
        if matches!(text, Cow::Owned(_)) {
            reader.writer.out.damage(number, DamageKind::InvalidUtf8);
        }
        reader.line(number, text.strip_prefix('\u{feff}').unwrap_or(&text).trim_end_matches('\r'));
    }
    reader.message();
    reader.writer.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
}

struct Reader {
    writer: Writer,
    role: Option<Role>,
    /// The line of the role.
    from: u32,
    /// The message's lines so far, with their numbers.
    lines: Vec<(u32, String)>,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) {
        let role = match line.trim_end() {
            "user:" => Role::User,
            "assistant:" => Role::Assistant,
            _ => return self.lines.push((number, line.to_owned())),
        };
        self.message();
        (self.role, self.from) = (Some(role), number);
    }

    /// Writes the message whose lines were taken in.
    fn message(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let is_blank = lines.iter().all(|(_, line)| line.trim().is_empty());
        match self.role {
            Some(Role::User) => {
                let at = at(self.from);
                self.writer.prompt(&at, Some(&joined(&lines)), Vec::new());
            }
            Some(Role::Assistant) => self.response(&lines),
            None if is_blank => {}
            None => self.writer.custom(&at(self.from), "text", string(joined(&lines))),
        }
    }

    /// The parts of a response; what follows a result is a response of its own.
    fn response(&mut self, lines: &[(u32, String)]) {
        let mut place = at(self.from);
        let mut content: Vec<Json<'static>> = Vec::new();
        let mut prose: Vec<&str> = Vec::new();
        let mut next = 0;
        while let Some((number, line)) = lines.get(next) {
            next += 1;
            let Some((mark, rest)) = marked(line) else {
                prose.push(line);
                continue;
            };
            content.extend(text_of(&mut prose));
            let body = body(lines, &mut next);
            match mark {
                THINKING => content.push(thinking(thought(rest, &body))),
                CALL => {
                    let arguments = arguments(&body);
                    let lasting = || format!("line-{number}-call");
                    content.push(self.writer.call(None, lasting, rest, arguments));
                }
                _ => {
                    if !content.is_empty() {
                        let content = std::mem::take(&mut content);
                        self.writer.response(&place, content, None, None);
                    }
                    let tool = Some(rest).filter(|tool| !tool.is_empty());
                    let text = dedented(&body).join("\n");
                    let text = text.trim_end();
                    let blocks = if text.is_empty() { vec![] } else { vec![text_block(text)] };
                    let blocks = Json::Array(blocks);
                    self.writer.result(&at(*number), None, tool, blocks, false);
                    place = at(lines.get(next).map_or(*number, |(number, _)| *number));
                }
            }
        }
        content.extend(text_of(&mut prose));
        if !content.is_empty() {
            self.writer.response(&place, content, None, None);
        }
    }
}

fn at(line: u32) -> At {
    At { line, id: format!("line-{line}") }
}

fn joined(lines: &[(u32, String)]) -> String {
    lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
}

/// The mark that a line begins with, and what stands behind it.
fn marked(line: &str) -> Option<(&'static str, &str)> {
    [THINKING, CALL, RESULT]
        .into_iter()
        .find_map(|mark| Some((mark, line.strip_prefix(mark)?.trim())))
}

/// The prose so far, without the blank lines around it.
fn text_of(prose: &mut Vec<&str>) -> Option<Json<'static>> {
    let text = prose.join("\n");
    prose.clear();
    let text = text.trim_matches('\n');
    (!text.trim().is_empty()).then(|| text_block(text.to_owned()))
}

/// The indented and blank lines from `next` on.
fn body<'l>(lines: &'l [(u32, String)], next: &mut usize) -> Vec<&'l str> {
    let rest = lines.get(*next..).unwrap_or_default();
    let is_own = |line: &str| line.trim().is_empty() || line.starts_with([' ', '\t']);
    let body: Vec<&str> =
        rest.iter().map(|(_, line)| line.as_str()).take_while(|line| is_own(line)).collect();
    *next += body.len();
    body
}

fn thought(rest: &str, body: &[&str]) -> String {
    let mut lines = vec![rest.to_owned()];
    lines.extend(dedented(body));
    lines.join("\n").trim().to_owned()
}

/// The lines without the indentation that all of them have.
fn dedented(lines: &[&str]) -> Vec<String> {
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(indent).min().unwrap_or_default();
    lines.iter().map(|line| line.get(least..).unwrap_or_default().to_owned()).collect()
}

/// `key: value` or `key=value` a line, values over several lines; else JSON, else the text as it is.
fn arguments(body: &[&str]) -> Json<'static> {
    let lines = dedented(body);
    let text = lines.join("\n").trim_end().to_owned();
    if text.is_empty() {
        return Json::Object(Vec::new());
    }
    if let Ok(json @ Json::Object(_)) = serde_json::from_str::<Json<'_>>(&text) {
        return json.owned();
    }
    let mut given: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let named = argument(line).filter(|(name, _)| given.iter().all(|(other, _)| other != name));
        match (named, given.last_mut()) {
            (Some((name, value)), _) => given.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => {
                value.push('\n');
                value.push_str(line);
            }
            (None, None) => return Json::Object(vec![("input".into(), string(text))]),
        }
    }
    let fields = given.into_iter().map(|(name, value)| (name.into(), string(value)));
    Json::Object(fields.collect())
}

fn argument(line: &str) -> Option<(&str, &str)> {
    let end = line.find([':', '='])?;
    let (name, value) = (&line[..end], &line[end + 1..]);
    ARGUMENTS.contains(&name).then(|| (name, value.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_text_with_both_marks_is_a_transcript() {
        assert!(is_one(b"user:\n<user_query>\nhi\n</user_query>\n"));
        assert!(is_one(b"\xef\xbb\xbfuser:\r\n<timestamp>t</timestamp>\r\n<user_query>hi"));
        for text in [
            "",
            "user:\nhi\n",
            "user: <user_query>",
            "assistant:\n<user_query>",
            "user:\nhi\nassistant:\n<user_query>",
            "notes\nuser:\n<user_query>",
        ] {
            assert!(!is_one(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn arguments_are_read_line_by_line() {
        let read = |body: &[&str]| arguments(body).compact();
        assert_eq!(
            read(&["  path: a.yaml", "  contents: low: 1", "  high: 2", ""]),
            r#"{"path":"a.yaml","contents":"low: 1\nhigh: 2"}"#
        );
        assert_eq!(read(&["  command=ls -l"]), r#"{"command":"ls -l"}"#);
        assert_eq!(read(&["  {\"path\":\"a\"}"]), r#"{"path":"a"}"#);
        assert_eq!(read(&["  *** Begin Patch", "  @@"]), r#"{"input":"*** Begin Patch\n@@"}"#);
        assert_eq!(read(&[]), "{}");
    }
}
