//! Kinds of files: JSON lines, one document, text, pictures and the rest.

use leafpress::redact::{Redactor, Rules};

use crate::fixture::Letters;

fn github() -> String {
    Letters::new(1).fill("ghp_{{alnum:36}}")
}

fn redact(bytes: &[u8]) -> (Vec<u8>, Redactor) {
    let mut redactor = Redactor::new(&Rules::new()).unwrap();
    redactor.learn(bytes);
    (redactor.file(bytes), redactor)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(redact(bytes).0).unwrap()
}

#[test]
fn layout_stays() {
    let token = github();
    let line = format!(
        "{{ \"a\" : 1.50e+03 ,\t\"b\\u00e9\": [ \"x\\/y {token} \\ud83d\\ude00\\ud800\" ] }}\r\n\n  [1e999, -0]\n"
    );
    assert_eq!(text(line.as_bytes()), line.replace(&token, "[redacted:github-token #1]"));
}

#[test]
fn a_document_stays_a_document() {
    let token = github();
    let document =
        format!("{{\n  \"token\": \"{token}\",\n  \"list\": [\n    \"{token}\"\n  ]\n}}\n");
    assert_eq!(text(document.as_bytes()), document.replace(&token, "[redacted:github-token #1]"));
}

#[test]
fn damaged_lines_with_secrets_are_left_blank_and_counted() {
    let token = github();
    let torn = format!("{{\"a\":\"{token}");
    let file = format!("{{\"a\":1}}\n{torn}\n{{\"torn\":\"no secret\n{{\"b\":\"{token}\"}}");
    let (new, redactor) = redact(file.as_bytes());
    let expected = "{\"a\":1}\n\n{\"torn\":\"no secret\n{\"b\":\"[redacted:github-token #1]\"}";
    assert_eq!(String::from_utf8(new).unwrap(), expected);
    let report = redactor.report();
    assert_eq!((report.lines_dropped, report.bytes_dropped), (1, torn.len()));
}

#[test]
fn a_secret_of_a_damaged_line_is_known_elsewhere() {
    let password = Letters::new(2).fill("{{alnum:14}}");
    let file = format!("{{\"a\":1}}\n{{\"b\":\"{password}\"}}\n{{\"password\":\"{password}\n");
    assert_eq!(text(file.as_bytes()), "{\"a\":1}\n{\"b\":\"[redacted:password #1]\"}\n\n");
}

#[test]
fn lines_that_are_no_utf_8() {
    let token = github();
    let file =
        [b"plain \xff bytes\n".as_slice(), b"token \xff ", token.as_bytes(), b"\nend\n"].concat();
    let (new, redactor) = redact(&file);
    assert_eq!(new, b"plain \xff bytes\n\nend\n");
    assert_eq!(redactor.report().lines_dropped, 1);
}

#[test]
fn text_with_some_json_is_text() {
    let token = github();
    let log = format!("starting\nload ok\n{{\"level\":\"info\"}}\nusing {token}\ndone\n");
    assert_eq!(text(log.as_bytes()), log.replace(&token, "[redacted:github-token #1]"));
}

#[test]
fn pictures_stay_and_other_binaries_go() {
    let token = github();
    let picture = [b"\x89PNG\r\n\x1a\n\0\0", token.as_bytes()].concat();
    let (new, redactor) = redact(&picture);
    assert_eq!(new, picture);
    assert_eq!(redactor.report().pictures, 1);
    let binary = [b"SQLite format 3\0\x10\0\x01", token.as_bytes()].concat();
    let (new, redactor) = redact(&binary);
    assert_eq!(new, b"");
    let report = redactor.report();
    assert_eq!((report.files_dropped, report.bytes_dropped), (1, binary.len()));
}

#[test]
fn nesting_costs_no_stack() {
    let depth = 200_000;
    let token = github();
    let file = format!("{}\"{token}\"{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(text(file.as_bytes()), file.replace(&token, "[redacted:github-token #1]"));
}

#[test]
fn the_report_counts_values_and_places_and_tells_none() {
    let token = github();
    let file = format!(
        "{{\"a\":\"{token} {token}\",\"password\":\"{}\"}}\n",
        Letters::new(3).fill("{{alnum:14}}")
    );
    let (_, redactor) = redact(file.as_bytes());
    let report = serde_json::to_value(redactor.report()).unwrap();
    let rules = serde_json::json!([
        {"rule": "github-token", "values": 1, "places": 2},
        {"rule": "password", "values": 1, "places": 1},
    ]);
    assert_eq!(report["rules"], rules);
    assert!(!report.to_string().contains(&token[4..]));
}

#[test]
fn findings_say_where() {
    let scanner = leafpress::redact::Scanner::new(&Rules::new()).unwrap();
    let line =
        format!("{{\"message\":{{\"content\":[1,{{\"text\":\"my token {} here\"}}]}}}}", github());
    let findings = serde_json::to_value(scanner.scan_json(&line)).unwrap();
    let expected = serde_json::json!([{"rule": "github-token", "path": "message.content[1].text", "context": "my token ghp_… here"}]);
    assert_eq!(findings, expected);
}
