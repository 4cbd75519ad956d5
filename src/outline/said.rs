//! What an entry says on its row: who or which tool, and the words.

use crate::session::text::one_line;

/// How pi writes a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Somebody speaks: `user: hello`.
    Speech,
    /// Something with a text of its own: `[branch summary]: text`.
    Note,
    /// A fact: `[model: wren-2]`.
    Fact,
    /// A sentence of leafpress.
    Plain,
}

/// What an entry says by itself: who or what, and its words, one line each.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) form: Form,
    pub(crate) who: String,
    pub(crate) text: Option<String>,
}

impl Said {
    pub(super) fn speech(who: &str, text: String) -> Said {
        Said { form: Form::Speech, who: who.to_owned(), text: Some(text) }
    }

    pub(super) fn note(who: &str, text: String) -> Said {
        Said { form: Form::Note, who: one_line(who), text: Some(text) }
    }

    pub(super) fn fact(who: &str, text: &str) -> Said {
        Said { form: Form::Fact, who: who.to_owned(), text: Some(one_line(text)) }
    }

    pub(super) fn bare(who: &str) -> Said {
        Said { form: Form::Fact, who: who.to_owned(), text: None }
    }
}
