//! The elements, attributes and addresses that markup of ours is made of.

/// The elements that a fragment is made of.
const ELEMENTS: &[&str] = &[
    "a",
    "article",
    "b",
    "blockquote",
    "br",
    "button",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "img",
    "ins",
    "nav",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "time",
    "tr",
    "ul",
    // Of formulas.
    "annotation",
    "math",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "semantics",
];

/// The attributes of those elements.
const ATTRIBUTES: &[&str] = &[
    "alt",
    "aria-current",
    "aria-hidden",
    "aria-label",
    "class",
    "data-call",
    "data-ended",
    "data-go-to",
    "data-landmark",
    "data-more",
    "data-outcome",
    "data-context",
    "data-turn-role",
    "data-run",
    "data-steps",
    "data-call-id",
    "aria-expanded",
    "data-kind",
    "data-lang",
    "data-lead",
    "data-mark",
    "dir",
    "data-replacement",
    "data-picture",
    "data-results",
    "data-state",
    "data-ui",
    "datetime",
    "hidden",
    "height",
    "href",
    "id",
    "open",
    "rel",
    "src",
    "start",
    "tabindex",
    "title",
    "type",
    "value",
    "width",
    // Of formulas.
    "columnalign",
    "columnspacing",
    "depth",
    "display",
    "displaystyle",
    "encoding",
    "form",
    "largeop",
    "linethickness",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "scriptlevel",
    "separator",
    "stretchy",
];

/// Element names and `(name, value)` attributes of well-formed markup.
fn tags(markup: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut tags = Vec::new();
    let mut rest = markup;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let mut quoted = false;
        let end = rest
            .find(|c| {
                quoted ^= c == '"';
                c == '>' && !quoted
            })
            .expect("a tag that ends");
        let (tag, after) = rest.split_at(end);
        rest = &after[1..];
        let name_end = tag[1..].find([' ', '/']).map_or(tag.len(), |at| at + 1);
        let (name, attributes) = tag.split_at(name_end);
        tags.push((name.trim_start_matches('/').to_owned(), attribute_list(attributes)));
    }
    tags
}

fn attribute_list(mut text: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    loop {
        text = text.trim_start_matches([' ', '/', '\n']);
        if text.is_empty() {
            return list;
        }
        let name_end = text.find(['=', ' ']).unwrap_or(text.len());
        let (name, rest) = text.split_at(name_end);
        let value = rest
            .strip_prefix("=\"")
            .map_or("", |rest| &rest[..rest.find('"').expect("a quoted value")]);
        text = rest.strip_prefix("=\"").map_or(rest, |rest| &rest[value.len() + 1..]);
        list.push((name.to_owned(), value.to_owned()));
    }
}

/// What in the markup no page of ours needs; nothing when all is well.
pub(crate) fn foreign(markup: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, attributes) in tags(markup) {
        if !ELEMENTS.contains(&name.as_str()) {
            found.push(format!("<{name}>"));
        }
        for (attribute, value) in attributes {
            let lower = value.to_ascii_lowercase();
            let is_safe = ATTRIBUTES.contains(&attribute.as_str())
                && match attribute.as_str() {
                    "href" => ["http://", "https://", "mailto:", "#", "?leafid="]
                        .iter()
                        .any(|start| lower.starts_with(start)),
                    "dir" => matches!(value.as_str(), "auto" | "rtl" | "ltr"),
                    "src" => value.starts_with("data:image/"),
                    _ => true,
                };
            if !is_safe {
                found.push(format!("{attribute}={value:?}"));
            }
        }
    }
    found
}

/// Characters that turn the text around them or hide, outside of the marks that stand for them;
/// nothing when all is well.
pub(crate) fn unmarked(markup: &str) -> Vec<char> {
    let mut outside = String::new();
    let mut rest = markup;
    while let Some((before, mark)) = rest.split_once("<span class=\"unseen\"") {
        outside.push_str(before);
        rest = mark.split_once("</span>").expect("a mark ends").1;
    }
    outside.push_str(rest);
    // The page writes no such references but those within marks.
    let references = (0x2028..=0x202e).chain(0x2060..=0x206f).chain([0x200e, 0x200f, 0x61c]);
    let references = references.filter(|code| {
        outside.contains(&format!("&#{code};")) || outside.contains(&format!("&#x{code:x};"))
    });
    let referred: Vec<char> = references.filter_map(char::from_u32).collect();
    outside.chars().filter(|c| turns_or_hides(*c)).chain(referred).collect()
}

/// Those that a reader does not see, or only as part of an emoji or of a script that needs them.
pub(crate) fn is_unseen(c: char) -> bool {
    turns_or_hides(c)
        || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Those that no text needs for anything to be seen.
fn turns_or_hides(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{ad}' | '\u{3164}' | '\u{ffa0}' | '\u{e0001}')
        || c.is_control() && !matches!(c, '\n' | '\t' | '\r')
}
