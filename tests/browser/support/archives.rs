//! An archive that the command of this build writes.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;

use super::exported::own_file;

/// A home with sessions of several agents, and their archive in `all/`.
pub(crate) static HOME: LazyLock<Arc<TempDir>> = LazyLock::new(|| {
    let home = tempfile::tempdir().expect("a temporary folder");
    for (from, to) in [
        ("examples", ".pi/agent/sessions/--w--"),
        ("tests/fixtures/samples/claude-code/projects", ".claude/projects"),
        ("tests/fixtures/samples/codex/sessions", ".codex/sessions"),
        ("tests/fixtures/samples/copilot/session-state", ".copilot/session-state"),
        ("tests/fixtures/samples/gemini/chats", ".gemini/tmp/p/chats"),
    ] {
        copy(&own_file(from), &home.path().join(to));
    }
    fs::write(home.path().join(".pi/agent/sessions/--w--/hostile.jsonl"), HOSTILE).unwrap();
    fs::write(home.path().join(".pi/agent/sessions/--w--/random.jsonl"), random()).unwrap();
    leafpress(home.path(), &["archive", "-o", "all", "--yes"]);
    Arc::new(home)
});

/// The name of an author who means harm.
pub(crate) const HOSTILE_NAME: &str = "<img src=x onerror=__pwned=1>";

/// A home with the archive of a team in `team/`: two authors have a session of the same id, and one has a fork.
pub(crate) static TEAM: LazyLock<Arc<TempDir>> = LazyLock::new(|| {
    let home = tempfile::tempdir().expect("a temporary folder");
    copy(&own_file("examples"), &home.path().join("ada"));
    copy(&own_file("tests/fixtures/samples/codex/sessions"), &home.path().join("ben"));
    fs::copy(own_file("examples/garden.jsonl"), home.path().join("ben/garden.jsonl")).unwrap();
    fs::create_dir(home.path().join("other")).unwrap();
    fs::write(home.path().join("other/hostile.jsonl"), HOSTILE).unwrap();
    let parent = home.path().join("ada/parent.jsonl");
    fs::write(&parent, prompted("parent", "", "the harbor", 40)).unwrap();
    let fork = format!(",\"parentSession\":{:?}", parent.display().to_string());
    let child = prompted("child", &fork, "the harbor", 40)
        + "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-11-22T10:50:00.000Z\",\"message\":{\"role\":\"user\",\"content\":\"and the boats\"}}\n";
    fs::write(home.path().join("ada/child.jsonl"), child).unwrap();
    for nth in 0..30 {
        let text = prompted(&format!("many-{nth}"), "", "lanternword of the same day", nth);
        fs::write(home.path().join(format!("ben/{nth}.jsonl")), text).unwrap();
    }
    for (name, folder) in [("Ada Lovelace", "ada"), ("Ben", "ben"), (HOSTILE_NAME, "other")] {
        leafpress(home.path(), &["archive", folder, "-o", "team", "--author", name]);
    }
    Arc::new(home)
});

/// A session of one prompt.
fn prompted(id: &str, header: &str, prompt: &str, minute: usize) -> String {
    let at = format!("2026-11-22T10:{minute:02}:00.000Z");
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"{at}\",\"cwd\":\"/w/quay\"{header}}}\n\
         {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"{at}\",\"message\":{{\"role\":\"user\",\"content\":\"{prompt}\"}}}}\n"
    )
}

const HOSTILE: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"hostile\",\"timestamp\":\"2026-11-20T10:00:00.000Z\",\"cwd\":\"/w/<b>x</b>\"}
{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-11-20T10:00:00.000Z\",\"message\":{\"role\":\"user\",\"content\":\"</script><img src=x onerror=__pwned=1> \\u202eevil sextantword\"}}
";

/// A session of letters that compress badly, so that its pack has each value of a byte and most pairs of them, and of so
/// many words that there are several lists.
fn random() -> String {
    let mut state: u32 = 1;
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_digit((state >> 16) % 36, 36).unwrap()
    };
    let words: String = (0..30_000)
        .flat_map(|_| (0..8).map(|_| letter()).chain([' ']).collect::<Vec<_>>())
        .collect();
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"random\",\"timestamp\":\"2026-11-21T10:00:00.000Z\",\"cwd\":\"/w\"}}\n\
         {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-11-21T10:00:00.000Z\",\
         \"message\":{{\"role\":\"user\",\"content\":\"{words}quadrantword\"}}}}\n"
    )
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

/// What the command prints in a home, whether or not it finds something.
pub(crate) fn leafpress(home: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leafpress-under-test"));
    command.current_dir(home).args(args).env_clear();
    command.env("HOME", home).env("LEAFPRESS_DATA", home.join("data"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("error:"), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}
