//! What entries of omp 18.3.4 say that pi has not, and what it says otherwise.

use std::borrow::Cow;

use super::said::{Form, Said};
use crate::session::event::{Event, ModelUsage};
use crate::session::json::Json;
use crate::session::message::{Assistant, CustomMessage, Model};
use crate::session::text::{one_line, trim};

/// What a change or a fact says.
pub(super) fn of_event(event: &Event<'_>) -> Said {
    match event {
        Event::ServiceTier(tier) => match Event::tier_words(tier.as_ref()) {
            words if words.is_empty() => Said::fact("service tier", "(default)"),
            words => Said::fact("service tier", &words),
        },
        Event::Title { title, .. } => Said::fact("title", title),
        Event::Mode { mode, .. } => Said::fact("mode", mode),
        Event::ModelUsage(side) => Said::fact("model usage", &side_call(side)),
        Event::Rules(_) => Said::bare("ttsr injection"),
        Event::Reset { reason: Some(reason), .. } => Said::fact("reset", reason),
        Event::Reset { .. } => Said::bare("reset boundary"),
        Event::Init(_) => Said::bare("session init"),
        Event::Archive { target_id, archived: true } => Said::fact("archived", target_id),
        Event::Archive { target_id, .. } => Said::fact("restored", target_id),
        Event::CredentialPin { provider } => Said::fact("credential pin", provider),
    }
}

fn side_call(side: &ModelUsage<'_>) -> String {
    let model = side.model.as_ref().map(model_name);
    let parts = [Some(side.purpose.as_ref()), side.role.as_deref(), model.as_deref()];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// `provider/id`.
pub(super) fn model_name(model: &Model<'_>) -> String {
    match model.provider.as_ref() {
        "" => model.id.to_string(),
        provider => format!("{provider}/{}", model.id),
    }
}

/// What the advisors noted, all notes in one: `advisor (sec, concern, nit): check the anchor fine`.
pub(super) fn advice(custom: &CustomMessage<'_>) -> Option<Said> {
    let notes = custom.details.as_ref()?.get("notes")?.items();
    let texts = |key| notes.iter().filter_map(move |note: &Json<'_>| note.get(key)?.as_str());
    let mut about: Vec<String> = Vec::new();
    for (key, own) in [("advisor", "default"), ("severity", "")] {
        let from = about.len();
        for name in texts(key).map(one_line) {
            if !name.is_empty() && name != own && !about[from..].contains(&name) {
                about.push(name);
            }
        }
    }
    let notes: Vec<&str> = texts("note").collect();
    let who = match about.as_slice() {
        [] => "advisor".to_owned(),
        about => format!("advisor ({})", about.join(", ")),
    };
    let text = Some(one_line(&notes.join(" ")));
    (!notes.is_empty()).then_some(Said { form: Form::Speech, who, text })
}

/// The note on an answer that failed and was asked for again.
pub(super) fn retry_note<'a>(assistant: &'a Assistant<'_>) -> Option<&'a str> {
    assistant.retry.as_ref()?.note.as_deref().filter(|note| !trim(note).is_empty())
}

/// A text without one `<system-…>` element around it.
pub(super) fn unwrapped(text: &str) -> Cow<'_, str> {
    let inner = || {
        let trimmed = trim(text);
        let (tag, rest) = trimmed.strip_prefix('<')?.split_once('>')?;
        let name = tag.split_whitespace().next()?;
        let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let end = format!("</{name}>");
        (name.starts_with("system-") && is_plain).then(|| rest.strip_suffix(end.as_str()))?
    };
    Cow::Borrowed(inner().map_or(text, trim))
}

/// Whether nothing of a text is more than dots and blanks.
pub(super) fn is_mere_dots(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '.' | '…' | '\u{feff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrapper_goes() {
        assert_eq!(unwrapped("<system-notice kind=\"job\">Job 7</system-notice>\n"), "Job 7");
        assert_eq!(
            unwrapped("<system-a><system-a>x</system-a></system-a>"),
            "<system-a>x</system-a>"
        );
        for text in ["<system-a>x", "<b>x</b>", "<system-a>x</system-b>", "<", "<system-<>x", ""] {
            assert_eq!(unwrapped(text), text);
        }
    }
}
