//! Entries in packs come into the document as the reader scrolls, and nothing that is read moves.

use crate::support::sessions::{self, chain};
use crate::support::{Exported, Page};

/// Entries of the session's path.
pub(super) const LEN: usize = 2500;

/// More than ten packs.
pub(super) fn packed() -> Exported {
    Exported::bytes(sessions::packed(LEN)).unwrap()
}

const IN_VIEW: &str = "Array.from(document.querySelectorAll('#transcript > article')).filter((article) => { const { top, bottom } = article.getBoundingClientRect(); return bottom > 0 && top < innerHeight; })";

/// Waits until the view is full of entries with their text. Below the last one 40 % of it and the page's foot are free.
#[track_caller]
pub(super) fn wait_until_filled(page: &Page) {
    page.wait("the entries in view to have their text", &format!("(() => {{ const seen = {IN_VIEW}; const height = seen.reduce((sum, article) => sum + article.getBoundingClientRect().height, 0); return height >= innerHeight * 0.5 && seen.every((article) => !article.hasAttribute('aria-busy') && /(lamp|buoy)\\d+\\1/.test(article.textContent)); }})()"));
}

/// The keys of the entries in view, from above.
pub(super) fn in_view(page: &Page) -> Vec<String> {
    page.get(&format!("{IN_VIEW}.map((article) => article.id.slice('entry-'.length))"))
}

/// Scrolls as the scroll bar does: to a part of the whole.
pub(super) fn scroll_to_part(page: &Page, part: f64) {
    page.run(&format!(
        "scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * {part})"
    ));
}

/// From here on each pack takes a while to open, as on a slow machine.
pub(super) fn slow_packs(page: &Page) {
    page.run(
        "const Real = DecompressionStream;
         const late = () => new TransformStream({ async transform(chunk, to) { await new Promise((done) => setTimeout(done, 100)); to.enqueue(chunk); } });
         window.DecompressionStream = function (format) {
             const { readable, writable } = new Real(format);
             return { writable, readable: readable.pipeThrough(late()) };
         };",
    );
}

/// What is in the document is a run of the path without a gap.
#[track_caller]
fn assert_run(page: &Page, path: &[String]) {
    let there: Vec<String> = page.get("Array.from(document.querySelectorAll('#transcript > article'), (article) => article.id.slice('entry-'.length))");
    let first = path.iter().position(|key| *key == there[0]).expect("an entry of the path");
    assert_eq!(there, path[first..first + there.len()]);
}

#[test]
fn most_entries_are_packed() {
    let page = packed().open();
    assert!(page.count("script[id^=pack-]") > 10, "{}", page.count("script[id^=pack-]"));
    assert_eq!(page.text("#status"), "2,700 of 2,700 entries");
    assert_eq!(in_view(&page)[0], "e0");
    wait_until_filled(&page);
}

#[test]
fn filled_by_the_scroll_bar() {
    let pressed = packed();
    let path = pressed.path(&pressed.leaf());
    let page = pressed.open();
    for (part, place) in
        [(0.5, LEN / 2), (1.0, LEN), (0.25, LEN / 4), (0.75, LEN * 3 / 4), (0.0, 0)]
    {
        scroll_to_part(&page, part);
        page.settle();
        wait_until_filled(&page);
        page.wait_for("document.querySelectorAll('[aria-busy]').length", 0);
        let seen = in_view(&page);
        let at = path.iter().position(|key| *key == seen[0]).unwrap();
        assert!(at.abs_diff(place) < LEN / 10, "{part}: {at}");
        assert_run(&page, &path);
        if place == LEN {
            assert_eq!(seen.last(), path.last(), "the end is the end");
        }
    }
    assert_eq!(in_view(&page)[0], "e0");
}

/// From here on nothing comes in while the reader rests.
fn without_idle_work(page: &Page) {
    page.run("window.requestIdleCallback = () => 0");
}

/// Also where the reader goes on before anything has come.
#[test]
fn filled_where_a_link_leads() {
    let page = packed().page().open("?targetId=e1500");
    without_idle_work(&page);
    page.wheel(1250);
    wait_until_filled(&page);
}

/// Articles come in ahead of the wheel: what is behind the last one never comes into view.
#[test]
fn filled_by_the_wheel() {
    let pressed = packed();
    let path = pressed.path(&pressed.leaf());
    let page = pressed.page().open("?targetId=e1500");
    without_idle_work(&page);
    wait_until_filled(&page);
    let space = "document.querySelector('#transcript > .space:last-of-type')";
    let mut last = 1500;
    for _ in 0..30 {
        page.wheel(1250);
        page.settle();
        assert!(page.get::<bool>(&format!("{space}.getBoundingClientRect().top >= innerHeight")));
        wait_until_filled(&page);
        let seen = in_view(&page);
        let at = path.iter().position(|key| *key == seen[0]).unwrap();
        assert!(at > last && at < last + 20, "{last} became {at}");
        last = at;
    }
    assert!(last > 1580, "{last}");
    assert_run(&page, &path);
}

/// The entry at the reader's eye, and where its upper edge is.
fn eye(page: &Page) -> (String, f64) {
    page.get(&format!("(() => {{ const eye = {IN_VIEW}.find((article) => article.getBoundingClientRect().bottom > 200); return [eye.id, eye.getBoundingClientRect().top]; }})()"))
}

fn top(page: &Page, id: &str) -> f64 {
    page.call("(id) => document.getElementById(id).getBoundingClientRect().top", &[id])
}

#[test]
fn what_is_read_stays_while_scrolling_up() {
    let page = packed().open();
    scroll_to_part(&page, 0.5);
    page.settle();
    wait_until_filled(&page);
    let first = "document.querySelector('#transcript > article').id";
    let (before, mut came) = (page.get::<String>(first), 0);
    let mut above = before.clone();
    while came < 3 {
        let (id, was) = eye(&page);
        page.wheel(-300);
        page.wait(
            "the wheel",
            &format!("document.getElementById('{id}').getBoundingClientRect().top > {was} + 250"),
        );
        page.settle();
        let moved = top(&page, &id) - was;
        assert!((moved - 300.0).abs() < 2.0, "{id} moved by {moved}, {came} came in");
        let now: String = page.get(first);
        came += usize::from(now != above);
        above = now;
    }
}

/// From here on the browser no longer corrects by itself what moves, as Safari never does.
fn without_scroll_anchoring(page: &Page) {
    page.run("document.getElementById('transcript').style.overflowAnchor = 'none'");
}

#[test]
fn what_is_read_stays_while_resting() {
    let page = packed().open();
    without_scroll_anchoring(&page);
    scroll_to_part(&page, 0.5);
    page.settle();
    wait_until_filled(&page);
    let count = page.count("#transcript > article");
    let (id, was) = eye(&page);
    page.wait(
        "the window to grow",
        &format!("document.querySelectorAll('#transcript > article').length > {count} + 300"),
    );
    let moved = top(&page, &id) - was;
    assert!(moved.abs() < 2.0, "{id} moved by {moved}");
}

/// A page that scrolls while articles come in above it is painted anew each time, and blank meanwhile.
#[test]
fn growing_above_scrolls_nothing() {
    let page = packed().page().open(&format!("?targetId=e{}", LEN - 1));
    page.settle();
    wait_until_filled(&page);
    let count = page.count("#transcript > article");
    let (id, was) = eye(&page);
    let scrolled: f64 = page.get("scrollY");
    page.wait(
        "the window to grow",
        &format!("document.querySelectorAll('#transcript > article').length > {count} + 200"),
    );
    let moved = top(&page, &id) - was;
    assert!(moved.abs() < 2.0, "{id} moved by {moved}");
    let scrolled = page.get::<f64>("scrollY") - scrolled;
    // Heights that become known move it by a little; 200 articles are some 20,000 pixels.
    assert!(scrolled.abs() < 200.0, "scrolled by {scrolled}");
}

#[test]
fn home_and_end_lead_to_the_edges() {
    let pressed = packed();
    for narrow in [false, true] {
        let page = pressed.page();
        let page = if narrow { page.narrow() } else { page }.open("");
        slow_packs(&page);
        let last = format!("e{}", LEN - 1);
        for (key, edge) in [("End", last.as_str()), ("Home", "e0"), ("G", &last)] {
            page.press(key);
            page.settle();
            wait_until_filled(&page);
            page.settle();
            let seen = in_view(&page);
            assert!(
                [&seen[0], seen.last().unwrap()].contains(&&edge.to_owned()),
                "{key}: {seen:?}"
            );
            page.press("Tab");
        }
    }
}

/// As the browser's own search does, which tells nobody.
#[test]
fn another_scroll_ends_a_jump() {
    let page = packed().page().open("?targetId=e1500");
    wait_until_filled(&page);
    page.settle();
    page.run("scrollBy(0, -4000)");
    page.settle();
    let (id, was) = eye(&page);
    let count = page.count("#transcript > article");
    page.wait(
        "the window to grow",
        &format!("document.querySelectorAll('#transcript > article').length > {count}"),
    );
    page.settle();
    let moved = top(&page, &id) - was;
    assert!(moved.abs() < 2.0, "{id} moved by {moved}");
}

/// Content that arrives goes into the article that has the focus; where it is scrolled away the focus keeps it.
#[test]
fn focus_stays_where_it_is() {
    let page = packed().open();
    page.run("window.__lost = 0; document.addEventListener('focusout', () => setTimeout(() => { window.__lost += document.activeElement === document.body; }))");
    page.run("leafpress.go({ targetId: 'e1500' }); document.getElementById('entry-e1500').focus()");
    wait_until_filled(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-e1500");
    for key in ["j", "j", "k", "f", "F", "j"] {
        page.press(key);
        page.settle();
        wait_until_filled(&page);
        let focused: String = page.get("document.activeElement.id");
        assert!(focused.starts_with("entry-"), "{key}: {focused:?}");
        assert!(page.is_in_view(&focused["entry-".len()..]), "{key}");
    }
    page.wheel(-400);
    scroll_to_part(&page, 0.1);
    page.settle();
    wait_until_filled(&page);
    let kept: String = page.get("document.activeElement.closest('#transcript > article')?.id ?? document.activeElement.tagName");
    assert!(kept.starts_with("entry-"), "{kept}");
    assert_eq!(page.get::<usize>("window.__lost"), 0);
}

/// After a rest the window has grown, up to the limits in virtual-list.js: here by characters.
#[test]
fn the_browsers_own_search_finds() {
    let page = packed().open();
    let text = page.text("#transcript");
    assert!(!text.contains("lamp700lamp"));
    page.wait(
        "the window to grow",
        "document.getElementById('entry-e700')?.hasAttribute('aria-busy') === false",
    );
    assert!(page.get::<bool>("window.find('lamp700lamp')"));
    assert_eq!(
        page.get::<String>("getSelection().anchorNode.parentElement.closest('article').id"),
        "entry-e700"
    );
}

/// One and a half times `WINDOW_ENTRIES`, and one `WINDOW_STEP`, of virtual-list.js.
const MOST_ARTICLES: usize = 4530;

#[test]
#[ignore = "takes half a minute: `tests/run --full`"]
fn few_articles_of_20_000() {
    let chain = Exported::bytes(chain(20_000)).unwrap();
    let page = chain.page().open("?targetId=e10000");
    let count = "document.querySelectorAll('#transcript > article').length";
    // It grows while the reader rests; then as the reader goes, until it is cut.
    page.wait("the window to grow", &format!("{count} >= 1000"));
    // In parts: each has the time that a page may take to answer.
    let parts = (0..12).map(|_| {
        page.get::<usize>(&format!(
            "(async () => {{
                let most = 0;
                for (let steps = 0; steps < 10; steps++) {{
                    document.querySelector('#transcript > article:last-of-type').scrollIntoView({{ block: 'end' }});
                    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
                    most = Math.max(most, {count});
                }}
                return most;
            }})()"
        ))
    });
    let most = parts.max().unwrap();
    assert!((3500..=MOST_ARTICLES).contains(&most), "{most}");
    assert_run(&page, &chain.path("e19999"));
    scroll_to_part(&page, 1.0);
    page.settle();
    assert_eq!(in_view(&page).last().map(String::as_str), Some("e19999"));
    assert_run(&page, &chain.path("e19999"));
}

#[test]
fn story_is_readable_without_script() {
    let page = packed().page().without_script().open("");
    let there = page.shown_articles();
    assert!(there.len() > 50, "the first and the newest: {}", there.len());
    assert_eq!(there[..12], std::array::from_fn::<_, 12, _>(|n| format!("e{n}")));
    assert_eq!(there.last(), Some(&format!("e{}", LEN - 1)));
    assert!(page.text(&crate::support::article("e10")).contains("lamp10lamp"));
    let notes: Vec<String> = page.get("Array.from(document.querySelectorAll('main noscript > .noscript'), (note) => note.textContent)");
    assert!(notes[0].contains(&format!("{} of 2,700 entries", there.len())), "{notes:?}");
    let left_out: usize = notes[1..]
        .iter()
        .flat_map(|note| note.trim_start_matches("Left out here: ").split(", "))
        .map(|part| part.split(' ').next().unwrap().replace(',', "").parse::<usize>().unwrap())
        .sum();
    assert_eq!(left_out, LEN - there.len(), "{notes:?}");
}
