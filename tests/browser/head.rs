//! The head: its facts open what they count, and it says how the current branch ended.

use leafpress::session::ending::ended;

use crate::support::{Exported, Page, own_file};

const OPEN: &str = "document.querySelectorAll('#head [popover]:popover-open').length";

fn lighthouse() -> Exported {
    Exported::file("examples/lighthouse.jsonl")
}

#[test]
fn a_fact_opens_its_list() {
    let page = lighthouse().open();
    let button = "#head [data-fact=files] button";
    page.click(button);
    page.wait_for(OPEN, 1);
    let count: String = page.text("#head [data-fact=files] b");
    assert_eq!(page.count("#list-files li").to_string(), count);
    page.press("Escape");
    page.wait_for(OPEN, 0);
    page.click(button);
    let key: String = page.get(
        "document.querySelector('#list-files a').getAttribute('href').slice('#entry-'.length)",
    );
    page.click("#list-files li");
    page.wait_for(OPEN, 0);
    page.wait_until_in_view(&key);
    let page = Exported::story(story_source()).page().open("");
    page.click("#head [data-fact=failures] button");
    page.wait_for(OPEN, 1);
    page.click("#list-failures li");
    page.wait(
        "the card of the failure to open",
        "document.querySelector('article.target details.card')?.open === true",
    );
}

#[test]
fn a_list_is_a_sheet_on_a_phone() {
    let page = lighthouse().page().narrow().open("");
    page.click("#head [data-fact=files] button");
    page.wait_for(OPEN, 1);
    let sheet: [i32; 3] = page.get("(({ left, right, bottom }) => [left, right, bottom])(document.querySelector('#list-files').getBoundingClientRect())");
    assert_eq!(sheet, [0, 390, 844]);
}

#[test]
fn the_tabs_of_the_top_bar_have_room() {
    for width in [900, 1000, 1050, 1051, 1400] {
        let page = lighthouse().page().sized(width, 700).open("");
        let [changes, levels, filters, sidebar]: [f64; 4] = page.get(
            "[document.querySelector('[data-view=changes]').getBoundingClientRect().right, document.querySelector('#detail').getBoundingClientRect().left, document.querySelector('#filters').lastElementChild.getBoundingClientRect().right, document.querySelector('#sidebar').getBoundingClientRect().right]",
        );
        assert!(
            changes <= levels && filters <= sidebar,
            "{width}: {changes} {levels}, {filters} {sidebar}"
        );
    }
}

fn story_source() -> Vec<u8> {
    std::fs::read(own_file("examples/lighthouse.jsonl")).unwrap()
}

#[test]
fn lists_open_without_a_script() {
    let page = lighthouse().page().without_script().open("");
    page.click("#head [data-fact=files] button");
    page.wait_for(OPEN, 1);
}

#[test]
fn a_wide_margin_shows_the_lists() {
    let page = lighthouse().page().sized(1680, 900).open("");
    let seen = "document.querySelector('#list-files').getBoundingClientRect().left > document.querySelector('#transcript').getBoundingClientRect().right";
    assert!(page.get::<bool>(seen));
    let key: String = page.get(
        "document.querySelector('#list-files a').getAttribute('href').slice('#entry-'.length)",
    );
    page.click("#list-files li");
    page.wait_until_in_view(&key);
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let narrower = lighthouse().page().sized(1679, 900).open("");
    assert!(!narrower.get::<bool>("document.querySelector('#list-files').checkVisibility()"));
}

fn state(page: &Page) -> [String; 3] {
    page.get("['#head [data-ended]', '#end'].map((selector) => document.querySelector(selector).dataset.ended).concat(document.querySelector('#end .ending').textContent)")
}

#[test]
fn the_end_of_each_branch_is_named() {
    let long = Exported::long();
    let session = &long.session;
    let page = long.open();
    let mut names = Vec::new();
    for leaf in session.indices().filter(|&entry| session.tree().children(entry).len() == 0) {
        page.run(&format!("leafpress.go({{ leafId: '{}' }})", session.key(leaf).unwrap()));
        let how = ended(session, leaf).unwrap().how;
        assert_eq!(state(&page), [how.name(), how.name(), how.words()]);
        names.push(how.name());
    }
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 1, "{names:?}");
    // Where the branch goes on, nothing ended.
    let root = session.key(session.tree().path(session.leaf())[3]).unwrap();
    page.run(&format!("leafpress.go({{ leafId: '{root}' }})"));
    assert!(page.get::<bool>("document.querySelector('#end').hidden"));
}

#[test]
fn the_bar_does_not_repeat_the_first_prompt() {
    let page = lighthouse().open();
    assert!(page.get::<bool>("document.getElementById('here').hidden"));
    page.press("j");
    page.press("j");
    page.wait_for("document.getElementById('here').hidden", false);
}
