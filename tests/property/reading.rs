//! Reading never fails on damage and never loses count.

use leafpress::session::EntryIndex;
use std::collections::HashSet;

use proptest::prelude::*;

use crate::property::strategies::session_file;

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = leafpress::read(bytes);
    }

    #[test]
    fn a_session_cut_or_overwritten_anywhere_still_reads(
        file in session_file(),
        at in any::<prop::sample::Index>(),
        junk in prop::collection::vec(any::<u8>(), 0..6),
        cut in any::<bool>(),
    ) {
        let mut bytes = file.into_bytes();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        }
        let end = (at + junk.len()).min(bytes.len());
        bytes.splice(at.min(end)..end, junk);
        if let Ok(session) = leafpress::read(bytes.clone()) {
            prop_assert_eq!(session.source(), bytes);
            for entry in session.indices() {
                session.entry(entry).unwrap();
            }
        }
    }

    #[test]
    fn every_entry_is_in_the_tree_once(file in session_file()) {
        let session = leafpress::read(file.into_bytes()).unwrap();
        let tree = session.tree();
        let order: Vec<EntryIndex> = tree.order().collect();
        let distinct: HashSet<EntryIndex> = order.iter().copied().collect();
        prop_assert_eq!(order.len(), session.len());
        prop_assert_eq!(distinct.len(), session.len());
        for entry in session.indices() {
            let path = tree.path(entry);
            let places: Vec<Option<usize>> = path.iter().map(|&entry| tree.position(entry)).collect();
            prop_assert!(places.is_sorted(), "a path is a subsequence of the order");
            prop_assert!(tree.is_on_path(entry, tree.newest_leaf_below(entry)));
            prop_assert_eq!(session.find(&session.key(entry).unwrap()), Some(entry));
        }
    }

    #[test]
    fn every_id_of_the_file_is_found(file in session_file()) {
        let session = leafpress::read(file.clone().into_bytes()).unwrap();
        for line in file.lines().skip(1) {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let id = line["id"].as_str().unwrap();
            prop_assert_eq!(session.index_of(id).is_some(), !id.is_empty() && line["type"] != "session");
        }
    }
}
