//! Below 900 px: a bar at the lower edge, one button for each entry, and nothing too small for a finger.

use serde_json::{Value, json};

use crate::support::{Exported, Page};

/// Controls that are lower than 44 px or narrower than 40. A link in a sentence is as high as its line.
const TOO_SMALL: &str = "Array.from(document.querySelectorAll('button, summary, select, input, a[href], [role=button], [role=treeitem], [role=tab], .fold-mark'))
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true })
        && element.closest('[inert], .skip-link') === null
        && !(element.matches('a') && element.closest('.md, p, li, dd, figcaption, .note, .event') !== null))
    .map((element) => [element, (element.matches('[type=checkbox]') ? element.closest('label') : element).getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.right > 0 && box.left < innerWidth && (box.height < 43.9 || box.width < 39.9))
    .map(([element, box]) => `${element.outerHTML.slice(0, 90)} ${box.width} × ${box.height}`)";

#[track_caller]
fn assert_large(page: &Page, width: u32, state: &str) {
    page.settle();
    let small: Vec<String> = page.get(TOO_SMALL);
    assert_eq!(small, [""; 0], "{state} at {width} px");
    let beside: f64 = page.get("document.documentElement.scrollWidth - innerWidth");
    assert!(beside <= 0.0, "{state} at {width} px scrolls sideways");
}

#[test]
fn everything_is_large_enough() {
    for width in [390, 899] {
        let page = Exported::long().page().narrow().open("");
        let size = json!({"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false});
        page.protocol("Emulation.setDeviceMetricsOverride", size);
        for level in ["1", "2", "3"] {
            page.press(level);
            for share in ["0", "0.3", "0.6", "1"] {
                page.run(&format!("scrollTo(0, {share} * document.documentElement.scrollHeight)"));
                page.settle();
                page.run("for (const details of document.querySelectorAll('main details')) { details.open = true; }");
                assert_large(&page, width, &format!("level {level}, {share}"));
            }
        }
        page.press("1");
        page.run("scrollTo(0, 0)");
        let shown = "Array.from(document.querySelectorAll('#transcript button.raw')).find((raw) => raw.checkVisibility())";
        page.wait("the button of an entry", &format!("{shown} !== undefined"));
        page.run(&format!("{shown}.click()"));
        page.wait("the entry's JSON", "document.querySelector('#raw[open]') !== null");
        assert_large(&page, width, "raw JSON");
        page.press("Escape");
        page.click("#more");
        assert_large(&page, width, "menu");
        page.click("#menu [data-command=keys]");
        assert_large(&page, width, "keys");
        page.press("Escape");
        page.press("d");
        assert_large(&page, width, "branches to compare");
        page.click("#leaves-list .leaf-choice:not([aria-current])");
        page.wait("the comparison", "!document.getElementById('compare-view').hidden");
        assert_large(&page, width, "comparison");
        page.press("Escape");
        page.press("l");
        assert_large(&page, width, "branches");
        page.press("Escape");
        page.press("v");
        assert_large(&page, width, "context");
        page.press("v");
        page.click("#find");
        page.click("#search-help");
        page.type_text("tide");
        page.wait("hits", "!document.getElementById('next-hit').hidden");
        assert_large(&page, width, "search");
    }
}

#[test]
fn bar_at_the_lower_edge() {
    let page = Exported::long().page().narrow().open("");
    let boxes: Vec<Value> = page.get(
        "['#prev-prompt', '#place', '#next-prompt', '#level', '#find'].map((selector) => {
            const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
            return [left >= 0 && right <= 390, top >= 796 && bottom <= 844, left];
        })",
    );
    assert!(boxes.iter().all(|of| of[0] == true && of[1] == true), "{boxes:?}");
    assert!(boxes.is_sorted_by_key(|of| of[2].as_f64().unwrap()), "{boxes:?}");
    assert_eq!(
        page.get::<String>("document.querySelector('#topbar > button').id"),
        "sidebar-toggle"
    );
    page.click("#next-prompt");
    page.click("#next-prompt");
    page.wait("the place", "/^2 of \\d+$/.test(document.getElementById('place').textContent)");
    page.click("#prev-prompt");
    page.wait("the place", "/^1 of \\d+$/.test(document.getElementById('place').textContent)");
    let detail = "document.documentElement.dataset.detail";
    let first: String = page.get(detail);
    let mut levels = vec![first.clone()];
    for _ in 0..3 {
        assert_eq!(page.text("#level"), *levels.last().unwrap());
        page.click("#level");
        page.wait("another level", &format!("{detail} !== '{}'", levels.last().unwrap()));
        levels.push(page.get(detail));
    }
    assert_eq!(levels[3], first);
    levels.truncate(3);
    levels.sort();
    assert_eq!(levels, ["full", "steps", "story"]);
    page.click("#find");
    page.wait_for("document.activeElement.id", "search");
    assert!(page.get::<bool>("document.documentElement.classList.contains('drawer-open')"));
}

/// The field is in the drawer: while a search is on, the bar walks its hits. Its buttons stay where they are.
#[test]
fn the_bar_walks_the_hits_of_a_search() {
    let page = Exported::tree().page().narrow().open("?q=left");
    let place = "document.getElementById('place').textContent";
    page.wait_for(place, "4 hits");
    assert_eq!(page.count("#next-prompt[aria-label='Next hit']"), 1);
    page.click("#next-prompt");
    page.wait_for(place, "1 of 4");
    page.click("#prev-prompt");
    page.wait_for(place, "4 of 4");
    page.wait_until_in_view("t0000007");
    let at = "['more', 'theme-toggle'].map((id) => document.getElementById(id).getBoundingClientRect().left)";
    let before: Vec<f64> = page.get(at);
    page.run("{ const field = document.getElementById('search'); field.value = ''; field.dispatchEvent(new Event('input')); }");
    page.wait(
        "the prompts again",
        "document.querySelector('#next-prompt[aria-label=\"Next prompt\"]') !== null",
    );
    for _ in 0..8 {
        page.click("#next-prompt");
        page.settle();
        assert_eq!(page.get::<Vec<f64>>(at), before, "whatever the title");
    }
}

/// What people look for on the first screen.
#[test]
fn the_first_prompt_is_on_the_first_screen() {
    let page = Exported::long().page().narrow().open("");
    let top = |selector: &str| -> f64 {
        page.call(
            "(selector) => document.querySelector(selector).getBoundingClientRect().top + scrollY",
            &[selector],
        )
    };
    let (ended, prompt) = (top("#head [data-ended]"), top("#transcript > article"));
    assert!(ended <= 480.0 && prompt <= 600.0, "{ended} {prompt}");
}

#[test]
fn an_entry_has_one_button() {
    let page = Exported::tree().page().narrow().open("");
    let shown = "Array.from(document.querySelectorAll('#transcript > article[data-kind=user] > .entry-head')).map((head) => Array.from(head.querySelectorAll('button, a')).filter((control) => control.checkVisibility()).map((control) => control.className))";
    page.wait(
        "one button in each",
        &format!("{shown}.every((controls) => controls.join() === 'raw')"),
    );
    page.click("#transcript > article[data-kind=user] button.raw");
    page.click("#raw .menu-item");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.wait("the link", "/link|copy this/iu.test(document.getElementById('notice').textContent)");
}
