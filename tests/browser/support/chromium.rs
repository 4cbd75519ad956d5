//! The one Chromium of the run.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::json;
use tempfile::TempDir;

use super::protocol::{Connection, Tab, lock};

/// Where `$CHROME` names none: the order of `tests/run`.
const PROGRAMS: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// Nothing of its own accord, nothing later than necessary, the same on every machine.
const FLAGS: [&str; 26] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--enable-automation",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-quic",
    "--disable-breakpad",
    "--disable-features=Translate",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    // A process for each context: see `Context`.
    "--renderer-process-limit=1",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--lang=en-US",
];

/// The browser reads from descriptor 3 and writes to descriptor 4.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

static BROWSER: Mutex<Option<Arc<Browser>>> = Mutex::new(None);

/// A running browser.
pub(crate) struct Browser {
    connection: Arc<Connection>,
    process: Mutex<Child>,
    /// Clean contexts that no test uses.
    unused: Mutex<Vec<Context>>,
    /// What it keeps, for as long as it runs.
    _profile: TempDir,
}

impl Browser {
    /// Storage for one test at a time.
    pub(super) fn context(&self) -> Context {
        let unused = lock(&self.unused).pop();
        unused.unwrap_or_else(|| Context::new(&self.connection))
    }

    /// Takes a context back. All of its pages are closed, and nothing but their storage has changed, which
    /// `Storage` empties when the next page opens.
    pub(super) fn reuse(&self, context: Context) {
        lock(&self.unused).push(context);
    }

    /// Ends a context with all that is in it.
    pub(super) fn dispose(&self, context: &Context) {
        // A page that hangs must not hide why its test failed.
        let parameters = json!({"browserContextId": context.id});
        drop(self.connection.send(None, "Target.disposeBrowserContext", &parameters));
    }
}

/// Storage and permissions, with the process that shows its pages. A new process takes as long to
/// load a page as an old one takes for two, so tests use a context one after the other.
pub(super) struct Context {
    connection: Arc<Connection>,
    id: String,
    /// Keeps the process when the last page of a test is closed.
    _blank: Tab,
}

impl Context {
    fn new(connection: &Arc<Connection>) -> Context {
        let answer = connection.call(None, "Target.createBrowserContext", &json!({}));
        let id = answer.expect("the browser makes contexts")["browserContextId"].take();
        let id = id.as_str().expect("a context has an id").to_owned();
        let blank = Tab::open(connection, &id);
        Context { connection: Arc::clone(connection), id, _blank: blank }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Opens a blank page.
    pub(super) fn open(&self) -> Tab {
        Tab::open(&self.connection, &self.id)
    }
}

/// The browser, started by the first test that asks.
pub(crate) fn browser() -> Arc<Browser> {
    Arc::clone(lock(&BROWSER).get_or_insert_with(|| Arc::new(start())))
}

/// Ends the browser, if one was started.
pub(crate) fn shut_down() {
    if let Some(browser) = lock(&BROWSER).take() {
        // It may have ended by itself; then there is nobody to answer.
        let _ = browser.connection.call(None, "Browser.close", &json!({}));
        let _ = lock(&browser.process).wait();
    }
}

fn start() -> Browser {
    let profile = tempfile::tempdir().expect("a temporary folder");
    let messages = profile.path().join("messages");
    let program = program();
    let mut process = Command::new("/bin/sh")
        .args(["-c", PIPES])
        .arg(&program)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        // Chromium refuses its sandbox to root, as whom containers run.
        .args(runs_as_root().then_some("--no-sandbox"))
        // In the locale "C", Chromium saves no file whose name is not ASCII.
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(File::create(&messages).expect("a new file in it"))
        .spawn()
        .expect("there is a shell");
    let (to, from) = (process.stdin.take(), process.stdout.take());
    let connection = Connection::new(to.expect("it was piped"), from.expect("it was piped"));
    if let Err(error) = connection.call(None, "Browser.getVersion", &json!({})) {
        let said = fs::read_to_string(&messages).unwrap_or_default();
        panic!(
            "failed to start {} ({error}): install Chromium, or name one in $CHROME\n{said}",
            program.display()
        );
    }
    Browser {
        connection: Arc::new(connection),
        process: Mutex::new(process),
        unused: Mutex::default(),
        _profile: profile,
    }
}

fn program() -> PathBuf {
    if let Some(named) = env::var_os("CHROME") {
        return named.into();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    let everywhere = |name| folders.iter().map(move |folder| folder.join(name));
    let mut programs = PROGRAMS.iter().flat_map(everywhere);
    let found = programs.find(|file: &PathBuf| Path::is_file(file));
    found.expect("Chromium is installed, or $CHROME names one")
}

fn runs_as_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut uid = status
        .lines()
        .find_map(|line| line.strip_prefix("Uid:"))
        .unwrap_or_default()
        .split_whitespace();
    uid.nth(1) == Some("0")
}
