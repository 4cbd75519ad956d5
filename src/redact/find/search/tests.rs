use super::*;
use crate::redact::Rules;

/// What literals, names and disguises are made of, over and over.
#[rustfmt::skip]
const REPEATED: &[&str] = &[
    "password=", "password = ", "password: x ", "token:", "token=", "a_token=1&", "password=\"", "password='\\\"",
    "Authorization: Bearer ", "authorization=bearer=", "basic ", "auth_", "auth=", "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nA: ", "://a:", "://a:b", "AKIA", "sk-ant-", "glpat-", "eyJ-", "eyJaaaaaaaaaaaaaaa.",
    "xoxb-", "QUJDRA", "SGVsbG8gd29ybGQg", "\\", "\\u005c", "\\\\u005cu005c", "\\n", "cookie:", "cookie: a=b; ", "curl -u a:",
    "%25", "&amp;", "a**", "&#38;", "\u{1b}[", "\u{1b}]", "[redacted:password #1]", "[redacted:", "0Q~", ":AA", "-us",
    "{\"token\":\"", "login password ", "token=a ", "kubectl create secret ", "secret_key = get(", "api_key=\n",
    "sk-ant-api03-", "sk-ant-api03-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh\n",
    "sk-ant-api03-abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd\n", "kind: Secret\n", "kind: Secret\ndata:\n", "kind: Secret\ndata:\n  a: b\n",
    "kind: Secret\ndata:\n  a: c2Vq\n", "{\"kind\":\"Secret\",\"data\":{\"a\":\"c2Vq\"}},",
];

/// A quadratic search reads thousands of bytes for each byte of such texts.
#[test]
fn literals_that_stand_close_together_cost_little() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    for part in REPEATED {
        let text = part.repeat(60_000 / part.len());
        let lines: Vec<&str> =
            text.as_bytes().chunks(97).filter_map(|line| std::str::from_utf8(line).ok()).collect();
        for text in [&text, &lines.join("\n")] {
            let mut search = Search::new(&scanner, None);
            search.run(text, 0);
            assert!(
                search.read < 250 * text.len(),
                "{part:?}: {} bytes a byte",
                search.read / text.len()
            );
        }
    }
}

/// A name that stands once more at once, in one long word, or among the arguments of its own
/// program; cookies that were judged; what no value can follow.
#[test]
fn what_was_read_in_vain_is_not_read_again() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    #[rustfmt::skip]
    let parts = [
        "password=", "pwd: ", "password=\"", "aes_key=\n", "cookie: a=b; ", "auth_", "_auth", "-u ", "--user ",
        "curl -u a:", "zip -P x ",
    ];
    for part in parts {
        let text = part.repeat(60_000 / part.len());
        let mut search = Search::new(&scanner, None);
        search.run(&text, 0);
        assert!(search.read < 4 * text.len(), "{part:?}: {} bytes", search.read);
    }
}

/// Each of the many views of a text shows the base64 in it, and so on within it.
#[test]
fn base64_is_looked_into_once() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut text = "password=x ".repeat(40);
    for _ in 0..4 {
        let wrapped = data_encoding::BASE64.encode(text.as_bytes());
        text = format!("{} %25 &amp; \u{1b}[1m {wrapped}", "\\".repeat(64));
    }
    let mut search = Search::new(&scanner, None);
    search.run(&text, 0);
    assert!(search.wrapped.len() <= 4, "{}", search.wrapped.len());
}
