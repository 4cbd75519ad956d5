//! Light and dark: as the system has it, or as the reader chose and the page remembers.

use crate::support::{Exported, Page};

/// How light the page's ground is, from 0 to 255.
fn ground(page: &Page) -> f64 {
    page.get(&format!("({RESOLVE})(getComputedStyle(document.body).backgroundColor)[1]"))
}

fn theme(page: &Page) -> String {
    page.attribute("html", "data-theme").unwrap_or_default()
}

#[test]
fn follow_the_system() {
    let garden = Exported::file("examples/garden.jsonl");
    let (light, dark) = (garden.open(), garden.page().dark().open(""));
    assert_eq!((theme(&light), theme(&dark)), ("auto".to_owned(), "auto".to_owned()));
    assert!(ground(&light) > 230.0, "{}", ground(&light));
    assert!(ground(&dark) < 50.0, "{}", ground(&dark));
}

#[test]
fn switch_is_remembered() {
    let page = Exported::tree().open();
    let toggle = "#theme-toggle";
    assert!(page.attribute(toggle, "aria-label").unwrap().contains("auto"));
    page.click(toggle);
    assert_eq!(theme(&page), "light");
    page.click(toggle);
    assert_eq!(theme(&page), "dark");
    assert!(page.attribute(toggle, "aria-label").unwrap().contains("dark"));
    assert!(ground(&page) < 50.0, "against the system");
    page.reload();
    assert_eq!(theme(&page), "dark");
    assert!(ground(&page) < 50.0);
    page.click(toggle);
    assert_eq!(theme(&page), "auto");
    assert!(ground(&page) > 230.0);
    page.reload();
    assert_eq!(theme(&page), "auto");
}

#[test]
fn contrast_in_light() {
    assert_contrast(&Exported::long().open());
}

#[test]
fn contrast_in_dark() {
    assert_contrast(&Exported::long().page().dark().open(""));
}

/// Level AA of the Web Content Accessibility Guidelines, for text of ordinary size.
fn assert_contrast(page: &Page) {
    page.settle();
    let poor: Vec<String> = page.get(&format!("({POOR_CONTRAST})({RESOLVE})"));
    assert!(poor.is_empty(), "{} texts are hard to read:\n{}", poor.len(), poor.join("\n"));
}

/// Any CSS color as red, green, blue and opacity.
const RESOLVE: &str = r"(() => {
    const known = new Map();
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    return (color) => {
        if (!known.has(color)) {
            context.clearRect(0, 0, 1, 1);
            context.fillStyle = color;
            context.fillRect(0, 0, 1, 1);
            known.set(color, Array.from(context.getImageData(0, 0, 1, 1).data));
        }
        return known.get(color);
    };
})()";

const POOR_CONTRAST: &str = r"(resolve) => {
    const over = ([r, g, b, a], ground) => [r, g, b].map((c, i) => (c * a + ground[i] * (255 - a)) / 255);
    const groundOf = (element) => {
        const layers = [];
        for (let at = element; at !== null; at = at.parentElement) {
            layers.unshift(resolve(getComputedStyle(at).backgroundColor));
        }
        return layers.reduce((ground, layer) => over(layer, ground), [255, 255, 255]);
    };
    const luminance = (rgb) => {
        const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const isText = (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim() !== '';
    const poor = new Map();
    for (const element of document.querySelectorAll('body *')) {
        const style = getComputedStyle(element);
        const drawn = element.getClientRects().length > 0 && style.visibility === 'visible';
        if (!drawn || style.color === 'rgba(0, 0, 0, 0)' || !Array.from(element.childNodes).some(isText)) continue;
        const ground = groundOf(element);
        const [a, b] = [luminance(over(resolve(style.color), ground)), luminance(ground)];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const wanted = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
        if (contrast < wanted) {
            const name = `${element.parentElement.className} > ${element.tagName}.${element.className}: ${style.color} on ${ground.map(Math.round)}`;
            poor.set(name, `${contrast.toFixed(2)} ${name}: ${element.textContent.trim().slice(0, 40)}`);
        }
    }
    return Array.from(poor.values());
}";
