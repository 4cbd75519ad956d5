//! The worked example of docs/page-format.md is true.

use super::{pack_text, packed};

const FORMAT: &str = include_str!("../../../docs/page-format.md");

/// The block of this name.
fn block(name: &str) -> &str {
    let begin = format!("\n```{name}\n");
    let (_, text) = FORMAT.split_once(begin.as_str()).unwrap();
    text.split_once("\n```\n").unwrap().0
}

/// A picture for each control character.
fn drawn(bytes: &[u8]) -> String {
    let text = str::from_utf8(bytes).unwrap();
    let draw = |c: char| if c < ' ' { char::from_u32(0x2400 + u32::from(c)).unwrap() } else { c };
    text.chars().map(draw).collect()
}

#[test]
fn the_worked_pack_is_read_as_it_says() {
    let bytes = packed::bytes_of(block("base91")).unwrap();
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex.join(" "), block("hex"));
    let pack = packed::decode(block("base91"), 1 << 10).unwrap();
    assert_eq!(drawn(&pack), block("pack"));
    let lines = pack_text::lines(&pack).unwrap();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((line.of_child, line.number), (false, 7));
    assert_eq!(pack_text::line(line.text), block("line").as_bytes());
    assert_eq!(pack_text::fragments(str::from_utf8(&pack).unwrap()), [block("fragment")]);
}

#[test]
fn the_worked_pack_is_written_as_it_says() {
    let mut pack = Vec::new();
    pack_text::push_numbered(&mut pack, block("line").as_bytes(), false, 7, None);
    pack_text::push_fragment(&mut pack, block("fragment"));
    pack.push(pack_text::PIECE_END);
    assert_eq!(drawn(&pack), block("pack"));
}
