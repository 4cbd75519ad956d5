//! Kinds of files: JSON lines, one document, text, pictures and the rest.

use leafpress::redact::{Redactor, Rules};

use crate::redact::fixture::Letters;

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

/// The entries of a session, with and without redaction.
fn both_ways(source: &[u8]) -> [Result<Vec<(String, String)>, String>; 2] {
    let options = leafpress::format::ReadOptions::default();
    let entries = |session: leafpress::Session| {
        session
            .indices()
            .map(|at| (session.id(at).unwrap().to_owned(), session.raw(at).unwrap().to_owned()))
            .collect()
    };
    let plain = leafpress::format::read_with(source.to_vec(), None, &options);
    let redacted = leafpress::redact::read(source.to_vec(), None, &options, &Rules::new());
    [
        plain.map(entries).map_err(|error| error.to_string()),
        redacted.map(|(session, _)| entries(session)).map_err(|error| error.to_string()),
    ]
}

#[test]
fn whatever_is_read_is_read_when_it_is_redacted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let of = |folder: &str| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = ["damaged", "samples", "samples/codex", "samples/chimera", "samples/pi-harness"];
    let files = files.iter().flat_map(|name| of(folder.join(name).to_str().unwrap()));
    for path in files.filter(|path| path.is_file()) {
        let source = std::fs::read(&path).unwrap();
        let zeros = [&b"\0\0\0\0\n"[..], &source, b"\0\0"].concat();
        let odd = [&b"\x01\x02\xe2\n"[..], &source, b"\xe9"].concat();
        let one_line: Vec<u8> =
            source.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
        let first_lines_lost = [b"{lost\n".repeat(40).as_slice(), &source].concat();
        for file in [source, zeros, odd, one_line, first_lines_lost] {
            let [plain, redacted] = both_ways(&file);
            assert_eq!(plain, redacted, "{}", path.display());
        }
    }
}

#[test]
fn a_few_bytes_of_a_session_are_no_binary() {
    let file = b"\0\n{\"\":\"\",\"id\":\"c\",\"\":\"\",\"\":[\"\"]}\xe2'";
    let [plain, redacted] = both_ways(file);
    assert_eq!(plain.as_ref().map(Vec::len), Ok(1));
    assert_eq!(plain, redacted);
}

#[test]
fn lines_that_the_reader_repairs_are_redacted_and_kept() {
    let token = github();
    let mark = "[redacted:github-token #1]";
    let escape = format!("{{\"a\":1}}\n{{\"b\":\"\\* {token}\"}}\n");
    assert_eq!(text(escape.as_bytes()), format!("{{\"a\":1}}\n{{\"b\":\"\\\\* {mark}\"}}\n"));
    let glued = format!("{{\"a\":1}}\n{{\"b\":\"{token}\"}}{{\"c\":2}}\n");
    assert_eq!(text(glued.as_bytes()), format!("{{\"a\":1}}\n{{\"b\":\"{mark}\"}}{{\"c\":2}}\n"));
    let one_line = format!("{{\"a\":1}}\r{{\"b\":\"{token}\"}}\r");
    assert_eq!(text(one_line.as_bytes()), format!("{{\"a\":1}}{{\"b\":\"{mark}\"}}\r"));
    let nul = format!("{{\"b\":\"\0 {token}\"}}\n");
    assert_eq!(text(nul.as_bytes()), format!("{{\"b\":\"\\u0000 {mark}\"}}\n"));
}
