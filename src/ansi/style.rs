//! How a terminal writes: colors and emphasis, as SGR sequences set them.

use crate::html::Html;

/// The colors and emphasis of a character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// One of the 16 named colors; `None` is the terminal's own.
    foreground: Option<u8>,
    background: Option<u8>,
    /// Those of the constants below that are on.
    emphasis: u8,
}

const BOLD: u8 = 1;
const DIM: u8 = 2;
const ITALIC: u8 = 4;
const UNDERLINE: u8 = 8;
const STRIKE: u8 = 16;
const INVERSE: u8 = 32;

/// The classes of emphasis; inverse is recognized by the colors.
const EMPHASIS: [(u8, &str); 5] =
    [(BOLD, "sb"), (DIM, "sd"), (ITALIC, "si"), (UNDERLINE, "su"), (STRIKE, "sx")];

const FOREGROUND: [&str; 16] = [
    "fg0", "fg1", "fg2", "fg3", "fg4", "fg5", "fg6", "fg7", "fg8", "fg9", "fg10", "fg11", "fg12",
    "fg13", "fg14", "fg15",
];
const BACKGROUND: [&str; 16] = [
    "bg0", "bg1", "bg2", "bg3", "bg4", "bg5", "bg6", "bg7", "bg8", "bg9", "bg10", "bg11", "bg12",
    "bg13", "bg14", "bg15",
];

impl Style {
    /// Applies the parameters of one SGR sequence, each with its subparameters.
    pub(super) fn apply<'p>(&mut self, mut parameters: impl Iterator<Item = &'p [u16]>) {
        while let Some(parameter) = parameters.next() {
            match parameter[0] {
                0 => *self = Style::default(),
                1 => self.emphasis |= BOLD,
                2 => self.emphasis |= DIM,
                3 => self.emphasis |= ITALIC,
                4 if parameter.get(1) == Some(&0) => self.emphasis &= !UNDERLINE,
                // Any kind of underline is one here: `4:3` is wavy, 21 is double.
                4 | 21 => self.emphasis |= UNDERLINE,
                7 => self.emphasis |= INVERSE,
                9 => self.emphasis |= STRIKE,
                22 => self.emphasis &= !(BOLD | DIM),
                23 => self.emphasis &= !ITALIC,
                24 => self.emphasis &= !UNDERLINE,
                27 => self.emphasis &= !INVERSE,
                29 => self.emphasis &= !STRIKE,
                code @ 30..=37 => self.foreground = named(code - 30),
                38 => self.foreground = color(parameter, &mut parameters).or(self.foreground),
                39 => self.foreground = None,
                code @ 40..=47 => self.background = named(code - 40),
                48 => self.background = color(parameter, &mut parameters).or(self.background),
                49 => self.background = None,
                // The underline's own color: not shown, its parameters must not be read as more.
                58 => drop(color(parameter, &mut parameters)),
                code @ 90..=97 => self.foreground = named(code - 90 + 8),
                code @ 100..=107 => self.background = named(code - 100 + 8),
                _ => {}
            }
        }
    }

    /// Opens a span of the style's classes; `false` when none is needed.
    pub(super) fn open(self, html: &mut Html) -> bool {
        let mut is_open = false;
        let mut class = |name: &'static str| {
            html.push_markup(if is_open { " " } else { "<span class=\"" });
            html.push_markup(name);
            is_open = true;
        };
        let foreground = self.foreground.map(|color| FOREGROUND[usize::from(color)]);
        let background = self.background.map(|color| BACKGROUND[usize::from(color)]);
        if self.emphasis & INVERSE > 0 {
            class(self.background.map_or("fgd", |color| FOREGROUND[usize::from(color)]));
            class(self.foreground.map_or("bgd", |color| BACKGROUND[usize::from(color)]));
        } else {
            foreground.into_iter().chain(background).for_each(&mut class);
        }
        for (_, name) in EMPHASIS.iter().filter(|(bit, _)| self.emphasis & bit > 0) {
            class(name);
        }
        if is_open {
            html.push_markup("\">");
        }
        is_open
    }
}

fn named(code: u16) -> Option<u8> {
    u8::try_from(code).ok()
}

/// The color that 38, 48 or 58 introduces: in subparameters (`38:5:n`,
/// `38:2::r:g:b`, `38:2:r:g:b`) or in the parameters that follow (`38;5;n`, `38;2;r;g;b`).
fn color<'p>(introducer: &[u16], rest: &mut impl Iterator<Item = &'p [u16]>) -> Option<u8> {
    match introducer {
        [_, 5, index, ..] => indexed(*index),
        [_, 2, _, red, green, blue, ..] | [_, 2, red, green, blue] => {
            nearest([*red, *green, *blue])
        }
        [_] => {
            let mut next = || rest.next().map(|parameter| parameter[0]);
            match next()? {
                5 => indexed(next()?),
                2 => nearest([next()?, next()?, next()?]),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A color of the table of 256: the 16 named, a cube of six levels, 24 greys.
fn indexed(index: u16) -> Option<u8> {
    const LEVELS: [u16; 6] = [0, 95, 135, 175, 215, 255];
    match index {
        0..=15 => named(index),
        16..=231 => {
            let level = |step: u16| LEVELS[usize::from((index - 16) / step % 6)];
            nearest([level(36), level(6), level(1)])
        }
        232..=255 => nearest([8 + 10 * (index - 232); 3]),
        _ => None,
    }
}

/// The named color nearest by hue, then by brightness. The plain distance
/// would make every soft color grey, and colors are there to tell things apart.
fn nearest(channels: [u16; 3]) -> Option<u8> {
    /// Less spread between the channels than this is a grey.
    const GREY: u16 = 40;
    /// The least brightest channel of a bright color; xterm's plain blue has 238.
    const BRIGHT: u16 = 245;
    let channels = channels.map(|channel| channel.min(255));
    let (low, high) = (*channels.iter().min()?, *channels.iter().max()?);
    if high - low < GREY {
        return Some(match high {
            0..=63 => 0,
            64..=170 => 8,
            171..=240 => 7,
            _ => 15,
        });
    }
    let bit = |channel: u16, bit: u8| if (channel - low) * 2 > high - low { bit } else { 0 };
    let hue = bit(channels[0], 1) | bit(channels[1], 2) | bit(channels[2], 4);
    Some(if high >= BRIGHT { hue + 8 } else { hue })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_256_maps_to_the_16() {
        let all: Vec<_> = (0..=16).map(indexed).collect();
        let named: Vec<_> = (0..16).chain([0]).map(Some).collect();
        assert_eq!(all, named);
        assert_eq!(
            [196, 46, 21, 231, 232, 244, 255, 256].map(indexed),
            [Some(9), Some(10), Some(12), Some(15), Some(0), Some(8), Some(7), None]
        );
    }

    #[test]
    fn true_colors_keep_their_hue() {
        let near = |channels| nearest(channels).unwrap_or(99);
        assert_eq!(near([205, 0, 0]), 1);
        assert_eq!(near([255, 85, 85]), 9);
        assert_eq!(near([215, 119, 87]), 1, "a terracotta is red, not grey");
        assert_eq!(near([0, 0, 238]), 4);
        assert_eq!(near([128, 128, 128]), 8);
        assert_eq!(near([9999, 9999, 9999]), 15);
    }
}
