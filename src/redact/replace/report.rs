//! What was redacted, without the values.

use serde::Serialize;

use crate::session::text::counted;

/// Of everything given to a redactor so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Rules that found something, in the table's order.
    pub rules: Vec<RuleCount>,
    /// Lines left blank since they could not be walked.
    pub lines_dropped: usize,
    /// What these lines and the files dropped were long, in bytes.
    pub bytes_dropped: usize,
    /// How many files of unknown content were dropped.
    pub files_dropped: usize,
    /// How many files are pictures; what they show is not searched.
    pub pictures: usize,
}

/// How often a rule hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RuleCount {
    /// As in the marks.
    pub rule: String,
    /// How many different values.
    pub values: usize,
    /// In how many places one was replaced.
    pub places: usize,
    /// What stands in their place is the same for all, and no mark.
    #[serde(skip)]
    pub(crate) instead: Option<&'static str>,
}

/// So many values in so many places, in words.
pub(crate) fn told(values: usize, places: usize) -> String {
    format!("{} in {}", counted(values, "value"), counted(places, "place"))
}

impl Report {
    /// How many values of how many places were replaced, in words.
    pub fn summary(&self) -> String {
        let values = self.rules.iter().map(|rule| rule.values).sum();
        told(values, self.places())
    }

    /// The number of places of all rules.
    pub fn places(&self) -> usize {
        self.rules.iter().map(|rule| rule.places).sum()
    }
}
