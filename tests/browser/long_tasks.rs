//! How long the page is blocked in a session of 10,000 entries: reported, since clocks differ.

use crate::support::{Exported, Page, sessions::Lines};

const ENTRIES: usize = 10_000;
const BRANCHES: usize = 20;

/// A trunk, and from places all along it branches of their own.
fn session() -> Exported {
    let mut lines = Lines::new();
    let trunk = ENTRIES / 2;
    let long = "The tide stands at the gauge, and the keeper writes it down. ".repeat(6);
    let mut add = |n: usize, parent: Option<usize>| {
        let (id, parent) = (format!("e{n}"), parent.map(|parent| format!("e{parent}")));
        match n % 2 {
            0 => lines.user(&id, parent.as_deref(), &format!("prompt {n}")),
            _ => lines.assistant(&id, parent.as_deref(), &format!("Answer {n}. {long}")),
        };
    };
    for n in 0..trunk {
        add(n, n.checked_sub(1));
    }
    let length = (ENTRIES - trunk) / BRANCHES;
    for n in trunk..ENTRIES {
        let branch = (n - trunk) / length;
        let begins = (n - trunk).is_multiple_of(length);
        add(n, Some(if begins { (branch + 1) * trunk / (BRANCHES + 2) } else { n - 1 }));
    }
    Exported::bytes(lines.bytes()).unwrap()
}

/// Durations of the long tasks since last asked, in milliseconds.
fn long_tasks(page: &Page) -> Vec<f64> {
    page.settle();
    page.get("window.__long.splice(0)")
}

#[test]
fn reported_for_10_000_entries() {
    let session = session();
    assert_eq!(session.session.len(), ENTRIES);
    let page = session.open();
    assert!(page.count("script[id^=pack-]") > 8, "most entries are in packs");
    page.run("window.__long = []; new PerformanceObserver((list) => window.__long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })");
    page.run("setTimeout(() => { const end = performance.now() + 120; while (performance.now() < end); })");
    page.wait(
        "the observer to see a task that is long for certain",
        "window.__long.some((duration) => duration >= 100)",
    );
    long_tasks(&page);

    let report = |step: &str| {
        let tasks = long_tasks(&page);
        let longest = tasks.iter().copied().fold(0.0, f64::max);
        let over = tasks.iter().filter(|duration| **duration >= 100.0).count();
        println!(
            "long tasks, {ENTRIES} entries, {step}: {} ({over} of 100 ms or more), longest {longest:.0} ms",
            tasks.len()
        );
    };

    page.click("button[data-filter=user-only]");
    page.wait("the filter", "document.getElementById('status').textContent.startsWith('5,000 ')");
    report("a filter");
    page.click("button[data-filter=all]");
    page.wait("all entries", "document.getElementById('status').textContent.startsWith('10,000 ')");
    report("another filter");

    page.run("document.getElementById('tree').focus()");
    page.press("Home");
    page.press("ArrowLeft");
    page.wait("the fold", "document.querySelector('#tree [data-entry-id=e0]').getAttribute('aria-expanded') === 'false'");
    report("a fold");
    page.press("ArrowRight");
    page.wait("the fold to open", "document.querySelector('#tree [data-entry-id=e0]').getAttribute('aria-expanded') === 'true'");
    report("an unfold");

    let before = page.shown_articles();
    page.run("scrollTo(0, 0)");
    page.click("#transcript > article:not([hidden]) nav.fork a[rel=prev], #transcript > article:not([hidden]) nav.fork a[rel=next]");
    page.settle();
    let after = page.shown_articles();
    assert_ne!(before, after);
    assert_eq!(after, session.path(after.last().unwrap()));
    report("a switch of branch");

    let end = after.last().unwrap();
    page.run(&format!("leafpress.go({{ targetId: '{end}' }})"));
    page.wait(
        "its text",
        &format!("document.getElementById('entry-{end}')?.hasAttribute('aria-busy') === false"),
    );
    report("a jump far away");

    page.click("#search");
    page.press("t");
    page.wait(
        "the search to end",
        "/^\\d+ hits$/.test(document.getElementById('search-status').textContent)",
    );
    report("a letter in the search field");
    page.press("i");
    page.wait(
        "the search to end",
        "/^5000 hits$/.test(document.getElementById('search-status').textContent)",
    );
    report("the next letter");
}
