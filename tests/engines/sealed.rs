//! A password-protected page opens with its password, and is then the page that was exported.

use leafpress::Filter;

use crate::support::{Browser, Exported, Page, own_file};

in_each_engine!(unlock);

fn answer(page: &Page, password: &str) {
    page.wait("the form to wait", "!document.getElementById('unlock').inert");
    page.click("#password");
    page.get::<()>("document.getElementById('password').select() ?? null");
    page.type_text(password);
    page.press("Enter");
}

fn unlock(browser: &Browser) {
    let source = std::fs::read(own_file("tests/fixtures/samples/pi-1.5-tree.jsonl"))
        .expect("a file of this repository");
    // Keyboards write the letter in two ways.
    let exported =
        Exported::sealed(leafpress::read(source).expect("a session"), "tide and e\u{301}clair");
    let page = browser.open_sealed(&exported, "");
    assert_eq!(page.text("h1"), "Password-protected session");
    answer(&page, "tide and eclair");
    page.wait(
        "the answer",
        "document.getElementById('said').textContent.includes('Wrong password')",
    );
    answer(&page, "tide and \u{e9}clair");
    page.wait_until_ready();
    assert_eq!(page.count("#unlock, [id^=sealed]"), 0);
    assert_eq!(page.shown_articles(), exported.path(&exported.leaf()));
    assert_eq!(page.drawn_rows(), exported.row_ids(&exported.leaf(), Filter::Default, ""));
    page.click("#tree [data-entry-id=t0000004]");
    page.wait_for("document.querySelector('#tree .leaf')?.dataset.entryId ?? null", "t0000008");
    // What is read stays out of the query, which servers and referrers get.
    page.wait_for("location.search + location.hash", "#leafId=t0000008&targetId=t0000004");
}
