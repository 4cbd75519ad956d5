//! Times of the stages of an export, on sessions made here.
//!
//! ```sh
//! cargo bench --bench stages                        # every stage, 3,000 entries
//! cargo bench --bench stages -- --entries 20000
//! cargo bench --bench stages -- --stage render
//! cargo bench --bench stages -- --sizes             # an export of five sizes, each the double of the one before
//! cargo bench --bench stages -- --write FILE        # the session itself; --shape tree|chain|fan, --weight N
//! ```

mod generate;

use std::hint::black_box;
use std::time::{Duration, Instant};

use generate::Shape;
use leafpress::outline;
use leafpress::render::{Placement, Renderer};
use leafpress::session::context::Facts;
use leafpress::session::digest::Digest;
use leafpress::store::{NewEntry, NewSession, SessionStore};
use leafpress::{Options, Session};

/// Each stage is done this often; the shortest time counts.
const RUNS: usize = 5;

/// `page` is a whole export: outline, articles, packs, source.
/// `open` and `append` are of the store: the session opened for writing, and as many entries
/// written anew, each to the file.
const STAGES: [&str; 8] =
    ["read", "tree", "context", "outline", "render", "page", "open", "append"];

struct Asked {
    entries: usize,
    stage: Option<String>,
    sizes: bool,
    runs: usize,
    shape: Shape,
    weight: usize,
    write: Option<String>,
}

impl Asked {
    fn read() -> Asked {
        let mut asked = Asked {
            entries: 3000,
            stage: None,
            sizes: false,
            runs: RUNS,
            shape: Shape::Tree,
            weight: 1,
            write: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number");
            match word.as_str() {
                "--entries" => asked.entries = number(),
                "--runs" => asked.runs = number(),
                "--stage" => asked.stage = words.next(),
                "--weight" => asked.weight = number(),
                "--write" => asked.write = words.next(),
                "--shape" => asked.shape = shape(words.next().as_deref()),
                "--sizes" => asked.sizes = true,
                // Cargo adds this.
                "--bench" => {}
                _ => panic!("unknown: {word}"),
            }
        }
        let known = asked.stage.iter().all(|stage| STAGES.contains(&stage.as_str()));
        assert!(known, "the stages are {}", STAGES.join(", "));
        asked
    }
}

fn shape(name: Option<&str>) -> Shape {
    match name {
        Some("tree") => Shape::Tree,
        Some("chain") => Shape::Chain,
        Some("fan") => Shape::Fan,
        _ => panic!("the shapes are tree, chain and fan"),
    }
}

fn main() {
    let asked = Asked::read();
    if let Some(path) = asked.write {
        let file = generate::session(asked.entries, asked.shape, asked.weight);
        std::fs::write(path, file).expect("a file that can be written");
        return;
    }
    if asked.sizes {
        sizes(asked.entries);
        return;
    }
    let file = generate::session(asked.entries, asked.shape, asked.weight);
    println!("{} entries, {:.1} MB", asked.entries, megabytes(file.len()));
    let session = leafpress::read(file.clone()).expect("a session");
    for stage in STAGES {
        if asked.stage.as_deref().is_none_or(|wanted| wanted == stage) {
            let times = (0..asked.runs).map(|_| measured(stage, &file, &session));
            tell(stage, file.len(), asked.entries, times.min().unwrap_or_default());
        }
    }
}

/// Never inlined: `benches/instructions` counts what happens within it.
#[inline(never)]
fn measured(stage: &str, file: &[u8], session: &Session) -> Duration {
    let begun = Instant::now();
    match stage {
        "read" => drop(black_box(leafpress::read(file.to_vec()))),
        "tree" => {
            let tree = session.tree();
            black_box(tree.order().map(|entry| tree.newest_leaf_below(entry)).max());
            black_box(tree.leaves().map(|leaf| tree.path(leaf).len()).max());
        }
        "context" => {
            let facts = Facts::read(session);
            black_box(facts.context(Some(session.leaf())).messages.len());
        }
        "outline" => {
            black_box(outline::read(session));
        }
        "render" => {
            let digest = Digest::read(session);
            let mut renderer = Renderer::new(session, &digest);
            for entry in session.indices() {
                black_box(renderer.article(entry, Placement { state: None, leaf: entry }));
            }
        }
        "open" => {
            let file = file_with(file);
            let begun = Instant::now();
            black_box(SessionStore::open(file.path()).expect("a session in pi's format").len());
            return begun.elapsed();
        }
        "append" => return appending(session.len()),
        _ => {
            let written = leafpress::export(session, &Options::default(), &mut std::io::sink());
            written.expect("a sink takes all");
        }
    }
    begun.elapsed()
}

/// A session file of its own, gone when dropped.
fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("a file that can be written");
    file
}

fn appending(entries: usize) -> Duration {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("session.jsonl");
    let mut store = SessionStore::create(path, NewSession::default()).expect("a new session");
    let message = serde_json::json!({"role": "user", "content": "What does this do?"});
    let entry = NewEntry::message(&message).expect("a message");
    let begun = Instant::now();
    for _ in 0..entries {
        store.append(&entry).expect("room for it");
    }
    begun.elapsed()
}

fn tell(stage: &str, bytes: usize, entries: usize, time: Duration) {
    let seconds = time.as_secs_f64();
    println!(
        "{stage:8} {:9.2} ms {:8.1} MB/s {:8.2} µs an entry",
        seconds * 1e3,
        megabytes(bytes) / seconds,
        seconds * 1e6 / number(entries)
    );
}

/// Twice the input may take twice the time and the memory, no more.
fn sizes(entries: usize) {
    println!("entries       MB       ms  of before   peak MB  of before");
    let mut before: Option<(f64, f64)> = None;
    for doubling in 0..5 {
        let entries = entries << doubling;
        let file = generate::session(entries, Shape::Tree, 1);
        let bytes = file.len();
        let begun = Instant::now();
        let session = leafpress::read(file).expect("a session");
        measured("page", &[], &session);
        let (time, peak) = (begun.elapsed().as_secs_f64() * 1e3, peak());
        let (times, peaks) = before.map_or((0.0, 0.0), |(t, p)| (time / t, peak / p));
        println!(
            "{entries:7} {:8.1} {time:8.0} {times:10.2} {peak:9.1} {peaks:10.2}",
            megabytes(bytes)
        );
        before = Some((time, peak));
    }
}

/// The most memory that the process has had, in MB; 0 where the system does not tell it as Linux does.
/// Sizes grow, so it is that of the size at hand.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

fn megabytes(bytes: usize) -> f64 {
    number(bytes) / 1e6
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn number(count: usize) -> f64 {
    count as f64
}
