//! Where pictures are kept, and the other files beside a session.

use std::collections::HashSet;

use memchr::memmem;

use crate::session::attachments::Attachments;
use crate::session::json::Json;
use crate::session::omitted::Parts;

use super::Cut;
use super::fields::{self, each_text, text};

/// What stands where a picture stood in a text.
const GONE: &str = "[image not included]";

/// How the base64 of PNG, JPEG, GIF, WebP, BMP, TIFF, SVG, XML and AVIF or HEIC files begins.
const BEGINNINGS: [&str; 12] = [
    "iVBORw0KGgo",
    "/9j/",
    "R0lGOD",
    "UklGR",
    "Qk0",
    "SUkqA",
    "TU0AK",
    "PHN2Zy",
    "PD94bW",
    "AAAAGGZ0eX",
    "AAAAHGZ0eX",
    "AAAAIGZ0eX",
];

/// A shorter run of letters is a word that begins as a picture does.
const SHORTEST: usize = 32;

/// Takes pictures out of every value.
pub(super) fn prune(json: &mut Json<'_>, lost: &mut Parts) {
    fields::prune(json, &mut |name, value| {
        let goes = is_picture(value) || name.is_some_and(|name| is_picture_field(name, value));
        lost.images += usize::from(goes);
        goes
    });
    each_text(json, &mut |text| {
        let (changed, count) = without_pictures(text)?;
        lost.images += count;
        Some(changed)
    });
}

/// A block of a picture, in the forms of all providers.
fn is_picture(json: &Json<'_>) -> bool {
    let is_image = |key| text(json, key).starts_with("image/");
    let block_type = text(json, "type").to_ascii_lowercase();
    let holds =
        ["data", "url", "source", "base64", "uri"].iter().any(|key| json.get(key).is_some());
    let is_typed = block_type.starts_with("image") || block_type.ends_with("image");
    is_typed && !matches!(json, Json::Array(_))
        || holds && ["mimeType", "mime_type", "media_type", "mediaType"].into_iter().any(is_image)
}

/// A field whose name says that it is one, unless its value says otherwise.
fn is_picture_field(name: &str, value: &Json<'_>) -> bool {
    match value {
        Json::String(text) => {
            Attachments::is_blob_name(text)
                || matches!(name, "image_url" | "imageUrl") && !text.is_empty()
        }
        Json::Object(_) => matches!(name, "image" | "image_url" | "imageUrl"),
        Json::Array(items) => matches!(name, "images" | "frames") && !items.is_empty(),
        _ => false,
    }
}

/// The text without data URLs of pictures and base64 that begins as a picture does.
fn without_pictures(text: &str) -> Option<(String, usize)> {
    let mut kept = String::new();
    let (mut from, mut count) = (0, 0);
    while let Some((start, end)) = next_picture(text, from) {
        kept.push_str(&text[from..start]);
        kept.push_str(GONE);
        (from, count) = (end, count + 1);
    }
    (count > 0).then(|| (kept + &text[from..], count))
}

/// Where the next one stands.
fn next_picture(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if starts_url(&bytes[at..]) {
            let ends = |b: &u8| b.is_ascii_whitespace() || b"\"'()<>`\\".contains(b);
            // An SVG may stand in it as it is, blanks and all.
            let rest = &bytes[at..];
            let bare = rest.iter().position(ends).unwrap_or(rest.len());
            let is_open = memmem::find(&rest[..bare.min(64)], b"svg+xml").is_some()
                && rest.get(bare) == Some(&b'<');
            let close = is_open.then(|| memmem::find(rest, b"</svg>").map(|at| at + 6)).flatten();
            let len = close.unwrap_or(bare);
            return Some((at, at + len));
        }
        if is_letter(bytes[at]) {
            let len = run_at(bytes, at);
            let run = &text[at..at + len];
            if let Some(start) = begins(run) {
                return Some((at + start, end_of(bytes, at + start)));
            }
            let is_data = bytes[at + len..].starts_with(b":") && run.len() >= 4;
            let is_data = is_data && run[len - 4..].eq_ignore_ascii_case("data");
            let url = at + len - if is_data { 4 } else { 0 };
            let is_picture = starts_url(&bytes[url..]);
            at += if is_picture { url - at } else { len };
            continue;
        }
        at += 1;
    }
    None
}

fn starts_url(bytes: &[u8]) -> bool {
    const URL: &[u8] = b"data:image/";
    bytes.get(..URL.len()).is_some_and(|start| start.eq_ignore_ascii_case(URL))
}

/// Where within a run of letters a picture begins.
fn begins(run: &str) -> Option<usize> {
    /// What is shorter stands in any base64 by chance.
    const SURE: usize = 5;
    let starts = BEGINNINGS.iter().any(|start| run.starts_with(start)).then_some(0);
    let within =
        || BEGINNINGS.iter().filter(|b| b.len() >= SURE).filter_map(|start| run.find(start)).min();
    let long = |start: &usize| run.len() - start >= SHORTEST;
    starts
        .filter(long)
        .or_else(|| Some(run.len()).filter(|len| *len >= SHORTEST).and_then(|_| within()))
        .filter(long)
}

/// Where the base64 ends that begins here, over lines of one length.
fn end_of(bytes: &[u8], from: usize) -> usize {
    /// Programs that break lines of base64 do so at 60 letters or later.
    const BROKEN: usize = 60;
    let width = run_at(bytes, from);
    let mut end = from + width;
    let is_broken = width >= BROKEN;
    loop {
        let next = end + bytes[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let len = run_at(bytes, next);
        let is_last = len < width && (len >= SHORTEST || bytes.get(next + len) == Some(&b'='));
        if !is_broken || next == end || !(len == width || is_last) {
            break;
        }
        end = next + len;
        if is_last {
            break;
        }
    }
    end + bytes[end..].iter().take_while(|byte| **byte == b'=').count()
}

fn run_at(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| is_letter(**byte)).count()
}

/// Of base64 and its safe form.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

/// Of the files beside a session those that the new one may hold: named there, and of a kind that
/// stays.
pub(super) fn kept(mut files: Attachments, cut: &Cut, source: &[u8]) -> Attachments {
    let blobs: HashSet<&[u8]> = names(source, b"blob:sha256:", 64).collect();
    let artifacts: HashSet<&[u8]> =
        names(source, b"artifact://", 0).chain(names(source, b"\"artifactId\":\"", 0)).collect();
    let numbers = names(source, b"\"artifactId\":", 0);
    let artifacts: HashSet<&[u8]> = artifacts.into_iter().chain(numbers).collect();
    files.retain(
        |hash| !cut.without_images && blobs.contains(hash.as_bytes()),
        |number| !cut.without_tool_output && artifacts.contains(number.as_bytes()),
    );
    for output in files.texts_mut().filter(|_| cut.without_images) {
        if let Some((changed, _)) = without_pictures(output) {
            *output = changed;
        }
    }
    files
}

/// What follows each such beginning: so many bytes, or digits.
fn names<'s>(source: &'s [u8], beginning: &'s [u8], len: usize) -> impl Iterator<Item = &'s [u8]> {
    memmem::find_iter(source, beginning).filter_map(move |at| {
        let rest = &source[at + beginning.len()..];
        let digits = || rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest.get(..if len == 0 { digits() } else { len })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        without_pictures(text).map_or_else(|| text.to_owned(), |(text, _)| text)
    }

    #[test]
    fn pictures_in_texts_go_and_what_looks_like_them_stays() {
        let png = format!("iVBORw0KGgo{}", "A".repeat(40));
        assert_eq!(
            cut(&format!("a ![x](data:image/png;base64,{png}) b")),
            format!("a ![x]({GONE}) b")
        );
        assert_eq!(
            cut(&format!("{{\\\"d\\\":\\\"{png}==\\\"}}")),
            format!("{{\\\"d\\\":\\\"{GONE}\\\"}}")
        );
        assert_eq!(cut("see DATA:image/gif;base64,R0lGOD and on"), format!("see {GONE} and on"));
        assert_eq!(
            cut("<img src='data:image/svg+xml,<svg a=\"b\">x y</svg>'>"),
            format!("<img src='{GONE}'>")
        );
        assert_eq!(cut("xdata:image/png;base64,QQ y"), format!("x{GONE} y"));
        let lines = format!("{}\n{}\nAAAA==\nand on", &png[..60.min(png.len())], "A".repeat(60));
        let wide = format!("iVBORw0KGgo{}", "A".repeat(65));
        let wrapped = format!("{wide}\n{}\nAAAA==\nand on", "A".repeat(76));
        assert_eq!(cut(&wrapped), format!("{GONE}\nand on"));
        assert_eq!(cut(&format!("img={wide}==")), format!("img={GONE}"));
        assert!(!cut(&lines).contains("iVBOR"));
        for stays in [
            "iVBORw0KGgo is how one begins",
            "data:text/plain,hello data: data:image",
            "metadata: name, UklGR",
            &"0123456789abcdef".repeat(8),
        ] {
            assert_eq!(cut(stays), stays);
        }
    }
}
