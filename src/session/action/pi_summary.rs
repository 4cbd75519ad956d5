//! A tool call in a few words, as `/tree` of pi names it.

use super::lines::as_line_number;
use crate::session::model::message::ToolCall;
use crate::session::texts::json::Json;
use crate::session::texts::text::{cut, one_line, short_path, utf16_len};

impl ToolCall<'_> {
    /// The same as omp words it: it has `glob` besides `find`, and searches in several paths.
    pub fn summary_in(&self, is_omp: bool) -> String {
        let path = || {
            let paths = self.arguments.get("paths").map(Json::items).unwrap_or_default();
            let paths: Vec<String> =
                paths.iter().map(|path| short_path(&path.clone().into_text())).collect();
            let path = short_path(&first_of(&self.arguments, &["path", "file_path"]));
            match (paths.is_empty(), path.is_empty()) {
                (false, _) => paths.join(", "),
                (true, false) => path,
                (true, true) => ".".to_owned(),
            }
        };
        let pattern = || text_of(&self.arguments, "pattern");
        match self.name.as_ref() {
            "grep" if is_omp => format!("/{}/ in {}", pattern(), path()),
            "glob" if is_omp => match pattern() {
                pattern if pattern.is_empty() => path(),
                pattern => format!("{pattern} in {}", path()),
            },
            _ => self.summary(),
        }
    }

    /// What the call is about: a path, a command, a pattern, else its arguments.
    pub fn summary(&self) -> String {
        let arguments = &self.arguments;
        let text = |key| text_of(arguments, key);
        let path = || short_path(&first_of(arguments, &["path", "file_path"]));
        match self.name.as_ref() {
            "read" => format!("{}{}", path(), line_range(arguments)),
            "write" | "edit" => path(),
            "bash" => {
                /// pi's row shows this much of a command, in UTF-16 units.
                const SHOWN: usize = 50;
                let command = text("command");
                let more = if utf16_len(&command) > SHOWN { "..." } else { "" };
                format!("{}{more}", cut(&one_line(&command), SHOWN))
            }
            "grep" => format!("/{}/ in {}", text("pattern"), or_dot(&path())),
            "find" => format!("{} in {}", text("pattern"), or_dot(&path())),
            "ls" => or_dot(&path()).to_owned(),
            _ => {
                /// pi's row shows this much of the arguments' JSON, in UTF-16 units.
                const SHOWN: usize = 40;
                let json =
                    if *arguments == Json::Null { "{}".to_owned() } else { arguments.compact() };
                let more = if utf16_len(&json) > SHOWN { "..." } else { "" };
                format!("{}{more}", cut(&json, SHOWN))
            }
        }
    }
}

fn text_of(arguments: &Json<'_>, key: &str) -> String {
    let value = arguments.get(key).filter(|value| value.is_truthy());
    value.map(|value| value.clone().into_text().into_owned()).unwrap_or_default()
}

fn first_of(arguments: &Json<'_>, keys: &[&str]) -> String {
    keys.iter().map(|key| text_of(arguments, key)).find(|text| !text.is_empty()).unwrap_or_default()
}

fn or_dot(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// `:10-29` for offset 10 and limit 20; either may be missing, or a numeral.
fn line_range(arguments: &Json<'_>) -> String {
    let number = |key| as_line_number(arguments.get(key)?);
    let (offset, limit) = (number("offset"), number("limit"));
    let start = offset.unwrap_or(1);
    match (offset, limit) {
        (None, None) => String::new(),
        (_, Some(limit)) => format!(":{start}-{}", (start + limit).saturating_sub(1)),
        (_, None) => format!(":{start}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(name: &str, arguments: &str) -> String {
        let arguments = serde_json::from_str(arguments).unwrap();
        ToolCall { id: "c".into(), name: name.into(), arguments, intent: None, status: None }
            .summary()
    }

    #[test]
    fn j20_a_command_is_cut_at_50_and_judged_by_its_raw_length() {
        let command = "x".repeat(50) + " ";
        let arguments = format!(r#"{{"command":"{command}"}}"#);
        assert_eq!(summary("bash", &arguments), "x".repeat(50) + "...");
        assert_eq!(summary("bash", r#"{"command":"a\nb"}"#), "a b");
    }

    #[test]
    fn j21_read_ranges() {
        assert_eq!(summary("read", r#"{"path":"p","offset":10,"limit":40}"#), "p:10-49");
        assert_eq!(summary("read", r#"{"path":"p","offset":10}"#), "p:10");
        assert_eq!(summary("read", r#"{"path":"p","limit":5}"#), "p:1-5");
        assert_eq!(summary("read", r#"{"path":"p","offset":"3","limit":null}"#), "p:3");
        // What can be no line's number says nothing.
        assert_eq!(summary("read", r#"{"path":"p","offset":1e300,"limit":2}"#), "p:1-2");
        assert_eq!(summary("read", r#"{"path":"p","offset":"1e300"}"#), "p");
        assert_eq!(summary("read", r#"{"path":"p","offset":1.5,"limit":-3}"#), "p");
    }

    #[test]
    fn other_tools_show_the_start_of_their_arguments() {
        assert_eq!(
            summary("weigh", r#"{"item":"lamp","grams":120}"#),
            r#"{"item":"lamp","grams":120}"#
        );
        assert_eq!(utf16_len(&summary("t", &format!(r#"{{"a":"{}"}}"#, "y".repeat(99)))), 43);
        assert_eq!(summary("grep", r#"{"pattern":"p"}"#), "/p/ in .");
    }
}
