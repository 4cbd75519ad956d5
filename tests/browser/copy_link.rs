//! Every entry has a button that copies a link to it.

use serde_json::json;

use crate::support::{Exported, Page, article};

fn button(key: &str) -> String {
    format!("{} .copy-link", article(key))
}

#[test]
fn every_entry_has_its_link() {
    let tree = Exported::tree();
    let page = tree.open();
    let links: Vec<String> = page.of_every_article(
        &tree,
        "(article) => article.querySelector('.copy-link').getAttribute('href')",
    );
    let link = |key: &String| {
        let entry = tree.session.find(key).unwrap();
        let on_path = tree.session.tree().is_on_path(entry, tree.session.leaf());
        let newest = tree.session.key(tree.session.tree().newest_leaf_below(entry)).unwrap();
        let leaf = if on_path { tree.leaf() } else { newest };
        format!("?leafId={leaf}&targetId={key}")
    };
    assert_eq!(links, tree.keys().iter().map(link).collect::<Vec<_>>());
}

/// Several branches in one test: all pages share one clipboard.
#[test]
fn copied_link_lands() {
    let long = Exported::long();
    let page = long.page().with_clipboard().open("?x=1#top");
    copy(&page, "96ad78d7", &long.link(&long.leaf(), "96ad78d7"));
    page.run("leafpress.go({ leafId: '27312147' })");
    copy(&page, "85d441f8", &long.link("27312147", "85d441f8"));
    copy(&page, "6427781d", &long.link("27312147", "6427781d"));
    page.load_anew("?leafId=27312147&targetId=6427781d");
    page.settle();
    assert!(page.is_in_view("6427781d"));
    assert_eq!(page.selected_row().as_deref(), Some("6427781d"));
    assert_eq!(page.leaf_row().as_deref(), Some("27312147"));
}

fn copy(page: &Page, key: &str, link: &str) {
    page.click(&button(key));
    page.wait_for("document.getElementById('notice').textContent", "Link copied");
    page.wait_for("await navigator.clipboard.readText()", link);
}

#[test]
fn offered_where_the_clipboard_is_denied() {
    let tree = Exported::tree();
    let page = tree.open();
    let denied = json!({
        "permission": {"name": "clipboard-write"},
        "setting": "denied",
        "browserContextId": page.context_id(),
    });
    page.protocol("Browser.setPermission", denied);
    page.click(&button("t0000002"));
    page.wait("the offer", "document.querySelector('#notice input') !== null");
    let field = "document.querySelector('#notice input')";
    let link = tree.link("t0000025", "t0000002");
    assert_eq!(page.get::<String>(&format!("{field}.value")), link);
    let selected: String = page.get("document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)");
    assert_eq!(selected, link, "ready to be copied by hand");
}
