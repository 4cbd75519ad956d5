//! The head: its facts open what they count, and it says how the current branch ended.

use leafpress::session::ending::ended;

use crate::support::{Driver, Exported, Page, Test, own_file};

pub(crate) const TESTS: &[Test] = &[
    ("a_fact_opens_its_list", a_fact_opens_its_list),
    ("lists_open_without_a_script", lists_open_without_a_script),
    ("a_wide_margin_shows_the_lists", a_wide_margin_shows_the_lists),
    ("the_end_of_each_branch_is_named", the_end_of_each_branch_is_named),
    ("the_bar_does_not_repeat_the_first_prompt", the_bar_does_not_repeat_the_first_prompt),
];

const OPEN: &str = "document.querySelectorAll('#head [popover]:popover-open').length";

fn lighthouse() -> Exported {
    Exported::file("examples/lighthouse.jsonl")
}

fn a_fact_opens_its_list(driver: &Driver<'_>) {
    let page = driver.open(&lighthouse());
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
    let page = driver.page(&Exported::story(story_source())).open("");
    page.click("#head [data-fact=failures] button");
    page.wait_for(OPEN, 1);
    page.click("#list-failures li");
    page.wait(
        "the card of the failure to open",
        "document.querySelector('article.target details.card')?.open === true",
    );
}

fn story_source() -> Vec<u8> {
    std::fs::read(own_file("examples/lighthouse.jsonl")).unwrap()
}

fn lists_open_without_a_script(driver: &Driver<'_>) {
    let page = driver.page(&lighthouse()).without_script().open("");
    page.click("#head [data-fact=files] button");
    page.wait_for(OPEN, 1);
}

fn a_wide_margin_shows_the_lists(driver: &Driver<'_>) {
    let page = driver.page(&lighthouse()).sized(1680, 900).open("");
    let seen = "document.querySelector('#list-files').getBoundingClientRect().left > document.querySelector('#transcript').getBoundingClientRect().right";
    assert!(page.get::<bool>(seen));
    let key: String = page.get(
        "document.querySelector('#list-files a').getAttribute('href').slice('#entry-'.length)",
    );
    page.click("#list-files li");
    page.wait_until_in_view(&key);
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let narrower = driver.page(&lighthouse()).sized(1679, 900).open("");
    assert!(!narrower.get::<bool>("document.querySelector('#list-files').checkVisibility()"));
}

fn state(page: &Page) -> [String; 3] {
    page.get("['#head [data-ended]', '#end'].map((selector) => document.querySelector(selector).dataset.ended).concat(document.querySelector('#end .ending').textContent)")
}

fn the_end_of_each_branch_is_named(driver: &Driver<'_>) {
    let long = Exported::long();
    let session = &long.session;
    let page = driver.open(&long);
    let mut names = Vec::new();
    for leaf in (0..session.len()).filter(|&entry| session.tree().children(entry).len() == 0) {
        page.run(&format!("leafpress.go({{ leafId: '{}' }})", session.key(leaf)));
        let how = ended(session, leaf).unwrap().how;
        assert_eq!(state(&page), [how.name(), how.name(), how.words()]);
        names.push(how.name());
    }
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 1, "{names:?}");
    // Where the branch goes on, nothing ended.
    let root = session.key(session.tree().path(session.leaf())[3]);
    page.run(&format!("leafpress.go({{ leafId: '{root}' }})"));
    assert!(page.get::<bool>("document.querySelector('#end').hidden"));
}

fn the_bar_does_not_repeat_the_first_prompt(driver: &Driver<'_>) {
    let page = driver.open(&lighthouse());
    assert!(page.get::<bool>("document.getElementById('here').hidden"));
    page.press("j");
    page.press("j");
    page.wait_for("document.getElementById('here').hidden", false);
}
