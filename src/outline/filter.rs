//! The filter modes of `/tree`, as pi 1.5.2 has them.

/// A filter mode. Its names are those of the page's `data-filter` and of `--filter`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Filter {
    /// Everything except metadata.
    #[default]
    Default,
    /// Everything except metadata and tool results.
    NoTools,
    /// Only prompts.
    UserOnly,
    /// Only labeled entries.
    LabeledOnly,
    /// Everything except responses that only call tools.
    All,
}

/// Who a row is shown to, before labels and the leaf have their say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, written to the page as bits")]
pub struct Membership {
    /// Hidden in every mode: `usage` entries.
    pub never: bool,
    /// A settings entry, for `all` and `labeled-only` alone.
    pub settings: bool,
    /// A tool result.
    pub tool_result: bool,
    /// A prompt.
    pub user: bool,
    /// An assistant's turn without text that merely called tools or ended:
    /// hidden in every mode unless it is the current leaf.
    pub without_text: bool,
}

impl Filter {
    /// All modes in the order that the page shows them.
    pub const ALL: [Filter; 5] =
        [Filter::Default, Filter::NoTools, Filter::UserOnly, Filter::LabeledOnly, Filter::All];

    /// The name in the page and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Filter::Default => "default",
            Filter::NoTools => "no-tools",
            Filter::UserOnly => "user-only",
            Filter::LabeledOnly => "labeled-only",
            Filter::All => "all",
        }
    }

    /// Whether a row is shown. The current leaf is exempt from the rule on
    /// turns without text, not from the mode.
    pub fn shows(self, row: Membership, labeled: bool, is_leaf: bool) -> bool {
        self.admits(row, labeled) && (is_leaf || !row.without_text)
    }

    /// Whether the mode itself lets a row through.
    pub fn admits(self, row: Membership, labeled: bool) -> bool {
        !row.never
            && match self {
                Filter::Default => !row.settings,
                Filter::NoTools => !row.settings && !row.tool_result,
                Filter::UserOnly => row.user,
                Filter::LabeledOnly => labeled,
                Filter::All => true,
            }
    }
}
