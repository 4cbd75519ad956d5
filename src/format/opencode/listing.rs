//! Where OpenCode keeps its database. It has all sessions, so nothing is read line by line.

use std::path::{Path, PathBuf};

use crate::format::listing::{Env, Listing, SessionsFolder};

pub(super) const LISTING: Listing = Listing {
    folders,
    names: is_database,
    begins: |_, _| false,
    take: |_, _| {},
    take_beside: None,
    belongs: |_| false,
};

// `$XDG_DATA_HOME/opencode` else `~/.local/share/opencode`, on macOS too; `OPENCODE_DB`: opencode.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    let data = env.xdg_data_home.clone().or_else(|| env.in_home(".local/share"));
    let own = data.map(|data| data.join("opencode"));
    // A name of its own is looked for in the same folder.
    let named = env.opencode_db.clone().filter(|path| path.as_os_str() != ":memory:");
    let named = named.and_then(|path| in_folder(own.as_deref(), path));
    let named = SessionsFolder::within(named, "", 0);
    named.into_iter().chain(SessionsFolder::within(own, "", 0)).collect()
}

fn in_folder(folder: Option<&Path>, path: PathBuf) -> Option<PathBuf> {
    if path.is_absolute() { Some(path) } else { Some(folder?.join(path)) }
}

/// `opencode.db`, and that of another channel, such as `opencode-next.db`.
// opencode.
fn is_database(name: &str) -> bool {
    let channel = name.strip_prefix("opencode").and_then(|rest| rest.strip_suffix(".db"));
    channel.is_some_and(|channel| channel.is_empty() || channel.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(env: &Env) -> Vec<PathBuf> {
        folders(env).into_iter().map(|folder| folder.path).collect()
    }

    #[test]
    fn the_environment_moves_the_database() {
        let home = Env { home: Some("/h".into()), ..Env::default() };
        assert_eq!(places(&home), [Path::new("/h/.local/share/opencode")]);
        let moved =
            Env { xdg_data_home: Some("/d".into()), opencode_db: Some("x.db".into()), ..home };
        assert_eq!(places(&moved), [Path::new("/d/opencode/x.db"), Path::new("/d/opencode")]);
        let absolute = Env { opencode_db: Some("/x/y.db".into()), ..Env::default() };
        assert_eq!(places(&absolute), [Path::new("/x/y.db")]);
        let none = Env { opencode_db: Some(":memory:".into()), ..Env::default() };
        assert!(places(&none).is_empty());
    }

    #[test]
    fn channels_have_databases_of_their_own() {
        assert!(is_database("opencode.db") && is_database("opencode-next.db"));
        for other in ["opencode.db-wal", "opencoder.db", "opencode.json", "x.db"] {
            assert!(!is_database(other), "{other}");
        }
    }
}
