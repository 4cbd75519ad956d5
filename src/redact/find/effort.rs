//! How far a rule reads on from a literal, so that a text in which literals stand
//! close together is searched in about the time that any other text takes.
//!
//! A value is looked for in a window behind its literal. Where a rule has read on
//! in vain from many literals within a short stretch, its next windows in this
//! stretch are small: what is judged there is the beginning of a value. What is
//! found at a window's end goes on to the end of its word. Cookies that were judged
//! are not judged once more from the next literal among them.

use std::ops::Range;

use crate::redact::judge::names::MAX_NAME;

use super::compiled::RuleId;
use super::headers;
use super::notation::{LastCommand, LastManifests, is_of_name};
use super::rules::{Reading, TABLE};

/// Bytes behind a literal: no value is longer, and a token goes on to the end of its word.
const WINDOW: usize = 5_000;

/// Bytes in which vain tries are counted together.
const STRETCH: usize = 1_024;

/// Vain tries of a stretch that have the whole window. Listings of token counts have
/// some thirty names in a stretch, whose values are short.
const MAX_VAIN: usize = 8;

/// The window of further tries: longer than passwords are.
const SMALL: usize = 96;

/// The same for tokens, the longest of which ask for some two hundred letters.
const SMALL_TOKEN: usize = 256;

/// The same for the headers of cookies, which hold many.
const SMALL_HEADER: usize = 1_000;

/// Bytes of a manifest before its kind: as many lines as are read, of the longest that are.
const MAX_MANIFEST: usize = 80 * 2_000;

/// What one rule did last.
#[derive(Clone, Copy, Default)]
struct Tries {
    /// Where the stretch begins, and the vain tries in it.
    start: usize,
    vain: usize,
    /// What the rule has found goes on to here, and is not gone through by it again.
    end: usize,
    /// The pairs of a cookie header end here that are no secrets.
    judged: usize,
}

/// What the rules did in one text.
pub(super) struct Effort<'a> {
    text: &'a [u8],
    rules: Vec<Tries>,
    /// Bytes in the windows of vain tries, and in what was found.
    pub(crate) read: usize,
    /// Where `data` was looked for to, and where it stands last.
    looked_for_data: usize,
    last_data: Option<usize>,
    /// The name that was read on from last.
    name: Range<usize>,
    /// Where the word ends in which the last literal of a name stands.
    word_end: usize,
    /// The arguments of the command that was read last.
    pub(super) command: LastCommand,
    /// The manifests that were read before.
    pub(super) manifests: LastManifests,
}

impl<'a> Effort<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Effort {
            text,
            rules: Vec::new(),
            read: 0,
            looked_for_data: 0,
            last_data: None,
            name: 0..0,
            word_end: 0,
            command: LastCommand::default(),
            manifests: LastManifests::default(),
        }
    }

    /// The text to the end of the window; none where the rule has found something already.
    pub(super) fn window(
        &mut self,
        rule: RuleId,
        reading: Reading,
        literal: &Range<usize>,
    ) -> Option<&'a [u8]> {
        self.rules.resize(TABLE.len(), Tries::default());
        let tries = &mut self.rules[rule];
        if literal.start < tries.end {
            return None;
        }
        if literal.start >= tries.start + STRETCH {
            *tries = Tries { start: literal.start, vain: 0, ..*tries };
        }
        let is_token = reading.has_pattern();
        let len = match (tries.vain < MAX_VAIN, is_token) {
            // Goes on for as long as there are lines of base64, in which no literal stands.
            _ if reading == Reading::KeyBlock => self.text.len(),
            (true, _) => WINDOW,
            (false, true) => SMALL_TOKEN,
            (false, false) if reading == Reading::Cookies => SMALL_HEADER,
            (false, false) => SMALL,
        };
        let len = match self.text.get(literal.end..tries.judged) {
            // Of what was judged before, the first pair alone has another name now.
            Some(pairs) if reading == Reading::Cookies => {
                memchr::memchr(b';', pairs).unwrap_or(len)
            }
            _ => len,
        };
        let mut end = self.text.len().min(literal.end.saturating_add(len));
        while end < self.text.len() && self.text[end] & 0xc0 == 0x80 {
            end -= 1;
        }
        Some(&self.text[..end.max(literal.end)])
    }

    /// Takes in that there was nothing to read behind a literal.
    pub(super) fn skipped(&mut self, rule: RuleId) {
        self.rules[rule].vain += 1;
    }

    /// Takes in that nothing was found behind the literal.
    pub(super) fn vain(
        &mut self,
        rule: RuleId,
        reading: Reading,
        literal: &Range<usize>,
        window: &[u8],
    ) {
        let tries = &mut self.rules[rule];
        tries.vain += 1;
        if reading != Reading::KeyBlock {
            self.read += window.len() - literal.start;
        }
        if reading == Reading::Cookies
            && let Some(line) = headers::cookie_line(window, literal)
            && let Some(last) = memchr::memrchr(b';', &window[line.clone()])
        {
            tries.judged = tries.judged.max(line.start + last + 1);
        }
    }

    /// Whether the word around a literal goes on for longer than a name, so that no value follows.
    pub(super) fn is_in_long_word(&mut self, literal: &Range<usize>) -> bool {
        if self.word_end < literal.end {
            let rest = self.text[literal.end..].iter();
            self.word_end = literal.end + rest.take_while(|byte| is_of_name(**byte)).count();
        }
        // A literal may reach over the sign behind the name.
        is_of_name(self.text[literal.end - 1]) && self.word_end > literal.end + MAX_NAME
    }

    /// Whether a name is not the one that was read on from last: `secret_key` has two literals.
    pub(super) fn is_new_name(&mut self, name: &Range<usize>) -> bool {
        std::mem::replace(&mut self.name, name.clone()) != *name
    }

    /// Whether the manifest around a literal may have the values of a Secret: whether `data` stands
    /// before the window's end, and not too far before the literal.
    pub(super) fn may_be_manifest(&mut self, literal: &Range<usize>, window: &[u8]) -> bool {
        let seen = self.looked_for_data.min(window.len());
        if let Some(last) = memchr::memmem::rfind(&window[seen..], b"ata") {
            self.last_data = Some(seen + last);
        }
        self.looked_for_data = window.len().saturating_sub(2).max(seen);
        self.last_data.is_some_and(|last| last + MAX_MANIFEST > literal.start)
    }

    /// Takes in that a pattern matched to `end` and it was no secret. The literals within one
    /// match end with it: when many were refused, the rest of them are not tried.
    pub(super) fn refused(&mut self, rule: RuleId, literal: usize, end: usize) {
        self.read += end.saturating_sub(literal);
        let tries = &mut self.rules[rule];
        tries.vain += 1;
        if tries.vain > MAX_VAIN {
            tries.end = end;
        }
    }

    /// Takes in what was found. What the window's end has cut goes on to the end of its word.
    pub(crate) fn found(&mut self, rule: RuleId, window: &[u8], pieces: &mut [Range<usize>]) {
        let Some(last) = pieces.last_mut() else { return };
        if last.end == window.len() {
            let ends = |byte: &u8| {
                byte.is_ascii_whitespace() || byte.is_ascii_control() || b"\"'`\\<>".contains(byte)
            };
            last.end += self.text[last.end..].iter().take_while(|byte| !ends(byte)).count();
        }
        self.read += last.len();
        self.rules[rule].end = last.end;
    }
}
