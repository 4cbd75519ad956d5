//! Any bytes as a session of each format: read, listed, drawn and exported, or refused.

#![no_main]

use std::io;

use leafpress::changes::{self, Changes};
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::{Format, Session};
use leafpress::{Filter, Options, report};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // A page costs more than all else: the one of the detected format is made, and one more that the bytes choose.
    let chosen = Format::ALL
        [bytes.iter().fold(bytes.len(), |sum, &byte| sum + usize::from(byte)) % Format::ALL.len()];
    for format in std::iter::once(None).chain(Format::ALL.iter().copied().map(Some)) {
        if let Ok(session) = read_with(bytes.to_vec(), format, &ReadOptions::default()) {
            look_at_all(&session);
            if format.is_none_or(|format| format == chosen) {
                leafpress::export(&session, &Options::default(), &mut io::sink())
                    .expect("a sink takes all");
            }
        }
    }
});

fn look_at_all(session: &Session) {
    let mut keys = std::collections::HashSet::new();
    for entry in session.indices() {
        session.entry(entry);
        let key = session.key(entry).expect("an entry has a key");
        assert_eq!(session.find(&key), Some(entry), "every key leads to its entry");
        assert!(keys.insert(key), "no key twice");
    }
    if session.is_empty() {
        return;
    }
    let leaf = session.leaf();
    for filter in [Filter::Default, Filter::All] {
        report::tree(session, leaf, filter, Some("a -b"));
    }
    report::context(session, leaf);
    report::branches(session);
    report::stats(session);
    let changes = Changes::of(session);
    let files = changes.at(session, leaf);
    let _ = changes::patch(session, &files);
    let _ = changes.turns();
    for file in changes.files() {
        let _ = changes.state(file, leaf);
    }
}
