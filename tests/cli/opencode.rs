//! Sessions of OpenCode's database: how they are named, listed and exported.

use rusqlite::Connection;
use serde_json::json;
use snapbox::str;

use super::secrets::token;
use crate::support::home::Home;

/// A database where OpenCode keeps its own.
fn home() -> Home {
    let home = Home::new();
    let folder = home.path(".local/share/opencode");
    std::fs::create_dir_all(&folder).unwrap();
    fill(&folder.join("opencode.db"), &[("ses_1", "Low tide", 1), ("ses_2", "High tide", 2)]);
    home
}

/// Sessions of one prompt each, by id, title and minute.
pub(super) fn fill(path: &std::path::Path, sessions: &[(&str, &str, i64)]) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE IF NOT EXISTS session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
             CREATE TABLE IF NOT EXISTS message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE IF NOT EXISTS part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);",
        )
        .unwrap();
    for (id, title, minute) in sessions {
        let time = 1_772_359_200_000 + minute * 60_000;
        let session = "INSERT INTO session VALUES (?1, NULL, '/tides', ?2, ?3, ?3)";
        connection.execute(session, (id, title, time)).unwrap();
        let message = "INSERT INTO message VALUES ('msg_' || ?1, ?1, ?2, '{\"role\":\"user\"}')";
        connection.execute(message, (id, time)).unwrap();
        let part = json!({"type": "text", "text": format!("When is {title}?")}).to_string();
        let query = "INSERT INTO part VALUES ('prt_' || ?1, 'msg_' || ?1, ?1, ?2)";
        connection.execute(query, (id, part)).unwrap();
    }
}

/// A message that is in the log alone.
pub(super) const ONE_MORE: &str = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \
    INSERT INTO message VALUES ('msg_9', 'ses_1', 1772359500000, '{\"role\":\"user\"}');";

/// A journal that names a file to be deleted: page 1 as it is, and a file of the person's as the journal of
/// a transaction over several databases (<https://www.sqlite.org/fileformat2.html#the_rollback_journal>).
pub(super) fn hot_journal(database: &[u8], victim: &str) -> Vec<u8> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    const NONCE: u32 = 7;
    /// The page in which a lock lies is in no journal: its number says that a name follows.
    const LOCK_BYTE: u32 = 1 << 30;
    let size = usize::from(u16::from_be_bytes([database[16], database[17]]));
    let (page, pages) = (&database[..size], database.len() / size);
    let checksum =
        (1..size).rev().filter(|at| at % 200 == size % 200).map(|at| u32::from(page[at]));
    let checksum = checksum.fold(NONCE, u32::wrapping_add);
    let name_sum = victim.bytes().map(u32::from).sum::<u32>();
    let word = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let size_word = word(size);
    let header = [&MAGIC[..], &word(1), &NONCE.to_be_bytes(), &word(pages), &word(512), &size_word];
    let mut journal = header.concat();
    journal.resize(512, 0);
    journal.extend([&word(1)[..], page, &checksum.to_be_bytes()].concat());
    journal.extend((LOCK_BYTE / u32::from_be_bytes(size_word) + 1).to_be_bytes());
    journal
        .extend([victim.as_bytes(), &word(victim.len()), &name_sum.to_be_bytes(), &MAGIC].concat());
    journal
}

#[test]
fn a_database_lists_its_sessions() {
    let home = home();
    let list = home.list(&[]);
    let told: Vec<_> = list["sessions"].as_array().unwrap().iter().collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["agent"], "opencode");
    assert_eq!([&told[0]["title"], &told[0]["prompt"]], ["High tide", "When is High tide?"]);
    assert_eq!([&told[0]["cwd"], &told[0]["time"]], ["/tides", "2026-03-01T10:02:00.000Z"]);
    assert_eq!([&told[0]["entries"], &told[0]["branches"]], [1, 1]);
    let address = told[0]["path"].as_str().unwrap();
    assert!(address.ends_with("opencode.db#ses_2"), "{address}");
    // What is listed can be given back.
    home.run(&["tree", address]).success().stdout_eq(str![[r#"
msg_ses_2  • user: When is High tide?
1 of 1 entries

"#]]);
    home.run(&["--last"]).success().stdout_eq(str![[r#"
ses_2.html

"#]]);
    assert!(home.list(&["--agent", "pi"])["sessions"].as_array().unwrap().is_empty());
}

#[test]
fn one_of_several_sessions_is_named_by_its_id() {
    let home = home();
    std::fs::copy(home.path(".local/share/opencode/opencode.db"), home.path("tides.db")).unwrap();
    home.run(&["tides.db"]).code(1).stderr_eq(str![[r#"
error: `tides.db` holds 2 sessions:
  ses_2  2026-03-01 10:02  High tide
  ses_1  2026-03-01 10:01  Low tide
help: name one of them, such as `tides.db#ses_2`

"#]]);
    home.run(&["tides.db#ses_1", "-o", "low.html"]).success();
    home.run(&["extract", "low.html", "-o", "low.json"]).success();
    home.run(&["tree", "low.json"]).success();
    home.run(&["tides.db#ses_3"]).code(1).stderr_eq(str![[r#"
error: failed to read `tides.db`: it holds no session `ses_3`
help: name the database alone to list its sessions

"#]]);
    home.run(&["tides.db#ses_1", "-o", "tides.db"]).code(1);
    fill(&home.path("one.db"), &[("ses_7", "Only tide", 3)]);
    home.run(&["one.db"]).success().stdout_eq(str![[r#"
one.html

"#]]);
}

#[test]
fn a_secret_in_a_database_is_found_once_and_redacted() {
    let home = Home::new();
    let token = ["ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].concat();
    fill(&home.path("tides.db"), &[("ses_1", &token, 1), ("ses_2", "High tide", 2)]);
    let found =
        crate::support::folder::json(&home.run(&["secrets", "tides.db#ses_1", "--json"]).success());
    let found: Vec<_> = found["findings"].as_array().unwrap().iter().collect();
    assert_eq!(found.len(), 2, "the prompt and the title: {found:?}");
    home.run(&["tides.db#ses_1", "--redact", "-o", "low.html"]).success();
    home.run(&["extract", "low.html", "-o", "low.json"]).success();
    for name in ["low.html", "low.json"] {
        assert!(!std::fs::read_to_string(home.path(name)).unwrap().contains(&token), "{name}");
    }
}

#[test]
fn a_database_in_use_is_read_with_its_log_and_not_changed() {
    let home = home();
    let folder = home.path(".local/share/opencode");
    let writer = Connection::open(folder.join("opencode.db")).unwrap();
    writer
        .execute_batch(
            "PRAGMA journal_mode = WAL;
             UPDATE session SET title = 'Ebb tide', time_updated = time_updated + 600000 WHERE id = 'ses_1';",
        )
        .unwrap();
    let files = || {
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> =
            files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    assert_eq!(before.len(), 3, "the database, its log and the index of the log");
    assert_eq!(home.list(&[])["sessions"][0]["title"], "Ebb tide");
    home.run(&["--last"]).success();
    assert!(files() == before);
    drop(writer);
}

#[test]
fn a_database_of_another_program_is_refused() {
    let home = Home::new();
    let connection = Connection::open(home.path("notes.db")).unwrap();
    connection.execute_batch("CREATE TABLE notes (id)").unwrap();
    home.run(&["notes.db"]).code(1).stderr_eq(str![[r#"
error: failed to read `notes.db`: it is not a database of OpenCode or OpenClaw: it has no tables of sessions and messages

"#]]);
}

#[test]
fn a_database_with_a_journal_is_refused_and_no_file_is_deleted() {
    let home = home();
    let database = home.path(".local/share/opencode/opencode.db");
    let victim = home.path("thesis.txt");
    std::fs::write(&victim, "years of work").unwrap();
    let journal = hot_journal(&std::fs::read(&database).unwrap(), victim.to_str().unwrap());
    std::fs::write(home.path(".local/share/opencode/opencode.db-journal"), &journal).unwrap();
    let address = database.to_str().unwrap();
    for args in [&[address][..], &["tree", address], &["stats", address], &["secrets", address]] {
        home.run(args).code(1).stderr_eq(str![[r#"
error: failed to read `[..]opencode.db`: a transaction was cut off
help: if your own agent wrote this database, start that agent once, which repairs it

"#]]);
    }
    home.run(&["list"]).success().stderr_eq(str![[r#"
warning: a transaction was cut off, in `[..]opencode.db`
warning: no sessions found (looked in [..]

"#]]);
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "years of work");
}

#[test]
fn a_log_that_is_not_read_is_said() {
    let home = Home::new();
    let folder = home.path(".local/share/opencode");
    std::fs::create_dir_all(&folder).unwrap();
    fill(&home.path("live.db"), &[("ses_1", "Low tide", 1)]);
    let writer = Connection::open(home.path("live.db")).unwrap();
    writer.execute_batch(ONE_MORE).unwrap();
    for ending in ["", "-wal"] {
        let to = folder.join(format!("opencode.db{ending}"));
        std::fs::copy(home.path(&format!("live.db{ending}")), to).unwrap();
    }
    drop(writer);
    let warning = str![[r#"
warning: the database's write-ahead log cannot be read in place and is not included; the newest messages may be missing, in `[..]opencode.db`

"#]];
    let address = folder.join("opencode.db");
    let address = address.to_str().unwrap();
    home.run(&["tree", address]).success().stderr_eq(warning.clone()).stdout_eq(str![[r#"
msg_ses_1  • user: When is Low tide?
1 of 1 entries

"#]]);
    home.run(&["list"]).success().stderr_eq(warning);
    for more in [&[][..], &["--no-subsessions"], &["--redact"], &["--branch", "msg_ses_1"]] {
        home.run(&[&[address, "-o", "page.html", "--force"][..], more].concat()).success();
        let page = std::fs::read_to_string(home.path("page.html")).unwrap();
        assert!(page.contains("write-ahead log cannot be read"), "{more:?}");
    }
}

#[test]
fn titles_and_agents_of_sub_sessions_are_redacted() {
    let home = home();
    let path = home.path(".local/share/opencode/opencode.db");
    let titled = token();
    let agent = titled.replace("Ea9K", "Eb8J");
    let title = format!("Look {titled} up (@{agent} subagent)");
    fill(&path, &[("ses_3", &title, 3)]);
    let writer = Connection::open(&path).unwrap();
    writer.execute("UPDATE session SET parent_id = 'ses_1' WHERE id = 'ses_3'", ()).unwrap();
    let address = format!("{}#ses_1", path.display());
    home.run(&[&address, "--fail-on-secrets", "-o", "page.html"]).code(1).stdout_eq("");
    home.run(&[&address, "--redact", "--fail-on-secrets", "-o", "page.html"]).success();
    let page = std::fs::read_to_string(home.path("page.html")).unwrap();
    let everything = crate::support::inflated::everything(&page);
    assert!(!everything.contains(&titled) && !everything.contains(&agent));
    assert!(everything.contains("Look [redacted:github-token #"));
}
