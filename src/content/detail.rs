//! How much of each turn is shown.

/// A level of detail, of a page and of Markdown. Its names are those of the page's `data-detail` and of `--detail`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Detail {
    /// Prompts and final responses. One line stands for the steps between.
    #[default]
    Story,
    /// Every step on one line, interim texts in full.
    Steps,
    /// Every step with its arguments and output.
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
