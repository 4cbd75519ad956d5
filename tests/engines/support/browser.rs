//! A browser for one test: its driver, its session, and a limit for each request.

use std::fmt;
use std::future::Future;
use std::net::{Ipv4Addr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::Stdio;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::{self, Runtime};

use super::engine::{Engine, Programs, say};
use super::process::{Group, Screen, free_port};

/// Of one request. WebKit's driver never answers some of them, and a browser that hangs does not either.
const LIMIT: Duration = Duration::from_secs(25);
/// Of the start of a browser, which takes many times as long while others keep the processors busy.
const START: Duration = Duration::from_secs(90);
/// So many browsers run at once: each of them has several processes of its own.
const AT_ONCE: usize = 2;
pub(super) const POLL: Duration = Duration::from_millis(20);

/// Ends with all of its processes when it is dropped.
pub(crate) struct Browser {
    pub(crate) engine: Engine,
    pub(super) client: Client,
    runtime: Runtime,
    _driver: Group,
    _screen: Option<Screen>,
    /// Home and temporary files of the processes above, which end before it is removed.
    pub(super) home: TempDir,
}

/// A request that was not answered. It unwinds the test, which gets a new session once.
#[derive(Debug)]
pub(crate) struct Hang(String);

impl fmt::Display for Hang {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "no answer in time to: {}", self.0)
    }
}

/// Runs what may hang. Any other panic goes on.
pub(crate) fn attempt<T>(run: impl FnOnce() -> T) -> Result<T, Hang> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| match panic.downcast::<Hang>() {
        Ok(hang) => *hang,
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs a test in an engine, unless the engine is left out.
pub(crate) fn in_engine(engine: Engine, test: fn(&Browser)) {
    let Some(programs) = engine.programs() else { return };
    let _slot = Slot::take();
    let run = || test(&Browser::start(engine, &programs));
    let Err(hang) = attempt(run) else { return };
    say(&format!("{}: {hang}: once more in a new session", engine.name()));
    if let Err(hang) = attempt(run) {
        panic!("{}: {hang}, in a second session too", engine.name());
    }
}

impl Browser {
    fn start(engine: Engine, programs: &Programs) -> Browser {
        let home = tempfile::tempdir().expect("a temporary folder");
        let screen = programs.screen.as_deref().map(|program| Screen::start(program, &home));
        let display = screen.as_ref().map(|screen| screen.display.as_str());
        let port = free_port();
        let arguments = engine.arguments(port, free_port());
        let driver = Group::start(&programs.driver, &arguments, &home, display, Stdio::null());
        let end = Instant::now() + START;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if Instant::now() > end {
                hang(format!("start of {}", programs.driver.display()));
            }
            thread::sleep(POLL);
        }
        let runtime =
            runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let Value::Object(capabilities) = engine.capabilities(programs) else {
            unreachable!("they are an object")
        };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let address = format!("http://127.0.0.1:{port}");
        let client = runtime
            .block_on(async { tokio::time::timeout(START, builder.connect(&address)).await });
        let client = match client {
            Ok(client) => {
                client.unwrap_or_else(|error| panic!("{}: no session: {error}", engine.name()))
            }
            Err(_) => hang("a new session".to_owned()),
        };
        let browser = Browser { engine, client, runtime, _driver: driver, _screen: screen, home };
        browser.answer("size of the window", browser.client.set_window_rect(0, 0, 1400, 900));
        browser
    }

    /// Another one of the same engine, in place of one that hangs.
    pub(crate) fn anew(&self) -> Browser {
        Browser::start(self.engine, &self.engine.programs().expect("it has run"))
    }

    /// The answer to a request, which may be an error of the driver.
    pub(super) fn try_answer<T>(
        &self,
        what: &str,
        request: impl Future<Output = Result<T, CmdError>>,
    ) -> Result<T, CmdError> {
        let answer = self.runtime.block_on(async { tokio::time::timeout(LIMIT, request).await });
        answer.unwrap_or_else(|_| hang(what.to_owned()))
    }

    #[track_caller]
    pub(super) fn answer<T>(
        &self,
        what: &str,
        request: impl Future<Output = Result<T, CmdError>>,
    ) -> T {
        self.try_answer(what, request)
            .unwrap_or_else(|error| panic!("{}: {what}: {error}", self.engine.name()))
    }

    /// A command that only this driver has.
    #[track_caller]
    pub(super) fn own_command(&self, path: &'static str, body: Value) -> Value {
        self.answer(path, self.client.issue_cmd(OwnCommand { path, body }))
    }

    /// Runs a script in Firefox's own windows instead of in the page.
    #[track_caller]
    pub(super) fn in_firefox_itself(&self, script: &str) -> Value {
        self.own_command("moz/context", serde_json::json!({"context": "chrome"}));
        let value = self.answer("a script in the browser", self.client.execute(script, Vec::new()));
        self.own_command("moz/context", serde_json::json!({"context": "content"}));
        value
    }
}

/// The right to run a browser.
struct Slot;

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

impl Slot {
    fn take() -> Slot {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = ENDED
            .wait_while(running, |running| *running == AT_ONCE)
            .unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        Slot
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        ENDED.notify_one();
    }
}

/// Not by `panic!`: the hook would print it as the failure that it is not yet.
fn hang(what: String) -> ! {
    resume_unwind(Box::new(Hang(what)))
}

#[derive(Debug)]
struct OwnCommand {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for OwnCommand {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
