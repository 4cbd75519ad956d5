//! The page's styles and scripts, minified by `cargo xtask assets`, and their hashes.

use std::sync::LazyLock;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::render::Html;

use super::theme::Theme;

/// What runs before the first paint.
pub(crate) const BOOT: &str = include_str!("assets/boot.js");
/// The page's script and the style of its controls, packed; with the band's, for pages where responses report tokens;
/// with those of the view Changes, for pages of sessions that edited files; with both.
const PROGRAMS: [&str; 4] = [
    include_str!("assets/program.txt"),
    include_str!("assets/program-with-band.txt"),
    include_str!("assets/program-with-changes.txt"),
    include_str!("assets/program-with-both.txt"),
];
const LOADER: &str = include_str!("assets/loader.js");
const STYLE: &str = include_str!("assets/style.css");

/// What a policy names the style by.
const STYLE_HASH: &str = concat!("'sha256-", include_str!("assets/style.sha256"), "'");

/// What a policy names the scripts by that every page has.
static SCRIPT_HASHES: LazyLock<String> = LazyLock::new(|| [BOOT, LOADER].map(hash).join(" "));
/// The same of each of the page's scripts.
const PROGRAM_HASHES: [&str; 4] = [
    concat!("'sha256-", include_str!("assets/program.sha256"), "'"),
    concat!("'sha256-", include_str!("assets/program-with-band.sha256"), "'"),
    concat!("'sha256-", include_str!("assets/program-with-changes.sha256"), "'"),
    concat!("'sha256-", include_str!("assets/program-with-both.sha256"), "'"),
];

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
    /// Which of the scripts it is.
    program_place: usize,
    /// The script that opens it.
    pub(super) loader: Html,
}

impl Assets {
    /// With a reader's own colors behind the page's. The band is only where responses report tokens, and the view
    /// Changes where the session edited files.
    pub(super) fn new(theme: Option<&Theme>, has_band: bool, has_changes: bool) -> Assets {
        let program_place = usize::from(has_band) + 2 * usize::from(has_changes);
        let (css, css_hash) = match theme.map(Theme::css) {
            Some(own) => {
                let css = format!("{STYLE}{own}");
                let css_hash = hash(&css);
                (css, css_hash)
            }
            None => (STYLE.to_owned(), STYLE_HASH.to_owned()),
        };
        let html = |text: &str| Html::trusted(text.to_owned());
        Assets {
            css: Html::trusted(css),
            css_hash,
            boot: html(BOOT),
            program: html(PROGRAMS[program_place]),
            program_place,
            loader: html(LOADER),
        }
    }

    /// The Content-Security-Policy: our own inline blocks by hash, inline pictures,
    /// and nothing else. No text can become script but the one that the loader opens,
    /// which goes by its hash too; and nothing can be fetched.
    pub(super) fn content_security_policy(&self) -> Html {
        let program = PROGRAM_HASHES[self.program_place];
        let styles = &self.css_hash;
        Html::trusted(format!(
            "default-src 'none'; script-src {} {program}; style-src {styles}; img-src data:; base-uri 'none'; \
             form-action 'none'; require-trusted-types-for 'script'; trusted-types leafpress leafpress-fragments",
            *SCRIPT_HASHES
        ))
    }

    /// The hashes that a policy must name to let such a page be: of its scripts, whichever it has, and of its style.
    #[cfg(feature = "seal")]
    pub(super) fn hashes(&self) -> (String, String) {
        (format!("{} {}", *SCRIPT_HASHES, PROGRAM_HASHES.join(" ")), self.css_hash.clone())
    }
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}
