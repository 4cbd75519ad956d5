//! Files that a summary names: in tagged lists at its end, in the facts beside
//! it, mostly in both. They are shown once.

use std::collections::HashSet;

use super::{Content, Line, Part, Value};
use crate::session::json::Json;

/// The lists: the tag in the text, the name of the fact, the words for it.
const LISTS: [(&str, &str, &str); 2] = [
    ("read-files", "readFiles", "Files read: "),
    ("modified-files", "modifiedFiles", "Files modified: "),
];

/// A summary without the lists at its end.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    /// What it says.
    pub(super) prose: &'a str,
    /// The files, and whatever else its facts hold.
    pub(super) files: Content<'a>,
}

/// Takes a summary's text and its `details` apart.
pub(super) fn of<'a>(text: &'a str, details: Option<&'a Json<'a>>) -> Summary<'a> {
    let mut names: [Vec<String>; 2] = Default::default();
    let mut prose = text;
    while let Some((nth, before, list)) = last_list(prose) {
        let own = list.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        names[nth].splice(0..0, own);
        prose = before;
    }
    let mut rest = Vec::new();
    match details {
        Some(Json::Object(facts)) => {
            for (name, value) in facts {
                let list = LISTS.iter().position(|(_, fact, _)| fact == name);
                match (list, value) {
                    (Some(nth), Json::Array(files)) => {
                        names[nth].extend(files.iter().map(|file| file.clone().into_text().into()));
                    }
                    _ => rest.push((name.clone(), value.clone())),
                }
            }
        }
        Some(other) => return Summary { prose, files: lists(names, Some(other.into())) },
        None => {}
    }
    let rest = (!rest.is_empty()).then_some(Value::Made(Json::Object(rest)));
    Summary { prose, files: lists(names, rest) }
}

/// The tagged list that ends the text: which, what is before it, its lines.
fn last_list(text: &str) -> Option<(usize, &str, &str)> {
    let text = text.trim_end();
    LISTS.iter().enumerate().find_map(|(nth, (tag, ..))| {
        let body = text.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")?;
        let (before, list) = body.rsplit_once(&format!("<{tag}>\n"))?;
        // A tag within a line is prose about tags.
        let is_own_line = before.is_empty() || before.ends_with('\n');
        let is_ended = list.is_empty() || list.ends_with('\n');
        (is_own_line && is_ended).then_some((nth, before, list))
    })
}

fn lists(names: [Vec<String>; 2], rest: Option<Value<'_>>) -> Content<'_> {
    let mut content = Content::new();
    for (names, (_, _, words)) in names.into_iter().zip(LISTS) {
        let mut seen = HashSet::new();
        let names: Vec<String> =
            names.into_iter().filter(|name| seen.insert(name.clone())).collect();
        if !names.is_empty() {
            content.push(Part::Line(Line::listed(words, names)));
        }
    }
    if let Some(rest) = rest {
        content.fold("Details", Part::Value(rest).into());
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str, details: &str) -> (String, String) {
        let details: Option<Json<'_>> = serde_json::from_str(details).ok();
        let summary = of(text, details.as_ref());
        let words = |part: &Part<'_>| match part {
            Part::Line(line) => {
                let own = line.spans.iter().filter(|span| !span.is_own);
                own.map(|span| span.text.as_ref()).collect()
            }
            Part::Fold(fold) => fold.content.parts().iter().map(value).collect(),
            other => panic!("{other:?}"),
        };
        let words: Vec<String> = summary.files.parts().iter().map(words).collect();
        (summary.prose.to_owned(), words.join("\n"))
    }

    fn value(part: &Part<'_>) -> String {
        let Part::Value(value) = part else { panic!("{part:?}") };
        value.json().compact()
    }

    #[test]
    fn lists_in_text_and_facts_are_shown_once() {
        let text = "Done.\n\n<read-files>\na.rs\nb.rs\n</read-files>\n\n<modified-files>\nc.rs\n</modified-files>\n";
        let details = r#"{"readFiles":["b.rs","d.rs"],"modifiedFiles":["c.rs"]}"#;
        assert_eq!(
            files(text, details),
            ("Done.\n\n".to_owned(), "a.rs, b.rs, d.rs\nc.rs".to_owned())
        );
        assert_eq!(files(text, "").1, "a.rs, b.rs\nc.rs");
        assert_eq!(files("Done.", details).1, "b.rs, d.rs\nc.rs");
        assert_eq!(files("<read-files>\n</read-files>", "{}"), (String::new(), String::new()));
    }

    #[test]
    fn what_is_no_list_stays() {
        for text in [
            "</read-files>",
            "<read-files>a</read-files>",
            "about <read-files>\na\n</read-files>",
            "<read-files>\na\n</modified-files>",
            "<read-files>\na\n</read-files> and more",
        ] {
            assert_eq!(files(text, ""), (text.to_owned(), String::new()));
        }
        for details in ["[1]", "\"x\"", r#"{"readFiles":"x"}"#, r#"{"readFiles":[],"other":[1]}"#] {
            assert!(!files("", details).1.is_empty(), "{details}");
        }
        assert_eq!(files("", r#"{"readFiles":[1,{"a":2}]}"#).1, "1, {\"a\":2}");
    }
}
