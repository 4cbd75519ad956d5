//! When something happened that was cut is nobody's business, and what stays keeps its order.

use leafpress::cut::{Cut, cut};
use leafpress::session::Body;
use leafpress::{Filter, Session, report};
use serde_json::json;

use crate::support::inflated::everything;

fn read(text: &str) -> Session {
    leafpress::read(text.as_bytes().to_vec()).unwrap()
}

fn page(session: &Session) -> String {
    let mut page = Vec::new();
    leafpress::export(session, &leafpress::Options::default(), &mut page).unwrap();
    everything(&String::from_utf8(page).unwrap())
}

/// A prompt with several answers, each with a prompt below it; the letters give the order in time, their
/// places that in the file.
fn session(letters: &str) -> String {
    let message = |id: &str, parent: Option<&str>, second: usize, role: &str| {
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": format!("2026-01-01T10:20:{second:02}.123Z"),
            "message": {"role": role, "content": [{"type": "text", "text": format!("text of {id}")}]}})
        .to_string()
    };
    let header = json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T10:00:00.000Z"});
    let mut lines = vec![header.to_string(), message("root", None, 1, "user")];
    for letter in letters.chars() {
        let second = 10 + 2 * (letter as usize - 'a' as usize);
        let id = letter.to_string();
        lines.push(message(&id, Some("root"), second, "assistant"));
        lines.push(message(&format!("{id}-below"), Some(&id), second + 1, "user"));
    }
    lines.join("\n") + "\n"
}

fn children(session: &Session) -> Vec<String> {
    let root = session.index_of("root").unwrap();
    session.tree().children(root).map(|child| session.id(child).unwrap().to_owned()).collect()
}

const ORDERS: [&str; 8] = ["abcd", "dcba", "badc", "cadb", "bcda", "dabc", "acbd", "cdab"];

#[test]
fn stubs_keep_their_places_without_a_time() {
    for letters in ORDERS {
        for kept in ["a", "b", "c", "d"] {
            let whole = read(&session(letters));
            assert_eq!(children(&whole), ["a", "b", "c", "d"]);
            let mut options = Cut::default();
            options.branch = whole.find(&format!("{kept}-below"));
            let session = cut(whole, &options).unwrap();
            assert_eq!(
                children(&session),
                ["a", "b", "c", "d"],
                "{letters}, of which {kept} stays"
            );
            let everything = page(&session);
            for gone in ["a", "b", "c", "d"] {
                let stub = session.index_of(gone).unwrap();
                let is_stub = matches!(session.entry(stub).unwrap().body, Body::Omitted(_));
                assert_eq!(is_stub, gone != kept);
                let second = 10 + 2 * (gone.as_bytes()[0] - b'a');
                for second in [second, second + 1] {
                    let iso = format!("10:20:{second}");
                    let ms = 1_767_262_800_123 + i64::from(second) * 1000;
                    let told = everything.contains(&iso) || everything.contains(&ms.to_string());
                    assert_eq!(told, gone == kept, "{gone} at {iso}, of which {kept} stays");
                }
            }
            let again = leafpress::read(session.source().to_vec()).unwrap();
            assert_eq!(children(&again), ["a", "b", "c", "d"], "read again");
            assert_eq!(again.damage(), []);
            let rows = report::tree(&again, again.leaf(), Filter::All, None).unwrap().rows;
            assert_eq!(rows.len(), 2 + 4);
        }
    }
}

#[test]
fn a_stub_of_an_earlier_cut_loses_its_time_too() {
    let header = json!({"type": "session", "version": 3, "id": "s", "leafpress": {"dialect": "pi", "leaf": "u2"}});
    let stub = |id: &str, second: usize| {
        json!({"type": "leafpress_omitted", "id": id, "parentId": "u1",
            "timestamp": format!("2026-01-01T10:20:{second}.123Z"), "count": 3, "ids": [id], "why": "another branch"})
    };
    let prompt = |id: &str, parent: Option<&str>, second: usize| {
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": format!("2026-01-01T10:20:{second}.123Z"),
            "message": {"role": "user", "content": "x"}})
    };
    let lines = [
        header,
        prompt("u1", None, 10),
        stub("late", 40),
        prompt("u2", Some("u1"), 30),
        stub("early", 20),
    ];
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let mut options = Cut::default();
    options.without_images = true;
    let session = cut(read(&(text.join("\n") + "\n")), &options).unwrap();
    let root = session.index_of("u1").unwrap();
    let children: Vec<&str> =
        session.tree().children(root).map(|child| session.id(child).unwrap()).collect();
    assert_eq!(children, ["early", "u2", "late"]);
    let everything = page(&session);
    assert!(everything.contains("10:20:30") && !everything.contains("10:20:20"));
    assert!(!everything.contains("10:20:40"));
}
