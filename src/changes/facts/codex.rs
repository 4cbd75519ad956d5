//! What Codex (0.46 to 0.169) says of the patches that it applied: `patch_apply_end`, and the item `FileChange`.
//! Its diffs have the numbers of lines, which the patches that the model writes have not.

use std::collections::HashMap;

use crate::changes::diff::Diff;
use crate::changes::edit::{Edit, EditKind, hunks};
use crate::session::Session;
use crate::session::json::Json;

/// The edits of patches by the ids of their calls.
#[derive(Debug, Default)]
pub(crate) struct PatchEnds {
    edits: HashMap<String, Vec<Edit<'static>>>,
}

impl PatchEnds {
    pub(super) fn read(session: &Session) -> PatchEnds {
        let mut ends = PatchEnds::default();
        let subs = session.sub_sessions().iter().map(crate::session::SubSession::source);
        for source in std::iter::once(session.source()).chain(subs) {
            for line in source.split(|&byte| byte == b'\n') {
                let has = |word: &str| memchr::memmem::find(line, word.as_bytes()).is_some();
                if has("patch_apply_end") || has("\"FileChange\"") {
                    ends.line(line);
                }
            }
        }
        ends
    }

    fn line(&mut self, line: &[u8]) {
        let row = std::str::from_utf8(line).ok().and_then(|line| serde_json::from_str(line).ok());
        let Some(row) = row.filter(|row: &Json<'_>| row.get("payload").is_some()) else { return };
        let Some(payload) = row.get("payload") else { return };
        let told = payload.get("item").unwrap_or(payload);
        let text = |key| told.get(key).and_then(Json::as_str);
        let is_end = matches!(text("type"), Some("patch_apply_end" | "FileChange"));
        // `success` of `patch_apply_end`, `status` of the item `FileChange` (codex-rs/protocol).
        let has_failed = told.get("success") == Some(&Json::Bool(false))
            || matches!(text("status"), Some("failed" | "declined"));
        let id = text("call_id").or_else(|| text("id"));
        let (Some(id), Some(Json::Object(changes))) = (id, told.get("changes")) else { return };
        if !is_end || has_failed {
            return;
        }
        let edits = changes.iter().map(|(path, change)| edit(path, change)).collect();
        self.edits.insert(id.to_owned(), edits);
    }

    pub(super) fn of(&self, call: &str) -> Option<Vec<Edit<'static>>> {
        self.edits.get(call).cloned()
    }
}

fn edit(path: &str, change: &Json<'_>) -> Edit<'static> {
    // Older versions have the kind as the one key: `{"add": {"content": …}}`.
    let (kind, change) = match (change.get("type").and_then(Json::as_str), change) {
        (Some(kind), change) => (kind, change),
        (None, Json::Object(fields)) if fields.len() == 1 => (fields[0].0.as_ref(), &fields[0].1),
        (None, change) => ("", change),
    };
    let text = |key| change.get(key).and_then(Json::as_str).map(str::to_owned);
    let kind = match (kind, text("content"), text("unified_diff")) {
        ("add", Some(content), _) => EditKind::Create(content.into()),
        ("delete", ..) => EditKind::Delete,
        ("update", _, Some(diff)) => {
            let moved_to = text("move_path");
            let diff = Diff::lines_written(&diff);
            let rows = diff.iter().flat_map(|diff| &diff.files).flat_map(|file| &file.rows);
            let hunks = hunks(&rows.cloned().collect::<Vec<_>>());
            match moved_to {
                Some(to) if hunks.is_empty() => EditKind::Move { to },
                moved_to => EditKind::Patch { hunks, moved_to },
            }
        }
        _ => EditKind::Unknown,
    };
    Edit { path: path.to_owned().into(), kind }
}
