//! The one Chromium of the run.

use std::env;
use std::fs;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::json;

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

/// The browser reads from descriptor 3 and writes to descriptor 4. It ends when nobody holds the other end any more,
/// however the tests have ended: nothing drops a static. The shell outlives both, and removes the profile `$0`.
const SHELL: &str = r#"
    trap : HUP INT TERM
    "$@" "--user-data-dir=$0" 3<&0 4>&1 </dev/null >/dev/null
    rm -rf "$0"
"#;

static BROWSER: OnceLock<Browser> = OnceLock::new();

/// A running browser.
pub(crate) struct Browser {
    connection: Arc<Connection>,
    /// Clean contexts that no test uses.
    unused: Mutex<Vec<Context>>,
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

/// The one browser of all tests, started by the first that asks.
pub(super) fn browser() -> &'static Browser {
    BROWSER.get_or_init(start)
}

#[expect(clippy::zombie_processes, reason = "the shell outlives the tests")]
fn start() -> Browser {
    let profile = tempfile::tempdir().expect("a temporary folder").keep();
    let mut messages = tempfile::tempfile().expect("a temporary file");
    let program = program();
    let mut process = Command::new("/bin/sh")
        .args(["-c", SHELL])
        .args([&profile, &program])
        .args(FLAGS)
        // Chromium refuses its sandbox to root, as whom containers run.
        .args(runs_as_root().then_some("--no-sandbox"))
        // In the locale "C", Chromium saves no file whose name is not ASCII.
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(messages.try_clone().expect("a second handle"))
        .spawn()
        .expect("there is a shell");
    let (to, from) = (process.stdin.take(), process.stdout.take());
    let connection = Connection::new(to.expect("it was piped"), from.expect("it was piped"));
    if let Err(error) = connection.call(None, "Browser.getVersion", &json!({})) {
        let mut said = String::new();
        messages.rewind().and_then(|()| messages.read_to_string(&mut said)).unwrap_or_default();
        panic!(
            "failed to start {} ({error}): install Chromium, or name one in $CHROME\n{said}",
            program.display()
        );
    }
    Browser { connection: Arc::new(connection), unused: Mutex::default() }
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
