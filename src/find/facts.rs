//! What a listing tells of a session, from the lines at both ends of its file.

use crate::byte_search;
use crate::format;
use crate::format::listing::{Listed, is_object, object_parts};
use crate::session::Format;
use crate::session::json::Json;

use super::ends::Ends;

/// What the ends of a file say of its session, and whose it is; `None` when the file does not
/// begin as a session of a known agent.
pub(super) fn read(ends: &Ends, place_of: Format) -> Option<(Format, Listed)> {
    let text;
    let (head, tail) = if is_object(without_mark(&ends.head), ends.is_whole) {
        text = String::from_utf8_lossy(without_mark(&ends.head));
        // What stands at the end of an object, only its whole tells.
        (object_parts(&text), Vec::new())
    } else {
        (lines(&ends.head), lines(&ends.tail))
    };
    let (agent, listing) =
        format::listings().find(|(agent, listing)| (listing.begins)(&head, *agent == place_of))?;
    let mut listed = Listed::default();
    for line in &head {
        (listing.take)(&mut listed, line);
    }
    if !ends.is_whole {
        // What the head says of times is not the last word.
        listed.latest = None;
        for line in &tail {
            (listing.take)(&mut listed, line);
        }
    }
    listed.title = listed.title.filter(|title| !title.is_empty());
    Some((agent, listed))
}

/// The objects among the lines.
fn lines(bytes: &[u8]) -> Vec<Json<'_>> {
    let bytes = without_mark(bytes);
    let lines = byte_search::lines(bytes).filter_map(|line| str::from_utf8(&bytes[line]).ok());
    let values = lines.filter_map(|line| serde_json::from_str(line).ok());
    values.filter(|value| matches!(value, Json::Object(_))).collect()
}

/// The bytes without a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
