//! Secrets among the arguments of commands, and those that a pipe hands over.
//!
//! `command_table.rs` says which programs take a secret and where; `values` reads the arguments behind a program's
//! name and takes what its rows point at. A program may be named again among its own arguments: `LastCommand`
//! remembers how far they were read, so that each is read once, however many names there are.

use std::ops::Range;

use crate::redact::bytes::{begins, contains, find, rfind};
use crate::redact::find::headers;
use crate::redact::judge::names::Promise;
use crate::redact::judge::plausible::{self, Setting};

use super::command_table::{Command, Take, rows_of};
use super::lines::NotationLine;
use super::shell::{Argument, MAX_COMMAND, arguments, unquoted};
use super::value;

/// Arguments among which the program's own command stands.
const MAX_BEFORE_WORD: usize = 5;

/// The arguments of the command that was read last, as far as they were read.
///
/// Where a program is named among its own arguments, what follows was read already: reading it
/// again from each of many names would be quadratic.
#[derive(Debug, Default)]
pub(crate) struct LastCommand {
    program: &'static str,
    /// Where each argument ends.
    ends: Vec<usize>,
    /// Where the last argument begins.
    last: usize,
}

impl LastCommand {
    /// Whether the program's name at `literal` is one of the arguments.
    fn has(&self, program: &[u8], literal: &Range<usize>) -> bool {
        self.program.as_bytes() == program && self.ends.binary_search(&(literal.end - 1)).is_ok()
    }

    /// Takes in what was read. The last argument may have been cut before.
    fn read(&mut self, arguments: &[Argument]) {
        self.ends.pop();
        self.ends.extend(arguments.iter().map(|argument| argument.range.end));
        self.last = arguments.last().map_or(self.last, |argument| argument.range.start);
    }
}

/// The secrets among the arguments of the program whose name is at `literal`; none when they
/// were read before.
pub(crate) fn values(
    text: &[u8],
    literal: &Range<usize>,
    last: &mut LastCommand,
) -> Option<Vec<Range<usize>>> {
    let program = program(text, literal)?;
    // What is passed to it stands behind the last of them.
    if begins(&text[literal.end..], program) {
        return None;
    }
    let far = text.len().min(literal.end + MAX_COMMAND);
    let goes_on = last.has(program, literal);
    if goes_on && last.ends.last().is_some_and(|end| far <= *end) {
        return None;
    }
    let mut found = Vec::new();
    let mut read: Option<Vec<Argument>> = None;
    // All of the program's rows are about each of its arguments, wherever it stands.
    let mut is_plain = true;
    for row in rows_of(program) {
        let from = if goes_on { last.last } else { literal.end };
        let arguments = read.get_or_insert_with(|| arguments(text, from, far));
        if !goes_on && !has_word(text, row, arguments) {
            is_plain = false;
            continue;
        }
        is_plain &= !row.takes.iter().any(|take| take.is_placed());
        let needs_plain = row.takes.iter().any(|take| take.is_of_plain());
        let plain = if needs_plain { plain(text, row, arguments) } else { Vec::new() };
        for take in row.takes {
            taken(text, row, *take, (arguments, &plain), &mut |range| {
                if is_argument(text, &range) {
                    found.push(range);
                }
            });
        }
        last.program = row.program;
    }
    if !goes_on {
        last.ends.clear();
    }
    if is_plain {
        last.read(&read.unwrap_or_default());
    }
    // Behind what was read before, each argument is read once, however many names there are.
    (!goes_on || !found.is_empty()).then_some(found)
}

/// The program's whole name, when the literal is no end of another word.
fn program<'a>(text: &'a [u8], literal: &Range<usize>) -> Option<&'a [u8]> {
    let goes_on = match &text[..literal.start] {
        // A minus at the start of a line is the sign of a diff.
        [] | [b'-'] | [.., b'\n', b'-'] => false,
        [.., byte] => byte.is_ascii_alphanumeric() || b"_-.".contains(byte),
    };
    (!goes_on).then(|| &text[literal.clone()])
}

fn has_word(text: &[u8], row: &Command, arguments: &[Argument]) -> bool {
    row.words.is_empty()
        || arguments.iter().take(MAX_BEFORE_WORD).any(|argument| {
            row.words.iter().any(|word| word.as_bytes() == &text[argument.range.clone()])
        })
}

/// The arguments that are no options.
fn plain<'a>(text: &[u8], row: &Command, arguments: &'a [Argument]) -> Vec<&'a Argument> {
    let is_net = row.program.starts_with("net");
    let is_option = |argument: &&Argument| {
        let own = &text[argument.range.clone()];
        own.starts_with(b"-") || own.starts_with(b"/") && is_net
    };
    let is_plain = |argument: &&Argument| !argument.is_input && !is_option(argument);
    arguments.iter().filter(is_plain).collect()
}

fn taken(
    text: &[u8],
    row: &Command,
    take: Take,
    (arguments, plain): (&[Argument], &[&Argument]),
    emit: &mut dyn FnMut(Range<usize>),
) {
    let own = |argument: &Argument| &text[argument.range.clone()];
    match take {
        Take::Position(number) => {
            emit_all(plain.get(number).map(|found| unquoted(text, found.range.clone())), emit);
        }
        Take::Last => {
            // Below that, it is no secret but a file, or asked for.
            let least = match row.program {
                "htpasswd " => 2,
                "mc " => 6,
                _ => 4,
            };
            let found = plain.last().filter(|_| plain.len() >= least);
            emit_all(
                found.map(|found| behind_name(text, unquoted(text, found.range.clone()))),
                emit,
            );
        }
        Take::Pairs => {
            for argument in plain {
                let equals = own(argument).iter().position(|&byte| byte == b'=');
                let range = equals.map(|at| argument.range.start + at + 1..argument.range.end);
                emit_all(range.map(|range| unquoted(text, range)), emit);
            }
        }
        Take::Split(sign) => {
            for argument in plain {
                emit_all(login(text, unquoted(text, argument.range.clone()), sign), emit);
            }
        }
        Take::Input => {
            for argument in arguments.iter().filter(|argument| argument.is_input) {
                emit(unquoted(text, argument.range.clone()));
            }
        }
        _ => {
            let first = take.first_letters();
            for (at, argument) in arguments.iter().enumerate() {
                if !begins(own(argument), first) {
                    continue;
                }
                optional(text, take, argument, arguments.get(at + 1), emit);
            }
        }
    }
}

/// The secret of an option: in its own argument or in the `next` one.
fn optional(
    text: &[u8],
    take: Take,
    argument: &Argument,
    next: Option<&Argument>,
    emit: &mut dyn FnMut(Range<usize>),
) {
    let own = &text[argument.range.clone()];
    let next_of = |option: &str| {
        let is_own = own.len() == option.len() && begins(own, option.as_bytes());
        next.filter(|_| is_own).map(|next| unquoted(text, next.range.clone()))
    };
    let joined = |option: &str| {
        let range = argument.range.start + option.len()..argument.range.end;
        (begins(own, option.as_bytes()) && !range.is_empty()).then(|| unquoted(text, range))
    };
    let found = match take {
        Take::Next(option) if option.starts_with("--from") => {
            next_of(option).map(|range| behind_name(text, range))
        }
        Take::Next(option) => next_of(option),
        Take::Joined(option) => joined(option),
        Take::Option(option) => next_of(option).or_else(|| joined(option)),
        Take::Login(option, sign) => {
            let equals = || joined(option).filter(|range| text[range.start] == b'=');
            let behind = equals().map(|range| unquoted(text, range.start + 1..range.end));
            // Letters behind a long option make another option of it.
            let is_short = option.len() < 5;
            next_of(option)
                .or(behind)
                .or_else(|| joined(option).filter(|_| is_short))
                .and_then(|range| login(text, range, sign))
        }
        Take::Proxy(option) => next_of(option).and_then(|range| proxy_login(text, range)),
        Take::Prefix(prefix) => {
            let whole = unquoted(text, argument.range.clone());
            text[whole.clone()].starts_with(prefix.as_bytes()).then(|| {
                let range = unquoted(text, whole.start + prefix.len()..whole.end);
                if prefix.starts_with("--from") { behind_name(text, range) } else { range }
            })
        }
        Take::Cookies(option) => {
            for pair in next_of(option).map(|range| headers::pairs(text, range)).unwrap_or_default()
            {
                emit(pair);
            }
            None
        }
        _ => None,
    };
    emit_all(found, emit);
}

fn emit_all(found: Option<Range<usize>>, emit: &mut dyn FnMut(Range<usize>)) {
    if let Some(range) = found {
        emit(range);
    }
}

/// What stands behind the sign between user and password.
fn login(text: &[u8], range: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let at = text[range.clone()].iter().position(|&byte| byte == sign)?;
    let mut end = range.end;
    if sign == b'/' {
        // `/nolog`
        (at > 0).then_some(())?;
        let rest = &text[range.start + at + 1..range.end];
        end = rest
            .iter()
            .position(|&byte| byte == b'@')
            .map_or(end, |len| range.start + at + 1 + len);
    }
    Some(range.start + at + 1..end)
}

/// The password of `user:password@host`.
fn proxy_login(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let end = range.start + memchr::memrchr(b'@', &text[range.clone()])?;
    let from = rfind(&text[range.start..end], b"//").map_or(range.start, |at| range.start + at + 2);
    login(text, from..end, b':')
}

/// What stands behind `NAME=`, if a name stands there.
fn behind_name(text: &[u8], range: Range<usize>) -> Range<usize> {
    let own = &text[range.clone()];
    let Some(at) = own.iter().position(|&byte| byte == b'=') else { return range };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(byte);
    if at > 0 && at + 1 < own.len() && own[..at].iter().all(is_name) {
        return unquoted(text, range.start + at + 1..range.end);
    }
    range
}

/// Whether an argument that should be a secret is one.
fn is_argument(text: &[u8], range: &Range<usize>) -> bool {
    let Some(value) = value::str(text, range) else { return false };
    let is_number = value.len() < 8 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_odd = value.starts_with(['-', '+', '(', '[', '@', '=', ':', '\\', ','])
        || value.contains("$(")
        || value.contains("\\\"")
        || value.ends_with([',', ')', ':', '\\']);
    let setting = Setting { quoted: false, env: true };
    !is_number && !is_odd && plausible::is_secret(value, Promise::Password, setting)
}

/// What `echo` hands over to a program that reads a secret: the program's name is at `literal`.
pub(super) fn piped(text: &[u8], literal: &Range<usize>, emit: &mut dyn FnMut(Range<usize>)) {
    let Some(line) = NotationLine::of(text, literal.start) else { return };
    let behind = value::part(text, literal.end..line.end);
    let own = &text[literal.clone()];
    let asks = !own.starts_with(b"sudo")
        || contains(behind, b" -S")
        || find(behind, b"S ").is_some_and(|at| at < 6);
    let Some(head) = text.get(line.start..literal.start).filter(|_| asks) else { return };
    let Some(bar) = memchr::memrchr(b'|', head) else { return };
    let prints: [&[u8]; 2] = [b"echo ", b"printf "];
    let print = prints.iter().find_map(|word| Some(rfind(&head[..bar], word)? + word.len()));
    let Some(print) = print else { return };
    let from = line.start + print;
    let printed = arguments(text, from, text.len().min(from + MAX_COMMAND));
    let Some(last) = printed.iter().rfind(|argument| argument.range.end <= line.start + bar) else {
        return;
    };
    let range = unquoted(text, last.range.clone());
    let is_login = own.eq_ignore_ascii_case(b"chpasswd");
    let mut at = range.start;
    for part in split_breaks(&text[range]) {
        let mut one = at..at + part.len();
        at = one.end + 2;
        if is_login {
            let Some(found) = login(text, one, b':') else { continue };
            one = found;
        }
        if is_argument(text, &one) {
            emit(one);
        }
    }
}

/// Parts between `\n` as letters.
fn split_breaks(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = find(rest, b"\\n") {
        parts.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    parts.push(rest);
    parts
}

/// `user:password` on the lines behind `chpasswd`.
pub(super) fn account_lines(
    text: &[u8],
    literal: &Range<usize>,
    emit: &mut dyn FnMut(Range<usize>),
) {
    let Some(mut line) = NotationLine::of(text, literal.start) else { return };
    for _ in 0..20 {
        let Some(next) = line.next(text) else { return };
        line = next;
        let first = line.first(text);
        let own = value::bare(text, first, &value::IN_ENV);
        let is_label = matches!(text[first..line.end.max(first)].last(), Some(b'|' | b':'));
        if is_label {
            continue;
        }
        let Some(range) = login(text, own, b':') else { return };
        if range.end != line.end || !is_argument(text, &range) {
            return;
        }
        emit(range);
    }
}
