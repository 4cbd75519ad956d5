use proptest::prelude::*;

use super::*;
use crate::render::Html;

#[test]
fn a_text_is_the_same_in_a_line_and_in_a_fragment() {
    let mut both = Vec::new();
    push_line(&mut both, br#"{"text":"a <b> & \"c\"\n\td\\e's \u001b"}"#);
    assert_eq!(both, b"{\x04text\x04:\x04a <b> & \"c\"\n\td\\e's \x03u001b\x04}");
    both.clear();
    push_fragment(
        &mut both,
        "<p class=\"x\">a &lt;b&gt; &amp; &quot;c&quot;\n\td\\e&#39;s&#38;\u{1}</p>",
    );
    assert_eq!(both, b"\x05p class=\x04x\x04\x06a <b> & \"c\"\n\td\\e's\x07#38;\x03A\x05/p\x06");
}

#[test]
fn what_cannot_be_written_is_told() {
    for line in [&b"a\tb"[..], b"a\x01", b"\xff", b"a\\", b"\\\\\\"] {
        assert!(!is_writable(line), "{line:?}");
    }
    assert!(is_writable(b"{\"a\":\"\\\\\"}\r"));
}

#[test]
fn lines_follow_one_another_unless_a_number_says_otherwise() {
    let mut pack = Vec::new();
    for (of_child, number, before) in
        [(false, 7, None), (false, 8, Some(7)), (true, 9, None), (false, 9, None)]
    {
        push_numbered(&mut pack, b"x", of_child, number, before);
        push_fragment(&mut pack, "<p></p>");
        pack.push(PIECE_END);
        push_fragment(&mut pack, "<i>2</i>");
        pack.push(PIECE_END);
    }
    let lines = lines(&pack).unwrap();
    let found: Vec<_> = lines.iter().map(|line| (line.of_child, line.number)).collect();
    assert_eq!(found, [(false, 7), (false, 8), (true, 9), (false, 9)]);
    let fragments = fragments(str::from_utf8(&pack).unwrap());
    assert_eq!(fragments[..2], ["<p></p>", "<i>2</i>"]);
    assert_eq!(fragments.len(), 8);
}

proptest! {
    #[test]
    fn fragments_come_back(text in "[a-z<>&\"'\\\\\u{0}-\u{20}é]{0,40}|(&amp;|&#38;|&|amp;|<span class=\"k\">|<span class=\"|</span>|\u{f}|x\">){0,8}") {
        let mut out = Vec::new();
        push_fragment(&mut out, &text);
        prop_assert!(!out.iter().any(|byte| *byte <= LINE_END));
        prop_assert_eq!(fragment(str::from_utf8(&out).unwrap()), text);
    }

    #[test]
    fn the_text_is_that_of_the_markup(text in "(a|é|\"|<b title=\"x > data-ui\">|<span class=\"k\">|<span data-ui>|<span class=\"x\" data-ui=\"\">|<p data-ui>|<br data-ui>|</span>|</p>|</b>|&lt;|&amp;|&#38;|&#8238;|&|>|'|\u{1}|\n| ){0,20}") {
        let (mut packed, mut shown) = (Vec::new(), String::new());
        push_fragment(&mut packed, &text);
        visible_pieces(&packed, |piece| shown.push_str(piece));
        prop_assert_eq!(shown, Html::trusted(text).visible_text());
    }

    #[test]
    fn lines_come_back(text in "[a-z<>&\"'\\\\ü\r\t]{0,40}|(\\\\n|\\\\\"|\\\\u|\"|\\\\\\\\){0,8}") {
        let text = text.as_bytes();
        let mut out = Vec::new();
        if is_writable(text) {
            push_line(&mut out, text);
            prop_assert!(!out.iter().any(|byte| *byte <= LINE_END));
            prop_assert_eq!(line(&out), text);
        }
    }
}
