//! A call's arguments, read forgivingly: what no reader took can be listed.

use std::borrow::Cow;

use crate::session::texts::json::Json;

/// The arguments of a call. Each may be missing or of another type than its
/// tool expects; one that is taken is left out of [`Arguments::rest`], so that
/// is asked last, after all that a renderer takes.
#[derive(Debug, Clone)]
pub struct Arguments<'r> {
    json: &'r Json<'r>,
    /// Where the taken ones stand.
    taken: Vec<usize>,
    /// They are one text, which was taken.
    is_taken: bool,
}

impl<'r> Arguments<'r> {
    /// All arguments, none taken yet.
    pub fn new(json: &'r Json<'r>) -> Self {
        Arguments { json, taken: Vec::new(), is_taken: false }
    }

    /// The arguments as written.
    pub fn json(&self) -> &'r Json<'r> {
        self.json
    }

    /// Takes the first of `keys` that holds a text or a number.
    pub fn text(&mut self, keys: &[&str]) -> Option<Cow<'r, str>> {
        self.take(keys, |value| match value {
            Json::String(text) => Some(Cow::Borrowed(text.as_ref())),
            Json::Number(_) => Some(Cow::Owned(value.compact())),
            _ => None,
        })
    }

    /// Takes the first of `keys` that holds a number, or a numeral as text.
    pub fn number(&mut self, keys: &[&str]) -> Option<f64> {
        self.take(keys, |value| match value {
            Json::String(text) => {
                text.trim().parse().ok().filter(|number: &f64| number.is_finite())
            }
            value => value.as_f64(),
        })
    }

    /// Takes the first of `keys` that holds true or false.
    pub fn flag(&mut self, keys: &[&str]) -> Option<bool> {
        self.take(keys, |value| match value {
            Json::Bool(flag) => Some(*flag),
            _ => None,
        })
    }

    /// Takes the first of `keys` that holds an array.
    pub fn array(&mut self, keys: &[&str]) -> Option<&'r [Json<'r>]> {
        self.take(keys, |value| match value {
            Json::Array(items) => Some(items.as_slice()),
            _ => None,
        })
    }

    /// Takes the first of `keys` of which `read` can make something.
    pub fn take<T>(
        &mut self,
        keys: &[&str],
        read: impl Fn(&'r Json<'r>) -> Option<T>,
    ) -> Option<T> {
        let Json::Object(fields) = self.json else { return None };
        keys.iter().find_map(|key| {
            // Of duplicates the last counts, as JavaScript reads them.
            let at = fields.iter().rposition(|(name, _)| name == key)?;
            let found = read(&fields[at].1)?;
            self.taken.push(at);
            Some(found)
        })
    }

    /// Takes the first of `keys` that holds a text, or the arguments themselves where they are one.
    pub(crate) fn take_text(&mut self, keys: &[&str]) {
        self.is_taken = matches!(self.json, Json::String(_));
        self.take(keys, Json::as_str);
    }

    /// Whether all of the arguments were taken as one text.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken
    }

    /// What was not taken, in the order it was written in. An earlier duplicate of a taken key is still there.
    pub(crate) fn untaken(&self) -> impl Iterator<Item = (&'r str, &'r Json<'r>)> {
        let taken = self.taken.clone();
        let fields: &'r [(Cow<'r, str>, Json<'r>)] =
            if let Json::Object(fields) = self.json { fields } else { &[] };
        fields
            .iter()
            .enumerate()
            .filter(move |(at, _)| !taken.contains(at))
            .map(|(_, (name, value))| (name.as_ref(), value))
    }
}

/// The text under the first of `names` that has one.
pub(crate) fn text_of<'j>(json: &'j Json<'_>, names: &[&str]) -> Option<&'j str> {
    names.iter().find_map(|name| json.get(name)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as there are: whether one was taken is not asked of all others.
    #[test]
    fn what_is_left_keeps_its_order() {
        let count = 60_000;
        let fields: Vec<String> = (0..count).map(|at| format!("\"a{at}\":{at}")).collect();
        let text = format!("{{\"path\":\"first\",{},\"path\":\"second\"}}", fields.join(","));
        let json: Json<'_> = serde_json::from_str(&text).unwrap();
        let mut arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["file", "path"]).as_deref(), Some("second"));
        let left: Vec<&str> = arguments.untaken().map(|(name, _)| name).collect();
        assert_eq!(left.len(), count + 1);
        assert_eq!((left[0], left[1], left[count]), ("path", "a0", "a59999"));
    }
}
