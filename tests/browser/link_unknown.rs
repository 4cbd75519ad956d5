//! Links with ids that the session does not hold: the default view and a notice that names them.

use crate::support::{Driver, Pressed, Test};

pub(crate) const TESTS: &[Test] = &[
    ("unknown_leaf", unknown_leaf),
    ("unknown_target", unknown_target),
    ("both_unknown", both_unknown),
    ("one_of_two_unknown", one_of_two_unknown),
    ("empty_ids", empty_ids),
    ("hostile_ids", hostile_ids),
];

fn shows_the_default(driver: &Driver<'_>, link: &str, named: &[&str]) {
    let tree = Pressed::tree();
    let page = driver.page(&tree).open(link);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "{link}");
    assert_eq!(page.link(), link, "the address is left alone");
    let notice = page.notice().expect("a notice");
    for id in named {
        assert!(notice.contains(id), "{id} is not in: {notice}");
    }
}

fn unknown_leaf(driver: &Driver<'_>) {
    shows_the_default(driver, "?leafId=nowhere", &["nowhere"]);
    shows_the_default(driver, "#leafId=t000000", &["t000000"]);
}

fn unknown_target(driver: &Driver<'_>) {
    shows_the_default(driver, "?targetId=nobody", &["nobody"]);
    shows_the_default(driver, "#entry-nobody", &["nobody"]);
}

fn both_unknown(driver: &Driver<'_>) {
    shows_the_default(driver, "?leafId=nowhere&targetId=nobody", &["nowhere", "nobody"]);
}

fn one_of_two_unknown(driver: &Driver<'_>) {
    let tree = Pressed::tree();
    let page = driver.page(&tree).open("?leafId=t0000006&targetId=nobody");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert!(page.notice().unwrap().contains("nobody"));
    page.load_anew("?leafId=nowhere&targetId=t0000006");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert!(page.notice().unwrap().contains("nowhere"));
}

fn empty_ids(driver: &Driver<'_>) {
    let tree = Pressed::tree();
    let page = driver.page(&tree).open("?leafId=&targetId=");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.notice(), None, "nothing was asked for");
}

fn hostile_ids(driver: &Driver<'_>) {
    let markup = "%3Cimg%20src%3Dx%20onerror%3D%22window.__pwned%3D1%22%3E";
    shows_the_default(driver, &format!("?leafId={markup}&targetId=%E0%A4%A"), &["<img src=x"]);
    let long = "x".repeat(5000);
    let page = driver.page(&Pressed::tree()).open(&format!("?leafId={long}"));
    assert!(page.notice().unwrap().len() < 300);
    assert_eq!(page.count("#notice img"), 0);
}
