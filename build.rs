//! Joins and minifies the page's styles and scripts once, at compile time.
//!
//! minify-html works on them alone and never sees a session: it drops blanks
//! that matter in texts, and deep nesting aborts it.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The one inline script of the head: what must happen before the first paint.
const BOOT: &[&str] = &["boot"];

/// The page's script; later files may use what earlier ones define at once.
#[rustfmt::skip]
const SCRIPT: &[&str] = &[
    "dom", "slices", "memory", "outline", "fold", "layout", "context", "query", "search", "link", "history", "notice",
    "copy", "times", "scrollers", "transcript", "state", "label-times", "tree-row", "tree-view", "tree-keys", "type-ahead",
    "filters", "search-box", "search-help", "hits", "mark-paint", "marks", "resizer", "theme", "drawer", "trail", "reading",
    "lens-items", "lens-message", "lens", "moves", "forks", "map", "dialog", "leaves", "menu", "overlay", "print", "keys",
    "toolbar", "actions", "picture", "tree-input", "api", "main",
];

#[rustfmt::skip]
const STYLES: &[&str] = &[
    "variables", "base", "sidebar", "search", "entry", "markdown", "code", "tools", "lens", "dialogs", "print",
];

fn main() {
    println!("cargo::rerun-if-changed=static");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write =
        |name: &str, text: String| fs::write(out.join(name), text).expect("OUT_DIR is writable");
    write("boot.js", minified("script", &wrapped(&joined("static/js", BOOT, "js"))));
    write("script.js", minified("script", &wrapped(&joined("static/js", SCRIPT, "js"))));
    write("style.css", minified("style", &joined("static/css", STYLES, "css")));
}

fn joined(folder: &str, names: &[&str], ending: &str) -> String {
    let read = |name: &&str| {
        let path = Path::new(folder).join(format!("{name}.{ending}"));
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("failed to read `{}`: {error}", path.display()))
    };
    names.iter().map(read).collect::<Vec<_>>().join("\n")
}

/// Drops the `/** */` comments that begin a line: the minifier keeps them.
fn without_doc_comments(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut in_comment = false;
    for line in script.lines() {
        in_comment |= line.trim_start().starts_with("/**");
        let code = match (in_comment, line.split_once("*/")) {
            (false, _) => line,
            (true, None) => continue,
            (true, Some((_, code))) => code,
        };
        in_comment = false;
        out.push_str(code);
        out.push('\n');
    }
    out
}

/// A scope of its own, so that the page's script adds no globals but its API.
fn wrapped(script: &str) -> String {
    format!("(() => {{\n\"use strict\";\n{}\n}})();", without_doc_comments(script))
}

/// Minifies the content of an element. minify-html passes what it cannot parse
/// through in silence, so a syntax error shows here as text that did not shrink.
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
    assert!(content_out.len() < content.len(), "a {element} did not shrink: does it parse?");
    content_out
}
