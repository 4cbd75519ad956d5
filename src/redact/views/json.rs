//! The strings of a JSON text, found without building its values: nothing but
//! the strings is touched, and nesting costs no stack.
//!
//! Every string of every line is a place where a secret may stand, so this is the way into a file. `Strings::walk`
//! goes through the bytes once with a stack of its own and notes for each string the container and the place in it,
//! of which names and paths are made when they are asked for. It takes what a strict parser takes and nothing else:
//! what it refuses is searched as text.

use std::ops::Range;

use crate::byte_search;

/// A string, key or value.
#[derive(Debug)]
pub(crate) struct StringToken {
    /// Between the quotes.
    pub(crate) range: Range<usize>,
    pub(crate) is_key: bool,
    /// The container it stands in; none for a text that is one string.
    pub(crate) container: Option<usize>,
    pub(crate) place: Slot,
}

/// Where in its container something stands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Slot {
    /// Behind the key of this token.
    Key(usize),
    /// At this index.
    Index(usize),
}

#[derive(Debug)]
struct Container {
    parent: Option<(usize, Slot)>,
    is_object: bool,
    /// The value of `name` or `key`: `{"name": "TOKEN", "value": "x"}`.
    label: Option<usize>,
    /// `"kind": "Secret"`, as Kubernetes has it.
    is_manifest: bool,
}

/// The strings of one JSON value, in order.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    pub(crate) tokens: Vec<StringToken>,
    containers: Vec<Container>,
}

/// Strings of this length are gone through byte by byte, which costs less than a call. Most keys
/// and ids are no longer.
const SHORT: usize = 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

impl Strings {
    /// Walks one JSON value and the white space around it. `None` when it is not one.
    pub(crate) fn walk(text: &str) -> Option<Strings> {
        let bytes = text.as_bytes();
        let mut strings = Strings { tokens: Vec::with_capacity(32), containers: Vec::new() };
        let mut open: Vec<(usize, Slot)> = Vec::new();
        let mut expect = Expect::Value;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let is_value = matches!(expect, Expect::Value | Expect::ValueOrEnd);
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                b'"' if is_value || matches!(expect, Expect::Key | Expect::KeyOrEnd) => {
                    let end = string_end(bytes, at)?;
                    strings.push(text, at + 1..end - 1, !is_value, &mut open);
                    expect = if is_value { after(&open) } else { Expect::Colon };
                    at = end;
                }
                b'{' | b'[' if is_value => {
                    let is_object = byte == b'{';
                    strings.containers.push(Container {
                        parent: open.last().copied(),
                        is_object,
                        is_manifest: false,
                        label: None,
                    });
                    open.push((strings.containers.len() - 1, Slot::Index(0)));
                    expect = if is_object { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
                    at += 1;
                }
                b'}' | b']' => {
                    let (container, _) = open.pop()?;
                    let is_object = strings.containers[container].is_object;
                    let may_end = expect == Expect::CommaOrEnd
                        || expect == if is_object { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
                    if !may_end || is_object != (byte == b'}') {
                        return None;
                    }
                    expect = after(&open);
                    at += 1;
                }
                b':' if expect == Expect::Colon => {
                    expect = Expect::Value;
                    at += 1;
                }
                b',' if expect == Expect::CommaOrEnd => {
                    let (container, place) = open.last_mut()?;
                    expect = if strings.containers[*container].is_object {
                        Expect::Key
                    } else {
                        Expect::Value
                    };
                    if let Slot::Index(index) = place {
                        *index += 1;
                    }
                    at += 1;
                }
                _ if is_value => {
                    at += plain_len(&bytes[at..])?;
                    expect = after(&open);
                }
                _ => return None,
            }
        }
        (expect == Expect::Nothing).then_some(strings)
    }

    fn push(&mut self, text: &str, range: Range<usize>, is_key: bool, open: &mut [(usize, Slot)]) {
        let token = self.tokens.len();
        let container = open.last().map(|&(container, _)| container);
        let place = open.last().map_or(Slot::Index(0), |&(_, place)| place);
        if let Some((container, place)) = open.last_mut() {
            match *place {
                _ if is_key => *place = Slot::Key(token),
                Slot::Key(key)
                    if matches!(
                        &text[self.tokens[key].range.clone()],
                        "name" | "key" | "Name" | "Key" | "ParameterKey"
                    ) =>
                {
                    self.containers[*container].label = Some(token);
                }
                Slot::Key(key) if &text[self.tokens[key].range.clone()] == "kind" => {
                    self.containers[*container].is_manifest = &text[range.clone()] == "Secret";
                }
                _ => {}
            }
        }
        self.tokens.push(StringToken { range, is_key, container, place });
    }

    /// The token of the name that a value stands behind: its key, or what
    /// `name` says where the key is `value`.
    pub(crate) fn name(&self, text: &str, token: &StringToken) -> Option<usize> {
        let Slot::Key(key) = token.place else { return None };
        if token.is_key {
            return None;
        }
        let is_value =
            matches!(&text[self.tokens[key].range.clone()], "value" | "Value" | "ParameterValue");
        let label = token.container.and_then(|container| self.containers[container].label);
        Some(label.filter(|_| is_value).unwrap_or(key))
    }

    /// Whether one of the objects that a token stands in is the value of `name`.
    pub(crate) fn is_within(&self, text: &str, token: &StringToken, name: &str) -> bool {
        let mut next = token.container;
        while let Some(container) = next {
            let parent = self.containers[container].parent;
            if let Some((_, Slot::Key(key))) = parent
                && &text[self.tokens[key].range.clone()] == name
            {
                return true;
            }
            next = parent.map(|(container, _)| container);
        }
        false
    }

    /// The key that a token stands behind, perhaps in lists.
    #[cfg(feature = "cli")]
    pub(crate) fn field<'t>(&self, text: &'t str, token: &StringToken) -> &'t str {
        let mut next = token.container.map(|container| (container, token.place));
        while let Some((container, place)) = next {
            if let Slot::Key(key) = place {
                return &text[self.tokens[key].range.clone()];
            }
            next = self.containers[container].parent;
        }
        ""
    }

    /// Whether a token is a value in the data of a manifest of Kubernetes' Secrets.
    pub(crate) fn is_manifest_data(&self, text: &str, token: &StringToken) -> bool {
        let data = token.container.and_then(|container| self.containers[container].parent);
        let Some((manifest, Slot::Key(key))) = data.filter(|_| !token.is_key) else {
            return false;
        };
        let key = &text[self.tokens[key].range.clone()];
        self.containers[manifest].is_manifest && matches!(key, "data" | "stringData")
    }

    /// Where a token stands: `message.content[0].text`; a key by the object it is of.
    pub(crate) fn path(
        &self,
        token: &StringToken,
        name: impl Fn(&str) -> String,
        text: &str,
    ) -> String {
        let mut parts = Vec::new();
        let mut next = token.container.map(|container| (container, token.place));
        if token.is_key {
            parts.push("{key}".to_owned());
            next = token.container.and_then(|container| self.containers[container].parent);
        }
        while let Some((container, place)) = next {
            parts.push(match place {
                Slot::Index(index) => format!("[{index}]"),
                Slot::Key(key) => format!(".{}", name(&text[self.tokens[key].range.clone()])),
            });
            next = self.containers[container].parent;
        }
        parts.reverse();
        parts.concat().trim_start_matches('.').to_owned()
    }
}

fn after(open: &[(usize, Slot)]) -> Expect {
    if open.is_empty() { Expect::Nothing } else { Expect::CommaOrEnd }
}

/// Behind the closing quote of the string that begins at `at`. `None` when
/// it does not end, or holds what no JSON string may.
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = at + 1;
    let mut head = bytes.get(start..)?.iter().take(SHORT);
    let is_stop = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    if let Some(len) = head.position(is_stop)
        && bytes[start + len] == b'"'
    {
        return Some(start + len + 1);
    }
    let mut at = start;
    loop {
        let found = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[found] == b'"' {
            let control = byte_search::first(&bytes[start..found], |byte| byte < b' ');
            return control.is_none().then_some(found + 1);
        }
        at = found + 2;
        match bytes.get(found + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
            b'u' => {
                let digits = bytes.get(at..at + 4)?;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                at += 4;
            }
            _ => return None,
        }
    }
}

/// The length of a number, `true`, `false` or `null`.
fn plain_len(rest: &[u8]) -> Option<usize> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let len = rest.iter().take_while(|byte| is_plain(byte)).count();
    let word = &rest[..len];
    let is_value = matches!(word, b"true" | b"false" | b"null") || is_number(word);
    is_value.then_some(len)
}

/// A number by JSON's grammar, whatever its size.
fn is_number(word: &[u8]) -> bool {
    let digits = |from: usize| word[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(word.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && word[at] == b'0' {
        return false;
    }
    at += whole;
    if word.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return false;
        }
        at += 1 + fraction;
    }
    if matches!(word.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(word.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == word.len()
}
