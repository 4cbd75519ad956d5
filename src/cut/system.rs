//! Where system prompts and lists of tools are kept.

use crate::session::json::Json;
use crate::session::omitted::Parts;

use super::fields::{self, each_text, retain, size};

/// What the agents put around their own words in the text of others.
const REMINDER: (&str, &str) = ("<system-reminder>", "</system-reminder>");

/// Of a system prompt or an update only its place is left.
pub(super) fn message(message: &mut Json<'_>, lost: &mut Parts) {
    let bytes = retain(message, |name| matches!(name, "role" | "timestamp"));
    lost.system += usize::from(bytes > 0);
}

/// Of how a sub-agent was started, what it was asked and who it is; of rules put before the model
/// nothing.
pub(super) fn start(json: &mut Json<'_>, lost: &mut Parts) {
    const ABOUT: [&str; 8] =
        ["type", "id", "parentId", "timestamp", "task", "agent", "modelRole", "resolvedModel"];
    lost.system += usize::from(retain(json, |name| ABOUT.contains(&name)) > 0);
}

/// Takes system prompts out of every value.
pub(super) fn prune(json: &mut Json<'_>, lost: &mut Parts) {
    fields::prune(json, &mut |name, value| {
        let goes = matches!(
            name,
            Some(
                "systemPrompt" | "system_prompt" | "systemMessage" | "toolsAdded" | "toolsRemoved"
            )
        );
        lost.system += usize::from(goes && size(value) > 0);
        goes
    });
    each_text(json, &mut |text| {
        let changed = without_reminders(text)?;
        lost.system += 1;
        Some(changed)
    });
}

/// The text without the agent's own words in it; one that is not closed goes to the end.
fn without_reminders(text: &str) -> Option<String> {
    let (open, close) = REMINDER;
    text.contains(open).then(|| {
        let mut parts = text.split(open);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            kept.push_str(part.split_once(close).map_or("", |(_, behind)| behind));
        }
        kept
    })
}

#[cfg(test)]
mod tests {
    use super::without_reminders;

    #[test]
    fn reminders_go_and_what_is_around_them_stays() {
        let text = "a<system-reminder>x</system-reminder>b<system-reminder>y";
        assert_eq!(without_reminders(text).as_deref(), Some("ab"));
        assert_eq!(without_reminders("a <system> b"), None);
    }
}
