//! What the other tests must not see is seen: without this, a console that nobody hears would pass them.

use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Browser, Engine, Exported};

in_each_engine!(troubles_are_heard);

fn troubles_are_heard(browser: &Browser) {
    let page = browser.open(&Exported::tree(), "");
    assert_eq!(page.troubles(), [""; 0]);
    let _: bool = page.get(
        "(() => {
            console.error('an error of the console');
            document.addEventListener('engine-tests', () => { throw new Error('an exception'); });
            document.dispatchEvent(new Event('engine-tests'));
            Promise.reject(new Error('a rejection'));
            new Image().src = 'https://image.invalid/x.png';
            return true;
        })()",
    );
    let end = Instant::now() + Duration::from_secs(30);
    let mut heard = Vec::new();
    // WebKit does not tell a page what was thrown by a script of the driver.
    let thrown =
        if browser.engine == Engine::WebKit { "exception: Script error." } else { "an exception" };
    for words in ["an error of the console", thrown, "a rejection", "image.invalid"] {
        while !heard.iter().any(|trouble: &String| trouble.contains(words)) {
            assert!(Instant::now() < end, "{words:?} was not heard: {heard:#?}");
            thread::sleep(Duration::from_millis(50));
            heard.extend(page.troubles());
        }
    }
}
