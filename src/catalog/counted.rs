//! What each entry adds to the figures of its session, so that sessions that share entries are counted once.
//!
//! An entry is known by what a copy of it keeps. Claude Code and pi copy ids. OpenCode gives copies new ids and keeps
//! the time. Codex writes copies with the time of the fork, so that only their words and the prompts above them are left.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::database::CatalogError;
use crate::outline::Outline;
use crate::session::digest::Digest;
use crate::session::{EntryIndex, Format, Kind, Session};

/// What one entry adds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a bit of what is stored"
)]
pub(super) struct Counted {
    /// By which it is known in every session that has it.
    pub(super) identity: u64,
    pub(super) is_prompt: bool,
    pub(super) has_failed: bool,
    pub(super) is_stop: bool,
    /// It is no entry, or none that a copy has: its cost is what the session says that the entries cost which stand between
    /// it and the one before of its kind, and its tokens are those of no response.
    pub(super) is_stated: bool,
    pub(super) tokens: f64,
    pub(super) cost: f64,
    /// In milliseconds.
    pub(super) worked: i64,
}

/// What the entries of a session add, as the catalog stores it.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) data: Vec<u8>,
    /// The identity of the first prompt, where no other session can have it by chance.
    pub(super) first: Option<i64>,
}

/// How an entry is known.
#[derive(Debug, Clone, Copy)]
struct Identity {
    hash: u64,
    /// Whether no other entry has it by chance.
    is_sure: bool,
}

impl Entries {
    /// Of a session; what no entry adds is left out.
    pub(super) fn of(session: &Session, digest: &Digest<'_>, outline: &Outline) -> Entries {
        let chains = chains(session, outline, digest);
        let mut seen: HashMap<u64, u64> = HashMap::new();
        let mut entries = Entries::default();
        let (mut has_first, mut has_prompt) = (false, false);
        let (sum_entry, costs) = stated_costs(session, outline);
        let mut costs = costs.iter().peekable();
        let mut stated = 0.0;
        for index in session.indices() {
            let is_own = session.is_own(index);
            let is_above = |line: u32| is_own && line < session.line(index);
            while let Some((_, cost)) = costs.next_if(|(line, _)| is_above(*line)) {
                let since = cost - std::mem::replace(&mut stated, *cost);
                Counted { is_stated: true, cost: since, ..Counted::default() }
                    .write(&mut entries.data);
            }
            let sums = digest.totals.of(index).sums();
            let mut counted = Counted {
                identity: 0,
                // Sub-agents work while the session waits for them, and an agent wrote their prompts.
                is_prompt: is_own && sums.prompts > 0,
                has_failed: sums.failures > 0,
                is_stop: sums.stops > 0,
                is_stated: false,
                tokens: sums.usage.tokens(),
                cost: sums.usage.cost,
                worked: if is_own { sums.worked_ms } else { 0 },
            };
            if sum_entry == Some(index) {
                (counted.is_stated, counted.cost) = (true, counted.cost - stated);
                counted.write(&mut entries.data);
                continue;
            }
            // Where sums are stated, it must be known between which entries.
            if counted == Counted::default() && !(is_own && sum_entry.is_some()) {
                continue;
            }
            let identity = identity(session, outline, index, chains[index.get()]);
            // The same command may run twice within a millisecond.
            let nth = seen.entry(identity.hash).or_default();
            let hash = if *nth == 0 { identity.hash } else { hash(&[&identity.hash, nth]) };
            *nth += 1;
            // A session without prompts is known by its first entry.
            if !has_first || counted.is_prompt && !has_prompt {
                entries.first = first(session, identity);
            }
            has_first = true;
            has_prompt |= counted.is_prompt;
            Counted { identity: hash, ..counted }.write(&mut entries.data);
        }
        entries
    }
}

/// What a session says that it cost so far, by the lines that say it, and the entry that stands for the last of these sums.
fn stated_costs<'s>(
    session: &'s Session,
    outline: &Outline,
) -> (Option<EntryIndex>, &'s [(u32, f64)]) {
    let costs = session.header().costs.as_slice();
    let Some(((last, _), earlier)) = costs.split_last() else { return (None, &[]) };
    let is_sum = |index: &EntryIndex| {
        session.line(*index) == *last && outline.row(*index).kind == Kind::Usage
    };
    match session.own_indices().find(is_sum) {
        Some(entry) => (Some(entry), earlier),
        // The responses say all of it.
        None => (None, &[]),
    }
}

/// By which sessions with the same beginning are found. Words alone may begin many sessions; only a copy of the file
/// has the same id.
fn first(session: &Session, identity: Identity) -> Option<i64> {
    let id = &session.header().id;
    let first = if identity.is_sure {
        identity.hash
    } else if begins_with_uuid(id) {
        hash(&[&identity.hash, &id.as_str()])
    } else {
        return None;
    };
    Some(i64::from_le_bytes(first.to_le_bytes()))
}

/// A hash of the prompts from the root to each entry.
fn chains(session: &Session, outline: &Outline, digest: &Digest<'_>) -> Vec<u64> {
    let tree = session.tree();
    let mut chains = vec![0; session.len()];
    for index in tree.order() {
        let above = tree.parent(index).map_or(0, |parent| chains[parent.get()]);
        let is_prompt = digest.totals.of(index).sums().prompts > 0;
        let text = &outline.row(index).text;
        chains[index.get()] = if is_prompt { hash(&[&above, &text.as_str()]) } else { above };
    }
    chains
}

fn identity(session: &Session, outline: &Outline, index: EntryIndex, chain: u64) -> Identity {
    let id = session.id_at(index);
    if begins_with_uuid(id) {
        return Identity { hash: hash(&[&id]), is_sure: true };
    }
    let row = outline.row(index);
    let kind: Kind = row.kind;
    let words = [kind.name(), row.text.as_str()];
    // Codex gives copies another time.
    match session.time(index).filter(|_| session.format() != Format::Codex) {
        // Eight hex digits are too few for all sessions of a person.
        Some(time) if matches!(session.format(), Format::Pi | Format::Omp) => {
            Identity { hash: hash(&[&time.cast_unsigned(), &id]), is_sure: true }
        }
        Some(time) => {
            let hash = hash(&[&time.cast_unsigned(), &words[0], &words[1]]);
            Identity { hash, is_sure: true }
        }
        None => Identity { hash: hash(&[&chain, &words[0], &words[1]]), is_sure: false },
    }
}

/// Whether an id begins as `0195c0de-0000-7000-8000-000000000001` does.
fn begins_with_uuid(id: &str) -> bool {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    id.as_bytes().get(..36).is_some_and(|bytes| {
        let is_of = |(at, byte): (usize, &u8)| {
            if DASHES.contains(&at) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
        };
        bytes.iter().enumerate().all(is_of)
    })
}

/// What can be a part of an identity.
trait Part {
    fn add_to(&self, hasher: &mut Sha256);
}

impl Part for u64 {
    fn add_to(&self, hasher: &mut Sha256) {
        hasher.update(self.to_le_bytes());
    }
}

impl Part for &str {
    fn add_to(&self, hasher: &mut Sha256) {
        hasher.update(self.as_bytes());
        // No byte of a text is this one.
        hasher.update([0xff]);
    }
}

/// A hash that stays the same from version to version.
fn hash(parts: &[&dyn Part]) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        part.add_to(&mut hasher);
    }
    let hash = hasher.finalize();
    hash.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

const PROMPT: u8 = 1;
const FAILED: u8 = 2;
const STOP: u8 = 4;
const TOKENS: u8 = 8;
/// A number of tokens that is not whole, or too large to be exact, as only a hand-made file has it.
const ODD_TOKENS: u8 = 16;
const COST: u8 = 32;
const WORKED: u8 = 64;
const STATED: u8 = 128;

impl Counted {
    /// Eight bytes of identity, one that says what follows, and that.
    fn write(&self, out: &mut Vec<u8>) {
        let whole = whole(self.tokens);
        let has = |is: bool, flag: u8| if is { flag } else { 0 };
        out.extend(self.identity.to_le_bytes());
        out.push(
            has(self.is_prompt, PROMPT)
                | has(self.has_failed, FAILED)
                | has(self.is_stop, STOP)
                | has(whole.is_some_and(|tokens| tokens > 0), TOKENS)
                | has(whole.is_none(), ODD_TOKENS)
                | has(self.cost != 0.0, COST)
                | has(self.worked != 0, WORKED)
                | has(self.is_stated, STATED),
        );
        match whole {
            Some(0) => {}
            Some(tokens) => write_number(tokens, out),
            None => out.extend(self.tokens.to_le_bytes()),
        }
        if self.cost != 0.0 {
            out.extend(self.cost.to_le_bytes());
        }
        if self.worked != 0 {
            write_number(self.worked.cast_unsigned(), out);
        }
    }

    /// All entries of a session.
    pub(super) fn read_all(mut data: &[u8]) -> Result<Vec<Counted>, CatalogError> {
        let mut all = Vec::new();
        while !data.is_empty() {
            all.push(Counted::read(&mut data).ok_or(CatalogError::Damaged)?);
        }
        Ok(all)
    }

    fn read(data: &mut &[u8]) -> Option<Counted> {
        let identity = u64::from_le_bytes(take(data)?);
        let [flags] = take(data)?;
        let has = |flag| flags & flag != 0;
        #[expect(clippy::cast_precision_loss, reason = "it was whole when it was written")]
        let tokens = match () {
            () if has(TOKENS) => read_number(data)? as f64,
            () if has(ODD_TOKENS) => f64::from_le_bytes(take(data)?),
            () => 0.0,
        };
        let cost = if has(COST) { f64::from_le_bytes(take(data)?) } else { 0.0 };
        let worked = if has(WORKED) { read_number(data)?.cast_signed() } else { 0 };
        Some(Counted {
            identity,
            is_prompt: has(PROMPT),
            has_failed: has(FAILED),
            is_stop: has(STOP),
            is_stated: has(STATED),
            tokens,
            cost,
            worked,
        })
    }
}

fn whole(number: f64) -> Option<u64> {
    const EXACT: f64 = 9e15;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    let whole = || number as u64;
    (number.fract() == 0.0 && (0.0..EXACT).contains(&number)).then(whole)
}

fn take<const N: usize>(data: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = data.split_first_chunk()?;
    *data = rest;
    Some(*taken)
}

/// Seven bits a byte, the lowest first; all but the last have the eighth.
fn write_number(mut number: u64, out: &mut Vec<u8>) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn read_number(data: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = take(data)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::catalog::facts::SessionFacts;
    use crate::catalog::family::OwnFigures;
    use crate::content::work::Step;
    use crate::format::{ReadOptions, read_with};
    use crate::workers::Threads;

    fn files(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { files(&path, into) } else { into.push(path) }
        }
    }

    #[test]
    fn what_entries_add_is_what_their_session_has() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = Vec::new();
        files(&root.join("tests/fixtures"), &mut paths);
        files(&root.join("examples"), &mut paths);
        let (mut sessions, mut sure, mut all) = (0, 0, OwnFigures::default());
        for path in paths {
            let options = ReadOptions::new().session(path.clone());
            let Ok(session) = read_with(std::fs::read(&path).unwrap(), None, &options) else {
                continue;
            };
            let (digest, outline, _) = crate::outline::read_with(&session, Threads::ONE, Step::of);
            let facts = SessionFacts::of(&session, &digest);
            let entries = Entries::of(&session, &digest, &outline);
            let mut sum = OwnFigures::default();
            let counted = Counted::read_all(&entries.data).unwrap();
            for entry in &counted {
                sum.add(entry.into());
            }
            // Facts are rounded to a millionth.
            let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-6_f64.max(a.abs() * 1e-12);
            assert!(is_near(sum.tokens, facts.tokens), "{path:?}: {sum:?} {facts:?}");
            assert!(is_near(sum.cost, facts.cost), "{path:?}: {sum:?} {facts:?}");
            let work = |sum: OwnFigures| (sum.prompts, sum.failures, sum.stops, sum.worked);
            assert_eq!(work(sum), work(OwnFigures::of(&facts)), "{path:?}");
            let entries_alone = counted.iter().filter(|entry| !entry.is_stated);
            let mut identities: Vec<u64> = entries_alone.map(|entry| entry.identity).collect();
            let count = identities.len();
            identities.sort_unstable();
            identities.dedup();
            assert_eq!(identities.len(), count, "{path:?}");
            sessions += 1;
            sure += usize::from(entries.first.is_some());
            all.add(sum);
        }
        assert!(sessions > 100 && sure > 80, "{sessions} sessions, {sure} of which can be found");
        assert!(all.prompts > 0 && all.failures > 0 && all.stops > 0 && all.worked > 0, "{all:?}");
        assert!(all.tokens > 0.0 && all.cost > 0.0, "{all:?}");
    }

    #[test]
    fn what_is_damaged_is_no_figure() {
        let entry =
            Counted { identity: 7, tokens: 300.0, cost: 0.5, worked: 9000, ..Counted::default() };
        let mut data = Vec::new();
        entry.write(&mut data);
        Counted { is_stop: true, tokens: 0.5, ..entry }.write(&mut data);
        let read = Counted::read_all(&data).unwrap();
        assert_eq!(read, [entry, Counted { is_stop: true, tokens: 0.5, ..entry }]);
        assert!(Counted::read_all(&data[..data.len() - 1]).is_err());
        assert!(Counted::read_all(&[&[0; 8][..], &[TOKENS], &[0xff; 12]].concat()).is_err());
    }
}
