//! Links of an untrusted author: a short list of addresses, one markup, and the
//! real host beside a text that names another.

use crate::html::Html;
use crate::session::invisible::{Piece, pieces};

/// `http` and `https` to a plain host, `mailto`, and places within the page; whatever a browser
/// would skip in a scheme (blanks, control characters) makes a link unsafe.
pub(crate) fn is_safe(url: &str) -> bool {
    (url.starts_with('#') || host_of(url).is_some()) && !url.chars().any(char::is_control)
}

/// Opens a link and gives the markup that closes it. One that may not be
/// followed keeps its text, with where it would lead as a hint.
pub(crate) fn open(html: &mut Html, url: &str) -> &'static str {
    open_titled(html, url, "")
}

/// The same with a title, which shows as a hint.
pub(crate) fn open_titled(html: &mut Html, url: &str, title: &str) -> &'static str {
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

/// A whole link, of nothing but a text.
pub(crate) fn push(html: &mut Html, text: &str, url: &str) {
    let close = open(html, url);
    html.push_text(text);
    html.push_markup(close);
    push_real_host(html, text, url);
}

/// Says beside a link where it leads, if its text makes a reader think of another
/// host. Comes after the link's end.
pub(crate) fn push_real_host(html: &mut Html, text: &str, url: &str) {
    if let Some(host) = real_host(text, url) {
        html.push_markup(
            "<span class=\"real-host\" data-ui title=\"Where this link really leads\">",
        );
        html.push_text(host);
        html.push_markup("</span>");
    }
}

/// Where a link leads, if its text names another host.
fn real_host<'a>(text: &str, url: &'a str) -> Option<&'a str> {
    let may_name_one = text.contains('.') || text.contains("://");
    if text == url || !may_name_one || !is_safe(url) {
        return None;
    }
    let real = host_of(url)?;
    let seen: String = pieces(text)
        .filter_map(|piece| match piece {
            Piece::Seen(seen) => Some(seen),
            Piece::Invisible(_) => None,
        })
        .collect();
    seen.split_whitespace()
        .filter_map(named_host)
        .any(|named| !is_same_host(named, real))
        .then_some(real)
}

/// The host that a browser goes to, or the domain that a mail goes to, as it is written there.
///
/// Only hosts that every browser reads as they are written: other scripts have letters that look like ASCII ones, and
/// a `\`, a name before an `@` or an escape makes the host another than the one that a reader sees.
fn host_of(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once(':')?;
    let host = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => {
            let after = rest.strip_prefix("//")?;
            without_port(&after[..authority_length(after)])
        }
        "mailto" => rest[..authority_length(rest)].rsplit_once('@')?.1,
        _ => return None,
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    (!host.is_empty() && host.bytes().all(is_plain)).then_some(host)
}

/// What a word of a text names as host to who reads it, as it is written there.
fn named_host(word: &str) -> Option<&str> {
    if let Some((_, after)) = word.split_once("://") {
        let authority = &after[..authority_length(after)];
        // The name before an `@` is what a reader sees first, but it leads nowhere.
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let user = user.split(':').next().unwrap_or_default();
        let named = if user.contains('.') { user } else { host };
        return Some(without_port(named)).filter(|named| !named.is_empty());
    }
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.rsplit_once('@').map_or(word, |(_, domain)| domain);
    let end = authority_length(word);
    let host = without_port(&word[..end]);
    let (_, ending) = host.rsplit_once('.')?;
    let is_name = host.split('.').all(|label| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    });
    let is_domain = is_domain_ending(ending)
        || host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
        || end < word.len() && ending.len() > 1 && ending.chars().all(char::is_alphabetic);
    (is_name && is_domain).then_some(host)
}

/// Endings of domains that are hardly ever those of files: `main.rs`, `build.sh`
/// and `notes.md` name no host.
fn is_domain_ending(ending: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ai", "app", "at", "au", "be", "biz", "br", "ca", "ch", "cloud", "cn", "co", "com", "cz",
        "de", "dev", "dk", "edu", "es", "eu", "fi", "fr", "gov", "ie", "il", "info", "int", "io",
        "it", "jp", "kr", "mil", "net", "nl", "no", "nz", "online", "org", "pt", "ru", "se",
        "shop", "site", "tech", "tr", "tv", "ua", "uk", "us", "xyz", "za",
    ];
    // A top level in another script is a domain's for certain.
    !ending.is_ascii() || ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

fn authority_length(after_slashes: &str) -> usize {
    after_slashes.find(['/', '?', '#']).unwrap_or(after_slashes.len())
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Whether a name as written is that of a host, `www.` aside.
fn is_same_host(named: &str, host: &str) -> bool {
    let bare = |host: &str| {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    };
    bare(named) == bare(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_names_another_host_is_found_out() {
        for (text, url, host) in [
            ("https://github.com/x", "https://evil.example/y", "evil.example"),
            ("github.com", "https://evil.example", "evil.example"),
            ("GitHub.com/login", "https://evil.example", "evil.example"),
            ("www.github.com", "https://github.com.evil.example", "github.com.evil.example"),
            ("see docs.rs/tokio for more", "https://evil.example", "evil.example"),
            ("(https://github.com)", "http://evil.example", "evil.example"),
            ("git\u{200b}hub.com", "https://evil.example", "evil.example"),
            ("\u{430}pple.com", "https://xn--pple-43d.com", "xn--pple-43d.com"),
            ("help@bank.com", "mailto:thief@evil.example?subject=x", "evil.example"),
            ("bank.com", "http://2130706433/", "2130706433"),
            ("http://localhost/", "http://evil.example/", "evil.example"),
        ] {
            assert_eq!(real_host(text, url), Some(host), "{text} {url}");
        }
    }

    #[test]
    fn a_text_that_names_its_own_host_or_none_needs_nothing() {
        for (text, url) in [
            ("https://github.com/x", "https://github.com/x"),
            ("github.com/x", "https://www.github.com/x"),
            ("WWW.GitHub.com.", "http://github.com:80/"),
            ("the pull request", "https://evil.example"),
            ("src/main.rs", "https://github.com/x/blob/main/src/main.rs"),
            ("main.rs:12", "https://github.com/x"),
            ("README.md, build.sh and v1.2.3", "https://github.com/x"),
            ("e.g. this", "https://github.com/x"),
            ("ann@example.org", "mailto:ann@example.org"),
            ("https://github.com", "#entry-1"),
            ("https://github.com", "javascript:alert(1)"),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
            ("http://127.1/", "http://127.1/"),
            ("https://github.com/a\u{200d}b", "https://github.com/a"),
            ("...", "https://github.com"),
            ("", "https://github.com"),
        ] {
            assert_eq!(real_host(text, url), None, "{text} {url}");
        }
    }

    #[test]
    fn the_host_stands_beside_the_link() {
        let mut html = Html::new();
        push_real_host(&mut html, "github.com", "https://x.example/");
        assert_eq!(
            html.as_str(),
            "<span class=\"real-host\" data-ui title=\"Where this link really leads\">x.example</span>"
        );
    }

    #[test]
    fn only_a_few_schemes_and_plain_hosts_are_followed() {
        for url in [
            "https://example.org/x",
            "HTTP://example.org",
            "http://localhost:8080?é=@\\",
            "http://127.0.0.1:80#x",
            "mailto:a@b.org?subject=x",
            "#entry-1",
        ] {
            assert!(is_safe(url), "{url}");
        }
        for url in [
            "",
            "javascript:alert(1)",
            "java\nscript:x",
            " https://example.org",
            "//evil.example",
            "https:evil.example",
            "https:///evil.example",
            "https://",
            "https://:80",
            "file:///etc/passwd",
            "https\u{7f}://x",
            "https://x/\u{1}",
            "ütf8-é",
            "https://\u{430}pple.com",
            "https://github.com@evil.example",
            "https://a.org:443@evil.example/",
            "https://evil.example\\@github.com",
            "https://%65vil.example",
            "https://a\u{200b}b.example",
            "http://[::1]:80/",
            "https://x:80a/",
            "mailto:thief%40evil.example",
            "mailto:a@\u{430}pple.com",
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
