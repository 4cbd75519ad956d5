//! Whether the files that leafpress says an edit made are those that the session file shows, told without its
//! readers: the file is walked as JSON, and each edit is applied to the text that the file has of its file.
//!
//! * Claude Code writes the whole file before an edit (`originalFile`), and what was replaced by what.
//! * pi and oh-my-pi show a whole file by a `read` or a `write`, from which edits go on; a `read` of a part shows its lines.
//!
//! Texts that the agent cut are left out. A command may have written a file: then leafpress does not know it, and
//! nothing is compared until both do again.

use std::collections::HashMap;
use std::path::Path;

use leafpress::changes::Changes;
use leafpress::session::EntryIndex;
use serde_json::Value;

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Edits whose file is known to both.
    pub(crate) compared: usize,
    /// What differs, one line each.
    pub(crate) wrong: Vec<String>,
}

/// A file after an entry, as the session file shows it.
struct Shown {
    /// The line of the entry, counted from 1.
    line: u32,
    path: String,
    text: String,
    /// The number of the first line, where the text is a part of the file.
    from: Option<usize>,
}

pub(crate) fn checked(path: &Path) -> Checked {
    let mut checked = Checked::default();
    let Ok(session) = leafpress::read_file(path) else { return checked };
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let rows: Vec<(u32, Value)> = (1..)
        .zip(text.lines())
        .filter_map(|(nth, line)| Some((nth, serde_json::from_str(line).ok()?)))
        .collect();
    let entries: HashMap<u32, EntryIndex> =
        session.own_indices().map(|entry| (session.line(entry), entry)).collect();
    let changes = Changes::of(&session);
    let shown = rows.iter().filter_map(of_claude_code).chain(of_pi(&rows));
    for Shown { line, path: name, text, from } in shown {
        let (Some(index), Some(place)) = (entries.get(&line), changes.find(&name)) else {
            continue;
        };
        let state = changes.state(&changes.files()[place], *index);
        let Some(ours) = state.text() else { continue };
        checked.compared += 1;
        let part = from.map(|from| {
            let lines = ours.split('\n').skip(from - 1).take(text.split('\n').count());
            lines.collect::<Vec<_>>().join("\n")
        });
        let ours = part.as_deref().unwrap_or(ours);
        if ours != text {
            let at = ours.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
            let lengths = (ours.len(), text.len());
            checked
                .wrong
                .push(format!("{}: {name} at line {line}, byte {at} {lengths:?}", path.display()));
        }
    }
    checked
}

/// An edit of Claude Code, applied to the file that it found.
fn of_claude_code((line, row): &(u32, Value)) -> Option<Shown> {
    let result = row.get("toolUseResult")?;
    let text = |key: &str| result.get(key)?.as_str();
    let (before, old, new) = (text("originalFile")?, text("oldString")?, text("newString")?);
    let is_changed = result.get("userModified") == Some(&Value::Bool(true));
    if is_changed || old.is_empty() || !before.contains(old) {
        return None;
    }
    let is_all = result.get("replaceAll") == Some(&Value::Bool(true));
    let after = if is_all { before.replace(old, new) } else { before.replacen(old, new, 1) };
    Some(Shown { line: *line, path: text("filePath")?.to_owned(), text: after, from: None })
}

/// The edits of pi, each applied to what the one before left.
fn of_pi(rows: &[(u32, Value)]) -> Vec<Shown> {
    let mut calls: HashMap<&str, (&str, &Value)> = HashMap::new();
    let mut files: HashMap<String, String> = HashMap::new();
    let mut shown = Vec::new();
    for (line, row) in rows {
        let Some(message) = row.get("message") else { continue };
        for block in message["content"].as_array().into_iter().flatten() {
            if let (Some("toolCall"), Some(id), Some(name)) =
                (block["type"].as_str(), block["id"].as_str(), block["name"].as_str())
            {
                calls.insert(id, (name, &block["arguments"]));
            }
        }
        let call = message["toolCallId"].as_str().and_then(|id| calls.get(id));
        let Some((name, given)) = call else { continue };
        let path = given["path"].as_str().unwrap_or_default().to_owned();
        let has_failed = message["isError"].as_bool().unwrap_or_default();
        match *name {
            _ if has_failed => {}
            "write" => {
                let Some(text) = given["content"].as_str() else { continue };
                files.insert(path.clone(), text.to_owned());
                shown.push(Shown { line: *line, path, text: text.to_owned(), from: None });
            }
            "read" if given.get("offset").is_some() || given.get("limit").is_some() => {
                files.remove(&path);
                let from = given["offset"].as_u64().unwrap_or(1).max(1);
                let Some(text) = message["content"][0]["text"].as_str() else { continue };
                // What the tool says behind the lines.
                let text = match text.rsplit_once("\n\n") {
                    Some((text, said)) if said.contains("offset=") => text,
                    _ => text,
                };
                let from = usize::try_from(from).ok();
                shown.push(Shown { line: *line, path, text: text.to_owned(), from });
            }
            "read" => {
                let is_whole = given.get("offset").is_none() && given.get("limit").is_none();
                let is_cut = |text: &str| {
                    message["details"].get("truncation").is_some()
                        || text.contains("more lines") && text.contains("offset=")
                };
                let content = message["content"].as_array().map(Vec::as_slice);
                let Some([block]) = content else { continue };
                match block["text"].as_str().filter(|text| is_whole && !is_cut(text)) {
                    Some(text) => files.insert(path, text.to_owned()),
                    None => files.remove(&path),
                };
            }
            "edit" => {
                let (Some(old), Some(new)) = (given["oldText"].as_str(), given["newText"].as_str())
                else {
                    files.remove(&path);
                    continue;
                };
                // pi 0.x replaced by JavaScript's `replace`, which means something by `$$` and the like.
                let is_plain = !["$$", "$&", "$`", "$'"].iter().any(|mark| new.contains(mark));
                let is_one = |text: &&String| is_plain && text.matches(old).count() == 1;
                let Some(before) = files.get(&path).filter(is_one) else {
                    files.remove(&path);
                    continue;
                };
                let after = before.replacen(old, new, 1);
                files.insert(path.clone(), after.clone());
                shown.push(Shown { line: *line, path, text: after, from: None });
            }
            _ => {}
        }
    }
    shown
}
