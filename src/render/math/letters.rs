//! Letters of the fonts of mathematics: each has characters of its own.

use pulldown_latex::event::Font;

/// The first letters of an alphabet, where those of the font stand one behind the other.
struct Alphabets {
    capital: Option<u32>,
    small: Option<u32>,
    digit: Option<u32>,
    greek_capital: Option<u32>,
    greek_small: Option<u32>,
}

const NONE: Alphabets =
    Alphabets { capital: None, small: None, digit: None, greek_capital: None, greek_small: None };

// The Unicode Standard, Mathematical Alphanumeric Symbols (U+1D400 to U+1D7FF).
fn alphabets(font: Font) -> Alphabets {
    let latin =
        |capital: u32| Alphabets { capital: Some(capital), small: Some(capital + 26), ..NONE };
    match font {
        Font::Bold => Alphabets {
            digit: Some(0x1d7ce),
            greek_capital: Some(0x1d6a8),
            greek_small: Some(0x1d6c2),
            ..latin(0x1d400)
        },
        Font::Italic => {
            Alphabets { greek_capital: Some(0x1d6e2), greek_small: Some(0x1d6fc), ..latin(0x1d434) }
        }
        Font::BoldItalic | Font::BoldSymbol => Alphabets {
            digit: Some(0x1d7ce),
            greek_capital: Some(0x1d71c),
            greek_small: Some(0x1d736),
            ..latin(0x1d468)
        },
        Font::Script => latin(0x1d49c),
        Font::BoldScript => latin(0x1d4d0),
        Font::Fraktur => latin(0x1d504),
        Font::DoubleStruck | Font::DoubleStruckItalic => {
            Alphabets { digit: Some(0x1d7d8), ..latin(0x1d538) }
        }
        Font::BoldFraktur => latin(0x1d56c),
        Font::SansSerif => Alphabets { digit: Some(0x1d7e2), ..latin(0x1d5a0) },
        Font::BoldSansSerif => Alphabets {
            digit: Some(0x1d7ec),
            greek_capital: Some(0x1d756),
            greek_small: Some(0x1d770),
            ..latin(0x1d5d4)
        },
        Font::SansSerifItalic => latin(0x1d608),
        Font::SansSerifBoldItalic => Alphabets {
            digit: Some(0x1d7ec),
            greek_capital: Some(0x1d790),
            greek_small: Some(0x1d7aa),
            ..latin(0x1d63c)
        },
        Font::Monospace => Alphabets { digit: Some(0x1d7f6), ..latin(0x1d670) },
        Font::UpRight => NONE,
    }
}

/// A character in a font; itself where the font has none.
pub(super) fn in_font(c: char, font: Font) -> char {
    // Letters that were there before their alphabets, whose places in these are empty.
    let earlier = match (font, c) {
        (Font::Italic, 'h') => Some('ℎ'),
        (Font::Script, 'B') => Some('ℬ'),
        (Font::Script, 'E') => Some('ℰ'),
        (Font::Script, 'F') => Some('ℱ'),
        (Font::Script, 'H') => Some('ℋ'),
        (Font::Script, 'I') => Some('ℐ'),
        (Font::Script, 'L') => Some('ℒ'),
        (Font::Script, 'M') => Some('ℳ'),
        (Font::Script, 'R') => Some('ℛ'),
        (Font::Script, 'e') => Some('ℯ'),
        (Font::Script, 'g') => Some('ℊ'),
        (Font::Script, 'o') => Some('ℴ'),
        (Font::Fraktur, 'C') => Some('ℭ'),
        (Font::Fraktur, 'H') => Some('ℌ'),
        (Font::Fraktur, 'I') => Some('ℑ'),
        (Font::Fraktur, 'R') => Some('ℜ'),
        (Font::Fraktur, 'Z') => Some('ℨ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'C') => Some('ℂ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'H') => Some('ℍ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'N') => Some('ℕ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'P') => Some('ℙ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'Q') => Some('ℚ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'R') => Some('ℝ'),
        (Font::DoubleStruck | Font::DoubleStruckItalic, 'Z') => Some('ℤ'),
        _ => None,
    };
    if let Some(earlier) = earlier {
        return earlier;
    }
    let alphabets = alphabets(font);
    let (first, of_font) = match c {
        'A'..='Z' => ('A', alphabets.capital),
        'a'..='z' => ('a', alphabets.small),
        '0'..='9' => ('0', alphabets.digit),
        'Α'..='Ρ' | 'Σ'..='Ω' => ('Α', alphabets.greek_capital),
        'α'..='ω' => ('α', alphabets.greek_small),
        _ => return c,
    };
    of_font.and_then(|start| char::from_u32(start + (u32::from(c) - u32::from(first)))).unwrap_or(c)
}
