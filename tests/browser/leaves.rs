//! The list of all branches: what each ended with, and opening one.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::support::{Exported, Page, sessions};

/// A line of the list as shown.
#[derive(Debug, Deserialize)]
struct Choice {
    words: String,
    end: String,
    state: String,
    label: Option<String>,
    entries: String,
    time: Option<String>,
}

const CHOICES: &str = "Array.from(document.querySelectorAll('#leaves-list button'), (button) => ({
    words: button.querySelector('.leaf-words').textContent,
    end: button.querySelector('.leaf-end')?.textContent ?? '',
    state: button.querySelector('.leaf-state').textContent,
    label: button.querySelector('.entry-label')?.textContent ?? null,
    entries: Array.from(button.querySelectorAll('.leaf-facts > span'), (fact) => fact.textContent).find((text) => /entr(y|ies)$/.test(text)),
    time: button.querySelector('time')?.dateTime ?? null,
}))";

const OPEN_DIALOG: &str = "document.querySelector('dialog[open]')?.id ?? null";

fn open_list(page: &Page) {
    page.press("l");
    page.wait_for(OPEN_DIALOG, "leaves");
    let all = "document.getElementById('leaves-list').childElementCount === parseInt(document.getElementById('leaves-status').textContent)";
    page.wait("the whole list", all);
}

/// The leaves in the order of the list: the active one, then the newest first.
fn leaves(pressed: &Exported) -> Vec<String> {
    let session = &pressed.session;
    let mut leaves: Vec<_> = session.tree().leaves().collect();
    leaves
        .sort_by_key(|&leaf| (leaf != session.leaf(), -session.time(leaf).unwrap_or(i64::MIN + 1)));
    leaves.into_iter().map(|leaf| session.key(leaf).unwrap()).collect()
}

#[test]
fn lists_every_leaf() {
    for file in [
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "tests/fixtures/samples/pi-1.5-tree.jsonl",
        "examples/lighthouse.jsonl",
        "examples/garden.jsonl",
    ] {
        let pressed = Exported::file(file);
        let page = pressed.open();
        let leaves = leaves(&pressed);
        assert!(leaves.len() > 1, "{file}");
        open_list(&page);
        assert_eq!(page.text("#leaves-status"), format!("{} branches", leaves.len()));
        let choices: Vec<Choice> = page.get(CHOICES);
        assert_eq!(choices.len(), leaves.len(), "{file}: {choices:?}");
        for (nth, (choice, leaf)) in choices.iter().zip(&leaves).enumerate() {
            let place = format!("{file}: {leaf}: {choice:?}");
            let state = if nth == 0 { "this branch" } else { "other branch" };
            assert_eq!(choice.state, state, "{place}");
            assert_eq!(choice.entries, own_entries(&pressed, leaf, &leaves), "{place}");
            let time = pressed.session.time(pressed.session.find(leaf).unwrap()).unwrap();
            let told: Option<i64> =
                page.call("(iso) => iso === null ? null : Date.parse(iso)", &[&choice.time]);
            assert_eq!(told, Some(time), "{place}");
        }
    }
}

#[test]
fn tells_words_entries_time_and_label() {
    let page = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl").open();
    open_list(&page);
    let choices: Vec<Choice> = page.get(CHOICES);
    let line = |words: &str| {
        let found: Vec<_> = choices
            .iter()
            .filter(|choice| choice.words.contains(words) || choice.end.contains(words))
            .collect();
        assert_eq!(found.len(), 1, "{words}: {choices:?}");
        found[0]
    };
    assert_eq!(line("All done.").label, None, "its labels lie ahead of the fork");
    assert_eq!(line("Filling with oil.").label.as_deref(), Some("oil [try]"));
    assert_eq!(line("Filling with gas.").label, None);
    assert_eq!(line("Skip the read").time.as_deref(), Some("2026-11-02T09:22:30.000Z"));
    assert_eq!(line("Fresh start.").label.as_deref(), Some("restart"));
}

#[test]
fn choosing_opens() {
    let long = Exported::long();
    let page = long.open();
    let leaves = leaves(&long);
    for nth in [1, 3, 0] {
        open_list(&page);
        page.click(&format!("#leaves-list li:nth-child({}) button", nth + 1));
        assert_eq!(page.get::<Option<String>>(OPEN_DIALOG), None);
        assert_eq!(page.shown_articles(), long.path(&leaves[nth]));
        assert_eq!(
            page.get::<String>("document.activeElement.id"),
            format!("entry-{}", leaves[nth])
        );
        page.wait_until_in_view(&leaves[nth]);
        page.wait(
            "the address to follow",
            &format!("location.search.includes('leafId={}')", leaves[nth]),
        );
    }
    open_list(&page);
    assert_eq!(page.text("#leaves-list [aria-current=true] .leaf-state"), "this branch");
    page.press("Escape");
    page.back();
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", &leaves[3]);
    open_list(&page);
    assert_eq!(page.count("#leaves-list [aria-current=true]"), 1);
    assert_eq!(page.text("#leaves-list [aria-current=true] .leaf-state"), "this branch");
    // Where the agent would go on.
    let choices: Vec<Choice> = page.get(CHOICES);
    assert_eq!(choices.iter().filter(|choice| choice.state == "active branch").count(), 1);
}

#[test]
fn opened_from_the_menu() {
    let long = Exported::long();
    let page = long.open();
    page.click("#more");
    page.run("Array.from(document.querySelectorAll('#menu .menu-item')).find((item) => item.textContent.startsWith('All branches')).dataset.asked = ''");
    page.click("#menu [data-asked]");
    page.wait_for(OPEN_DIALOG, "leaves");
    page.click("#leaves-list li:nth-child(2) button");
    assert_eq!(page.shown_articles(), long.path(&leaves(&long)[1]));
}

#[test]
fn gives_the_focus_back() {
    let page = Exported::long().open();
    page.run("document.getElementById('theme-toggle').focus()");
    for close in ["Escape", "button"] {
        open_list(&page);
        assert!(
            page.get::<bool>("document.getElementById('leaves').contains(document.activeElement)")
        );
        if close == "Escape" {
            page.press("Escape");
        } else {
            page.click("#leaves .dialog-close");
        }
        assert_eq!(page.get::<Option<String>>(OPEN_DIALOG), None);
        assert_eq!(page.get::<String>("document.activeElement.id"), "theme-toggle");
    }
    page.run("document.getElementById('more').focus()");
    page.press("Enter");
    page.wait_for(OPEN_DIALOG, "menu");
    page.run("Array.from(document.querySelectorAll('#menu .menu-item')).find((item) => item.textContent.startsWith('All branches')).focus()");
    page.press("Enter");
    page.wait_for(OPEN_DIALOG, "leaves");
    page.press("Escape");
    page.wait_for(OPEN_DIALOG, None::<String>);
    assert_eq!(page.get::<String>("document.activeElement.id"), "more", "the menu is gone");
}

const AT: &str = "Array.from(document.querySelectorAll('#leaves-list li')).indexOf(document.activeElement.closest('li'))";

#[test]
fn arrows_walk_it() {
    let long = Exported::long();
    let page = long.open();
    open_list(&page);
    assert_eq!(page.get::<i32>(AT), 0);
    for (key, at) in [
        ("ArrowDown", 1),
        ("End", 3),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("Home", 0),
        ("ArrowDown", 1),
    ] {
        page.press(key);
        assert_eq!(page.get::<i32>(AT), at, "after {key}");
    }
    assert_eq!(page.count("#leaves-list button[tabindex='0']"), 1, "one tab stop");
    page.press("Enter");
    assert_eq!(page.shown_articles(), long.path(&leaves(&long)[1]));
}

#[test]
fn many_branches_are_filtered() {
    let fan = Exported::bytes(sessions::fan(40)).unwrap();
    let page = fan.open();
    open_list(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "leaves-filter");
    page.type_text("ANSWER 3");
    page.wait_for("document.getElementById('leaves-status').textContent", "13 of 40 branches");
    let mut wanted = String::new();
    for nth in [39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 23, 13, 3] {
        writeln!(wanted, "thanks for answer {nth}").unwrap();
    }
    page.wait_for("Array.from(document.querySelectorAll('#leaves-list .leaf-words'), (words) => words.textContent + '\\n').join('')", wanted);
    page.press("ArrowDown");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["root", "b38", "c38"]);
}

#[test]
fn on_a_phone() {
    let long = Exported::long();
    let page = long.page().narrow().open("");
    open_list(&page);
    let inside: bool = page.get("(() => { const box = document.getElementById('leaves').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 1; })()");
    assert!(inside);
    assert!(page.get::<bool>("Array.from(document.querySelectorAll('#leaves-list button')).every((button) => button.scrollWidth <= button.clientWidth)"));
    page.click("#leaves-list li:nth-child(3) button");
    assert_eq!(page.shown_articles(), long.path(&leaves(&long)[2]));
}

/// How many entries no other branch has.
fn own_entries(pressed: &Exported, leaf: &str, leaves: &[String]) -> String {
    let others: Vec<Vec<String>> =
        leaves.iter().filter(|other| *other != leaf).map(|other| pressed.path(other)).collect();
    let is_own = |entry: &&String| !others.iter().any(|path| path.contains(entry));
    match pressed.path(leaf).iter().filter(is_own).count() {
        1 => "1 entry".to_owned(),
        own => format!("{own} entries"),
    }
}

/// A long text ends with a sign that it is cut, and Markdown is said in its words.
#[test]
fn texts_are_excerpts() {
    let mut lines = sessions::Lines::new();
    lines.user("ask", None, "# Which **tide**?");
    lines.assistant(
        "one",
        Some("ask"),
        &format!("```bash\nlow water\n```\n{}", "and ebb ".repeat(40)),
    );
    lines.assistant("two", Some("ask"), "The `next` one.");
    let page = Exported::story(lines.bytes()).open();
    page.press("l");
    let words: Vec<String> =
        page.get("Array.from(document.querySelectorAll('.leaf-words, .leaf-end'), ({ textContent }) => textContent)");
    let cut = words.iter().find(|words| words.starts_with("low water and ebb")).unwrap();
    assert!(cut.ends_with("…"), "{cut}");
    assert!(words.contains(&"The next one.".to_owned()), "{words:?}");
}
