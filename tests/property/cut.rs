//! Whatever is cut, what stays keeps its place, and what goes is counted and found.

use leafpress::session::EntryIndex;
use std::collections::HashSet;
use std::fmt::Write as _;

use leafpress::cut::{Cut, cut};
use leafpress::session::{Body, Kind};
use leafpress::{CutError, Session};
use proptest::prelude::*;

use crate::property::strategies::session_file;

/// Which options, and at which entries.
#[derive(Debug, Clone)]
struct Wish {
    places: [Option<prop::sample::Index>; 4],
    switches: [bool; 6],
    only: Option<Vec<Kind>>,
}

fn wish() -> BoxedStrategy<Wish> {
    let place = || prop::option::weighted(0.3, any::<prop::sample::Index>());
    let kinds = vec![Kind::User, Kind::Assistant, Kind::ToolResult, Kind::Bash, Kind::Compaction];
    let only = prop::option::weighted(0.5, prop::sample::subsequence(kinds, 1..4));
    ([place(), place(), place(), place()], any::<[bool; 6]>(), only)
        .prop_map(|(places, switches, only)| Wish { places, switches, only })
        .boxed()
}

impl Wish {
    fn cut(&self, session: &Session) -> Cut {
        let place =
            |nth: usize| self.places[nth].map(|index| EntryIndex::new(index.index(session.len())));
        let mut options = Cut::default();
        [options.branch, options.subtree, options.from, options.to] =
            [place(0), place(1), place(2), place(3)];
        [
            options.active_only,
            options.without_thinking,
            options.without_tool_output,
            options.without_images,
            options.without_system,
            options.keep_summaries,
        ] = self.switches;
        options.only.clone_from(&self.only);
        options
    }
}

fn read(file: &str) -> Session {
    leafpress::read(file.as_bytes().to_vec()).unwrap()
}

fn omitted(session: &Session, entry: EntryIndex) -> Option<usize> {
    match session.entry(entry).unwrap().body {
        Body::Omitted(omitted) => Some(omitted.count),
        _ => None,
    }
}

proptest! {
    #[test]
    fn what_stays_keeps_its_place(file in session_file(), wish in wish()) {
        let whole = read(&file);
        let session = match cut(read(&file), &wish.cut(&whole)) {
            Ok(session) => session,
            Err(CutError::Outside { .. } | CutError::NothingLeft) => return Ok(()),
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let found: Vec<EntryIndex> =
            whole.indices().map(|entry| session.find(&whole.key(entry).unwrap()).unwrap()).collect();
        let stays = |entry: EntryIndex| omitted(&session, found[entry.get()]).is_none();
        let (old, new) = (whole.tree(), session.tree());
        for a in whole.indices().filter(|&a| stays(a)) {
            prop_assert_eq!(session.id(found[a.get()]).unwrap(), whole.id(a).unwrap());
            prop_assert_eq!(session.time(found[a.get()]), whole.time(a));
            for b in whole.indices().filter(|&b| stays(b)) {
                prop_assert_eq!(
                    new.is_on_path(found[a.get()], found[b.get()]), old.is_on_path(a, b), "{} and {}", whole.id(a).unwrap(), whole.id(b).unwrap());
            }
            // The nearest that stays above an entry stands above the stub that it is found at.
            for gone in whole.indices().filter(|&gone| !stays(gone) && old.is_on_path(a, gone)) {
                prop_assert!(new.is_on_path(found[a.get()], found[gone.get()]), "{} and {}", whole.id(a).unwrap(), whole.id(gone).unwrap());
            }
        }
        // Entries and stubs go by time, though stubs have none.
        let is_written = |entry: &EntryIndex| session.id(found[entry.get()]) == whole.id(*entry);
        for parent in whole.indices() {
            let siblings: Vec<EntryIndex> = old.children(parent).filter(is_written).collect();
            for pair in siblings.windows(2).map(|pair| [found[pair[0].get()], found[pair[1].get()]]) {
                prop_assert!(
                    new.parent(pair[0]) != new.parent(pair[1]) || new.position(pair[0]) < new.position(pair[1]),
                    "{} stands behind {}", session.id(pair[0]).unwrap(), session.id(pair[1]).unwrap());
            }
        }
        for entry in session.indices().filter(|&entry| omitted(&session, entry).is_some()) {
            prop_assert_eq!(session.time(entry), None);
        }
        let counted: usize = session.indices().map(|entry| omitted(&session, entry).unwrap_or(1)).sum();
        prop_assert_eq!(counted, whole.len());
        let distinct: HashSet<EntryIndex> = found.iter().copied().collect();
        prop_assert_eq!(distinct.len(), session.len(), "nothing but what was there, and stubs for it");
    }

    #[test]
    fn its_file_opens_as_the_same_session(file in session_file(), wish in wish()) {
        let whole = read(&file);
        let Ok(session) = cut(read(&file), &wish.cut(&whole)) else { return Ok(()) };
        if wish.cut(&whole).is_empty() {
            return Ok(());
        }
        let again = leafpress::read(session.source().to_vec()).unwrap();
        prop_assert_eq!(again.damage(), []);
        prop_assert_eq!(again.len(), session.len());
        prop_assert_eq!(again.header(), session.header());
        prop_assert_eq!(again.title(), session.title());
        prop_assert_eq!(again.leaf(), session.leaf());
        prop_assert_eq!(again.aliases(), session.aliases());
        for entry in session.indices() {
            prop_assert_eq!(again.raw(entry).unwrap(), session.raw(entry).unwrap());
            prop_assert_eq!(again.key(entry).unwrap(), session.key(entry).unwrap());
            prop_assert_eq!(again.time(entry), session.time(entry));
            prop_assert_eq!(again.label(entry), session.label(entry));
            prop_assert_eq!(again.tree().parent(entry), session.tree().parent(entry));
        }
    }
}

/// A chain too deep for recursion, every second entry of which goes.
#[test]
fn a_long_chain_is_cut_without_recursion() {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    let mut parent = "null".to_owned();
    for nth in 0..100_000 {
        let role = if nth % 2 == 0 { "user" } else { "assistant" };
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":{parent},\"message\":{{\"role\":\"{role}\",\"content\":\"x\"}}}}"
        );
        parent = format!("\"e{nth}\"");
    }
    let mut options = Cut::default();
    options.only = Some(vec![Kind::User]);
    let session = cut(read(&file), &options).unwrap();
    assert_eq!(session.len(), 100_000);
    assert_eq!(session.tree().path(session.leaf()).len(), 100_000);
    options.only = None;
    options.from = session.find("e99990");
    let session = cut(read(&file), &options).unwrap();
    assert_eq!(session.len(), 11);
    assert_eq!(omitted(&session, EntryIndex::new(0)), Some(99_990));
}
