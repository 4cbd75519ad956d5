//! Sessions of Claude Code made by the tests.

use std::fmt::Write as _;

/// Rows, one behind the other.
pub(crate) struct Rows {
    text: String,
    parent: String,
}

impl Rows {
    pub(crate) fn new() -> Rows {
        Rows { text: String::new(), parent: "null".to_owned() }
    }

    pub(crate) fn push(&mut self, id: &str, kind: &str, rest: &str) -> &mut Rows {
        let minute = self.text.lines().count();
        let _ = writeln!(
            self.text,
            r#"{{"uuid":"{id}","parentUuid":{},"sessionId":"s","cwd":"/w","type":"{kind}","timestamp":"2026-11-02T09:{minute:02}:00Z","message":{rest}}}"#,
            self.parent
        );
        self.parent = format!("\"{id}\"");
        self
    }

    /// The row that the next one follows.
    pub(crate) fn parent(&self) -> String {
        self.parent.clone()
    }

    pub(crate) fn go_back(&mut self, parent: &str) {
        parent.clone_into(&mut self.parent);
    }

    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }

    pub(crate) fn prompt(&mut self, id: &str, words: &str) -> &mut Rows {
        self.push(id, "user", &format!(r#"{{"content":"{words}"}}"#))
    }

    pub(crate) fn call(
        &mut self,
        id: &str,
        name: &str,
        input: &str,
        output: &str,
        is_error: bool,
    ) -> &mut Rows {
        let call = format!(
            r#"{{"id":"m{id}","content":[{{"type":"tool_use","id":"t{id}","name":"{name}","input":{input}}}]}}"#
        );
        self.push(&format!("c{id}"), "assistant", &call);
        let result = format!(
            r#"{{"content":[{{"type":"tool_result","tool_use_id":"t{id}","content":"{output}","is_error":{is_error}}}]}}"#
        );
        self.push(&format!("r{id}"), "user", &result)
    }

    /// A file that was read whole, as the program keeps it beside the result.
    pub(crate) fn read(&mut self, id: &str, path: &str, text: &str) {
        self.call(id, "Read", &format!(r#"{{"file_path":"{path}"}}"#), "x", false);
        let lines = text.matches(r"\n").count() + 1;
        let result =
            format!(r#""message":{{"content":[{{"type":"tool_result","tool_use_id":"t{id}""#);
        let kept = format!(
            r#""toolUseResult":{{"type":"text","file":{{"filePath":"{path}","content":"{text}","numLines":{lines},"startLine":1,"totalLines":{lines}}}}}"#
        );
        self.text = self.text.replace(&result, &format!("{kept},{result}"));
    }

    pub(crate) fn write(&mut self, id: &str, path: &str, content: &str) -> &mut Rows {
        let input = format!(r#"{{"file_path":"{path}","content":"{content}"}}"#);
        self.call(id, "Write", &input, &format!("File created successfully at: {path}"), false)
    }

    pub(crate) fn edit(&mut self, id: &str, path: &str, old: &str, new: &str) -> &mut Rows {
        let input =
            format!(r#"{{"file_path":"{path}","old_string":"{old}","new_string":"{new}"}}"#);
        self.call(id, "Edit", &input, "The file has been updated", false)
    }
}
