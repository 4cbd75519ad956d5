//! On paper: the Print button gives the whole path, the browser's own print says what is missing.

use std::io::Write as _;
use std::process::{Command, Stdio};

use data_encoding::BASE64;
use serde_json::json;

use crate::support::{Exported, Page};

/// The text of the page as printed, without white space: lines break where the paper ends.
pub(super) fn print(page: &Page) -> String {
    squeezed(&print_laid_out(page))
}

/// The text of the page as printed, with a form feed after each page.
fn print_laid_out(page: &Page) -> String {
    let printed = page.protocol("Page.printToPDF", json!({}));
    let pdf = printed["data"].as_str().expect("the page can be printed");
    let pdf = BASE64.decode(pdf.as_bytes()).expect("it is in base64");
    assert!(pdf.starts_with(b"%PDF-"));
    let mut reader = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("pdftotext, of poppler, is there: tests/run installs it");
    let mut to = reader.stdin.take().expect("it was piped");
    let writer = std::thread::spawn(move || to.write_all(&pdf).expect("pdftotext reads all"));
    let output = reader.wait_with_output().expect("pdftotext ends");
    writer.join().expect("the writer ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("it was told to write UTF-8")
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The browser's dialog cannot be used here: what follows is as if it had been confirmed.
pub(super) fn press_print(page: &Page) {
    page.run("window.print = () => { window.__printed = true; }");
    page.click("#more");
    page.click("#menu [data-command=print]");
    page.wait("all that is printed to be there", "window.__printed === true");
}

/// The last words of each entry on the path, as far as paper can hold them.
fn last_words(page: &Page, list: &str) -> Vec<Vec<String>> {
    page.call(
        "(list) => Array.from(document.querySelectorAll(`${list} > article:not([hidden])`), (article) => {
            const copy = (article.querySelector(':scope > .body') ?? article).cloneNode(true);
            for (const own of copy.querySelectorAll('[data-ui], img, button')) own.replaceWith(' ');
            return copy.textContent.match(/[\\p{L}\\p{N}]+/gu)?.slice(-3) ?? [];
        })",
        &[list],
    )
}

#[track_caller]
fn assert_holds(paper: &str, words: &[Vec<String>]) {
    for (nth, words) in words.iter().enumerate() {
        for word in words {
            assert!(paper.contains(word), "entry {nth}: {word:?} is not on paper");
        }
    }
}

#[test]
fn button_prints_the_whole_path() {
    let long = Exported::long();
    let page = long.open();
    let words = last_words(&page, "#transcript");
    assert_eq!(words.len(), long.path(&long.leaf()).len());
    let folded = page.count("#transcript > article:not([hidden]) details:not([open])");
    assert!(folded > 5, "{folded}");
    press_print(&page);
    assert_eq!(page.count("#transcript > article:not([hidden]) details:not([open])"), 0);
    let paper = print(&page);
    assert_holds(&paper, &words);
    assert!(!paper.contains("leavesout") && !paper.contains("notprinted"));
    page.wait_for("document.querySelectorAll('#transcript > article:not([hidden]) details:not([open])').length", folded);
    assert_eq!(page.count("#paper-note[hidden]"), 1, "on the screen nothing is left of it");
}

#[test]
fn button_prints_another_branch() {
    let long = Exported::long();
    let page = long.page().open("?leafId=27312147");
    let words = last_words(&page, "#transcript");
    assert_eq!(words.len(), long.path("27312147").len());
    press_print(&page);
    let paper = print(&page);
    assert_holds(&paper, &words);
    assert!(
        !paper.contains(&squeezed("Lovely. Now a section for the README")),
        "only the path on show"
    );
}

#[test]
fn button_prints_what_a_filter_hides() {
    let page = Exported::long().page().open("?filter=user-only&only=1");
    let listed = page.count("#transcript > article");
    press_print(&page);
    let words = last_words(&page, "#transcript");
    let paper = print(&page);
    assert!(words.len() > 50, "{}", words.len());
    assert_holds(&paper, &words);
    assert!(!paper.contains("leavesout"));
    page.wait_for("document.querySelectorAll('#transcript > article').length", listed);
}

#[test]
fn button_prints_the_context_view() {
    let page = Exported::long().page().open("?view=context");
    press_print(&page);
    let words = last_words(&page, "#context-view");
    let paper = print(&page);
    assert!(words.len() > 5, "{}", words.len());
    assert_holds(&paper, &words);
    assert!(paper.contains("Contextsenttothemodel"));
    assert!(!paper.contains(&squeezed("Before we do anything grand")), "summarised");
}

#[test]
fn plain_print_says_what_is_folded() {
    let page = Exported::long().open();
    let folded = page.count("#transcript > article:not([hidden], .shut) details:not([open])");
    let shut = page.count("#transcript > article.shut");
    let paper = print(&page);
    assert!(
        paper.contains(&squeezed(&format!(
            "This printout leaves out {shut} collapsed entries, {folded} collapsed parts."
        ))),
        "{folded}"
    );
    assert!(paper.contains("notprinted"), "and where");
    assert_eq!(page.count("#paper-note[hidden]"), 1, "on the screen nothing is left of it");
    let tree = Exported::bytes(crate::support::sessions::chain(8)).unwrap();
    let paper = print(&tree.open());
    assert!(paper.contains("answernumber7"));
    assert!(!paper.contains("leavesout"), "nothing is folded there");
}

#[test]
fn plain_print_says_what_a_filter_hides() {
    let long = Exported::long();
    let page = long.page().open("?filter=user-only&only=1");
    let hidden = long.path(&long.leaf()).len() - page.shown_articles().len();
    assert!(hidden > 20, "{hidden}");
    let paper = print(&page);
    assert!(
        paper.contains(&squeezed(&format!("{hidden} entries hidden by the filter"))),
        "{paper}"
    );
}

/// What is far from the reader takes room on the screen, but not on paper. Each page says in its margin which one it
/// is, and of what.
#[test]
fn plain_print_has_no_blank_page() {
    let mut lines = crate::support::sessions::Lines::new();
    let mut before: Option<String> = None;
    for nth in 0..600 {
        let id = format!("m{nth}");
        let text = if nth == 0 {
            "The \"tides\" \\ of the river".to_owned()
        } else {
            format!("prompt number {nth}")
        };
        if nth == 1 {
            lines.assistant(&id, before.as_deref(), "It turns at noon.");
        } else {
            lines.user(&id, before.as_deref(), &text);
        }
        before = Some(id);
    }
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    page.settle();
    for place in ["0", "document.documentElement.scrollHeight / 2"] {
        page.run(&format!("scrollTo(0, {place})"));
        page.settle();
        assert!(
            page.get::<f64>("document.querySelector('.space:last-of-type').offsetHeight") > 5000.0
        );
        let paper = print_laid_out(&page);
        let pages: Vec<&str> = paper.trim_end_matches('\u{c}').split('\u{c}').collect();
        assert!(pages.len() > 1, "{place}");
        for (nth, text) in pages.iter().enumerate() {
            assert!(
                text.contains(&format!("{} of {}", nth + 1, pages.len())),
                "{place}, page {nth}: {text}"
            );
            assert!(text.contains("The \"tides\" \\ of the river"), "{place}, page {nth}: {text}");
            let lines = text.lines().filter(|line| line.contains("prompt number")).count();
            assert!(nth == 0 || lines > 0, "{place}, page {nth} is blank: {text}");
        }
    }
}

/// A sheet of paper is as narrow as a phone, where the head lies below a bar.
#[test]
fn the_head_is_whole_on_paper() {
    let page = Exported::file("examples/lighthouse.jsonl").page().sized(720, 900).open("");
    page.protocol("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let top: f64 =
        page.get("document.querySelector('.where').getBoundingClientRect().top + scrollY");
    assert!(top >= 0.0, "{top}");
    assert_eq!(page.get::<i32>("document.querySelectorAll('.facts li').length && parseInt(getComputedStyle(document.querySelector('.facts li')).borderBlockStartWidth)"), 0);
    assert!(!print(&page).contains("Gototheend"));
}

#[test]
fn key_prints_everything() {
    let page = Exported::long().open();
    page.run("window.print = () => { window.__printed = true; }");
    page.press("p");
    page.wait("all that is printed to be there", "window.__printed === true");
    assert_eq!(page.count("#transcript > article:not([hidden]) details:not([open])"), 0);
}

#[test]
fn addresses_of_links() {
    let mut lines = crate::support::sessions::Lines::new();
    lines.user("ask", None, "where?").assistant(
        "tell",
        Some("ask"),
        "See [the tide tables](https://tides.example/2026/skerry).",
    );
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    let paper = print(&page);
    assert!(
        paper.contains(&squeezed("the tide tables https://tides.example/2026/skerry")),
        "{paper}"
    );
}

/// What can be pressed, and is drawn.
const CONTROLS: &str = "Array.from(document.querySelectorAll('button:not(.steps-toggle, .quiet-toggle, .file-name, .list-file, [popovertarget], [data-seek]), input, select, canvas, dialog, [role=tree], [role=separator], nav a, .skip-link, #topbar, #sidebar, .to-path'))
    .filter((element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible' && !element.matches('.left-out .to-path'))
    .map((element) => element.outerHTML.slice(0, 80))";

#[test]
fn no_controls() {
    for suffix in ["", "?view=context", "?view=changes", "?q=tide"] {
        let page = Exported::long().page().open(suffix);
        page.settle();
        assert!(page.get::<Vec<String>>(CONTROLS).len() > 10, "there are some on the screen");
        page.protocol("Emulation.setEmulatedMedia", json!({"media": "print"}));
        page.settle();
        assert_eq!(page.get::<Vec<String>>(CONTROLS), [""; 0], "{suffix}");
        assert!(
            page.get::<bool>("document.querySelector('main').getBoundingClientRect().left < 1"),
            "the text has the whole width"
        );
    }
}
