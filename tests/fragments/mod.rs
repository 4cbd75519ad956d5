//! What each kind of content becomes: `tests/fixtures/fragments/*.jsonl` beside the `.html` it gives.
//!
//! A fixture is a small session; its golden file holds the bodies of its entries in document order, each under a comment with its id. After a change that is meant, run with
//! `SNAPSHOTS=overwrite` and read the difference.

mod text;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use leafpress::render::{Placement, Renderer};
use leafpress::session::digest::Digest;
use leafpress::session::{Damage, DamageKind};
use snapbox::assert::Assert;
use snapbox::data::DataFormat;
use snapbox::{Data, IntoData};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fragments");
    let files = std::fs::read_dir(folder).expect("the fixtures are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// The bodies of all entries.
fn bodies(file: &Path) -> String {
    let session = leafpress::read(std::fs::read(file).expect("readable")).expect("a session");
    // Roles and types that nobody knows are what some of them are for.
    let is_known = |damage: &&Damage| damage.kind != DamageKind::NotUnderstood;
    let damage: Vec<&Damage> = session.damage().iter().filter(is_known).collect();
    assert!(damage.is_empty(), "{}: {damage:?}", file.display());
    let digest = Digest::read(&session);
    let mut renderer = Renderer::new(&session, &digest);
    let mut out = String::new();
    for index in session.tree().order() {
        let article = renderer.article(index, Placement { state: None, leaf: index });
        let markup = article.as_str();
        let head_end = markup.find("</header>").expect("an article has a head") + "</header>".len();
        writeln!(out, "<!-- {} -->", session.key(index).unwrap()).expect("a String takes all");
        out.push_str(markup[head_end..].trim_end().trim_end_matches("</article>").trim());
        out.push_str("\n\n");
    }
    out
}

#[test]
fn each_fixture_gives_its_fragment() {
    let assert = Assert::new().action_env("SNAPSHOTS");
    let files = fixtures();
    assert!(!files.is_empty());
    let mut failed = Vec::new();
    for file in files {
        let actual = bodies(&file).into_data().is(DataFormat::Text).raw();
        let golden = Data::read_from(&file.with_extension("html"), Some(DataFormat::Text)).raw();
        if let Err(error) = assert.try_eq(Some(&file.display()), actual, golden) {
            failed.push(error.to_string());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
