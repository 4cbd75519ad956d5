//! The sidebar beside the view Changes: prompts, with the files that each changed and what checked it.

use crate::changes_places::{assert_here, open, session};
use crate::support::claude::Rows;
use crate::support::{Exported, Page};

/// The rows of each prompt.
const GROUPS: &str = "Array.from(document.querySelectorAll('#prompts section'), (group) => Array.from(group.children, (row) => row.textContent))";

/// Which of the list and the tree is seen.
const SEEN: &str =
    "['prompts', 'tree', 'filters'].filter((id) => document.getElementById(id).checkVisibility())";

fn marked(page: &Page) -> String {
    page.settle();
    page.text("#prompts [aria-current] .stop-number")
}

#[test]
fn prompts_with_their_files_stand_in_place_of_the_tree() {
    let page = open("?view=changes");
    assert_eq!(page.get::<Vec<String>>(SEEN), ["prompts"]);
    assert_eq!(
        page.get::<Vec<Vec<String>>>(GROUPS),
        [
            &["1Write three files", "Aa.txt+100", "Ab.txt+100", "Ac.txt+100"][..],
            &["2Change the second one", "Mb.txt+2 −2"],
            &["3Thanks"],
            &["4Change the third one, and back", "Mc.txt≈ +2 −2", "Ad.txt+100"],
        ]
    );
    assert_eq!(page.text(".prompts-status"), "3 of 4 prompts changed files");
    assert_eq!(marked(&page), "1");
    for number in ["1", "2", "4"] {
        page.press("j");
        assert_eq!(marked(&page), number);
    }
    page.click("[data-view=path]");
    assert_eq!(page.get::<Vec<String>>(SEEN), ["tree", "filters"]);
}

#[test]
fn a_row_leads_to_its_prompt_its_file_or_its_entry() {
    let page = open("?view=changes");
    page.click("[data-path][title='c.txt']:not(section:first-child *)");
    assert_here(&page, "prompt", "p4", "c.txt", "");
    assert_eq!(marked(&page), "4");
    page.click("#prompts [data-prompt]");
    assert_here(&page, "prompt", "p1", "a.txt", "");
    page.wait("the address", "location.search.includes('targetId=p1')");
    page.press("t");
    page.click("[data-path][title='b.txt']");
    assert_here(&page, "file", "", "b.txt", "");
    page.click("#prompts section:nth-child(2) > [data-prompt]");
    assert_here(&page, "prompt", "p2", "b.txt", "");
    page.click("#prompts .unchanged > *");
    page.wait("the conversation", "document.documentElement.dataset.view === 'path'");
    page.wait_until_in_view("p3");
}

#[test]
fn a_search_shows_the_tree() {
    let page = open("?view=changes");
    page.click("#search");
    page.type_text("second");
    page.settle();
    assert_eq!(page.get::<Vec<String>>(SEEN), ["tree", "filters"]);
    page.press("Escape");
    page.settle();
    assert_eq!(page.get::<Vec<String>>(SEEN), ["prompts"]);
}

#[test]
fn of_many_files_some_are_listed_and_a_test_says_how_it_ended() {
    let mut rows = Rows::new();
    rows.prompt("p1", "Write <b>many</b> files");
    for nth in 0..14 {
        rows.write(&format!("{nth}"), &format!("/w/{nth}.txt"), "x\\n");
    }
    rows.call("t", "Bash", r#"{"command":"cargo test"}"#, "Exit code 101", true);
    let page = Exported::story(rows.bytes()).page().open("?view=changes");
    page.wait("the list", "document.querySelector('#prompts section') !== null");
    let groups = page.get::<Vec<Vec<String>>>(GROUPS);
    assert_eq!(groups[0].len(), 1 + 12 + 1 + 1);
    assert_eq!(groups[0][0], "1Write <b>many</b> files");
    assert_eq!(groups[0][13..], ["2 more files", "Tests failed cargo test"]);
}

#[test]
fn on_a_phone_a_choice_closes_the_drawer() {
    let page = Exported::story(session()).page().narrow().open("?view=changes");
    page.wait("lines", "document.querySelector('#changes .out') !== null");
    page.click("#sidebar-toggle");
    page.wait("the list", "document.querySelector('#prompts section') !== null");
    page.click("[data-path][title='d.txt']");
    page.settle();
    assert!(!page.get::<bool>("document.documentElement.classList.contains('drawer-open')"));
    assert_here(&page, "prompt", "p4", "d.txt", "");
}
