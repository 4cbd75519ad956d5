//! How well a search names the session that a person means. The questions were made by reading the sessions, without the
//! search.

use std::path::PathBuf;

use serde_json::Value;

use super::all::all_sessions;

#[test]
fn the_first_session_is_mostly_the_right_one() {
    let questions = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/search/questions.json");
    let questions = std::fs::read_to_string(questions).unwrap();
    let questions: Vec<Value> = serde_json::from_str(&questions).unwrap();
    let (home, places) = all_sessions();
    let (mut first, mut among_five, mut wrong) = (0, 0, Vec::new());
    for question in &questions {
        let query = question["query"].as_str().unwrap();
        let found = home.run(&["search", "--json", "-n", "5", "--", query]);
        let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
        let sessions = found["sessions"].as_array().unwrap().iter();
        let paths: Vec<PathBuf> =
            sessions.map(|session| session["path"].as_str().unwrap().into()).collect();
        let right = question["right"].as_array().unwrap().iter();
        let right: Vec<&PathBuf> = right.map(|name| &places[name.as_str().unwrap()]).collect();
        let place = paths.iter().position(|path| right.contains(&path));
        first += usize::from(place == Some(0));
        among_five += usize::from(place.is_some());
        if place != Some(0) {
            wrong.push((query, place));
        }
    }
    let all = questions.len();
    assert!(all >= 28);
    assert!(first * 100 >= all * 85, "{first} of {all} are first: {wrong:?}");
    assert!(among_five * 100 >= all * 95, "{among_five} of {all} are among five: {wrong:?}");
}
