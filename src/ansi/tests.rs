//! Each behavior on a text of its own.

use super::*;

fn drawn(text: &str) -> String {
    let screen = Screen::of(text);
    screen.draw(0..screen.text().len()).as_str().to_owned()
}

fn shown(text: &str) -> String {
    Screen::of(text).text().to_owned()
}

#[test]
fn text_without_controls_is_taken_as_it_is() {
    let text = "a\tb <b>\r\nä 日本\n\n";
    assert!(matches!(Screen::of(text).text, Cow::Borrowed(same) if same == text));
    assert_eq!(drawn(text), "a\tb &lt;b&gt;\nä 日本\n\n");
}

#[test]
fn colors_become_classes_and_end() {
    assert_eq!(drawn("\x1b[31mred\x1b[0m plain"), "<span class=\"fg1\">red</span> plain");
    assert_eq!(
        drawn("\x1b[1;4;97;44mx\x1b[22;24;39;49my"),
        "<span class=\"fg15 bg4 sb su\">x</span>y"
    );
    assert_eq!(
        drawn("\x1b[2;3;9mx\x1b[23;29my"),
        "<span class=\"sd si sx\">x</span><span class=\"sd\">y</span>"
    );
    assert_eq!(drawn("\x1b[my"), "y");
}

#[test]
fn every_spelling_of_a_color_is_read() {
    for text in ["38;2;255;0;0", "38:2::255:0:0", "38:2:255:0:0", "38;5;196", "38:5:196", "91"] {
        assert_eq!(drawn(&format!("\x1b[{text}mx")), "<span class=\"fg9\">x</span>", "{text}");
    }
    // The underline's color takes its parameters with it.
    assert_eq!(drawn("\x1b[58;5;1;3mx"), "<span class=\"si\">x</span>");
    assert_eq!(drawn("\x1b[58:2::1:1:1mx\x1b[4:3mx\x1b[4:0mx"), "x<span class=\"su\">x</span>x");
    // Cut short, or of no known kind.
    for text in ["38;2;1", "38", "38;7;1", "38;5;999", "48:2", "99999"] {
        assert_eq!(shown(&format!("\x1b[{text}mx")), "x", "{text}");
    }
}

#[test]
fn inverse_swaps_what_is_there() {
    assert_eq!(drawn("\x1b[7mx"), "<span class=\"fgd bgd\">x</span>");
    assert_eq!(
        drawn("\x1b[31;7mx\x1b[27mx"),
        "<span class=\"fgd bg1\">x</span><span class=\"fg1\">x</span>"
    );
    assert_eq!(drawn("\x1b[32;43;7mx"), "<span class=\"fg3 bg2\">x</span>");
}

#[test]
fn a_line_is_written_over() {
    assert_eq!(shown("10%\r50%\rdone\n"), "done\n");
    assert_eq!(shown("long text\rlong\x1b[K!\n"), "long!\n");
    assert_eq!(shown("abc\x1b[2Kd"), "   d");
    assert_eq!(shown("abcdef\x1b[3D\x1b[1Kg"), "   gef");
    assert_eq!(shown("abc\x08\x08X"), "aXc");
    assert_eq!(shown("abc\x1b[1GX\x1b[5GY\x1b[2CZ"), "Xbc Y  Z");
    assert_eq!(shown("\x1b[31mabc\x1b[0m\rX"), "Xbc");
    assert_eq!(drawn("\x1b[31mabc\x1b[0m\rX"), "X<span class=\"fg1\">bc</span>");
    assert_eq!(shown("spinner |\r\x1b[Jok"), "ok");
}

#[test]
fn columns_hold_for_tabs_wide_characters_and_accents() {
    assert_eq!(shown("a\tb\x1b[0m"), "a\tb");
    assert_eq!(shown("a\tb\rxx"), "xx\tb".replace('\t', "      "));
    assert_eq!(shown("日本語\rab"), "ab本語");
    assert_eq!(shown("日本語\ra"), "a 本語");
    assert_eq!(shown("e\u{301}x\x08y"), "e\u{301}y");
    assert_eq!(shown("\u{301}\x08"), "\u{301}");
    assert_eq!(shown("ab\r\tc"), "ab      c");
}

#[test]
fn other_sequences_are_dropped() {
    for sequence in [
        "\x1b]0;title\x07",
        "\x1b]0;title \u{dc}\u{71c}\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b_app\x1b\\",
        "\x1b^pm\x1b\\",
        "\x1b[3A",
        "\x1b[?1049h",
        "\x1b[2J",
        "\x1b[H",
        "\x1b[>4;2m",
        "\x1b(B",
        "\x1b=",
        "\x1b7",
        "\x07",
        "\x0e",
        "\x7f",
        "\u{9b}",
        "\x1b",
    ] {
        assert_eq!(drawn(&format!("a{sequence}\u{e9}b")), "a\u{e9}b", "{sequence:?}");
    }
    assert_eq!(shown("a\0b\x01c\x1b[0m"), "ab␁c");
}

#[test]
fn a_sequence_cut_short_takes_nothing_with_it() {
    assert_eq!(shown("a\x1b[31\nHello"), "a\nHello");
    assert_eq!(shown("a\x1b[31…[cut]"), "a…[cut]");
    assert_eq!(shown("a\x1b]8;;https://x\nHello"), "a8;;https://x\nHello");
    assert_eq!(shown("a\x1bPdata"), "adata");
    assert_eq!(shown("a\x1b]0;t\x1b[31mb"), "ab");
    assert_eq!(shown("a\x1b["), "a");
}

#[test]
fn links_are_held_to_the_rule() {
    let link = |url: &str| {
        drawn(&format!("\x1b]8;id=1;{url}\x1b\\te\x1b[1mxt\x1b[0m\x1b]8;;\x1b\\ after"))
    };
    assert_eq!(
        link("https://example.org/a;b"),
        "<a href=\"https://example.org/a;b\" rel=\"noopener noreferrer nofollow\">te<span class=\"sb\">xt</span></a> after"
    );
    for url in ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "\"><script>"] {
        let html = link(url);
        assert!(html.starts_with("<span class=\"dead-link\""), "{html}");
        assert!(!html.contains("<a ") && !html.contains("<script"), "{html}");
    }
    assert!(!drawn(&format!("\x1b]8;;https://x/{}\x07y", ";".repeat(20))).contains("<a"));
}

#[test]
fn a_part_goes_on_in_the_colors_before_it() {
    let screen = Screen::of("\x1b]8;;https://x.org\x07\x1b[32mone\ntwo\nthree\x1b[0m");
    let middle = screen.draw(4..7);
    assert_eq!(
        middle.as_str(),
        "<a href=\"https://x.org\" rel=\"noopener noreferrer nofollow\"><span class=\"fg2\">two</span></a>"
    );
    assert_eq!(screen.draw(3..3).as_str(), "");
}

#[test]
fn a_cursor_that_jumps_costs_a_bounded_number_of_columns() {
    assert_eq!(shown("\x1b[999999999Cx").len(), 257);
    assert_eq!(shown("\x1b[999999999Gx").len(), 257);
    let long = "y".repeat(10_000);
    assert_eq!(shown(&format!("{long}\x1b[2Kx")).len(), 257);
    assert_eq!(shown(&format!("{long}\x1b[5Cx")).len(), 10_001);
    let jumps = "\x1b[999C.\x1b[1K\r".repeat(1_000);
    assert!(shown(&jumps).len() <= 257);
}

/// Lines of text and colors skip the cells of a terminal: both ways must give the same.
#[test]
fn colored_lines_stand_as_the_cells_would_have_them() {
    const PARTS: [&str; 14] = [
        "ab",
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[?25h",
        "\t",
        "é",
        "\u{301}",
        "漢",
        "\r\n",
        "\n",
        "\r",
        "\x08",
        "\x1b[K",
        "\x1b[1",
    ];
    for number in 0..PARTS.len().pow(4) {
        let parts = (0..4).map(|nth| PARTS[number / PARTS.len().pow(nth) % PARTS.len()]);
        let text: String = parts.collect();
        let mut terminal = Terminal::new();
        let mut parser = Parser::<anstyle_parse::DefaultCharAccumulator>::new();
        text.split_inclusive('\n').for_each(|line| terminal.line(line, &mut parser));
        terminal.end_line();
        let screen = Screen::of(&text);
        let inks = |runs: &[Run], inks: &[Ink]| -> Vec<(usize, Ink)> {
            runs.iter().map(|run| (run.start, inks[run.ink as usize].clone())).collect()
        };
        if is_plain(&text) {
            assert_eq!(terminal.text.replace('\r', ""), text.replace('\r', ""), "{text:?}");
            continue;
        }
        assert_eq!(screen.text, terminal.text, "{text:?}");
        assert_eq!(
            inks(&screen.runs, &screen.inks),
            inks(&terminal.runs, &terminal.inks),
            "{text:?}"
        );
    }
}
