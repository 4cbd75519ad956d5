//! What a program printed, as a terminal would show it.
//!
//! Colors and emphasis become classes; carriage return, backspace, erased
//! lines and a cursor that moves within its line are carried out. A tab stays
//! a tab. OSC 8 links are links under the page's own rule. Every other control
//! sequence is dropped (titles, other screens, a cursor that goes up: what it
//! would write over stays). BEL, SO, SI and DEL do nothing; the remaining C0
//! characters are data that got into an output and show as their pictures (`␀`).
//!
//! A sequence that the end of the line or a foreign character cuts short is
//! dropped as far as it goes, so that an output which an agent shortened in the
//! middle of one loses nothing after it.

mod line;
mod style;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use anstyle_parse::{Params, Parser, Perform};

use crate::byte_search;
use crate::html::Html;
use crate::link;
use line::TerminalLine;
pub(crate) use line::width;
use style::Style;

/// A printed text, resolved: what stands there in the end, and how.
#[derive(Debug)]
pub(crate) struct Screen<'t> {
    text: Cow<'t, str>,
    /// Where another ink begins, in order.
    runs: Vec<Run>,
    inks: Vec<Ink>,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    start: usize,
    ink: u32,
}

/// How a character is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Ink {
    style: Style,
    link: Option<Rc<str>>,
}

impl<'t> Screen<'t> {
    /// Resolves a text. One without control characters is taken as it is.
    pub(crate) fn of(text: &'t str) -> Screen<'t> {
        if is_plain(text) {
            return Screen { text: Cow::Borrowed(text), runs: Vec::new(), inks: Vec::new() };
        }
        let mut terminal = Terminal::new();
        terminal.run(text);
        terminal.end_line();
        Screen { text: Cow::Owned(terminal.text), runs: terminal.runs, inks: terminal.inks }
    }

    /// What stands there, without colors.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A part of the text in its colors; what began before it goes on in it.
    pub(crate) fn draw(&self, bytes: Range<usize>) -> Html {
        let mut html = Html::new();
        let mut next = self.runs.partition_point(|run| run.start <= bytes.start);
        let mut from = bytes.start;
        let mut open: Option<&Rc<str>> = None;
        let mut close = "";
        let mut link_start = from;
        while from < bytes.end {
            let written = next.checked_sub(1).map(|at| &self.inks[self.runs[at].ink as usize]);
            let to = self.runs.get(next).map_or(bytes.end, |run| run.start.min(bytes.end));
            let target = written.and_then(|ink| ink.link.as_ref());
            if open != target {
                html.push_markup(close);
                self.push_real_host(&mut html, open, link_start..from);
                close = target.map_or("", |url| link::open(&mut html, url));
                (open, link_start) = (target, from);
            }
            let is_styled = written.is_some_and(|ink| ink.style.open(&mut html));
            html.push_text(&self.text[from..to]);
            html.push_markup(if is_styled { "</span>" } else { "" });
            from = to;
            next += 1;
        }
        html.push_markup(close);
        self.push_real_host(&mut html, open, link_start..from);
        html
    }

    /// Says where a link leads whose text names another host.
    fn push_real_host(&self, html: &mut Html, url: Option<&Rc<str>>, text: Range<usize>) {
        if let Some(url) = url {
            link::push_real_host(html, &self.text[text], url);
        }
    }
}

/// Whether a terminal would show the text as it is.
fn is_plain(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(at) = byte_search::first(rest, may_act) {
        let is_plain = match (rest[at], rest.get(at + 1)) {
            (b'\r', next) => next == Some(&b'\n'),
            // U+0080 to U+009F begin with this byte.
            (0xc2, Some(next)) => *next >= 0xa0,
            _ => false,
        };
        if !is_plain {
            return false;
        }
        rest = &rest[at + 1..];
    }
    true
}

/// Whether a terminal may do something at this byte.
#[expect(clippy::needless_bitwise_bool, reason = "looked for in blocks, without branches")]
fn may_act(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\n') & (byte != b'\t') | (byte == 0x7f) | (byte == 0xc2)
}

/// Where the next sequence begins.
fn escape_in(text: &str) -> Option<usize> {
    memchr::memchr(0x1b, text.as_bytes())
}

/// Whether a line is text, as a terminal would show it, and whole sequences of colors.
fn is_colored(line: &str) -> bool {
    let mut rest = line;
    loop {
        let at = escape_in(rest).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(at);
        // A character without a width takes the ink of the one before it.
        let takes_ink = rest.len() < line.len() && text.starts_with(line::has_no_width);
        if takes_ink || !is_plain(text) {
            return false;
        }
        if behind.is_empty() {
            return true;
        }
        let (len, is_whole) = sequence(behind.as_bytes());
        let is_color = behind.starts_with("\x1b[") && behind[..len].ends_with('m');
        if !is_whole || !is_color {
            return false;
        }
        rest = &behind[len..];
    }
}

/// Carries out what a text tells a terminal.
struct Terminal {
    text: String,
    runs: Vec<Run>,
    inks: Vec<Ink>,
    line: TerminalLine,
    ink: u32,
}

impl Terminal {
    fn new() -> Terminal {
        Terminal {
            text: String::new(),
            runs: Vec::new(),
            inks: vec![Ink::default()],
            line: TerminalLine::default(),
            ink: 0,
        }
    }

    fn run(&mut self, text: &str) {
        let mut parser = Parser::<anstyle_parse::DefaultCharAccumulator>::new();
        // No sequence goes on behind the end of its line.
        for line in byte_search::lines(text.as_bytes()) {
            let line = &text[line];
            if is_colored(line) {
                self.colored(line, &mut parser);
            } else {
                self.line(line, &mut parser);
            }
        }
    }

    fn line(&mut self, line: &str, parser: &mut Parser) {
        let mut rest = line;
        while let Some(at) = escape_in(rest) {
            rest[..at].chars().for_each(|c| self.character(c));
            let (len, is_whole) = sequence(&rest.as_bytes()[at..]);
            if is_whole {
                rest.as_bytes()[at..at + len].iter().for_each(|byte| parser.advance(self, *byte));
            }
            rest = &rest[at + len..];
        }
        rest.chars().for_each(|c| self.character(c));
    }

    /// A line of text and colors alone stands as it was written: it needs no cells.
    fn colored(&mut self, line: &str, parser: &mut Parser) {
        let end =
            line.strip_suffix('\n').map_or(line.len(), |line| line.trim_end_matches('\r').len());
        let mut rest = &line[..end];
        while !rest.is_empty() {
            let at = escape_in(rest).unwrap_or(rest.len());
            if at > 0 {
                self.begin_run(self.ink);
                self.text.push_str(&rest[..at]);
            }
            let (_, behind) = rest.split_at(at);
            let len = if behind.is_empty() { 0 } else { sequence(behind.as_bytes()).0 };
            behind.as_bytes()[..len].iter().for_each(|byte| parser.advance(self, *byte));
            rest = &behind[len..];
        }
        self.text.push_str(if line.ends_with('\n') { "\n" } else { "" });
    }

    /// What follows is written in this ink.
    fn begin_run(&mut self, ink: u32) {
        if self.runs.last().map_or(0, |run| run.ink) != ink {
            self.runs.push(Run { start: self.text.len(), ink });
        }
    }

    fn character(&mut self, c: char) {
        match c {
            '\n' | '\x0b' | '\x0c' | '\u{85}' => {
                self.end_line();
                self.text.push('\n');
            }
            '\r' => self.line.go_to(0),
            '\x08' => self.line.left(1),
            '\t' => self.line.tab(self.ink),
            '\0' | '\x07' | '\x0e' | '\x0f' | '\x7f'..='\u{9f}' => {}
            '\0'..' ' => {
                let picture = char::from_u32(0x2400 + u32::from(c)).unwrap_or(c);
                self.line.put(picture, self.ink);
            }
            c => self.line.put(c, self.ink),
        }
    }

    fn end_line(&mut self) {
        let (text, runs) = (&mut self.text, &mut self.runs);
        self.line.take(|c, ink| {
            if runs.last().map_or(0, |run| run.ink) != ink {
                runs.push(Run { start: text.len(), ink });
            }
            text.push(c);
        });
    }

    fn set_ink(&mut self, ink: Ink) {
        let at = if ink == Ink::default() { 0 } else { self.ink };
        self.ink = if self.inks[at as usize] == ink {
            at
        } else {
            self.inks.push(ink);
            u32::try_from(self.inks.len() - 1).unwrap_or(0)
        };
    }
}

impl Perform for Terminal {
    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: u8) {
        // `ESC [ ? …` and `ESC [ > …` set modes; they only look like the ones below.
        if ignore || !intermediates.is_empty() {
            return;
        }
        let first = params.iter().next().map_or(0, |parameter| parameter[0]);
        let count = usize::from(first.max(1));
        match (action, first) {
            (b'm', _) => {
                let mut ink = self.inks[self.ink as usize].clone();
                ink.style.apply(params.iter());
                self.set_ink(ink);
            }
            // What `J` erases below is not there yet.
            (b'K' | b'J', 0) => self.line.erase_right(),
            (b'K', 1) => self.line.erase_left(),
            (b'K', 2) => self.line.erase(),
            (b'C', _) => self.line.right(count),
            (b'D', _) => self.line.left(count),
            (b'G' | b'`', _) => self.line.go_to(count - 1),
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _bell_terminated: bool) {
        let [b"8", _, url @ ..] = params else { return };
        // The parser took the address apart at its semicolons, of which it counts 13.
        let url = String::from_utf8_lossy(&url.join(&b';')).into_owned();
        let link = Some(url).filter(|url| !url.is_empty() && params.len() < 16).map(Into::into);
        let style = self.inks[self.ink as usize].style;
        self.set_ink(Ink { style, link });
    }
}

/// The length of the sequence at the start of `bytes`, which is ESC, and
/// whether it is whole.
fn sequence(bytes: &[u8]) -> (usize, bool) {
    match bytes.get(1) {
        Some(b'[') => ended(bytes, 2, |byte| (0x20..=0x3f).contains(&byte), 0x40),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string(bytes),
        Some(_) => ended(bytes, 1, |byte| (0x20..=0x2f).contains(&byte), 0x30),
        None => (1, false),
    }
}

/// A sequence of bytes that `goes_on` takes and one final byte from `least` on.
fn ended(bytes: &[u8], start: usize, goes_on: fn(u8) -> bool, least: u8) -> (usize, bool) {
    let len = bytes[start..].iter().take_while(|byte| goes_on(**byte)).count();
    let end = start + len;
    match bytes.get(end) {
        Some(byte) if (least..0x7f).contains(byte) => (end + 1, true),
        _ => (end, false),
    }
}

/// A string sequence. One that does not end on its line never began: its text shows.
fn string(bytes: &[u8]) -> (usize, bool) {
    let is_osc = bytes[1] == b']';
    let end = bytes[2..].iter().position(|byte| match byte {
        b'\n' | 0x1b | 0x18 | 0x1a => true,
        0x07 => is_osc,
        _ => false,
    });
    let Some(end) = end.map(|end| end + 2) else { return (2, false) };
    match bytes[end] {
        b'\n' => (2, false),
        0x1b if bytes.get(end + 1) == Some(&b'\\') => (end + 2, true),
        // Any other escape ends the string and stands for itself.
        0x1b => (end, true),
        _ => (end + 1, true),
    }
}

#[cfg(test)]
mod tests;
