//! Branches that were put away.

use serde_json::json;

use super::read_omp;
use crate::support::session::{Log, ids};

fn archive(log: Log, target: &str, archived: bool) -> Log {
    log.entry(json!({"type": "archive", "targetId": target, "archived": archived}))
}

#[test]
fn archived_branches_are_left_out_and_the_leaf_moves() {
    let log = Log::new().user("a").user("b").user("c").under(Some("1")).user("d");
    let away = read_omp(&archive(log, "2", true));
    assert_eq!(ids(&away, away.indices()), ["1", "4", "5"]);
    assert_eq!(away.id(away.leaf()).unwrap(), "5");
    assert_eq!(away.left_out(), [3, 4]);

    let log = || archive(Log::new().user("a").user("b").user("SECRET"), "2", true);
    let away = read_omp(&log());
    assert_eq!(ids(&away, away.indices()), ["1"]);
    assert_eq!(away.id(away.leaf()).unwrap(), "1");
    assert_eq!(
        away.notes(),
        ["3 entries of 1 archived branch not included; `--archived` includes them"]
    );
    let mut page = Vec::new();
    leafpress::export(&away, &leafpress::Options::default(), &mut page).unwrap();
    assert!(!String::from_utf8(page).unwrap().contains("SECRET"));

    // The last word counts; nothing is not shown at all.
    assert_eq!(read_omp(&archive(log(), "2", false)).len(), 5);
    assert_eq!(read_omp(&archive(Log::new().user("a").user("b"), "1", true)).len(), 3);
    assert_eq!(read_omp(&archive(Log::new().user("a"), "nosuch", true)).len(), 2);
}

#[test]
fn archived_circles_and_long_chains_end() {
    let log = Log::new().user("x").under(Some("3")).user("a").under(Some("2")).user("b");
    let away = read_omp(&archive(log.under(Some("1")), "3", true));
    assert_eq!(ids(&away, away.indices()), ["1", "4"]);

    let mut log = Log::new();
    for _ in 0..20_000 {
        log = log.user("x");
    }
    assert_eq!(read_omp(&archive(log, "2", true)).len(), 1);
}
