//! Formulas are drawn, and text that is written from right to left stands on its side.

use crate::support::{Browser, Exported, Page, sessions::Lines};

in_each_engine!(formulas_and_right_to_left);

const TEXT: &str = "Half is $\\frac{a}{b}$ here.\n\n$$\\begin{aligned} a+b+c &= d \\\\ e &= f \\end{aligned}$$\n\nשלום לכולם\n\n- פריט ראשון\n- פריט שני\n\n```\nlet אב = 1;\n```\n\nLatin again. It costs $5 and $10.";

/// Where the letters of an element begin and end, without the room beside them.
fn letters(page: &Page, selector: &str) -> [f64; 2] {
    page.call(
        "(selector) => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector(selector));
            const { left, right } = range.getBoundingClientRect();
            return [left, right];
        }",
        &[selector],
    )
}

fn edges(page: &Page, selector: &str) -> [f64; 2] {
    page.call("(selector) => { const { left, right } = document.querySelector(selector).getBoundingClientRect(); return [left, right]; }", &[selector])
}

fn formulas_and_right_to_left(browser: &Browser) {
    let mut lines = Lines::new();
    lines.user("ask", None, "Draw").assistant("told", Some("ask"), TEXT);
    let page = browser.open(&Exported::bytes(lines.bytes()).expect("a session"), "");
    let md = "[id=entry-told] .md";
    assert_eq!(page.count("[id=entry-told] math"), 2);
    let stacked: bool = page.get(
        "(() => { const [over, under] = Array.from(document.querySelector('math mfrac').children, (part) => part.getBoundingClientRect()); return over.height > 0 && over.bottom <= under.top + 1; })()",
    );
    assert!(stacked, "a fraction is drawn as one");
    let ends: Vec<i64> = page.get(
        "Array.from(document.querySelectorAll('mtd:nth-child(1)'), (cell) => Math.round(cell.lastElementChild.getBoundingClientRect().right))",
    );
    assert!(ends.len() == 2 && ends[0] == ends[1], "the sides of the relations meet: {ends:?}");
    let hebrew = format!("{md} > p:nth-of-type(2)");
    assert_eq!(page.text(&hebrew).trim(), "שלום לכולם");
    for (selector, from_right) in
        [(hebrew.as_str(), true), (&format!("{md} > p:last-of-type"), false)]
    {
        let ([left, right], [first, last]) = (edges(&page, selector), letters(&page, selector));
        let (near, far) =
            if from_right { (right - last, first - left) } else { (first - left, right - last) };
        assert!(near.abs() < 3.0 && far > 100.0, "{selector}: {near} and {far}");
    }
    let bullets: String =
        page.get(&format!("getComputedStyle(document.querySelector('{md} ul')).direction"));
    assert_eq!(bullets, "rtl");
    let code: String =
        page.get(&format!("getComputedStyle(document.querySelector('{md} pre code')).direction"));
    assert_eq!(code, "ltr");
    assert!(page.text(md).contains("It costs $5 and $10."));
}
