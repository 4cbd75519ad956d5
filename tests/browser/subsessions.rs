//! Sessions within the session: their rows, the way in and back, links and hits that lie in them.

use leafpress::session::Child;
use leafpress::{Filter, Options, Session};
use serde_json::json;

use crate::agreement;
use crate::families::{self, Vectors};
use crate::printing::print;
use crate::support::{Driver, Page, Pressed, Test, article, own_file, row};

pub(crate) const TESTS: &[Test] = &[
    ("a_row_opens_it", a_row_opens_it),
    ("the_way_back", the_way_back),
    ("by_keys", by_keys),
    ("a_link_reaches_into_it", a_link_reaches_into_it),
    ("its_starter_links_to_it", its_starter_links_to_it),
    ("hits_within_it", hits_within_it),
    ("counts_are_of_the_session_on_show", counts_are_of_the_session_on_show),
    ("a_folded_starter_hides_it", a_folded_starter_hides_it),
    ("raw_lines", raw_lines),
    ("raw_lines_within_the_main_file", raw_lines_within_the_main_file),
    ("without_source", without_source),
    ("a_missing_one_says_why", a_missing_one_says_why),
    ("aliases_reach_into_it", aliases_reach_into_it),
    ("a_page_without_them", a_page_without_them),
    ("samples_agree", samples_agree),
    ("by_keys_alone", by_keys_alone),
    ("branches_of_it", branches_of_it),
    ("vectors", vectors),
    ("filters", filters),
    ("hits_elsewhere", hits_elsewhere),
    ("another_branch_stays", another_branch_stays),
    ("facts_keep_their_room", facts_keep_their_room),
    ("the_bar_leads_back", the_bar_leads_back),
    ("figures_of_another_path", figures_of_another_path),
    ("on_paper", on_paper),
];

/// A chain of prompts and answers in turn with the ids `1`, `2`, … and these texts.
fn chain(texts: &[&str]) -> Session {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"})];
    for (at, text) in texts.iter().enumerate() {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        lines.push(json!({
            "type": "message",
            "id": (at + 1).to_string(),
            "parentId": (at > 0).then(|| at.to_string()),
            "message": {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop"},
        }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn child(key: &str, started_by: &str, session: Session) -> Child {
    Child {
        key: key.to_owned(),
        agent: Some(key.to_owned()),
        task: Some(format!("the task of {key}")),
        started_by: Some(started_by.to_owned()),
        session: Ok(Box::new(session)),
    }
}

pub(super) fn family() -> Pressed {
    Pressed::with_options(family_session(), &Options::default())
}

fn family_session() -> Session {
    let helper = chain(&["help me", "a heron helped"]);
    let scout = chain(&["scout ahead", "a heron scouted", "and on", "further"]);
    let scout = scout.with_children(vec![child("Helper", "2", helper)]);
    let gone = Child { session: Err("not found".to_owned()), ..child("Gone", "4", chain(&["x"])) };
    let main = chain(&["go", "went", "again", "gone again", "the end"]);
    main.with_children(vec![child("Scout", "2", scout), gone])
}

fn row_text(page: &Page, key: &str) -> String {
    page.call("(row) => document.querySelector(row).textContent", &[row(key)])
}

fn crumbs(page: &Page, within: &str) -> String {
    page.call(
        "(within) => {
            const bar = document.querySelector(`${within} .crumbs`);
            return bar === null || bar.hidden ? '' : bar.textContent;
        }",
        &[within],
    )
}

fn level(page: &Page, key: &str) -> i32 {
    page.call("(row) => Number(document.querySelector(row).ariaLevel)", &[row(key)])
}

fn active(page: &Page) -> String {
    page.get("document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.dataset.entryId ?? ''")
}

fn a_row_opens_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    assert_eq!(page.drawn_rows(), ["1", "2", "Scout/1", "3", "4", "Gone/missing", "5"]);
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(row_text(&page, "Scout/1").trim(), "⊞ Scout the task of Scout · done · 4 entries");
    assert!(row_text(&page, "Gone/missing").contains("missing: not found"));
    assert_eq!((level(&page, "2"), level(&page, "Scout/1"), level(&page, "3")), (1, 2, 1));
    assert_eq!(crumbs(&page, "main"), "");
    page.click_row("Scout/1");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/2", "Scout/Helper/1", "Scout/3", "Scout/4"]);
    page.click_row("Scout/Helper/1");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

fn the_way_back(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click_row("Scout/1");
    page.click_row("Scout/Helper/1");
    for within in ["main", "#topbar", "#sidebar"] {
        assert_eq!(crumbs(&page, within), "Main › Scout › Helper");
    }
    page.click("#topbar .crumbs button:nth-of-type(2)");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    page.wait_until_in_view("Scout/2");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-Scout/2");
    assert_eq!(crumbs(&page, "#sidebar"), "Main › Scout");
    page.click("#sidebar .crumbs button");
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-2");
    assert_eq!(crumbs(&page, "main"), "");
    page.back();
    page.wait("the sub-session again", "!document.getElementById('entry-Scout/2').hidden");
    assert_eq!(crumbs(&page, "main"), "Main › Scout");
}

fn by_keys(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.run("document.getElementById('tree').focus()");
    page.press("Home");
    page.press("ArrowDown");
    assert_eq!(active(&page), "2");
    page.press("ArrowRight");
    assert_eq!(active(&page), "Scout/1");
    page.press("ArrowLeft");
    assert_eq!(active(&page), "2");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(active(&page), "Scout/1");
}

fn a_link_reaches_into_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    for suffix in [
        "?leafId=Scout/Helper/2",
        "?leafId=Scout%2FHelper%2F2",
        "#leafId=Scout/Helper/2&targetId=Scout/Helper/1",
        "#entry-Scout/Helper/2",
        "?targetId=Scout/Helper/1",
    ] {
        page.load_anew(suffix);
        assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"], "{suffix}");
        assert_eq!(crumbs(&page, "main"), "Main › Scout › Helper", "{suffix}");
    }
    let link: String = page.get(
        "document.getElementById('entry-Scout/Helper/2').querySelector('.copy-link').dataset.link",
    );
    page.load_anew(&link);
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
}

fn its_starter_links_to_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click("#entry-\\32  p.sub-session a");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

fn hits_within_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click("#search");
    page.type_text("heron");
    page.wait(
        "the hits",
        "document.getElementById('search-status').textContent.startsWith('2 hits')",
    );
    assert_eq!(page.drawn_rows(), ["Scout/1"]);
    assert!(row_text(&page, "Scout/1").ends_with("2 hits"), "{}", row_text(&page, "Scout/1"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(
        page.get::<String>("document.getElementById('search-status').textContent"),
        "1 of 2 hits, in Main › Scout"
    );
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

fn counts_are_of_the_session_on_show(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    let status = || page.get::<String>("document.getElementById('status').textContent");
    assert_eq!(status(), "5 / 5");
    page.click_row("Scout/1");
    assert_eq!(status(), "4 / 4");
    page.click("button[data-filter=user-only]");
    assert_eq!(status(), "2 / 4");
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/3"]);
    page.click("#sidebar .crumbs button");
    assert_eq!(status(), "3 / 5");
}

fn a_folded_starter_hides_it(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.run("leafpress.fold('1', true)");
    assert_eq!(page.drawn_rows(), ["1"]);
    page.run("leafpress.fold('1', false)");
    assert_eq!(page.drawn_rows().len(), 7);
}

/// What the dialog shows of an entry, in the session on show.
#[track_caller]
fn raw(page: &Page, key: &str) -> serde_json::Value {
    let button = format!("{} button.raw", article(key));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "raw");
    let text = page.text("#raw pre");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    serde_json::from_str(&text).unwrap()
}

fn raw_lines(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    assert_eq!(raw(&page, "2")["message"]["content"][0]["text"], "went");
    page.click_row("Scout/1");
    assert_eq!(raw(&page, "Scout/3")["message"]["content"][0]["text"], "and on");
    page.click_row("Scout/Helper/1");
    assert_eq!(raw(&page, "Scout/Helper/2")["message"]["content"][0]["text"], "a heron helped");
}

fn raw_lines_within_the_main_file(driver: &Driver<'_>) {
    let line = |id: &str, parent: Option<&str>, aside: bool, text: &str| {
        let message = json!({"role": "user", "content": text});
        json!({"type": "user", "uuid": id, "parentUuid": parent, "isSidechain": aside,
            "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": message})
        .to_string()
    };
    let lines = [
        line("u1", None, false, "go"),
        line("x1", None, true, "aside"),
        line("u2", Some("u1"), false, "on"),
    ];
    let page = driver.open(&Pressed::bytes(lines.join("\n").into_bytes()).unwrap());
    assert_eq!(raw(&page, "u2")["uuid"], "u2");
    page.click_row("x1/x1");
    assert_eq!(raw(&page, "x1/x1")["uuid"], "x1");
}

fn without_source(driver: &Driver<'_>) {
    let mut options = Options::default();
    options.without_source = true;
    let page = driver.open(&Pressed::with_options(family_session(), &options));
    page.settle();
    assert_eq!(page.count("#source, #child-sources, button.raw"), 0);
    page.click_row("Scout/1");
    page.settle();
    assert_eq!(page.count("button.raw"), 0);
}

fn a_missing_one_says_why(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click_row("Gone/missing");
    let status = || page.get::<String>("document.getElementById('status').textContent");
    assert_eq!(status(), "1 / 1");
    assert_eq!(page.drawn_rows(), ["Gone/missing"]);
    assert_eq!(row_text(&page, "Gone/missing").trim(), "[not shown]: not found");
    let said: String = page.text(&format!("{} p:first-of-type", article("Gone/missing")));
    assert!(said.ends_with("cannot be shown: not found"), "{said}");
    assert_eq!(page.count("article[id='entry-Gone/missing'] button.raw"), 0);
    page.click("button[data-filter=no-tools]");
    assert_eq!(status(), "1 / 1");
    page.click("button[data-filter=user-only]");
    assert_eq!(status(), "0 / 1");
}

fn aliases_reach_into_it(driver: &Driver<'_>) {
    let part = |id: &str, parent: &str, nth: u32| {
        let message = json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": format!("part {nth}")}]});
        json!({"type": "assistant", "uuid": id, "parentUuid": parent, "sessionId": "s",
            "timestamp": "2026-01-01T00:00:00Z", "message": message})
        .to_string()
    };
    let prompt = json!({"type": "user", "uuid": "u 1", "parentUuid": null, "sessionId": "s",
        "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "go"}});
    let session = || {
        let lines = [prompt.to_string(), part("a1", "u 1", 1), part("a 2", "a1", 2)];
        leafpress::read(lines.join("\n").into_bytes()).unwrap()
    };
    let child = child("Sc out", "a 2", session());
    let page = driver
        .open(&Pressed::with_options(session().with_children(vec![child]), &Options::default()));
    for suffix in ["?leafId=Sc%2520out/a%25202", "#entry-Sc%20out/a%202"] {
        page.load_anew(suffix);
        assert_eq!(page.shown_articles(), ["Sc%20out/u%201", "Sc%20out/a1"], "{suffix}");
    }
    page.load_anew("?targetId=a%202");
    assert_eq!(page.shown_articles(), ["u%201", "a1"]);
    assert_eq!(page.text("#notice"), "");
}

fn a_page_without_them(driver: &Driver<'_>) {
    let page = driver.open(&Pressed::tree());
    assert_eq!(page.count(".crumbs, .sub-session"), 0);
}

fn samples_agree(driver: &Driver<'_>) {
    let family = family();
    assert_eq!(family.row_ids("Scout/4", Filter::Default, "").len(), 4);
    agreement::agrees(driver, "a session with children", &family);
}

/// In from a link of the text, out by the bar, in and out by the browser's own steps.
fn by_keys_alone(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    let focused =
        || page.get::<String>("document.activeElement.id || document.activeElement.textContent");
    page.run("document.querySelector('#entry-\\\\32  p.sub-session a').focus()");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(focused(), "entry-Scout/1");
    page.run("document.querySelector('#topbar .crumbs button').focus()");
    page.press("Enter");
    assert_eq!(focused(), "entry-2");
    page.run("document.getElementById('tree').focus()");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert_eq!(focused(), "tree");
    page.run("document.querySelector('#sidebar .crumbs button').focus()");
    page.press("Enter");
    assert_eq!(focused(), "entry-2");
    page.press("b");
    assert_eq!(page.shown_articles()[0], "Scout/1");
    assert!(focused().starts_with("entry-"), "{}", focused());
    page.back();
    page.wait("the outer session", "!document.getElementById('entry-2').hidden");
}

fn branches_of_it(driver: &Driver<'_>) {
    let page = driver.open(&family());
    page.press("l");
    page.wait_for("document.getElementById('leaves-status').textContent", "1 branch");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.click_row("Scout/1");
    // In the tree a letter finds a row.
    page.run("document.activeElement.blur()");
    page.press("l");
    page.wait_for(
        "document.getElementById('leaves-status').textContent",
        "1 branch in Main › Scout",
    );
}

fn vectors(driver: &Driver<'_>) {
    let file = std::fs::read(own_file("tests/fixtures/vectors/sub-sessions.json")).unwrap();
    let vectors: Vectors = serde_json::from_slice(&file).unwrap();
    for name in ["family", "loose"] {
        let page = driver.open(&Pressed::with_options(vectors.session(name), &Options::default()));
        for case in vectors.cases.iter().filter(|case| case.session == name) {
            let rows: Vec<(usize, bool, String)> = page.call(
                "async (leaf, filter, query) => leafpress.rows(leaf, filter, query === '' ? null : await leafpress.search(query), { subSessions: true })
                    .map(({ depth, subSession, id }) => [depth, subSession === true, id])",
                &(&case.leaf, case.filter().name(), &case.query),
            );
            let rows: Vec<String> =
                rows.iter().map(|(depth, sub, key)| families::line(*depth, *sub, key)).collect();
            let place = format!("{name} at {}, {}", case.leaf, case.filter().name());
            assert_eq!(rows, case.rows, "{place}, {:?}: {}", case.query, case.note);
        }
    }
}

fn text(page: &Page, id: &str) -> String {
    page.call("(id) => document.getElementById(id).textContent", &[id])
}

fn filters(driver: &Driver<'_>) {
    let file = std::fs::read(own_file("tests/fixtures/vectors/sub-sessions.json")).unwrap();
    let vectors: Vectors = serde_json::from_slice(&file).unwrap();
    let session = vectors.session("family");
    let page = driver.open(&Pressed::with_options(session, &Options::default()));
    page.click("button[data-filter=user-only]");
    assert_eq!(page.drawn_rows(), ["1", "6", "4"]);
    page.click("button[data-filter=labeled-only]");
    assert_eq!(page.drawn_rows(), ["Diver/1"]);
    assert!(row_text(&page, "Diver/1").ends_with("entries"), "no search, no hits");
    page.click_row("Diver/1");
    assert_eq!(page.drawn_rows(), ["Diver/2"]);
    page.click("#topbar .crumbs button");
    assert_eq!(page.drawn_rows(), ["Diver/1"]);
    page.click("button[data-filter=no-tools]");
    page.click_row("Lost/missing");
    assert_eq!(page.shown_articles(), ["Lost/missing"]);
    let told: String = page.get("document.getElementById('entry-Lost/missing').innerText");
    assert!(told.contains("Lost cannot be shown: not found"), "{told}");
}

fn hits_elsewhere(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    page.click("#search");
    page.type_text("heron");
    page.wait_for(
        "document.getElementById('search-status').textContent",
        "2 hits, all in sub-sessions",
    );
    assert_eq!(text(&page, "status"), "0 / 5 · hits in 1 sub-session");
    page.press("Enter");
    page.press("Enter");
    assert_eq!(text(&page, "search-status"), "2 of 2 hits, in Main › Scout › Helper");
    page.run("document.getElementById('search').select()");
    page.type_text("again");
    page.wait_for(
        "document.getElementById('search-status').textContent",
        "2 hits, all in other sessions",
    );
    page.press("Enter");
    assert_eq!(text(&page, "search-status"), "1 of 2 hits");
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    page.run("document.getElementById('search').select()");
    page.type_text("ahead");
    page.wait_for(
        "document.getElementById('search-status').textContent",
        "1 hit, in a sub-session",
    );
}

/// A session is entered and left for where it stands, if that shows the entry asked for.
fn another_branch_stays(driver: &Driver<'_>) {
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}),
        json!({"type": "message", "id": "1", "parentId": null, "timestamp": "2026-01-01T00:00:01Z", "message": {"role": "user", "content": "go"}}),
        json!({"type": "message", "id": "2", "parentId": "1", "timestamp": "2026-01-01T00:00:09Z", "message": {"role": "user", "content": "written first, newest"}}),
        json!({"type": "message", "id": "3", "parentId": "1", "timestamp": "2026-01-01T00:00:03Z", "message": {"role": "user", "content": "where it stands"}}),
    ];
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let session = || leafpress::read(lines.join("\n").into_bytes()).unwrap();
    let main = session().with_children(vec![child("Scout", "1", session())]);
    let page = driver.open(&Pressed::with_options(main, &Options::default()));
    page.click("#entry-\\31  p.sub-session a");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/3"]);
    page.click("#topbar .crumbs button");
    assert_eq!(page.shown_articles(), ["1", "3"]);
}

fn facts_keep_their_room(driver: &Driver<'_>) {
    let long = Child {
        task: Some("a task of many words ".repeat(20)),
        ..child("Scout", "1", chain(&["a heron", "b", "c heron"]))
    };
    let main = chain(&["go", "went"]).with_children(vec![long]);
    let page = driver.open(&Pressed::with_options(main, &Options::default()));
    let fits = "(() => {
        const [tree, facts] = ['#tree', '.session-facts'].map((q) => document.querySelector(q).getBoundingClientRect());
        return facts.width > 0 && facts.right <= tree.right;
    })()";
    assert!(page.get::<bool>(fits));
    page.click("#search");
    page.type_text("heron");
    page.wait("the hits", "document.querySelector('.session-facts')?.textContent === ' · 2 hits'");
    assert!(page.get::<bool>(fits));
}

fn the_bar_leads_back(driver: &Driver<'_>) {
    let family = family();
    let page = driver.page(&family).narrow().open("?leafId=Scout/Helper/2");
    assert!(!page.get::<bool>("document.querySelector('.page-title').checkVisibility()"));
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    assert!(page.get::<bool>(fits));
    page.press("End");
    page.click("#topbar .crumbs button");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-2");
    assert!(page.get::<bool>("document.querySelector('.page-title').checkVisibility()"));
    page.back();
    page.wait("the sub-session", "!document.getElementById('entry-Scout/Helper/2').hidden");
}

fn figures_of_another_path(driver: &Driver<'_>) {
    let family = family();
    let page = driver.open(&family);
    let figures =
        || page.get::<bool>("document.querySelector('.on-path-figure').checkVisibility()");
    assert!(figures());
    assert!(text(&page, "session").contains("3, which hold 7 of the entries"));
    page.click_row("Scout/1");
    assert!(!figures());
    page.click("#topbar .crumbs button");
    assert!(figures());
}

fn on_paper(driver: &Driver<'_>) {
    let family = family();
    let page = driver.page(&family).open("?leafId=Scout/Helper/2");
    assert!(!page.get::<bool>("document.querySelector('main > .crumbs').checkVisibility()"));
    let paper = print(&page);
    assert!(paper.contains("MainScoutHelper"), "{paper}");
}
