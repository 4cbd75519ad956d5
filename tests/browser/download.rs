//! The session file comes back from the page, byte for byte.

use std::fs;
use std::time::{Duration, Instant};

use leafpress::Options;
use serde_json::json;

use crate::support::sessions::chain;
use crate::support::{Driver, Exported, Page, Test};

pub(crate) const TESTS: &[Test] = &[
    ("gives_the_session_s_bytes", gives_the_session_s_bytes),
    ("from_a_sealed_page", from_a_sealed_page),
    ("absent_without_a_source", absent_without_a_source),
];

const DEADLINE: Duration = Duration::from_secs(20);

/// Several chunks, lines that end in two ways, a byte that is no text, no end to the last line.
fn odd_source() -> Vec<u8> {
    let mut source = chain(3000);
    source.extend(b"{\"type\":\"custom\",\"id\":\"odd\",\"parentId\":\"e2999\",\"text\":\"\xff\"}\r\n\n  {\"torn\": \"");
    source.extend("é \u{feff}\u{2028}".repeat(100_000).bytes());
    source
}

/// Chooses the menu's entry with the keyboard, and gives the file and its name.
fn downloaded(driver: &Driver<'_>, page: &Page) -> (String, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let parameters = json!({"behavior": "allow", "downloadPath": folder.path(), "browserContextId": driver.context_id()});
    page.protocol("Browser.setDownloadBehavior", parameters);
    page.click("#more");
    page.run("document.querySelector('[data-command=download]').focus()");
    page.press("Enter");
    let end = Instant::now() + DEADLINE;
    loop {
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let whole = files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
        if let Some(file) = whole.last() {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            return (name, fs::read(file).unwrap());
        }
        assert!(Instant::now() < end, "waited in vain for the file");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn gives_the_session_s_bytes(driver: &Driver<'_>) {
    let source = odd_source();
    let mut options = Options::default();
    options.title = Some("../Tide: \"high\" & lów? ".to_owned());
    let session = leafpress::read(source.clone()).unwrap();
    let page = driver.open(&Exported::with_options(session, &options));
    let (name, bytes) = downloaded(driver, &page);
    assert_eq!(name, "Tide-high-lów.jsonl");
    assert!(bytes == source, "{} bytes of {}", bytes.len(), source.len());
    assert_eq!(page.notice(), None);
}

fn from_a_sealed_page(driver: &Driver<'_>) {
    let source = odd_source();
    let pressed = Exported::sealed(leafpress::read(source.clone()).unwrap(), "tide");
    let page = driver.page(&pressed).open_sealed("");
    page.type_text("tide");
    page.press("Enter");
    page.wait_until_opened();
    assert!(downloaded(driver, &page).1 == source);
}

fn absent_without_a_source(driver: &Driver<'_>) {
    let mut options = Options::default();
    options.without_source = true;
    let session = leafpress::read(chain(3)).unwrap();
    let page = driver.open(&Exported::with_options(session, &options));
    page.click("#more");
    page.wait("the menu", "document.querySelector('#menu[open] [data-command=print]') !== null");
    assert_eq!(page.count("[data-command=download]"), 0);
}
