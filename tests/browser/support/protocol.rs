//! The browser's protocol, over a pair of pipes.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

/// Without an answer for so long, the browser hangs.
const HANGS: Duration = Duration::from_secs(180);

/// What is done with an event: its method and its parameters.
pub(crate) type Listener = dyn Fn(&str, &Value) + Send + Sync;

type Answer = Result<Value, String>;

/// What all tests share: calls go out and answers come back in any order.
pub(crate) struct Connection {
    to: Mutex<ChildStdin>,
    last: AtomicU64,
    routes: Arc<Mutex<Routes>>,
}

/// Who waits for what.
#[derive(Default)]
struct Routes {
    calls: HashMap<u64, Sender<Answer>>,
    listeners: HashMap<String, Arc<Listener>>,
    ended: bool,
}

/// An answer if it has an id, an event if it has a method.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Option<u64>,
    session_id: Option<String>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Value>,
}

impl Connection {
    pub(crate) fn new(to: ChildStdin, from: ChildStdout) -> Connection {
        let routes = Arc::<Mutex<Routes>>::default();
        let reader = Arc::clone(&routes);
        thread::spawn(move || read(from, &reader));
        Connection { to: Mutex::new(to), last: AtomicU64::new(0), routes }
    }

    /// Calls a method of a session, or of the browser, and waits for the answer.
    pub(crate) fn call(&self, session: Option<&str>, method: &str, parameters: &Value) -> Answer {
        match self.send(session, method, parameters).recv_timeout(HANGS) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err("the browser hangs".to_owned()),
            Err(RecvTimeoutError::Disconnected) => Err("the browser has ended".to_owned()),
        }
    }

    /// Calls a method; the answer may be awaited or not.
    pub(crate) fn send(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: &Value,
    ) -> Receiver<Answer> {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = mpsc::channel();
        let mut routes = lock(&self.routes);
        if !routes.ended {
            routes.calls.insert(id, sender);
        }
        drop(routes);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let message = format!("{message}\0");
        // A browser that has ended takes no calls: the reader finds out and drops their senders.
        let _ = lock(&self.to).write_all(message.as_bytes());
        receiver
    }

    fn listen(&self, session: &str, listener: Arc<Listener>) {
        lock(&self.routes).listeners.insert(session.to_owned(), listener);
    }
}

/// Hands out what arrives until the browser ends.
fn read(from: ChildStdout, routes: &Mutex<Routes>) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::new();
    while from.read_until(0, &mut bytes).is_ok_and(|len| len > 0) {
        let bytes = std::mem::take(&mut bytes);
        let text = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
        let Ok(message) = serde_json::from_slice::<Message>(text) else { continue };
        if let Some(id) = message.id {
            let call = lock(routes).calls.remove(&id);
            let answer = match message.error {
                Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
                None => Ok(message.result),
            };
            // Not every caller waits.
            let _ = call.map(|call| call.send(answer));
        } else if let (Some(session), Some(method)) = (&message.session_id, &message.method) {
            let listener = lock(routes).listeners.get(session).cloned();
            if let Some(listener) = listener {
                listener(method, &message.params);
            }
        }
    }
    let mut routes = lock(routes);
    routes.ended = true;
    routes.calls.clear();
}

/// One page as the protocol sees it.
pub(crate) struct Tab {
    connection: Arc<Connection>,
    target: Value,
    session: String,
}

impl Tab {
    /// Opens a blank page in a context.
    pub(crate) fn open(connection: &Arc<Connection>, context: &str) -> Tab {
        let ask = |method: &str, parameters: Value| {
            let answer = connection.call(None, method, &parameters);
            answer.unwrap_or_else(|error| panic!("{method} failed: {error}"))
        };
        let new = json!({"url": "about:blank", "browserContextId": context});
        let target = ask("Target.createTarget", new)["targetId"].take();
        let attach = json!({"targetId": target, "flatten": true});
        let session = ask("Target.attachToTarget", attach)["sessionId"].take();
        let session = session.as_str().expect("a session has an id").to_owned();
        Tab { connection: Arc::clone(connection), target, session }
    }

    /// Calls a method that must not fail.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "parameters are made in place")]
    pub(crate) fn call(&self, method: &str, parameters: Value) -> Value {
        let answer = self.connection.call(Some(&self.session), method, &parameters);
        answer.unwrap_or_else(|error| panic!("{method} failed: {error}"))
    }

    /// Closes the page, without the questions that it may ask.
    pub(crate) fn close(&self) {
        let target = json!({"targetId": self.target});
        let answer = self.connection.call(None, "Target.closeTarget", &target);
        answer.unwrap_or_else(|error| panic!("a page does not close: {error}"));
    }

    /// Calls a method without waiting for its answer.
    pub(crate) fn send(&self, method: &str, parameters: &Value) {
        drop(self.connection.send(Some(&self.session), method, parameters));
    }

    /// Has events heard, on the thread that also receives answers: a listener must not wait for one.
    pub(crate) fn listen(&self, listener: Arc<Listener>) {
        self.connection.listen(&self.session, listener);
    }

    /// The value of a JavaScript expression, awaited if it is a promise.
    pub(crate) fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer =
            self.connection.call(Some(&self.session), "Runtime.evaluate", &parameters)?;
        match answer.get("exceptionDetails") {
            Some(details) => {
                let thrown = details["exception"]["description"].as_str();
                Err(thrown.or(details["text"].as_str()).unwrap_or_default().to_owned())
            }
            None => Ok(answer["result"]["value"].take()),
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        lock(&self.connection.routes).listeners.remove(&self.session);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
