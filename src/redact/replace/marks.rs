//! What stands in place of a secret: `[redacted:github-token #2]`.
//!
//! A mark needs no escape in JSON and none of the rules finds anything in it.

use std::collections::HashMap;

use memchr::memmem;

use crate::session::redaction_mark::{START, parse};

/// The numbers of values: the same value has the same mark.
#[derive(Debug, Default)]
pub(super) struct Marks {
    of_values: HashMap<String, (String, u32)>,
    /// The highest number of each rule.
    last: HashMap<String, u32>,
}

impl Marks {
    /// Keeps clear of the marks that a text has from before.
    pub(super) fn keep_clear(&mut self, bytes: &[u8]) {
        for start in memmem::find_iter(bytes, START) {
            let near = &bytes[start..bytes.len().min(start + 96)];
            let near = std::str::from_utf8(near).unwrap_or_else(|error| {
                std::str::from_utf8(&near[..error.valid_up_to()]).unwrap_or_default()
            });
            if let Some((name, number, _)) = parse(near) {
                let last = self.last.entry(name.to_owned()).or_default();
                *last = number.max(*last);
            }
        }
    }

    /// The mark of a value; a new one for a value not seen yet.
    pub(crate) fn mark(&mut self, rule: &str, value: &str) -> String {
        let (rule, number) = self.number(rule, value);
        format!("{START}{rule} #{number}]")
    }

    /// The rule that named a value first, and the value's number.
    pub(crate) fn number(&mut self, rule: &str, value: &str) -> (&str, u32) {
        if !self.of_values.contains_key(value) {
            let last = self.last.entry(rule.to_owned()).or_default();
            *last = last.saturating_add(1);
            self.of_values.insert(value.to_owned(), (rule.to_owned(), *last));
        }
        self.of_values.get(value).map_or((START, 0), |(rule, number)| (rule.as_str(), *number))
    }
}
