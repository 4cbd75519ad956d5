//! A sealed page opens with its password alone, and is then the page that was sealed.

use leafpress::Filter;
use serde_json::json;

use crate::support::sessions;
use crate::support::{Exported, Page, article, own_file};

/// With a letter that keyboards write in two ways.
const PASSWORD: &str = "tide and e\u{301}clair";

const SAID: &str = "document.getElementById('said').textContent";

fn sealed(path: &str) -> Exported {
    let source = std::fs::read(own_file(path)).unwrap();
    Exported::sealed(leafpress::read(source).unwrap(), PASSWORD)
}

fn tree() -> Exported {
    sealed("tests/fixtures/samples/pi-1.5-tree.jsonl")
}

/// More than ten packs, sealed in more than one chunk.
fn long() -> Exported {
    let mut source = sessions::packed(2500);
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{state:016x}")
    });
    let noise: String = noise.take(50_000).collect();
    source.extend(
        json!({"type": "custom", "id": "noise", "parentId": null, "data": noise})
            .to_string()
            .bytes(),
    );
    let pressed = Exported::sealed(leafpress::read(source).unwrap(), PASSWORD);
    assert!(pressed.html().contains("id=\"sealed-1\""), "more than one chunk");
    pressed
}

/// Types a password where the shell asks for it.
fn answer(page: &Page, password: &str) {
    page.wait("the form to wait", "!document.getElementById('unlock').inert");
    page.run("document.getElementById('password').select()");
    page.type_text(password);
    page.press("Enter");
}

#[track_caller]
fn wait_until_said(page: &Page, words: &str) {
    page.wait(words, &format!("({SAID}).includes({})", json!(words)));
    assert_eq!(page.get::<String>("document.getElementById('said').getAttribute('role')"), "alert");
    assert!(!page.get::<bool>("document.getElementById('unlock').inert"));
}

#[test]
fn opens_with_the_password() {
    let pressed = tree();
    let page = pressed.page().open_sealed("");
    assert_eq!(page.text("h1"), "Password-protected session");
    answer(&page, "tide and \u{e9}clair");
    page.wait_until_opened();
    assert_eq!(page.shown_articles(), pressed.path(&pressed.leaf()));
    assert_eq!(page.drawn_rows(), pressed.row_ids(&pressed.leaf(), Filter::Default, ""));
    assert_eq!(page.notice(), None);
    assert_eq!(page.count("#unlock, [id^=sealed]"), 0);
    let policy = "document.querySelector('meta[http-equiv]').content";
    let plain = Exported::tree().open();
    assert_eq!(page.get::<String>(policy), plain.get::<String>(policy));
    // The browser's history would keep it.
    assert_eq!(page.get::<String>("document.title"), "Password-protected session");
}

#[test]
fn a_wrong_password_says_so() {
    let page = tree().page().open_sealed("");
    for wrong in ["tide and eclair", "tide and \u{e9}clair "] {
        answer(&page, wrong);
        wait_until_said(&page, "Wrong password");
        assert_eq!(page.get::<String>("document.activeElement.id"), "password");
        page.run("document.getElementById('said').textContent = ''");
    }
    answer(&page, PASSWORD);
    page.wait_until_opened();
}

#[test]
fn nothing_is_told_before() {
    let pressed = sealed("examples/lighthouse.jsonl");
    let page = pressed.page().open_sealed("");
    answer(&page, "wrong");
    wait_until_said(&page, "Wrong password");
    let document: String = page.get("document.documentElement.outerHTML");
    let (file, title) = (pressed.html(), pressed.session.title().unwrap());
    let lines = pressed.texts().iter().flat_map(|text| text.lines()).filter(|line| line.len() > 20);
    assert!(lines.clone().count() > 50);
    for line in lines.chain([title]) {
        assert!(!file.contains(line) && !document.contains(line), "{line}");
    }
    for key in pressed.keys() {
        assert!(!file.contains(&key) && !document.contains(&key), "{key}");
    }
}

#[test]
fn nothing_is_kept() {
    let page = tree().page().open_sealed("");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    let kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie, window.name])";
    let kept: String = page.get(kept);
    assert!(!kept.contains("tide") && kept.len() < 200, "{kept}");
    page.load_sealed("");
    assert_eq!(page.get::<String>("document.getElementById('password').value"), "");
    assert_eq!(page.count("#unlock:not([hidden])"), 1);
}

#[test]
fn links_lead_to_their_entries() {
    let pressed = tree();
    let link = "?leafId=t0000006&targetId=t0000003";
    let page = pressed.page().open_sealed(link);
    answer(&page, PASSWORD);
    page.wait_until_opened();
    assert_eq!(page.shown_articles(), pressed.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    page.wait_for(ADDRESS, link.replace('?', "#"));
    let page = pressed.page().open_sealed("#entry-t0000003");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    page.wait_until_in_view("t0000003");
}

/// Query and fragment as the history has them.
const ADDRESS: &str = "location.search + location.hash";

/// Whatever the reader does, ids stand behind `#`, which no server and no referrer gets.
#[test]
fn what_is_read_stays_out_of_the_address() {
    let pressed = tree();
    let page = pressed.page().open_sealed("?utm=1&leafId=t0000006&filter=all");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000006&filter=all");
    page.run("leafpress.go({ leafId: 't0000025', targetId: 't0000002' })");
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000025&targetId=t0000002&filter=all");
    page.click("button[data-filter=default]");
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000025&targetId=t0000002");
    page.run("leafpress.go({ leafId: 't0000025', compare: 't0000006' })");
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000025&compare=t0000006");
    page.run("history.go(-2)");
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000006&filter=all");
    page.wait_for("document.querySelector('[data-filter=all]').ariaPressed", "true");
    assert_eq!(page.shown_articles(), pressed.path("t0000006"));
    // A fragment typed by hand is followed, and tidied.
    page.run("location.hash = '#leafId=t0000025&q=harbor'");
    page.wait_for(ADDRESS, "?utm=1#leafId=t0000025");
    page.wait_for("document.getElementById('search').value", "harbor");
}

#[test]
fn searched_words_are_kept_nowhere() {
    let page = tree().page().open_sealed("?q=tides#x");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    assert_eq!(page.get::<String>("document.getElementById('search').value"), "tides", "followed");
    page.wait_for(ADDRESS, "#x&leafId=t0000025");
    page.run("document.getElementById('search').select()");
    page.click("#search");
    page.run("document.getElementById('search').select()");
    page.type_text("lighthouse");
    page.wait_for("document.getElementById('search').value", "lighthouse");
    // Longer than the address waits to be written.
    std::thread::sleep(std::time::Duration::from_millis(900));
    page.run("leafpress.go({ targetId: 't0000002' })");
    page.settle();
    let kept: String = page.get(
        "JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state, document.title, document.cookie])",
    );
    assert!(!kept.contains("lighthouse") && !kept.contains("tides"), "{kept}");
    // Going back keeps the search, which no step knows.
    page.back();
    assert_eq!(page.get::<String>("document.getElementById('search').value"), "lighthouse");
    // A page that is not locked keeps its words in the address.
    let plain = Exported::tree().open();
    plain.click("#search");
    plain.type_text("lighthouse");
    plain.wait("the address", "location.search.includes('q=lighthouse')");
}

#[test]
fn copied_links_keep_ids_behind_the_hash() {
    let pressed = tree();
    let page = pressed.page().with_clipboard().open_sealed("");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    let button = format!("{} .copy-link", article("t0000002"));
    let link = "#leafId=t0000025&targetId=t0000002";
    assert_eq!(page.attribute(&button, "href").as_deref(), Some(link));
    page.click(&button);
    page.wait_for("document.getElementById('notice').textContent", "Link copied");
    page.wait_for("await navigator.clipboard.readText()", format!("{}{link}", pressed.address()));
}

#[test]
fn search_and_packs_work() {
    let pressed = long();
    let page = pressed.page().open_sealed("?targetId=e2000");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    super::packs::wait_until_filled(&page);
    assert!(super::packs::in_view(&page).iter().any(|key| key == "e2000"));
    page.click("#search");
    page.type_text("lamp7lamp");
    page.wait_for(
        "(await leafpress.search('lamp7lamp')).length",
        pressed.hit_keys("lamp7lamp").len(),
    );
}

#[test]
fn a_hostile_session_stays_text() {
    let pressed = sealed("tests/fixtures/hostile.jsonl");
    let page = pressed.page().open_sealed("");
    answer(&page, PASSWORD);
    page.wait_until_opened();
    assert_eq!(page.shown_articles(), pressed.path(&pressed.leaf()));
}

#[test]
fn damage_is_told_from_a_wrong_password() {
    let swapped = |page: String, element: &str, at: usize| {
        let begin = page.find(element).unwrap() + element.len();
        let mut page = page.into_bytes();
        page[begin + at] = if page[begin + at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(page).unwrap()
    };
    let changes: [&dyn Fn(String) -> String; 4] = [
        &|page| swapped(page, "id=\"sealed-0\">", 20_000),
        &|page| swapped(page, "\"salt\":\"", 3),
        &|page| swapped(page, "id=\"sealed-check\">", 3),
        &|page| page[..page.find("id=\"sealed-1\"").unwrap()].to_owned(),
    ];
    let pressed = long();
    let whole = pressed.html();
    for change in changes {
        pressed.change_page(|_| change(whole.clone()));
        let page = pressed.page().open_sealed("");
        answer(&page, PASSWORD);
        wait_until_said(&page, "damaged");
        assert_eq!(page.text("h1"), "Password-protected session");
    }
}

/// The shell with something that the browser lacks.
fn lacking(script: &str) -> Page {
    let page = tree().page().blank();
    page.protocol("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
    page.load_sealed("");
    assert_eq!(page.count("#unlock:not([hidden])"), 0);
    page
}

#[test]
fn says_why_plain_http_does_not_do() {
    let script = "Object.defineProperty(window, 'crypto', { value: {} }); Object.defineProperty(window, 'isSecureContext', { value: false });";
    let said: String = lacking(script).get(SAID);
    assert!(
        said.contains("plain HTTP") && said.contains("HTTPS") && said.contains("open the file"),
        "{said}"
    );
}

#[test]
fn says_why_an_old_browser_does_not_do() {
    let said: String = lacking("delete window.DecompressionStream").get(SAID);
    assert!(said.contains("DecompressionStream") && said.contains("Firefox 113"), "{said}");
    let said: String = lacking("Object.defineProperty(window, 'crypto', { value: {} })").get(SAID);
    assert!(said.contains("Web Cryptography") && !said.contains("plain HTTP"), "{said}");
}

#[test]
fn says_that_it_needs_script() {
    let page = tree().page().without_script().open_sealed("");
    assert!(page.text("main").contains("JavaScript is off"));
    assert_eq!(page.count("#unlock:not([hidden])"), 0);
}

#[test]
fn keyboard_and_phone() {
    let page = tree().page().narrow().dark().open_sealed("");
    let focus = "document.activeElement.id";
    page.wait_for(focus, "password");
    page.press("Tab");
    page.wait_for(focus, "show");
    page.press("Enter");
    page.wait_for("document.getElementById('password').type", "text");
    page.press("Tab");
    page.wait_for(focus, "open");
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    let labelled = "document.getElementById('password').labels[0].textContent";
    assert_eq!(page.get::<String>(labelled), "Password");
    page.run("document.getElementById('password').value = ''");
    page.press("Enter");
    assert_eq!(page.get::<String>(SAID), "", "nothing to try");
}
