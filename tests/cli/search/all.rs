//! A home with every session of this repository that is a file of lines, laid out as its agent does.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use leafpress::session::Format;

use crate::support::home::Home;

/// The home, and where each file of the repository lies in it.
pub(super) fn all_sessions() -> (Home, HashMap<String, PathBuf>) {
    let home = Home::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["examples", "tests/fixtures"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let mut places = HashMap::new();
    for (nth, file) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let format = leafpress::read(text.clone().into_bytes()).map(|session| session.format());
        let place = place(format.unwrap_or_default(), nth);
        home.file(&place, &text);
        let name = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        places.insert(name, home.path(&place));
    }
    // Reads all of them, however long that takes; other searches answer after two seconds.
    home.run(&["search", "--full", "--", "-agent:nobody"]).success();
    (home, places)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            files.push(path);
        }
    }
}

/// Where an agent has its sessions; all others lie where pi's do.
fn place(format: Format, nth: usize) -> String {
    match format {
        Format::ClaudeCode => format!(".claude/projects/-w-/{nth}.jsonl"),
        Format::Codex => format!(
            ".codex/sessions/2026/11/01/rollout-2026-11-01T00-00-00-0195c0de-0000-7000-8000-{nth:012}.jsonl"
        ),
        Format::Copilot => format!(".copilot/session-state/{nth}/events.jsonl"),
        Format::Cursor => format!(".cursor/projects/w/agent-transcripts/{nth}/{nth}.jsonl"),
        Format::Gemini => format!(".gemini/tmp/w/chats/session-{nth}.jsonl"),
        Format::Qwen => format!(".qwen/projects/w/chats/{nth}.jsonl"),
        Format::Omp => format!(".omp/agent/sessions/--w--/{nth}.jsonl"),
        _ => format!(".pi/agent/sessions/--w--/{nth}.jsonl"),
    }
}
