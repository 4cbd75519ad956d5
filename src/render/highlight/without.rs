//! In place of the grammars where the feature `highlight` is off: no language has one.

use std::rc::Rc;

use super::class::Token;

/// No lines are remembered.
#[derive(Debug, Default)]
pub(super) struct Memo {}

/// A grammar; no language gets one.
#[derive(Clone, Copy)]
pub(super) struct Syntax;

impl Memo {
    #[expect(clippy::unused_self, reason = "the same call as with grammars")]
    pub(super) fn syntax(&mut self, _language: &str) -> Option<Syntax> {
        None
    }

    #[expect(clippy::unused_self, reason = "the same call as with grammars")]
    pub(super) fn start(&mut self, syntax: Syntax) -> Syntax {
        syntax
    }

    #[expect(clippy::unused_self, reason = "the same call as with grammars")]
    pub(super) fn line(&mut self, _state: Syntax, _line: &str) -> Option<(Rc<[Token]>, Syntax)> {
        None
    }
}
