//! Files beside a session, of all formats: from the disk and from memory alike, and nothing outside.

use leafpress::session::EntryIndex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use leafpress::format::{MemoryFiles, ReadOptions, SessionFileError, SessionFiles, read_with};
use leafpress::{Session, export};
use serde_json::json;

/// A session with other files beside it.
struct Sample {
    path: &'static str,
    /// Sub-agents' sessions that come out of files of their own.
    subs: usize,
    /// Words that only the files beside it have.
    brings: &'static [&'static str],
    /// What it calls other files, and its own folder.
    names: &'static [&'static str],
}

/// Those of omp lie as in its home.
const SAMPLES: [Sample; 9] = [
    Sample {
        path: "omp/sessions/omp-18-main.jsonl",
        subs: 3,
        brings: &["You scout.", "1 pictures", "kept beside the session"],
        names: &["Scout", GIF_HASH, "artifact://0"],
    },
    Sample {
        path: "claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
        subs: 1,
        brings: &["00000000-0000-4000-8000-000000000101", "all twelve tests"],
        names: &["a1b2c3d4", "/h/tool-results/t1.txt", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    },
    Sample {
        path: "codex/sessions/2026/06/18/rollout-2026-06-18T23-58-00-0195c0de-0000-7000-8000-000000000001.jsonl",
        subs: 1,
        brings: &["Twelve meters."],
        names: &["0195c0de-0000-7000-8000-000000000002"],
    },
    Sample {
        path: "copilot/session-state/5e1f0c2a-tide/events.jsonl",
        subs: 0,
        brings: &["Ana's tides"],
        names: &["5e1f0c2a-tide"],
    },
    Sample {
        path: "cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl",
        subs: 1,
        brings: &["High tide is at 10:20."],
        names: &["a9-scout"],
    },
    Sample {
        path: "flue/session-v3.json",
        subs: 1,
        brings: &["1773133205000"],
        names: &["8d0c6b1e", "task:default:8d0c6b1e"],
    },
    Sample {
        path: "gemini/chats/session-tide.json",
        subs: 1,
        brings: &["0001-scout/s2", "cwd /w/tides"],
        names: &["0000-tide", "0001-scout"],
    },
    Sample {
        path: "qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl",
        subs: 1,
        brings: &["I knock on it."],
        names: &["51ee0000-boat", "call_b3"],
    },
    Sample {
        path: "atif/trajectory.json",
        subs: 2,
        brings: &["And then?", "iVBORw0KGgo", "keeper/step-2"],
        names: &["images/dot.png", "subagents/keeper.json", "next.json"],
    },
];

const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

const GIF_HASH: &str = "ef1955ae757c8b966c83248350331bd3a30f658ced11f387f8ebf05ab3368629";

/// The files of the samples as agents lay them out, and some more of what lies beside sessions.
fn files() -> BTreeMap<PathBuf, Vec<u8>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/samples");
    let mut files = BTreeMap::new();
    let mut open = vec![samples.clone()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()));
            continue;
        }
        let below = path.strip_prefix(&samples).unwrap();
        let is_omp = below.to_str().unwrap().starts_with("omp-18");
        let place = if is_omp { Path::new("omp/sessions").join(below) } else { below.to_owned() };
        files.insert(place, fs::read(&path).unwrap());
    }
    let [omp, claude, ..] = SAMPLES.map(|sample| PathBuf::from(sample.path));
    files.insert(Path::new("omp/blobs").join(GIF_HASH), GIF.to_owned());
    files.insert(claude.with_extension("").join("tool-results/t1.txt"), "all twelve tests".into());
    for (path, line) in [
        (
            omp,
            json!({"type": "message", "id": "o0000055", "parentId": "o0000054", "message": {"role": "user", "content": [
                {"type": "text", "text": "artifact://0"},
                {"type": "image", "mimeType": "image/gif", "data": format!("blob:sha256:{GIF_HASH}")},
            ]}}),
        ),
        (
            claude,
            json!({"type": "user", "uuid": "t1", "parentUuid": "00000000-0000-4000-8000-000000000007",
                "sessionId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_03", "content":
                    "<persisted-output>\nFull output saved to: /h/tool-results/t1.txt\n\nPreview"},
            ]}}),
        ),
    ] {
        files.get_mut(&path).unwrap().extend(format!("{line}\n").bytes());
    }
    files
}

fn write_all(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, bytes) in files {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), bytes).unwrap();
    }
}

fn read(source: &[u8], session: PathBuf, files: Option<Arc<dyn SessionFiles>>) -> Session {
    let options = ReadOptions::new().session(session);
    let options = match files {
        Some(files) => options.files(files),
        None => options,
    };
    read_with(source.to_owned(), None, &options).unwrap()
}

fn page(session: &Session) -> String {
    let mut page = Vec::new();
    export(session, &leafpress::Options::default(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// Sub-agents' sessions that come out of files of their own.
fn from_files(session: &Session) -> usize {
    session
        .sub_sessions()
        .iter()
        .filter(|sub| sub.missing.is_none() && !sub.source().is_empty())
        .count()
}

/// All that is read of a session, in words.
fn text(session: &Session) -> String {
    let mut text =
        format!("title {}\ncwd {}\n", session.title().unwrap_or_default(), session.header().cwd);
    for entry in session.indices() {
        let _ = writeln!(text, "{} {}", session.key(entry).unwrap(), session.raw(entry).unwrap());
    }
    let beside = session.attachments_of(EntryIndex::new(0));
    let _ = writeln!(text, "{} pictures", beside.pictures());
    beside.artifacts().for_each(|artifact| text += &artifact.text);
    text
}

#[test]
fn a_session_in_memory_is_that_of_the_disk() {
    let files = files();
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path(), &files);
    let memory: Arc<dyn SessionFiles> =
        Arc::new(files.clone().into_iter().collect::<MemoryFiles>());
    for Sample { path: name, subs, brings, .. } in SAMPLES {
        let source = fs::read(folder.path().join(name)).unwrap();
        let on_disk = read(&source, folder.path().join(name), None);
        // No such path is on the disk.
        let in_memory = read(&source, name.into(), Some(Arc::clone(&memory)));
        assert_eq!(from_files(&on_disk), subs, "{name}");
        let text = text(&on_disk);
        for words in brings {
            assert!(text.contains(words), "{name}: {words}");
        }
        let alone = self::text(&read(&source, name.into(), Some(Arc::new(MemoryFiles::default()))));
        for words in brings {
            assert!(!alone.contains(words), "{name}: {words}");
        }
        assert!(page(&on_disk) == page(&in_memory), "{name}");
    }
}

/// Files in memory, and what was asked of them.
#[derive(Debug)]
struct Watched {
    files: MemoryFiles,
    /// The folder of the agent, which all of a session's folders lie in.
    home: PathBuf,
    asked: Mutex<usize>,
}

impl Watched {
    fn saw(&self, folder: &Path, name: &str) {
        *self.asked.lock().unwrap() += 1;
        let folder = self.files.canonical(folder).unwrap();
        assert!(folder.starts_with(&self.home), "{}", folder.display());
        let is_hidden = name.starts_with('.') && name != ".project_root";
        assert!(!is_hidden && !name.contains(['/', '\\', ':']), "{name}");
    }
}

impl SessionFiles for Watched {
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError> {
        self.saw(folder, name);
        self.files.size(folder, name)
    }

    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError> {
        self.saw(folder, name);
        self.files.read(folder, name, limit)
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        self.saw(folder, "");
        self.files.list(folder)
    }

    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError> {
        self.saw(folder, name);
        self.files.below(folder, name)
    }

    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError> {
        self.files.canonical(path)
    }
}

/// Ways out of a session's folders to what has a name outside, which `outside` is.
fn ways_out(outside: &Path, name: &str) -> Vec<String> {
    let outside = outside.to_str().unwrap();
    let up = |times| "../".repeat(times);
    let ways = (1..8).map(|times| format!("{}outside/{name}", up(times)));
    let others = [
        format!("{outside}/{name}"),
        format!("file://{outside}/{name}"),
        format!("x/../../outside/{name}"),
        format!("..\\outside\\{name}"),
        format!("C:{name}"),
        format!("link/{name}"),
        format!("./link/{name}"),
        format!(".hidden/{name}"),
        format!(".{name}"),
        "..".to_owned(),
        ".".to_owned(),
        "/".to_owned(),
        String::new(),
    ];
    ways.chain(others).collect()
}

#[cfg(unix)]
#[test]
fn a_session_that_names_what_is_outside_gets_nothing_of_it() {
    use std::os::unix::fs::symlink;

    let files = files();
    for Sample { path, brings, names, .. } in SAMPLES {
        let root = tempfile::tempdir().unwrap();
        let home = Path::new(path).iter().next().unwrap();
        let outside = root.path().join("outside");
        let place = root.path().join(path);
        // All that is beside the session lies outside, as it is and with its names alone.
        let beside = files.iter().filter(|(file, _)| file.starts_with(home) && **file != *path);
        for (file, bytes) in beside {
            let below = file.strip_prefix(home).unwrap();
            let alone = Path::new(file.file_name().unwrap());
            write_all(&outside, &[below, alone].map(|to| (to.to_owned(), bytes.clone())).into());
        }
        let folder = place.parent().unwrap();
        fs::create_dir_all(folder).unwrap();
        for link in ["link", ".hidden"] {
            symlink(&outside, folder.join(link)).unwrap();
        }
        let source = String::from_utf8(files[Path::new(path)].clone()).unwrap();
        let watched = |source: &str| {
            let files = files.iter().map(|(path, bytes)| {
                let is_own = *path == place.strip_prefix(root.path()).unwrap();
                let path = if is_own { path.clone() } else { Path::new("outside").join(path) };
                (path, bytes.clone())
            });
            let home = Path::new("/").join(home);
            let files = Watched { files: files.collect(), home, asked: Mutex::default() };
            let files = Arc::new(files);
            read(source.as_bytes(), path.into(), Some(files.clone()));
            *files.asked.lock().unwrap()
        };
        assert!(watched(&source) > 0, "{path}");
        for name in names {
            let last = name.rsplit('/').next().unwrap();
            for way in ways_out(&outside, last) {
                let way = serde_json::to_string(&way).unwrap();
                let source = source.replace(name, &way[1..way.len() - 1]);
                let text = text(&read(source.as_bytes(), place.clone(), None));
                for words in brings {
                    assert!(!text.contains(words), "{path}: {name} is {way}: {words}");
                }
                watched(&source);
            }
        }
    }
}

/// Whatever of a session's files and folders is a link is not followed.
#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_session() {
    use std::os::unix::fs::symlink;

    let files = files();
    for Sample { path, brings, .. } in SAMPLES {
        let home = Path::new(path).iter().next().unwrap();
        let own: BTreeMap<_, _> = files
            .iter()
            .filter(|(file, _)| file.starts_with(home))
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect();
        let others = || own.keys().filter(|file| **file != *path);
        let others: BTreeSet<&Path> = others().map(PathBuf::as_path).collect();
        let folders = others.iter().flat_map(|file| file.ancestors().skip(1));
        let folders = folders.filter(|folder| !Path::new(path).starts_with(folder));
        let all: BTreeSet<&Path> = others.iter().copied().chain(folders).collect();
        for linked in [all, others] {
            let root = tempfile::tempdir().unwrap();
            let outside = tempfile::tempdir().unwrap();
            write_all(root.path(), &own);
            write_all(outside.path(), &own);
            for link in &linked {
                let at = root.path().join(link);
                let is_behind_another =
                    link.ancestors().skip(1).any(|above| linked.contains(above));
                if is_behind_another {
                    continue;
                }
                if at.is_dir() {
                    fs::remove_dir_all(&at).unwrap();
                } else {
                    fs::remove_file(&at).unwrap();
                }
                symlink(outside.path().join(link), &at).unwrap();
            }
            let place = root.path().join(path);
            let text = text(&read(&own[Path::new(path)], place, None));
            for words in brings {
                assert!(!text.contains(words), "{path}: {words}, behind {linked:?}");
            }
        }
    }
}
