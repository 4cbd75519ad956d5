//! What tells of a person or a network without being a secret; on request only.

use std::borrow::Cow;

use super::pattern::OwnPattern;

/// Folders beside those of users, and users that are nobody.
const NOBODY: &[&str] =
    &["shared", "public", "default", "all", "runner", "linuxbrew", "user", "username"];

/// Names that are words of their own wherever they stand.
const COMMON: &[&str] = &[
    "dev",
    "root",
    "ubuntu",
    "node",
    "app",
    "admin",
    "home",
    "work",
    "code",
    "vscode",
    "debian",
    "build",
    "test",
    "guest",
    "docker",
    "git",
    "web",
    "www",
    "data",
    "project",
    "projects",
    "agent",
    "developer",
    "codespace",
    "you",
    "name",
    "alice",
    "bob",
    "foo",
    "bar",
    "example",
    "demo",
    "src",
];

fn own(
    name: &'static str,
    pattern: &'static str,
    literals: &[&'static str],
    instead: Option<&'static str>,
) -> OwnPattern {
    let literals = literals.iter().map(|literal| Cow::from(*literal)).collect();
    OwnPattern { name: name.into(), pattern: pattern.into(), literals, entropy: 0.0, instead }
}

/// Home folders as paths, and as agents write them into names of folders.
pub(super) fn homes() -> [OwnPattern; 2] {
    [
        own(
            "home-folder",
            r"(?:^|[^\w.])((?:/var/home/|/home/|/Users/|[A-Za-z]:(?:\\{1,8}|/)Users(?:\\{1,8}|/))\w[\w-]*(?:\.\w[\w-]*)*)",
            &["/home/", "/users/", ":\\", ":/users"],
            Some("~"),
        ),
        own(
            "home-folder",
            r"(?:^|[\W])(-(?:home|Users)-\w+)(?:-|$|[\W])",
            &["-home-", "-users-"],
            Some("~"),
        ),
    ]
}

pub(super) fn emails() -> OwnPattern {
    own(
        "email",
        r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}\b",
        &["@"],
        None,
    )
}

pub(super) fn hosts() -> [OwnPattern; 2] {
    [
        own(
            "host",
            r"\b([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:internal|local|lan|corp|intranet|localdomain|home\.arpa))(?:$|[^\w.(-]|\.\s|\.$)",
            &[".internal", ".local", ".lan", ".corp", ".intranet", ".home.arpa"],
            None,
        ),
        own(
            "host",
            r"(?:^|[^\w.])((?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3})\b",
            &["10.", "192.168.", "172."],
            None,
        ),
    ]
}

/// What a pattern above matches and nobody minds.
pub(super) fn is_harmless(rule: &str, value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    match rule {
        "home-folder" => user(&small).is_some_and(|name| NOBODY.contains(&name)),
        "email" => {
            ["git@", "noreply@", "no-reply@"].iter().any(|start| small.starts_with(start))
                || ["example.com", "example.org", "example.net"]
                    .iter()
                    .any(|end| small.ends_with(end))
        }
        _ => false,
    }
}

/// The user that a home folder is of.
fn user(home: &str) -> Option<&str> {
    home.rsplit(['/', '\\', '-']).next()
}

/// The name in a home folder, if it is odd enough to be replaced elsewhere.
pub(crate) fn odd_user(home: &str) -> Option<&str> {
    user(home).filter(|name| {
        let small = name.to_ascii_lowercase();
        home.contains(['/', '\\'])
            && name.len() >= 3
            && !NOBODY.contains(&small.as_str())
            && !COMMON.contains(&small.as_str())
    })
}
