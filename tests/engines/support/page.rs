//! An open page, and what a reader does with it.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use fantoccini::actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::browser::{Browser, POLL};
use super::engine::Engine;
use super::exported::Exported;
use super::keys::stroke;
use super::watch;

/// Several browsers share few processors: a slow one is no failure.
const DEADLINE: Duration = Duration::from_secs(55);

/// The width and height of a phone.
const PHONE: [u32; 2] = [390, 844];

/// Until it is dropped, it must be silent, and stay on its file.
pub(crate) struct Page<'a> {
    browser: &'a Browser,
    address: String,
    _keeper: Arc<TempDir>,
}

impl Browser {
    /// Opens a page, with a query or a fragment, and waits until its script is in charge.
    pub(crate) fn open<'a>(&'a self, exported: &Exported, suffix: &str) -> Page<'a> {
        let page = self.page(exported);
        page.load(suffix);
        page.wait_until_ready();
        page
    }

    /// Opens a file of a folder, and waits until its script is in charge.
    pub(crate) fn open_file<'a>(
        &'a self,
        folder: &Arc<TempDir>,
        name: &str,
        suffix: &str,
    ) -> Page<'a> {
        let page = self.page_of(folder, name);
        page.load(suffix);
        page.wait_until_ready();
        page
    }

    /// The same, exactly as wide as a phone.
    pub(crate) fn open_file_narrow<'a>(
        &'a self,
        folder: &Arc<TempDir>,
        name: &str,
        suffix: &str,
    ) -> Page<'a> {
        self.narrow(self.page_of(folder, name), suffix)
    }

    fn page_of<'a>(&'a self, folder: &Arc<TempDir>, name: &str) -> Page<'a> {
        let path = folder.path().join(name);
        watch::prepare_file(self.engine, &path);
        let address = format!("file://{}", path.display());
        Page { browser: self, address, _keeper: Arc::clone(folder) }
    }

    /// Opens a password-protected page, and waits until it asks for the password.
    pub(crate) fn open_sealed<'a>(&'a self, exported: &Exported, suffix: &str) -> Page<'a> {
        let page = self.page(exported);
        page.load(suffix);
        page.wait("the question", "document.getElementById('unlock') !== null && !document.getElementById('unlock').inert");
        page
    }

    /// Opens a page that is exactly as wide as a phone.
    pub(crate) fn open_narrow<'a>(&'a self, exported: &Exported, suffix: &str) -> Page<'a> {
        self.narrow(self.page(exported), suffix)
    }

    /// Each engine needs its own way: the windows of Firefox and WebKit have a least width above a phone's.
    fn narrow<'a>(&'a self, page: Page<'a>, suffix: &str) -> Page<'a> {
        let [width, height] = PHONE;
        match self.engine {
            Engine::Chromium => {
                let bars: u32 = page.get("outerHeight - innerHeight");
                self.answer(
                    "size of the window",
                    self.client.set_window_rect(0, 0, width, height + bars),
                );
                page.load(suffix);
            }
            Engine::Firefox => {
                // A window that has room for it.
                self.answer("size of the window", self.client.set_window_rect(0, 0, 700, 1000));
                self.in_firefox_itself(&format!(
                    "const style = gBrowser.selectedBrowser.style;
                     style.minWidth = style.maxWidth = '{width}px';
                     style.minHeight = style.maxHeight = '{height}px';"
                ));
                page.load(suffix);
            }
            Engine::WebKit => {
                let opener = self.home.path().join("opener.html");
                let address = json!(format!("{}{suffix}", page.address));
                let button = format!(
                    "<button onclick='window.open({address}, \"\", \"popup,width={width},height={height}\")'>Open</button>"
                );
                fs::write(&opener, button).expect("room for a file");
                self.answer(
                    "a page with a button",
                    self.client.goto(&format!("file://{}", opener.display())),
                );
                let first = self.answer("the window", self.client.window());
                page.click("button");
                let end = Instant::now() + DEADLINE;
                let popup = loop {
                    let windows = self.answer("the windows", self.client.windows());
                    if let Some(popup) = windows.into_iter().find(|window| *window != first) {
                        break popup;
                    }
                    assert!(Instant::now() < end, "waited in vain for the window");
                    thread::sleep(POLL);
                };
                self.answer("the new window", self.client.switch_to_window(popup));
            }
        }
        page.wait_until_ready();
        page.wait_for("[innerWidth, innerHeight]", [width, height]);
        page
    }

    fn page<'a>(&'a self, exported: &Exported) -> Page<'a> {
        watch::prepare(self.engine, exported);
        Page { browser: self, address: exported.address(), _keeper: exported.keeper() }
    }
}

impl Page<'_> {
    fn load(&self, suffix: &str) {
        let address = format!("{}{suffix}", self.address);
        self.browser.answer("opening the page", self.browser.client.goto(&address));
    }

    /// Waits until the page's script is in charge.
    #[track_caller]
    pub(crate) fn wait_until_ready(&self) {
        self.wait("the page to be ready", "document.documentElement.hasAttribute('data-ready')");
        self.settle();
    }

    /// The value of a JavaScript expression, also of a promise.
    #[track_caller]
    pub(crate) fn get<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value =
            self.try_get(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
        serde_json::from_value(value.clone())
            .unwrap_or_else(|error| panic!("{expression}: {error}: {value}"))
    }

    fn try_get(&self, expression: &str) -> Result<Value, String> {
        let script = format!("return ({expression})");
        let request = self.browser.client.execute(&script, Vec::new());
        self.browser.try_answer(expression, request).map_err(|error| error.to_string())
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

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        self.wait_until(what, expression, &Value::Bool(true));
    }

    /// Waits until an expression has a value.
    #[track_caller]
    pub(crate) fn wait_for<T: Serialize>(&self, expression: &str, value: T) {
        let value = json!(value);
        self.wait_until(&value.to_string(), expression, &value);
    }

    #[track_caller]
    fn wait_until(&self, what: &str, expression: &str, value: &Value) {
        let end = Instant::now() + DEADLINE;
        let mut last = self.try_get(expression);
        // While a document loads there may be nothing to ask.
        while last.as_ref() != Ok(value) {
            let engine = self.browser.engine.name();
            assert!(
                Instant::now() < end,
                "{engine}: waited in vain for {what}: {expression} gave {last:?}"
            );
            thread::sleep(POLL);
            last = self.try_get(expression);
        }
    }

    /// Waits until drawing and scrolling have come to rest.
    pub(crate) fn settle(&self) {
        let () = self.get("new Promise((done) => { let left = 12; const frame = () => left-- > 0 ? requestAnimationFrame(frame) : done(null); frame(); })");
    }

    /// Clicks the center of the first element that fits, as a mouse does, once it stands still.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let end = Instant::now() + DEADLINE;
        let mut last = None;
        loop {
            match self.call::<(Option<[f64; 2]>, String)>(CENTER, &[selector]) {
                (Some(point), _) if last == Some(point) => return self.click_at(point),
                (point, why) => {
                    assert!(Instant::now() < end, "failed to click {selector}: {why}");
                    last = point;
                }
            }
            thread::sleep(POLL);
        }
    }

    /// Clicks a point of the view.
    pub(crate) fn click_at(&self, [x, y]: [f64; 2]) {
        let mouse = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.browser.answer("a click", self.browser.client.perform_actions(mouse));
    }

    /// Presses a key, such as `j` or `Enter`.
    pub(crate) fn press(&self, key: &str) {
        self.browser.answer("a key", self.browser.client.perform_actions(stroke(&[], key)));
    }

    /// Pastes into what has the focus.
    pub(crate) fn paste(&self) {
        self.browser
            .answer("pasting", self.browser.client.perform_actions(stroke(&[Key::Control], "v")));
    }

    /// Types a text into what has the focus.
    pub(crate) fn type_text(&self, text: &str) {
        let client = &self.browser.client;
        self.browser
            .answer("typing", async { client.active_element().await?.send_keys(text).await });
    }

    /// One step back in the history.
    pub(crate) fn back(&self) {
        self.browser.answer("going back", self.browser.client.back());
    }

    /// One step forward in the history.
    pub(crate) fn forward(&self) {
        self.browser.answer("going forward", self.browser.client.forward());
    }

    /// The colors in a box of the view: rows of pixels in shades of gray. The view has a pixel of the screen for
    /// each of its own.
    pub(crate) fn shades(&self, [left, top, width, height]: [usize; 4]) -> Vec<Vec<u8>> {
        let picture = self.browser.answer("a screenshot", self.browser.client.screenshot());
        let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size that fits")];
        let frame = reader.next_frame(&mut pixels).expect("a picture");
        let samples = frame.color_type.samples();
        let shade = |x: usize, y: usize| pixels[y * frame.line_size + x * samples + 1];
        (top..top + height).map(|y| (left..left + width).map(|x| shade(x, y)).collect()).collect()
    }

    /// The page on paper, as a PDF. WebKit's driver cannot print.
    pub(crate) fn print(&self) -> Vec<u8> {
        let printed = self.browser.own_command("print", json!({}));
        BASE64.decode(printed.as_str().expect("it is a text").as_bytes()).expect("in base64")
    }

    /// What happened in the page since the last look.
    pub(crate) fn troubles(&self) -> Vec<String> {
        watch::troubles(self.browser)
    }

    /// The text of the first element that fits.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        self.call("(s) => document.querySelector(s).textContent", &[selector])
    }

    /// How many elements fit.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> usize {
        self.call("(s) => document.querySelectorAll(s).length", &[selector])
    }

    /// The keys of the articles that are rendered, in document order.
    pub(crate) fn shown_articles(&self) -> Vec<String> {
        self.get("Array.from(document.querySelectorAll('#transcript > article')).filter((a) => a.getClientRects().length > 0).map((a) => a.id.slice('entry-'.length))")
    }

    /// The keys of the drawn rows, from above.
    pub(crate) fn drawn_rows(&self) -> Vec<String> {
        self.get("Array.from(document.querySelectorAll('#tree [role=treeitem]')).sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((row) => row.dataset.entryId)")
    }

    /// The key of the chosen row, which must be drawn.
    pub(crate) fn selected_row(&self) -> Option<String> {
        self.get("document.querySelector('#tree [aria-selected=true]')?.dataset.entryId ?? null")
    }

    /// Waits until the upper edge of an entry lies in the view.
    #[track_caller]
    pub(crate) fn wait_until_in_view(&self, key: &str) {
        let id = json!(format!("entry-{key}"));
        let top = format!("document.getElementById({id})?.getBoundingClientRect().top");
        self.wait("the entry to come into view", &format!("{top} >= 0 && {top} < innerHeight"));
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        if !thread::panicking() {
            let here: String = self.get("location.href");
            assert_eq!(
                here.split(['?', '#']).next(),
                Some(self.address.as_str()),
                "the page was left"
            );
            let troubles = self.troubles();
            assert!(
                troubles.is_empty(),
                "{}: the page was not silent: {troubles:#?}",
                self.browser.engine.name()
            );
        }
    }
}

/// Whether rows that are drawn are some of all rows, in their order. The last row on the screen may be followed by
/// a distant one that the page keeps.
pub(crate) fn is_part_of(drawn: &[String], rows: &[String]) -> bool {
    let mut rest = rows.iter();
    drawn.iter().all(|row| rest.any(|other| other == row))
}

/// Where to click an element: its center, which must not be covered; or why it cannot be clicked.
const CENTER: &str = r#"(selector) => {
    const element = document.querySelector(selector);
    if (element === null) return [null, "it does not exist"];
    const center = () => {
        const box = element.getClientRects()[0];
        return box === undefined ? null : [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
    };
    let point = center();
    if (point === null) return [null, "it is not drawn"];
    if (!element.contains(document.elementFromPoint(...point))) {
        element.scrollIntoView({ block: "center" });
        point = center();
    }
    const hit = document.elementFromPoint(...point);
    return element.contains(hit) ? [point, ""] : [null, `${hit?.outerHTML.slice(0, 200)} is in its place`];
}"#;
