//! Links with ids that the session does not hold: the default view and a notice that names them.

use crate::support::Exported;

fn shows_the_default(link: &str, named: &[&str]) {
    let tree = Exported::tree();
    let page = tree.page().open(link);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "{link}");
    assert_eq!(page.link(), link, "the address is left alone");
    let notice = page.notice().expect("a notice");
    for id in named {
        assert!(notice.contains(id), "{id} is not in: {notice}");
    }
}

#[test]
fn unknown_leaf() {
    shows_the_default("?leafId=nowhere", &["nowhere"]);
    shows_the_default("#leafId=t000000", &["t000000"]);
}

#[test]
fn unknown_target() {
    shows_the_default("?targetId=nobody", &["nobody"]);
    shows_the_default("#entry-nobody", &["nobody"]);
}

#[test]
fn both_unknown() {
    shows_the_default("?leafId=nowhere&targetId=nobody", &["nowhere", "nobody"]);
}

#[test]
fn one_of_two_unknown() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000006&targetId=nobody");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert!(page.notice().unwrap().contains("nobody"));
    page.load_anew("?leafId=nowhere&targetId=t0000006");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert!(page.notice().unwrap().contains("nowhere"));
}

#[test]
fn empty_ids() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=&targetId=");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.notice(), None, "nothing was asked for");
}

#[test]
fn hostile_ids() {
    let markup = "%3Cimg%20src%3Dx%20onerror%3D%22window.__pwned%3D1%22%3E";
    shows_the_default(&format!("?leafId={markup}&targetId=%E0%A4%A"), &["<img src=x"]);
    let long = "x".repeat(5000);
    let page = Exported::tree().page().open(&format!("?leafId={long}"));
    assert!(page.notice().unwrap().len() < 300);
    assert_eq!(page.count("#notice img"), 0);
}

/// An address may be of any length; what is made of it is not.
#[test]
fn endless_ids_and_searches() {
    let tree = Exported::tree();
    let long = "x".repeat(100_000);
    let page = tree.page().open(&format!("?leafId={long}&targetId={long}&compare={long}"));
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert!(page.notice().unwrap().len() < 600, "{:?}", page.notice());
    let status = "document.getElementById('search-status').textContent";
    let field = "document.getElementById('search').value.length";
    let words = "ab ".repeat(33_333);
    page.load_anew(&format!("?q={}", words.replace(' ', "%20")));
    assert_eq!(page.get::<usize>(field), 1000);
    page.wait(
        "the status",
        &format!("{status}.endsWith(', only the first 1,000 characters are used')"),
    );
    page.run("leafpress.go({ targetId: 't0000002' })");
    page.settle();
    assert!(page.get::<usize>("location.href.length") < 4000, "the address is cut too");
    // Pasted, and cut within a letter of two units.
    page.call::<()>(
        "(text) => { const field = document.getElementById('search'); field.value = text; field.dispatchEvent(new Event('input')); }",
        &[format!("{}{}", "a".repeat(999), "\u{1f600}".repeat(9))],
    );
    page.wait_for(field, 999);
    assert!(page.get::<String>(status).contains("1,000"));
    page.call::<()>(
        "(text) => { const field = document.getElementById('search'); field.value = text; field.dispatchEvent(new Event('input')); }",
        &["harbor"],
    );
    page.wait("the status", &format!("!{status}.includes('1,000')"));
}
