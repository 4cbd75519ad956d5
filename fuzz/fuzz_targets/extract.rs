//! Any bytes as a page: what is in it comes out, or an error says why not.

#![no_main]

use leafpress::extract::Page;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    look(bytes);
    // The same as what a page holds for certain, so that the parts behind it are reached.
    let page = [b"<script type=\"application/json\" id=\"source\">", bytes, b"</script>"].concat();
    look(&page);
});

fn look(page: &[u8]) {
    let Ok(page) = Page::find(page) else { return };
    let _ = page.is_sealed();
    let _ = page.session_file();
    let _ = page.child_files();
}
