//! The page's styles and scripts, minified by `cargo xtask assets`, and their hashes.

use std::sync::LazyLock;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::render::Html;

use super::theme::Theme;

/// What runs before the first paint.
pub(crate) const BOOT: &str = include_str!("assets/boot.js");
const SCRIPT: &str = include_str!("assets/script.js");
/// The same, packed.
const PROGRAM: &str = include_str!("assets/program.txt");
/// The script of the band, and the same packed.
const BAND_SCRIPT: &str = include_str!("assets/band.js");
const BAND: &str = include_str!("assets/band.txt");
const LOADER: &str = include_str!("assets/loader.js");
const STYLE: &str = include_str!("assets/style.css");

/// What a policy names the page's own scripts by, but for that of the band: the same for every page.
static SCRIPTS: LazyLock<String> = LazyLock::new(|| [BOOT, LOADER, SCRIPT].map(hash).join(" "));

/// What every page carries inline.
#[derive(Debug)]
pub(super) struct Assets {
    /// The style sheet.
    pub(super) css: Html,
    /// The script that runs before the first paint.
    pub(super) boot: Html,
    /// The script that runs the page, compressed.
    pub(super) program: Html,
    /// The script of the band, compressed; only where responses report tokens.
    pub(super) band: Option<Html>,
    /// The script that opens it.
    pub(super) loader: Html,
}

impl Assets {
    /// With a reader's own colors behind the page's.
    pub(super) fn new(theme: Option<&Theme>, has_band: bool) -> Assets {
        let own = theme.map(Theme::css).unwrap_or_default();
        let html = |text: &str| Html::trusted(text.to_owned());
        Assets {
            css: Html::trusted(format!("{STYLE}{own}")),
            boot: html(BOOT),
            program: html(PROGRAM),
            band: has_band.then(|| html(BAND)),
            loader: html(LOADER),
        }
    }

    /// The Content-Security-Policy: our own inline blocks by hash, inline pictures,
    /// and nothing else. No text can become script but the one that the loader opens,
    /// which goes by its hash too; and nothing can be fetched.
    pub(super) fn content_security_policy(&self) -> String {
        let (scripts, styles) = self.hashes();
        format!(
            "default-src 'none'; script-src {scripts}; style-src {styles}; img-src data:; base-uri 'none'; \
             form-action 'none'; require-trusted-types-for 'script'; trusted-types leafpress leafpress-fragments"
        )
    }

    /// What a policy that lets this page be must name: its scripts, and its style.
    pub(super) fn hashes(&self) -> (String, String) {
        let band = self.band.as_ref().map(|_| format!(" {}", hash(BAND_SCRIPT)));
        (format!("{}{}", *SCRIPTS, band.unwrap_or_default()), hash(self.css.as_str()))
    }
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}
