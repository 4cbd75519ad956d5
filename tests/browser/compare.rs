//! Two branches side by side: chosen, linked, closed again, read.

use leafpress::session::Kind;
use serde_json::{Value, json};

use crate::subsessions;
use crate::support::{Exported, Page, sessions};

/// The leaves of `examples/lighthouse.jsonl`: the one shown and another that parted early.
const SHIPPED: &str = "240cd75b";
const PADDING: &str = "c529cb7f";
const PARTED: &str = "048001e4";

fn link(leaf: &str, other: &str) -> String {
    format!("?leafId={leaf}&compare={other}")
}

/// The keys on a side, from above.
fn side(page: &Page, nth: usize) -> Vec<String> {
    page.get(&format!("Array.from(document.querySelectorAll('#compare-view .side')[{nth}]?.querySelectorAll('article') ?? [], (article) => article.dataset.entry)"))
}

/// What a path has behind an entry.
fn since(pressed: &Exported, leaf: &str, ancestor: &str) -> Vec<String> {
    let path = pressed.path(leaf);
    let at = path.iter().position(|key| key == ancestor).map_or(0, |at| at + 1);
    path[at..].to_vec()
}

fn is_prompt(pressed: &Exported, key: &str) -> bool {
    let entry = pressed.session.find(key).expect("a key");
    Kind::of(&pressed.session.entry(entry).unwrap().body) == Kind::User
}

fn is_comparing(page: &Page) -> bool {
    page.get("!document.getElementById('compare-view').hidden")
}

fn assert_compares(page: &Page, pressed: &Exported, leaf: &str, other: &str, ancestor: &str) {
    assert!(is_comparing(page));
    assert_eq!(side(page, 0), since(pressed, leaf, ancestor));
    assert_eq!(side(page, 1), since(pressed, other, ancestor));
    assert!(page.shown_articles().is_empty(), "the path is put away");
    let empty = page.count("#compare-view article:not(:has(> .body))");
    assert_eq!(empty, 0, "articles without content");
}

#[test]
fn by_the_address() {
    let long = Exported::long();
    let page = long.page().open(&link(SHIPPED, PADDING));
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
    let common = page.text(".compare-common");
    assert!(common.starts_with("Same until ") && common.ends_with(" (14 entries)"), "{common}");
    assert_eq!(page.notice(), None);
    page.click(".compare-common a");
    assert!(!is_comparing(&page), "what both have is on the path");
    page.wait_until_in_view(PARTED);
    assert_eq!(page.shown_articles(), long.path(SHIPPED));
    page.run(&format!("leafpress.go({{ leafId: '{PADDING}', compare: '{SHIPPED}' }})"));
    assert_compares(&page, &long, PADDING, SHIPPED, PARTED);
    page.wait_for("new URLSearchParams(location.search).get('compare')", SHIPPED);
}

#[test]
fn in_the_fragment_too() {
    let long = Exported::long();
    let page = long.page().open(&format!("#compare={PADDING}"));
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
    page.press("Escape");
    assert!(!is_comparing(&page));
    page.wait("the address to follow", "!location.hash.includes('compare=')");
    page.run(&format!("location.hash = 'leafId={PADDING}&compare={SHIPPED}'"));
    page.wait("the comparison", "!document.getElementById('compare-view').hidden");
    assert_compares(&page, &long, PADDING, SHIPPED, PARTED);
}

#[test]
fn chosen_from_the_list() {
    let long = Exported::long();
    let page = long.open();
    page.press("d");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "leaves");
    assert_eq!(page.text("#leaves-status"), "3 branches", "without the one on show");
    assert_eq!(page.attribute("[data-use=compare]", "aria-pressed").as_deref(), Some("true"));
    page.press("ArrowDown");
    page.press("Enter");
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
    assert_eq!(page.get::<String>("document.activeElement.id"), "compare-view");
    page.wait_for("location.search", link(SHIPPED, PADDING));
    page.press("l");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "leaves");
    assert_eq!(page.text("#leaves-status"), "4 branches");
    page.click("[data-use=compare]");
    assert_eq!(page.text("#leaves-status"), "3 branches");
    page.click("#leaves-list li:last-child button");
    assert_compares(&page, &long, SHIPPED, "667661c7", PARTED);
    let linear = Exported::bytes(sessions::chain(6)).unwrap().open();
    linear.press("d");
    assert_eq!(linear.get::<Option<String>>("document.querySelector('dialog[open]')?.id"), None);
    assert!(linear.notice().unwrap().contains("no other branch"));
    linear.press("l");
    assert!(linear.get::<bool>("document.querySelector('.leaves-use').hidden"));
}

#[test]
fn chosen_at_a_fork() {
    let garden = Exported::file("examples/garden.jsonl");
    let page = garden.open();
    page.wait("the button", "document.querySelectorAll('.fork-compare').length === 1");
    page.click(".fork-compare");
    assert_compares(&page, &garden, "86dc1522", "b8774523", "160d4253");
    assert_eq!(page.count("#compare-view .fork-compare"), 0);
    let long = Exported::long();
    let page = long.open();
    page.wait("the button", "document.querySelectorAll('.fork-compare').length === 1");
    page.click(".fork-compare");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "leaves");
    page.click("#leaves-list li:nth-child(1) button");
    assert_compares(&page, &long, SHIPPED, "27312147", PARTED);
}

#[test]
fn closed_by_key_button_and_back() {
    let long = Exported::long();
    let page = long.page().open(&format!("?leafId={SHIPPED}"));
    let compare = || {
        page.run(&format!("leafpress.go({{ leafId: '{SHIPPED}', compare: '{PADDING}' }})"));
        assert!(is_comparing(&page));
    };
    compare();
    page.press("Escape");
    assert!(!is_comparing(&page));
    assert_eq!(page.shown_articles(), long.path(SHIPPED));
    page.wait("the address to follow", "!location.search.includes('compare')");
    assert_ne!(page.get::<String>("document.activeElement.tagName"), "BODY");
    page.back();
    page.wait("the comparison again", "!document.getElementById('compare-view').hidden");
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
    page.click(".compare-close");
    assert!(!is_comparing(&page));
    compare();
    page.press("v");
    assert!(!is_comparing(&page), "another view closes it");
    assert!(page.get::<bool>("!document.getElementById('context-view').hidden"));
    page.press("v");
    compare();
    page.press("d");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "leaves");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", None::<String>);
    assert!(is_comparing(&page), "only the dialog was closed");
    page.press("b");
    assert!(!is_comparing(&page), "back to where I was");
    compare();
    page.click(".side:nth-child(2) .side-open");
    assert!(!is_comparing(&page));
    assert_eq!(page.shown_articles(), long.path(PADDING));
}

#[test]
fn begins_with_a_table() {
    let page = Exported::long().page().open(&link(SHIPPED, PADDING));
    let heads: Vec<String> = page
        .get("Array.from(document.querySelectorAll('.side-head h3'), (head) => head.textContent)");
    assert_eq!(heads, ["shipped", "padding: 1 short"]);
    let rows: Vec<Vec<String>> = page.get("Array.from(document.querySelectorAll('.compare-table tr'), (row) => Array.from(row.cells, (cell) => cell.textContent))");
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap()[1..].to_vec();
    assert_eq!(rows[0], ["", "This branch", "Other branch"]);
    assert_eq!(row("Entries"), ["54", "14"], "as `leafpress compare` has it");
    assert_eq!(row("Turns"), ["5", "2"]);
    assert_eq!(row("Cost"), ["$0.232", "$0.051"]);
    assert!(row("Last response")[0].starts_with("Committed as f27d9ab."), "{rows:?}");
    assert!(row("Last response").iter().all(|words| words.len() > 20), "{rows:?}");
    assert_eq!(row("Failures"), ["2", "0"], "failed tools and responses that ended in an error");
    assert_eq!(row("Stops"), ["0", "1"], "as `leafpress compare` has it");
    let tokens = [
        "8.8k in, 4.2k out, 98k cache read, 18k cache write",
        "40 in, 485 out, 20k cache read, 10k cache write",
    ];
    assert_eq!(row("Tokens"), tokens);
    assert!(row("Files changed")[0].contains("src/table.rs"), "{rows:?}");
    assert_eq!(
        page.get::<Option<String>>("document.getElementById('compare-view').children[1].className"),
        Some("compare-table".to_owned())
    );
}

#[test]
fn folds_its_steps_as_the_transcript_does() {
    // Of each side: entries seen whole, entries of which nothing is seen though no line above stands for them.
    const SIDES: &str = "Array.from(document.querySelectorAll('.side'), (side) => {
        let line = false;
        let [seen, lost] = [0, 0];
        for (const article of side.querySelectorAll('article')) {
            const own = article.querySelector(':scope > .steps');
            // Settings and state have no line in the story.
            line = article.classList.contains('shut') && (line || own?.checkVisibility() === true || own?.matches('.aside') === true);
            const isShut = article.querySelector(':scope > .body').hasAttribute('hidden');
            [seen, lost] = isShut ? [seen, lost + (line ? 0 : 1)] : [seen + 1, lost];
        }
        return [seen, lost];
    })";
    let long = Exported::long();
    let page = long.page().open(&format!("{}&detail=story", link(SHIPPED, PADDING)));
    let own = |leaf| since(&long, leaf, PARTED).len();
    let story: Vec<[usize; 2]> = page.get(SIDES);
    assert!(story.iter().all(|&[seen, lost]| seen > 0 && lost == 0), "{story:?}");
    assert!(story[0][0] < own(SHIPPED), "{story:?}");
    // A click on its lines would lead to Changes.
    page.run("document.querySelector('.side .steps:not(.aside) .steps-toggle[aria-expanded=false]').click()");
    page.wait("the steps", &format!("{SIDES}[0][0] > {}", story[0][0]));
    page.press("3");
    page.wait_for("document.documentElement.dataset.detail", "full");
    let full: Vec<[usize; 2]> = page.get(SIDES);
    assert!(full.iter().all(|&[_, lost]| lost == 0), "{full:?}");
    assert!(full[0][0] > story[0][0] && full[1][0] > story[1][0], "{story:?} {full:?}");
    let only = format!("{}&detail=story&only=1&filter=no-tools", link(SHIPPED, PADDING));
    page.load_anew(&only);
    page.wait("all that the filter leaves", &format!("document.querySelectorAll('.side article').length > 0 && {SIDES}.every(([seen, lost]) => seen > 0 && lost === 0)"));
    assert_eq!(page.count(".side article.shut, #transcript > article.shut"), 0);
}

#[test]
fn two_tabs_on_a_phone() {
    const SEEN: &str = "Array.from(document.querySelectorAll('.side'), (side) => side.getClientRects().length > 0)";
    const CHOSEN: &str = "Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.getAttribute('aria-selected') === 'true')";
    let long = Exported::long();
    let shows = |page: &Page, first: bool| {
        page.wait_for(SEEN, vec![first, !first]);
        assert_eq!(page.get::<Vec<bool>>(CHOSEN), [first, !first]);
    };
    let page = long.page().narrow().open(&link(SHIPPED, PADDING));
    shows(&page, true);
    assert_eq!(page.text("[role=tab]:nth-child(2)"), "Other branchpadding: 1 short");
    // What opens the comparison also scrolls, and its sides grow over some frames.
    page.settle();
    page.wait("a place to scroll to", "(scrollTo(0, 2000), scrollY === 2000)");
    page.settle();
    let top = "Math.round(document.querySelector('.side-tabs').getBoundingClientRect().top)";
    let bar = "Math.round(document.getElementById('topbar').getBoundingClientRect().bottom)";
    assert_eq!(page.get::<i64>(top), page.get::<i64>(bar), "the tabs stay in view");
    page.click("[role=tab]:nth-child(2)");
    shows(&page, false);
    assert!(page.get::<bool>("(() => { const { top } = document.querySelector('.side:nth-child(2)').getBoundingClientRect(); return top > 0 && top < innerHeight / 2; })()"), "at its beginning");
    page.press("ArrowLeft");
    shows(&page, true);
    assert_eq!(page.get::<i64>("scrollY"), 2000, "where it was left");
    let target = &since(&long, PADDING, PARTED)[9];
    page.load_anew(&format!("{}&targetId={target}", link(SHIPPED, PADDING)));
    shows(&page, false);
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let wide = long.page().open(&link(SHIPPED, PADDING));
    assert_eq!(wide.get::<Vec<bool>>(SEEN), [true, true]);
    let beside: bool = wide.get("(() => { const [a, b] = Array.from(document.querySelectorAll('.side'), (side) => side.getBoundingClientRect()); return b.left >= a.right - 1 && Math.abs(a.top - b.top) < 1; })()");
    assert!(beside);
    assert_eq!(
        wide.get::<usize>("document.querySelector('.side-tabs').getClientRects().length"),
        0
    );
}

/// A call names a file by its whole path or from the working folder; a home folder's owner is nobody's business.
#[test]
fn names_each_file_once() {
    let header = json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-02T00:00:00.000Z", "cwd": "/srv/app"});
    let entry = |id: &str, parent: Option<&str>, ms: u32, message: Value| {
        let time =
            format!("2026-01-02T00:{:02}:{:02}.{:03}Z", ms / 60_000, ms / 1000 % 60, ms % 1000);
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message})
    };
    let calls = |paths: &[&str]| {
        let calls = paths.iter().map(|path| json!({"type": "toolCall", "id": path, "name": "read", "arguments": {"path": path}}));
        json!({"role": "assistant", "content": calls.collect::<Vec<_>>(), "provider": "acme", "model": "wren-2", "stopReason": "toolUse"})
    };
    let result = |path: &str| json!({"role": "toolResult", "toolCallId": path, "toolName": "read", "content": [{"type": "text", "text": "x"}]});
    let said = |text: &str| json!({"role": "user", "content": text});
    let both = ["/srv/app/src/a.rs", "src/a.rs", "./src/a.rs", "/home/mary/notes.md"];
    let mut lines = vec![
        header,
        entry("root", None, 0, said("go")),
        entry("calls", Some("root"), 0, calls(&both)),
    ];
    let mut parent = "calls".to_owned();
    for (nth, path) in both.iter().enumerate() {
        let id = format!("result{nth}");
        // Half a tenth of a second at the end, to be rounded as Rust rounds it.
        let ms = if nth == 3 { 2250 } else { 1000 };
        lines.push(entry(&id, Some(&parent), ms, result(path)));
        parent = id;
    }
    lines.push(entry("other", Some("root"), 100, said("or this")));
    lines.push(entry("end", Some("other"), 100 + 59_960, said("and that")));
    let bytes = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let page = Exported::bytes(bytes.into_bytes()).unwrap().page().open(&link("result3", "end"));
    let row = |name: &str| -> Vec<String> {
        page.get(&format!("Array.from(Array.from(document.querySelectorAll('.compare-table tr')).find((row) => row.cells[0].textContent === {name:?}).cells, (cell) => cell.textContent).slice(1)"))
    };
    assert_eq!(row("Files read"), ["2: src/a.rs, ~/notes.md", "–"]);
    assert_eq!(row("Time"), ["2.3s", "1m"]);
}

#[test]
fn one_may_lead_to_the_other() {
    let long = Exported::long();
    let page = long.page().open(&link(SHIPPED, PARTED));
    assert!(is_comparing(&page));
    assert_eq!(side(&page, 0), since(&long, SHIPPED, PARTED));
    assert_eq!(side(&page, 1), Vec::<String>::new());
    assert!(page.text(".side:nth-child(2) .side-end").starts_with("No entries of its own"));
    let roots = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let page = roots.page().open(&link("ast00012", "ast00009"));
    assert!(page.text(".compare-common").starts_with("The branches have different roots"));
    assert_eq!(side(&page, 0), roots.path("ast00012"));
    assert_eq!(side(&page, 1), roots.path("ast00009"));
}

#[test]
fn a_target_on_either_side() {
    let long = Exported::long();
    let target = &since(&long, PADDING, PARTED)[9];
    let page = long.page().open(&format!("{}&targetId={target}", link(SHIPPED, PADDING)));
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
    let seen = format!(
        "(() => {{ const top = document.querySelector('[data-entry=\"{target}\"]').getBoundingClientRect().top; return top > 0 && top < innerHeight; }})()"
    );
    page.wait("the target in view", &seen);
    let prompt = long.path(SHIPPED).into_iter().find(|key| is_prompt(&long, key)).unwrap();
    page.scroll_to_row(&prompt);
    page.click_row(&prompt);
    assert!(!is_comparing(&page), "it is on neither side");
    let common = format!("{}&targetId={PARTED}", link(SHIPPED, PADDING));
    page.load_anew(&common);
    assert!(!is_comparing(&page));
    page.wait_until_in_view(PARTED);
    assert!(page.notice().unwrap().contains("neither side of the comparison"));
}

#[test]
fn unknown_and_hostile_ids() {
    let tree = Exported::tree();
    let page = tree.page().open("?compare=nowhere");
    assert!(
        page.notice().unwrap().contains("compares with “nowhere”, which is not in this session")
    );
    let markup = "%3Cimg%20src%3Dx%20onerror%3D%22window.__pwned%3D1%22%3E";
    for hostile in [markup, "%E0%A4%A", "__proto__", &"x".repeat(5000)] {
        let link = format!("?compare={hostile}");
        page.load_anew(&link);
        assert!(!is_comparing(&page), "{link}");
        assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "{link}");
        let notice = page.notice().expect("a notice");
        assert!(notice.contains("compares with") && notice.len() < 300, "{notice}");
        assert_eq!(page.link(), link, "the address is left alone");
    }
    assert_eq!(page.count("#notice img"), 0);
    page.load_anew(&format!("?compare={}", tree.leaf()));
    assert!(page.notice().unwrap().contains("with itself"));
    page.load_anew("?compare=");
    assert_eq!(page.notice(), None, "nothing was asked for");
}

#[test]
fn sessions_are_not_mixed() {
    let family = subsessions::family();
    let page = family.page().open(&format!("?leafId={}&compare=Scout/1", family.leaf()));
    assert!(!is_comparing(&page));
    assert!(page.notice().unwrap().contains("an entry of another session"));
    let within = family.session.find("Scout/1").unwrap();
    let leaf = family.session.key(family.session.sub_session_of(within).unwrap().leaf).unwrap();
    // Each of the sessions has one branch: the page has no comparison.
    page.load_anew(&format!("?compare=Scout/1&leafId={leaf}"));
    assert!(!is_comparing(&page));
    assert!(page.notice().unwrap().contains("This session has one."));
}

/// An entry of the only branch is no other branch, and the page does without the comparison.
#[test]
fn one_branch_is_not_compared() {
    let page = Exported::story(crate::support::sessions::working(3)).open();
    assert_eq!(page.count("button.fork-compare"), 0);
    page.press("d");
    assert_eq!(page.notice().as_deref(), Some("There is no other branch to compare with"));
    assert!(!is_comparing(&page));
}

#[test]
fn no_id_twice() {
    let page = Exported::long().page().open(&link(SHIPPED, PADDING));
    assert!(page.count("#compare-view article") > 60);
    assert_eq!(page.count("#compare-view [id]"), 0);
    let twice: Vec<String> = page.get("(() => { const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id); return ids.filter((id, at) => ids.indexOf(id) !== at); })()");
    assert_eq!(twice, Vec::<String>::new());
    assert_eq!(page.count("#compare-view .entry-head:has(.raw ~ .raw)"), 0, "one button each");
}

const FOCUSED: &str = "document.activeElement.dataset.entry ?? null";

#[test]
fn moves_along_the_side_that_is_read() {
    let long = Exported::long();
    let prompts = |leaf: &str| -> Vec<String> {
        let own = since(&long, leaf, PARTED);
        own.into_iter().filter(|key| is_prompt(&long, key)).collect()
    };
    let page = long.page().open(&link(SHIPPED, PADDING));
    let (ours, theirs) = (prompts(SHIPPED), prompts(PADDING));
    page.press("j");
    assert_eq!(page.get::<Option<String>>(FOCUSED).as_ref(), Some(&ours[0]));
    page.run(&format!("document.querySelector('[data-entry=\"{}\"]').focus()", theirs[0]));
    // Where the reader stands depends on the scroll, which the first jump may still be changing.
    page.press("j");
    page.press("j");
    assert!(is_comparing(&page));
    assert_eq!(page.get::<Option<String>>(FOCUSED).as_ref(), theirs.last());
    page.wait_for("new URLSearchParams(location.search).get('compare')", PADDING);
    page.wait_for("new URLSearchParams(location.search).get('leafId')", SHIPPED);
}

#[test]
fn marks_and_choices_reach_both() {
    let page = Exported::long().page().open(&format!("{}&q=the", link(SHIPPED, PADDING)));
    let marked = "(() => { const ranges = Array.from(CSS.highlights.values()).flatMap((highlight) => Array.from(highlight)); return Array.from(document.querySelectorAll('.side'), (side) => ranges.some((range) => side.contains(range.startContainer))); })()";
    page.wait_for(marked, [true, true]);
    let open = "Array.from(document.querySelectorAll('.side'), (side) => Array.from(side.querySelectorAll('details.card'), (card) => card.open).some((open) => open))";
    assert_eq!(page.get::<Vec<bool>>(open), [true, true]);
    page.run("document.querySelector('button[data-detail=steps]').click()");
    page.wait_for(open, [false, false]);
    page.wait("buttons on both sides", "Array.from(document.querySelectorAll('.side')).every((side) => side.querySelector('.raw') !== null)");
}

fn packed() -> Exported {
    Exported::bytes(sessions::packed(3000)).unwrap()
}

#[test]
fn a_long_side_comes_in_steps() {
    let packed = packed();
    let page = packed.page().open("?leafId=e2999&compare=x199");
    let filled = "document.querySelectorAll('#compare-view article:not(:has(> .body))').length";
    page.wait_for(filled, 0);
    assert_eq!([side(&page, 0).len(), side(&page, 1).len()], [100, 100]);
    let more = "Array.from(document.querySelectorAll('.side-more:not([hidden])'), (button) => button.textContent)";
    let offered: Vec<String> = page.get(more);
    assert_eq!(offered, ["Show 100 more of 1799 entries", "Show 100 more of 200 entries"]);
    page.run("Array.from(document.querySelectorAll('.side-more:not([hidden])'))[1].click()");
    page.wait_for(filled, 0);
    assert_eq!([side(&page, 0).len(), side(&page, 1).len()], [100, 200]);
    assert_eq!(page.get::<Option<String>>(FOCUSED).as_deref(), Some("x100"));
    assert_eq!(page.text(".side:nth-child(2) .side-end"), "End of this branch");
    assert!(page.get::<bool>("document.querySelector('.side-end').hidden"), "not yet");
}

#[test]
fn jumps_far_into_a_packed_side() {
    let packed = packed();
    let page = packed.page().open("?leafId=e2999&compare=x199&targetId=e2500");
    let seen = "(() => { const article = document.querySelector('[data-entry=e2500]'); const top = article?.getBoundingClientRect().top; return top > 0 && top < innerHeight && article.textContent.includes('lamp2500lamp'); })()";
    page.wait("the entry in view", seen);
    assert!(side(&page, 0).len() < 200);
    let before = side(&page, 0);
    assert_eq!(before[0], "e2490");
    page.run("document.querySelector('.side-more').click()");
    assert_eq!(side(&page, 0)[0], "e2390");
    assert_eq!(side(&page, 0).len(), before.len() + 100);
    assert_eq!(page.get::<Option<String>>(FOCUSED).as_deref(), Some("e2489"));
}

#[test]
fn filtered_like_the_transcript() {
    let long = Exported::long();
    let page = long.page().open(&format!("{}&filter=user-only&only=1", link(SHIPPED, PADDING)));
    let users = |leaf| -> Vec<String> {
        let own = since(&long, leaf, PARTED);
        own.into_iter().filter(|key| is_prompt(&long, key)).collect()
    };
    assert_eq!([side(&page, 0), side(&page, 1)], [users(SHIPPED), users(PADDING)]);
    let told = page.text(".side:nth-child(2) .side-end");
    assert_eq!(told, "End of this branch; the filter hides 12 entries");
    page.click("#only");
    assert_compares(&page, &long, SHIPPED, PADDING, PARTED);
}

#[test]
fn named_for_screen_readers() {
    let page = Exported::long().page().open(&link(SHIPPED, PADDING));
    let names: Vec<String> = page.get("Array.from(document.querySelectorAll('#compare-view section'), (side) => side.getAttribute('aria-label'))");
    assert_eq!(names, ["This branch: shipped", "Other branch: padding: 1 short"]);
    page.press("Tab");
    let first: String = page.get("document.activeElement.className");
    assert_eq!(first, "compare-other", "from the view into it");
}
