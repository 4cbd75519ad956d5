//! What must not happen in any page: messages, exceptions, dialogs, requests.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::protocol::{Tab, lock};

/// Runs in every document ahead of its own scripts. What it sees goes to the
/// console, where nothing may be.
const TRAPS: &str = r#"
    addEventListener("securitypolicyviolation", (event) =>
        console.error("CSP violation:", event.violatedDirective, event.blockedURI, event.sample));
    Object.defineProperty(window, "__pwned", { set: () => console.error("a session ran as script"), get: () => undefined });
    window.open = (address) => console.error("a window was opened:", address);
"#;

/// How many different troubles a failure tells of.
const TOLD: usize = 10;

/// Collects what happens in one tab.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    troubles: Mutex<Vec<String>>,
    requests: Mutex<Vec<String>>,
    fences: Mutex<usize>,
}

impl Watch {
    /// Watches a tab from here on.
    pub(crate) fn over(tab: &Arc<Tab>) -> Arc<Watch> {
        let watch = Arc::new(Watch::default());
        let (listening, weak) = (Arc::clone(&watch), Arc::downgrade(tab));
        let listener = move |method: &str, event: &Value| {
            if listening.note(method, event) == Noted::Dialog
                && let Some(tab) = weak.upgrade()
            {
                tab.send("Page.handleJavaScriptDialog", &json!({"accept": false}));
            }
        };
        tab.listen(Arc::new(listener));
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": TRAPS}));
        watch
    }

    fn note(&self, method: &str, event: &Value) -> Noted {
        let trouble = match method {
            "Runtime.consoleAPICalled" => {
                let texts = event["args"].as_array().into_iter().flatten().map(text);
                let text = texts.collect::<Vec<_>>().join(" ");
                if text == FENCE {
                    *lock(&self.fences) += 1;
                    return Noted::Other;
                }
                format!("console: {text}")
            }
            "Runtime.exceptionThrown" => {
                let details = &event["exceptionDetails"];
                format!("exception: {} {}", words(&details["text"]), text(&details["exception"]))
            }
            "Log.entryAdded" => format!("log: {}", words(&event["entry"]["text"])),
            "Page.javascriptDialogOpening" => format!("dialog: {}", words(&event["message"])),
            "Network.requestWillBeSent" => {
                lock(&self.requests).push(words(&event["request"]["url"]));
                return Noted::Other;
            }
            _ => return Noted::Other,
        };
        lock(&self.troubles).push(trouble);
        if method == "Page.javascriptDialogOpening" { Noted::Dialog } else { Noted::Other }
    }

    /// How many fences have come through. See [`FENCE`].
    pub(crate) fn fences(&self) -> usize {
        *lock(&self.fences)
    }

    /// Forgets the troubles that hold these words, and tells how many there were.
    pub(crate) fn forget(&self, words: &str) -> usize {
        let mut troubles = lock(&self.troubles);
        let before = troubles.len();
        troubles.retain(|trouble| !trouble.contains(words));
        before - troubles.len()
    }

    /// Fails unless the page was silent and asked for nothing but itself.
    pub(crate) fn assert_clean(&self, address: &str) {
        let troubles: BTreeSet<_> = lock(&self.troubles).drain(..).collect();
        let told = troubles.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(troubles.is_empty(), "the page was not silent:\n{told}");
        let requests = lock(&self.requests);
        // The index of an archive loads what lies beside it, and leads to the pages of the folder.
        let folder = address.strip_suffix("index.html");
        let own = |url: &&String| {
            url.split(['?', '#']).next() == Some(address)
                || folder.is_some_and(|folder| url.starts_with(folder))
        };
        assert!(
            requests.iter().any(|url| own(&url)),
            "the request for the page itself went unseen"
        );
        let foreign: Vec<_> =
            requests.iter().filter(|url| !own(url) && !url.starts_with("data:")).collect();
        assert!(foreign.is_empty(), "the page asked for more than itself: {foreign:?}");
    }
}

/// A console message of the driver's own. Events come in order, so once it is
/// seen, all that the page caused before it has been seen too.
pub(crate) const FENCE: &str = "leafpress: fence";

#[derive(PartialEq, Eq)]
enum Noted {
    Dialog,
    Other,
}

/// What a remote object says.
fn text(object: &Value) -> String {
    match object.get("value") {
        Some(value) => words(value),
        None => words(&object["description"]),
    }
}

/// A string as it is, anything else as JSON.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
