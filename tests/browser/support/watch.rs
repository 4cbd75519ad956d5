//! What must not happen in any page: messages, exceptions, dialogs, requests.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use headless_chrome::Tab;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Log, Network, Page, Runtime};
use serde_json::json;

use super::protocol::call;

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
        let listener = move |event: &Event| {
            if listening.note(event) == Noted::Dialog
                && let Some(tab) = weak.upgrade()
            {
                // Not here: the answer would come through this thread.
                std::thread::spawn(move || {
                    call::<Page::HandleJavaScriptDialog>(&tab, json!({"accept": false}));
                });
            }
        };
        tab.add_event_listener(Arc::new(listener)).expect("a new tab takes listeners");
        call::<Runtime::Enable>(tab, json!(null));
        call::<Log::Enable>(tab, json!(null));
        call::<Network::Enable>(tab, json!({}));
        call::<Page::AddScriptToEvaluateOnNewDocument>(tab, json!({"source": TRAPS}));
        watch
    }

    fn note(&self, event: &Event) -> Noted {
        let trouble = match event {
            Event::RuntimeConsoleAPICalled(event) => {
                let texts = event.params.args.iter().map(text);
                let text = texts.collect::<Vec<_>>().join(" ");
                if text == FENCE {
                    *lock(&self.fences) += 1;
                    return Noted::Other;
                }
                format!("console: {text}")
            }
            Event::RuntimeExceptionThrown(event) => {
                let details = &event.params.exception_details;
                let thrown = details.exception.as_ref().map(text).unwrap_or_default();
                format!("exception: {} {thrown}", details.text)
            }
            Event::LogEntryAdded(event) => format!("log: {}", event.params.entry.text),
            Event::PageJavascriptDialogOpening(event) => {
                format!("dialog: {}", event.params.message)
            }
            Event::NetworkRequestWillBeSent(event) => {
                lock(&self.requests).push(event.params.request.url.clone());
                return Noted::Other;
            }
            _ => return Noted::Other,
        };
        lock(&self.troubles).push(trouble);
        if matches!(event, Event::PageJavascriptDialogOpening(_)) {
            Noted::Dialog
        } else {
            Noted::Other
        }
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
        let own = |url: &&String| url.split(['?', '#']).next() == Some(address);
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

fn text(value: &Runtime::RemoteObject) -> String {
    match &value.value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => value.description.clone().unwrap_or_default(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
