//! The index of an archive: its list, its filters and its search, from a folder on a disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::accessibility::assert_no_violation;
use crate::support::archives::{HOME, copy, leafpress};
use crate::support::{Opening, Page, file_in};

fn index() -> Opening {
    file_in(&HOME, "all/index.html")
}

/// The ids of the sessions in a part of the page, without those that are hidden.
fn shown(page: &Page, part: &str) -> BTreeSet<String> {
    page.get(&format!(
        "Array.from(document.querySelectorAll('{part} [data-session-id]'), (e) => e.dataset.sessionId)"
    ))
}

fn count(page: &Page) -> usize {
    let status = page.text("#status");
    let (shown, _) = status.split_once(' ').unwrap();
    shown.parse().unwrap_or_else(|_| panic!("{status}"))
}

/// Clicks a link and looks at nothing until the test waits for the other page: this one goes at any moment.
fn follow(page: &Page, link: &str) {
    page.run(&format!("document.querySelector({}).click()", Value::from(link)));
}

fn search(page: &Page, query: &str) {
    page.click("#search");
    page.run("document.querySelector('#search').value = ''");
    page.type_text(query);
    page.wait(
        "the search",
        &format!("document.documentElement.hasAttribute('data-complete') && new URLSearchParams(location.search).get('q') === {}", Value::from(query)),
    );
}

#[test]
fn every_session_is_listed_and_leads_to_its_page_and_back() {
    let page = index().open("");
    page.wait("all months", "document.documentElement.hasAttribute('data-complete')");
    let pages = fs::read_dir(HOME.path().join("all/sessions")).unwrap().count();
    assert_eq!(shown(&page, "#sessions").len(), pages);
    assert_eq!(page.text("#status"), format!("{pages} of {pages} sessions"));
    assert_eq!(page.text("#count"), format!("{pages} sessions"));
    follow(&page, "#sessions [data-session-id='hostile']");
    page.wait("the session", "document.documentElement.dataset.ready !== undefined && document.querySelector('#transcript') !== null");
    follow(&page, "#all-sessions a");
    page.wait("the index", "document.querySelector('#sessions [data-session-id]') !== null");
}

#[test]
fn the_search_finds_what_the_command_finds() {
    let page = index().open("");
    for query in [
        "frost",
        "beds",
        "tide",
        "\"early frost\"",
        "role:user beds",
        "is:error",
        "agent:claude-code",
        "file:beds.py",
        "session:hostile",
        "-agent:pi tide",
        "sextantword",
        "quadrantword",
        "灯",
        "nothing-has-this-word",
        "project:beds weather",
        "FROST weather",
    ] {
        search(&page, query);
        let ours = shown(&page, "#results");
        let found = leafpress(HOME.path(), &["search", "--json", "-n", "0", "--", query]);
        let found: Value = serde_json::from_str(&found).unwrap_or_default();
        let sessions = found["sessions"].as_array().cloned().unwrap_or_default();
        let theirs: BTreeSet<String> =
            sessions.iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(ours, theirs, "{query}");
        assert_eq!(count(&page), ours.len(), "{query}");
    }
    assert!(page.text("#notice").is_empty());
}

#[test]
fn a_hit_opens_its_page_at_its_entry() {
    let page = index().open("?q=frost");
    page.wait("the search", "document.documentElement.hasAttribute('data-complete')");
    let key = page.attribute("#results a[data-entry-id]", "data-entry-id").unwrap();
    assert!(page.count("#results mark") > 0);
    follow(&page, "#results a[data-entry-id]");
    page.wait("the session", "document.documentElement.dataset.ready !== undefined && document.querySelector('#transcript') !== null");
    // The link has the beginning of the key that no other has.
    let key: String = page.get(&format!(
        "Array.from(document.querySelectorAll('article'), (article) => article.id.slice('entry-'.length)).find((key) => key.startsWith('{key}'))"
    ));
    page.wait_until_in_view(&key);
    assert!(page.get::<bool>("document.querySelector('#all-sessions').checkVisibility()"));
    page.back();
    page.wait("the index", "document.querySelector('#search')?.value === 'frost' && document.documentElement.hasAttribute('data-complete')");
}

#[test]
fn filters_choose_and_stay_in_the_address() {
    let page = index().open("");
    page.wait("all months", "document.documentElement.hasAttribute('data-complete')");
    let all = count(&page);
    page.click("[data-value='agent Codex']");
    page.wait(
        "fewer rows",
        &format!("!document.querySelector('#status').textContent.startsWith('{all} ')"),
    );
    let codex = shown(&page, "#sessions");
    assert!(!codex.is_empty() && codex.len() < all);
    assert_eq!(count(&page), codex.len());
    page.reload();
    page.wait("all months", "document.documentElement.hasAttribute('data-complete')");
    assert_eq!(shown(&page, "#sessions"), codex);
    page.click("#clear");
    page.wait_for(
        "document.querySelector('#status').textContent",
        format!("{all} of {all} sessions"),
    );
    // Sorted, the list has the same sessions.
    page.click("[data-sort=longest]");
    page.wait_for("new URLSearchParams(location.search).get('sort')", "longest");
    assert_eq!(shown(&page, "#sessions").len(), all);
}

#[test]
fn keys_go_from_the_search_through_the_hits() {
    let page = index().open("");
    page.press("/");
    page.wait_for("document.activeElement.id", "search");
    search(&page, "frost");
    page.press("ArrowDown");
    page.wait(
        "the first result",
        "document.activeElement === document.querySelector('#results a')",
    );
    page.press("ArrowUp");
    page.wait_for("document.activeElement.id", "search");
    page.press("Escape");
    page.wait("the list", "document.querySelector('#results').hidden && document.querySelector('#search').value === ''");
}

#[test]
fn without_a_script_it_is_a_list_of_links() {
    let page = index().without_script().open("");
    let pages = fs::read_dir(HOME.path().join("all/sessions")).unwrap().count();
    assert_eq!(page.count("noscript .plain:first-of-type a"), pages);
    let dead: usize = page.get(
        "Array.from(document.querySelectorAll('button, input, select')).filter((e) => e.getClientRects().length > 0).length",
    );
    assert_eq!(dead, 0, "nothing that does not work is shown");
    let months = fs::read_dir(HOME.path().join("all/months")).unwrap();
    for month in months {
        let name = format!("all/months/{}", month.unwrap().file_name().to_str().unwrap());
        let page = file_in(&HOME, &name).without_script().open("");
        assert!(page.count("li a") > 0, "{name}");
        for link in
            page.get::<Vec<String>>("Array.from(document.querySelectorAll('a'), (a) => a.href)")
        {
            let path = link.strip_prefix("file://").unwrap().split('?').next().unwrap().to_owned();
            assert!(Path::new(&path).exists(), "{link}");
        }
    }
}

#[test]
fn on_a_phone_filters_are_a_drawer_and_all_targets_are_large() {
    let page = index().narrow().open("");
    page.wait("all months", "document.documentElement.hasAttribute('data-complete')");
    let too_wide = "document.documentElement.scrollWidth > innerWidth";
    let small = "Array.from(document.querySelectorAll('a, button, select, .field, .fc, .days label')).filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches('.skip') && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 120))";
    assert!(!page.get::<bool>(too_wide));
    assert_eq!(page.get::<Vec<String>>(small), [""; 0]);
    page.click("#filters");
    page.wait(
        "the drawer",
        "document.querySelector('#side').checkVisibility({ visibilityProperty: true })",
    );
    assert_eq!(page.get::<Vec<String>>(small), [""; 0]);
    page.press("Escape");
    page.wait(
        "no drawer",
        "!document.querySelector('#side').checkVisibility({ visibilityProperty: true })",
    );
    let page = index().narrow().open("?q=frost");
    page.wait("the search", "document.documentElement.hasAttribute('data-complete')");
    assert!(!page.get::<bool>(too_wide));
    assert_eq!(page.get::<Vec<String>>(small), [""; 0]);
}

#[test]
fn axe_finds_nothing() {
    for (what, opening) in
        [("light", index()), ("dark", index().dark()), ("narrow", index().narrow().dark())]
    {
        let page = opening.open("");
        page.wait("all months", "document.documentElement.hasAttribute('data-complete')");
        assert_no_violation(&page, what);
        if what == "narrow" {
            page.click("#filters");
            page.wait(
                "the drawer",
                "document.querySelector('#side').checkVisibility({ visibilityProperty: true })",
            );
            assert_no_violation(&page, "the drawer");
        } else {
            search(&page, "frost");
            assert_no_violation(&page, &format!("{what}, found"));
        }
    }
}

#[test]
fn what_is_missing_is_said() {
    let copied = Arc::new(tempfile::tempdir().unwrap());
    copy(&HOME.path().join("all"), copied.path());
    fs::remove_dir_all(copied.path().join("data/text")).unwrap();
    let page = file_in(&copied, "index.html").open("?q=frost");
    page.wait(
        "the notice",
        "document.querySelector('#notice').textContent.includes('could not be read')",
    );
    page.expect_missing_files();
    // One month is missing: the others are there all the same.
    let months: Vec<_> = fs::read_dir(copied.path().join("data/months")).unwrap().collect();
    assert!(months.len() > 2);
    let month = months[0].as_ref().unwrap().path();
    let script = fs::read(&month).unwrap();
    fs::write(&month, &script[..script.len() / 4 * 2]).unwrap();
    let page = file_in(&copied, "index.html").open("");
    page.wait(
        "the notice",
        "document.querySelector('#notice').textContent.includes('months are missing or damaged')",
    );
    assert!(page.count("#sessions [data-session-id]") > 3);
    page.expect_exception("SyntaxError");
    // Without its list a word is looked for in every session.
    fs::write(&month, script).unwrap();
    copy(&HOME.path().join("all/data/text"), &copied.path().join("data/text"));
    for entry in fs::read_dir(copied.path().join("data")).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("words-") {
            assert!(fs::read_dir(&path).unwrap().count() > 3, "several lists");
            fs::remove_dir_all(path).unwrap();
        }
    }
    let page = file_in(&copied, "index.html").open("?q=frost");
    page.wait("the search", "document.documentElement.hasAttribute('data-complete')");
    let whole = index().open("?q=frost");
    whole.wait("the search", "document.documentElement.hasAttribute('data-complete')");
    assert_eq!(shown(&page, "#results"), shown(&whole, "#results"));
    page.expect_missing_files();
    fs::remove_dir_all(copied.path().join("data")).unwrap();
    let page = file_in(&copied, "index.html").open("");
    page.wait(
        "the notice",
        "document.querySelector('#notice').textContent.startsWith('The list of this archive is missing')",
    );
    page.expect_missing_files();
}
