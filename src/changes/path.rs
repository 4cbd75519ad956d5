//! Which file a path names. Paths are read as texts: no disk is asked, so a link is another file.

/// The folder that a session works in, and the home folder that it tells.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Absolute, without a slash at its end; empty where unknown.
    cwd: String,
    home: Option<String>,
}

impl Folder {
    pub(crate) fn new(cwd: &str) -> Folder {
        let cwd = plain(cwd);
        let home = home_of(&cwd).map(str::to_owned);
        Folder { cwd: resolved(&cwd), home }
    }

    /// The absolute path that `path` names, for a call that ran in this folder. Without a known folder a
    /// relative path stays one. Case is kept.
    pub(crate) fn absolute(&self, path: &str) -> String {
        let path = plain(path);
        let from_home = ["~", "$HOME", "${HOME}"].iter().find_map(|home| {
            let rest = path.strip_prefix(home)?;
            (rest.is_empty() || rest.starts_with(['/', '\\'])).then_some(rest)
        });
        match (from_home, &self.home) {
            (Some(rest), Some(home)) => resolved(&format!("{home}{rest}")),
            (Some(_), None) => resolved(&path),
            _ if is_absolute(&path) || self.cwd.is_empty() => resolved(&path),
            _ => resolved(&format!("{}/{path}", self.cwd)),
        }
    }

    /// Whether an absolute path lies in the folder; of an unknown one all do.
    pub(crate) fn has(&self, absolute: &str) -> bool {
        self.cwd.is_empty() || self.shown(absolute) != absolute
    }

    /// The path as it is shown: from this folder on where the file lies in it.
    pub(crate) fn shown<'p>(&self, absolute: &'p str) -> &'p str {
        let inside = absolute.strip_prefix(self.cwd.as_str()).filter(|_| !self.cwd.is_empty());
        let inside = inside.and_then(|rest| rest.strip_prefix('/'));
        inside.filter(|rest| !rest.is_empty()).unwrap_or(absolute)
    }
}

/// A path without `file://`; the backslashes of a path of Windows become slashes.
fn plain(path: &str) -> String {
    let path = path.trim();
    let path = match path.strip_prefix("file://") {
        // `file:///C:/x`
        Some(rest) if drive(rest.strip_prefix('/').unwrap_or(rest)) => &rest[1..],
        Some(rest) => rest,
        None => path,
    };
    let is_windows = drive(path) || path.starts_with("\\\\") || path.starts_with("~\\");
    if is_windows { path.replace('\\', "/") } else { path.to_owned() }
}

/// `C:` and a slash of either kind.
fn drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'/' | b'\\')
}

/// Whether it means the same file from every folder, or one that nobody knows.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~', '$']) || drive(path)
}

/// Without `.`, `..` and double slashes.
fn resolved(path: &str) -> String {
    let root = if path.starts_with("//") && !path.starts_with("///") {
        "//"
    } else if path.starts_with('/') {
        "/"
    } else {
        ""
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// The home folder that a path lies in, by the places where systems have them.
fn home_of(path: &str) -> Option<&str> {
    if path == "/root" || path.starts_with("/root/") {
        return Some("/root");
    }
    let users =
        ["/home/", "/Users/", "C:/Users/"].into_iter().find(|base| path.starts_with(base))?;
    let user = path[users.len()..].split('/').next().filter(|user| !user.is_empty())?;
    Some(&path[..users.len() + user.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_path() {
        let folder = Folder::new("/home/ana/quay/");
        for path in [
            "a/b.rs",
            "./a/b.rs",
            "/home/ana/quay/a/b.rs",
            "~/quay/a/b.rs",
            "$HOME/quay/a/b.rs",
            "${HOME}/quay/a/b.rs",
            "file:///home/ana/quay/a/b.rs",
            "/home/ana//quay/x/../a/./b.rs",
            "../quay/a/b.rs",
        ] {
            assert_eq!(folder.absolute(path), "/home/ana/quay/a/b.rs", "{path}");
        }
        assert_eq!(folder.shown("/home/ana/quay/a/b.rs"), "a/b.rs");
        assert_eq!(folder.shown("/home/ana/quayside/b.rs"), "/home/ana/quayside/b.rs");
        assert_eq!(folder.absolute("A/b.rs"), "/home/ana/quay/A/b.rs", "case is kept");
        assert_eq!(folder.absolute("../../../../../etc/x"), "/etc/x");
        assert_eq!(folder.absolute("~other/x"), "~other/x");
    }

    #[test]
    fn paths_of_windows_are_read_as_texts() {
        let folder = Folder::new("C:\\Users\\ana\\quay");
        for path in ["a\\b.rs", "C:\\Users\\ana\\quay\\a\\b.rs", "~\\quay\\a\\b.rs"] {
            let path = folder.absolute(path);
            assert!(matches!(
                path.as_str(),
                "C:/Users/ana/quay/a/b.rs" | "C:/Users/ana/quay/a\\b.rs"
            ));
        }
        assert_eq!(folder.absolute("file:///C:/x/y"), "C:/x/y");
        assert_eq!(folder.absolute("\\\\host\\share\\x"), "//host/share/x");
        assert_eq!(Folder::new("").absolute("a/../b"), "b");
        assert_eq!(Folder::new("").absolute("../b"), "../b");
    }
}
