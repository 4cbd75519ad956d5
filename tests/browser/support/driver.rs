//! One test's share of the browser.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::thread;

use serde_json::json;
use tempfile::TempDir;

use super::chromium::{Browser, Context};
use super::exported::Exported;
use super::page::Page;
use super::protocol::Tab;
use super::storage::Storage;
use super::watch::Watch;

/// Opens pages, in storage that no other test shares, and keeps them until the
/// test is over.
pub(crate) struct Driver<'a> {
    browser: &'a Browser,
    /// Until the driver is dropped.
    context: Option<Context>,
    /// Whether the test changes permissions or settings of the context.
    alters: Cell<bool>,
    pages: RefCell<Vec<Page>>,
    storage: Arc<Storage>,
}

impl<'a> Driver<'a> {
    pub(crate) fn new(browser: &'a Browser) -> Driver<'a> {
        Driver {
            browser,
            context: Some(browser.context()),
            alters: Cell::default(),
            pages: RefCell::default(),
            storage: Arc::default(),
        }
    }

    fn context(&self) -> &Context {
        self.context.as_ref().expect("it is taken when the driver is dropped")
    }

    /// A page yet to be opened: 1400 by 900, light, with JavaScript.
    pub(crate) fn page(&'a self, pressed: &Exported) -> Opening<'a> {
        Opening {
            driver: self,
            keeper: pressed.keeper(),
            address: pressed.address(),
            width: 1400,
            height: 900,
            dark: false,
            script: true,
            clipboard: false,
        }
    }

    /// The wide page of a session as it opens by itself.
    pub(crate) fn open(&'a self, pressed: &Exported) -> Page {
        self.page(pressed).open("")
    }

    /// The id of the storage and permissions that this test's pages share, to be altered: no other test gets them.
    pub(crate) fn context_id(&self) -> &str {
        self.alters.set(true);
        self.context().id()
    }

    /// Fails if any page was not silent. Every test ends with it.
    pub(crate) fn assert_clean(&self) {
        for page in self.pages.borrow().iter() {
            page.assert_clean();
        }
    }
}

impl Drop for Driver<'_> {
    fn drop(&mut self) {
        let Some(context) = self.context.take() else { return };
        if self.alters.get() || thread::panicking() {
            self.browser.dispose(&context);
        } else {
            for page in self.pages.borrow().iter() {
                page.close();
            }
            self.browser.reuse(context);
        }
    }
}

/// How a page will be opened.
pub(crate) struct Opening<'a> {
    driver: &'a Driver<'a>,
    keeper: Arc<TempDir>,
    address: String,
    width: u32,
    height: u32,
    dark: bool,
    script: bool,
    clipboard: bool,
}

impl Opening<'_> {
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
        let tab = Arc::new(self.driver.context().open());
        let watch = Watch::over(&tab);
        self.emulate(&tab);
        let storage = Arc::clone(&self.driver.storage);
        if self.script {
            storage.share_with(&tab);
        }
        let page = Page::new(tab, watch, storage, self.keeper, self.address, self.script);
        self.driver.pages.borrow_mut().push(page.clone());
        page
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
            let context = self.driver.context_id();
            let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "browserContextId": context});
            tab.call("Browser.grantPermissions", permissions);
        }
    }
}
