//! The pictures of the README: the page of an example, as a reader sees it first, light and dark.

use std::error::Error;
use std::process::Command;
use std::{env, fs};

/// What the page is made from.
const SESSION: &str = "examples/lighthouse.jsonl";

/// A file in `docs/`, and Blink's number for the colors that the system asks for.
const PICTURES: [(&str, u32); 2] = [("page.png", 1), ("page-dark.png", 0)];

/// Where `$CHROME` names none.
const CHROME: &str = "chromium";

pub(crate) fn take() -> Result<(), Box<dyn Error>> {
    let root = crate::root().canonicalize()?;
    let folder = env::temp_dir().join(format!("leafpress-pictures-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let page = folder.join("page.html");
    let mut export = Command::new(env!("CARGO"));
    export.args(["run", "--quiet", "--package", "leafpress", "--", SESSION, "-o"]).arg(&page);
    run(export.current_dir(&root))?;
    for (name, scheme) in PICTURES {
        let mut chrome = Command::new(env::var_os("CHROME").unwrap_or_else(|| CHROME.into()));
        // Chromium refuses its sandbox to root, and the page is our own.
        chrome.args(["--headless", "--no-sandbox", "--hide-scrollbars", "--lang=en-US"]);
        // Time for the script, in ms of the page's own clock.
        chrome.args(["--virtual-time-budget=4000", "--window-size=1200,760"]);
        chrome.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
        chrome.arg(format!("--screenshot={}", root.join("docs").join(name).display()));
        run(chrome.arg(format!("file://{}", page.display())))?;
        println!("docs/{name}");
    }
    Ok(fs::remove_dir_all(folder)?)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let out = command.output().map_err(|error| format!("failed to run {command:?}: {error}"))?;
    if out.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&out.stderr)).into())
}
