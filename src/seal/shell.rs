//! The document around the sealed chunks. Nothing in it depends on the session.

use std::io::{self, Write};

use askama::Template;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::page::{BOOT, Options, own_blocks};
use crate::render::Html;

use super::cipher::{Cipher, sum};

const SCRIPT: &str = include_str!("../page/assets/seal.js");
const STYLE: &str = include_str!("../page/assets/seal.css");

/// The document up to the first chunk.
#[derive(Template)]
#[template(path = "sealed.html")]
struct ShellTemplate<'a> {
    csp: &'a str,
    version: &'static str,
    css: Html,
    /// The page's own, for the remembered theme.
    boot: Html,
    script: Html,
    parameters: Html,
    check: Html,
    sum: Html,
}

pub(super) struct Shell {
    csp: String,
}

impl Shell {
    /// For a page of these options.
    ///
    /// The policy of the page within joins that of the shell, and what is written must pass both:
    /// so the shell's also names the blocks of the page. Pages of one version and theme have the
    /// same; they tell nothing else.
    pub(super) fn new(options: &Options) -> Shell {
        let (scripts, styles) = own_blocks(options.theme.as_ref());
        let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)));
        let csp = format!(
            "default-src 'none'; script-src {} {scripts}; style-src {} {styles}; img-src data:; base-uri 'none'; \
             form-action 'none'; require-trusted-types-for 'script'; \
             trusted-types leafpress leafpress-fragments leafpress-seal",
            hash(SCRIPT),
            hash(STYLE)
        );
        Shell { csp }
    }

    pub(super) fn write_before(&self, cipher: &Cipher, out: &mut impl Write) -> io::Result<()> {
        let check = cipher.check().ok_or_else(|| io::Error::other("nothing can be sealed"))?;
        let trusted = |text: &str| Html::trusted(text.to_owned());
        let shell = ShellTemplate {
            csp: &self.csp,
            version: env!("CARGO_PKG_VERSION"),
            css: trusted(STYLE),
            boot: trusted(BOOT),
            script: trusted(SCRIPT),
            // Base64 and names of our own.
            parameters: trusted(cipher.text()),
            sum: Html::trusted(sum(cipher.text(), &check)),
            check: Html::trusted(check),
        };
        shell.write_into(out)
    }

    pub(super) fn write_after(out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"</body>\n</html>\n")
    }
}
