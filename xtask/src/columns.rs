//! Holds the types of the script to the columns that the library writes.

use std::collections::BTreeSet;
use std::fs;

use super::root;

/// The fields of a struct, as serde writes their names.
fn fields(path: &str, name: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(root().join(path)).unwrap();
    let body = source.split(&format!("struct {name}<'a> {{\n")).nth(1).unwrap();
    let lines = body.lines().take_while(|line| *line != "}");
    let names = lines.filter_map(|line| line.strip_prefix("    ")?.split_once(": "));
    names.map(|(name, _)| name).filter(|name| is_identifier(name)).map(camel_case).collect()
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// The properties of a type of static/js/outline/outline.js.
fn properties(name: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(root().join("static/js/outline/outline.js")).unwrap();
    let body = source.split(&format!("@typedef {{object}} {name} ")).nth(1).unwrap();
    let lines = body.lines().take_while(|line| !line.contains("*/"));
    let names = lines.filter_map(|line| line.strip_prefix(" * @property {")?.split_once("} "));
    names
        .map(|(_, rest)| rest.split(' ').next().unwrap().trim_matches(['[', ']']).to_owned())
        .collect()
}

#[test]
fn the_script_knows_the_columns_of_the_outline() {
    for (path, written, read) in [
        ("src/page/outline_data/mod.rs", "OutlineData", "RawOutline"),
        ("src/page/outline_data/sessions.rs", "SessionData", "SubSession"),
        ("src/page/outline_data/context.rs", "ContextData", "RawContext"),
    ] {
        let fields = fields(path, written);
        assert!(fields.len() > 5, "the fields of `{written}`: {fields:?}");
        assert_eq!(fields, properties(read), "`{written}` and the script's type `{read}` differ");
    }
}
