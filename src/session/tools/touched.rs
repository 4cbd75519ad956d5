//! Which files a call is about: those that it reads and those that it changes.
//!
//! This is beside [`changes::edit`](crate::changes::edit), which reads what a call asks for: the outline and the comparison want names
//! alone, of reads too, for each call of a session, and without a replay.

use super::file_tools::{FileTool, PATCH, deleted, deletes, patched, path_in, plain_name};
use crate::session::model::message::ToolCall;
use crate::session::texts::json::Json;

/// A file that a call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    /// The path as the call has it.
    pub(crate) path: String,
    /// The call changes the file; else it reads it.
    pub(crate) changes: bool,
    /// The call deletes the file.
    pub(crate) deletes: bool,
}

impl ToolCall<'_> {
    /// The files that the call reads or changes, as far as its arguments name them. What a shell
    /// command does to files is in none.
    pub(crate) fn files(&self) -> Vec<Touched> {
        let Some(tool) = FileTool::of(&plain_name(&self.name)) else { return Vec::new() };
        let command = self.arguments.get("command").and_then(Json::as_str);
        let changes = match tool {
            FileTool::Read => false,
            FileTool::Editor => command != Some("view"),
            _ => true,
        };
        let arguments = &self.arguments;
        let touched = |path: &str, deletes| Touched { path: path.to_owned(), changes, deletes };
        if let Some(path) = path_in(arguments) {
            return vec![touched(path, false)];
        }
        let lists = ["edits", "files", "changes"].into_iter().filter_map(|key| arguments.get(key));
        let listed = lists.flat_map(Json::items);
        let listed: Vec<Touched> =
            listed.filter_map(|part| Some(touched(path_in(part)?, deletes(part)))).collect();
        if !listed.is_empty() || !changes {
            return listed;
        }
        let keyed = || PATCH.iter().find_map(|key| arguments.get(key)?.as_str());
        let patch = arguments.as_str().or_else(keyed).unwrap_or_default();
        let deleted = deleted(patch);
        patched(patch).into_iter().map(|path| touched(path, deleted.contains(&path))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(name: &str, arguments: &str) -> Vec<(String, bool)> {
        let arguments = serde_json::from_str(arguments).unwrap();
        let call =
            ToolCall { id: "c".into(), name: name.into(), arguments, intent: None, status: None };
        call.files().into_iter().map(|file| (file.path, file.changes)).collect()
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
            let call = ToolCall {
                id: "c".into(),
                name: name.into(),
                arguments,
                intent: None,
                status: None,
            };
            let deletes: Vec<bool> = call.files().iter().map(|file| file.deletes).collect();
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
