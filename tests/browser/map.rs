//! The map beside the text: drawn from what is on the path, and a click goes there.

use serde_json::json;

use crate::support::{Exported, Page};

/// The heights, from 0 to 1, at which a color variable of the map is to be seen, one for each mark.
const MARKS: &str = "(name) => {
    const map = document.getElementById('map');
    const color = new OffscreenCanvas(1, 1).getContext('2d');
    const probe = map.parentElement.appendChild(map.cloneNode());
    probe.style.setProperty('color', `var(${name})`);
    color.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    color.fillRect(0, 0, 1, 1);
    const wanted = color.getImageData(0, 0, 1, 1).data.join();
    const { width, height } = map;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(map, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const rows = [];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            if (data.slice((y * width + x) * 4, (y * width + x) * 4 + 4).join() === wanted) {
                rows.push(y);
                break;
            }
        }
    }
    return rows.filter((y, at) => rows[at - 1] !== y - 1).map((y) => y / height);
}";

/// The heights of entries in the document, from 0 to 1.
const HEIGHTS: &str = "(...keys) => keys.map((key) => (document.getElementById(`entry-${key}`).getBoundingClientRect().top + scrollY) / document.documentElement.scrollHeight)";

/// The middle of the view in the document, from 0 to 1.
const MIDDLE: &str = "(scrollY + innerHeight / 2) / document.documentElement.scrollHeight";

fn open(suffix: &str) -> Page {
    let page = Exported::long().page().open(suffix);
    measured(&page);
    page
}

/// Heights far away are estimates: only once all has been laid out do they stand still.
fn measured(page: &Page) {
    page.run("document.documentElement.style.setProperty('scroll-behavior', 'auto'); for (const article of document.querySelectorAll('article')) article.style.setProperty('content-visibility', 'visible')");
    page.settle();
    page.run("dispatchEvent(new Event('scrollend'))");
    page.settle();
}

#[track_caller]
fn assert_marks(page: &Page, color: &str, keys: &[&str]) {
    let marks: Vec<f64> = page.call(MARKS, &[color]);
    let heights: Vec<f64> = page.call(HEIGHTS, &keys);
    assert_eq!(marks.len(), heights.len(), "{color}: {marks:?} for {heights:?}");
    for (mark, height) in marks.iter().zip(heights) {
        assert!((mark - height).abs() < 0.005, "{color}: {mark} for {height}");
    }
}

#[test]
fn shows_each_kind_where_it_is() {
    let page = open("");
    assert_marks(&page, "--map-compaction", &["bf1a1e8e"]);
    assert_marks(&page, "--map-failure", &["21dc5874", "275fec10"]);
    let prompts: Vec<f64> = page.call(MARKS, &["--map-prompt"]);
    assert!(prompts.len() >= 6, "{prompts:?}");
    let view: Vec<f64> = page.call(MARKS, &["--map-view"]);
    assert!(!view.is_empty(), "the part in view");
    page.click("#tools [data-view=context]");
    measured(&page);
    let failed: Vec<f64> = page.call(MARKS, &["--map-failure"]);
    assert!(failed.len() < 2, "the context view is another text: {failed:?}");
}

#[test]
fn shows_notable_calls() {
    let pressed = super::notable::session();
    let page = pressed.page().open("?detail=steps");
    measured(&page);
    assert_marks(&page, "--map-notable", &super::notable::NOTABLE);
}

#[test]
fn hits_are_added() {
    let page = open("");
    assert_marks(&page, "--map-hit", &[]);
    page.click("#search");
    page.type_text("jiff");
    page.wait(
        "the search to end",
        "/^\\d+ hits?/.test(document.getElementById('search-status').textContent)",
    );
    page.settle();
    let long = Exported::long();
    let path = long.path(&long.leaf());
    let hits: Vec<_> = long.hit_keys("jiff").into_iter().filter(|hit| path.contains(hit)).collect();
    assert!(hits.len() > 1, "{hits:?}");
    assert_marks(&page, "--map-hit", &hits.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn shows_another_branch() {
    let page = open("");
    page.run("leafpress.go({ leafId: '27312147' })");
    measured(&page);
    assert_marks(&page, "--map-failure", &["6427781d", "f8c480b7"]);
    assert_marks(&page, "--map-compaction", &[]);
}

#[test]
fn drawn_in_dark_too() {
    let page = Exported::long().page().dark().open("");
    measured(&page);
    assert_marks(&page, "--map-compaction", &["bf1a1e8e"]);
    assert_marks(&page, "--map-failure", &["21dc5874", "275fec10"]);
}

/// A point of the map, from 0 to 1 of its height.
fn point(page: &Page, height: f64) -> [f64; 2] {
    page.call("(height) => { const box = document.getElementById('map').getBoundingClientRect(); return [box.left + box.width / 2, box.top + height * box.height]; }", &[height])
}

/// The menu asks for the colors by the names of the moves.
#[test]
fn the_menu_is_its_legend() {
    let page = open("");
    page.click("#more");
    let unnamed: Vec<String> = page.get("Array.from(document.querySelectorAll('#menu .move')).filter((move) => getComputedStyle(move).getPropertyValue(`--map-${move.dataset.move}`) === '').map((move) => move.dataset.move)");
    assert_eq!(unnamed, [""; 0], "moves without a color");
    let failures: String = page.get("getComputedStyle(document.querySelector('#menu [data-move=failure] .move-name'), '::before').borderTopColor");
    let alert: String = page.get("(() => { const probe = document.body.appendChild(document.createElement('i')); probe.style.setProperty('color', 'var(--alert)'); return getComputedStyle(probe).color; })()");
    assert_eq!(failures, alert);
}

#[test]
fn click_scrolls() {
    let page = open("");
    let kinds = ["--map-prompt", "--map-fork", "--map-compaction", "--map-failure"];
    let marks: Vec<f64> =
        kinds.iter().flat_map(|kind| page.call::<Vec<f64>>(MARKS, &[kind])).collect();
    let lonely = (20..80).map(|percent| f64::from(percent) / 100.0);
    let lonely = lonely.max_by(|a, b| {
        let room =
            |height: &f64| marks.iter().map(|mark| (mark - height).abs()).fold(1.0, f64::min);
        room(a).total_cmp(&room(b))
    });
    let height = lonely.unwrap();
    let selected = page.selected_row();
    page.click_at(point(&page, height));
    page.settle();
    let middle: f64 = page.get(MIDDLE);
    assert!((middle - height).abs() < 0.02, "{middle} for {height}");
    assert_eq!(page.selected_row(), selected, "it chooses nothing");
    page.press("b");
    page.wait("the way back", "scrollY === 0");
}

#[test]
fn click_on_a_mark_goes_to_the_entry() {
    let page = open("");
    for (color, nth, key) in [
        ("--map-failure", 0, "21dc5874"),
        ("--map-compaction", 0, "bf1a1e8e"),
        ("--map-failure", 1, "275fec10"),
    ] {
        let marks: Vec<f64> = page.call(MARKS, &[color]);
        page.click_at(point(&page, marks[nth] + 0.001));
        page.settle();
        assert!(page.is_in_view(key), "{key}");
        assert_eq!(page.selected_row().as_deref(), Some(key));
    }
}

#[test]
fn dragging_scrolls() {
    let page = open("");
    let mouse = |kind: &str, [x, y]: [f64; 2]| {
        let buttons = u8::from(kind != "mouseReleased");
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
        page.protocol("Input.dispatchMouseEvent", event);
    };
    mouse("mousePressed", point(&page, 0.2));
    for height in [0.4, 0.6, 0.8] {
        mouse("mouseMoved", point(&page, height));
        page.settle();
        let middle: f64 = page.get(MIDDLE);
        assert!((middle - height).abs() < 0.02, "{middle} for {height}");
    }
    mouse("mouseReleased", point(&page, 0.8));
    let before: f64 = page.get("scrollY");
    mouse("mouseMoved", point(&page, 0.3));
    page.settle();
    assert!((page.get::<f64>("scrollY") - before).abs() < 1.0, "released");
}

#[test]
fn not_on_a_phone() {
    let page = Exported::long().page().narrow().open("");
    assert_eq!(
        page.get::<String>("getComputedStyle(document.getElementById('map')).display"),
        "none"
    );
    assert_eq!(
        page.attribute("#map", "aria-hidden").as_deref(),
        Some("true"),
        "what it shows is there as moves"
    );
}
