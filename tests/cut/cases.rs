//! Sessions full of marker words, one for each place where something may hide.

use leafpress::cut::{Cut, cut};
use leafpress::{Options, Session};

use crate::support::inflated::everything;

/// Every marker begins so: nothing else in a page does.
const MARK: &str = "Qzxmark";

/// All markers of a session's page but those named.
pub(crate) fn all_but(session: &Session, kept: &[&str]) -> Vec<&'static str> {
    let all = markers(&everything(&page(session)));
    let gone = all.into_iter().filter(|marker| !kept.contains(&marker.as_str()));
    gone.map(|marker| &*marker.leak()).collect()
}

/// The session with what `set` says left out.
pub(crate) fn cut_with(session: Session, set: impl Fn(&Session, &mut Cut)) -> Session {
    let mut options = Cut::default();
    set(&session, &mut options);
    cut(session, &options).unwrap()
}

pub(crate) fn page(session: &Session) -> String {
    let mut page = Vec::new();
    leafpress::export(session, &Options::default(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The markers in a text, sorted, each once; without those that an excerpt cuts.
pub(crate) fn markers(text: &str) -> Vec<String> {
    let word = |(at, _)| -> Option<String> {
        let rest = &text[at + MARK.len()..];
        let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        (!rest[end..].starts_with('…')).then(|| rest[..end].to_owned())
    };
    let mut found: Vec<String> = text.match_indices(MARK).filter_map(word).collect();
    found.sort();
    found.dedup();
    found
}

/// Checks that of the markers of the whole session exactly `gone` are nowhere in the page of the
/// cut one, and that the file in that page opens as the same session again.
pub(crate) fn assert_gone(
    what: &str,
    read: impl Fn() -> Session,
    set: impl Fn(&Session, &mut Cut),
    gone: &[&str],
) -> Session {
    let whole = markers(&everything(&page(&read())));
    for marker in gone {
        assert!(whole.iter().any(|known| known == marker), "{what}: {marker} is in the whole page");
    }
    let session = cut_with(read(), set);
    let left = markers(&everything(&page(&session)));
    let wanted: Vec<&String> =
        whole.iter().filter(|marker| !gone.contains(&marker.as_str())).collect();
    // A title or a row ends in mid-word.
    let is_part = |word: &str| {
        whole.iter().any(|marker| {
            wanted.contains(&marker) && marker.len() > word.len() && marker.starts_with(word)
        })
    };
    let left: Vec<&String> =
        left.iter().filter(|word| whole.contains(word) || !is_part(word)).collect();
    assert_eq!(left, wanted, "{what}");
    assert_opens_again(what, &session);
    session
}

/// Pressed again, the file of a cut session gives the same rows and articles.
pub(crate) fn assert_opens_again(what: &str, session: &Session) {
    let again = leafpress::read(session.source().to_vec()).unwrap();
    assert_eq!(again.damage(), [], "{what}");
    assert_eq!(again.format(), session.format(), "{what}");
    assert_eq!(again.header(), session.header(), "{what}");
    assert_eq!(again.title(), session.title(), "{what}");
    assert_eq!(again.source(), session.source(), "{what}");
    let tree = |session: &Session| {
        let leaf = session.leaf();
        let report = leafpress::report::tree(session, leaf, leafpress::Filter::All, None).unwrap();
        (report.leaf_id, report.rows)
    };
    assert_eq!(tree(&again), tree(session), "{what}");
    let own = |session: &Session| session.aliases().to_vec();
    assert_eq!(own(&again), own(session), "{what}");
    let context = |session: &Session| leafpress::report::context(session, session.leaf()).unwrap();
    assert_eq!(context(&again), context(session), "{what}");
    for entry in session.own_indices() {
        assert_eq!(again.raw(entry).unwrap(), session.raw(entry).unwrap(), "{what}");
        assert_eq!(again.line(entry), session.line(entry), "{what}");
    }
}
