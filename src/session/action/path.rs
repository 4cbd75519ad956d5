//! Which file a path names. Paths are read as texts: no disk is asked, so a link is another file.

/// The folder that a session works in, and the home folder that it tells.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Absolute, without a slash at its end, so that the root is empty. `None` where unknown.
    cwd: Option<String>,
    home: Option<String>,
    is_windows: bool,
}

impl Folder {
    pub(crate) fn new(cwd: &str) -> Folder {
        let is_windows = is_of_windows(cwd);
        let cwd = plain(cwd, false);
        let home = home_of(&cwd).map(str::to_owned);
        let cwd = Some(resolved(&cwd)).filter(|cwd| !cwd.is_empty());
        let cwd = cwd.map(|cwd| cwd.trim_end_matches('/').to_owned());
        Folder { cwd, home, is_windows }
    }

    /// The absolute path that `path` names, for a call that ran in this folder. Without a known folder a
    /// relative path stays one. Case is kept.
    pub(crate) fn absolute(&self, path: &str) -> String {
        let path = self.with_drive(plain(path, self.is_windows));
        let from_home = ["~", "$HOME", "${HOME}"].iter().find_map(|home| {
            let rest = path.strip_prefix(home)?;
            (rest.is_empty() || rest.starts_with(['/', '\\'])).then_some(rest)
        });
        match (from_home, &self.home, &self.cwd) {
            (Some(rest), Some(home), _) => resolved(&format!("{home}{rest}")),
            (None, _, Some(cwd)) if !is_absolute(&path) => resolved(&format!("{cwd}/{path}")),
            _ => resolved(&path),
        }
    }

    /// Whether an absolute path lies in the folder or is it; of an unknown one all do.
    pub(crate) fn has(&self, absolute: &str) -> bool {
        self.cwd.as_deref().is_none_or(|cwd| absolute.trim_end_matches('/') == cwd)
            || self.shown(absolute) != absolute
    }

    /// Shells of Windows write `C:/x` as `c:/x`, `/c/x` or `/mnt/c/x`.
    fn with_drive(&self, path: String) -> String {
        let cwd = self.cwd.as_deref().filter(|_| self.is_windows);
        let Some((letter, _)) = cwd.and_then(|cwd| cwd.split_once(':')) else { return path };
        let is_it = |own: &str| own.eq_ignore_ascii_case(letter);
        if drive(&path) && is_it(&path[..1]) {
            return format!("{letter}{}", &path[1..]);
        }
        let rest = path.strip_prefix("/mnt").unwrap_or(&path).strip_prefix('/');
        match rest.and_then(|rest| rest.split_once('/')).filter(|(own, _)| is_it(own)) {
            Some((_, rest)) => format!("{letter}:/{rest}"),
            None => path,
        }
    }

    /// The path as it is shown: from this folder on where the file lies in it.
    pub(crate) fn shown<'p>(&self, absolute: &'p str) -> &'p str {
        let cwd = self.cwd.as_deref();
        let inside = cwd.and_then(|cwd| absolute.strip_prefix(cwd)?.strip_prefix('/'));
        inside.filter(|rest| !rest.is_empty()).unwrap_or(absolute)
    }
}

/// A path without `file://`; the backslashes of a path of Windows become slashes, and those of any path of a session
/// that ran there.
fn plain(path: &str, is_windows: bool) -> String {
    let path = path.trim();
    let path = match path.strip_prefix("file://") {
        // `file:///C:/x`
        Some(rest) if drive(rest.strip_prefix('/').unwrap_or(rest)) => &rest[1..],
        Some(rest) => rest,
        None => path,
    };
    let is_windows = is_windows || is_of_windows(path);
    if is_windows { path.replace('\\', "/") } else { path.to_owned() }
}

fn is_of_windows(path: &str) -> bool {
    drive(path) || path.starts_with("\\\\") || path.starts_with("~\\")
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
pub(crate) fn is_absolute(path: &str) -> bool {
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
        assert!(folder.has("/home/ana/quay/a") && folder.has("/home/ana/quay"));
        assert!(!folder.has("/home/ana/quayside") && Folder::new("/").has("/etc/x"));
        assert_eq!(folder.absolute("~other/x"), "~other/x");
    }

    #[test]
    fn the_root_is_a_folder_too() {
        let folder = Folder::new("/");
        assert_eq!(folder.absolute("a.txt"), "/a.txt");
        assert_eq!(folder.shown("/a.txt"), "a.txt");
        assert!(folder.has("/a.txt") && folder.has("/"));
    }

    #[test]
    fn paths_of_windows_are_read_as_texts() {
        let folder = Folder::new("C:\\Users\\ana\\quay");
        for path in [
            "a\\b.rs",
            "C:\\Users\\ana\\quay\\a\\b.rs",
            "c:\\Users\\ana\\quay\\a\\b.rs",
            "~\\quay\\a\\b.rs",
            "/c/Users/ana/quay/a/b.rs",
            "/mnt/c/Users/ana/quay/a/b.rs",
        ] {
            assert_eq!(folder.absolute(path), "C:/Users/ana/quay/a/b.rs");
        }
        assert_eq!(Folder::new("C:\\").absolute("a\\b"), "C:/a/b");
        assert_eq!(Folder::new("C:\\").absolute("/c/a"), "C:/a");
        assert_eq!(Folder::new("/w").absolute("a\\b"), "/w/a\\b");
        assert_eq!(folder.absolute("file:///C:/x/y"), "C:/x/y");
        assert_eq!(folder.absolute("\\\\host\\share\\x"), "//host/share/x");
        assert_eq!(Folder::new("").absolute("a/../b"), "b");
        assert_eq!(Folder::new("").absolute("../b"), "../b");
    }
}
