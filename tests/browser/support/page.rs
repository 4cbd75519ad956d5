//! A page in the browser, and what a reader does with it.

use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::exported::Exported;
use super::keys::stroke;
use super::opening::{Opening, Reader};
use super::protocol::Tab;
use super::reading::row;
use super::watch::{FENCE, Watch};

/// The largest session takes a few seconds to open on a slow machine; what is done while a page
/// is idle takes many times as long where other tests keep the processors busy.
const DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);

/// An open page. Until it is dropped it must be silent: no console message, exception, dialog or violation of the
/// policy, no request but the one for its file.
pub(crate) struct Page {
    tab: Arc<Tab>,
    watch: Arc<Watch>,
    reader: Rc<Reader>,
    /// Until the page is closed, so that it can be loaded again.
    _keeper: Arc<TempDir>,
    address: String,
    script: bool,
}

/// So many looks in a row must find an element where it was: heights settle over some frames, more under load.
const STILL: u32 = 3;

impl Page {
    pub(super) fn new(
        tab: Arc<Tab>,
        watch: Arc<Watch>,
        reader: Rc<Reader>,
        keeper: Arc<TempDir>,
        address: String,
        script: bool,
    ) -> Page {
        Page { tab, watch, reader, _keeper: keeper, address, script }
    }

    /// A page yet to be opened by the same reader, who shares storage and permissions with it.
    pub(crate) fn beside(&self, pressed: &Exported) -> Opening {
        pressed.opened_by(Rc::clone(&self.reader))
    }

    /// The id of its reader's storage and permissions, to be altered: no other test gets them.
    pub(crate) fn context_id(&self) -> &str {
        self.reader.context_id()
    }

    /// Loads the page, with a query or a fragment.
    pub(super) fn load(&self, suffix: &str) {
        self.navigate(&format!("{}{suffix}", self.address));
        self.wait_until_ready();
    }

    /// Loads a sealed page, and waits until it asks for its password or says why not.
    pub(crate) fn load_sealed(&self, suffix: &str) {
        self.navigate(&format!("{}{suffix}", self.address));
        self.wait(
            "the shell",
            "document.readyState === 'complete' && document.getElementById('unlock') !== null",
        );
        self.wait_until_drawn();
    }

    /// Waits until the page's script is in charge.
    pub(crate) fn wait_until_opened(&self) {
        self.wait_until_ready();
    }

    /// Leaves the page and loads it anew, as somebody who follows a link to it.
    pub(crate) fn load_anew(&self, suffix: &str) {
        self.navigate("about:blank");
        self.wait("the blank page", "location.href === 'about:blank'");
        self.load(suffix);
    }

    /// Loads the page again as it stands.
    pub(crate) fn reload(&self) {
        self.reader.storage.carry();
        self.run("window.__old = true");
        self.protocol("Page.reload", json!({}));
        self.wait("the page to be gone", "!window.__old");
        self.wait_until_ready();
    }

    fn navigate(&self, address: &str) {
        self.reader.storage.carry();
        let answer = self.protocol("Page.navigate", json!({"url": address}));
        assert_eq!(answer.get("errorText"), None, "{address} does not load");
    }

    fn wait_until_ready(&self) {
        let ready = if self.script {
            "document.documentElement.hasAttribute('data-ready')"
        } else {
            "location.protocol === 'file:' && document.readyState === 'complete'"
        };
        self.wait("the page to be ready", ready);
        self.wait_until_drawn();
    }

    /// One step back in the history.
    pub(crate) fn back(&self) {
        self.run("setTimeout(() => history.back())");
    }

    /// The value of a JavaScript expression.
    #[track_caller]
    pub(crate) fn get<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value =
            self.tab.evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
        serde_json::from_value(value.clone())
            .unwrap_or_else(|error| panic!("{expression}: {error}: {value}"))
    }

    /// The result of a JavaScript function.
    #[track_caller]
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &impl Serialize,
    ) -> T {
        self.get(&format!("({function})(...{})", json!(arguments)))
    }

    /// Runs JavaScript for its effect.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) {
        let () = self.get(&format!("(() => {{ {script} }})() ?? null"));
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        let end = Instant::now() + DEADLINE;
        let mut last = self.tab.evaluate(expression);
        // While a document loads there may be nothing to ask.
        while last != Ok(Value::Bool(true)) {
            assert!(Instant::now() < end, "waited in vain for {what}: {expression} gave {last:?}");
            thread::sleep(POLL);
            last = self.tab.evaluate(expression);
        }
    }

    /// Waits until an expression has a value.
    #[track_caller]
    pub(crate) fn wait_for<T: Serialize>(&self, expression: &str, value: T) {
        let value = json!(value);
        self.wait(
            &value.to_string(),
            &format!("(async () => JSON.stringify({expression}) === JSON.stringify({value}))()"),
        );
    }

    /// Waits until drawing and scrolling have come to rest.
    pub(crate) fn settle(&self) {
        let () = self.get(
            "new Promise((done) => { let left = 12; const frame = () => left-- > 0 ? requestAnimationFrame(frame) : done(null); frame(); })",
        );
    }

    /// Clicks the center of the first element that fits, as a mouse does, once it stands still.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let end = Instant::now() + DEADLINE;
        let (mut last, mut still) = (None, 0);
        loop {
            match self.call::<Result<[f64; 2], String>>(CENTER, &[selector]) {
                Ok(point) if last == Some(point) && still == STILL => return self.click_at(point),
                Ok(point) => {
                    still = if last == Some(point) { still + 1 } else { 0 };
                    last = Some(point);
                }
                Err(why) => assert!(Instant::now() < end, "failed to click {selector}: {why}"),
            }
            self.wait_for_frame();
        }
    }

    /// Chromium drops what is pressed before it has drawn a page once.
    fn wait_until_drawn(&self) {
        self.wait_for_frame();
        self.wait_for_frame();
    }

    /// Looks that follow each other faster than frames would find a page still that has not drawn yet.
    fn wait_for_frame(&self) {
        if self.script {
            let () = self.get("new Promise((done) => requestAnimationFrame(() => done(null)))");
        } else {
            thread::sleep(POLL);
        }
    }

    /// Clicks a point of the view.
    pub(crate) fn click_at(&self, [x, y]: [f64; 2]) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.protocol("Input.dispatchMouseEvent", event);
        }
    }

    /// Turns the mouse wheel over the text, by so many pixels downwards.
    pub(crate) fn wheel(&self, down: i32) {
        let event = json!({"type": "mouseWheel", "x": 900, "y": 500, "deltaX": 0, "deltaY": down});
        self.protocol("Input.dispatchMouseEvent", event);
    }

    /// Clicks the row of an entry, which must be drawn.
    #[track_caller]
    pub(crate) fn click_row(&self, key: &str) {
        self.click(&row(key));
    }

    /// Scrolls the tree until the row of an entry is drawn; the filter must show all entries.
    #[track_caller]
    pub(crate) fn scroll_to_row(&self, key: &str) {
        self.run(&format!(
            "const tree = document.getElementById('tree');
             const path = document.querySelectorAll('#transcript > article:not([hidden])');
             const rows = leafpress.rows(path[path.length - 1].id.slice('entry-'.length), 'all');
             const row = rows.findIndex(({{ id }}) => id === {});
             tree.scrollTop = (row / rows.length) * tree.scrollHeight - tree.clientHeight / 2;",
            json!(key)
        ));
        self.wait(
            "the row to be drawn",
            &format!("document.querySelector({}) !== null", json!(row(key))),
        );
    }

    /// Exports a key, such as `ArrowDown`.
    pub(crate) fn press(&self, key: &str) {
        self.stroke(key, false);
    }

    /// Exports a key while Shift is held.
    pub(crate) fn press_shift(&self, key: &str) {
        self.stroke(key, true);
    }

    fn stroke(&self, key: &str, shift: bool) {
        for event in stroke(key, shift) {
            self.protocol("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text into what has the focus.
    pub(crate) fn type_text(&self, text: &str) {
        self.protocol("Input.insertText", json!({"text": text}));
    }

    /// Waits until the upper edge of an entry lies in the view.
    #[track_caller]
    pub(crate) fn wait_until_in_view(&self, key: &str) {
        let id = json!(format!("entry-{key}"));
        let top = format!("document.getElementById({id}).getBoundingClientRect().top");
        self.wait("the entry to come into view", &format!("{top} >= 0 && {top} < innerHeight"));
    }

    /// Fails unless the page was silent and asked for nothing but itself.
    fn assert_clean(&self) {
        let fence = self.watch.fences() + 1;
        self.run(&format!("console.debug({})", json!(FENCE)));
        let end = Instant::now() + DEADLINE;
        while self.watch.fences() < fence {
            assert!(Instant::now() < end, "the console is not watched");
            thread::sleep(POLL);
        }
        let here: String = self.get("location.href");
        // From the index of an archive one goes to its pages.
        let folder = self.address.strip_suffix("index.html");
        let is_here = here.split(['?', '#']).next() == Some(self.address.as_str());
        assert!(
            is_here || folder.is_some_and(|folder| here.starts_with(folder)),
            "the page was left for {here}"
        );
        self.watch.assert_clean(&self.address);
    }

    /// Waits for an exception with these words, which is no trouble then.
    #[track_caller]
    pub(crate) fn expect_exception(&self, words: &str) {
        let end = Instant::now() + DEADLINE;
        while self.watch.forget(words) == 0 {
            assert!(Instant::now() < end, "waited in vain for an exception: {words}");
            thread::sleep(POLL);
        }
    }

    /// Forgets that files beside the page are missing, of which the browser tells as well.
    pub(crate) fn expect_missing_files(&self) {
        self.settle();
        assert!(self.watch.forget("net::ERR_FILE_NOT_FOUND") > 0, "no file is missing");
    }

    /// Calls a method of the protocol.
    #[track_caller]
    pub(crate) fn protocol(&self, method: &str, parameters: Value) -> Value {
        self.tab.call(method, parameters)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The reader of a page whose test failed goes with all of its pages.
        if !thread::panicking() {
            self.assert_clean();
            self.tab.close();
        }
    }
}

/// Where to click an element: its center, which must not be covered.
const CENTER: &str = r#"(selector) => {
    const element = document.querySelector(selector);
    if (element === null) return { Err: "it does not exist" };
    const center = () => {
        const box = element.getClientRects()[0];
        return box === undefined ? null : [box.left + box.width / 2, box.top + box.height / 2];
    };
    let point = center();
    if (point === null) return { Err: "it is not drawn" };
    if (!element.contains(document.elementFromPoint(...point))) {
        element.scrollIntoView({ block: "center" });
        point = center();
    }
    const hit = document.elementFromPoint(...point);
    return element.contains(hit) ? { Ok: point } : { Err: `${hit?.outerHTML.slice(0, 200)} is in its place` };
}"#;
