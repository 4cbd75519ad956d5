//! What a search looks through: the words that the page shows.

use std::path::{Path, PathBuf};

use leafpress::render::{Placement, Renderer};
use leafpress::session::digest::Digest;

/// All files below a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// How much white space stands in a place does not count.
fn normalized(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

#[test]
fn the_words_of_an_entry_are_those_that_its_article_shows() {
    let mut read = 0;
    for file in [files("tests/fixtures"), files("examples")].concat() {
        let bytes = std::fs::read(&file).expect("readable");
        let Ok(session) = leafpress::read(bytes) else { continue };
        read += 1;
        let digest = Digest::read(&session);
        let mut renderer = Renderer::new(&session, &digest);
        for index in session.tree().order() {
            let placement = Placement { state: None, leaf: index };
            let shown = normalized(&renderer.article(index, placement).visible_text());
            let words = normalized(&renderer.text(index));
            assert_eq!(words, shown, "{} in {}", session.key(index).unwrap(), file.display());
        }
    }
    assert!(read > 100, "{read} sessions");
}
