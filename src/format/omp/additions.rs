//! What oh-my-pi adds to pi's files: how to tell them, the blobs and whole
//! outputs beside them, and the branches that were put away.
//!
//! First the marks by which a file is omp's, then what its text names beside it: blobs and whole outputs, which are
//! read here so that the session can show them. Last the archived branches: they are taken out before entries are
//! linked.

use std::collections::{HashMap, HashSet};

use data_encoding::{BASE64, BASE64_NOPAD, HEXLOWER};
use memchr::memmem;
use sha2::{Digest, Sha256};

use crate::session::attachments::{Artifact, Attachments};
use crate::session::event::Event;
use crate::session::json::Json;
use crate::session::text::{counted_entries, numbered};
use crate::session::{Body, Entry, RawEntry, SessionBuilder};

use crate::format::files::SessionFileError;
use crate::format::own_folder::as_image;
use crate::format::probe::{Probe, text};
use crate::format::read_options::ReadOptions;

/// Types that pi's files do not have.
// 18.3.4; `archive` is of omp's repository in 2026 and not in 18.3.4's list.
const TYPES: [&str; 9] = [
    "archive",
    "credential_pin",
    "mode_change",
    "model_usage",
    "reset_boundary",
    "service_tier_change",
    "session_init",
    "title_change",
    "ttsr_injection",
];

/// Those of them that `crate::store` writes into pi's files, too.
const SHARED: [&str; 3] = ["mode_change", "session_init", "ttsr_injection"];

/// The key and the value in the header of a file that the store began.
pub(crate) const WRITER: (&str, &str) = ("writer", "leafpress");

/// Roles that pi's files do not have.
// 18.3.4; `jsExecution` stands in old files.
const ROLES: [&str; 5] =
    ["developer", "fileMention", "jsExecution", "pythonExecution", "hookMessage"];

/// Whether a file is omp's: the title line on top, or what only omp writes.
/// Version 2 of pi has a role that omp took up again.
pub(in crate::format) fn recognizes(probe: &Probe<'_>) -> bool {
    let is_stores = |json: &Json<'_>| {
        text(json, "type") == Some("session") && text(json, WRITER.0) == Some(WRITER.1)
    };
    is_own(probe, !probe.any(is_stores))
}

/// The same for who writes to it: the types that the store writes itself tell nothing.
#[cfg(feature = "store")]
pub(in crate::format) fn surely(probe: &Probe<'_>) -> bool {
    is_own(probe, false)
}

fn is_own(probe: &Probe<'_>, shared_count: bool) -> bool {
    let is_header = |json: &Json<'_>| text(json, "type") == Some("session");
    let Some(at) = probe.lines.iter().position(is_header) else { return false };
    let header = &probe.lines[at];
    let is_old = header.get("version").and_then(Json::as_f64).is_none_or(|version| version < 3.0);
    let has_slot = at > 0 && is_title_line(&probe.lines[0]);
    let has_title = ["title", "titleSource", "additionalDirectories"]
        .iter()
        .any(|key| header.get(key).is_some());
    header.get("uuid").is_none()
        && text(header, "id").is_some()
        && (has_slot
            || has_title
            || probe.any(|line| {
                let entry_type = text(line, "type").unwrap_or_default();
                (shared_count || !SHARED.contains(&entry_type)) && is_omps(line, is_old)
            }))
}

// 256 bytes with the newline, rewritten in place on a rename (18.3.4).
fn is_title_line(json: &Json<'_>) -> bool {
    text(json, "type") == Some("title") && json.get("v").is_some()
}

fn is_omps(entry: &Json<'_>, is_old: bool) -> bool {
    let entry_type = text(entry, "type").unwrap_or_default();
    let message = entry.get("message");
    let role = message.and_then(|message| text(message, "role")).unwrap_or_default();
    let is_blob = |block: &Json<'_>| text(block, "data").is_some_and(Attachments::is_blob_name);
    let content = message.and_then(|message| message.get("content"));
    match entry_type {
        // omp writes `model: "provider/id"`, pi provider and modelId.
        "model_change" => text(entry, "model").is_some() && entry.get("provider").is_none(),
        "message" => {
            (ROLES.contains(&role) && !(is_old && role == "hookMessage"))
                || content.map(Json::items).unwrap_or_default().iter().any(is_blob)
        }
        "compaction" | "branch_summary" if entry.get("fromExtension").is_some() => true,
        _ => TYPES.contains(&entry_type),
    }
}

/// Reads the files beside the session that its text names.
pub(in crate::format) fn attachments(source: &[u8], options: &ReadOptions) -> Attachments {
    let mut attachments = Attachments::default();
    let folder = options.blobs_folder();
    for hash in blobs_named(source) {
        let data = match &folder {
            Ok(folder) => folder
                .read(&hash)
                .map_err(|error| error.to_string())
                .and_then(|bytes| picture(&hash, bytes)),
            Err(error) => Err(match error {
                SessionFileError::Missing if options.session.is_none() => {
                    "not found: the directory of the blobs is unknown".to_owned()
                }
                error => error.to_string(),
            }),
        };
        attachments.put_blob(hash, data);
    }
    let numbers = artifacts_named(source);
    if !numbers.is_empty() {
        let own = options.own_folder();
        let names = own.as_ref().map_or_else(|_| Vec::new(), |own| own.list(".log"));
        for number in numbers {
            let name = names.iter().find(|name| is_output_of(name, &number));
            let artifact = match (&own, name) {
                (Ok(own), Some(name)) => own.read(name).map(|bytes| Artifact {
                    name: options.renamed(name.clone()),
                    text: String::from_utf8_lossy(&bytes).into_owned(),
                }),
                (Err(error), _) => Err(error.clone()),
                (Ok(_), None) => Err(SessionFileError::Missing),
            };
            attachments.put_artifact(number, artifact.map_err(|error| error.to_string()));
        }
    }
    attachments
}

/// `3.bash.log` for 3.
// `artifact://3` is the file `3.<tool>.log` in the folder that has the session's name (18.3.4).
fn is_output_of(name: &str, number: &str) -> bool {
    let rest = name.strip_prefix(number).and_then(|rest| rest.strip_prefix('.'));
    rest.is_some_and(|rest| rest.len() > ".log".len())
}

/// The hashes of the blobs that stand in the file as a whole JSON string.
// 64 lower-case hex digits of the SHA-256 of the bytes; anything else is no reference (18.3.4).
pub(crate) fn blobs_named(source: &[u8]) -> Vec<String> {
    const NAME: &[u8] = b"\"blob:sha256:";
    let mut seen = HashSet::new();
    let names = memmem::find_iter(source, NAME).filter_map(|at| {
        let name = source.get(at + 1..at + NAME.len() + 64)?;
        let is_whole = source.get(at + NAME.len() + 64) == Some(&b'"');
        let hash = Attachments::hash(std::str::from_utf8(name).ok()?)?;
        is_whole.then(|| hash.to_owned())
    });
    names.filter(|hash| seen.insert(hash.clone())).collect()
}

/// A picture's base64 from its blob: the bytes themselves, or the text of a data URL.
// Image data of 1,024 base64 characters or more is stored as bytes, an `image_url` as text (18.3.4).
fn picture(hash: &str, bytes: Vec<u8>) -> Result<String, String> {
    /// Enough to tell an image by, in whole groups of base64.
    const HEAD: usize = 1024;
    if HEXLOWER.encode(&Sha256::digest(&bytes)) != hash {
        return Err("refused: its bytes do not match its name".to_owned());
    }
    let url = std::str::from_utf8(&bytes).ok().filter(|text| text.starts_with("data:"));
    if let Some((_, data)) = url.and_then(|url| url.split_once(";base64,")) {
        let head = data.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=').take(HEAD);
        let head = BASE64_NOPAD.decode(head.collect::<String>().as_bytes()).unwrap_or_default();
        return as_image(head).map(|_| data.to_owned()).map_err(|error| error.to_string());
    }
    as_image(bytes).map(|bytes| BASE64.encode(&bytes)).map_err(|error| error.to_string())
}

fn artifacts_named(source: &[u8]) -> Vec<String> {
    const SCHEME: &[u8] = b"artifact://";
    const FACT: &[u8] = b"\"artifactId\":\"";
    let digits = |from: usize| {
        let rest = source.get(from..).unwrap_or_default();
        let count = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&rest[..count]).unwrap_or_default();
        (1..10).contains(&count).then(|| digits.to_owned())
    };
    let mut seen = HashSet::new();
    let texts = memmem::find_iter(source, SCHEME).filter_map(|at| digits(at + SCHEME.len()));
    let facts = memmem::find_iter(source, FACT).filter_map(|at| digits(at + FACT.len()));
    texts.chain(facts).filter(|number| seen.insert(number.clone())).collect()
}

/// What was put away.
#[derive(Debug, Default, PartialEq)]
pub(in crate::format) struct PutAway {
    /// How many entries.
    pub(in crate::format) count: usize,
    /// Under how many entries that were put away themselves.
    pub(in crate::format) branches: usize,
    /// Their lines, ascending.
    pub(in crate::format) lines: Vec<u32>,
    /// The entry to open at, where the last one is gone.
    pub(in crate::format) leaf: Option<String>,
}

impl PutAway {
    /// What the session has to know of it.
    pub(in crate::format) fn tell(self, builder: &mut SessionBuilder) {
        if self.count == 0 {
            return;
        }
        let entries = counted_entries(self.count);
        let branches = numbered(self.branches, "archived branch", "archived branches");
        builder.note(format!("{entries} of {branches} not included; `--archived` includes them"));
        builder.left_out(self.lines);
        if let Some(leaf) = self.leaf {
            builder.leaf(leaf);
        }
    }
}

/// Takes out the entries that were put away; `text` gives an entry's JSON. A
/// session that would be nothing without them keeps them.
pub(in crate::format) fn take_archived<'t>(
    entries: &mut Vec<RawEntry>,
    text: impl Fn(&RawEntry) -> &'t str,
) -> PutAway {
    let targets = archived_targets(entries, text);
    if targets.is_empty() {
        return PutAway::default();
    }
    // The later line of an id is the one that is shown.
    let by_id: HashMap<&str, usize> =
        entries.iter().enumerate().map(|(at, entry)| (entry.id.as_str(), at)).collect();
    let parent = |at: usize| entries[at].parent_id.as_deref().and_then(|id| by_id.get(id).copied());
    let gone = below(entries, &targets, parent);
    let count = gone.iter().filter(|gone| **gone).count();
    if count == 0 || count == entries.len() {
        return PutAway::default();
    }
    let mut leaf = entries.len() - 1;
    // A circle of parents has no way out.
    for _ in 0..entries.len() {
        match parent(leaf) {
            Some(above) if gone[leaf] => leaf = above,
            _ => break,
        }
    }
    let is_moved = gone.last() == Some(&true);
    let leaf = (is_moved && !gone[leaf]).then(|| entries[leaf].id.clone());
    let is_gone = |entry: &&RawEntry| targets.contains(&entry.id) && gone[by_id[entry.id.as_str()]];
    let put_away = PutAway {
        count,
        branches: entries.iter().filter(is_gone).count(),
        lines: entries.iter().zip(&gone).filter(|(_, gone)| **gone).map(|(e, _)| e.line).collect(),
        leaf,
    };
    let mut gone = gone.into_iter();
    entries.retain(|_| !gone.next().unwrap_or(false));
    put_away
}

/// The ids that were put away; the last word on each counts.
// {targetId, archived}: omp hides the subtree, and moves the leaf to the nearest visible entry above.
fn archived_targets<'t>(
    entries: &[RawEntry],
    text: impl Fn(&RawEntry) -> &'t str,
) -> HashSet<String> {
    let mut targets = HashSet::new();
    for entry in entries.iter().filter(|entry| entry.entry_type == "archive") {
        if let Body::Event(Event::Archive { target_id, archived }) = Entry::parse(text(entry)).body
        {
            if archived {
                targets.insert(target_id.into_owned());
            } else {
                targets.remove(target_id.as_ref());
            }
        }
    }
    targets
}

/// Which entries are a target or lie below one, in linear time.
fn below(
    entries: &[RawEntry],
    targets: &HashSet<String>,
    parent: impl Fn(usize) -> Option<usize>,
) -> Vec<bool> {
    let mut known: Vec<Option<bool>> =
        entries.iter().map(|entry| targets.contains(&entry.id).then_some(true)).collect();
    let mut on_way = Vec::new();
    for from in 0..entries.len() {
        let mut at = Some(from);
        let mut found = false;
        while let Some(here) = at {
            if let Some(is_below) = known[here] {
                found = is_below;
                break;
            }
            // A circle ends where it is met again.
            known[here] = Some(false);
            on_way.push(here);
            at = parent(here);
        }
        for here in on_way.drain(..) {
            known[here] = Some(found);
        }
    }
    known.into_iter().map(|is_below| is_below == Some(true)).collect()
}
