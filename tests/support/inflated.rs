//! What a page holds in packed form, unpacked.

use leafpress::extract::Page;
use leafpress::page::wire::{pack_text, packed};

/// The content of a data element.
pub(crate) fn element<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let open = format!("id=\"{id}\">");
    let start = page.find(&open)? + open.len();
    page[start..].split("</script").next()
}

/// A packed text.
pub(crate) fn unpacked(data: &str) -> String {
    String::from_utf8(packed::decode(data, 1 << 30).unwrap()).unwrap()
}

/// The markup of each pack.
pub(crate) fn packs(page: &str) -> impl Iterator<Item = String> {
    let packs = (0..).map_while(|nth| element(page, &format!("pack-{nth}"))).map(unpacked);
    packs.map(|pack| pack_text::fragments(&pack).concat())
}

/// What a page says of changes to files: its data, and the lines of all hunks without their colors.
pub(crate) fn changes(page: &str) -> impl Iterator<Item = String> {
    let data = element(page, "changes-data").map(unpacked);
    let packs = (0..).map_while(|nth| element(page, &format!("hunks-{nth}"))).map(unpacked);
    let lines = packs.map(|pack| {
        let markup = pack_text::fragments(&pack).concat();
        let texts =
            markup.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        texts.collect::<String>()
    });
    data.into_iter().chain(lines)
}

/// The files that a page holds: the session's own, or those of its sub-sessions.
pub(crate) fn source(page: &str, id: &str) -> Option<String> {
    let files = Page::find(page.as_bytes()).unwrap();
    let bytes = match id {
        "source" => files.session_file().ok()?,
        _ => files.child_files().ok()?.into_iter().flat_map(|file| file.bytes).collect(),
    };
    Some(String::from_utf8(bytes).unwrap())
}

/// All that a page says in any form.
pub(crate) fn everything(page: &str) -> String {
    let outline = unpacked(element(page, "outline").unwrap());
    let sources = ["source", "child-sources"].into_iter().filter_map(|id| source(page, id));
    let parts = [page.to_owned(), outline].into_iter().chain(packs(page)).chain(sources);
    let parts = parts.chain(changes(page));
    parts.collect::<Vec<_>>().join("\n")
}
