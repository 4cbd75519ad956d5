use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;

use super::append::{Appended, Wanted, append};
use super::index::{Header, VERSION};
use super::*;
use crate::faults::Faults;
use crate::session::Format;

/// A vault and the folder of an agent.
struct Place {
    _kept: tempfile::TempDir,
    data: PathBuf,
    agent: PathBuf,
}

/// Long after all files were written.
const LATER: i64 = i64::MAX;

impl Place {
    fn new() -> Place {
        let kept = tempfile::tempdir().unwrap();
        let agent = kept.path().join("agent");
        fs::create_dir(&agent).unwrap();
        Place { data: kept.path().join("data"), agent, _kept: kept }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.agent.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn add(&self, name: &str, bytes: &[u8]) {
        let mut file = OpenOptions::new().append(true).open(self.agent.join(name)).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn source(&self, name: &str, belongs: bool) -> Source {
        let path = self.agent.join(name);
        let about = fs::metadata(&path).unwrap();
        let since = about.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        Source {
            path,
            agent: Format::ClaudeCode,
            size: about.len(),
            modified: i64::try_from(since.as_nanos()).unwrap(),
            may_be_session: !belongs,
            belongs,
        }
    }

    fn open(&self) -> Vault {
        Vault::open(&self.data).unwrap()
    }

    fn keep_with(vault: &mut Vault, sources: &[Source], text_only: bool, now: i64) -> Outcome {
        let held = |source: &Source| match source.path.file_stem().and_then(|name| name.to_str()) {
            Some("none") => Held::Nothing,
            id => Held::Session(id.unwrap().to_owned()),
        };
        let settings = Settings { text_only, now, progress: None, held: &held };
        let outcome = vault.keep(sources, &settings).unwrap();
        vault.write_list().unwrap();
        outcome
    }

    fn keep(&self, sources: &[Source]) -> Outcome {
        Place::keep_with(&mut self.open(), sources, false, LATER)
    }

    /// All versions of all files, by the names of the originals.
    fn kept(&self) -> BTreeMap<String, Vec<Vec<u8>>> {
        let mut all: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
        for data in self.open().versions().unwrap() {
            let Some(kept) = KeptFile::at(&data) else { continue };
            let mut bytes = Vec::new();
            kept.reader().unwrap().read_to_end(&mut bytes).unwrap();
            let name = kept.original().strip_prefix(&self.agent).unwrap().display().to_string();
            all.entry(name).or_default().push(bytes);
        }
        all
    }
}

fn one(new: usize, grown: usize, rewritten: usize, bytes: u64) -> Outcome {
    Outcome { new, grown, rewritten, bytes, ..Outcome::default() }
}

#[test]
fn what_grows_is_appended_and_what_is_rewritten_is_a_new_version() {
    let place = Place::new();
    place.write("a.jsonl", b"{\"a\":1}\n");
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]), one(1, 0, 0, 8));
    let unchanged = Outcome { unchanged: 1, ..Outcome::default() };
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]), unchanged);
    place.add("a.jsonl", b"{\"b\":2}\n");
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]), one(0, 1, 0, 8));
    place.write("a.jsonl", b"{\"summary\":1}\n{\"c\":3}\n{\"d\":4}\n");
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]), one(0, 0, 1, 30));
    place.add("a.jsonl", b"{\"e\":5}\n");
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]), one(0, 1, 0, 8));
    let versions = [
        b"{\"a\":1}\n{\"b\":2}\n".to_vec(),
        b"{\"summary\":1}\n{\"c\":3}\n{\"d\":4}\n{\"e\":5}\n".to_vec(),
    ];
    assert_eq!(place.kept()["a.jsonl"], versions);
    let sessions: Vec<KeptSession> = place.open().sessions().collect();
    assert_eq!(sessions.len(), 1);
    assert_eq!((sessions[0].id.as_str(), sessions[0].versions), ("a", 2));
}

#[test]
fn a_file_that_is_cut_off_keeps_its_old_version() {
    let place = Place::new();
    place.write("a.jsonl", &b"{\"line\":1}\n".repeat(9000));
    place.keep(&[place.source("a.jsonl", false)]);
    place.write("a.jsonl", &b"{\"line\":1}\n".repeat(5000));
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]).rewritten, 1);
    let lines: Vec<usize> = place.kept()["a.jsonl"].iter().map(|kept| kept.len() / 11).collect();
    assert_eq!(lines, [9000, 5000]);
}

#[test]
fn what_has_no_lines_is_compared_whole() {
    let place = Place::new();
    let mut bytes = vec![b'x'; 300_000];
    place.write("a.json", &bytes);
    place.keep(&[place.source("a.json", false)]);
    bytes[100_000] = b'y';
    place.write("a.json", &bytes);
    assert_eq!(place.keep(&[place.source("a.json", false)]).rewritten, 1);
    assert_eq!(place.kept()["a.json"][1], bytes);
}

#[test]
fn a_line_without_an_end_waits() {
    let place = Place::new();
    place.write("a.jsonl", b"{\"a\":1}\n{\"b\":");
    let source = place.source("a.jsonl", false);
    let now = source.modified;
    let keep = |now| {
        let source = place.source("a.jsonl", false);
        Place::keep_with(&mut place.open(), &[source], false, now).bytes
    };
    assert_eq!(keep(now), 8);
    assert_eq!(keep(now), 0);
    place.add("a.jsonl", b"2}");
    assert_eq!(keep(now), 7, "it is a whole value now");
    place.add("a.jsonl", b"\n{\"c\":");
    assert_eq!(keep(now), 1);
    assert_eq!(keep(LATER), 5, "nobody will end it");
    place.add("a.jsonl", b"3}\n");
    assert_eq!(keep(now), 3);
    assert_eq!(place.kept()["a.jsonl"], [b"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n".to_vec()]);
}

#[test]
fn what_belongs_to_a_session_is_kept_and_what_is_none_is_not() {
    let place = Place::new();
    place.write("p/a.jsonl", b"{}\n");
    place.write("p/a/subagents/agent-1.jsonl", b"{\"agent\":1}\n");
    place.write("p/a/tool-results/x.txt", b"long");
    place.write("p/none.jsonl", b"{}\n");
    let sources = [
        place.source("p/a.jsonl", false),
        place.source("p/a/subagents/agent-1.jsonl", true),
        place.source("p/a/tool-results/x.txt", true),
        place.source("p/none.jsonl", false),
    ];
    let outcome = place.keep(&sources);
    assert_eq!((outcome.new, outcome.others), (3, 1));
    assert_eq!(place.keep(&sources).others, 1);
    let vault = place.open();
    let session = vault.sessions().next().unwrap();
    let files: Vec<PathBuf> =
        vault.files_of(&session).iter().map(|file| file.original().to_owned()).collect();
    let names = ["p/a.jsonl", "p/a/subagents/agent-1.jsonl", "p/a/tool-results/x.txt"];
    assert_eq!(files, names.map(|name| place.agent.join(name)));
    let kept = &vault.files_of(&session)[0];
    let options = kept.read_options(kept.files_beside());
    let files = options.files.unwrap();
    let folder = place.agent.join("p/a");
    assert_eq!(files.list(&folder), ["subagents", "tool-results"]);
    assert_eq!(files.below(&folder, "subagents"), Ok(folder.join("subagents")));
    assert_eq!(files.read(&folder.join("tool-results"), "x.txt", 2), Ok(b"lo".to_vec()));
    assert!(files.read(&folder, "x.txt", 9).is_err());
    assert!(files.below(&folder, "tool-results/x.txt").is_err());
}

#[test]
fn texts_alone_are_kept_where_that_is_wanted() {
    let place = Place::new();
    let image = format!("{{\"image\":\"iVBORw0KGgo{}\"}}\n", "A".repeat(5000));
    place.write("a.jsonl", image.as_bytes());
    place.write("a/big.txt", &vec![b'x'; 70_000]);
    place.write("a/small.txt", b"x");
    let sources = || {
        let parts = ["a/big.txt", "a/small.txt"].map(|name| place.source(name, true));
        [vec![place.source("a.jsonl", false)], parts.to_vec()].concat()
    };
    let outcome = Place::keep_with(&mut place.open(), &sources(), true, LATER);
    assert_eq!((outcome.new, outcome.left_out), (2, 1));
    let kept = String::from_utf8(place.kept()["a.jsonl"][0].clone()).unwrap();
    assert_eq!(kept, "{\"image\":\"[image of 5011 bytes, not kept by leafpress]\"}\n");
    place.add("a.jsonl", b"{\"more\":1}\n");
    let outcome = place.keep(&sources());
    assert_eq!((outcome.rewritten, outcome.new), (1, 1), "all of what had been left out");
    assert_eq!(place.kept()["a.jsonl"][1], (image + "{\"more\":1}\n").into_bytes());
    let unchanged = Outcome { unchanged: 3, ..Outcome::default() };
    assert_eq!(place.keep(&sources()), unchanged);
}

#[test]
fn only_forget_deletes() {
    let place = Place::new();
    place.write("p/a.jsonl", b"{}\n");
    place.write("p/a/x.txt", b"x");
    place.write("p/b.jsonl", b"{}\n");
    let sources = [
        place.source("p/a.jsonl", false),
        place.source("p/a/x.txt", true),
        place.source("p/b.jsonl", false),
    ];
    place.keep(&sources);
    place.write("p/a.jsonl", b"{\"other\":1}\n");
    place.keep(&[place.source("p/a.jsonl", false)]);
    fs::remove_dir_all(&place.agent).unwrap();
    place.keep(&[]);
    assert_eq!(place.kept().len(), 3);
    let mut vault = place.open();
    let session = vault.sessions().find(|session| session.id == "a").unwrap();
    assert_eq!(vault.forget(&session).unwrap(), 6, "two versions and a file beside them");
    assert_eq!(place.kept().into_keys().collect::<Vec<_>>(), ["p/b.jsonl"]);
}

#[test]
fn a_list_that_is_lost_is_made_again() {
    let place = Place::new();
    place.write("a.jsonl", b"{}\n");
    place.keep(&[place.source("a.jsonl", false)]);
    let before: Vec<KeptSession> = place.open().sessions().collect();
    for damaged in [Some(&b"not JSON"[..]), Some(b"{\"version\":9,\"files\":[]}"), None] {
        let list = place.data.join("keep/known.json");
        match damaged {
            Some(damaged) => fs::write(list, damaged).unwrap(),
            None => fs::remove_file(list).unwrap(),
        }
        assert_eq!(place.open().sessions().collect::<Vec<_>>(), before);
    }
}

/// The run that began it was stopped before anything was in it.
#[test]
fn a_version_that_was_only_begun_hides_no_other() {
    let place = Place::new();
    place.write("a.jsonl", b"{}\n");
    place.keep(&[place.source("a.jsonl", false)]);
    let data = place.open().versions().unwrap().remove(0);
    let begun = data.to_str().unwrap().replace(".1.zst", ".2.index");
    fs::write(begun, "").unwrap();
    for has_list in [true, false] {
        if !has_list {
            fs::remove_file(place.data.join("keep/known.json")).unwrap();
        }
        assert_eq!(
            place.open().sessions().map(|session| session.versions).collect::<Vec<_>>(),
            [1]
        );
    }
    place.write("a.jsonl", b"{\"other\":1}\n");
    assert_eq!(place.keep(&[place.source("a.jsonl", false)]).rewritten, 1);
    assert_eq!(place.kept()["a.jsonl"].len(), 2);
}

#[test]
fn damage_is_found() {
    let place = Place::new();
    place.write("a.jsonl", b"{\"a\":1}\n");
    place.keep(&[place.source("a.jsonl", false)]);
    let data = place.open().versions().unwrap().remove(0);
    let verified = || KeptFile::at(&data).unwrap().verify().unwrap();
    assert_eq!(verified(), []);
    place.add("a.jsonl", b"{\"b\":2}\n");
    assert_eq!(verified(), [Damage::HasMore]);
    place.write("a.jsonl", b"{\"a\":2}\n");
    assert_eq!(verified(), [Damage::Differs]);
    fs::remove_file(place.agent.join("a.jsonl")).unwrap();
    assert_eq!(verified(), []);
    let whole = fs::read(&data).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        fs::write(&data, bytes).unwrap();
        assert_eq!(verified(), [Damage::Member { nth: 1 }], "byte {at}");
    }
}

#[cfg(unix)]
#[test]
fn only_their_owner_can_read_the_copies() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    place.write("a.jsonl", b"{}\n");
    place.keep(&[place.source("a.jsonl", false)]);
    let mut folders = vec![place.data.clone()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 3);
}

/// A first run, and one in which files are new, have grown and were rewritten: each step fails once.
#[test]
fn whatever_fails_the_next_run_mends() {
    let mut step = 1;
    loop {
        let place = Place::new();
        let sources = || {
            let all = ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"];
            let there = all.iter().filter(|name| place.agent.join(name).exists());
            there.map(|name| place.source(name, false)).collect::<Vec<_>>()
        };
        let faults = Arc::new(Faults::default());
        faults.fail_at(step);
        let run = || {
            let mut vault = place.open();
            vault.faults = Arc::clone(&faults);
            let settings = Settings {
                text_only: false,
                now: LATER,
                progress: None,
                held: &|source| Held::Session(source.path.display().to_string()),
            };
            let _ = vault.keep(&sources(), &settings).and_then(|_| vault.write_list());
        };
        place.write("a.jsonl", b"{\"a\":1}\n");
        place.write("b.jsonl", &b"{\"b\":1}\n".repeat(2000));
        place.write("c.jsonl", b"{\"c\":1}\n");
        run();
        let first = place.kept();
        place.add("a.jsonl", b"{\"a\":2}\n");
        place.write("b.jsonl", b"{\"b\":3}\n");
        place.write("d.jsonl", b"{\"d\":1}\n");
        run();
        for (name, versions) in &first {
            assert!(place.kept()[name][0].starts_with(&versions[0]), "{name} at step {step}");
        }
        run();
        let kept = place.kept();
        for name in ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"] {
            let whole = fs::read(place.agent.join(name)).unwrap();
            assert_eq!(kept[name].last(), Some(&whole), "{name} at step {step}");
        }
        if faults.steps() < step {
            assert!(step > 40, "{step} steps");
            return;
        }
        step += 1;
    }
}

/// As [`append`] does it to files of its own.
fn append_all(folder: &Path, source: &[u8], is_settled: bool) -> Appended {
    let header = Header {
        version: VERSION,
        agent: "pi".to_owned(),
        path: "/s/a.jsonl".into(),
        in_file: None,
        session: None,
        child: None,
    };
    let mut wanted = Wanted {
        header,
        original: &mut std::io::Cursor::new(source),
        size: source.len() as u64,
        modified: 0,
        is_lines: true,
        is_settled,
        is_slim: false,
    };
    append(&folder.join("a.1.zst"), &folder.join("a.1.index"), &mut wanted, &Faults::default())
        .unwrap()
}

proptest! {
    /// Grown in random steps, with whatever was torn behind the last member and the last line.
    #[test]
    fn every_byte_comes_back(
        lines in prop::collection::vec("[a-z\"{}é]{0,60}", 1..40),
        cuts in prop::collection::vec(0usize..2000, 0..12),
        torn in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let whole = lines.join("\n").into_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(whole.len())).collect();
        cuts.sort_unstable();
        for cut in cuts {
            append_all(folder.path(), &whole[..cut], false);
            for name in ["a.1.zst", "a.1.index"] {
                let path = folder.path().join(name);
                if path.exists() {
                    let torn: Vec<u8> = torn.iter().copied().filter(|&byte| byte != b'\n').collect();
                    let mut file = OpenOptions::new().append(true).open(path).unwrap();
                    file.write_all(&torn).unwrap();
                }
            }
        }
        append_all(folder.path(), &whole, true);
        let kept = KeptFile::at(&folder.path().join("a.1.zst")).unwrap();
        let mut back = Vec::new();
        kept.reader().unwrap().read_to_end(&mut back).unwrap();
        prop_assert_eq!(back, whole);
        prop_assert_eq!(kept.verify().unwrap(), []);
    }
}

/// A line that cannot be read is not torn: what stands behind it may be all that is left.
#[test]
fn a_damaged_index_is_left_alone() {
    for nth in 0..2 {
        let place = Place::new();
        place.write("a.jsonl", b"{\"a\":1}\n");
        place.keep(&[place.source("a.jsonl", false)]);
        let data = place.open().versions().unwrap().remove(0);
        let index = data.with_extension("index");
        let mut lines: Vec<String> =
            fs::read_to_string(&index).unwrap().lines().map(str::to_owned).collect();
        lines[nth].insert(0, '!');
        fs::write(&index, lines.join("\n") + "\n").unwrap();
        let (before, named) = (fs::read(&data).unwrap(), fs::read(&index).unwrap());
        place.add("a.jsonl", b"{\"b\":2}\n");
        place.keep(&[place.source("a.jsonl", false)]);
        assert_eq!((fs::read(&data).unwrap(), fs::read(&index).unwrap()), (before, named));
        assert_eq!(place.kept()["a.jsonl"].last().unwrap(), b"{\"a\":1}\n{\"b\":2}\n");
    }
}
