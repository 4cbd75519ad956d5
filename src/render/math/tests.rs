use super::*;

fn inner(formula: &str, is_display: bool) -> Option<String> {
    Some(mathml(formula, is_display)?.as_str().to_owned())
}

#[test]
fn formulas_are_elements_of_mathml() {
    for (formula, expected) in [
        ("x", "<mi>x</mi>"),
        ("E=mc^2", "<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>"),
        (r"\frac{a}{2}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"-1", "<mo form=\"prefix\">−</mo><mn>1</mn>"),
        (r"\mathbb{R}", "<mrow><mi>ℝ</mi></mrow>"),
        (r"a \neq b", "<mi>a</mi><mo>≠</mo><mi>b</mi>"),
        (
            r"2\sin x",
            "<mn>2</mn><mspace width=\"0.167em\"></mspace><mi>sin</mi><mspace width=\"0.167em\"></mspace><mi>x</mi>",
        ),
        (r"\text{if } x<1", "<mtext>if\u{a0}</mtext><mi>x</mi><mo>&lt;</mo><mn>1</mn>"),
    ] {
        assert_eq!(inner(formula, false).as_deref(), Some(expected), "{formula}");
    }
    for (formula, expected) in [
        (
            r"\max_i b",
            "<msub><mi>max</mi><mi>i</mi></msub><mspace width=\"0.167em\"></mspace><mi>b</mi>",
        ),
        (r"a\, + b", "<mi>a</mi><mspace width=\"0.167em\"></mspace><mo>+</mo><mi>b</mi>"),
        (r"a~b", "<mi>a</mi><mtext>\u{a0}</mtext><mi>b</mi>"),
        (r"\text{50\%}", "<mtext>50%</mtext>"),
    ] {
        assert_eq!(inner(formula, false).as_deref(), Some(expected), "{formula}");
    }
    assert!(inner(r"\overline{A \cup B}", false).unwrap().contains("<mo stretchy=\"true\">‾</mo>"));
    let limits = r"\sum_{i=1}^n i";
    assert!(inner(limits, true).unwrap().starts_with("<munderover>"));
    assert!(inner(limits, false).unwrap().starts_with("<msubsup>"));
    let matrix = inner(r"\begin{pmatrix} a & b \\ c & d \\ \end{pmatrix}", true).unwrap();
    assert_eq!(matrix.matches("<mtr>").count(), 2, "{matrix}");
    assert_eq!(matrix.matches("<mtd>").count(), 4, "{matrix}");
}

#[test]
fn what_is_hostile_or_too_large_stays_source() {
    let doubling = (0..10)
        .map(|nth| format!(r"\def\{}{{\{}\{}}}", letter(nth + 1), letter(nth), letter(nth)))
        .collect::<Vec<_>>()
        .concat();
    for formula in [
        format!(r"\def\a{{x}}{doubling}\k"),
        r"\newcommand{\x}{y}\x".to_owned(),
        r"\let\a=b \a".to_owned(),
        format!("x^{{{}}}", "y".repeat(MAX_SOURCE)),
        "{".repeat(200) + &"}".repeat(200),
        "x+".repeat(2000),
        "\\frac".repeat(500),
        r"\unknowncommand".to_owned(),
        r"\operatorname*{argmax}_x f".to_owned(),
        r"\operatorname{arg\,max}".to_owned(),
        r"\text{if $n$ is even}".to_owned(),
        r"\begin{array}{cc|c} a & b & c \end{array}".to_owned(),
        r"\begin{align} a".to_owned(),
        "}".to_owned(),
        "a\u{202e}b".to_owned(),
    ] {
        let drawn = drawn(&format!("${formula}$"), &formula, false);
        assert_eq!(drawn, None, "{formula}");
    }
    assert!(drawn("$\\left(x\\right)$", r"\left(x\right)", false).is_some());
}

fn letter(nth: u8) -> char {
    char::from(b'a' + nth)
}

#[test]
fn nothing_of_a_formula_becomes_markup() {
    for formula in [
        r"\text{<img src=x onerror=alert(1)>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{a}{x}",
        r"\color{red} x",
        r"\hspace{99999em} x",
        r#"\operatorname{<b>"'&}"#,
        r#"x" onmouseover="y"#,
    ] {
        let Some(html) = drawn(&format!("${formula}$"), formula, true) else { continue };
        for tag in html.as_str().split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            // Names and values by turns.
            for names in tag.split('"').step_by(2) {
                for name in
                    names.trim_start_matches('/').split([' ', '=']).filter(|name| !name.is_empty())
                {
                    assert!(NAMES.contains(&name), "{name}: {formula}");
                }
            }
        }
    }
}

/// All that a drawn formula is made of: elements and their attributes.
const NAMES: [&str; 44] = [
    "span",
    "math",
    "semantics",
    "annotation",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "mspace",
    "msqrt",
    "mroot",
    "mfrac",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mstyle",
    "mtable",
    "mtr",
    "mtd",
    "title",
    "dir",
    "display",
    "data-ui",
    "encoding",
    "mathvariant",
    "form",
    "stretchy",
    "largeop",
    "movablelimits",
    "separator",
    "minsize",
    "maxsize",
    "width",
    "height",
    "depth",
    "displaystyle",
    "scriptlevel",
    "columnalign",
    "columnspacing",
    "linethickness",
];

#[test]
fn the_source_is_the_text() {
    let html = drawn("$x^2$", "x^2", false).unwrap();
    assert_eq!(html.visible_text(), "$x^2$");
    assert!(
        html.as_str().starts_with("<span title=\"$x^2$\"><math dir=\"ltr\">"),
        "{}",
        html.as_str()
    );
}

#[test]
fn long_formulas_of_everyday_are_drawn() {
    let sum =
        (1..60).map(|nth| format!(r"\alpha_{{{nth}}} x^{{{nth}}} + ")).collect::<Vec<_>>().concat();
    assert!(drawn("$…$", &(sum + r"\dots"), true).is_some());
    let words = r"\alpha \beta \gamma \delta".repeat(9);
    assert!(drawn("$…$", &words, false).is_some());
}

/// Pieces of formulas, whole and broken.
const PIECES: [&str; 34] = [
    "x",
    "1",
    "+",
    "=",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "^",
    "_",
    "&",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\sum",
    "\\left(",
    "\\right)",
    "\\begin{matrix}",
    "\\end{matrix}",
    "\\begin{aligned}",
    "\\end{aligned}",
    "\\text{a}",
    "\\hat",
    "\\not",
    "\\bf",
    "\\displaystyle",
    "\\color{red}",
    "\\sin",
    "\\limits",
    "'",
    "\\hspace{1em}",
    "\\over",
];

proptest::proptest! {
    #[test]
    fn what_is_drawn_is_well_formed(pieces in proptest::collection::vec(0..PIECES.len(), 0..24), is_display: bool) {
        let formula = pieces.iter().map(|&nth| PIECES[nth]).collect::<Vec<_>>().join(" ");
        let Some(html) = inner(&formula, is_display) else { return Ok(()) };
        let mut open = Vec::new();
        for tag in html.split('<').skip(1) {
            match tag.strip_prefix('/') {
                Some(end) => {
                    let begun: Option<&str> = open.pop();
                    proptest::prop_assert_eq!(begun, end.split('>').next(), "{} {}", formula, html);
                }
                None => open.push(tag.split([' ', '>']).next().unwrap()),
            }
        }
        proptest::prop_assert!(open.is_empty(), "{} {}", formula, html);
    }
}
