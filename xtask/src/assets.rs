//! Joins and minifies the page's styles, and packs its scripts.
//!
//! minify-html works on style sheets alone and never sees a session: it drops blanks
//! that matter in texts, and deep nesting aborts it.

use std::error::Error;
use std::fs;
use std::num::NonZeroU64;
use std::thread;

use super::root;
use crate::scripts::{self, bundled};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/page/wire/packed.rs"]
mod packed;

/// Of zopfli, which compresses once for every page: more give hardly a byte.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(40).unwrap();

/// Properties by the flow of the text, and what they are called where text runs from left to right.
const SIDES: [(&str, &str); 6] = [
    ("inline-size", "width"),
    ("block-size", "height"),
    ("inline-start", "left"),
    ("inline-end", "right"),
    ("block-start", "top"),
    ("block-end", "bottom"),
];

/// Those of the document, and the places of the controls: what the first paint needs, and a reader without scripts.
#[rustfmt::skip]
const STYLES: &[&str] = &[
    "variables", "icons", "base", "frame", "head", "entry", "steps", "forks", "markdown", "code", "invisible", "cards", "output", "print",
];

/// Those that serve only the script's controls: they travel in its package.
#[rustfmt::skip]
const CONTROL_STYLES: &[&str] = &[
    "controls/icons", "controls/topbar", "controls/notice", "controls/sidebar", "controls/rows", "controls/search", "controls/transcript", "controls/steps", "controls/tools",
    "controls/context", "controls/dialogs", "controls/sessions", "controls/lists", "controls/phone", "controls/print",
];

/// That of the band, which travels with its script.
const BAND_STYLES: &[&str] = &["controls/band"];

/// Those of the view Changes, the same.
#[rustfmt::skip]
const CHANGES_STYLES: &[&str] = &[
    "controls/changes/view", "controls/changes/list", "controls/changes/stops", "controls/changes/files", "controls/changes/lines", "controls/changes/compared",
    "controls/changes/prompts", "controls/changes/phone", "controls/changes/print",
];

/// Those of a sealed page's shell.
const SEAL_STYLES: &[&str] = &["variables", "seal"];

/// Those of an archive's index.
#[rustfmt::skip]
const ARCHIVE_STYLES: &[&str] = &[
    "variables", "archive/base", "archive/bar", "archive/filters", "archive/list", "archive/results", "archive/links", "archive/wide",
    "archive/phone", "archive/print",
];

/// That of the comparison.
const COMPARE_STYLES: &[&str] = &["controls/compare"];

/// What only some pages need.
struct Part {
    /// In the names of the files.
    name: &'static str,
    script: &'static str,
    styles: &'static [&'static str],
}

#[rustfmt::skip]
const PARTS: [Part; 3] = [
    Part { name: "band", script: scripts::BAND, styles: BAND_STYLES },
    Part { name: "changes", script: scripts::CHANGES, styles: CHANGES_STYLES },
    Part { name: "compare", script: scripts::COMPARE, styles: COMPARE_STYLES },
];

/// What the crate includes from `src/page/assets/`, by its file names.
pub(crate) fn built() -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let style = style_of(STYLES);
    let mut files = vec![
        ("boot.js".to_owned(), inline(scripts::BOOT)?),
        ("loader.js".to_owned(), inline(scripts::LOADER)?),
        ("back.js".to_owned(), inline(scripts::BACK)?),
        ("archive.js".to_owned(), inline(scripts::ARCHIVE)?),
        ("archive.css".to_owned(), style_of(ARCHIVE_STYLES)),
    ];
    // Each takes seconds to compress.
    let programs: Vec<(String, Result<Program, String>)> = thread::scope(|scope| {
        let made: Vec<_> = choices()
            .map(|parts| {
                scope.spawn(move || {
                    (name(&parts), program(&parts).map_err(|error| error.to_string()))
                })
            })
            .collect();
        made.into_iter().map(|made| made.join().expect("it compresses")).collect()
    });
    for (name, program) in programs {
        let Program { packed, sha256 } = program?;
        files.push((format!("{name}.txt"), packed));
        files.push((format!("{name}.sha256"), sha256));
    }
    files.extend([
        ("seal.js".to_owned(), inline(scripts::SEAL)?),
        ("seal.css".to_owned(), style_of(SEAL_STYLES)),
        ("style.sha256".to_owned(), sha256(&style)),
        ("style.css".to_owned(), style),
    ]);
    Ok(files)
}

/// Each choice of [`PARTS`].
fn choices() -> impl Iterator<Item = Vec<&'static Part>> {
    let chosen =
        |choice: usize| PARTS.iter().enumerate().filter(move |(nth, _)| choice >> nth & 1 == 1);
    (0..1 << PARTS.len()).map(move |choice| chosen(choice).map(|(_, part)| part).collect())
}

fn name(parts: &[&Part]) -> String {
    let names = parts.iter().map(|part| part.name);
    std::iter::once("program").chain(names).collect::<Vec<_>>().join("-")
}

/// The page's program with some parts.
struct Program {
    packed: String,
    sha256: String,
}

fn program(parts: &[&Part]) -> Result<Program, Box<dyn Error>> {
    let scripts = parts.iter().map(|part| part.script).chain([scripts::MAIN]);
    let script = bundled(&scripts.collect::<Vec<_>>())?;
    let styles = CONTROL_STYLES.iter().chain(parts.iter().flat_map(|part| part.styles));
    let style = style_of(&styles.copied().collect::<Vec<_>>());
    Ok(Program { packed: packed(&style, &script), sha256: sha256(&script) })
}

fn style_of(names: &[&str]) -> String {
    with_sides(&minified(&joined(names)))
}

/// What a policy names a script or a style by.
fn sha256(text: &str) -> String {
    BASE64.encode(&Sha256::digest(text))
}

/// What the loader opens: a style, then the script.
fn packed(style: &str, script: &str) -> String {
    assert!(![style, script].concat().contains('\0'), "the loader looks for the only NUL");
    let mut zlib = Vec::new();
    let text = format!("{style}\0{script}");
    let options = zopfli::Options { iteration_count: ITERATIONS, ..zopfli::Options::default() };
    zopfli::compress(options, zopfli::Format::Zlib, text.as_bytes(), &mut zlib)
        .expect("a vector takes all");
    packed::base91(&zlib)
}

/// A script that stands in the page as it is.
fn inline(entry: &str) -> Result<String, Box<dyn Error>> {
    let script = bundled(&[entry])?;
    assert!(!script.contains("</") && !script.contains("<!--"), "`{entry}` holds `</` or `<!--`");
    Ok(script)
}

fn joined(names: &[&str]) -> String {
    let read = |name: &&str| {
        let path = root().join("static/css").join(format!("{name}.css"));
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("failed to read `{}`: {error}", path.display()))
    };
    names.iter().map(read).collect::<Vec<_>>().join("\n")
}

/// The page's own words run from left to right, so that the shorter names, 4 % of
/// the style sheet less, mean the same. Those of a session may run from right to left.
fn with_sides(style: &str) -> String {
    let with_side = |style: String, (flow, side): &(&str, &str)| {
        style
            .replace(&format!("inset-{flow}:"), &format!("{side}:"))
            .replace(&format!("{flow}:"), &format!("{side}:"))
    };
    let rule = |rule: &str| {
        let is_of_session = rule.starts_with(".md ") || rule.starts_with(".task");
        let sides = SIDES.iter().filter(|(flow, _)| !is_of_session || !flow.starts_with("inline"));
        sides.fold(rule.to_owned(), with_side)
    };
    style.split_inclusive('}').map(rule).collect()
}

/// A style sheet that does not shrink does not parse.
fn minified(style: &str) -> String {
    assert!(!style.contains("</"), "a style sheet must not hold `</`");
    let config =
        minify_html::Cfg { minify_css: true, keep_closing_tags: true, ..minify_html::Cfg::new() };
    let html = minify_html::minify(format!("<style>{style}</style>").as_bytes(), &config);
    let html = String::from_utf8(html).expect("minify-html keeps UTF-8");
    let content = html.strip_prefix("<style>").and_then(|html| html.strip_suffix("</style>"));
    let content = content.expect("minify-html keeps the element").to_owned();
    assert!(content.len() < style.len(), "the style sheet did not shrink: does it parse?");
    content
}
