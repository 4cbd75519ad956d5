//! A page of which parts were left out: old links end at what stands for them, and context view, counts
//! and raw lines say what is gone.

use leafpress::Options;
use leafpress::cut::{Cut, cut};
use leafpress::session::Kind;
use serde_json::{Value, json};

use crate::support::{Exported, article, own_file};

fn pressed(set: impl Fn(&leafpress::Session, &mut Cut)) -> Exported {
    let source = std::fs::read(own_file("tests/fixtures/samples/pi-1.5-tree.jsonl")).unwrap();
    let session = leafpress::read(source).unwrap();
    let mut options = Cut::default();
    set(&session, &mut options);
    Exported::with_options(cut(session, &options).unwrap(), &Options::default())
}

#[test]
fn old_links_end_at_the_stub() {
    let tree = pressed(|session, cut| cut.branch = session.find("t0000008"));
    // Of the branch below t0000009 the first entry's id is the stub's own.
    for link in [
        "?targetId=t0000009",
        "?targetId=t0000025",
        "?leafId=t0000025&targetId=t0000011",
        "#entry-t0000011",
    ] {
        let page = tree.page().open(link);
        assert_eq!(page.notice(), None, "{link}");
        assert_eq!(page.selected_row().as_deref(), Some("t0000009"), "{link}");
        let told = page.text(&article("t0000009"));
        assert!(
            told.contains(
                "These 6 entries were not included when the page was made (another branch)"
            ),
            "{told}"
        );
        assert!(told.contains("A link to any of them ends here"), "{told}");
        let row = page.text("#tree [data-entry-id=t0000009]");
        assert!(row.contains("6 entries not included (another branch)"), "{row}");
        page.wait_until_in_view("t0000009");
    }
    let page = tree.page().open("");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
}

#[test]
fn context_view_and_head_say_what_is_cut() {
    let tree = pressed(|session, cut| {
        cut.leaf = session.find("t0000018");
        cut.active_only = true;
        cut.only = Some(vec![Kind::User, Kind::ToolResult]);
        cut.without_tool_output = true;
    });
    let page = tree.page().open("?view=context");
    let gaps: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('#context-view > article.left-out'), (gap) => gap.textContent)",
    );
    assert!(gaps.len() > 2, "{gaps:?}");
    for gap in &gaps {
        assert!(
            gap.contains("cut from this page") && gap.contains("1 entry not included"),
            "{gap}"
        );
    }
    let result = "#context-view > article[data-role=toolResult]";
    page.wait("the result's body", &format!("document.querySelector('{result} .body') !== null"));
    assert!(page.text(result).contains("Output not included (2 B)"), "{}", page.text(result));
    let head: String = page.get("document.querySelector('body').textContent");
    assert!(head.contains("Not included") && head.contains("2 B of output"), "{head}");
}

#[test]
fn raw_shows_the_line_that_is_left() {
    let tree = pressed(|session, cut| cut.branch = session.find("t0000008"));
    let page = tree.page().open("?targetId=t0000009");
    let button = format!("{} button.raw", article("t0000009"));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "raw");
    let line: Value = serde_json::from_str(&page.text("#raw pre")).unwrap();
    assert_eq!((&line["type"], &line["count"]), (&json!("leafpress_omitted"), &json!(6)));
    assert_eq!(line["ids"][0], "t0000009");
}
