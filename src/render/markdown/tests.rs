//! Each rule on a text of its own.

use super::*;
use crate::prose::MAX_DEPTH;

fn markup(text: &str) -> String {
    render(&mut Colors::default(), text).as_str().to_owned()
}

#[test]
fn html_shows_as_text() {
    assert_eq!(markup("a <b onclick=x>b</b>"), "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n");
    let block = markup("<script>\nalert(1)\n</script>");
    assert_eq!(block, "<p>&lt;script&gt;<br />\nalert(1)<br />\n&lt;/script&gt;</p>\n");
}

#[test]
fn only_a_few_schemes_are_links() {
    assert!(markup("[a](https://example.org/x)").contains("<a href=\"https://example.org/x\""));
    for url in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.example/x",
        "file:///etc/passwd",
    ] {
        let html = markup(&format!("[a]({url})"));
        assert!(!html.contains("<a "), "{html}");
        assert!(html.contains(">a</span>"), "{html}");
    }
    assert!(!markup("<javascript:alert(1)>").contains("<a "));
}

#[test]
fn pictures_from_elsewhere_are_links_never_requests() {
    let html = markup("![cat](https://example.org/cat.png)");
    assert!(
        html.contains("<a href=") && html.contains(">cat</a>") && !html.contains("<img"),
        "{html}"
    );
}

#[test]
fn pictures_in_the_text_are_held_to_the_same_rule() {
    let html = markup(
        "![a *cat*](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)",
    );
    assert!(html.contains("<img src=\"data:image/gif;base64,R0lG"), "{html}");
    assert!(html.contains("<em>cat</em></span>"), "its words stay: {html}");
    for url in
        ["data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,AAAA", "data:text/html,x"]
    {
        let html = markup(&format!("![cat]({url})"));
        assert!(!html.contains("<img") && html.contains(">cat</span>"), "{html}");
    }
}

#[test]
fn headings_stay_below_the_page_title() {
    assert_eq!(markup("# a"), "<h3>a</h3>\n");
    assert_eq!(markup("##### a"), "<h6>a</h6>\n");
}

#[test]
fn nesting_is_bounded_and_no_word_is_lost() {
    let html = markup(&format!("{} deep", ">".repeat(12_000)));
    assert!(html.matches("<blockquote>").count() <= MAX_DEPTH);
    assert!(html.contains("deep"));
    assert_eq!(html.matches("<blockquote>").count(), html.matches("</blockquote>").count());
}

#[test]
#[cfg(feature = "highlight")]
fn code_is_highlighted_and_tables_scroll() {
    assert!(
        markup("```rust\nfn x() {}\n```").contains(
            "<div class=\"code-block\" data-lang=\"rust\"><pre class=\"code\"><code><span"
        )
    );
    let table = markup("|a|b|\n|-|-:|\n|1|2|");
    assert!(table.contains("<td class=\"end\">2</td>") && !table.contains("style"), "{table}");
    assert!(
        table.starts_with("<div class=\"table\">") && table.trim_end().ends_with("</div>"),
        "{table}"
    );
}

#[test]
fn two_tildes_strike_and_one_does_not() {
    assert_eq!(markup("a ~~b~~ c"), "<p>a <del>b</del> c</p>\n");
    assert_eq!(markup("from ~/a to ~/b"), "<p>from ~/a to ~/b</p>\n");
    assert_eq!(markup("~5 and ~6~ x"), "<p>~5 and ~6~ x</p>\n");
}

#[test]
fn tasks_have_a_class_tight_or_loose() {
    let html = markup("- [x] done\n- [ ] open\n- plain");
    assert_eq!(
        html,
        "<ul>\n<li class=\"task\">☑ done</li>\n<li class=\"task\">☐ open</li>\n<li>plain</li>\n</ul>\n"
    );
    let html = markup("- [x] a\n\n- b");
    assert!(html.contains("<li class=\"task\">\n<p>☑ a</p>"), "{html}");
}

#[test]
fn bare_addresses_are_links_but_not_in_code_or_links() {
    let html = markup("see https://example.org/a_b*c*d.");
    assert!(
        html.contains(">https://example.org/a_b</a>")
            || html.contains("<a href=\"https://example.org/a_b"),
        "{html}"
    );
    assert!(!markup("`https://example.org`").contains("<a "));
    assert!(!markup("```\nhttps://example.org\n```").contains("<a "));
    assert_eq!(markup("[https://a.org](https://b.org)").matches("<a ").count(), 1);
    assert_eq!(
        markup("[![https://a.org](https://b.org/x.png)](https://c.org)").matches("<a ").count(),
        1
    );
    assert_eq!(markup("<https://a.org>").matches("<a ").count(), 1);
    let html = markup("https://a.org/?x=1&y=%20<b>");
    assert!(
        html.contains(
            "<a href=\"https://a.org/?x=1&amp;y=%20\" rel=\"noopener noreferrer nofollow\">"
        ),
        "{html}"
    );
    assert!(!markup("javascript://a.org/x vbscript://b.org").contains("<a "));
}

#[test]
fn footnotes_are_numbered_by_their_first_reference() {
    let html = markup(
        "a[^z] b[^one] c[^Z] d[^none]\n\n[^one]: First, see [^deep].\n[^z]: Z.\n\n    More.\n[^deep]: Deep.\n[^lost]: Lost.",
    );
    assert!(
        html.starts_with("<p>a<sup class=\"footnote-ref\">1</sup> b<sup class=\"footnote-ref\">2</sup> c<sup class=\"footnote-ref\">1</sup> d[^none]</p>"),
        "{html}"
    );
    let list = &html[html.find("<ol class=\"footnotes\">").unwrap()..];
    let at = |text: &str| list.find(text).unwrap_or_else(|| panic!("{text} in {list}"));
    assert!(at("<li value=\"1\">") < at("More.") && at("More.") < at("<li value=\"2\">"));
    assert!(at("First") < at("<li value=\"3\">") && at("Deep.") < at("Lost."));
    assert!(list.contains("see <sup class=\"footnote-ref\">3</sup>."), "{list}");
}

#[test]
fn footnotes_in_circles_come_once() {
    let html = markup("x[^a]\n\n[^a]: A [^b].\n\n[^b]: B [^a] [^b].");
    assert_eq!(html.matches("<li value=").count(), 2, "{html}");
    let html = markup("x[^a]\n\n> [^a]: in a quote\n\n[^a]: again");
    assert!(html.contains("in a quote") && html.contains("again"), "{html}");
    assert_eq!(html.matches("<blockquote>").count(), html.matches("</blockquote>").count());
}

#[test]
fn definitions_that_no_link_uses_are_shown() {
    let html = markup("[a][1]\n\n[1]: https://a.org\n[Two]: https://b.org 'title'");
    assert_eq!(html.matches("https://a.org").count(), 1, "{html}");
    assert!(html.contains("[Two]: <a href=\"https://b.org\""), "{html}");
    assert!(!markup("[a b]\n\n[A  B]: https://a.org").contains("]:"));
}

#[test]
fn titles_of_links_are_hints() {
    assert!(markup("[a](https://a.org \"b\\\"c\")").contains(" title=\"b&quot;c\""));
}

#[test]
fn tags_of_models_show_as_text() {
    let html = markup("<think>\nplan\n</think>\n\nanswer <tool>x</tool>");
    assert_eq!(
        html,
        "<p>&lt;think&gt;<br />\nplan<br />\n&lt;/think&gt;</p>\n<p>answer &lt;tool&gt;x&lt;/tool&gt;</p>\n"
    );
}

#[test]
fn words_of_blocks_nested_too_deep_stand_apart() {
    let html = Html::trusted(markup(&format!("{}one\n{}two", "- ".repeat(40), "- ".repeat(40))));
    let words: Vec<_> = html.visible_text().split_whitespace().map(str::to_owned).collect();
    assert!(words.contains(&"one".to_owned()) && words.contains(&"two".to_owned()), "{words:?}");
}

/// The markup grows with the text, whatever it is made of.
#[test]
fn output_is_linear_for_texts_made_to_hurt() {
    let repeated: [(&str, usize); 12] = [
        ("> ", 12_000),
        ("- ", 12_000),
        ("1. ", 12_000),
        ("[", 12_000),
        ("![](", 12_000),
        ("*", 100_000),
        ("_", 100_000),
        ("`", 100_000),
        ("~", 100_000),
        ("*a_ ", 20_000),
        ("[^a]", 12_000),
        ("http://", 12_000),
    ];
    for (text, times) in repeated {
        let (half, whole) =
            (markup(&text.repeat(times / 2)).len(), markup(&text.repeat(times)).len());
        assert!(whole <= half * 2 + 4_000, "{text:?}: {half}, then {whole}");
    }
    let line = "word ".repeat(200_000);
    assert!(markup(&line).len() < line.len() + 100);
    let columns = 50_000;
    let table =
        format!("{}\n{}\n{}", "|a".repeat(columns), "|-".repeat(columns), "|b".repeat(columns));
    let html = markup(&table);
    assert_eq!((html.matches("<th>").count(), html.matches("<td>").count()), (columns, columns));
}

#[test]
fn cells_beyond_the_columns_are_kept() {
    let html = markup("|a|b|\n|-|-|\n|1|2|3 https://x.org|4|\n|5|6|\n|7|");
    assert!(html.contains("<td>3 <a href=\"https://x.org"), "{html}");
    assert_eq!(html.matches("<td>").count(), 7, "{html}");
    let html = markup(&format!(
        "{}|a|\n{}|-|\n{}|1|two|",
        "> ".repeat(29),
        "> ".repeat(29),
        "> ".repeat(29)
    ));
    assert!(html.contains("two") && !html.contains("<td"), "{html}");
}

#[test]
fn addresses_of_mail_get_their_scheme() {
    assert_eq!(
        markup("<a@example.org>"),
        "<p><a href=\"mailto:a@example.org\" rel=\"noopener noreferrer nofollow\">a@example.org</a></p>\n"
    );
    assert!(
        !markup("[https://x.org](javascript:x)").contains("<a "),
        "a dead link is not half alive"
    );
}

#[test]
fn a_link_that_names_another_host_says_where_it_leads() {
    let host = "</a><span class=\"real-host\" data-ui title=\"Where this link really leads\">evil.example</span>";
    for text in [
        "[https://github.com/x](https://evil.example/y)",
        "[`github.com`](https://evil.example)",
        "[git**hub**.com](https://evil.example)",
        "[see\ngithub.com](https://evil.example)",
        "[github.com][1]\n\n[1]: https://evil.example",
        "![https://github.com/a.png](https://evil.example/a.png)",
    ] {
        let html = markup(text);
        assert_eq!(html.matches(host).count(), 1, "{text}: {html}");
    }
    for text in [
        "[the repository](https://evil.example)",
        "https://github.com/x and www.github.com",
        "[github.com](https://github.com/x)",
        "[https://github.com](javascript:x)",
        "[src/main.rs](https://github.com/x/src/main.rs)",
    ] {
        assert!(!markup(text).contains("real-host"), "{text}");
    }
    for text in [
        "https://github.com@evil.example/x",
        "<https://github.com@evil.example/x>",
        "[github.com](https://\u{430}pple.com)",
    ] {
        assert!(!markup(text).contains("<a "), "{text}");
    }
}

#[test]
fn emphasis_ends_and_begins_beside_full_width_punctuation() {
    for (text, expected) in [
        ("**「粉」**很好", "<strong>「粉」</strong>很好"),
        ("很**「粉」**很", "很<strong>「粉」</strong>很"),
        ("**水。**然后*（盐）*了", "<strong>水。</strong>然后<em>（盐）</em>了"),
        ("**重要**：先", "<strong>重要</strong>：先"),
        ("“**a**”", "“<strong>a</strong>”"),
        ("2 * 3，*", "2 * 3，*"),
        ("`**「粉」**很`", "<code>**「粉」**很</code>"),
    ] {
        assert_eq!(render(&mut Colors::default(), text).as_str(), format!("<p>{expected}</p>\n"));
    }
    // A text that holds the joint itself is left as it is.
    assert!(render(&mut Colors::default(), "\u{f8f0}**「粉」**很").as_str().contains("\u{f8f0}**"));
}

#[test]
fn the_words_are_those_of_the_markup() {
    for source in [
        "one *two* three",
        "a\nb",
        "# h\nword\n- one\n- two\n  - three\n\n1. x\n\n   y",
        "- tight\n  ```rust title=\"x\"\n  code < 1\n  ```\n- ```\n  bare\n  ```",
        "| a | b |\n|---|:-:|\n| 1 | 2 | 3 |\n",
        "see https://example.org/a_b, [text](https://x.org \"t\"), <me@x.org>",
        "[github.com](https://evil.example) ![alt *x*](https://a.org/b.png)",
        "a ![p](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)b",
        "a ![p](data:image/png;base64,AAAA)b",
        "note[^1] and[^b]\n\n[^1]: first\n[^b]: second **x**\n",
        "- [ ] open\n- [x] done",
        "> quoted\n> more\n\n---\n<div>raw</div>\n\n**「粉」**很",
        "[unused]: https://example.org\n",
        "a\rb\0c \\* &amp; &lt;b&gt; ~5 ~~gone~~",
    ] {
        let shown = block(&mut Colors::default(), source).visible_text();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&prose::text(source)), words(&shown), "{source}");
    }
}

#[test]
fn formulas_keep_every_sign_of_theirs() {
    for (text, expected, formulas) in [
        (r"$\int_0^1 x\,dx$ and $a*b*c_1$", r"$\int_0^1 x\,dx$ and $a*b*c_1$", 2),
        (r"\(a\,b\) **c**", r"\(a\,b\) c", 1),
        ("$$\nx\\\\\ny_1\n$$", "$$\nx\\\\\ny_1\n$$", 0),
        ("$$\nx +\ny_1\n$$", "$$\nx +\ny_1\n$$", 1),
        ("$5 and **$10**, ${A}_b", "$5 and $10, ${A}_b", 0),
        (r"`\(a\)` \[x\]", r"\(a\) [x]", 0),
        ("> \\[x\n> = y\\]", "\\[x\n= y\\]", 1),
    ] {
        let html = block(&mut Colors::default(), text);
        assert_eq!(html.visible_text().trim(), expected, "{text}");
        assert_eq!(html.as_str().matches("<math ").count(), formulas, "{text}");
    }
}
