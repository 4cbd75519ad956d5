//! On paper there is the whole branch, and nothing to press.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Browser, Engine, Exported};

in_each_engine!(print_rules, print_everything);

/// What can be pressed, and is drawn.
const CONTROLS: &str = "Array.from(document.querySelectorAll('button:not(.steps-toggle, .quiet-toggle, .file-name, .list-file, [popovertarget], [data-seek]), input, select, canvas, dialog, [role=tree], [role=separator], nav a, .skip-link, #topbar, #sidebar, .to-path'))
    .filter((element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible' && !element.matches('.left-out .to-path'))
    .map((element) => element.outerHTML.slice(0, 80))";

/// Makes the rules for paper count on the screen, and those for the screen not: Firefox and WebKit have no way to say
/// so by their drivers.
const AS_ON_PAPER: &str = "(() => {
    let rules = 0;
    const visit = (list) => {
        for (const rule of list) {
            if (rule instanceof CSSMediaRule && /print|screen/.test(rule.media.mediaText)) {
                rule.media.mediaText = rule.media.mediaText.replace(/print|screen/g, (medium) => medium === 'print' ? 'all' : 'print');
                rules += 1;
            }
            if (rule.cssRules) visit(rule.cssRules);
        }
    };
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) visit(sheet.cssRules);
    return rules;
})()";

fn print_rules(browser: &Browser) {
    let page = browser.open(&Exported::long(), "");
    assert!(page.get::<Vec<String>>(CONTROLS).len() > 10, "there are some on the screen");
    assert!(page.get::<usize>(AS_ON_PAPER) > 0, "the page has rules for paper");
    page.settle();
    assert_eq!(page.get::<Vec<String>>(CONTROLS), [""; 0]);
    let left: f64 = page.get("document.querySelector('main').getBoundingClientRect().left");
    assert!(left < 1.0, "the text has the whole width: {left}");
}

/// Prints into a PDF. WebKit's driver has no command for that.
fn print_everything(browser: &Browser) {
    if browser.engine == Engine::WebKit {
        crate::support::say("not run: webkit: a PDF of the page (its driver cannot print)");
        return;
    }
    let long = Exported::long();
    let page = browser.open(&long, "");
    // What follows is as if the dialog had been confirmed.
    page.get::<()>("(() => { window.print = () => { window.__printed = true; }; return null; })()");
    page.press("p");
    page.wait("all that is printed to be there", "window.__printed === true");
    let words: Vec<Vec<String>> = page.get(
        "Array.from(document.querySelectorAll('#transcript > article:not([hidden])'), (article) => {
            const copy = (article.querySelector(':scope > .body') ?? article).cloneNode(true);
            for (const own of copy.querySelectorAll('[data-ui], img, button')) own.replaceWith(' ');
            return copy.textContent.match(/[\\p{L}\\p{N}]+/gu)?.slice(-3) ?? [];
        })",
    );
    assert_eq!(words.len(), long.path(&long.leaf()).len());
    let paper = text_of(&page.print());
    for (nth, word) in
        words.iter().enumerate().flat_map(|(nth, words)| words.iter().map(move |word| (nth, word)))
    {
        assert!(paper.contains(word), "entry {nth}: {word:?} is not on paper");
    }
    assert!(!paper.contains("leavesout") && !paper.contains("notprinted"), "nothing is left out");
    assert!(!paper.contains("Searchsession"), "the sidebar is not on paper");
}

/// Letters and numbers alone: lines break where the paper ends.
fn text_of(pdf: &[u8]) -> String {
    assert!(pdf.starts_with(b"%PDF-"));
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(pdf).expect("room for it");
    let output = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .arg(file.path())
        .arg("-")
        .stderr(Stdio::inherit())
        .output()
        .expect("pdftotext, of poppler, is there: tests/run installs it");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("it was told to write UTF-8");
    // Firefox writes letters that are joined as one.
    let joined = [
        ("\u{fb03}", "ffi"),
        ("\u{fb04}", "ffl"),
        ("\u{fb00}", "ff"),
        ("\u{fb01}", "fi"),
        ("\u{fb02}", "fl"),
    ];
    let text = joined.iter().fold(text, |text, (one, several)| text.replace(one, several));
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}
