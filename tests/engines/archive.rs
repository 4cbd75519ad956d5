//! The index of an archive loads its data from beside it, lists the sessions and searches in them.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::archives::{HOME, TEAM, leafpress};
use crate::support::{Browser, Page};

in_each_engine!(filters, hit, list, phone, search, team);

fn open<'a>(browser: &'a Browser, suffix: &str) -> Page<'a> {
    let page = browser.open_file(&HOME, "all/index.html", suffix);
    page.wait("all of it", "document.documentElement.hasAttribute('data-complete')");
    page
}

fn list(browser: &Browser) {
    let page = open(browser, "");
    let pages = fs::read_dir(HOME.path().join("all/sessions")).expect("pages").count();
    assert_eq!(page.count("#sessions [data-session-id]"), pages);
    assert_eq!(page.text("#status"), format!("{pages} of {pages} sessions"));
    assert!(!page.get::<bool>("document.documentElement.scrollWidth > innerWidth"));
    drop(page);
    let page = browser.open_file(&HOME, "all/sessions/hostile.html", "?archive");
    assert_eq!(page.text("#all-sessions"), "All sessions");
    assert!(page.get::<bool>("document.querySelector('#all-sessions').checkVisibility()"));
}

fn search(browser: &Browser) {
    for query in [
        "frost",
        "quadrantword",
        "\"early frost\"",
        "is:error",
        "agent:claude-code",
        "file:beds.py",
    ] {
        let page = open(browser, &format!("?q={}", query.replace('"', "%22")));
        let ours: BTreeSet<String> = page.get(
            "Array.from(document.querySelectorAll('#results [data-session-id]'), (e) => e.dataset.sessionId)",
        );
        let found = leafpress(HOME.path(), &["search", "--json", "-n", "0", "--", query]);
        let found: Value = serde_json::from_str(&found).unwrap_or_default();
        let sessions = found["sessions"].as_array().cloned().unwrap_or_default();
        let theirs: BTreeSet<String> =
            sessions.iter().filter_map(|one| one["id"].as_str().map(str::to_owned)).collect();
        assert_eq!(ours, theirs, "{query}");
    }
}

fn hit(browser: &Browser) {
    let page = open(browser, "?q=frost");
    let link: String =
        page.get("document.querySelector('#results a[data-entry-id]').getAttribute('href')");
    let key: String =
        page.get("document.querySelector('#results a[data-entry-id]').dataset.entryId");
    drop(page);
    let (name, suffix) = link.split_once('?').expect("a link to the entry");
    let page = browser.open_file(&HOME, &format!("all/{name}"), &format!("?{suffix}"));
    // The index has the beginnings of ids.
    let top =
        format!("document.querySelector(\"[id^='entry-{key}']\")?.getBoundingClientRect().top");
    page.wait("the entry to come into view", &format!("{top} >= 0 && {top} < innerHeight"));
}

fn phone(browser: &Browser) {
    let page = browser.open_file_narrow(&HOME, "all/index.html", "");
    page.wait("all of it", "document.documentElement.hasAttribute('data-complete')");
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let drawer = "document.querySelector('#side').checkVisibility({ visibilityProperty: true })";
    assert!(!page.get::<bool>(drawer));
    page.click("#filters");
    page.wait("the drawer", drawer);
    page.press("Escape");
    page.wait("no drawer", &format!("!{drawer}"));
}

fn filters(browser: &Browser) {
    let page = open(browser, "");
    let all = page.count("#sessions [data-session-id]");
    page.click("[data-value='agent Codex']");
    page.wait(
        "fewer rows",
        &format!("!document.querySelector('#status').textContent.startsWith('{all} ')"),
    );
    let codex = page.count("#sessions [data-session-id]");
    assert!(codex > 0 && codex < all);
    page.click("#clear");
    page.wait_for(
        "document.querySelector('#status').textContent",
        format!("{all} of {all} sessions"),
    );
}

fn team(browser: &Browser) {
    for (suffix, part) in [("", "#sessions"), ("?q=beds", "#results")] {
        let page = browser.open_file(&TEAM, "team/index.html", suffix);
        page.wait("all of it", "document.documentElement.hasAttribute('data-complete')");
        let links: Vec<String> = page.get(&format!(
            "Array.from(document.querySelectorAll('{part} a'), (a) => a.getAttribute('href'))"
        ));
        for author in ["ada-lovelace", "ben"] {
            let folder = format!("authors/{author}/sessions/");
            assert!(links.iter().any(|link| link.starts_with(&folder)), "{links:?}");
        }
        assert!(page.text("#notice").is_empty());
        assert!(!page.get::<bool>("document.documentElement.scrollWidth > innerWidth"));
    }
}
