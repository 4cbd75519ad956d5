//! The title of a session, which lies beside it in `workspace.yaml`: flat, a value a line (toolpath, agentsview).

use std::borrow::Cow;

use crate::format::own_folder::Budget;
use crate::format::read_options::ReadOptions;

/// The file is a few lines long.
const MAX_BYTES: u64 = 64 << 10;

/// The name in the file beside the session, where that says that it is this session's.
pub(super) fn title(options: &ReadOptions, session_id: &str) -> Option<String> {
    let path = options.session.as_deref()?;
    if path.file_name()? != "events.jsonl" {
        return None;
    }
    let mut budget = Budget { files: 1, bytes: MAX_BYTES, file_bytes: MAX_BYTES };
    let bytes = budget.read(&options.folder()?, "workspace.yaml").ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let id = value(text, "id")?;
    // Copilot may call the folder something else than the session.
    let folder = path.parent().and_then(|folder| folder.file_name());
    let is_own = id == session_id || folder.is_some_and(|folder| *folder == *id);
    let name = value(text, "name").filter(|_| is_own)?;
    (!name.trim().is_empty()).then(|| name.into_owned())
}

/// The value of a key at the beginning of a line; none where it goes over several lines.
fn value<'t>(text: &'t str, key: &str) -> Option<Cow<'t, str>> {
    let after = |line: &'t str| line.strip_prefix(key)?.strip_prefix(':');
    let value = text.lines().find_map(after)?;
    if !value.is_empty() && !value.starts_with([' ', '\t']) {
        return None;
    }
    scalar(value.trim())
}

/// One scalar of YAML: plain, or in quotes.
fn scalar(value: &str) -> Option<Cow<'_, str>> {
    if let Some(quoted) = value.strip_prefix('\'') {
        return Some(quoted.strip_suffix('\'')?.replace("''", "'").into());
    }
    if value.starts_with('"') {
        // The escapes that writers use are those of JSON.
        return serde_json::from_str::<String>(value).ok().map(Cow::Owned);
    }
    // Copilot writes no comments, and what it does not put in quotes holds no ` #` and begins with
    // no bracket: what does is the mark of something that was redacted.
    let is_other = value.starts_with(['|', '>', '&', '*', '!', '{', '#']);
    (!is_other && !matches!(value, "" | "~" | "null")).then_some(Cow::Borrowed(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_one_line_is_read() {
        let text = "id: a-b\nname: Tides: low [redacted:x #1]\nquoted: \"a \\\"b\\\"\"\nsingle: 'it''s'\nempty:\nnone: null\nlong: |\n  more\nname2: x\n";
        let read = |key| value(text, key);
        assert_eq!(read("id").as_deref(), Some("a-b"));
        assert_eq!(read("name").as_deref(), Some("Tides: low [redacted:x #1]"));
        assert_eq!(read("quoted").as_deref(), Some("a \"b\""));
        assert_eq!(read("single").as_deref(), Some("it's"));
        for key in ["empty", "none", "long", "more", "absent", "name2x"] {
            assert_eq!(read(key), None, "{key}");
        }
    }
}
