//! A fork by reference: the file has only its own rows, and its header names the thread whose rollout
//! has those before. They are put behind the header, as forks of earlier versions hold them. Seen in 0.169.0:
//! `history_base` `{thread_id, end_ordinal_exclusive, end_byte_offset}`, with `history_mode` "paginated".

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};

use crate::byte_search;
use crate::format::compressed::plain_name;
use crate::format::decode;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;

use super::agents::{folder_of, thread_of};

/// So many forks of forks are followed.
const DEPTH: usize = 64;

/// What a fork goes on from.
#[derive(Debug, PartialEq)]
pub(super) struct Base {
    pub(super) thread: String,
    /// The first row that is no longer part of it, by the numbers of rows and by bytes.
    ordinal: Option<f64>,
    byte: Option<f64>,
}

impl Base {
    /// What a header says of it.
    pub(super) fn of(header: &Json<'_>) -> Option<Base> {
        let base = header.get("history_base")?;
        let count = |key: &str| base.get(key).and_then(Json::as_f64);
        Some(Base {
            thread: text(base, "thread_id")?.to_owned(),
            ordinal: count("end_ordinal_exclusive"),
            byte: count("end_byte_offset"),
        })
    }

    fn of_file(source: &[u8]) -> Option<Base> {
        Base::of(first_row(source)?.get("payload")?)
    }

    /// Its rows, as far as they belong to the fork.
    fn rows<'s>(&self, source: &'s [u8]) -> Vec<&'s [u8]> {
        let mut rows = Vec::new();
        for line in byte_search::lines(source) {
            let start = line.start;
            let line = &source[line];
            let number = serde_json::from_slice::<Json<'_>>(line).ok();
            let number = number.and_then(|row| row.get("ordinal")?.as_f64());
            let is_behind = match (number, self.ordinal, self.byte) {
                (Some(number), Some(end), _) => number >= end,
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "compared with a number of the file"
                )]
                (_, _, Some(end)) => start as f64 >= end,
                _ => false,
            };
            if is_behind {
                break;
            }
            rows.push(line);
        }
        rows
    }
}

/// The rows of a fork together with those before, as far as their rollouts are found, and how many those are.
pub(super) fn with_history(source: Vec<u8>, options: &ReadOptions) -> (Vec<u8>, u32) {
    whole(&source, options).unwrap_or((source, 0))
}

fn whole(source: &[u8], options: &ReadOptions) -> Option<(Vec<u8>, u32)> {
    let mut next = Some(Base::of_file(source)?);
    let mut lines = byte_search::lines(source);
    let first = lines.next()?;
    // What leafpress extracted from a page has them.
    let second = lines.next().and_then(|second| first_row(&source[second]));
    if second.is_some_and(|row| text(&row, "type") == Some("session_meta")) {
        return None;
    }
    let mut budget = Budget::default();
    let mut seen = HashSet::new();
    let mut history: Vec<(Base, Vec<u8>)> = Vec::new();
    while let Some(base) = next
        && history.len() < DEPTH
        && seen.insert(base.thread.clone())
        && let Some(bytes) = rollout(&base.thread, options, &mut budget)
    {
        next = Base::of_file(&bytes);
        history.push((base, bytes));
    }
    if history.is_empty() {
        return None;
    }
    let mut whole = source[..first.end].to_vec();
    let mut rows = 0;
    for (base, bytes) in history.iter().rev() {
        for row in base.rows(bytes) {
            end_line(&mut whole);
            whole.extend_from_slice(row);
            rows += 1;
        }
    }
    end_line(&mut whole);
    whole.extend_from_slice(&source[first.end..]);
    Some((whole, rows))
}

fn end_line(rows: &mut Vec<u8>) {
    if !rows.ends_with(b"\n") {
        rows.push(b'\n');
    }
}

fn first_row(source: &[u8]) -> Option<Json<'_>> {
    let line = byte_search::lines(source).next()?;
    serde_json::from_slice(&source[line]).ok()
}

/// The rollout of a thread, beside the session or in the same home.
fn rollout(thread: &str, options: &ReadOptions, budget: &mut Budget) -> Option<Vec<u8>> {
    let is_its = |name: &String| thread_of(name) == Some(thread);
    let plain_first = |name: &String| (plain_name(name) != name, name.clone());
    folders(thread, options).into_iter().find_map(|folder| {
        let names = folder.list("").into_iter().filter(is_its);
        let name = names.min_by_key(plain_first)?;
        let bytes = budget.read(&folder.as_on_disk(), &name).ok()?;
        Some(options.rewritten(decode::decompressed(bytes).ok()?))
    })
}

/// Where it may lie: beside the session, in the folder of the day on which the thread began, in the archive.
fn folders(thread: &str, options: &ReadOptions) -> Vec<OwnFolder> {
    let mut folders: Vec<OwnFolder> = options.folder().into_iter().collect();
    let path = options.canonical().ok();
    let Some(sessions) = path.as_deref().and_then(sessions_of) else { return folders };
    if let Some(day) = day_of(thread) {
        let days = (-1..=1).filter_map(|days: i64| day.checked_add(days.days()).ok());
        folders.extend(days.filter_map(|day| folder_of(options, &sessions, day)));
    }
    let home = sessions.parent().map(|home| options.at(home.to_owned()));
    folders.extend(home.and_then(|home| home.sub_folder("archived_sessions").ok()));
    folders
}

/// The folder `sessions` of the home that a session lies in.
fn sessions_of(session: &Path) -> Option<PathBuf> {
    let folder = session.parent()?;
    if folder.ends_with("archived_sessions") {
        return Some(folder.parent()?.join("sessions"));
    }
    let is_number = |folder: &Path| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let sessions = session.ancestors().nth(4)?;
    session.ancestors().skip(1).take(3).all(is_number).then(|| sessions.to_owned())
}

/// The day on which a thread began, which its id says: a UUID of version 7.
fn day_of(thread: &str) -> Option<Date> {
    let hex: String = thread.chars().filter(|c| *c != '-').take(12).collect();
    let ms = i64::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == 12)?;
    let time = Timestamp::from_millisecond(ms).ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_thread_says_its_day() {
        let day = day_of("019de000-0000-7000-8000-000000000001").unwrap();
        assert_eq!(day.to_string(), "2026-04-30");
        for id in ["", "x", "019d"] {
            assert_eq!(day_of(id), None, "{id}");
        }
    }
}
