//! A reader's own colors: a small file that names some of the page's.
//!
//! The names and their usual values are those of the page's style sheet. What
//! is written in must keep WCAG AA's 4.5:1 for text on every ground it stands on.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the page's own colors are named; the only list of them.
const VARIABLES: &str = include_str!("../../static/css/variables.css");

/// The grounds that text stands on.
const GROUNDS: [&str; 4] = ["paper", "surface", "raised", "code"];

/// Text that stands on a ground of its own.
const OTHER_PAIRS: [(&str, &str); 4] =
    [("mark-ink", "mark"), ("mark-ink", "mark-now"), ("accent-ink", "accent"), ("ink", "user")];

/// Text against its ground, by WCAG 2.2's success criterion 1.4.3.
const MIN_CONTRAST: f64 = 4.5;

/// Colors that replace some of the page's own.
///
/// ```
/// use leafpress::Options;
/// use leafpress::page::Theme;
///
/// let theme = Theme::parse(r##"{"light": {"paper": "#fffdf6"}}"##)?;
/// let options = Options::new().theme(theme);
/// # drop(options);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    light: Colors,
    dark: Colors,
}

/// Values by name, such as `paper` and `#fcfcfa`.
type Colors = BTreeMap<String, String>;

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThemeError {
    /// The file is no JSON object of objects of texts.
    #[error(
        "expected JSON such as {{\"light\": {{\"paper\": \"#ffffff\"}}, \"dark\": {{…}}}}: {0}"
    )]
    NotATheme(String),
    /// A part that is neither `light` nor `dark`.
    #[error("unknown key `{0}`; expected `light` or `dark`")]
    UnknownPart(String),
    /// A name that the page does not use.
    #[error("unknown color `{name}`; the colors are {}", known.join(", "))]
    UnknownName {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A value that is no `#rgb` or `#rrggbb`.
    #[error("invalid color `{value}` for `{name}` in `{part}`; write it as `#rrggbb`")]
    NotAColor {
        /// `light` or `dark`.
        part: &'static str,
        /// The color's name.
        name: String,
        /// What stands there.
        value: String,
    },
    /// Text that could not be read.
    #[error(
        "`{text}` on `{ground}` in `{part}` has a contrast of {contrast:.1}; text needs at least {MIN_CONTRAST}"
    )]
    LowContrast {
        /// `light` or `dark`.
        part: &'static str,
        /// The color of the text.
        text: String,
        /// The color below it.
        ground: String,
        /// The contrast, from 1 to 21.
        contrast: f64,
    },
}

impl Theme {
    /// Reads a theme from JSON: `{"light": {name: "#rrggbb"}, "dark": {…}}`,
    /// each part and each color optional.
    ///
    /// # Errors
    /// Whatever is no color of the page, and text without contrast.
    pub fn parse(json: &str) -> Result<Theme, ThemeError> {
        let parts: BTreeMap<String, Colors> =
            serde_json::from_str(json).map_err(|error| ThemeError::NotATheme(error.to_string()))?;
        let usual = usual_colors();
        let mut theme = Theme { light: Colors::new(), dark: Colors::new() };
        for (part, colors) in parts {
            match part.as_str() {
                "light" => theme.light = checked("light", &usual.light, colors)?,
                "dark" => theme.dark = checked("dark", &usual.dark, colors)?,
                _ => return Err(ThemeError::UnknownPart(part)),
            }
        }
        Ok(theme)
    }

    /// The style sheet that goes behind the page's own.
    pub(super) fn css(&self) -> String {
        let usual = usual_colors();
        let mut css = String::new();
        for (name, light) in &usual.light {
            let (own_light, own_dark) = (self.light.get(name), self.dark.get(name));
            if own_light.is_some() || own_dark.is_some() {
                let light = own_light.unwrap_or(light);
                let dark = own_dark.or_else(|| usual.dark.get(name)).unwrap_or(light);
                let _ = write!(css, "--{name}:light-dark({light},{dark});");
            }
        }
        if css.is_empty() { css } else { format!(":root{{{css}}}") }
    }
}

/// The colors of a part, if the page has them and they can be read.
fn checked(part: &'static str, usual: &Colors, mut own: Colors) -> Result<Colors, ThemeError> {
    for (name, value) in &mut own {
        if !usual.contains_key(name) {
            let known = usual.keys().cloned().collect();
            return Err(ThemeError::UnknownName { name: name.clone(), known });
        }
        if rgb(value).is_none() {
            let (name, value) = (name.clone(), value.clone());
            return Err(ThemeError::NotAColor { part, name, value });
        }
        value.make_ascii_lowercase();
    }
    check_contrast(part, usual, &own)?;
    Ok(own)
}

/// The page's own colors; only plain `#` values.
fn usual_colors() -> Theme {
    let mut usual = Theme { light: Colors::new(), dark: Colors::new() };
    for line in VARIABLES.lines() {
        let pair = || {
            let (name, value) =
                line.trim().strip_prefix("--")?.strip_suffix(");")?.split_once(": light-dark(")?;
            let (light, dark) = value.split_once(", ")?;
            rgb(light).and(rgb(dark)).map(|_| (name, light, dark))
        };
        if let Some((name, light, dark)) = pair() {
            usual.light.insert(name.to_owned(), light.to_owned());
            usual.dark.insert(name.to_owned(), dark.to_owned());
        }
    }
    usual
}

/// Every text on every ground, where the theme changes either.
fn check_contrast(part: &'static str, usual: &Colors, own: &Colors) -> Result<(), ThemeError> {
    let value = |name: &str| own.get(name).or_else(|| usual.get(name)).and_then(|value| rgb(value));
    let texts = usual.keys().map(String::as_str).filter(|name| is_text(name));
    let pairs = texts.flat_map(|text| GROUNDS.map(|ground| (text, ground))).chain(OTHER_PAIRS);
    for (text, ground) in
        pairs.filter(|(text, ground)| own.contains_key(*text) || own.contains_key(*ground))
    {
        let (Some(above), Some(below)) = (value(text), value(ground)) else { continue };
        let contrast = contrast(above, below);
        if contrast < MIN_CONTRAST {
            let (text, ground) = (text.to_owned(), ground.to_owned());
            return Err(ThemeError::LowContrast { part, text, ground, contrast });
        }
    }
    Ok(())
}

fn is_text(name: &str) -> bool {
    matches!(
        name,
        "ink" | "ink-soft" | "ink-faint" | "accent" | "alert" | "caution" | "added" | "cyan"
    ) || name.starts_with("hl-")
}

/// `#rgb` or `#rrggbb`.
fn rgb(value: &str) -> Option<[u8; 3]> {
    let digits = value.strip_prefix('#')?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some([red, green, blue]),
        3 => Some([green & 15, blue >> 4, blue & 15].map(|digit| digit * 17)),
        _ => None,
    }
}

/// From 1 to 21, by WCAG's definition of relative luminance.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let luminance = |color: [u8; 3]| {
        let [red, green, blue] = color.map(|channel| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_s_own_colors_have_contrast() {
        let usual = usual_colors();
        for (part, colors) in [("light", &usual.light), ("dark", &usual.dark)] {
            assert!(colors.len() > 20, "{part}");
            check_contrast(part, &Colors::new(), colors).unwrap();
            let texts = colors.keys().filter(|name| is_text(name)).count();
            assert!(texts > 10, "{part}: {texts}");
            // A theme without changes is not checked: each color is given anew.
            check_contrast(part, colors, colors).unwrap();
        }
    }

    #[test]
    fn named_colors_reach_the_style_sheet() {
        let theme =
            Theme::parse(r##"{"light": {"paper": "#FFF"}, "dark": {"ink": "#ffffff"}}"##).unwrap();
        assert_eq!(
            theme.css(),
            ":root{--ink:light-dark(#1c2125,#ffffff);--paper:light-dark(#fff,#15181a);}"
        );
        assert_eq!(Theme::parse("{}").unwrap().css(), "");
    }

    #[test]
    fn what_could_not_be_read_is_an_error() {
        let error = |json: &str| Theme::parse(json).unwrap_err();
        for json in ["[]", r#"{"light": {"ink": 7}}"#] {
            assert!(matches!(error(json), ThemeError::NotATheme(_)), "{json}");
        }
        assert!(matches!(error(r#"{"night": {}}"#), ThemeError::UnknownPart(_)));
        assert!(matches!(
            error(r##"{"light": {"papier": "#fff"}}"##),
            ThemeError::UnknownName { .. }
        ));
        for value in ["red", "#12345", "#fff;}*{", "url(x)"] {
            let json = format!(r#"{{"light": {{"paper": "{value}"}}}}"#);
            assert!(matches!(error(&json), ThemeError::NotAColor { .. }), "{value}");
        }
        assert!(matches!(
            error(r##"{"light": {"ink": "#cccccc"}}"##),
            ThemeError::LowContrast { .. }
        ));
        assert!(matches!(
            error(r##"{"dark": {"paper": "#808080"}}"##),
            ThemeError::LowContrast { .. }
        ));
    }

    #[test]
    fn contrast_is_wcag_s() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert_eq!(rgb("#1af"), rgb("#11aaff"));
    }
}
