//! Any bytes as a database and the files that SQLite looks for beside it: listed, read and exported, or
//! refused, and no file is changed, created or removed.

#![no_main]

mod parts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use leafpress::format::database::Database;
use leafpress::format::{ReadOptions, read_with};
use leafpress::{Options, report};
use libfuzzer_sys::fuzz_target;

/// What stands between the files in the input. A file that is not there ends it.
const BETWEEN: &[u8] = b"--next file--";

const ENDINGS: [&str; 4] = ["", "-journal", "-wal", "-shm"];

/// The file that the journal among the seeds names to be deleted.
const VICTIM: &str = "/tmp/leafpress-fuzz-victim";

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    fs::write(VICTIM, "precious").expect("room on the disk");
    tempfile::tempdir().expect("a temporary folder")
});

fuzz_target!(|bytes: &[u8]| {
    let folder = FOLDER.path();
    for old in fs::read_dir(folder).expect("the folder is there") {
        fs::remove_file(old.expect("a file").path()).expect("a file of our own");
    }
    let path = folder.join("opencode.db");
    for (part, ending) in parts::parts(bytes, BETWEEN).into_iter().zip(ENDINGS) {
        fs::write(folder.join(format!("opencode.db{ending}")), part).expect("room on the disk");
    }
    let before = files(folder);
    look(&path);
    assert!(files(folder) == before, "a file was changed");
    assert!(Path::new(VICTIM).exists(), "a file was removed");
});

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).expect("the folder is there");
    let paths = files.map(|file| file.expect("a file").path());
    paths.map(|path| (path.clone(), fs::read(path).expect("a file of our own"))).collect()
}

fn look(path: &Path) {
    let Ok(database) = Database::open(path) else { return };
    let _ = database.unread();
    let Ok(sessions) = database.sessions() else { return };
    let options = ReadOptions::new().session(path.to_owned());
    for session in sessions {
        let Ok(source) = database.session(&session.id, 1 << 20) else { continue };
        if let Ok(session) = read_with(source, None, &options) {
            report::stats(&session);
            leafpress::export(&session, &Options::default(), &mut io::sink())
                .expect("a sink takes all");
        }
    }
}
