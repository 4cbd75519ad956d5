//! Writes a page from its beginning to its end: each method is a step, in the order of the calls in
//! `export_on` in `mod.rs`, and hands on what a later one needs.

use std::io::{self, Write};

use askama::Template;

use crate::progress::Steps;

use super::changes::ChangesData;
use super::changes::versions::TextPieces;
use super::fragments::{Chunk, Fragments};
use super::markdown_data::EntryMarkdown;
use super::shell::{Element, ElementEnd, ShellHead, ShellOutline, ShellTail};
use super::sizes::{Counted, Sizes};
use super::wire::grams::{self, Grams};
use super::wire::packed;
use super::wire::source::Source;

/// The types of elements that hold data.
const PACKED: &str = "text/plain";
const JSON: &str = "application/json";

pub(super) struct PageWriter<'p, 'a, W> {
    out: Counted<W>,
    fragments: &'p Fragments<'a>,
    steps: &'p Steps,
    /// What was written so far, the page's own parts aside.
    sizes: Sizes,
    /// Of the entries written so far.
    markdown: Vec<EntryMarkdown>,
    texts: Vec<TextPieces>,
}

impl<'p, 'a, W: Write> PageWriter<'p, 'a, W> {
    pub(super) fn new(out: W, fragments: &'p Fragments<'a>, steps: &'p Steps) -> Self {
        let (out, sizes) = (Counted::new(out), Sizes::default());
        PageWriter { out, fragments, steps, sizes, markdown: Vec::new(), texts: Vec::new() }
    }

    /// The shell up to the articles.
    pub(super) fn head(&mut self, shell: &ShellHead<'_>) -> io::Result<()> {
        shell.write_into(&mut self.out)
    }

    /// The plain articles in document order. Gives the first chunks of packs, which were rendered along with them.
    pub(super) fn articles(&mut self) -> io::Result<Vec<Chunk>> {
        self.fragments.articles(|plain| {
            self.steps.add(1);
            self.markdown.extend(plain.markdown);
            self.texts.extend(plain.texts);
            self.sizes.add_plain(plain.parts);
            self.out.write_all(plain.html.as_str().as_bytes())
        })
    }

    /// What follows them, with the outline and the program.
    pub(super) fn outline(&mut self, shell: &ShellOutline<'_>) -> io::Result<()> {
        shell.write_into(&mut self.out)
    }

    /// The packs, each an element of its own, so that one can be opened before the page has arrived whole. Gives what a
    /// search may look for in each of them.
    pub(super) fn packs(&mut self, early: Vec<Chunk>) -> io::Result<Vec<Grams>> {
        let (mut count, mut all) = (0, Vec::new());
        self.fragments.packs(early, |pack| {
            self.steps.add(1);
            let Some(pack) = pack else { return Ok(()) };
            self.sizes.add_packed(pack.parts, pack.text.len());
            all.extend(pack.grams);
            self.markdown.extend(pack.markdown);
            self.texts.extend(pack.texts);
            let id = format!("pack-{count}");
            count += 1;
            element(&mut self.out, PACKED, &id, |out| out.write_all(pack.text.as_bytes()))
        })?;
        Ok(all)
    }

    /// What a search may look for in the packs; nothing where there are fewer than `grams::MIN_PACKS`.
    pub(super) fn grams(&mut self, grams: &[Grams]) -> io::Result<()> {
        if grams.is_empty() {
            return Ok(());
        }
        let bits = grams::packed(grams);
        element(&mut self.out, PACKED, "grams", |out| out.write_all(bits.as_bytes()))
    }

    /// What the session did to files: the index, which gets the texts of files, and the packs of hunks.
    pub(super) fn changes(
        &mut self,
        changes: &ChangesData,
        index: impl FnOnce(Vec<TextPieces>) -> String,
    ) -> io::Result<()> {
        let index = index(std::mem::take(&mut self.texts));
        self.sizes.text += index.len() + changes.hunks.iter().map(String::len).sum::<usize>();
        element(&mut self.out, PACKED, "changes-data", |out| out.write_all(index.as_bytes()))?;
        for (nth, pack) in changes.hunks.iter().enumerate() {
            let id = format!("hunks-{nth}");
            element(&mut self.out, PACKED, &id, |out| out.write_all(pack.as_bytes()))?;
        }
        Ok(())
    }

    /// All entries as Markdown, which `write` writes.
    pub(super) fn markdown(
        &mut self,
        write: impl FnOnce(Vec<EntryMarkdown>, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let entries = std::mem::take(&mut self.markdown);
        let text = packed::encode_streamed(|into| write(entries, into));
        self.sizes.text += text.len();
        element(&mut self.out, PACKED, "markdown", |out| out.write_all(text.as_bytes()))
    }

    /// Files of the session.
    pub(super) fn source(&mut self, id: &str, source: &Source<'_>) -> io::Result<()> {
        element(&mut self.out, JSON, id, |out| {
            source.write(self.fragments.threads, out, |bytes| {
                self.steps.add(1);
                self.sizes.source += bytes;
            })
        })
    }

    /// The end of the shell. Says what the page is made of.
    pub(super) fn tail(mut self) -> io::Result<Sizes> {
        ShellTail.write_into(&mut self.out)?;
        Ok(self.sizes.of_page(self.out.bytes))
    }
}

/// An element with data, none of which ends it.
fn element<W: Write>(
    out: &mut Counted<W>,
    kind: &'static str,
    id: &str,
    write: impl FnOnce(&mut Counted<W>) -> io::Result<()>,
) -> io::Result<()> {
    Element { kind, id }.write_into(out)?;
    write(out)?;
    ElementEnd.write_into(out)
}
