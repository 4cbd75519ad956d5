//! What a page is made of, in bytes of the page as it is written.

use std::fmt;
use std::io;

use memchr::memmem;

use crate::render::Html;
use crate::session::Kind;
use crate::session::text::bytes;

/// What base64 of a picture, which is compressed already, takes in a pack for each of its bytes:
/// zlib undoes the base64, and the letters of packs carry 13 bits in 16.
const PACKED_IMAGE: f64 = 0.75 * 16.0 / 13.0;

/// How a fragment says that it holds no output; a session's own text has no markup.
const NO_OUTPUT: [&[u8]; 2] =
    [b"<p class=\"note\" data-ui>No output</p>", b" data-ui>Output not included ("];

/// A page's size and what it is made of, in bytes.
///
/// The parts add up to the whole. Within a pack, which is compressed as one, pictures count with
/// what they take compressed and the rest by its length before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Sizes {
    /// Messages and what is drawn around them, in bytes.
    pub text: usize,
    /// What tools and commands gave, in bytes.
    pub tool_output: usize,
    /// Pictures, in bytes.
    pub images: usize,
    /// The session file and those of its sub-sessions, in bytes.
    pub source: usize,
    /// The page itself, in bytes: its program, its styles, the tree.
    pub page: usize,
}

impl Sizes {
    /// The whole page, in bytes.
    pub fn total(&self) -> usize {
        self.text + self.tool_output + self.images + self.source + self.page
    }
}

impl fmt::Display for Sizes {
    /// One line for people: `1.4 MB: text 0.3 MB, …`, the parts that are there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", bytes(self.total()))?;
        let parts = [
            ("text", self.text),
            ("tool output", self.tool_output),
            ("images", self.images),
            ("session file", self.source),
            ("the page itself", self.page),
        ];
        let mut sign = ": ";
        for (name, size) in parts.into_iter().filter(|(_, size)| *size > 0) {
            write!(f, "{sign}{name} {}", bytes(size))?;
            sign = ", ";
        }
        Ok(())
    }
}

/// Markup before it is written, by what it shows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    text: usize,
    tool_output: usize,
    images: usize,
    source: usize,
}

impl std::ops::AddAssign for Parts {
    fn add_assign(&mut self, other: Parts) {
        self.text += other.text;
        self.tool_output += other.tool_output;
        self.images += other.images;
        self.source += other.source;
    }
}

impl Parts {
    pub(super) fn add(&mut self, article: &Html, kind: Kind) {
        let markup = article.as_str().as_bytes();
        let images = image_bytes(markup);
        self.images += images;
        let rest = markup.len() - images;
        let has_output = matches!(kind, Kind::ToolResult | Kind::Bash | Kind::Program)
            && !NO_OUTPUT.iter().any(|note| memmem::find(markup, note).is_some());
        if has_output {
            self.tool_output += rest;
        } else {
            self.text += rest;
        }
    }

    /// A line of the session's files, which lies beside its article.
    pub(super) fn add_source(&mut self, line: &[u8]) {
        self.source += line.len();
    }
}

impl Sizes {
    /// Adds markup that is written as it is.
    pub(super) fn add_plain(&mut self, parts: Parts) {
        self.text += parts.text;
        self.tool_output += parts.tool_output;
        self.images += parts.images;
        self.source += parts.source;
    }

    /// Adds markup that takes so many bytes once it is packed.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "shares of sizes far below 2^52"
    )]
    pub(super) fn add_packed(&mut self, parts: Parts, bytes: usize) {
        let images = ((parts.images as f64 * PACKED_IMAGE) as usize).min(bytes);
        let whole = (parts.text + parts.tool_output + parts.source).max(1) as f64;
        let share = |part: usize| ((bytes - images) as f64 * (part as f64 / whole)) as usize;
        let (tool_output, source) = (share(parts.tool_output), share(parts.source));
        let text = (bytes - images).saturating_sub(tool_output + source);
        self.add_plain(Parts { text, tool_output, images, source });
    }

    /// Those of a page of so many bytes; what is nothing else is the page itself.
    pub(super) fn of_page(self, total: usize) -> Sizes {
        Sizes { page: total.saturating_sub(self.total()), ..self }
    }
}

/// Bytes of inline pictures in a fragment; a session's own text has no quotes of markup.
fn image_bytes(markup: &[u8]) -> usize {
    const OPEN: &[u8] = b"src=\"data:";
    memmem::find_iter(markup, OPEN)
        .map(|at| {
            let data = &markup[at + OPEN.len()..];
            memchr::memchr(b'"', data).unwrap_or(data.len())
        })
        .sum()
}

/// Counts what is written through it.
pub(super) struct Counted<W> {
    out: W,
    pub(super) bytes: usize,
}

impl<W> Counted<W> {
    pub(super) fn new(out: W) -> Self {
        Counted { out, bytes: 0 }
    }
}

impl<W: io::Write> io::Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_one_line() {
        let sizes = Sizes { text: 300_000, images: 2_000_000, page: 90_400, ..Sizes::default() };
        assert_eq!(sizes.to_string(), "2.4 MB: text 300 KB, images 2.0 MB, the page itself 90 KB");
    }

    #[test]
    fn parts_of_a_pack_add_up_to_it() {
        let article = |text: &str| Html::trusted(text.to_owned());
        let mut parts = Parts::default();
        parts.add(&article(&"t".repeat(3000)), Kind::User);
        parts.add(&article(&"o".repeat(1000)), Kind::Bash);
        parts.add(&article(&format!("<img src=\"data:{}\">", "i".repeat(1300))), Kind::User);
        let mut sizes = Sizes::default();
        sizes.add_packed(parts, 2000);
        let sizes = sizes.of_page(2500);
        assert_eq!((sizes.images, sizes.tool_output, sizes.page), (1200, 199, 500));
        assert_eq!(sizes.total(), 2500);
    }
}
