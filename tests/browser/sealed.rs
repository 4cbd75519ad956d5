//! A sealed page opens with its password alone, and is then the page that was sealed.

use crate::support::{Driver, Page, Pressed, Test};

pub(crate) const TESTS: &[Test] = &[("opens_with_the_password", opens_with_the_password)];

const PASSWORD: &str = "tide and éclair 42";

fn tree() -> Pressed {
    let source =
        std::fs::read(crate::support::own_file("tests/fixtures/samples/pi-1.5-tree.jsonl"));
    Pressed::sealed(leafpress::read(source.unwrap()).unwrap(), PASSWORD)
}

/// Types a password where the shell asks for it.
fn answer(page: &Page, password: &str) {
    page.run("document.getElementById('password').select()");
    page.type_text(password);
    page.press("Enter");
}

fn opens_with_the_password(driver: &Driver<'_>) {
    let pressed = tree();
    let page = driver.page(&pressed).open_sealed("");
    assert_eq!(page.text("h1"), "A sealed session page");
    answer(&page, PASSWORD);
    page.wait_until_opened();
}
