//! What the pages of one reader have stored.
//!
//! Chromium hands what a page stored to the next one behind its back, and under load now and then not at all
//! (seen with 156: a page that never gets what another one stored a second before). What is tested is what
//! leafpress stores and reads, so the driver carries it from page to page itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::protocol::{Tab, lock};

/// What a page stored since it was asked last: nothing from a document without a storage.
const CHANGES: &str = "(() => {
    try {
        const [was, now] = [window.__stored ?? {}, { ...localStorage }];
        window.__stored = now;
        return Object.keys({ ...was, ...now }).filter((key) => was[key] !== now[key]).map((key) => [key, now[key] ?? null]);
    } catch {
        return [];
    }
})()";

/// The storage of one reader's pages.
#[derive(Default)]
pub(super) struct Storage {
    pages: Mutex<Vec<SharingPage>>,
    stored: Mutex<BTreeMap<String, String>>,
}

struct SharingPage {
    tab: Arc<Tab>,
    /// The script that its documents begin with, as the protocol names it.
    script: Option<Value>,
}

impl Storage {
    /// From now on this page is one of those that share the storage.
    pub(super) fn share_with(&self, tab: &Arc<Tab>) {
        lock(&self.pages).push(SharingPage { tab: Arc::clone(tab), script: None });
    }

    /// Has the next document of each page begin with what all of them stored.
    pub(super) fn carry(&self) {
        let (mut pages, mut stored) = (lock(&self.pages), lock(&self.stored));
        for page in pages.iter() {
            // A page that hangs or is being loaded has nothing to say.
            let changes = page.tab.evaluate(CHANGES).unwrap_or_default();
            let changes: Vec<(String, Option<String>)> =
                serde_json::from_value(changes).unwrap_or_default();
            for (key, value) in changes {
                match value {
                    Some(value) => stored.insert(key, value),
                    None => stored.remove(&key),
                };
            }
        }
        let source = format!(
            "try {{
                localStorage.clear();
                Object.assign(localStorage, {});
                window.__stored = {{ ...localStorage }};
            }} catch {{ /* It is denied, or this is no page yet. */ }}",
            json!(*stored)
        );
        for page in pages.iter_mut() {
            if let Some(script) = page.script.take() {
                page.tab.call("Page.removeScriptToEvaluateOnNewDocument", script);
            }
            let script = json!({"source": source});
            page.script = Some(page.tab.call("Page.addScriptToEvaluateOnNewDocument", script));
        }
    }
}
