//! The page keeps its height while one reads: an entry's is known, about, before it was built.

use std::fmt::Write as _;

use crate::support::Exported;
use crate::support::sessions::Lines;

/// Turns whose responses are short and long by turns: the first ones say nothing of the others.
fn session() -> Vec<u8> {
    let mut lines = Lines::new();
    let mut before: Option<String> = None;
    for turn in 0..90 {
        let (prompt, answer) = (format!("p{turn}"), format!("a{turn}"));
        lines.user(&prompt, before.as_deref(), &"Why does the tide turn? ".repeat(1 + turn % 12));
        let mut text = String::new();
        for paragraph in 0..turn / 9 {
            let words =
                "It follows the moon, and the moon is late. ".repeat(1 + (turn * paragraph) % 4);
            let _ = write!(text, "{words}\n\n");
        }
        lines.assistant(&answer, Some(&prompt), &format!("{text}So it does."));
        before = Some(answer);
    }
    lines.bytes()
}

#[test]
fn steady_from_prompt_to_prompt() {
    let page = Exported::story(session()).open();
    let height = || page.get::<f64>("document.documentElement.scrollHeight");
    assert!(page.get::<bool>("document.querySelectorAll('#transcript > article').length < 150"));
    let mut heights = vec![height()];
    for _ in 0..95 {
        page.press("j");
        page.settle();
        heights.push(height());
        let empty = "document.elementsFromPoint(700, 150).every((element) => element.closest('article')?.hasAttribute('aria-busy') ?? true)";
        assert!(!page.get::<bool>(empty), "there is something to read");
    }
    let most = heights.iter().copied().fold(0.0, f64::max);
    let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(most < 1.05 * least, "{heights:?}");
}
