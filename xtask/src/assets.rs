//! Joins and minifies the page's styles and scripts.
//!
//! minify-html works on them alone and never sees a session: it drops blanks
//! that matter in texts, and deep nesting aborts it.

use std::fs;
use std::num::NonZeroU64;

use super::root;
use crate::bundle::BundleError;
use crate::scripts;

use data_encoding::BASE64;
use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_minifier::{CompressOptions, MangleOptions, Minifier, MinifierOptions};
use oxc_parser::Parser;
use oxc_span::SourceType;
use sha2::{Digest, Sha256};

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/page/packed.rs"]
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
    "variables", "base", "frame", "head", "entry", "steps", "forks", "markdown", "code", "invisible", "cards", "output", "print",
];

/// Those that serve only the script's controls: they travel in its package.
#[rustfmt::skip]
const CONTROL_STYLES: &[&str] = &[
    "controls/topbar", "controls/notice", "controls/sidebar", "controls/rows", "controls/search", "controls/transcript", "controls/steps", "controls/tools",
    "controls/context", "controls/compare", "controls/dialogs", "controls/sessions", "controls/lists", "controls/phone", "controls/print",
];

/// That of the band, which travels with its script.
const BAND_STYLES: &[&str] = &["controls/band"];

/// Those of a sealed page's shell.
const SEAL_STYLES: &[&str] = &["variables", "seal"];

/// What the crate includes from `src/page/assets/`, by its file names.
pub(crate) fn built() -> Result<Vec<(&'static str, String)>, BundleError> {
    let program = script(&[scripts::MAIN])?;
    let program_with_band = script(&[scripts::BAND, scripts::MAIN])?;
    let style = |names| with_sides(&minified("style", &joined("static/css", names, "css")));
    Ok(vec![
        ("boot.js", script(&[scripts::BOOT])?),
        ("loader.js", script(&[scripts::LOADER])?),
        ("program.txt", packed(&style(CONTROL_STYLES), &program)),
        (
            "program-with-band.txt",
            packed(&style(&[CONTROL_STYLES, BAND_STYLES].concat()), &program_with_band),
        ),
        ("program.sha256", sha256(&program)),
        ("program-with-band.sha256", sha256(&program_with_band)),
        ("seal.js", script(&[scripts::SEAL])?),
        ("seal.css", style(SEAL_STYLES)),
        ("style.css", style(STYLES)),
    ])
}

/// What a policy names a script by.
fn sha256(script: &str) -> String {
    BASE64.encode(&Sha256::digest(script))
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

/// Where the script has the markup of its controls, by its path.
const CONTROLS: &str = "templates/controls.html";

/// The markup of the controls as a string of the script, in the form of a fragment in a pack: a script must not hold
/// end tags. No blank at the end of a line matters in it.
fn with_controls(script: &str) -> String {
    let markup = fs::read_to_string(root().join(CONTROLS)).expect("the template is there");
    let signs = [("\n", ""), ("<", "\u{5}"), (">", "\u{6}"), ("\"", "\u{4}"), ("&quot;", "\"")];
    let fragment = signs.iter().fold(markup, |text, (sign, packed)| text.replace(sign, packed));
    script.replace(&format!("\"{CONTROLS}\""), &serde_json::json!(fragment).to_string())
}

fn script(entries: &[&str]) -> Result<String, BundleError> {
    let joined = with_arrows(&with_controls(&scripts::joined(entries)?));
    Ok(minified("script", &with_short_names(&wrapped(&joined))))
}

/// Functions of the outermost level as arrow functions, which need neither
/// `function` nor, mostly, `return`: 3 % of the script. None of them uses `this`.
fn with_arrows(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    for line in script.lines() {
        let (before, function) = match line.strip_prefix("async ") {
            Some(rest) => ("async ", rest),
            None => ("", line),
        };
        let header = function.strip_prefix("function ").and_then(|rest| rest.strip_suffix(" {"));
        match header.and_then(|header| header.split_once('(')) {
            Some((name, parameters)) => {
                out.extend(["const ", name, " = ", before, "(", parameters, " => {"]);
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn joined(folder: &str, names: &[&str], ending: &str) -> String {
    let read = |name: &&str| {
        let path = root().join(folder).join(format!("{name}.{ending}"));
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("failed to read `{}`: {error}", path.display()))
    };
    names.iter().map(read).collect::<Vec<_>>().join("\n")
}

/// The script with its local names shortened. minify-html leaves names as they
/// are and passes what it cannot parse through in silence; its own parser, asked
/// directly, shortens the names and stops at a syntax error.
fn with_short_names(script: &str) -> String {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, script, SourceType::unambiguous()).parse();
    assert!(parsed.errors.is_empty(), "the page's script does not parse: {:?}", parsed.errors);
    let mut program = parsed.program;
    let options = MinifierOptions {
        mangle: Some(MangleOptions::default()),
        compress: Some(CompressOptions::smallest()),
    };
    let minified = Minifier::new(options).minify(&allocator, &mut program);
    let options = CodegenOptions {
        minify: true,
        comments: CommentOptions::disabled(),
        ..CodegenOptions::default()
    };
    Codegen::new().with_options(options).with_scoping(minified.scoping).build(&program).code
}

/// A scope of its own, so that the page's script adds no globals but its API.
fn wrapped(script: &str) -> String {
    format!("(() => {{\n\"use strict\";\n{script}\n}})();")
}

/// The page's own words run from left to right, so that the shorter names, 4 % of
/// the style sheet less, mean the same.
fn with_sides(style: &str) -> String {
    let with_side = |style: String, (flow, side): &(&str, &str)| {
        style
            .replace(&format!("inset-{flow}:"), &format!("{side}:"))
            .replace(&format!("{flow}:"), &format!("{side}:"))
    };
    SIDES.iter().fold(style.to_owned(), with_side)
}

/// Minifies the content of an element. A style sheet that did not shrink did not parse.
fn minified(element: &str, content: &str) -> String {
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    assert!(
        !content.contains("</") && !content.contains("<!--"),
        "a {element} must not hold `</` or `<!--`"
    );
    let mut config = minify_html::Cfg::new();
    config.minify_js = true;
    config.minify_css = true;
    config.keep_closing_tags = true;
    let html = minify_html::minify(format!("{open}{content}{close}").as_bytes(), &config);
    let html = String::from_utf8(html).expect("minify-html keeps UTF-8");
    let content_out = html.strip_prefix(&open).and_then(|html| html.strip_suffix(&close));
    let content_out = content_out.expect("minify-html keeps the element").to_owned();
    assert!(
        element == "script" || content_out.len() < content.len(),
        "the style sheet did not shrink: does it parse?"
    );
    content_out
}
