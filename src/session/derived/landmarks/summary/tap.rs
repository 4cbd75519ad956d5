//! The Test Anything Protocol (version 14, <https://testanything.org>): a plan, and a line for each test.

/// What the lines say, in any order. Those of subtests are indented and say nothing here.
#[derive(Debug, Default)]
pub(super) struct Tap {
    planned: u64,
    passed: u64,
    skipped: u64,
}

impl Tap {
    /// Whether the line says that a test failed.
    pub(super) fn read(&mut self, line: &str) -> bool {
        if let Some(plan) = line.strip_prefix("1..") {
            let count = plan.split(' ').next().and_then(|count| count.parse::<u32>().ok());
            self.planned += u64::from(count.unwrap_or(0));
            return false;
        }
        let (is_ok, rest) = match line.strip_prefix("not ok ") {
            Some(rest) => (false, rest),
            None => match line.strip_prefix("ok ") {
                Some(rest) => (true, rest),
                None => return line.starts_with("Bail out!"),
            },
        };
        // `ok 1 - name`
        if !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let directive = rest.rsplit_once("# ").map(|(_, directive)| directive.to_ascii_lowercase());
        let begins = |word| directive.as_ref().is_some_and(|directive| directive.starts_with(word));
        let is_skipped = begins("skip");
        self.passed += 1;
        self.skipped += u64::from(is_skipped);
        !is_ok && !is_skipped && !begins("todo")
    }

    /// Whether each test of the plan is there, and one of them ran.
    pub(super) fn is_complete(&self) -> bool {
        self.planned == self.passed && self.passed > self.skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines, whether one says that a test failed, and whether the plan is complete.
    const OUTPUTS: &[(&str, bool, bool)] = &[
        ("TAP version 14\n1..2\nok 1 - a\nok 2 - b # SKIP no tide", false, true),
        ("ok 1\n    ok 1 - sub\n    1..1\nok 2\n1..2", false, true),
        ("1..1\nnot ok 1 - a # TODO later", false, true),
        ("1..2\nok 1 - a", false, false),
        ("ok 2 - b\nok 3 - c\n1..3", false, false),
        ("1..1\nok 1 - a # skip", false, false),
        ("1..0 # skipped", false, false),
        ("1..2\nok 1\nnot ok 2 - b", true, true),
        ("1..2\nBail out! no tide", true, false),
        ("ok then\nnot ok at all\n1..x", false, false),
        ("", false, false),
    ];

    #[test]
    fn a_plan_is_complete_with_all_of_its_tests() {
        for (output, failed, is_complete) in OUTPUTS {
            let mut tap = Tap::default();
            let found = output.lines().filter(|line| tap.read(line)).count() > 0;
            assert_eq!((found, tap.is_complete()), (*failed, *is_complete), "{output}");
        }
    }
}
