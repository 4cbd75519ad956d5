//! Keeps the secrets that were found out of what is shown around them.

use std::collections::HashSet;
use std::ops::Range;

use crate::redact::views::base64;
use crate::redact::views::decode;
use crate::redact::views::rendered_text::shown;
use crate::redact::views::view::View;

/// So many letters of a secret in a row are a part of it.
pub(super) const PART: usize = 4;

/// Shortest run of base64 that is looked into, in letters.
const MIN_BASE64: usize = 12;

/// Forms within forms that are looked into: an entity in percent signs.
const MAX_FORMS: usize = 3;

/// All parts of the secrets of a file, in small letters.
#[derive(Default)]
pub(crate) struct Hidden {
    parts: HashSet<[char; PART]>,
}

impl Hidden {
    /// The parts of all secrets.
    pub(crate) fn of<'a>(secrets: impl IntoIterator<Item = &'a String>) -> Self {
        let mut hidden = Hidden::default();
        for value in secrets {
            hidden.parts.extend(parts(value).map(|(part, _)| part));
        }
        hidden
    }

    /// The text with `…` for what is part of a secret, in whatever form it stands.
    pub(crate) fn without(&self, text: &str) -> String {
        let mut covered = self.covered(text, 0);
        covered.extend(base64(text));
        covered.sort_by_key(|range| range.start);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for range in covered {
            if range.end <= at {
                continue;
            }
            if range.start > at || at == 0 {
                out.push_str(&text[at..range.start.max(at)]);
                if !out.ends_with('…') {
                    out.push('…');
                }
            }
            at = range.end;
        }
        let rest = &text[at..];
        let is_twice = out.ends_with('…') && rest.starts_with('…');
        out.push_str(if is_twice { &rest['…'.len_utf8()..] } else { rest });
        out
    }

    /// Where parts of secrets stand, also in what the text says in other forms.
    fn covered(&self, text: &str, forms: usize) -> Vec<Range<usize>> {
        let is_part = |(part, _): &([char; PART], Range<usize>)| self.parts.contains(part);
        let mut covered: Vec<_> = parts(text).filter(is_part).map(|(_, range)| range).collect();
        if forms == MAX_FORMS {
            return covered;
        }
        let views: [fn(&str) -> Option<View>; 4] =
            [decode::unescaped, decode::percent_decoded, shown, decode::without_colors];
        for view in views.iter().filter_map(|view| view(text)) {
            let inner = self.covered(&view.text, forms + 1);
            covered.extend(inner.iter().map(|range| view.base(range)));
        }
        covered
    }
}

/// Every four letters in a row, in small letters, and where they stand.
fn parts(text: &str) -> impl Iterator<Item = ([char; PART], Range<usize>)> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let part = |window: &[(usize, char)]| {
        let small = |at: usize| window[at].1.to_ascii_lowercase();
        let (last, letter) = window[PART - 1];
        ([small(0), small(1), small(2), small(3)], window[0].0..last + letter.len_utf8())
    };
    letters.windows(PART).map(part).collect::<Vec<_>>().into_iter()
}

/// Base64 that spells a text, which may be the secret again, perhaps cut at either end.
fn base64(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let len = bytes[start..].iter().take_while(|&&byte| base64::is_letter(byte)).count();
        let run = &bytes[start..start + len];
        let spells = |skip: usize| {
            let letters = &run[skip..];
            let whole = &letters[..letters.len() / 4 * 4];
            let text = base64::decode(whole).filter(|text| !text.is_empty());
            text.is_some_and(|text| !text.contains(char::is_control))
        };
        if len >= MIN_BASE64 && (0..4).any(spells) {
            found.push(start..start + len);
        }
        start += len + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(value: &str) -> Hidden {
        let mut hidden = Hidden::default();
        hidden.parts.extend(parts(value).map(|(part, _)| part));
        hidden
    }

    #[test]
    fn parts_of_a_secret_are_hidden_in_every_form() {
        let hidden = hidden("k3strel-91");
        for (text, told) in [
            ("so k3strel-91 it is", "so … it is"),
            ("so 3STREl it", "so … it"),
            ("a k3s and k3st", "a k3s and …"),
            ("x%6b3%73trel", "x…"),
            ("x\\u006b3strel-91", "x…"),
            ("x &#107;3st**rel b", "x … b"),
            ("it is bXkgazNzdHJlbC05MSB4 b", "it is … b"),
            ("…k3strel…", "…"),
            ("nothing of it", "nothing of it"),
        ] {
            assert_eq!(hidden.without(text), told, "{text}");
        }
    }
}
