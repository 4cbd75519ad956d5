//! The core's choices as values of options.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::content::Detail;
use crate::outline::Filter;
use crate::render::Highlight;

impl ValueEnum for Filter {
    fn value_variants<'a>() -> &'a [Filter] {
        Filter::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

impl ValueEnum for Detail {
    fn value_variants<'a>() -> &'a [Detail] {
        Detail::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Detail::Story => "Prompts and final responses; one line stands for the steps between",
            Detail::Steps => "Every step on one line, interim texts in full",
            Detail::Full => "Every step with its arguments and output",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Highlight {
    fn value_variants<'a>() -> &'a [Highlight] {
        &[Highlight::Fast, Highlight::Full, Highlight::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Highlight::Fast => {
                ("fast", "Built-in rules for common languages, grammars up to a limit for others")
            }
            Highlight::Full => ("full", "Grammars for all code; much slower"),
            Highlight::None => ("none", "No highlighting"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
