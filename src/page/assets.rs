//! The page's styles and scripts, minified by `cargo xtask assets`, and their hashes.

use std::sync::LazyLock;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::render::Html;
use crate::session::{Session, branches};

use super::theme::Theme;

/// What runs before the first paint.
pub(crate) const BOOT: &str = include_str!("assets/boot.js");
/// What only some pages need of the page's script.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    /// The band over the context: where responses report tokens.
    pub(super) band: bool,
    /// The view Changes: where the session edited files.
    pub(super) changes: bool,
    /// The comparison: where a session has several branches.
    pub(super) compare: bool,
}

impl Parts {
    pub(super) fn of(session: &Session, band: bool, changes: bool) -> Parts {
        Parts { band, changes, compare: branches::has_several(session) }
    }

    /// Of their programs among all.
    fn place(self) -> usize {
        usize::from(self.band) + 2 * usize::from(self.changes) + 4 * usize::from(self.compare)
    }
}

/// The script and the style of its controls, packed, and what a policy names the script by.
macro_rules! program {
    ($name:literal) => {
        (
            include_str!(concat!("assets/", $name, ".txt")),
            concat!("'sha256-", include_str!(concat!("assets/", $name, ".sha256")), "'"),
        )
    };
}

/// By the place of their parts.
const PROGRAMS: [(&str, &str); 8] = [
    program!("program"),
    program!("program-band"),
    program!("program-changes"),
    program!("program-band-changes"),
    program!("program-compare"),
    program!("program-band-compare"),
    program!("program-changes-compare"),
    program!("program-band-changes-compare"),
];
/// What shows the way back to the index of an archive.
const BACK: &str = include_str!("assets/back.js");
const LOADER: &str = include_str!("assets/loader.js");
const STYLE: &str = include_str!("assets/style.css");

/// What formulas with tables need beside it: Chromium does not know the attributes of cells.
const TABLES: &str = "mtd[columnalign=left]{text-align:left}mtd[columnalign=right]{text-align:-webkit-right}\
    [columnspacing]>*>mtd{padding-inline:0}[columnspacing]>*>:nth-child(2n+3){padding-left:2em}";

/// What a policy names the style by.
const STYLE_HASH: &str = concat!("'sha256-", include_str!("assets/style.sha256"), "'");

/// What a policy names the scripts by that every page has.
static SCRIPT_HASHES: LazyLock<String> =
    LazyLock::new(|| [BOOT, LOADER].map(source_hash).join(" "));
/// What every page carries inline.
#[derive(Debug)]
pub(super) struct Assets {
    /// The style sheet.
    pub(super) css: Html,
    /// What a policy names it by.
    css_hash: String,
    /// The script that runs before the first paint.
    pub(super) boot: Html,
    /// The script that runs the page, compressed.
    pub(super) program: Html,
    /// What a policy names it by.
    program_hash: &'static str,
    /// The script that opens it.
    pub(super) loader: Html,
    /// What shows the way back to the index of an archive.
    pub(super) back: &'static str,
}

impl Assets {
    /// With a reader's own colors behind the page's.
    pub(super) fn new(theme: Option<&Theme>, parts: Parts, has_tables: bool) -> Assets {
        let (program, program_hash) = PROGRAMS[parts.place()];
        let css = style(theme, has_tables);
        let css_hash = style_hash(&css);
        let html = |text: &str| Html::trusted(text.to_owned());
        Assets {
            css: Html::trusted(css),
            css_hash,
            boot: html(BOOT),
            program: html(program),
            program_hash,
            loader: html(LOADER),
            back: BACK,
        }
    }

    /// The Content-Security-Policy: our own inline blocks by hash, inline pictures,
    /// and nothing else. No text can become script but the one that the loader opens,
    /// which goes by its hash too; and nothing can be fetched.
    pub(super) fn content_security_policy(&self, is_of_archive: bool) -> Html {
        let back = if is_of_archive { format!("{} ", source_hash(BACK)) } else { String::new() };
        let program = self.program_hash;
        let styles = &self.css_hash;
        Html::trusted(format!(
            "default-src 'none'; script-src {} {back}{program}; style-src {styles}; img-src data:; base-uri 'none'; \
             form-action 'none'; require-trusted-types-for 'script'; trusted-types leafpress leafpress-fragments",
            *SCRIPT_HASHES
        ))
    }
}

/// The hashes that a policy must name to let a page be: of its scripts and its style, whichever it has.
#[cfg(feature = "seal")]
pub(super) fn hashes(theme: Option<&Theme>) -> (String, String) {
    let programs = PROGRAMS.map(|(_, hash)| hash).join(" ");
    let styles = [false, true].map(|has_tables| style_hash(&style(theme, has_tables)));
    (format!("{} {programs}", *SCRIPT_HASHES), styles.join(" "))
}

fn style(theme: Option<&Theme>, has_tables: bool) -> String {
    let own = theme.map(Theme::css).unwrap_or_default();
    format!("{STYLE}{}{own}", if has_tables { TABLES } else { "" })
}

/// Of the style alone it is known.
fn style_hash(css: &str) -> String {
    if css.len() == STYLE.len() { STYLE_HASH.to_owned() } else { source_hash(css) }
}

/// What a policy names a script or a style by.
pub(crate) fn source_hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}
