//! The context view lists what the library says that the model was sent.

use leafpress::session::context::Facts;

use crate::support::{Browser, Exported};

in_each_engine!(context);

/// Entry and role of each message, from above.
const MESSAGES: &str = "Array.from(document.querySelectorAll('#context-view > article.message'), (article) => [article.querySelector('a.to-path').getAttribute('href').slice('#entry-'.length), article.dataset.role])";

fn context(browser: &Browser) {
    let main = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let facts = Facts::read(&main.session);
    let context = main.context(&facts, "ast00009");
    let messages = context["messages"].as_array().expect("a list").iter();
    let sent: Vec<_> = messages
        .filter(|message| message["sent"] == true)
        .map(|message| (&message["entryId"], &message["role"]))
        .collect();
    assert!(sent.len() > 3, "{sent:?}");
    let page = browser.open(&main, "?leafId=ast00009");
    page.click("#tools [data-view=context]");
    page.wait_for("document.getElementById('context-view').hidden", false);
    page.wait_for(MESSAGES, &sent);
    page.wait_for("new URLSearchParams(location.search).get('view')", "context");
    assert_eq!(page.get::<serde_json::Value>("window.leafpress.context('ast00009')"), context);
    page.back();
    page.wait_for("document.getElementById('context-view').hidden", true);
    assert_eq!(page.shown_articles(), main.path("ast00009"));
}
