//! When labels were set: said in the tree on demand, and remembered.

use crate::support::{Exported, Page, row};

const BUTTON: &str = "#label-times";

fn times(page: &Page) -> Vec<(String, String)> {
    page.get("Array.from(document.querySelectorAll('#tree .label-time'), (time) => [time.parentElement.dataset.entryId, time.textContent])")
}

#[test]
fn shown_on_demand_and_remembered() {
    let tree = Exported::tree();
    let page = tree.open();
    assert_eq!(times(&page), []);
    assert_eq!(page.attribute(BUTTON, "aria-pressed").as_deref(), Some("false"));
    page.click(BUTTON);
    assert_eq!(page.attribute(BUTTON, "aria-pressed").as_deref(), Some("true"));
    let wanted = [("t0000009", "2026-11-02T09:11:00Z"), ("t0000019", "2026-11-02T09:11:30Z")]
        .map(|(key, iso)| (key.to_owned(), readable(&page, iso)));
    assert_eq!(times(&page), wanted);
    let label: String = page.text(&format!("{} .label", row("t0000009")));
    assert_eq!(label, "[mid]", "the label itself is as it was");
    page.reload();
    assert_eq!(times(&page), wanted, "remembered");
    assert_eq!(page.attribute(BUTTON, "aria-pressed").as_deref(), Some("true"));
    assert_eq!(page.link(), "", "how a reader likes it is no part of a link");
    page.click(BUTTON);
    page.reload();
    assert_eq!(times(&page), []);
}

/// The smallest form that tells the time apart from now.
fn readable(page: &Page, iso: &str) -> String {
    page.call(
        "(iso) => {
            const [time, now] = [new Date(iso), new Date()];
            const clock = { hour: 'numeric', minute: '2-digit' };
            const day = { month: 'short', day: 'numeric' };
            const form = time.toDateString() === now.toDateString() ? clock
                : time.getFullYear() === now.getFullYear() ? { ...day, ...clock } : { year: 'numeric', ...day };
            return time.toLocaleString(undefined, form);
        }",
        &[iso],
    )
}

#[test]
fn no_labels_no_button() {
    let page = Exported::file("tests/fixtures/samples/pi-1.5-v1.jsonl").open();
    assert_eq!(page.count("#tree .label"), 0);
    assert!(page.get::<bool>("document.getElementById('label-times').hidden"));
    assert_eq!(
        page.get::<usize>("document.getElementById('label-times').getClientRects().length"),
        0
    );
}
