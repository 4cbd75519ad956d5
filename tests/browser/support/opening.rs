//! How a page is opened, and for whom.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use serde_json::json;
use tempfile::TempDir;

use super::chromium::{self, Browser, Context};
use super::exported::Exported;
use super::page::Page;
use super::protocol::Tab;
use super::storage::Storage;
use super::watch::Watch;

/// Who opens pages: what they stored and allowed, until the last of their pages is closed.
pub(super) struct Reader {
    browser: &'static Browser,
    /// Until the reader is dropped.
    context: Option<Context>,
    /// Whether the test changes permissions or settings of the context.
    alters: Cell<bool>,
    pub(super) storage: Storage,
}

impl Reader {
    fn new() -> Reader {
        let browser = chromium::browser();
        let context = Some(browser.context());
        Reader { browser, context, alters: Cell::default(), storage: Storage::default() }
    }

    fn context(&self) -> &Context {
        self.context.as_ref().expect("it is taken when the reader is dropped")
    }

    /// The id of the context, to be altered: no other test gets it.
    pub(super) fn context_id(&self) -> &str {
        self.alters.set(true);
        self.context().id()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let Some(context) = self.context.take() else { return };
        if self.alters.get() || thread::panicking() {
            self.browser.dispose(&context);
        } else {
            self.browser.reuse(context);
        }
    }
}

impl Exported {
    /// The wide page as it opens by itself.
    pub(crate) fn open(&self) -> Page {
        self.page().open("")
    }

    /// A page yet to be opened, by a reader of its own: 1400 by 900, light, with JavaScript.
    pub(crate) fn page(&self) -> Opening {
        self.opened_by(Rc::new(Reader::new()))
    }

    pub(super) fn opened_by(&self, reader: Rc<Reader>) -> Opening {
        Opening {
            reader,
            keeper: self.keeper(),
            address: self.address(),
            width: 1400,
            height: 900,
            dark: false,
            script: true,
            clipboard: false,
        }
    }
}

/// A file of a folder, yet to be opened as [`Exported::page`].
pub(crate) fn file_in(folder: &Arc<TempDir>, name: &str) -> Opening {
    Opening {
        reader: Rc::new(Reader::new()),
        keeper: Arc::clone(folder),
        address: format!("file://{}", folder.path().join(name).display()),
        width: 1400,
        height: 900,
        dark: false,
        script: true,
        clipboard: false,
    }
}

/// How a page will be opened.
pub(crate) struct Opening {
    reader: Rc<Reader>,
    keeper: Arc<TempDir>,
    address: String,
    width: u32,
    height: u32,
    dark: bool,
    script: bool,
    clipboard: bool,
}

/// All pages write to the clipboard of the system; each reads what itself wrote there last.
const OWN_CLIPBOARD: &str = "(() => {
    const clipboard = navigator.clipboard;
    // The blank page has none.
    if (clipboard === undefined) return;
    const write = clipboard.writeText.bind(clipboard);
    let own = '';
    clipboard.writeText = async (text) => {
        await write(text);
        own = text;
    };
    clipboard.readText = async () => own;
})()";

impl Opening {
    /// The size of a phone.
    pub(crate) fn narrow(self) -> Self {
        Opening { width: 390, height: 844, ..self }
    }

    /// Of another size, in pixels.
    pub(crate) fn sized(self, width: u32, height: u32) -> Self {
        Opening { width, height, ..self }
    }

    /// On a system that asks for dark colors.
    pub(crate) fn dark(self) -> Self {
        Opening { dark: true, ..self }
    }

    /// With JavaScript turned off.
    pub(crate) fn without_script(self) -> Self {
        Opening { script: false, ..self }
    }

    /// By a reader who lets the page use the clipboard.
    pub(crate) fn with_clipboard(self) -> Self {
        Opening { clipboard: true, ..self }
    }

    /// Opens the page with a query or a fragment, and waits until its script is in charge.
    pub(crate) fn open(self, suffix: &str) -> Page {
        let page = self.blank();
        page.load(suffix);
        page
    }

    /// Opens a sealed page, which waits for its password.
    pub(crate) fn open_sealed(self, suffix: &str) -> Page {
        let page = self.blank();
        page.load_sealed(suffix);
        page
    }

    /// A page of its own that has loaded nothing.
    pub(crate) fn blank(self) -> Page {
        let tab = Arc::new(self.reader.context().open());
        let watch = Watch::over(&tab);
        self.emulate(&tab);
        if self.script {
            self.reader.storage.share_with(&tab);
        }
        Page::new(tab, watch, self.reader, self.keeper, self.address, self.script)
    }

    fn emulate(&self, tab: &Tab) {
        let size = json!({"width": self.width, "height": self.height, "deviceScaleFactor": 1.0, "mobile": false});
        tab.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if self.dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        tab.call("Emulation.setEmulatedMedia", features);
        tab.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        if !self.script {
            tab.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
        }
        if self.clipboard {
            let context = self.reader.context_id();
            let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "browserContextId": context});
            tab.call("Browser.grantPermissions", permissions);
            tab.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": OWN_CLIPBOARD}));
        }
    }
}
