//! What a listing reads of a file that is one JSON object, from its ends alone: its small members
//! as one object, and the items of its lists one by one, as if they were lines.

use std::borrow::Cow;

use memchr::memmem;

use crate::session::json::Json;

use super::spans::{items, members};

/// A member that is longer is left out.
const MEMBER_BYTES: usize = 16 << 10;

/// So often a value is looked for in vain in the end of a file.
const ATTEMPTS: usize = 16;

/// Whether a file that begins so is one object and not lines; `is_whole` says that this is all of it.
pub(crate) fn is_object(head: &[u8], is_whole: bool) -> bool {
    let head = head.trim_ascii_start();
    if head.first() != Some(&b'{') {
        return false;
    }
    let mut lines = head.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let first = lines.next().unwrap_or_default();
    let next = lines.next();
    match serde_json::from_slice::<serde::de::IgnoredAny>(first) {
        Ok(_) => next.is_none() && is_whole,
        // Behind a line that was cut off, another begins as lines do.
        Err(error) => error.is_eof() && next.is_none_or(|next| !next.starts_with(b"{\"")),
    }
}

/// The parts of the beginning of an object, or of all of it.
pub(crate) fn head_parts(head: &str) -> Vec<Json<'_>> {
    let mut about = Vec::new();
    let mut parts = Vec::new();
    for (key, span) in members(head) {
        let list = items(head, span);
        if list.iter().any(|item| head[item.start..].starts_with('{')) {
            let objects = list.iter().filter_map(|item| object(&head[item.start..item.end]));
            parts.extend(objects);
        } else if span.end - span.start <= MEMBER_BYTES
            && let Ok(value) = serde_json::from_str(&head[span.start..span.end])
        {
            about.push((Cow::Borrowed(key), value));
        }
    }
    parts.insert(0, Json::Object(about));
    parts
}

/// The parts that end in the end of the same object: whole items of the list that goes on there, and
/// the members behind it.
pub(crate) fn tail_parts<'t>(head: &str, tail: &'t str) -> Vec<Json<'t>> {
    let mut parts = first_item(head).map(|begin| last_items(&begin, tail)).unwrap_or_default();
    let ends = memmem::rfind_iter(tail.as_bytes(), b"]").take(ATTEMPTS);
    let mut behind = ends.filter_map(|end| {
        let rest = tail[end + 1..].trim_start().strip_prefix(',')?;
        (rest.len() <= MEMBER_BYTES).then_some(())?;
        let text = format!("{{{rest}");
        let about: Json<'_> = serde_json::from_str(&text).ok()?;
        (about != Json::Object(Vec::new())).then(|| about.owned())
    });
    parts.extend(behind.next());
    parts
}

/// How the first item of a list of objects begins, with what stands before it: written in one way,
/// the others begin so too.
fn first_item(head: &str) -> Option<String> {
    let lists = members(head).into_iter();
    let mut first = lists.filter_map(|(_, span)| items(head, span).into_iter().next());
    let first = first.rfind(|item| head[item.start..].starts_with('{'))?;
    let before = &head[..first.start];
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    if before.trim_end_matches([' ', '\t']).ends_with('\n') {
        return Some(format!("\n{}{{", &before[before.len() - indent..]));
    }
    let item = &head[first.start..first.end];
    let key_end = item.find(':')?;
    Some(format!(",{}", &item[..=key_end]))
}

fn last_items<'t>(begin: &str, tail: &'t str) -> Vec<Json<'t>> {
    let mut found = Vec::new();
    let mut from = 0;
    let finder = memmem::Finder::new(begin);
    let mut failed = 0;
    while failed < ATTEMPTS {
        let Some(at) = finder.find(&tail.as_bytes()[from..]) else { break };
        // Within what was found the object begins at its brace.
        let brace = begin.find('{').unwrap_or_default();
        let start = from + at + brace;
        let mut values = serde_json::Deserializer::from_str(&tail[start..]).into_iter();
        if let Some(Ok(value)) = values.next() {
            found.push(value);
            from = start + values.byte_offset();
        } else {
            failed += 1;
            from = start + 1;
        }
    }
    found
}

fn object(text: &str) -> Option<Json<'_>> {
    serde_json::from_str(text).ok().filter(|json| matches!(json, Json::Object(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[Json<'_>]) -> Vec<String> {
        parts.iter().map(Json::compact).collect()
    }

    #[test]
    fn objects_are_told_from_lines() {
        for (text, is_whole, expected) in [
            ("{\"a\":1}\n{\"b\":2}\n", true, false),
            ("{\"a\":[{\"b\":1}]}", true, true),
            ("{\"a\":1}\n", false, false),
            ("{\n  \"a\": 1\n}", true, true),
            ("{\"a\":[{\"b\":", false, true),
            ("{\"cut off\n{\"type\":\"session\"}\n", true, false),
            ("nonsense", true, false),
            ("", true, false),
        ] {
            assert_eq!(is_object(text.as_bytes(), is_whole), expected, "{text}");
        }
    }

    #[test]
    fn the_head_gives_members_and_items() {
        let head = r#"{"id":"s","dirs":["/a"],"messages":[{"n":1},7,{"n":2},{"n":"#;
        assert_eq!(
            shown(&head_parts(head)),
            [r#"{"id":"s","dirs":["/a"]}"#, r#"{"n":1}"#, r#"{"n":2}"#]
        );
    }

    #[test]
    fn the_tail_gives_whole_items_and_what_is_behind_them() {
        let head = r#"{"id":"s","messages":[{"id":1,"x":"#;
        let tail = r#" a"},{"id":7,"calls":[{"id":8}]},{"id":9}],"summary":"Tides"}"#;
        let expected = [r#"{"id":7,"calls":[{"id":8}]}"#, r#"{"id":9}"#, r#"{"summary":"Tides"}"#];
        assert_eq!(shown(&tail_parts(head, tail)), expected);
        let head = "{\n  \"messages\": [\n    {\n      \"id\": 1,";
        let tail =
            " \"x\"\n    },\n    {\n      \"id\": 9\n    }\n  ],\n  \"summary\": \"Tides\"\n}\n";
        assert_eq!(shown(&tail_parts(head, tail)), [r#"{"id":9}"#, r#"{"summary":"Tides"}"#]);
        assert!(tail_parts("{", "]],}").is_empty());
    }
}
