//! A folder of one's own to run the command in.

use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, OutputAssert, cargo_bin};

/// A temporary folder, gone when dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// With a copy of an example under its own name.
    pub(crate) fn with_example(name: &str) -> Folder {
        let folder = Folder::new();
        std::fs::copy(root().join("examples").join(name), folder.path(name)).unwrap();
        folder
    }

    /// With a copy of a fixture as `session.jsonl`.
    pub(crate) fn with_fixture(name: &str) -> Folder {
        let folder = Folder::new();
        std::fs::copy(root().join("tests/fixtures").join(name), folder.path("session.jsonl"))
            .unwrap();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        Command::new(cargo_bin!("leafpress")).current_dir(self.0.path()).args(args)
    }

    pub(crate) fn run(&self, args: &[&str]) -> OutputAssert {
        self.command(args).assert()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Standard output as JSON.
pub(crate) fn json(assert: &OutputAssert) -> serde_json::Value {
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// All files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut rest = vec![folder.to_owned()];
    while let Some(folder) = rest.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { rest.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
