//! What the page says of secrets that were replaced, as its template reads it. `redaction.rs` fills it in.

/// The report in the page's head.
pub(super) struct Redacted {
    /// `Redacted: 3 values in 4 places`.
    pub(super) summary: String,
    pub(super) rules: Vec<RedactedRule>,
    /// What was dropped, and what was not searched.
    pub(super) further: Vec<String>,
}

impl Redacted {
    /// Whether nothing was replaced or dropped.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.further.is_empty()
    }
}

/// One rule that hit.
pub(super) struct RedactedRule {
    /// `github-token: 2 values in 3 places`.
    pub(super) told: String,
    /// The keys of the entries that hold its marks.
    pub(super) entries: Vec<String>,
    /// How many more there are.
    pub(super) more: usize,
}
