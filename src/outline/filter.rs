//! The filter modes of `/tree`, as pi 1.5.2 has them.

/// Makes the modes from one table, in the order that the page shows them. Each has its name in the page and on the
/// command line, what it shows, and whether it lets a row through.
macro_rules! filters {
    ($($(#[$attribute:meta])* $mode:ident, $name:literal, $about:literal, $admits:expr;)*) => {
        /// A filter mode. Its names are those of the page's `data-filter` and of `--filter`.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Filter {
            $(#[doc = concat!($about, ".")] $(#[$attribute])* $mode,)*
        }

        impl Filter {
            /// All modes in the order that the page shows them.
            pub const ALL: &'static [Filter] = &[$(Filter::$mode),*];

            /// The name in the page and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Filter::$mode => $name,)*
                }
            }

            /// What it shows.
            pub fn about(self) -> &'static str {
                match self {
                    $(Filter::$mode => $about,)*
                }
            }

            /// Whether the mode itself lets a row through.
            #[doc(hidden)]
            pub fn admits(self, row: Membership, labeled: bool) -> bool {
                let admits: fn(Membership, bool) -> bool = match self {
                    $(Filter::$mode => $admits,)*
                };
                !row.never && admits(row, labeled)
            }
        }
    };
}

filters! {
    #[default]
    Default, "default", "Everything except metadata", |row, _| !row.settings;
    NoTools, "no-tools", "Everything except metadata and tool results", |row, _| !row.settings && !row.tool_result;
    UserOnly, "user-only", "Only prompts", |row, _| row.user;
    LabeledOnly, "labeled-only", "Only labeled entries", |_, labeled| labeled;
    All, "all", "Everything except responses that only call tools", |_, _| true;
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
    /// Whether a row is shown. The current leaf is exempt from the rule on
    /// turns without text, not from the mode.
    #[doc(hidden)]
    pub fn shows(self, row: Membership, labeled: bool, is_leaf: bool) -> bool {
        self.admits(row, labeled) && (is_leaf || !row.without_text)
    }
}
