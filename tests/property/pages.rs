//! Every entry is in the page, and no text becomes markup.

use leafpress::render::Html;
use leafpress::session::Child;
use leafpress::session::EntryIndex;
use leafpress::{Options, Session};
use proptest::prelude::*;

use crate::property::markup::{foreign, unmarked};
use crate::property::strategies::{session_file, text};
use crate::support::inflated::{element, packs, unpacked};

fn press(file: String) -> (Session, String) {
    press_session(leafpress::read(file.into_bytes()).unwrap())
}

fn press_session(session: Session) -> (Session, String) {
    let mut page = Vec::new();
    leafpress::export(&session, &Options::default(), &mut page).unwrap();
    (session, String::from_utf8(page).unwrap())
}

/// A session with children: each hangs from the session at this place among those before it, from
/// the entry at that place.
fn family() -> BoxedStrategy<Vec<(String, prop::sample::Index, prop::sample::Index)>> {
    let member = (session_file(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    prop::collection::vec(member, 1..6).boxed()
}

/// The first of a family with the others within it.
fn gathered(family: &[(String, prop::sample::Index, prop::sample::Index)]) -> Session {
    let mut children: Vec<Vec<Child>> = family.iter().map(|_| Vec::new()).collect();
    let mut sessions: Vec<Session> = Vec::new();
    for (file, ..) in family {
        sessions.push(leafpress::read(file.clone().into_bytes()).unwrap());
    }
    let place = |at: usize| family[at].1.index(at);
    let ids: Vec<Option<String>> = (0..family.len())
        .map(|at| {
            let parent = &sessions[if at == 0 { 0 } else { place(at) }];
            Some(parent.id(EntryIndex::new(family[at].2.index(parent.len()))).unwrap().to_owned())
        })
        .collect();
    let mut main = None;
    for (at, session) in sessions.into_iter().enumerate().rev() {
        let session = session.with_children(std::mem::take(&mut children[at]));
        if at == 0 {
            main = Some(session);
        } else {
            children[place(at)].push(Child {
                key: format!("agent {}", at % 3),
                agent: None,
                task: None,
                started_by: ids[at].clone(),
                session: Ok(Box::new(session)),
            });
        }
    }
    main.unwrap()
}

/// The markup of all entries: the plain ones, then those of each pack.
fn fragments(page: &str) -> Vec<String> {
    let start = page.find("<div id=\"transcript\">").unwrap();
    let end = page.rfind("</main>").unwrap();
    std::iter::once(page[start..end].to_owned()).chain(packs(page)).collect()
}

/// The keys of all whole articles, the plain ones and each pack's in document order, put together in that order. An article
/// with lines only, which has no link to itself, stands beside the whole one.
fn keys_of_articles(session: &Session, page: &str) -> Vec<String> {
    let place = |key: &String| session.find(key).and_then(|entry| session.tree().position(entry));
    let mut all = Vec::new();
    for markup in fragments(page) {
        let keys: Vec<String> = markup
            .match_indices("<article id=\"entry-")
            .map(|(at, open)| &markup[at + open.len()..])
            .filter(|rest| {
                rest.split("</article>").next().unwrap().contains(" class=\"copy-link\"")
            })
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect();
        assert!(keys.iter().map(place).is_sorted(), "{keys:?}");
        all.extend(keys);
    }
    all.sort_by_key(place);
    all
}

fn foreign_anywhere(page: &str) -> Vec<String> {
    fragments(page).iter().flat_map(|markup| foreign(markup)).collect()
}

proptest! {
    #[test]
    fn every_entry_is_an_article_in_document_order(file in session_file()) {
        let (session, page) = press(file);
        let found = keys_of_articles(&session, &page);
        let expected: Vec<String> = session.tree().order().map(|entry| session.key(entry).unwrap()).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn only_known_elements_and_attributes_and_addresses(file in session_file()) {
        let (_, page) = press(file);
        prop_assert_eq!(foreign_anywhere(&page), Vec::<String>::new());
    }

    #[test]
    fn nothing_turns_or_hides_but_in_marks(file in session_file()) {
        let (_, page) = press(file);
        let shell = page[..page.find("<div id=\"transcript\">").unwrap()].to_owned();
        for markup in std::iter::once(shell).chain(fragments(&page)) {
            // Between the fragments of a pack stands a NUL.
            let found: Vec<char> = markup.split('\0').flat_map(unmarked).collect();
            prop_assert_eq!(found, Vec::<char>::new(), "{}", markup);
        }
    }

    #[test]
    fn the_page_has_its_own_scripts_and_no_more(file in session_file()) {
        let (_, page) = press(file);
        let packs = fragments(&page).len() - 1;
        // The view Changes has data of its own.
        let of_changes = ["<script type=\"text/plain\" id=\"changes-data\"", "<script type=\"text/plain\" id=\"hunks-"];
        let own = 6 + of_changes.into_iter().map(|start| page.matches(start).count()).sum::<usize>();
        prop_assert_eq!(page.matches("<script").count(), own + packs);
        prop_assert_eq!(page.matches("</script").count(), own + packs);
        prop_assert_eq!(page.matches("<style").count(), 1);
        for data in [unpacked(element(&page, "outline").unwrap()), unpacked(element(&page, "markdown").unwrap()), element(&page, "source").unwrap().to_owned()] {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&data).is_ok());
        }
    }

    #[test]
    fn an_escaped_text_reads_back(text in text()) {
        let evened = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
        prop_assert_eq!(Html::text(&text).visible_text(), evened);
    }
}

proptest! {
    // Each case reads and presses several sessions.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_entry_of_every_child_is_an_article_in_document_order(family in family()) {
        let entries: usize = family.iter()
            .map(|(file, ..)| leafpress::read(file.clone().into_bytes()).unwrap().len())
            .sum();
        let (session, page) = press_session(gathered(&family));
        let found = keys_of_articles(&session, &page);
        let expected: Vec<String> = session.tree().order().map(|entry| session.key(entry).unwrap()).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert!(session.len() <= entries);
        for entry in session.indices() {
            prop_assert_eq!(session.find(&session.key(entry).unwrap()), Some(entry));
            let path = session.tree().path(entry);
            let order = path.iter().map(|&entry| session.tree().position(entry));
            prop_assert!(order.is_sorted());
        }
        prop_assert_eq!(foreign_anywhere(&page), Vec::<String>::new());
    }
}
