//! The index over all authors of a team, from a folder on a disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::accessibility::assert_no_violation;
use crate::support::archives::{HOSTILE_NAME, TEAM, copy};
use crate::support::{Opening, Page, file_in};

const AUTHORS: [&str; 3] = ["Ada Lovelace", "Ben", HOSTILE_NAME];
const COMPLETE: &str = "document.documentElement.hasAttribute('data-complete')";

fn index() -> Opening {
    file_in(&TEAM, "team/index.html")
}

fn open(opening: Opening, suffix: &str) -> Page {
    let page = opening.open(suffix);
    page.wait("all of it", COMPLETE);
    page
}

/// The folders of the authors.
fn folders() -> Vec<String> {
    let folders = fs::read_dir(TEAM.path().join("team/authors")).unwrap();
    folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect()
}

/// The pages of an author, as the index names them.
fn pages(folder: &str) -> BTreeSet<String> {
    let pages = fs::read_dir(TEAM.path().join("team/authors").join(folder).join("sessions"));
    pages
        .unwrap()
        .map(|page| {
            format!("authors/{folder}/sessions/{}", page.unwrap().file_name().to_str().unwrap())
        })
        .collect()
}

/// The pages that links in a part lead to, in their order.
fn links(page: &Page, part: &str) -> Vec<String> {
    page.get(&format!(
        "Array.from(document.querySelectorAll('{part} a[href*=sessions]'), (a) => a.getAttribute('href').split('?')[0])"
    ))
}

/// Rows come as the reader gets near them.
fn scroll_to_the_end(page: &Page, rows: usize) {
    page.run("document.querySelector('main').lastElementChild.scrollIntoView(); scrollTo(0, document.body.scrollHeight)");
    page.wait_for("document.querySelectorAll('#sessions li').length", rows);
}

#[test]
fn the_sessions_of_all_authors_are_in_one_list_by_time() {
    let page = open(index(), "");
    let all: BTreeSet<String> = folders().iter().flat_map(|folder| pages(folder)).collect();
    scroll_to_the_end(&page, all.len());
    let shown = links(&page, "#sessions");
    assert_eq!(shown.len(), all.len());
    assert_eq!(shown.iter().cloned().collect::<BTreeSet<_>>(), all);
    assert_eq!(page.text("#status"), format!("{0} of {0} sessions", all.len()));
    let days: Vec<String> =
        page.get("Array.from(document.querySelectorAll('.yr, .day h3'), (e) => e.textContent)");
    let once: BTreeSet<&String> = days.iter().collect();
    assert_eq!(once.len(), days.len(), "each day stands once: {days:?}");
    // A row names its author, whatever the name is.
    let named: BTreeSet<String> = page.get(
        "Array.from(document.querySelectorAll('#sessions .sr'), (row) => row.querySelector('.au').textContent)",
    );
    assert_eq!(named, BTreeSet::from(AUTHORS.map(str::to_owned)));
    assert!(page.get::<bool>("globalThis.__pwned === undefined"));
    assert!(page.text("#totals").contains("3 authors"));
    // The numbers of Ben's sessions are those of Ada's: a fork stands below its own parent.
    let before: String = page.get(
        "document.querySelector('.kid').previousElementSibling.querySelector('a').getAttribute('href')",
    );
    assert!(before.starts_with("authors/ada-lovelace/sessions/parent.html"), "{before}");
}

#[test]
fn the_filter_of_authors_chooses_and_stays_in_the_address() {
    let page = open(index(), "");
    page.click("[data-value='author Ben']");
    page.wait_for("new URLSearchParams(location.search).get('author')", "Ben");
    page.wait("the list", COMPLETE);
    let ben = pages("ben");
    assert_eq!(links(&page, "#sessions").into_iter().collect::<BTreeSet<_>>(), ben);
    page.reload();
    page.wait("all of it", COMPLETE);
    assert_eq!(links(&page, "#sessions").into_iter().collect::<BTreeSet<_>>(), ben);
    let of_ben = links(&open(index(), "?author=Ben&q=beds"), "#results");
    assert!(!of_ben.is_empty());
    assert!(of_ben.iter().all(|link| link.starts_with("authors/ben/")), "{of_ben:?}");
    assert_eq!(links(&open(index(), "?q=beds%20author:ben"), "#results"), of_ben);
}

#[test]
fn the_search_finds_what_each_author_s_own_search_finds() {
    for query in [
        "beds",
        "frost",
        "lanternword",
        "sextantword",
        "is:error",
        "session:child",
        "nothing-has-this-word",
    ] {
        let page = open(index(), &format!("?q={query}"));
        let ours: BTreeSet<String> = links(&page, "#results").into_iter().collect();
        let mut theirs = BTreeSet::new();
        for folder in folders() {
            let own = open(
                file_in(&TEAM, &format!("team/authors/{folder}/index.html")),
                &format!("?q={query}"),
            );
            let found = links(&own, "#results").into_iter();
            theirs.extend(found.map(|link| format!("authors/{folder}/{link}")));
        }
        assert_eq!(ours, theirs, "{query}");
        assert_eq!(page.text("#notice").is_empty(), !ours.is_empty(), "{query}");
    }
    // The example is Ada's and Ben's.
    let page = open(index(), "?q=beds");
    let names: Vec<String> =
        page.get("Array.from(document.querySelectorAll('#results .mt'), (e) => e.textContent)");
    for author in ["Ada Lovelace · ", "Ben · "] {
        assert!(names.iter().any(|name| name.starts_with(author)), "{names:?}");
    }
}

#[test]
fn a_hit_opens_the_author_s_page_at_its_entry_and_leads_back() {
    let page = open(index(), "?author=Ben&q=beds");
    let key = page.attribute("#results a[data-entry-id]", "data-entry-id").unwrap();
    page.run("document.querySelector('#results a[data-entry-id]').click()");
    page.wait("the session", "document.documentElement.dataset.ready !== undefined && document.querySelector('#transcript') !== null");
    assert!(page.get::<String>("location.pathname").contains("/team/authors/ben/sessions/"));
    let key: String = page.get(&format!(
        "Array.from(document.querySelectorAll('article'), (article) => article.id.slice('entry-'.length)).find((key) => key.startsWith({}))",
        Value::from(key)
    ));
    page.wait_until_in_view(&key);
    page.run("document.querySelector('#all-sessions a').click()");
    page.wait("the index", "document.querySelector('#sessions .au') !== null");
    assert!(page.get::<String>("location.pathname").ends_with("/team/index.html"));
    // From an author's own index, too.
    let page = open(file_in(&TEAM, "team/authors/ben/index.html"), "");
    assert_eq!(page.count(".au"), 0);
    let up: String = page.get("document.querySelector('main .hint a').href");
    assert!(up.ends_with("/team/index.html"), "{up}");
}

#[test]
fn what_is_missing_of_an_author_is_said_by_name_and_hides_nobody_else() {
    let copied = Arc::new(tempfile::tempdir().unwrap());
    copy(&TEAM.path().join("team"), copied.path());
    let ben = copied.path().join("authors/ben/data");
    let manifest = fs::read(ben.join("manifest.js")).unwrap();
    let others = folders().into_iter().filter(|folder| folder != "ben");
    let rows: usize = others.map(|folder| pages(&folder).len()).sum();
    for (damaged, exception) in [
        (Some(&manifest[..manifest.len() / 2]), Some("SyntaxError")),
        (Some(&b"leafpressData({});"[..]), None),
        (None, None),
    ] {
        match damaged {
            Some(bytes) => fs::write(ben.join("manifest.js"), bytes).unwrap(),
            None => fs::remove_file(ben.join("manifest.js")).unwrap(),
        }
        let page = open(file_in(&copied, "index.html"), "");
        assert_eq!(
            page.text("#notice"),
            "The lists of these authors are missing or damaged: Ben. Keep the folders authors/ and data/ beside this page."
        );
        assert_eq!(page.text("#status"), format!("{rows} of {rows} sessions"));
        match exception {
            Some(name) => page.expect_exception(name),
            None if damaged.is_none() => page.expect_missing_files(),
            None => {}
        }
    }
    // A month, and the texts.
    fs::write(ben.join("manifest.js"), &manifest).unwrap();
    for month in fs::read_dir(ben.join("months")).unwrap() {
        fs::remove_file(month.unwrap().path()).unwrap();
    }
    let page = open(file_in(&copied, "index.html"), "");
    assert!(page.text("#notice").contains("2026-11 of Ben"), "{}", page.text("#notice"));
    assert_eq!(page.text("#status"), format!("{rows} of {rows} sessions"));
    page.expect_missing_files();
    copy(&TEAM.path().join("team/authors/ben"), &copied.path().join("authors/ben"));
    fs::remove_dir_all(ben.join("text")).unwrap();
    let page = open(file_in(&copied, "index.html"), "?q=beds");
    assert!(page.text("#notice").contains("could not be read"));
    assert!(links(&page, "#results").iter().any(|link| link.starts_with("authors/ada-lovelace/")));
    page.expect_missing_files();
    // A folder that lies elsewhere is not read.
    for folder in ["../../other", "ben/../../x", "", "."] {
        let list = format!(
            "leafpressData([{{\"name\":\"Eve\",\"folder\":\"{folder}\"}},{{\"name\":\"Ada\",\"folder\":\"ada-lovelace\"}}]);\n"
        );
        fs::write(copied.path().join("data/authors.js"), list).unwrap();
        let page = open(file_in(&copied, "index.html"), "");
        assert!(page.text("#notice").contains("damaged: Eve."), "{}", page.text("#notice"));
        assert!(page.count("#sessions li") > 3);
    }
    fs::remove_file(copied.path().join("data/authors.js")).unwrap();
    let page = open(file_in(&copied, "index.html"), "");
    assert!(page.text("#notice").starts_with("The list of the authors is missing or damaged."));
    page.expect_missing_files();
}

#[test]
fn without_a_script_it_is_a_list_of_links_and_authors() {
    let page = index().without_script().open("");
    let all: usize = folders().iter().map(|folder| pages(folder).len()).sum();
    assert_eq!(page.count("noscript .plain:first-of-type a"), all);
    assert_eq!(page.count("noscript a[href$='/index.html']"), AUTHORS.len());
    assert_eq!(page.count("img"), 0);
    for link in page
        .get::<Vec<String>>("Array.from(document.querySelectorAll('noscript a'), (a) => a.href)")
    {
        let path = link.strip_prefix("file://").unwrap().split('?').next().unwrap().to_owned();
        assert!(Path::new(&path).exists(), "{link}");
    }
}

#[test]
fn it_fits_a_phone_and_axe_finds_nothing() {
    type Open = fn() -> Opening;
    let small = "Array.from(document.querySelectorAll('a, button, select, .field, .fc, .days label')).filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches('.skip') && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 120))";
    let openings: [(&str, Open); 3] = [
        ("light", index),
        ("narrow, dark", || index().narrow().dark()),
        ("of one author", || file_in(&TEAM, "team/authors/ben/index.html").narrow()),
    ];
    for (what, opening) in openings {
        for suffix in ["", "?q=beds"] {
            let page = open(opening(), suffix);
            assert_no_violation(&page, what);
            assert!(
                !page.get::<bool>("document.documentElement.scrollWidth > innerWidth"),
                "{what}"
            );
            if what != "light" {
                assert_eq!(page.get::<Vec<String>>(small), [""; 0], "{what}");
            }
        }
    }
}
