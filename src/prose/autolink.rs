//! Bare addresses in a text, as GitHub links them.

use std::borrow::Cow;

use linkify::{Link, LinkFinder, LinkKind};

use crate::link;

/// A piece of a text: as it is, or with the address it stands for.
#[derive(Debug, PartialEq)]
pub(super) struct LinkPiece<'t> {
    pub(super) text: &'t str,
    pub(super) url: Option<Cow<'t, str>>,
}

/// The pieces of a text in order; together they are the text.
pub(super) fn pieces(text: &str) -> Vec<LinkPiece<'_>> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    let mut from = 0;
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    let may_link = text.contains("://") || text.contains("www.") || text.contains('@');
    while let Some(found) = finder.links(&text[from..]).next().filter(|_| may_link) {
        let start = from + found.start();
        let Some((skipped, address, url)) = address(&found) else {
            from += found.end();
            continue;
        };
        let start = start + skipped;
        from = start + address.len();
        push_plain(&mut pieces, &text[plain..start]);
        pieces.push(LinkPiece { text: address, url: Some(url) });
        plain = from;
    }
    push_plain(&mut pieces, &text[plain..]);
    pieces
}

fn push_plain<'t>(pieces: &mut Vec<LinkPiece<'t>>, text: &'t str) {
    if !text.is_empty() {
        pieces.push(LinkPiece { text, url: None });
    }
}

/// What of a find is an address here: what to skip, its text, where it leads.
fn address<'t>(found: &Link<'t>) -> Option<(usize, &'t str, Cow<'t, str>)> {
    let text = found.as_str();
    if *found.kind() == LinkKind::Email {
        return email(text);
    }
    if let Some(at) = text.find("://") {
        let address = trimmed(text);
        let is_link = address.len() > at + 3 && link::is_safe(address);
        return is_link.then_some((0, address, Cow::Borrowed(address)));
    }
    // Letters of a language without blanks may stand right before.
    let skipped = text.find("www.").filter(|at| !text[..*at].bytes().any(|b| b.is_ascii()))?;
    let address = trimmed(&text[skipped..]);
    let has_domain = address["www.".len()..].contains('.');
    has_domain.then(|| (skipped, address, Cow::Owned(format!("http://{address}"))))
}

fn email(text: &str) -> Option<(usize, &str, Cow<'_, str>)> {
    let is_local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    let at = text.find('@')?;
    let skipped = text[..at]
        .rfind(|c| !is_local(c))
        .map_or(0, |last| last + text[last..].chars().next().map_or(0, char::len_utf8));
    let end = text[at + 1..].find(|c: char| !c.is_ascii()).map_or(text.len(), |end| at + 1 + end);
    let address = text[skipped..end].trim_end_matches(['.', '-', '_']);
    let domain = address.get(at + 1 - skipped..)?;
    let is_email = skipped < at && domain.contains('.');
    is_email.then(|| (skipped, address, Cow::Owned(format!("mailto:{address}"))))
}

/// Without the punctuation of the sentence around it. That of Chinese and
/// Japanese ends an address wherever it stands, since no blank follows it.
fn trimmed(text: &str) -> &str {
    let is_full_width = |c: char| matches!(c, '\u{2018}'..='\u{201f}' | '\u{2026}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}');
    let end = text.find(is_full_width).unwrap_or(text.len());
    text[..end].trim_end_matches(['?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses found, each as `text → url`.
    fn found(text: &str) -> Vec<String> {
        let pieces = pieces(text);
        let whole: String = pieces.iter().map(|piece| piece.text).collect();
        assert_eq!(whole, text);
        pieces
            .iter()
            .filter_map(|piece| Some(format!("{} → {}", piece.text, piece.url.as_ref()?)))
            .collect()
    }

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        for (text, url) in [
            ("see https://example.org/a_b(c)?d=1#e.", "https://example.org/a_b(c)?d=1#e"),
            ("(https://example.org/a)", "https://example.org/a"),
            ("\"http://example.org\",", "http://example.org"),
            ("见https://example.org/x，然后", "https://example.org/x"),
            ("「https://example.org」", "https://example.org"),
            ("https://zh.example.org/北京", "https://zh.example.org/北京"),
            ("http://localhost:8080/x", "http://localhost:8080/x"),
        ] {
            assert_eq!(found(text), [format!("{url} → {url}")]);
        }
        assert_eq!(found("https://a.org/1，https://b.org/2").len(), 2);
    }

    #[test]
    fn www_and_mail_get_their_scheme() {
        assert_eq!(found("www.example.org/x."), ["www.example.org/x → http://www.example.org/x"]);
        assert_eq!(found("详见www.example.org"), ["www.example.org → http://www.example.org"]);
        assert_eq!(
            found("mail ann+x@example.org."),
            ["ann+x@example.org → mailto:ann+x@example.org"]
        );
        assert_eq!(found("邮箱a@b.org，好"), ["a@b.org → mailto:a@b.org"]);
    }

    #[test]
    fn names_of_files_and_foreign_schemes_are_no_links() {
        for text in [
            "main.rs and example.org",
            "javascript://x.org/%0aalert(1)",
            "file:///etc/passwd",
            "ftp://example.org",
            "user@localhost",
            "git@github.com:a/b.git is mail"[..3].trim(),
            "www.",
            "http://",
            "://",
            "@",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
