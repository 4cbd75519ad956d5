//! What lies beside a session of oh-my-pi: blobs and whole outputs.

use std::fs;
use std::path::PathBuf;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::Format;
use serde_json::json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{call, calling, page};
use crate::support::session::Log;

/// A session in an agent's folder of its own.
struct Home {
    folder: TempDir,
    session: PathBuf,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let sessions = folder.path().join("agent/sessions/-w");
        fs::create_dir_all(&sessions).unwrap();
        fs::create_dir_all(folder.path().join("agent/blobs")).unwrap();
        fs::create_dir_all(sessions.join("s")).unwrap();
        Home { session: sessions.join("s.jsonl"), folder }
    }

    fn blob(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join("agent/blobs").join(name), bytes).unwrap();
    }

    fn own(&self, name: &str) -> PathBuf {
        self.session.with_extension("").join(name)
    }

    fn read(&self, log: &Log) -> Session {
        fs::write(&self.session, log.text()).unwrap();
        let options = ReadOptions::new().session(self.session.clone());
        read_with(fs::read(&self.session).unwrap(), Some(Format::Omp), &options).unwrap()
    }

    fn page(&self, log: &Log) -> String {
        page(&self.read(log))
    }
}

const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

fn hash(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

fn showing(data: &str) -> Log {
    show(Log::new(), data)
}

fn show(log: Log, data: &str) -> Log {
    log.message(json!({"role": "user", "content": [{"type": "image", "data": data, "mimeType": "image/gif"}]}))
}

#[test]
fn l11_blobs_are_read_from_the_agent_s_folder_and_checked() {
    let home = Home::new();
    let name = hash(GIF);
    let missing = home.page(&showing(&format!("blob:sha256:{name}")));
    assert!(missing.contains(&format!("blob </span><code>{name}</code><span data-ui> not found")));
    home.blob(&name, GIF);
    assert!(
        home.page(&showing(&format!("blob:sha256:{name}")))
            .contains("data:image/gif;base64,R0lGOD")
    );
    // An address that was stored as text is hashed as text.
    let url = format!("data:image/gif;base64,{}", data_encoding::BASE64.encode(GIF));
    home.blob(&hash(url.as_bytes()), url.as_bytes());
    let page = home.page(&showing(&format!("blob:sha256:{}", hash(url.as_bytes()))));
    assert!(page.contains("data:image/gif;base64,R0lGOD"));
    // Other bytes than the name says.
    let wrong = "0".repeat(64);
    home.blob(&wrong, GIF);
    let page = home.page(&showing(&format!("blob:sha256:{wrong}")));
    assert!(page.contains("do not match its name") && !page.contains("R0lGOD"));
}

#[test]
fn l11_only_a_hash_names_a_blob() {
    let home = Home::new();
    fs::write(home.folder.path().join("agent/secret"), GIF).unwrap();
    let name = hash(GIF);
    home.blob(&name.to_uppercase(), GIF);
    home.blob(&name[..63], GIF);
    for odd in [&name.to_uppercase(), &name[..63], "../secret", "/etc/passwd", ""] {
        let page = home.page(&showing(&format!("blob:sha256:{odd}")));
        assert!(page.contains("is not the name of a blob") && !page.contains("R0lGOD"), "{odd}");
    }
}

#[test]
fn blobs_come_from_where_the_caller_says() {
    let home = Home::new();
    let name = hash(GIF);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join(&name), GIF).unwrap();
    let log = showing(&format!("blob:sha256:{name}"));
    let options = ReadOptions::new().blobs(other.path().to_owned());
    let session = read_with(log.text().into_bytes(), Some(Format::Omp), &options).unwrap();
    assert!(page(&session).contains("R0lGOD"));
    drop(home);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_refused() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    let name = hash(GIF);
    let secret = home.folder.path().join("secret");
    fs::write(&secret, GIF).unwrap();
    symlink(&secret, home.folder.path().join("agent/blobs").join(&name)).unwrap();
    let page = home.page(&showing(&format!("blob:sha256:{name}")));
    assert!(page.contains("symbolic link is not followed") && !page.contains("R0lGOD"), "a blob");

    symlink(&secret, home.own("3.bash.log")).unwrap();
    symlink("4.bash.log", home.own("4.bash.log")).unwrap();
    fs::create_dir(home.own("5.bash.log")).unwrap();
    let log = answering("artifact://3 artifact://4 artifact://5 artifact://../../secret");
    let page = home.page(&log);
    assert!(page.contains("artifact://3</code><span data-ui> is not here: refused"), "an output");
    assert_eq!(page.matches("is not here").count(), 3);
    assert!(!page.contains("GIF89a"));
}

/// The folder that carries the session's name is part of the session where it is a folder of its own:
/// a link could lead to anybody's.
#[cfg(unix)]
#[test]
fn an_own_folder_that_is_a_link_is_not_entered() {
    use std::os::unix::fs::symlink;
    let strangers = tempfile::tempdir().unwrap();
    let stranger = |folder: &std::path::Path| {
        fs::write(folder.join("3.bash.log"), "a stranger's log").unwrap();
        fs::write(folder.join("Scout.jsonl"), answering("a stranger's agent").text()).unwrap();
    };
    stranger(strangers.path());
    // Elsewhere, and beside the session, where another's folder lies.
    let home = Home::new();
    fs::create_dir(home.session.with_file_name("other")).unwrap();
    stranger(&home.session.with_file_name("other"));
    let named = || {
        let details = json!({"results": [{"id": "Scout", "agent": "scout"}]});
        answering("artifact://3")
            .message(json!({"role": "toolResult", "toolCallId": "y", "toolName": "task",
            "content": "done", "details": details}))
    };
    for to in [strangers.path(), "other".as_ref(), "../-w/other".as_ref()] {
        let own = home.session.with_extension("");
        fs::remove_dir(&own).or_else(|_| fs::remove_file(&own)).unwrap();
        symlink(to, &own).unwrap();
        let session = home.read(&named());
        let page = page(&session);
        assert!(!page.contains("stranger"), "{}", to.display());
        assert!(page.contains("artifact://3</code><span data-ui> is not here: refused"), "{page}");
        let reasons: Vec<_> =
            session.sub_sessions().iter().map(|sub| sub.missing.as_deref()).collect();
        assert!(
            matches!(reasons[..], [Some(reason)] if reason.starts_with("refused")),
            "{reasons:?}"
        );
    }
    // The folder of blobs beside the sessions goes by the same rule, unless the caller names it.
    let blobs = home.folder.path().join("agent/blobs");
    fs::remove_dir(&blobs).unwrap();
    symlink(strangers.path(), &blobs).unwrap();
    fs::write(strangers.path().join(hash(GIF)), GIF).unwrap();
    let text = showing(&format!("blob:sha256:{}", hash(GIF)));
    let refused = home.page(&text);
    assert!(refused.contains("refused") && !refused.contains("R0lGOD"));
    let options = ReadOptions::new().session(home.session.clone()).blobs(blobs);
    let session = read_with(text.text().into_bytes(), Some(Format::Omp), &options).unwrap();
    assert!(page(&session).contains("R0lGOD"), "named, a link is followed");
}

fn answering(text: &str) -> Log {
    Log::new()
        .user("a")
        .entry(calling("toolUse", json!([call("x")])))
        .message(json!({"role": "toolResult", "toolCallId": "x", "toolName": "t", "content": text}))
}

#[test]
fn whole_outputs_stand_where_they_are_first_named() {
    let home = Home::new();
    fs::write(home.own("0.bash.log"), "all of <it>\n").unwrap();
    fs::write(home.own("10.bash.log"), "another").unwrap();
    let again = json!({"role": "toolResult", "toolCallId": "x", "content": "", "details": {"artifactId": "0"}});
    let page = home.page(&answering("cut, see artifact://0").message(again));
    assert_eq!(page.matches("all of &lt;it&gt;").count(), 1, "{page}");
    assert!(page.contains("<code>0.bash.log</code>") && !page.contains("another"));
    assert!(page.contains("is in <a href=\"#entry-3\">"));
    assert!(
        home.page(&answering("artifact://1"))
            .contains("artifact://1</code><span data-ui> is not here")
    );
}

#[test]
fn a_sub_session_has_its_own_outputs_and_pictures() {
    let home = Home::new();
    fs::create_dir(home.own("Scout")).unwrap();
    fs::write(home.own("0.bash.log"), "all of the main one").unwrap();
    fs::write(home.own("Scout/0.bash.log"), "all of the scout's").unwrap();
    home.blob(&hash(GIF), GIF);
    let scout = show(answering("artifact://0"), &format!("blob:sha256:{}", hash(GIF)));
    fs::write(home.own("Scout.jsonl"), scout.text()).unwrap();
    let session = home.read(&answering("artifact://0"));
    assert_eq!(session.sub_sessions().len(), 1);
    let page = page(&session);
    for said in ["all of the main one", "all of the scout&#39;s", "data:image/gif;base64,"] {
        assert_eq!(page.matches(said).count(), 1, "{said}");
    }
}
