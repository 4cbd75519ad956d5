//! A page pressed with colors of the reader's own.

use leafpress::Options;
use leafpress::page::Theme;

use crate::support::{Exported, Page};

const OWN: &str = r##"{"light": {"paper": "#fff8e7", "accent": "#7a3e00", "ink": "#111"},
    "dark": {"paper": "#001018", "accent": "#ffcc66"}}"##;

fn pressed(theme: Option<&str>) -> Exported {
    let tree = Exported::tree();
    let theme = theme.map(|theme| Theme::parse(theme).unwrap());
    let mut options = Options::default();
    options.theme = theme;
    Exported::with_options(tree.session, &options)
}

/// The ground and the ink of the page as computed.
fn colors(page: &Page) -> (String, String) {
    page.get("(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))")
}

fn accent(page: &Page) -> String {
    page.get(
        "(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.setProperty('color', 'var(--accent)');
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
    })()",
    )
}

fn own(ground: &str, ink: &str) -> (String, String) {
    (ground.to_owned(), ink.to_owned())
}

#[test]
fn its_colors_in_light_and_dark() {
    let pressed = pressed(Some(OWN));
    let usual_ink = colors(&Exported::tree().page().dark().open("")).1;
    let (light, dark) = (pressed.open(), pressed.page().dark().open(""));
    assert_eq!(colors(&light), own("rgb(255, 248, 231)", "rgb(17, 17, 17)"));
    assert_eq!(colors(&dark), own("rgb(0, 16, 24)", &usual_ink));
    assert_eq!(accent(&light), "rgb(122, 62, 0)");
    assert_eq!(accent(&dark), "rgb(255, 204, 102)");
}

#[test]
fn light_alone_leaves_dark() {
    let own_light = pressed(Some(r##"{"light": {"paper": "#fff8e7"}}"##));
    let usual = colors(&pressed(None).page().dark().open(""));
    assert_eq!(colors(&own_light.page().dark().open("")), usual);
    assert_eq!(colors(&own_light.open()).0, "rgb(255, 248, 231)");
}

#[test]
fn the_switch_still_works() {
    let page = pressed(Some(OWN)).open();
    page.click("#theme-toggle");
    assert_eq!(colors(&page).0, "rgb(255, 248, 231)", "light");
    page.click("#theme-toggle");
    assert_eq!(colors(&page).0, "rgb(0, 16, 24)", "dark, against the system");
    page.reload();
    assert_eq!(colors(&page).0, "rgb(0, 16, 24)");
}
