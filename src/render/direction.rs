//! The direction in which blocks of a text are written.
//!
//! A block says `dir="auto"`, and the browser takes its first letter that has a direction. A list, a quotation or a
//! table would pass over blocks that say so themselves, so its direction is found here. A text without a letter that is
//! written from right to left is left as it is: it costs nothing.

/// What a text's own markup begins with, by the name of the tag: blocks of words.
const BLOCKS: [&str; 10] = ["p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"];

/// And what holds blocks. The box of a table decides for it: it stands on the side where the table begins.
const HOLDERS: [&str; 3] = ["ul", "ol", "blockquote"];
const TABLE: &str = " class=\"table\">";

/// The first letter with a direction stands within so many characters, or the direction is that of the page.
const REACH: usize = 2000;

/// The same markup with directions. It has no tags but those of the Markdown writer: words are escaped in it.
pub(super) fn with_directions(html: String) -> String {
    if !html.chars().any(is_from_right) {
        return html;
    }
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html.as_str();
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let name = &tag[..end];
        out.push_str(&rest[..at + 1 + end]);
        if BLOCKS.contains(&name) {
            out.push_str(" dir=\"auto\"");
        } else if (HOLDERS.contains(&name) || name == "div" && tag[end..].starts_with(TABLE))
            && begins_from_right(&tag[end..])
        {
            out.push_str(" dir=\"rtl\"");
        }
        rest = &tag[end..];
    }
    out + rest
}

/// Whether the first letter that has a direction is written from right to left.
fn begins_from_right(html: &str) -> bool {
    // It begins within a tag.
    let (mut in_tag, mut in_reference) = (true, false);
    for c in html.chars().take(REACH) {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '&' => in_reference = true,
            ';' if in_reference => in_reference = false,
            _ if in_tag || in_reference => {}
            c if is_from_right(c) => return true,
            c if c.is_alphabetic() => return false,
            _ => {}
        }
    }
    false
}

/// Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and their kin.
// The blocks whose characters have the classes R and AL: Unicode Bidirectional Algorithm, DerivedBidiClass.txt.
fn is_from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> String {
        with_directions(html.to_owned())
    }

    #[test]
    fn a_text_from_left_to_right_stays_as_it_is() {
        for html in ["<p>a &amp; b</p>", "<ul>\n<li>潮 1</li>\n</ul>", "<p>é</p>"] {
            assert_eq!(of(html), html);
        }
    }

    #[test]
    fn blocks_find_their_direction_and_lists_have_that_of_their_first_letter() {
        assert_eq!(of("<p>שלום</p>"), "<p dir=\"auto\">שלום</p>");
        assert_eq!(
            of("<ul>\n<li>1. <code>!</code> مرحبا</li>\n<li>b</li>\n</ul>"),
            "<ul dir=\"rtl\">\n<li dir=\"auto\">1. <code>!</code> مرحبا</li>\n<li dir=\"auto\">b</li>\n</ul>"
        );
        assert_eq!(
            of("<blockquote>\n<p>a &lt; א</p>\n</blockquote>"),
            "<blockquote>\n<p dir=\"auto\">a &lt; א</p>\n</blockquote>"
        );
        assert_eq!(
            of("<blockquote>\n<p>&lt;&gt; א</p>\n</blockquote>"),
            "<blockquote dir=\"rtl\">\n<p dir=\"auto\">&lt;&gt; א</p>\n</blockquote>"
        );
        assert_eq!(
            of("<div class=\"table\"><table><thead><tr><th>א</th><td class=\"end\">b</td></tr>"),
            "<div dir=\"rtl\" class=\"table\"><table><thead><tr><th dir=\"auto\">א</th><td dir=\"auto\" class=\"end\">b</td></tr>"
        );
        assert_eq!(
            of("<pre class=\"code\"><code>א</code></pre>"),
            "<pre class=\"code\"><code>א</code></pre>"
        );
    }
}
