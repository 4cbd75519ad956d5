//! Which files a call names: those that it reads and those that it changes.

use super::arguments::text_of;
use super::names;
use super::patches::{deleted, patched};
use super::{Action, FileAction, FileRequest, Request};
use crate::session::texts::json::Json;

/// A file that a call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFile {
    /// The path as the call has it.
    pub(crate) path: String,
    /// The call changes the file; else it reads it.
    pub(crate) changes: bool,
    /// The call deletes the file.
    pub(crate) deletes: bool,
}

impl Action<'_> {
    /// The files that the call reads or changes, as far as its arguments name them. What a shell command does to files
    /// is in none.
    pub(crate) fn files(&self) -> Vec<NamedFile> {
        match &self.request {
            Request::File(request) => request.files(),
            _ => Vec::new(),
        }
    }
}

impl FileRequest<'_> {
    pub(super) fn files(&self) -> Vec<NamedFile> {
        let changes = !matches!(self.does, FileAction::Read { .. });
        let named = |path: &str, deletes| NamedFile { path: path.to_owned(), changes, deletes };
        if !self.path.is_empty() {
            return vec![named(self.path, false)];
        }
        let parts = self.parts.iter();
        let listed: Vec<NamedFile> =
            parts.filter_map(|part| Some(named(path_in(part)?, deletes(part)))).collect();
        if !listed.is_empty() || !changes {
            return listed;
        }
        let patch = self.patch.unwrap_or_default();
        let deleted = deleted(patch);
        patched(patch).into_iter().map(|path| named(path, deleted.contains(&path))).collect()
    }
}

/// Whether an item of a list of files says that its file is deleted.
pub(crate) fn deletes(part: &Json<'_>) -> bool {
    let verb = part.get("kind").or_else(|| part.get("type"));
    let verb = verb.and_then(|verb| verb.as_str().or_else(|| verb.get("type")?.as_str()));
    matches!(verb, Some("delete" | "remove"))
}

/// The path that a part of a call names.
pub(crate) fn path_in<'j>(part: &'j Json<'_>) -> Option<&'j str> {
    text_of(part, names::PATH).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(name: &str, arguments: &str) -> Vec<(String, bool)> {
        let arguments = serde_json::from_str(arguments).unwrap();
        let files = Action::of(name, &arguments).files();
        files.into_iter().map(|file| (file.path, file.changes)).collect()
    }

    fn read(path: &str) -> (String, bool) {
        (path.to_owned(), false)
    }

    fn changed(path: &str) -> (String, bool) {
        (path.to_owned(), true)
    }

    #[test]
    fn names_tell_whether_a_file_is_read_or_changed() {
        assert_eq!(files("read", r#"{"path":"a.rs","offset":3}"#), [read("a.rs")]);
        assert_eq!(files("Read", r#"{"file_path":"/w/a.rs"}"#), [read("/w/a.rs")]);
        assert_eq!(files("write_file", r#"{"path":"a.rs","content":""}"#), [changed("a.rs")]);
        assert_eq!(files("MultiEdit", r#"{"file_path":"a.rs"}"#), [changed("a.rs")]);
        let editor = "str_replace_based_edit_tool";
        assert_eq!(files(editor, r#"{"command":"view","path":"a"}"#), [read("a")]);
        assert_eq!(files(editor, r#"{"command":"insert","path":"a"}"#), [changed("a")]);
        assert_eq!(files("bash", r#"{"command":"rm a.rs","path":"a.rs"}"#), []);
    }

    #[test]
    fn a_patch_names_its_files() {
        let patch = r#"{"input":"*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@\n-x\n*** Add File: c.rs\n+y\n*** End Patch"}"#;
        assert_eq!(files("apply_patch", patch), ["a.rs", "b.rs", "c.rs"].map(changed));
        let diff = r#""--- a/old.rs\n+++ b/new.rs\t2026\n@@ -1 +1 @@\n-x\n+y\n""#;
        assert_eq!(files("patch", diff), [changed("new.rs")]);
    }

    #[test]
    fn deleted_files_are_told_from_others() {
        for (name, arguments) in [
            (
                "apply_patch",
                r#"{"patch":"*** Begin Patch\n*** Delete File: a\n*** Update File: b\n"}"#,
            ),
            (
                "file_change",
                r#"{"changes":[{"path":"a","kind":"delete"},{"path":"b","kind":"update"}]}"#,
            ),
        ] {
            let arguments = serde_json::from_str(arguments).unwrap();
            let files = Action::of(name, &arguments).files();
            let deletes: Vec<bool> = files.iter().map(|file| file.deletes).collect();
            assert_eq!(deletes, [true, false], "{name}");
        }
    }

    #[test]
    fn odd_arguments_name_nothing() {
        for arguments in ["null", "[]", "7", r#"{"path":7}"#, r#"{"path":""}"#, r#"{"edits":{}}"#] {
            assert_eq!(files("edit", arguments), [], "{arguments}");
        }
        assert_eq!(files("edit", r#"{"edits":[{"path":"a"},{"path":null}]}"#), [changed("a")]);
    }
}
