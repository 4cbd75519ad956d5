//! Skills that a prompt of pi (1.5.2) brings along: `<skill name="…" location="…">`, the
//! skill's text, `</skill>`, and what the person typed.

use super::text::trim;

/// The parts of a prompt that begins with a skill.
#[derive(Debug, PartialEq)]
pub(crate) struct Skill<'a> {
    pub(crate) name: &'a str,
    pub(crate) location: &'a str,
    pub(crate) text: &'a str,
    /// What the person typed.
    pub(crate) rest: &'a str,
}

impl<'a> Skill<'a> {
    /// Reads the very shape that agents write; anything else is a person's text.
    pub(crate) fn read(prompt: &'a str) -> Option<Skill<'a>> {
        let rest = prompt.strip_prefix("<skill name=\"")?;
        let (name, rest) = rest.split_once("\" location=\"")?;
        let (location, rest) = rest.split_once("\">\n")?;
        let is_attribute = |text: &str| !text.is_empty() && !text.contains(['"', '\n']);
        if !is_attribute(name) || !is_attribute(location) {
            return None;
        }
        let mut ends = rest.match_indices("\n</skill>");
        let (text, rest) = ends.find_map(|(at, end)| {
            let after = &rest[at + end.len()..];
            let is_end =
                after.trim_start_matches(' ').is_empty() || after.starts_with(['\n', '\r']);
            is_end.then(|| (&rest[..at], after))
        })?;
        Some(Skill { name, location, text, rest })
    }

    /// Its name and what was typed: what a prompt is called.
    pub(crate) fn title(&self) -> String {
        match trim(self.rest) {
            "" => self.name.to_owned(),
            words => format!("{}: {words}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_told_from_what_was_typed() {
        let skill = Skill::read(
            "<skill name=\"bake\" location=\"/s/SKILL.md\">\nMix.\n\n</skill> is no end\n</skill>\n\nNow rye.",
        );
        let expected = Skill {
            name: "bake",
            location: "/s/SKILL.md",
            text: "Mix.\n\n</skill> is no end",
            rest: "\n\nNow rye.",
        };
        assert_eq!(skill, Some(expected));
        let skill =
            Skill::read("<skill name=\"a\" location=\"b\">\n\n</skill>").map(|skill| skill.rest);
        assert_eq!(skill, Some(""));
    }

    #[test]
    fn anything_malformed_stays_text() {
        for prompt in [
            "",
            "x <skill name=\"a\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\" location=\"b\">\nx",
            "<skill name=\"a\" location=\"b\">x\n</skill>",
            "<skill name=\"\" location=\"b\">\nx\n</skill>",
            "<skill location=\"b\" name=\"a\">\nx\n</skill>",
            "<skill name=\"a\" x=\"\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\nb\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\" location=\"b\">\nx\n</skill>y",
        ] {
            assert_eq!(Skill::read(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn a_skill_is_called_by_its_name_and_the_words_behind_it() {
        let title = |rest: &str| {
            let prompt = format!("<skill name=\"bake\" location=\"b\">\nMix.\n</skill>{rest}");
            Skill::read(&prompt).map(|skill| skill.title())
        };
        assert_eq!(title("\n\nrye, please").as_deref(), Some("bake: rye, please"));
        assert_eq!(title("\n\n").as_deref(), Some("bake"));
    }
}
