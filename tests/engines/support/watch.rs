//! What must not happen in any page: messages in the console, exceptions, violations of its policy.
//!
//! Each engine says as much as its driver allows:
//!
//! * Chromium: its driver has the log of the page's console, with exceptions and violations.
//! * Firefox: the browser's own console has the same. A script in the browser's own window reads it.
//! * WebKit: its driver has no log, and MiniBrowser prints none of a session of the driver. A script of the test is
//!   put into the file ahead of the policy, and listens from before the page's first script. It does not see
//!   what the browser alone writes into the console. What a password opens is a new document: of that it sees calls
//!   of `console`, and nothing else.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::browser::Browser;
use super::engine::Engine;
use super::exported::Exported;

const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

const LISTENER: &str = r#"<script>
window.__troubles = [];
for (const level of ["debug", "log", "info", "warn", "error", "assert", "trace"]) {
    console[level] = (...words) => window.__troubles.push(`console.${level}: ${words.join(" ")}`);
}
addEventListener("error", (event) => window.__troubles.push(`exception: ${event.error?.message ?? event.message}`));
addEventListener("unhandledrejection", (event) => window.__troubles.push(`rejection: ${event.reason}`));
document.addEventListener("securitypolicyviolation", (event) => window.__troubles.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
</script>"#;

/// Messages of pages, without those of the browser's own windows. What a page says to `console` is kept by the process
/// that shows it: a script of the browser goes there.
const FIREFOX: &str = r"
    const own = (message) => message instanceof Ci.nsIScriptError && message.sourceName.startsWith('file:');
    const said = Services.console.getMessageArray().filter(own).map((message) => `${message.category}: ${message.errorMessage} (line ${message.lineNumber})`);
    Services.console.reset();
    const inPage = `
        const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
        const calls = storage.getEvents().filter((event) => event.filename.startsWith('file:'));
        storage.clearEvents();
        sendAsyncMessage('engine-tests', calls.map((event) => 'console.' + event.level + ': ' + Array.from(event.arguments, String).join(' ')));
    `;
    const to = gBrowser.selectedBrowser.messageManager;
    return new Promise((done) => {
        const listener = ({ data }) => {
            to.removeMessageListener('engine-tests', listener);
            done([...said, ...data]);
        };
        to.addMessageListener('engine-tests', listener);
        to.loadFrameScript(`data:,${encodeURIComponent(`{${inPage}}`)}`, false);
    });
";

/// Puts the listener into the file of a page where nothing else can listen.
pub(super) fn prepare(engine: Engine, exported: &Exported) {
    if engine != Engine::WebKit {
        return;
    }
    exported.change_page(with_listener);
}

/// The same for a file that other tests open, too.
pub(super) fn prepare_file(engine: Engine, path: &Path) {
    if engine != Engine::WebKit {
        return;
    }
    let html = with_listener(fs::read_to_string(path).expect("the page is there"));
    let beside = path.with_extension("new");
    fs::write(&beside, html).and_then(|()| fs::rename(beside, path)).expect("room for a page");
}

fn with_listener(html: String) -> String {
    if html.contains(LISTENER) {
        return html;
    }
    assert!(html.contains(POLICY), "the page has a policy");
    html.replacen(POLICY, &format!("{LISTENER}{POLICY}"), 1)
}

/// What happened since the last look.
pub(super) fn troubles(browser: &Browser) -> Vec<String> {
    let said = match browser.engine {
        Engine::Chromium => browser.own_command("se/log", serde_json::json!({"type": "browser"})),
        Engine::Firefox => browser.in_firefox_itself(FIREFOX),
        Engine::WebKit => {
            let script = "return window.__troubles.splice(0)";
            browser.answer("what was heard", browser.client.execute(script, Vec::new()))
        }
    };
    let said = said.as_array().expect("a list of messages");
    said.iter()
        .map(|message| message.as_str().map_or_else(|| words(message), str::to_owned))
        .collect()
}

/// An entry of Chromium's log.
fn words(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    format!("{} {}: {}", text("source"), text("level"), text("message"))
}
