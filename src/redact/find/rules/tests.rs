//! Every row compiles and finds what is planted for it.

use fixture::{lines, planted};
use proptest::prop_assert;
use proptest::string::bytes_regex_parsed;
use proptest::test_runner::TestRunner;
use regex_automata::Input;
use regex_automata::util::syntax;

use crate::redact::find::pattern::compile;
use crate::redact::find::tokens::MIN_AROUND;

use super::{Reading, TABLE};

#[expect(dead_code, reason = "shared with the tests beside the crate")]
#[path = "../../../../tests/redact/fixture.rs"]
mod fixture;

#[test]
fn every_pattern_compiles() {
    for row in TABLE.iter() {
        let compiled = compile(row.pattern, false);
        assert!(compiled.is_ok(), "{}: {}", row.name, row.pattern);
        assert_eq!(row.reading.has_pattern(), !row.pattern.is_empty(), "{}", row.name);
    }
}

/// Such a token is looked for in the word around its literal, if that is long enough.
#[test]
fn tokens_around_a_literal_are_long_words() {
    for row in TABLE.iter().filter(|row| matches!(row.reading, Reading::Around(_))) {
        let hir = syntax::parse(row.pattern).unwrap();
        assert!(hir.properties().minimum_len() >= Some(MIN_AROUND), "{}", row.name);
        let is_of_word = !["\\s", "\\W", "[^", " "].iter().any(|part| row.pattern.contains(part));
        assert!(is_of_word, "{}: {}", row.name, row.pattern);
    }
}

/// What a pattern may match, with its literal at the beginning.
#[test]
fn every_match_has_the_sign_of_its_row() {
    let mut runner = TestRunner::default();
    let config = syntax::Config::new().unicode(false).utf8(false);
    for (row, sign) in TABLE.iter().filter_map(|row| Some((row, row.sign?))) {
        assert_eq!(row.reading, Reading::Token, "{}", row.name);
        let matches = bytes_regex_parsed(&syntax::parse_with(row.pattern, &config).unwrap());
        let found = runner.run(&matches.unwrap(), |text| {
            let is_there = |literal: &&str| sign.is_in(&text[literal.len()..]);
            prop_assert!(row.literals.iter().all(is_there));
            Ok(())
        });
        assert!(found.is_ok(), "{}: {found:?}", row.name);
    }
}

#[test]
fn every_row_has_a_planted_example() {
    let kinds = lines("kinds.jsonl");
    let examples: Vec<_> = kinds.iter().map(|kind| planted(kind, 5)).collect();
    let mut without = Vec::new();
    for row in TABLE.iter() {
        let regex = compile(row.pattern, false).unwrap();
        let is_found =
            |text: &str| !row.reading.has_pattern() || regex.is_match(Input::new(text.as_bytes()));
        if !examples.iter().any(|one| one.rule == row.name && is_found(&one.text)) {
            without.push((row.name, row.pattern));
        }
    }
    assert!(without.is_empty(), "rows without an example in kinds.jsonl: {without:#?}");
}

#[test]
fn every_example_belongs_to_a_row() {
    for kind in lines("kinds.jsonl") {
        let rule = kind["rule"].as_str().unwrap();
        assert!(TABLE.iter().any(|row| row.name == rule), "{rule}");
    }
}
