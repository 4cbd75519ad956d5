//! Files after edits are those that the session files show.

use std::path::Path;

use crate::support::edits::checked;
use crate::support::folder::files;

fn check(folders: &[&str]) -> usize {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for path in folders.iter().flat_map(|folder| files(Path::new(folder))) {
        let mut found = checked(&path);
        compared += found.compared;
        wrong.append(&mut found.wrong);
    }
    println!("{compared} edits compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared
}

#[test]
fn a_known_file_is_the_one_that_the_session_shows() {
    let compared = check(&["tests/fixtures", "examples"]);
    assert!(compared >= 10, "{compared}");
}

/// `LEAFPRESS_EDITS=/folder cargo test --test suite -- --ignored edits_of_a_folder --nocapture`
#[test]
#[ignore = "for a folder of one's own"]
fn edits_of_a_folder() {
    let folder = std::env::var("LEAFPRESS_EDITS").unwrap();
    check(&[&folder]);
}
