//! Texts reduced to their letters and digits: what markup, Markdown, colors and line breaks leave as it is.

/// The letters and digits of a text.
pub(super) fn squashed(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).collect()
}

/// The lines of a text, each in the forms in which a page may have it.
pub(super) struct Words(Vec<Vec<String>>);

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let plain = without(&without_escapes(text), "<command-message>", "</command-message>");
        let mut lines = Vec::new();
        for line in plain.lines() {
            // A terminal shows what stands behind the last return to the start of the line.
            let line = line.trim_end_matches('\r');
            let line = line.rsplit('\r').next().unwrap_or(line);
            if is_frame(line) {
                continue;
            }
            let mut forms: Vec<String> = Vec::new();
            for form in forms_of(line) {
                let form = squashed(&form);
                if !form.is_empty() && !forms.contains(&form) {
                    forms.push(form);
                }
            }
            if !squashed(line).is_empty() {
                lines.push(forms);
            }
        }
        Words(lines)
    }

    /// Of an argument: a path may be shown from the working directory on, and the state of a task as a sign.
    pub(super) fn of_argument(text: &str) -> Words {
        const STATES: [&str; 3] = ["pending", "in_progress", "completed"];
        if STATES.contains(&text) {
            return Words(Vec::new());
        }
        match text.strip_prefix('/').filter(|path| !path.contains(char::is_whitespace)) {
            Some(path) => Words::of(path.rsplit('/').next().unwrap_or_default()),
            None => Words::of(text),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the lines are in these letters, one behind the other.
    pub(super) fn are_in(&self, letters: &str) -> bool {
        let mut rest = letters;
        self.0.iter().all(|forms| {
            let ends = forms.iter().filter_map(|form| Some(rest.find(form.as_str())? + form.len()));
            let end = ends.min();
            rest = &rest[end.unwrap_or(0)..];
            end.is_some()
        })
    }

    /// A line that is nowhere in these letters.
    pub(super) fn first_missing(&self, letters: &str) -> Option<&str> {
        let is_missing =
            |forms: &&Vec<String>| !forms.iter().any(|form| letters.contains(form.as_str()));
        self.0.iter().find(is_missing)?.first().map(String::as_str)
    }

    /// Whether the lines are in these letters, in any order.
    pub(super) fn are_among(&self, letters: &str) -> bool {
        self.0.iter().all(|forms| forms.iter().any(|form| letters.contains(form.as_str())))
    }
}

/// Lines that say of the lines below what the page says otherwise: that they are code, a patch, a command.
fn is_frame(line: &str) -> bool {
    const FRAMES: [&str; 18] = [
        "```",
        "~~~",
        "*** ",
        "diff --git ",
        "index ",
        "Index: ",
        "--- ",
        "+++ ",
        "@@",
        "new file mode ",
        "create file mode ",
        "deleted file mode ",
        "\\ No newline",
        "<command-message>",
        "<usage>",
        "<timestamp>",
        "Payload:",
        "[REDACTED]",
    ];
    // Tags alone, and the number of a blank line.
    if squashed(&without(line, "<", ">")).is_empty() {
        return true;
    }
    let line = line.trim_start_matches(|one: char| one.is_whitespace() || one == '>');
    let behind_number = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let is_numbered = behind_number.starts_with(['\t', '→']) && behind_number.len() < line.len();
    is_numbered && squashed(behind_number).is_empty()
        || FRAMES.iter().any(|frame| line.starts_with(frame))
}

/// A line, and what is left of it where the page draws a part in its own way.
fn forms_of(line: &str) -> Vec<String> {
    let bare = line.trim_start_matches(|one: char| one.is_whitespace() || one == '>');
    // A number of a list, or of a line of code; the sign of a changed line.
    let unsigned = bare.trim_start_matches(['+', '-']).trim_start();
    let behind_number = unsigned.trim_start_matches(|one: char| one.is_ascii_digit());
    // Where the page has a state, and where a result repeats its call.
    let labels = ["Error: ", "SQL: "];
    // The page draws a box for the state of a task.
    let task = unsigned.strip_prefix("[x] ").unwrap_or(unsigned);
    // It numbers footnotes itself.
    let note = bare.strip_prefix("[^").and_then(|note| note.split_once("]: "));
    let note = note.map_or(bare, |(_, note)| note);
    let behind_label = labels.iter().find_map(|label| bare.strip_prefix(label)).unwrap_or(bare);
    vec![
        line.to_owned(),
        without(line, "](", ")"),
        without(line, "<", ">"),
        unescaped(line),
        behind_number.to_owned(),
        without(behind_number, "](", ")"),
        behind_label.to_owned(),
        task.to_owned(),
        note.to_owned(),
    ]
}

/// Without the parts from `open` to `close`.
fn without(line: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(open) {
        let behind = &rest[at + open.len()..];
        let Some(end) = behind.find(close) else { break };
        out.push_str(&rest[..at]);
        rest = &behind[end + close.len()..];
    }
    out + rest
}

/// With the references of HTML as what they mean.
fn unescaped(line: &str) -> String {
    let known = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    known.iter().fold(line.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Without the sequences that a terminal takes as commands.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(one) = chars.next() {
        if one != '\u{1b}' {
            out.push(one);
            continue;
        }
        match chars.next() {
            Some('[') => while chars.next().is_some_and(|one| !('@'..='~').contains(&one)) {},
            Some(']') => while chars.next().is_some_and(|one| one != '\u{7}' && one != '\\') {},
            _ => {}
        }
    }
    out
}
