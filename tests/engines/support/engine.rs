//! The three engines: where their programs are, how their drivers are started, and which of them must run.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

/// What an engine needs to run.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(super) driver: PathBuf,
    browser: PathBuf,
    /// The X server of an engine that cannot run without a screen.
    pub(super) screen: Option<PathBuf>,
}

/// The engines that must run, separated by spaces or commas. Without the variable, all that are found run.
const MUST_RUN: &str = "ENGINES";

impl Engine {
    pub(crate) const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// As the variable `ENGINES` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }

    /// The programs of an engine that is to run, or none if it is left out. One that must run and is not
    /// installed fails the test.
    pub(super) fn programs(self) -> Option<Programs> {
        let listed = env::var(MUST_RUN).ok();
        let names: Option<Vec<&str>> = listed
            .as_ref()
            .map(|list| list.split([' ', ',']).filter(|name| !name.is_empty()).collect());
        if let Some(names) = &names {
            let unknown =
                names.iter().find(|name| Engine::ALL.iter().all(|engine| engine.name() != **name));
            assert!(unknown.is_none(), "${MUST_RUN} has an unknown engine: {unknown:?}");
            if !names.contains(&self.name()) {
                self.leave_out("it is not in $ENGINES");
                return None;
            }
        }
        match self.find() {
            Ok(programs) => Some(programs),
            Err(missing) if names.is_some() => {
                panic!("{} is in ${MUST_RUN}, but {missing} is not installed", self.name())
            }
            Err(missing) => {
                self.leave_out(&format!("{missing} is not installed"));
                None
            }
        }
    }

    /// Says so once, past the harness, which shows nothing of a test that passes.
    fn leave_out(self, why: &str) {
        static SAID: Mutex<BTreeSet<Engine>> = Mutex::new(BTreeSet::new());
        if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(self) {
            say(&format!("left out: {}: {why}", self.name()));
        }
    }

    fn find(self) -> Result<Programs, &'static str> {
        let (drivers, browsers): (&[&'static str], &[&'static str]) = match self {
            Engine::Chromium => (
                &["chromedriver"],
                &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
            ),
            Engine::Firefox => (&["geckodriver"], &["firefox-esr", "firefox"]),
            Engine::WebKit => (&["WebKitWebDriver"], &["MiniBrowser"]),
        };
        let (browser, screen) = if self == Engine::WebKit {
            (mini_browser(), Some(in_path(&["Xvfb"])?))
        } else {
            (in_path(browsers), None)
        };
        Ok(Programs { driver: in_path(drivers)?, browser: browser?, screen })
    }

    pub(super) fn arguments(self, port: u16, other_port: u16) -> Vec<OsString> {
        let arguments = match self {
            Engine::Chromium => vec![format!("--port={port}")],
            // The console of a page is read in the context of the browser's own windows.
            Engine::Firefox => [
                "--port",
                &port.to_string(),
                "--websocket-port",
                &other_port.to_string(),
                "--allow-system-access",
            ]
            .map(str::to_owned)
            .into(),
            Engine::WebKit => vec!["--host=127.0.0.1".to_owned(), format!("--port={port}")],
        };
        arguments.into_iter().map(OsString::from).collect()
    }

    pub(super) fn capabilities(self, programs: &Programs) -> Value {
        let binary = programs.browser.to_str().expect("the path of a browser is UTF-8");
        match self {
            Engine::Chromium => json!({
                "browserName": "chrome",
                "goog:loggingPrefs": {"browser": "ALL"},
                // Chromium refuses its sandbox to root, as whom containers run.
                "goog:chromeOptions": {"binary": binary, "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--no-first-run", "--disable-background-networking", "--disable-component-update",
                    "--force-color-profile=srgb", "--lang=en-US",
                ]},
            }),
            Engine::Firefox => json!({
                "browserName": "firefox",
                "moz:firefoxOptions": {"binary": binary, "args": ["-headless"], "prefs": {
                    // A driver relaxes it, and a file could then read another: no reader has that.
                    "security.fileuri.strict_origin_policy": true,
                    "intl.accept_languages": "en-US",
                }},
            }),
            Engine::WebKit => json!({
                "browserName": "MiniBrowser",
                "webkitgtk:browserOptions": {"binary": binary, "args": ["--automation"]},
            }),
        }
    }
}

/// Prints a line past the test harness.
pub(crate) fn say(line: &str) {
    // A closed standard error is no failure of a page.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn in_path(names: &[&'static str]) -> Result<PathBuf, &'static str> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    let mut files =
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.find(|file| file.is_file()).ok_or(names[0])
}

/// Debian's `webkit2gtk-driver` has it in the folder of libraries.
fn mini_browser() -> Result<PathBuf, &'static str> {
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut files = folders.map(|folder| folder.path().join("webkit2gtk-4.1/MiniBrowser"));
    files.find(|file| file.is_file()).ok_or("MiniBrowser")
}
