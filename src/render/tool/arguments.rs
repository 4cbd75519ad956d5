//! What no renderer took of a call's arguments.

use crate::html::Html;
use crate::render::value;
use crate::session::arguments::Arguments;
use crate::session::json::Json;

impl Arguments<'_> {
    /// What was not taken, as a readable list; nothing when all was.
    pub fn rest(&self) -> Html {
        match self.json() {
            Json::Null => Html::new(),
            Json::Object(_) => value::fields(self.untaken()),
            other => value::alone(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_was_not_taken_is_listed() {
        let json = json(r#"{"path":"a.rs","limit":"20","offset":{"from":1},"extra":"kept"}"#);
        let mut arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["file_path", "path"]).as_deref(), Some("a.rs"));
        assert_eq!(arguments.number(&["limit"]), Some(20.0));
        assert_eq!(arguments.number(&["offset"]), None, "of another type");
        let rest = arguments.rest().visible_text();
        assert!(
            rest.contains("offset") && rest.contains("kept") && !rest.contains("a.rs"),
            "{rest}"
        );
    }

    #[test]
    fn an_earlier_duplicate_is_not_lost() {
        let json = json(r#"{"path":"first","path":"second"}"#);
        let mut arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["path"]).as_deref(), Some("second"));
        assert!(arguments.rest().visible_text().contains("first"));
    }

    #[test]
    fn arguments_that_are_no_object_show_as_they_are() {
        let json = json("\"only words\"");
        assert!(Arguments::new(&json).rest().visible_text().contains("only words"));
    }
}
