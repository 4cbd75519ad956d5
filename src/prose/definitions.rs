//! Definitions of links that no link of the text uses. Elsewhere they vanish;
//! here nothing does.

use std::collections::HashMap;

use pulldown_cmark::{BrokenLinkCallback, Parser};

/// The definitions not used so far.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Place in the text and wording, by normalised label.
    unused: HashMap<String, (usize, String)>,
}

impl Definitions {
    pub(super) fn of<'t, F: BrokenLinkCallback<'t>>(text: &str, parser: &Parser<'t, F>) -> Self {
        let unused = parser.reference_definitions().iter().map(|(label, definition)| {
            let wording = text.get(definition.span.clone()).unwrap_or_default().trim();
            (normalised(label), (definition.span.start, wording.to_owned()))
        });
        Definitions { unused: unused.collect() }
    }

    /// A link refers to `label`.
    pub(super) fn used(&mut self, label: &str) {
        if !self.unused.is_empty() {
            self.unused.remove(&normalised(label));
        }
    }

    /// The wording of what nothing referred to, in order.
    pub(super) fn rest(self) -> Vec<String> {
        let mut rest: Vec<_> = self.unused.into_values().collect();
        rest.sort_unstable();
        rest.into_iter().map(|(_, wording)| wording).collect()
    }
}

/// Case and runs of blanks do not count in a label.
fn normalised(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
