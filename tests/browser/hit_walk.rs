//! Walking the hits: by key and by button, round and round, with what hides them opened.

use serde_json::json;

use leafpress::Filter;

use super::query::search;
use crate::support::sessions::Lines;
use crate::support::{Exported, Page, article, row};

fn status(page: &Page) -> String {
    page.text("#search-status")
}

/// The key of the entry whose words are marked as the one walked to.
fn pointed(page: &Page) -> Option<String> {
    page.settle();
    page.get("Array.from(CSS.highlights.get('leafpress-hit-now') ?? [])[0]?.startContainer.parentElement.closest('article').id.slice('entry-'.length) ?? null")
}

#[test]
fn by_button_and_by_key() {
    let tree = Exported::tree();
    let page = tree.open();
    let is_drawn = |id: &str| -> bool {
        page.call("(id) => document.getElementById(id).getClientRects().length > 0", &[id])
    };
    assert!(!is_drawn("next-hit") && !is_drawn("prev-hit"), "without a search");
    search(&page, "left");
    assert!(is_drawn("next-hit") && is_drawn("prev-hit"));
    let hits = ["t0000003", "t0000004", "t0000005", "t0000007"];
    for (step, hit) in hits.iter().enumerate() {
        page.click("#next-hit");
        assert_eq!(page.selected_row().as_deref(), Some(*hit));
        assert_eq!(status(&page), format!("{} of 4 hits", step + 1));
        assert_eq!(pointed(&page).as_deref(), Some(*hit));
        assert!(page.is_in_view(hit));
    }
    page.click("#next-hit");
    assert_eq!(status(&page), "1 of 4 hits", "round and round");
    page.click("#prev-hit");
    assert_eq!(status(&page), "4 of 4 hits");
    page.click("#search");
    page.press("Enter");
    assert_eq!(status(&page), "1 of 4 hits");
    page.press_shift("Enter");
    page.press_shift("Enter");
    assert_eq!(status(&page), "3 of 4 hits");
    assert_eq!(page.selected_row().as_deref(), Some("t0000005"));
    assert_eq!(page.get::<String>("document.activeElement.id"), "search");
}

/// Words in thinking, in a summary, in the middle of a tool's long output.
fn hidden_words() -> Exported {
    let mut lines = Lines::new();
    lines.user("ask", None, "a question");
    let content = json!([{"type": "thinking", "thinking": "hmm\n\nneedle in thought"}, {"type": "text", "text": "words"}, {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "seq 500"}}]);
    let message = json!({"role": "assistant", "content": content, "provider": "acme", "model": "wren-2", "stopReason": "toolUse"});
    lines.entry("think", Some("ask"), json!({"type": "message", "message": message}));
    let lines_around = "a line\n".repeat(250);
    let output = format!("{lines_around}the needle\n{lines_around}");
    let message = json!({"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": [{"type": "text", "text": output}], "isError": false});
    lines.entry("output", Some("think"), json!({"type": "message", "message": message}));
    let summary = format!("{}\n\nneedle in the summary", "many words ".repeat(300));
    lines.entry("compact", Some("output"), json!({"type": "compaction", "summary": summary, "firstKeptEntryId": "output", "tokensBefore": 1000}));
    lines.user("end", Some("compact"), "go on");
    Exported::bytes(lines.bytes()).unwrap()
}

#[test]
fn opens_what_hides_the_words() {
    let page = hidden_words().open();
    search(&page, "needle");
    assert_eq!(status(&page), "3 hits");
    for key in ["think", "output", "compact"] {
        assert!(!sees_word(&page, key), "{key}: closed at first");
        page.press("Enter");
        page.wait(
            "the entry to be chosen",
            &format!(
                "document.querySelector('#tree [aria-selected=true]')?.dataset.entryId === '{key}'"
            ),
        );
        page.settle();
        assert!(sees_word(&page, key), "{key}: opened by the walk");
        assert_eq!(pointed(&page).as_deref(), Some(key));
    }
}

/// Whether the marked word of an entry is drawn.
fn sees_word(page: &Page, key: &str) -> bool {
    page.call(
        "(s) => {
            const within = document.querySelector(s);
            const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf('needle');
                if (at >= 0) {
                    const range = new Range();
                    range.setStart(walker.currentNode, at);
                    range.setEnd(walker.currentNode, at + 6);
                    return walker.currentNode.parentElement.checkVisibility() && range.getClientRects().length > 0;
                }
            }
            throw new Error('no needle');
        }",
        &[article(key)],
    )
}

#[test]
fn the_mark_comes_into_view() {
    let page = hidden_words().open();
    search(&page, "needle");
    for _ in 0..3 {
        page.press("Enter");
        page.wait(
            "the word to come into view",
            "(() => {
            const range = Array.from(CSS.highlights.get('leafpress-hit-now') ?? [])[0];
            const box = range?.getBoundingClientRect();
            return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
        })()",
        );
        page.settle();
    }
}

#[test]
fn in_the_order_of_the_rows() {
    let long = Exported::long();
    let page = long.open();
    search(&page, "offset");
    let rows = long.row_ids(&long.leaf(), Filter::Default, "offset");
    assert!(rows.len() > 5, "{rows:?}");
    let mut walked = Vec::new();
    for nth in 1..=rows.len() {
        page.press("Enter");
        assert!(
            status(&page).starts_with(&format!("{nth} of {} hits", rows.len())),
            "{}",
            status(&page)
        );
        walked
            .push(page.get::<String>("new URLSearchParams(location.search).get('targetId') ?? ''"));
    }
    page.settle();
    // The address is written with pauses; what was chosen is in the last one at least.
    page.wait_for("new URLSearchParams(location.search).get('targetId')", rows.last());
    let walked: Vec<_> = walked.into_iter().filter(|key| !key.is_empty()).collect();
    let order: Vec<_> = walked.iter().map(|key| rows.iter().position(|row| row == key)).collect();
    assert!(order.is_sorted() && !order.contains(&None), "{order:?}");
}

#[test]
fn a_clicked_hit_is_walked_on_from() {
    let page = Exported::tree().open();
    search(&page, "left");
    page.click_row("t0000005");
    assert_eq!(status(&page), "3 of 4 hits");
    page.click("#next-hit");
    assert_eq!(page.selected_row().as_deref(), Some("t0000007"));
}

#[test]
fn rows_off_the_path_say_their_branch() {
    let tree = Exported::tree();
    let page = tree.open();
    assert_eq!(page.count("#tree .elsewhere"), 0, "without a search");
    search(&page, "answer");
    let rows = tree.row_ids(&tree.leaf(), Filter::Default, "answer");
    assert_eq!(rows, ["t0000002", "t0000011", "t0000004", "t0000015", "t0000020"]);
    let said: Vec<(String, Option<String>)> = page.get(
        "Array.from(document.querySelectorAll('#tree [role=treeitem]')).sort((a, b) => a.offsetTop - b.offsetTop).map((row) =>
            [row.dataset.entryId, row.classList.contains('elsewhere') ? row.title.split('\\n').at(-1) : null])",
    );
    let wanted = [
        ("t0000002", None),
        ("t0000011", None),
        ("t0000004", Some("on another branch: user: left one")),
        ("t0000015", Some("on another branch: user: right one")),
        ("t0000020", Some("on another branch: user: beta root")),
    ];
    assert_eq!(said, wanted.map(|(key, said)| (key.to_owned(), said.map(str::to_owned))));
    assert_eq!(page.count("#tree .branch-start"), 3, "a line parts the branches");
    page.click_row("t0000004");
    let elsewhere: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('#tree .elsewhere'), (row) => row.dataset.entryId).sort()",
    );
    assert_eq!(elsewhere, ["t0000011", "t0000015", "t0000020"], "from where the reader is now");
}

#[test]
fn a_folded_hit_is_opened() {
    let page = Exported::tree().open();
    search(&page, "left");
    page.click(&format!("{} > .fold-mark", row("t0000003")));
    assert_eq!(page.drawn_rows(), ["t0000003"]);
    page.click("#next-hit");
    page.click("#next-hit");
    assert_eq!(page.selected_row().as_deref(), Some("t0000004"));
    assert_eq!(page.drawn_rows().len(), 4);
    assert_eq!(status(&page), "2 of 4 hits");
}

#[test]
fn hits_without_rows_are_counted() {
    let page = Exported::tree().page().open("?filter=user-only");
    search(&page, "left");
    let beside = ", 1 more hidden by the filter";
    assert_eq!(status(&page), format!("3 hits{beside}"));
    page.press("Enter");
    assert_eq!(status(&page), format!("1 of 3 hits{beside}"));
}

/// A response that only calls tools has no row under any filter: its call is found with the result.
#[test]
fn turns_without_a_row_are_not_hidden() {
    let page = Exported::bytes(crate::support::sessions::calling(2)).unwrap().open();
    search(&page, "tool:bash");
    assert_eq!(status(&page), "2 hits");
}

#[test]
fn n_outside_the_field() {
    let page = Exported::tree().open();
    search(&page, "left");
    page.run("document.activeElement.blur()");
    for (key, nth) in [("n", 1), ("n", 2), ("N", 1), ("N", 4)] {
        page.press(key);
        assert_eq!(status(&page), format!("{nth} of 4 hits"), "{key}");
    }
}
