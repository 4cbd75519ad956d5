//! Every format with a marker in each of its texts: what is left after a cut stands in an entry
//! that stays, and nowhere else.

use leafpress::session::EntryIndex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use leafpress::Session;
use leafpress::cut::Cut;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::Message;
use leafpress::session::{Body, Format, Kind};
use serde_json::Value;

use crate::cut::cases::{cut_with, page};
use crate::support::inflated::everything;

/// Every marker begins so, and has four more letters.
const MARK: &str = "Qzxmark";
const LETTERS: usize = 4;

/// Fields that say what something is or where it is, not what it tells.
const STRUCTURE: [&str; 32] = [
    "type",
    "role",
    "id",
    "uuid",
    "source",
    "kind",
    "status",
    "version",
    "schema_version",
    "sender",
    "event",
    "subtype",
    "provenance",
    "event.name",
    "mimeType",
    "media_type",
    "mime",
    "data",
    "url",
    "image_url",
    "cwd",
    "directory",
    "path",
    "projectHash",
    "projectSlug",
    "stopReason",
    "finish",
    "customType",
    "tool",
    "encoding",
    "fact",
    "op",
];

/// Plants the markers, each once.
#[derive(Default)]
struct Planter(usize);

impl Planter {
    fn marker(&mut self) -> String {
        let mut number = self.0;
        self.0 += 1;
        let mut letters = String::new();
        for _ in 0..LETTERS {
            letters.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
            number /= 26;
        }
        format!("{MARK}{letters}")
    }

    fn value(&mut self, value: &mut Value, key: &str) {
        match value {
            Value::String(text) if is_text(key, text) => {
                *text = format!("{} {text}", self.marker());
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item, key)),
            Value::Object(fields) => {
                let is_call = ["arguments", "input", "args", "response", "function", "parameters"]
                    .iter()
                    .any(|key| fields.contains_key(*key));
                for (name, value) in fields.iter_mut().filter(|(n, _)| !is_call || *n != "name") {
                    self.value(value, name);
                }
            }
            _ => {}
        }
    }

    /// A file of JSON, or of lines that are.
    fn file(&mut self, text: &str) -> String {
        if let Ok(mut whole) = serde_json::from_str::<Value>(text) {
            self.value(&mut whole, "");
            return whole.to_string();
        }
        let lines = text.lines().map(|line| match serde_json::from_str::<Value>(line) {
            Ok(mut value) => {
                self.value(&mut value, "");
                value.to_string()
            }
            Err(_) => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Copies a folder with all below it.
    fn folder(&mut self, from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        let entries = std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path());
        let entries: BTreeSet<PathBuf> = entries.collect();
        for path in entries {
            let copy = to.join(path.file_name().unwrap());
            if path.is_dir() {
                self.folder(&path, &copy);
            } else if path.extension().is_some_and(|ending| ending == "jsonl" || ending == "json") {
                std::fs::write(copy, self.file(&std::fs::read_to_string(path).unwrap())).unwrap();
            } else {
                std::fs::copy(path, copy).unwrap();
            }
        }
    }
}

fn is_text(key: &str, text: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    let is_place = [
        "id",
        "ids",
        "path",
        "time",
        "timestamp",
        "uuid",
        "at",
        "ref",
        "model",
        "level",
        "effort",
        "session",
    ]
    .iter()
    .any(|end| lower.ends_with(end));
    !is_place
        && !STRUCTURE.contains(&key)
        && !text.is_empty()
        && !text.starts_with(['{', '[', '<', '#'])
        && !text.contains("://")
}

/// The markers in a text.
fn markers(text: &str) -> BTreeSet<&str> {
    let word = |(at, _)| text.get(at + MARK.len()..at + MARK.len() + LETTERS);
    text.match_indices(MARK).filter_map(word).collect()
}

/// Every session of the samples that can be read with markers in it, and with as many entries.
fn planted(each: impl Fn(&Path, &dyn Fn() -> Session)) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folder = tempfile::tempdir().unwrap();
    let mut planter = Planter::default();
    let mut folders: Vec<PathBuf> = vec!["samples".into(), "samples-2026-11".into()];
    for name in &folders {
        planter.folder(&fixtures.join(name), &folder.path().join(name));
    }
    let mut formats = BTreeSet::new();
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(folder.path().join(&at)).unwrap() {
            let name = at.join(entry.unwrap().file_name());
            let path = folder.path().join(&name);
            if path.is_dir() {
                folders.push(name);
                continue;
            }
            let read = |path: &Path| {
                let options = ReadOptions::new().session(path.to_owned());
                read_with(std::fs::read(path).unwrap(), None, &options)
            };
            let Ok(plain) = read(&fixtures.join(&name)) else { continue };
            let session = read(&path).unwrap_or_else(|error| panic!("{}: {error}", name.display()));
            assert_eq!(session.format(), plain.format(), "{}", name.display());
            // Words that a file says twice are shown twice where they differ.
            assert!(session.len() >= plain.len(), "{}", name.display());
            if !markers(&everything(&page(&session))).is_empty() {
                formats.insert(session.format().name());
            }
            each(&name, &|| read(&path).unwrap());
        }
    }
    assert_eq!(formats.len(), Format::ALL.len(), "{formats:?}");
}

/// An entry about the whole session, which holds its title or a summary.
fn is_about(session: &Session, entry: usize) -> bool {
    let Body::Custom { custom_type, .. } = session.entry(EntryIndex::new(entry)).unwrap().body
    else {
        return false;
    };
    let is_whole = matches!(session.format(), Format::Gemini | Format::Sts | Format::Atif);
    is_whole && matches!(custom_type.as_ref(), "session" | "trajectory")
}

type Set = fn(&Session, &mut Cut);

/// Cuts by which entries go.
const SELECTING: [(&str, Set); 6] = [
    ("branch", |session, cut| cut.branch = Some(EntryIndex::new(session.own_len() / 2))),
    ("to", |session, cut| cut.to = path(session).get(1).copied()),
    ("from", |session, cut| cut.from = path(session).last().copied()),
    ("subtree", |session, cut| cut.subtree = Some(EntryIndex::new(session.own_len() / 2))),
    ("active only", |_, cut| cut.active_only = true),
    ("only", |session, cut| {
        let kind = |at| Kind::of(&session.entry(at).unwrap().body);
        let has_prompts = session.own_indices().any(|at| kind(at) == Kind::User);
        cut.only = Some(vec![if has_prompts {
            Kind::User
        } else {
            kind(EntryIndex::new(session.own_len() - 1))
        }]);
    }),
];

fn path(session: &Session) -> Vec<EntryIndex> {
    session.tree().path(session.leaf())
}

#[test]
fn what_is_left_stands_in_an_entry_that_stays() {
    let gone = std::cell::Cell::new(0);
    planted(|name, read| {
        let whole = read();
        for (what, set) in SELECTING {
            let cut = cut_with(read(), set);
            let stays = |entry: usize| {
                let found = cut.find(&whole.key(EntryIndex::new(entry)).unwrap());
                found.is_some_and(|entry| {
                    !matches!(cut.entry(entry).unwrap().body, Body::Omitted(_))
                })
            };
            let number = |entry| whole.tree().session_of(entry);
            let less: BTreeSet<usize> =
                whole.indices().filter(|&entry| !stays(entry.get())).map(number).collect();
            let kept = whole.indices().filter(|&entry| {
                stays(entry.get())
                    && !(less.contains(&number(entry)) && is_about(&whole, entry.get()))
            });
            let mut kept: BTreeSet<&str> =
                kept.flat_map(|entry| markers(whole.raw(entry).unwrap())).collect();
            // What a file beside a sub-agent's says of it belongs to the call that started it.
            for sub in whole.sub_sessions().iter().filter(|sub| stays(sub.started_by.get())) {
                if let Body::Message(_) = whole.entry(sub.started_by).unwrap().body {
                    let words = [&sub.agent, &sub.task].into_iter().flatten();
                    kept.extend(words.flat_map(|words| markers(words)));
                }
            }
            let all = everything(&page(&whole));
            let left = everything(&page(&cut));
            let left = markers(&left);
            gone.set(gone.get() + markers(&all).difference(&left).count());
            let unexpected: Vec<&str> = left.difference(&kept).copied().collect();
            let unexpected = if less.is_empty() { &[] } else { &unexpected[..] };
            assert_eq!(told(&all, unexpected), BTreeMap::new(), "{} with {what}", name.display());
        }
    });
    assert!(gone.get() > 1000, "{}", gone.get());
}

#[test]
fn output_thinking_and_system_prompts_are_left_nowhere() {
    planted(|name, read| {
        let whole = read();
        let cuts: [(&str, Set); 3] = [
            ("without system prompts", |_, cut| cut.without_system = true),
            ("without output", |_, cut| cut.without_tool_output = true),
            ("without thinking", |_, cut| cut.without_thinking = true),
        ];
        for (what, set) in cuts {
            let left = everything(&page(&cut_with(read(), set)));
            for entry in whole.indices() {
                let text = match whole.entry(entry).unwrap().body {
                    Body::Message(Message::ToolResult(result)) if what == "without output" => {
                        format!("{:?}{:?}", result.content, result.details)
                    }
                    Body::CustomMessage(message)
                        if what == "without output" && message.custom_type == "observation" =>
                    {
                        format!("{:?}", message.content)
                    }
                    Body::Message(Message::System(system)) if what == "without system prompts" => {
                        format!("{system:?}")
                    }
                    Body::Message(Message::Assistant(message)) if what == "without thinking" => {
                        let thinking = message.content.iter().filter(|block| {
                            matches!(block, leafpress::session::message::Block::Thinking(_))
                        });
                        format!("{:?}", thinking.collect::<Vec<_>>())
                    }
                    _ => continue,
                };
                let gone = markers(&text);
                let left: Vec<_> = gone.intersection(&markers(&left)).copied().collect();
                assert!(
                    left.is_empty(),
                    "{} {what}: {left:?} of {}",
                    name.display(),
                    whole.key(entry).unwrap()
                );
            }
        }
    });
}

/// What stands around each marker.
fn told<'m>(text: &str, markers: &[&'m str]) -> BTreeMap<&'m str, String> {
    let around = |marker: &&'m str| {
        let at = text.find(&format!("{MARK}{marker}")).unwrap_or_default();
        let before = text[..at].lines().next_back().unwrap_or_default().chars().rev().take(60);
        let before: String = before.collect::<Vec<_>>().into_iter().rev().collect();
        let behind: String = text[at..].chars().take(60).collect();
        (*marker, before + &behind)
    };
    markers.iter().map(around).collect()
}
