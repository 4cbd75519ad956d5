//! Places in the view Changes: the reader keeps theirs from order to order, the counter tells it, and facts lead there.

use crate::support::claude::Rows;
use crate::support::{Exported, Page};

/// Files of a hundred lines, of which the second prompt changes two places of one. The third changes nothing.
pub(crate) fn session() -> Vec<u8> {
    let text = (1..=100).fold(String::new(), |text, nth| format!(r"{text}line {nth};\n"));
    let mut rows = Rows::new();
    rows.prompt("p1", "Write three files");
    for (id, path) in [("1", "/w/a.txt"), ("2", "/w/b.txt"), ("3", "/w/c.txt")] {
        rows.write(id, path, &text);
    }
    rows.prompt("p2", "Change the second one");
    rows.edit("4", "/w/b.txt", "line 5;", "first change;");
    rows.edit("5", "/w/b.txt", "line 90;", "second change;");
    let fail = r#"{"file_path":"/w/b.txt","old_string":"nothing","new_string":"x"}"#;
    rows.call("6", "Edit", fail, "String to replace not found in file.", true);
    rows.call("7", "Bash", r#"{"command":"sed -i s/a/b/ c.txt"}"#, "", false);
    rows.prompt("p3", "Thanks");
    rows.prompt("p4", "Change the third one, and back");
    rows.call("8", "Bash", r#"{"command":"rm -rf src"}"#, "", false);
    rows.edit("9", "/w/c.txt", "line 50;", "third change;");
    rows.edit("10", "/w/c.txt", "third change;", "line 50;");
    rows.write("11", "/w/d.txt", &text);
    rows.bytes()
}

/// Not all lines: those far from the reader are never made.
fn wait(page: &Page) {
    page.wait("lines", "document.querySelector('#changes .out') !== null");
    page.settle();
}

pub(crate) fn open(suffix: &str) -> Page {
    let page = Exported::story(session()).page().open(suffix);
    wait(&page);
    page
}

/// The order, the prompt and the file whose lines stand below the bar, and the first of them.
const HERE: &str = "(() => {
    const bar = document.getElementById('topbar').getBoundingClientRect().bottom + 44;
    const file = Array.from(document.querySelectorAll('#changes .file')).find((file) => file.getBoundingClientRect().bottom > bar);
    const line = Array.from(file.querySelectorAll('.gutter:not(.before)'), (gutter) => {
        const { top, height } = gutter.getBoundingClientRect();
        const numbers = gutter.textContent.trim().split(/\\n/u);
        return top <= bar && bar < top + height ? numbers[Math.floor((bar - top) / 20)] : '';
    }).join('');
    return [document.getElementById('changes').dataset.order, file.closest('[data-stop]')?.dataset.stop ?? '', file.dataset.file, line];
})()";

#[track_caller]
pub(crate) fn assert_here(page: &Page, order: &str, stop: &str, file: &str, line: &str) {
    page.settle();
    wait(page);
    assert_eq!(page.get::<[String; 4]>(HERE), [order, stop, file, line]);
}

/// As a reader does.
fn scroll_to_top(page: &Page) {
    page.run("document.querySelector('main').dispatchEvent(new WheelEvent('wheel', { bubbles: true })); scrollTo(0, 0)");
}

fn place(page: &Page) -> String {
    page.settle();
    page.text("#place")
}

#[test]
fn the_other_order_shows_the_same_file() {
    let page = open("?view=changes");
    page.press("t");
    page.settle();
    assert!(page.get::<bool>("scrollY === 0"), "the head is in view, and stays");
    page.press("t");
    page.press("j");
    page.settle();
    page.press("j");
    assert_here(&page, "prompt", "p2", "b.txt", "");
    page.press("t");
    assert_here(&page, "file", "", "b.txt", "");
    page.press("t");
    assert_here(&page, "prompt", "p2", "b.txt", "");
    // From the first prompt that wrote it to the last one.
    page.click(".list-file[data-go-to='b.txt']");
    assert_here(&page, "prompt", "p1", "b.txt", "");
    page.press("t");
    assert_here(&page, "file", "", "b.txt", "");
    page.press("t");
    assert_here(&page, "prompt", "p2", "b.txt", "");
}

#[test]
fn the_other_order_shows_the_same_lines() {
    let page = open("?view=changes&order=file&file=b.txt");
    page.wait("the file", "document.activeElement.dataset?.file === 'b.txt'");
    page.settle();
    // To the line 90, which the second edit of the second prompt wrote.
    page.run("scrollBy(0, document.querySelector(\"[data-file='b.txt'] .out\").getBoundingClientRect().top + 89 * 20 - document.getElementById('topbar').getBoundingClientRect().bottom - 42)");
    assert_here(&page, "file", "", "b.txt", "90");
    page.press("t");
    assert_here(&page, "prompt", "p2", "b.txt", "90");
    page.press("t");
    assert_here(&page, "file", "", "b.txt", "90");
}

#[test]
fn a_file_of_another_branch_is_not_among_the_prompts() {
    let text = (1..=100).fold(String::new(), |text, nth| format!(r"{text}line {nth};\n"));
    let mut rows = Rows::new();
    rows.prompt("p1", "Write one");
    rows.write("1", "/w/a.txt", &text);
    let fork = rows.parent();
    rows.prompt("p2", "Write another");
    rows.write("2", "/w/b.txt", &text);
    rows.go_back(&fork);
    rows.prompt("p3", "Thanks");
    let page = Exported::story(rows.bytes()).page().open("?view=changes&order=file&file=b.txt");
    page.wait("the file", "document.activeElement.dataset?.file === 'b.txt'");
    assert_here(&page, "file", "", "b.txt", "");
    page.press("t");
    page.settle();
    assert!(page.get::<bool>("scrollY === 0"));
    assert_eq!(place(&page), "1 of 1");
}

#[test]
fn the_counter_counts_what_is_stepped_through() {
    let page = open("?view=changes");
    assert_eq!(place(&page), "1 of 3", "prompts that changed something");
    page.press("j");
    page.settle();
    page.press("j");
    assert_eq!(place(&page), "2 of 3");
    page.press("t");
    assert_eq!(place(&page), "2 of 4", "files");
    page.press("j");
    assert_eq!(place(&page), "3 of 4");
    page.press("v");
    page.wait("the conversation", "!document.getElementById('transcript').hidden");
    scroll_to_top(&page);
    page.wait_for("document.getElementById('place').textContent", "1 of 4");
}

#[test]
fn the_bar_is_empty_beside_the_head() {
    let text = (1..=100).fold(String::new(), |text, nth| format!(r"{text}line {nth};\n"));
    let mut rows = Rows::new();
    // The first one changes nothing: the bar would name the second one.
    rows.prompt("p1", "Hello");
    rows.prompt("p2", "Write");
    rows.write("1", "/w/a.txt", &text);
    let page = Exported::story(rows.bytes()).page().open("?view=changes");
    wait(&page);
    let here = "document.getElementById('here').hidden";
    assert!(page.get::<bool>(here));
    page.press("j");
    page.wait("the prompt", &format!("!{here}"));
    scroll_to_top(&page);
    page.wait("the head", here);
}

#[test]
fn facts_lead_to_what_they_count() {
    let page = open("?view=changes");
    let facts: Vec<String> =
        page.get("Array.from(document.querySelectorAll('#changes .facts :is(button, a)'), (door) => door.textContent)");
    assert_eq!(
        facts,
        [
            "1 edit undone later",
            "1 edit failed",
            "1 file that a command may also have changed",
            "1 deletion of files",
        ]
    );
    let note = "document.querySelector('.file-list [data-go-to=\"c.txt\"]').closest('li').querySelector('.file-note').textContent";
    assert_eq!(
        page.get::<String>(note),
        "3 edits, in part, created or overwritten, maybe sed -i s/a/b/ c.txt"
    );
    for (seek, file, words) in [
        ("undone", "c.txt", "Undone later"),
        ("failed", "b.txt", "1 edit failed:"),
        ("maybe", "c.txt", "A command may have changed this file: sed"),
    ] {
        // With the keyboard.
        page.run(&format!("document.querySelector('[data-seek={seek}]').focus()"));
        page.press("Enter");
        page.wait("the file", &format!("document.activeElement.dataset?.file === '{file}'"));
        page.settle();
        let line = format!("document.querySelector(\"[data-file='{file}'] .{seek}\")");
        page.wait("the line", &format!("{line} !== null"));
        page.settle();
        let text: String = page.get(&format!("{line}.textContent"));
        assert!(text.starts_with(words), "{text}");
        let seen: bool = page.get(&format!("(() => {{ const {{ top, bottom }} = {line}.getBoundingClientRect(); return top > 0 && bottom < innerHeight; }})()"));
        assert!(seen, "{seek} is in view");
        page.back();
        page.wait("the way back", "document.getElementById('changes').dataset.order === 'prompt'");
        wait(&page);
    }
    page.click("#changes .facts a");
    page.settle();
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-r8");
}

#[test]
fn facts_lead_from_one_to_the_next() {
    let mut rows = Rows::new();
    rows.prompt("p1", "Write");
    for (nth, path) in ["/w/a.txt", "/w/b.txt"].iter().enumerate() {
        rows.write(&format!("w{nth}"), path, "a");
        rows.call(
            &format!("b{nth}"),
            "Bash",
            &format!(r#"{{"command":"sed -i s/a/b/ {path}"}}"#),
            "",
            false,
        );
    }
    let page = Exported::story(rows.bytes()).page().open("?view=changes");
    wait(&page);
    // The first click changes the order.
    for file in ["a.txt", "b.txt", "a.txt"] {
        page.click("[data-seek=maybe]");
        page.wait("the file", &format!("document.activeElement.dataset?.file === '{file}'"));
    }
}

#[test]
fn a_stop_says_what_else_may_have_changed_files() {
    let page = open("?view=changes");
    let said = |stop: &str| -> Vec<String> {
        page.get(&format!("Array.from(document.querySelectorAll('[data-stop={stop}] > .caution'), (line) => line.textContent)"))
    };
    page.press("j");
    page.settle();
    page.press("j");
    page.wait("the stop", "document.querySelector('[data-stop=p2]') !== null");
    assert_eq!(said("p2"), ["A command may have changed: c.txt · sed -i s/a/b/ c.txt"]);
    assert_eq!(said("p1"), [""; 0]);
    page.click("[data-stop=p2] > .caution a");
    page.settle();
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-r7");
}

#[test]
fn a_stop_says_that_somebody_else_changed_a_file() {
    let mut rows = Rows::new();
    rows.prompt("p1", "Write");
    rows.write("1", "/w/a.txt", r"one\ntwo\n");
    rows.prompt("p2", "Read and change");
    rows.call("2", "Read", r#"{"file_path":"/w/a.txt"}"#, "     1→other\\n     2→two\\n", false);
    rows.edit("3", "/w/a.txt", "other", "third");
    // What the read says beside its text.
    let file = r#""toolUseResult":{"file":{"filePath":"/w/a.txt","content":"other\ntwo\n","numLines":3,"startLine":1,"totalLines":3}},"uuid":"r2""#;
    let text = String::from_utf8(rows.bytes()).unwrap().replace(r#""uuid":"r2""#, file);
    let page = Exported::story(text.into_bytes()).page().open("?view=changes");
    wait(&page);
    let said: Vec<String> = page.get("Array.from(document.querySelectorAll('[data-stop=p2] > .caution'), (line) => line.textContent)");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("Changed between edits: a.txt · "), "{said:?}");
}

#[test]
fn a_search_is_marked_in_the_lines() {
    let page = open("?view=changes");
    let marked = "Array.from(CSS.highlights.get('leafpress-hit') ?? []).map((range) => range.startContainer.parentElement.closest('.out, .gutter')?.className)";
    page.click("#search");
    page.type_text("line 7");
    page.wait("the marks", &format!("{marked}.length > 3"));
    let places: Vec<Option<String>> = page.get(marked);
    assert!(places.iter().all(|place| place.as_deref() == Some("out")), "{places:?}");
    page.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new InputEvent('input', { bubbles: true }))");
    page.wait("no marks", &format!("{marked}.length === 0"));
}

#[test]
fn on_a_phone_tabs_stand_above_the_page() {
    let page = Exported::story(session()).page().narrow().open("");
    let shown = "Array.from(document.querySelectorAll('main > .tab-row button'), (button) => button.checkVisibility() && button.getBoundingClientRect().height >= 44 ? button.textContent : '')";
    page.wait("the count", &format!("{shown}.at(-1) === 'Changes4'"));
    assert_eq!(page.get::<Vec<String>>(shown), ["Conversation", "Context", "Changes4"]);
    page.click(".tab-row [data-view=changes]");
    wait(&page);
    assert_eq!(
        page.attribute(".tab-row [data-view=changes]", "aria-pressed").as_deref(),
        Some("true")
    );
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let page = Exported::story(session()).open();
    assert!(page.get::<bool>("!document.querySelector('.tab-row').checkVisibility()"));
    let mut rows = Rows::new();
    rows.prompt("p1", "Hello");
    let page = Exported::story(rows.bytes()).page().narrow().open("");
    assert!(page.get::<bool>("document.querySelector('.tab-row') === null"));
}
