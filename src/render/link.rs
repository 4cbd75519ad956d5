//! Links of an untrusted author: a short list of addresses, one markup.

use super::html::Html;

/// `http`, `https`, `mailto` and places within the page; whatever a browser
/// would skip in a scheme (blanks, control characters) makes a link unsafe.
pub(super) fn is_safe(url: &str) -> bool {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let known =
        ["http://", "https://", "mailto:", "#"].iter().any(|scheme| lower.starts_with(scheme));
    known && !url.chars().any(char::is_control)
}

/// Opens a link and gives the markup that closes it. One that may not be
/// followed keeps its text, with where it would lead as a hint.
pub(super) fn open(html: &mut Html, url: &str) -> &'static str {
    open_titled(html, url, "")
}

/// The same with a title, which shows as a hint.
pub(super) fn open_titled(html: &mut Html, url: &str, title: &str) -> &'static str {
    let is_safe = is_safe(url);
    html.push_markup(if is_safe { "<a href=\"" } else { "<span class=\"dead-link\" title=\"" });
    html.push_text(url);
    if !title.is_empty() {
        html.push_markup(if is_safe { "\" title=\"" } else { " " });
        html.push_text(title);
    }
    html.push_markup(if is_safe { "\" rel=\"noopener noreferrer nofollow\">" } else { "\">" });
    if is_safe { "</a>" } else { "</span>" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_few_schemes_are_followed() {
        for url in ["https://example.org/x", "HTTP://example.org", "mailto:a@b.org", "#entry-1"] {
            assert!(is_safe(url), "{url}");
        }
        for url in [
            "",
            "javascript:alert(1)",
            "java\nscript:x",
            "//evil.example",
            "file:///etc/passwd",
            "https\u{7f}://x",
            "https://x/\u{1}",
            "ütf8-é",
        ] {
            assert!(!is_safe(url), "{url}");
        }
    }

    #[test]
    fn an_address_cannot_leave_its_attribute() {
        let mut html = Html::new();
        assert_eq!(open(&mut html, "https://x/\"><script>"), "</a>");
        assert!(!html.as_str().contains("<script>"), "{html}");
        let mut html = Html::new();
        assert_eq!(open(&mut html, "file:///\"onclick=x"), "</span>");
        assert_eq!(html.as_str(), "<span class=\"dead-link\" title=\"file:///&quot;onclick=x\">");
    }
}
