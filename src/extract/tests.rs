use std::fmt::Write as _;

use crate::page::wire::packed;
use crate::session::Child;
use crate::{Options, Session, export};

use super::*;

fn page_of(session: &Session) -> String {
    let mut page = Vec::new();
    export(session, &Options::default(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// A session of so many entries, its last line torn or not.
fn session(entries: usize, end: &str) -> Session {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    for nth in 0..entries {
        let text = "tide ".repeat(nth % 97);
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\r"
        );
    }
    crate::read((file + end).into_bytes()).unwrap()
}

/// A file of so many newlines, none of its lines in a pack.
fn source(newlines: usize, chunks: &[(usize, String)]) -> String {
    let chunks =
        chunks.iter().map(|(first, data)| format!("{{\"first\":{first},\"data\":\"{data}\"}}"));
    let chunks = chunks.collect::<Vec<_>>().join(",");
    format!(
        "<html data-format=1><script id=source>{{\"packed\":0,\"newlines\":{newlines},\"chunks\":[{chunks}]}}</script>"
    )
}

fn given(page: &str) -> Result<Vec<u8>, ExtractError> {
    Page::find(page.as_bytes())?.session_file()
}

#[test]
fn a_file_of_many_parts_comes_back() {
    for end in ["", "\n\n", "{\"torn", "{\"type\":\"custom\",\"id\":\"last\"}"] {
        let session = session(9000, end);
        let page = page_of(&session);
        assert!(page.matches("{\"first\":").count() > 3);
        assert!(given(&page).unwrap() == session.source());
    }
}

#[test]
fn lines_in_packs_are_missed_where_a_pack_is_lost() {
    let page = page_of(&session(9000, ""));
    let begin = page.find("<script type=\"text/plain\" id=\"pack-").unwrap();
    let packs = page.matches("id=\"pack-").count();
    let tail = page.rfind("<script type=\"text/plain\" id=\"pack-").unwrap();
    let end = tail + page[tail..].find("</script>").unwrap();
    let lost = format!("{}{}", &page[..tail], &page[end..]);
    let error = given(&lost).unwrap_err();
    assert!(matches!(error, ExtractError::Lines { missing: 100.., .. }), "{error}");
    assert!(error.to_string().contains("of its lines are missing"), "{error}");
    let data = begin + page[begin..].find('>').unwrap() + 20;
    let damaged = format!("{}!!!{}", &page[..data], &page[data + 3..]);
    assert_eq!(given(&damaged), Err(ExtractError::Pack { what: SESSION, nth: 1, count: packs }));
}

#[test]
fn a_page_that_lost_a_part_of_its_file_gives_none() {
    let page = page_of(&session(9000, ""));
    let lines = Err(ExtractError::Lines { what: SESSION, missing: 5 });
    let counted = |name: &str, by: usize| {
        let name = format!("\"{name}\":");
        let (before, after) = page.split_once(&name).unwrap();
        let (number, rest) = after.split_once(',').unwrap();
        let number: usize = number.parse().unwrap();
        format!("{before}{name}{},{rest}", number - by)
    };
    assert_eq!(given(&counted("packed", 5)), lines, "more lines than there should be");
    assert_eq!(given(&counted("newlines", 5)), lines);
    let chunks = page.find("\"chunks\":[").unwrap() + 10;
    let end = chunks + page[chunks..].find("]}</script>").unwrap();
    let none = format!("{}{}", &page[..chunks], &page[end..]);
    let error = given(&none).unwrap_err();
    assert!(matches!(error, ExtractError::Lines { missing: 9000.., .. }), "{error}");
}

/// How many there are; their bytes would fill a failure's message.
fn children_of(page: &str) -> Result<usize, ExtractError> {
    Page::find(page.as_bytes())?.child_files().map(|files| files.len())
}

#[test]
fn each_sub_session_gets_its_own_file() {
    let child = |key: &str, entries, end| Child {
        key: key.to_owned(),
        agent: None,
        task: None,
        started_by: Some("e0".to_owned()),
        session: Ok(Box::new(session(entries, end))),
    };
    let children = vec![
        child("torn", 3, "{\"type\":\"custom\",\"id\":\"c\"}"),
        child("../<b>", 4000, "\n"),
        child("whole", 2, ""),
        child("last", 5, "x"),
    ];
    let session = session(2, "").with_children(children);
    let page = page_of(&session);
    let files = Page::find(page.as_bytes()).unwrap().child_files().unwrap();
    let expected: Vec<_> = session
        .sub_sessions()
        .iter()
        .map(|sub| ChildFile { key: sub.key.clone(), bytes: sub.source().to_owned() })
        .collect();
    assert_eq!(expected.len(), 4);
    assert!(
        files == expected,
        "{:?}",
        files.iter().map(|file| (&file.key, file.bytes.len())).collect::<Vec<_>>()
    );
    let unsaid = page.replace("\"files\":", "\"other\":");
    assert_eq!(children_of(&unsaid), Err(ExtractError::List { what: CHILDREN }));
    let shifted = page.replace("\"key\":\"torn\",\"first\":1", "\"key\":\"torn\",\"first\":2");
    assert_eq!(children_of(&shifted), Err(ExtractError::List { what: CHILDREN }));
}

#[test]
fn damage_is_told_by_its_part() {
    let parts: Vec<(usize, String)> = [(1, "a\nb\n"), (3, "c\n"), (4, "d")]
        .map(|(first, text)| (first, packed::encode(text.as_bytes())))
        .into();
    assert_eq!(given(&source(3, &parts)).unwrap(), b"a\nb\nc\nd");
    let part = |nth, count| Err(ExtractError::Part { what: SESSION, nth, count });
    assert_eq!(
        given(&source(3, &[parts[0].clone(), parts[2].clone()])),
        part(2, 2),
        "one is missing"
    );
    let mut torn = parts.clone();
    torn[2].1.pop();
    assert_eq!(given(&source(3, &torn)), part(3, 3));
    for (newlines, missing) in [(2, 1), (5, 2)] {
        let lines = Err(ExtractError::Lines { what: SESSION, missing });
        assert_eq!(given(&source(newlines, &parts)), lines, "{newlines} newlines");
    }
    let uncounted = source(3, &parts).replace("\"newlines\":3,", "");
    assert_eq!(given(&uncounted), Err(ExtractError::List { what: SESSION }));
    let no_list = source(3, &parts).replace(']', "");
    assert_eq!(given(&no_list), Err(ExtractError::List { what: SESSION }));
}

#[test]
fn what_bursts_is_not_unpacked() {
    let bomb = packed::encode(&vec![b'\n'; 100_000]);
    let parts = [(1, bomb.clone()), (100_001, bomb)];
    let json = source(200_000, &parts);
    let page = Page { most_bytes: 150_000, ..Page::find(json.as_bytes()).unwrap() };
    assert_eq!(page.session_file(), Err(ExtractError::TooLarge { what: SESSION, most: 150_000 }));
    let page = Page { most_bytes: 200_000, ..Page::find(json.as_bytes()).unwrap() };
    assert_eq!(page.session_file().unwrap().len(), 200_000);
}

#[test]
fn a_page_cut_anywhere_gives_an_error_or_the_whole() {
    let session = session(3, "");
    let page = page_of(&session);
    let begin = page.find("id=\"source\"").unwrap() - 100;
    let whole = (begin..page.len()).filter(|&end| match given(&page[..end]) {
        Ok(bytes) => bytes == session.source(),
        Err(_) => false,
    });
    // Behind the element are two ends and a few blanks.
    assert!((1..40).contains(&whole.count()));
    assert_eq!(given("<p>tide"), Err(ExtractError::NoPage));
}

#[test]
fn data_in_another_format_is_refused() {
    let page = page_of(&session(3, ""));
    for (said, found) in [("data-format='2'", "2"), ("data-format", "0"), ("", "0")] {
        let other = page.replacen("data-format=\"1\"", said, 1);
        let error = given(&other).unwrap_err();
        assert_eq!(error, ExtractError::Format { found: found.to_owned() }, "{said}");
    }
}
