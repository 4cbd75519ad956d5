//! The grammar of a search, which the page's script reads by the same rules.
//!
//! Words, `"quoted phrases"` and operators (`role:`, `tool:`, `is:`, `label:`,
//! `before:`, `after:`), each negated by a leading `-`; all must hold. Whatever
//! is no operator after all, such as `is:odd`, is an ordinary word.

#[cfg(feature = "catalog")]
mod of_sessions;

use std::cell::LazyCell;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

#[cfg(feature = "catalog")]
pub(crate) use of_sessions::{OwnTerm, take_own};

use super::Row;
use crate::session::Kind;
use crate::session::landmarks::LandmarkKind;

/// What a query is held against: an entry's facts and texts.
pub struct Subject<'a> {
    /// The outline's row.
    pub row: &'a Row,
    /// The role of its message in a context.
    pub role: Option<&'a str>,
    /// Its label.
    pub label: Option<&'a str>,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The text of its fragment; made only when the rest does not decide.
    pub body: LazyCell<String, Box<dyn FnOnce() -> String + 'a>>,
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").field("row", &self.row).finish_non_exhaustive()
    }
}

impl Subject<'_> {
    /// Whether a text, normalised, stands in one of the entry's texts.
    fn contains(&self, text: &str) -> bool {
        let line = self.row.line();
        let parts = [self.row.words.as_str(), self.label.unwrap_or_default(), line.as_str()];
        parts.iter().any(|part| normalised(part).contains(text))
            || normalised(&self.body).contains(text)
    }
}

/// The conditions of a search, all of which a hit meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    conditions: Vec<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Condition {
    negated: bool,
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// A word or a phrase, normalised.
    Text(String),
    Role(String),
    Tool(String),
    Label(String),
    IsError,
    IsStop,
    IsPrompt,
    IsCompaction,
    IsLabeled,
    IsNotable,
    Is(LandmarkKind),
    Before(i64),
    After(i64),
}

impl Query {
    /// Reads a search as typed. Every text is a query.
    pub fn new(query: &str) -> Query {
        let mut conditions = Vec::new();
        let mut rest = query.trim_start();
        while !rest.is_empty() {
            let negated = is_negation(rest);
            let (test, after) = next_test(&rest[usize::from(negated)..]);
            conditions.extend(test.map(|test| Condition { negated, test }));
            rest = after.trim_start();
        }
        Query { conditions }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether the entry meets every condition.
    pub fn matches(&self, subject: &Subject<'_>) -> bool {
        self.conditions.iter().all(|condition| condition.test.holds(subject) != condition.negated)
    }
}

/// A dash before something other than a dash: `--force` is a word as typed.
fn is_negation(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next() == Some('-') && chars.next().is_some_and(|c| c != '-' && !c.is_whitespace())
}

/// The condition at the start of `query`, and what follows it. An empty phrase is none.
fn next_test(query: &str) -> (Option<Test>, &str) {
    if let Some(quoted) = query.strip_prefix('"') {
        let (phrase, after) = until_quote(quoted);
        return (text_test(phrase), after);
    }
    let word_end = query.find(char::is_whitespace).unwrap_or(query.len());
    let Some((name, value)) = query[..word_end].split_once(':') else {
        return (text_test(&query[..word_end]), &query[word_end..]);
    };
    let is_quoted = value.starts_with('"') && is_operator(name);
    let (value, after) =
        if is_quoted { until_quote(&query[name.len() + 2..]) } else { (value, &query[word_end..]) };
    let test =
        operator(&name.to_lowercase(), value).or_else(|| text_test(&format!("{name}:{value}")));
    (test, after)
}

/// The words of a query that have the form of an operator, as name and value in lower case.
pub(super) fn tokens(query: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let term = &rest[usize::from(is_negation(rest))..];
        if let Some((name, value)) =
            term.split_whitespace().next().and_then(|word| word.split_once(':'))
            && !term.starts_with('"')
        {
            found.push((name.to_lowercase(), value.trim_matches('"').to_lowercase()));
        }
        rest = next_test(term).1.trim_start();
    }
    found
}

/// Up to the next quote, or to the end.
fn until_quote(text: &str) -> (&str, &str) {
    text.split_once('"').unwrap_or((text, ""))
}

fn text_test(text: &str) -> Option<Test> {
    (!text.trim().is_empty()).then(|| Test::Text(normalised(text)))
}

pub(super) fn is_operator(name: &str) -> bool {
    ["role", "tool", "is", "label", "before", "after"].contains(&name.to_lowercase().as_str())
}

/// `None` where the word is no operator or its value means nothing.
pub(super) fn operator(name: &str, value: &str) -> Option<Test> {
    let value = normalised(value);
    match (name, value.as_str()) {
        ("role", "") => None,
        ("role", _) => Some(Test::Role(value)),
        ("tool", _) => Some(Test::Tool(value)),
        ("label", _) => Some(Test::Label(value)),
        ("is", "error") => Some(Test::IsError),
        ("is", "stop") => Some(Test::IsStop),
        ("is", "prompt") => Some(Test::IsPrompt),
        ("is", "compaction") => Some(Test::IsCompaction),
        ("is", "labeled") => Some(Test::IsLabeled),
        ("is", "notable") => Some(Test::IsNotable),
        ("is", value) => {
            LandmarkKind::ALL.iter().copied().find(|kind| kind.name() == value).map(Test::Is)
        }
        ("before", date) => start_of(date).map(Test::Before),
        ("after", date) => start_of(date).map(Test::After),
        _ => None,
    }
}

impl Test {
    fn holds(&self, subject: &Subject<'_>) -> bool {
        let row = subject.row;
        match self {
            Test::Text(text) => subject.contains(text),
            Test::Role(role) => {
                let kind = row.kind.name();
                let is_tool = role == "tool" && row.kind == Kind::ToolResult;
                is_tool
                    || role == kind
                    || subject.role.is_some_and(|own| own.to_lowercase() == *role)
            }
            Test::Tool(name) => row.tools.iter().any(|tool| tool.to_lowercase().contains(name)),
            Test::Label(text) => {
                subject.label.is_some_and(|label| normalised(label).contains(text))
            }
            Test::IsError => row.failed,
            Test::IsStop => row.stopped,
            Test::IsPrompt => row.kind == Kind::User,
            Test::IsCompaction => row.kind == Kind::Compaction,
            Test::IsLabeled => subject.label.is_some(),
            Test::IsNotable => row.landmarks.iter().any(|kind| kind.notable().is_some()),
            Test::Is(kind) => row.landmarks.contains(kind),
            Test::Before(time) => subject.time.is_some_and(|own| own < *time),
            Test::After(time) => subject.time.is_some_and(|own| own >= *time),
        }
    }
}

/// Lower case, each run of white space one blank.
pub(crate) fn normalised(text: &str) -> String {
    // The only letter whose lower case depends on what is beside it.
    let lower = text.contains('Σ').then(|| text.to_lowercase());
    let text = lower.as_deref().unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut in_blank = false;
    for c in text.chars() {
        let blank = c.is_whitespace();
        match c {
            _ if blank && in_blank => {}
            _ if blank => out.push(' '),
            // Most of a text is ASCII.
            '\0'..='\u{7f}' => out.push(c.to_ascii_lowercase()),
            _ => out.extend(c.to_lowercase()),
        }
        in_blank = blank;
    }
    out
}

/// The first moment of `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDtHH:MM`, in UTC.
fn start_of(date: &str) -> Option<i64> {
    let (day, minute) = match date.split_once('t') {
        Some((day, minute)) if day.len() == 10 => (day, minute),
        Some(_) => return None,
        None => (date, "00:00"),
    };
    let number = |text: &str, digits: usize| {
        let all_digits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i16>().ok().filter(|_| all_digits)
    };
    let mut parts = day.split('-');
    let year = number(parts.next()?, 4)?;
    let mut part = || parts.next().map_or(Some(1), |text| number(text, 2));
    let (month, day) = (part()?, part()?);
    if parts.next().is_some() {
        return None;
    }
    let (hour, minute) = minute.split_once(':')?;
    let small = |number: i16| i8::try_from(number).ok();
    let date = Date::new(year, small(month)?, small(day)?).ok()?;
    let time = Time::new(small(number(hour, 2)?)?, small(number(minute, 2)?)?, 0, 0).ok()?;
    let moment = DateTime::from_parts(date, time).to_zoned(TimeZone::UTC).ok()?;
    Some(moment.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn texts_are_compared_in_lower_case_with_single_blanks() {
        for (text, expected) in [
            ("", ""),
            (" \t\u{b}A  b\r\nC ", " a b c "),
            ("x\u{a0}\u{2003} y\u{85}", "x y "),
            ("ÄÖ\u{1c}É İ", "äö\u{1c}é i\u{307}"),
            ("ΟΔΟΣ ΣΑΝ", "οδος σαν"),
            ("日本 “Q”", "日本 “q”"),
        ] {
            assert_eq!(normalised(text), expected, "{text:?}");
        }
    }
}
