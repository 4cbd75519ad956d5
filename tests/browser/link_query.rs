//! Deep links in the query: `?leafId=…&targetId=…`.

use crate::support::{Driver, Exported, Test};

pub(crate) const TESTS: &[Test] = &[
    ("leaf_and_target", leaf_and_target),
    ("leaf_alone", leaf_alone),
    ("target_on_the_default_path", target_on_the_default_path),
    ("target_on_another_branch", target_on_another_branch),
    ("target_far_down", target_far_down),
    ("id_as_the_file_has_it", id_as_the_file_has_it),
    ("other_parameters_stay", other_parameters_stay),
];

fn leaf_and_target(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let link = "?leafId=t0000006&targetId=t0000003";
    let page = driver.page(&tree).open(link);
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    assert_eq!(page.leaf_row().as_deref(), Some("t0000006"));
    assert_eq!(page.notice(), None);
    assert_eq!(page.link(), link);
}

fn leaf_alone(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?leafId=t0000022");
    assert_eq!(page.shown_articles(), tree.path("t0000022"));
    assert_eq!(page.notice(), None);
}

fn target_on_the_default_path(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?targetId=t0000002");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "the leaf on load has it");
    assert_eq!(page.selected_row().as_deref(), Some("t0000002"));
}

fn target_on_another_branch(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?targetId=t0000019");
    assert_eq!(page.shown_articles(), tree.path("t0000022"), "the newest leaf below it");
    assert_eq!(page.notice(), None);
}

fn target_far_down(driver: &Driver<'_>) {
    let long = Exported::long();
    let page = driver.page(&long).open("?leafId=42973fa8&targetId=96ad78d7");
    page.settle();
    assert!(page.is_in_view("96ad78d7"));
    assert!(page.get::<f64>("scrollY") > 1000.0);
    assert!(page.drawn_rows().contains(&"96ad78d7".to_owned()), "its row is in sight");
}

fn id_as_the_file_has_it(driver: &Driver<'_>) {
    let mut lines = crate::support::sessions::Lines::new();
    lines.user("a/1", None, "one").user("__proto__", Some("a/1"), "two");
    lines.user("a%2F1", Some("a/1"), "three");
    let pressed = Exported::bytes(lines.bytes()).unwrap();
    let page = driver.page(&pressed).open("?targetId=a%2F1");
    assert_eq!(page.selected_row().as_deref(), Some("a%2F1"), "the raw id, whose key it is");
    page.load_anew("?targetId=a%252F1");
    assert_eq!(page.selected_row().as_deref(), Some("a%2F1"), "the key is looked up first");
    page.load_anew("?targetId=a%25252F1&leafId=constructor");
    assert_eq!(page.selected_row().as_deref(), Some("a%252F1"));
    assert!(page.notice().unwrap().contains("constructor"));
    page.load_anew("?leafId=__proto__");
    assert_eq!(page.shown_articles(), ["a%2F1", "__proto__"]);
}

fn other_parameters_stay(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?utm=a%20b&leafId=t0000006&x&targetId=t0000003");
    page.click_row("t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    assert_eq!(page.link(), "?utm=a%20b&x&leafId=t0000021&targetId=t0000021");
}
