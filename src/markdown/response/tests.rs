use super::super::escape::JOINER;
use super::*;

fn md(text: &str) -> String {
    of(text, 3, "r1-")
}

#[test]
fn what_harms_nobody_stays_as_it_is() {
    for text in [
        "Two *words* and `code`.\n",
        "- a\n- b\n  1. c\n\n> quote\n",
        "| a | b |\n|---|---|\n| 1 | `2` |\n",
        "```rs\nfn main() {}\n```\n",
        "[docs](https://example.com/a_b \"t\") and <https://example.com>\n",
        "a < b, 5 > 3, x && y\n",
        "- [x] done\n",
    ] {
        assert_eq!(md(text), text);
    }
    assert_eq!(md(" \n"), "");
}

#[test]
fn html_is_text() {
    assert_eq!(md("a <b>bold</b>"), "a \\<b>bold\\</b>\n");
    assert_eq!(md("<div>\n\n# x\n</div>"), "\\<div>\n\n### x\n\\</div>\n");
    assert_eq!(md("<!-- open\n\ntext"), "\\<!-- open\n\ntext\n");
    assert_eq!(md("<script>\nalert(1)\n</script>"), "\\<script>\nalert(1)\n\\</script>\n");
    assert_eq!(
        md("<div>\n![x](http://e.com/i.png)\n</div>"),
        "\\<div>\n[x](http://e.com/i.png)\n\\</div>\n"
    );
    assert_eq!(md("\\<b>"), "\\<b>\n");
    assert_eq!(md("\\\\<b>"), "\\\\\\<b>\n");
}

#[test]
fn images_are_links_and_unsafe_links_are_text() {
    assert_eq!(md("![a](https://e.com/i.png)"), "[a](https://e.com/i.png)\n");
    assert_eq!(md("![](https://e.com/i.png)"), "[image](https://e.com/i.png)\n");
    assert_eq!(md("[![ci](https://e.com/b.svg)](https://e.com)"), "[ci](https://e.com)\n");
    assert_eq!(md("[x](javascript:alert(1))"), "x (`javascript:alert(1)`)\n");
    assert_eq!(md("[src/a.rs](src/a.rs)"), "src/a.rs\n");
    assert_eq!(md("<javascript:alert(1)>"), "\\<javascript:alert(1)>\n");
    assert_eq!(
        md("![x](data:image/svg+xml;base64,AAAA)"),
        "x (`data:image/svg+xml;base64,AAAA`)\n"
    );
}

#[test]
fn references_stay_within_the_response() {
    assert_eq!(
        md("See [the docs][d] and [d].\n\n[d]: https://e.com/a \"T\""),
        "See [the docs](https://e.com/a \"T\") and [d](https://e.com/a \"T\").\n\n\\[d]: https://e.com/a \"T\"\n"
    );
    assert_eq!(md("a[^1]\n\n[^1]: note"), "a[^r1-1]\n\n[^r1-1]: note\n");
    assert_eq!(md("a[^1]"), "a\\[^1]\n");
    assert_eq!(md("[a]: javascript:alert(1)"), "\\[a]: javascript:alert(1)\n");
}

#[test]
fn nobody_is_notified() {
    assert_eq!(md("ask @ada about #12"), format!("ask @{JOINER}ada about #{JOINER}12\n"));
    assert_eq!(md("`@ada #12`"), "`@ada #12`\n");
}

#[test]
fn headings_lie_below_those_of_the_document() {
    assert_eq!(md("# a\n## b\n###### c"), "### a\n#### b\n###### c\n");
    assert_eq!(md("Title\n===\n\ntext"), "### Title\n\ntext\n");
    assert_eq!(md("Two\nlines\n---\ntext"), "#### Two lines\ntext\n");
    assert_eq!(md("> Quoted\n> ===\n> text").matches("### Quoted").count(), 1);
}

#[test]
fn an_open_fence_is_closed() {
    assert_eq!(md("```\ncode"), "```\ncode\n```\n");
    assert_eq!(md("~~~~rs"), "~~~~rs\n~~~~\n");
    assert_eq!(md("```\ncode\n```"), "```\ncode\n```\n");
    assert_eq!(md("````\n```\n"), "````\n```\n````\n");
}

/// Each pass rewrites what the one before uncovered; what never ends stands in a fence.
#[test]
fn nothing_that_harms_is_left_in_any_text() {
    let pieces = [
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "<?",
        "<![CDATA[",
        "![",
        "](",
        ")",
        "[a]",
        "[a]: b",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "# ",
        "```",
        "`",
        "\\",
        "<http://a.b>",
        "<x:y>",
        "javascript:x",
        "https://e.com",
        "*",
        "_",
        "&lt;",
        "\t",
        "|",
        "[^1]",
        "[^1]: ",
        "===",
        "---",
        "<div>",
        "@a",
        "#1",
        "    ",
        "\"",
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        let rewritten = md(&text);
        assert!(is_harmless(&rewritten, 3) || rewritten.is_empty(), "{text:?} → {rewritten:?}");
    }
}
