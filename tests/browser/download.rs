//! The session file comes back from the page, byte for byte.

use std::fs;
use std::time::{Duration, Instant};

use leafpress::Options;
use serde_json::json;

use crate::support::sessions::chain;
use crate::support::{Exported, Page};

const DEADLINE: Duration = Duration::from_secs(20);

/// Several chunks, lines that end in two ways, a byte that is no text, no end to the last line.
fn odd_source() -> Vec<u8> {
    let mut source = chain(3000);
    source.extend(b"{\"type\":\"custom\",\"id\":\"odd\",\"parentId\":\"e2999\",\"text\":\"\xff\"}\r\n\n  {\"torn\": \"");
    source.extend("é \u{feff}\u{2028}".repeat(100_000).bytes());
    source
}

/// Chooses the menu's entry with the keyboard, and gives the file and its name.
fn downloaded(page: &Page) -> (String, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let parameters = json!({"behavior": "allow", "downloadPath": folder.path(), "browserContextId": page.context_id()});
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

#[test]
fn gives_the_session_s_bytes() {
    let source = odd_source();
    let mut options = Options::default();
    options.title = Some("../Tide: \"high\" & lów? ".to_owned());
    let session = leafpress::read(source.clone()).unwrap();
    let page = Exported::with_options(session, &options).open();
    let (name, bytes) = downloaded(&page);
    assert_eq!(name, "Tide-high-lów.jsonl");
    assert!(bytes == source, "{} bytes of {}", bytes.len(), source.len());
    assert_eq!(page.notice(), None);
}

#[test]
fn from_a_sealed_page() {
    let source = odd_source();
    let pressed = Exported::sealed(leafpress::read(source.clone()).unwrap(), "tide");
    let page = pressed.page().open_sealed("");
    page.type_text("tide");
    page.press("Enter");
    page.wait_until_opened();
    assert!(downloaded(&page).1 == source);
}

#[test]
fn absent_without_a_source() {
    let mut options = Options::default();
    options.without_source = true;
    let session = leafpress::read(chain(3)).unwrap();
    let page = Exported::with_options(session, &options).open();
    page.click("#more");
    page.wait("the menu", "document.querySelector('#menu[open] [data-command=print]') !== null");
    assert_eq!(page.count("[data-command=download]"), 0);
}
