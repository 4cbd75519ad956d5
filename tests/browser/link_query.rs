//! Deep links in the query: `?leafId=…&targetId=…`.

use crate::support::Exported;

#[test]
fn leaf_and_target() {
    let tree = Exported::tree();
    let link = "?leafId=t0000006&targetId=t0000003";
    let page = tree.page().open(link);
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    assert_eq!(page.leaf_row().as_deref(), Some("t0000006"));
    assert_eq!(page.notice(), None);
    assert_eq!(page.link(), link);
}

#[test]
fn leaf_alone() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000022");
    assert_eq!(page.shown_articles(), tree.path("t0000022"));
    assert_eq!(page.notice(), None);
}

#[test]
fn target_on_the_default_path() {
    let tree = Exported::tree();
    let page = tree.page().open("?targetId=t0000002");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "the leaf on load has it");
    assert_eq!(page.selected_row().as_deref(), Some("t0000002"));
}

#[test]
fn target_on_another_branch() {
    let tree = Exported::tree();
    let page = tree.page().open("?targetId=t0000019");
    assert_eq!(page.shown_articles(), tree.path("t0000022"), "the newest leaf below it");
    assert_eq!(page.notice(), None);
}

#[test]
fn target_far_down() {
    let long = Exported::long();
    let page = long.page().open("?leafId=42973fa8&targetId=96ad78d7");
    page.settle();
    assert!(page.is_in_view("96ad78d7"));
    assert!(page.get::<f64>("scrollY") > 1000.0);
    assert!(page.drawn_rows().contains(&"96ad78d7".to_owned()), "its row is in sight");
}

#[test]
fn id_as_the_file_has_it() {
    let mut lines = crate::support::sessions::Lines::new();
    lines.user("a/1", None, "one").user("__proto__", Some("a/1"), "two");
    lines.user("a%2F1", Some("a/1"), "three");
    let pressed = Exported::bytes(lines.bytes()).unwrap();
    let page = pressed.page().open("?targetId=a%2F1");
    assert_eq!(page.selected_row().as_deref(), Some("a%2F1"), "the raw id, whose key it is");
    page.load_anew("?targetId=a%252F1");
    assert_eq!(page.selected_row().as_deref(), Some("a%2F1"), "the key is looked up first");
    page.load_anew("?targetId=a%25252F1&leafId=constructor");
    assert_eq!(page.selected_row().as_deref(), Some("a%252F1"));
    assert!(page.notice().unwrap().contains("constructor"));
    page.load_anew("?leafId=__proto__");
    assert_eq!(page.shown_articles(), ["a%2F1", "__proto__"]);
}

#[test]
fn other_parameters_stay() {
    let tree = Exported::tree();
    let page = tree.page().open("?utm=a%20b&leafId=t0000006&x&targetId=t0000003");
    page.click_row("t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    assert_eq!(page.link(), "?utm=a%20b&x&leafId=t0000021&targetId=t0000021");
}
