//! A call's arguments, read forgivingly: what no renderer took is listed.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::render::html::Html;
use crate::render::value;
use crate::session::json::Json;

/// The arguments of a call. Each may be missing or of another type than its
/// tool expects; one that is taken is left out of [`Arguments::rest`], so that
/// is asked last, after all that a renderer takes.
#[derive(Debug)]
pub struct Arguments<'r> {
    json: &'r Json<'r>,
    taken: RefCell<Vec<&'r str>>,
}

impl<'r> Arguments<'r> {
    /// All arguments, none taken yet.
    pub fn new(json: &'r Json<'r>) -> Self {
        Arguments { json, taken: RefCell::default() }
    }

    /// The arguments as written.
    pub fn json(&self) -> &'r Json<'r> {
        self.json
    }

    /// Takes the first of `keys` that holds a text or a number.
    pub fn text(&self, keys: &[&str]) -> Option<Cow<'r, str>> {
        self.take(keys, |value| match value {
            Json::String(text) => Some(Cow::Borrowed(text.as_ref())),
            Json::Number(_) => Some(Cow::Owned(value.compact())),
            _ => None,
        })
    }

    /// Takes the first of `keys` that holds a number, or a numeral as text.
    pub fn number(&self, keys: &[&str]) -> Option<f64> {
        self.take(keys, |value| match value {
            Json::String(text) => {
                text.trim().parse().ok().filter(|number: &f64| number.is_finite())
            }
            value => value.as_f64(),
        })
    }

    /// Takes the first of `keys` that holds true or false.
    pub fn flag(&self, keys: &[&str]) -> Option<bool> {
        self.take(keys, |value| match value {
            Json::Bool(flag) => Some(*flag),
            _ => None,
        })
    }

    /// Takes the first of `keys` that holds an array.
    pub fn array(&self, keys: &[&str]) -> Option<&'r [Json<'r>]> {
        self.take(keys, |value| match value {
            Json::Array(items) => Some(items.as_slice()),
            _ => None,
        })
    }

    /// Takes the first of `keys` of which `read` can make something.
    pub fn take<T>(&self, keys: &[&str], read: impl Fn(&'r Json<'r>) -> Option<T>) -> Option<T> {
        let Json::Object(fields) = self.json else { return None };
        keys.iter().find_map(|key| {
            // Of duplicates the last counts, as JavaScript reads them.
            let (name, value) = fields.iter().rev().find(|(name, _)| name == key)?;
            let found = read(value)?;
            self.taken.borrow_mut().push(name.as_ref());
            Some(found)
        })
    }

    /// What was not taken, as a readable list; nothing when all was.
    pub fn rest(&self) -> Html {
        let taken = self.taken.borrow();
        match self.json {
            Json::Null => Html::new(),
            Json::Object(fields) => value::fields(
                fields
                    .iter()
                    .enumerate()
                    .filter(|(at, (name, _))| {
                        // An earlier duplicate of a taken key is still shown.
                        let is_last = !fields[at + 1..].iter().any(|(other, _)| other == name);
                        !(is_last && taken.contains(&name.as_ref()))
                    })
                    .map(|(_, (name, value))| (name.as_ref(), value)),
            ),
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
        let arguments = Arguments::new(&json);
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
        let arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["path"]).as_deref(), Some("second"));
        assert!(arguments.rest().visible_text().contains("first"));
    }

    #[test]
    fn arguments_that_are_no_object_show_as_they_are() {
        let json = json("\"only words\"");
        assert!(Arguments::new(&json).rest().visible_text().contains("only words"));
    }
}
