//! For readers who set their own colors, want no movement, zoom in, or point with a finger.

use serde_json::json;

use crate::support::{Exported, Page};

fn emulate(page: &Page, feature: &str, value: &str) {
    let features = json!({"features": [{"name": feature, "value": value}]});
    page.protocol("Emulation.setEmulatedMedia", features);
    page.wait("the emulation", &format!("matchMedia('({feature}: {value})').matches"));
    page.settle();
}

fn forced(suffix: &str) -> Page {
    let page = Exported::long().page().open(suffix);
    emulate(&page, "forced-colors", "active");
    page
}

fn resize(page: &Page, width: u32, height: u32, scale: f64) {
    let size =
        json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": false});
    page.protocol("Emulation.setDeviceMetricsOverride", size);
    page.wait_for("innerWidth", width);
    page.settle();
}

/// What of an element's look is left where the system chooses the colors.
const LOOK: &str = "(selector, pseudo) => {
    const { outlineStyle, outlineWidth, borderBlockEndWidth, backgroundColor, color, content, forcedColorAdjust } = getComputedStyle(document.querySelector(selector), pseudo);
    return JSON.stringify({ outlineStyle, outlineWidth: outlineStyle === 'none' ? '' : outlineWidth, borderBlockEndWidth, backgroundColor, color, content, forcedColorAdjust });
}";

#[track_caller]
fn assert_differ(page: &Page, one: &str, other: &str, pseudo: Option<&str>) {
    let [one_look, other_look]: [String; 2] =
        [one, other].map(|selector| page.call(LOOK, &(selector, pseudo)));
    assert_ne!(one_look, other_look, "{one} looks as {other}");
}

#[test]
fn chosen_things_stand_out() {
    let page = forced("");
    assert_differ(&page, "#tree [aria-selected=true]", "#tree [aria-selected=false]", None);
    assert_differ(&page, "#filters [aria-pressed=true]", "#filters [aria-pressed=false]", None);
    assert_differ(
        &page,
        "#tools [data-view][aria-pressed=true]",
        "#tools [data-view][aria-pressed=false]",
        None,
    );
    page.click("#label-times");
    assert_differ(&page, "#label-times", "#filters [aria-pressed=false]", None);
    page.press("l");
    assert_differ(
        &page,
        "#leaves-list [aria-current=true]",
        "#leaves-list li:nth-child(3) button",
        None,
    );
}

#[test]
fn path_and_leaf_stand_out() {
    let page = forced("?leafId=27312147");
    let rows = ["#tree .leaf", "#tree .on-path:not(.leaf)", "#tree .row:not(.on-path)"];
    page.wait(
        "rows of each kind",
        &format!("{}.every((row) => document.querySelector(row) !== null)", json!(rows)),
    );
    assert_differ(&page, rows[0], rows[1], Some("::before"));
    assert_differ(&page, rows[1], rows[2], Some("::before"));
}

#[test]
fn hits_stand_out() {
    let page = forced("?q=tide");
    page.wait("the marks", "document.querySelector('#tree .row mark') !== null");
    assert_differ(&page, "#tree .row mark", "#tree .row .text", None);
    let [mark, ground]: [String; 2] = page.get("[getComputedStyle(document.body, '::highlight(leafpress-hit)').backgroundColor, getComputedStyle(document.body).backgroundColor]");
    assert_ne!(mark, ground, "marks in the text");
}

#[test]
fn map_keeps_its_marks() {
    let page = forced("");
    let colors: usize = page.get(
        "(() => {
        const map = document.getElementById('map');
        const copy = new OffscreenCanvas(map.width, map.height).getContext('2d');
        copy.drawImage(map, 0, 0);
        const { data } = copy.getImageData(0, 0, map.width, map.height);
        const colors = new Set();
        for (let at = 0; at < data.length; at += 4) {
            if (data[at + 3] === 255) colors.add(data.slice(at, at + 4).join());
        }
        return colors.size;
    })()",
    );
    assert!(colors >= 3, "{colors} colors on the map");
}

/// Buttons without a text draw a sign as background or content, which forced colors may take away.
#[test]
fn icons_are_drawn() {
    let page = forced("");
    let empty: Vec<String> = page.get("Array.from(document.querySelectorAll('button'))
        .filter((button) => button.getClientRects().length > 0 && button.textContent.trim() === '' && button.querySelector('svg') === null)
        .filter((button) => !['::before', '::after'].some((pseudo) => {
            const { content, maskImage, backgroundColor, forcedColorAdjust, borderInlineStartWidth } = getComputedStyle(button, pseudo);
            const text = content !== 'none' && content !== 'normal' && !/^\"\"/.test(content);
            const drawn = content !== 'none' && (maskImage !== 'none' ? backgroundColor !== getComputedStyle(document.body).backgroundColor : parseFloat(borderInlineStartWidth) > 0);
            return text || drawn;
        }))
        .map((button) => button.outerHTML.slice(0, 120))");
    assert_eq!(empty, [""; 0]);
}

/// Exports Tab until it comes round, and names what took the focus without showing it.
fn unseen_focus(page: &Page) -> Vec<String> {
    let mut unseen = Vec::new();
    page.run("document.activeElement.blur(); scrollTo(0, 0)");
    for nth in 0..45 {
        page.press("Tab");
        let (seen, name): (bool, String) = page.get("(() => {
            const at = document.activeElement;
            if (at === document.body) return [true, ''];
            const forced = matchMedia('(forced-colors: active)').matches;
            const ground = getComputedStyle(document.body).backgroundColor;
            const none = ['rgba(0, 0, 0, 0)', ground];
            const looks = (element) => [undefined, '::before', '::after'].map((pseudo) => {
                const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor, content } = getComputedStyle(element, pseudo);
                const outline = outlineStyle === 'none' || parseFloat(outlineWidth) < 1 || none.includes(outlineColor) ? '' : outlineColor;
                const fill = none.includes(backgroundColor) || content === 'none' ? '' : backgroundColor;
                return [outline, forced || boxShadow === 'none' ? '' : boxShadow, fill];
            });
            const cursor = document.getElementById(at.getAttribute('aria-activedescendant') ?? '');
            const all = [at, cursor, at.matches('input') ? at.parentElement : null].filter((element) => element !== null);
            const focused = all.map(looks);
            at.blur();
            const blurred = all.map(looks);
            at.focus({ focusVisible: true, preventScroll: true });
            // Something must be drawn that is not there otherwise.
            const seen = focused.flat(2).some((look, nth) => look !== '' && look !== blurred.flat(2)[nth]);
            return [seen, at.outerHTML.slice(0, 100)];
        })()");
        if !seen {
            unseen.push(format!("{nth}: {name}"));
        }
    }
    unseen
}

#[test]
fn focus_is_visible() {
    let page = Exported::long().open();
    assert_eq!(unseen_focus(&page), [""; 0]);
}

#[test]
fn focus_is_visible_in_forced_colors() {
    let page = forced("");
    assert_eq!(unseen_focus(&page), [""; 0]);
}

#[test]
fn no_movement_if_reduced() {
    let page = Exported::long().page().narrow().open("");
    emulate(&page, "prefers-reduced-motion", "reduce");
    let moving: Vec<String> = page.get("Array.from(document.querySelectorAll('*'))
        .filter((element) => {
            const { transitionDuration, transitionProperty, scrollBehavior } = getComputedStyle(element);
            const seconds = Math.max(...transitionDuration.split(',').map(parseFloat));
            const moves = /all|transform|inset|left|right|top|bottom|translate|width|height|inline|block|margin/.test(transitionProperty);
            return scrollBehavior === 'smooth' || (seconds > 0 && moves);
        })
        .map((element) => element.outerHTML.slice(0, 80))");
    assert_eq!(moving, [""; 0]);
    page.click("#sidebar-toggle");
    assert!(
        page.get::<bool>("document.getElementById('sidebar').getBoundingClientRect().left === 0"),
        "at once"
    );
    page.press("Escape");
    let before: f64 = page.get("scrollY");
    page.press("c");
    let at_once: f64 = page.get("scrollY");
    assert!((at_once - before).abs() > 500.0, "the jump is one step");
    let easing: Vec<String> = page.get("document.getAnimations().map((animation) => getComputedStyle(animation.effect.target, animation.effect.pseudoElement).animationTimingFunction)");
    assert!(easing.iter().all(|easing| easing.starts_with("steps(")), "{easing:?}");
}

const FITS: &str = "document.documentElement.scrollWidth <= innerWidth";

fn assert_usable(page: &Page) {
    assert!(page.get::<bool>(FITS), "no scrolling sideways");
    page.click("#sidebar-toggle");
    page.wait(
        "the drawer",
        "document.getElementById('sidebar').getBoundingClientRect().left === 0",
    );
    page.wait("its rows", "document.querySelectorAll('#tree [role=treeitem]').length > 2");
    assert!(
        page.get::<f64>("document.getElementById('tree').clientHeight") > 80.0,
        "rows can be seen"
    );
    assert!(page.get::<bool>(FITS), "with the drawer");
    page.press("Escape");
    page.wait_for(
        "document.getElementById('sidebar-toggle').getAttribute('aria-expanded')",
        "false",
    );
    page.settle();
    for (open, id) in [("?", "overlay"), ("l", "leaves")] {
        page.press(open);
        page.wait_for("document.querySelector('dialog[open]')?.id ?? null", id);
        assert!(page.get::<bool>("(() => { const box = document.querySelector('dialog[open]').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight + 1; })()"), "{id}");
        page.press("Escape");
        page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    }
    page.press("v");
    page.settle();
    assert!(page.get::<bool>(FITS), "the context view");
    page.click("#more");
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "menu");
    page.press("Escape");
}

#[test]
fn zoomed_to_200_percent() {
    let page = Exported::long().open();
    resize(&page, 700, 450, 2.0);
    assert_usable(&page);
}

#[test]
fn reflows_at_320_pixels() {
    let page = Exported::long().open();
    resize(&page, 320, 640, 4.0);
    assert_usable(&page);
}

/// Things to press that are smaller than a finger needs; links within a text may be.
const SMALL: &str = "Array.from(document.querySelectorAll('button, input, select, summary, a[href], [role=treeitem], [role=separator]'))
    .filter((element) => !element.matches('.body a:not(.call), .skip-link, [aria-disabled]'))
    // With a mouse, 38 rows fit a window of 900 pixels; the arrow keys reach each, and a finger gets larger ones.
    .filter((element) => !(element.matches('[role=treeitem]') && matchMedia('(not (pointer: coarse)) and (min-width: 900px)').matches))
    .flatMap((element) => {
        const target = element.matches('input') ? element.closest('label') ?? element : element;
        const box = target.getBoundingClientRect();
        const drawn = element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && box.width > 0;
        return drawn && Math.min(box.width, box.height) < 23.99 ? [`${box.width.toFixed(1)} x ${box.height.toFixed(1)}: ${element.outerHTML.slice(0, 90)}`] : [];
    })
    .filter((text, at, all) => at < 8)";

fn assert_targets(page: &Page, what: &str) {
    page.settle();
    let small: Vec<String> = page.get(SMALL);
    assert!(small.is_empty(), "{what}: {small:#?}");
}

fn assert_targets_of_dialogs(page: &Page) {
    for (key, id) in [("?", "overlay"), ("l", "leaves")] {
        page.press(key);
        page.wait_for("document.querySelector('dialog[open]')?.id ?? null", id);
        assert_targets(page, id);
        page.press("Escape");
        page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    }
    page.click("#more");
    assert_targets(page, "menu");
    page.press("Escape");
}

#[test]
fn targets_of_24_pixels() {
    let page = Exported::long().page().open("?q=tide");
    page.wait("the hits", "!document.getElementById('next-hit').hidden");
    page.click("#search-help");
    assert_targets(&page, "wide");
    assert_targets_of_dialogs(&page);
    page.press("v");
    assert_targets(&page, "context view");
}

#[test]
fn targets_of_24_pixels_on_a_phone() {
    let page = Exported::long().page().narrow().open("?q=tide");
    assert_targets(&page, "phone");
    assert_targets_of_dialogs(&page);
    page.click("#sidebar-toggle");
    page.wait(
        "the drawer",
        "document.getElementById('sidebar').getBoundingClientRect().left === 0",
    );
    assert_targets(&page, "drawer");
}
