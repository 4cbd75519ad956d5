//! How much of each turn a page shows.

/// A level of detail. Its names are those of the page's `data-detail` and of `--detail`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Detail {
    /// Prompts and final responses; the steps between are one line.
    #[default]
    Story,
    /// Every step on one line, interim texts in full.
    Steps,
    /// Every step with its output.
    Full,
}

impl Detail {
    /// All levels, the shortest first.
    pub const ALL: &'static [Detail] = &[Detail::Story, Detail::Steps, Detail::Full];

    /// The name in the page and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Story => "story",
            Detail::Steps => "steps",
            Detail::Full => "full",
        }
    }
}
