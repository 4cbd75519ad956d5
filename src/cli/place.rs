//! Where the catalog and the pages of searches lie.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::find::Env;

/// A directory of leafpress's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// For what is kept.
    Data,
    /// For pages that can be made again.
    Pages,
}

/// The environment that commands look for sessions in.
pub(super) fn env() -> Env {
    Env { leafpress_data: Place::Data.folder(), ..Env::of_process() }
}

impl Place {
    /// Where it is: in `$LEAFPRESS_DATA`, else where the system has such directories; `None` where the environment names
    /// none. Whether it exists is not asked.
    pub(super) fn folder(self) -> Option<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        self.folder_in(variable, std::env::home_dir())
    }

    fn folder_in(
        self,
        variable: impl Fn(&str) -> Option<OsString>,
        home: Option<PathBuf>,
    ) -> Option<PathBuf> {
        let is_data = self == Place::Data;
        let data = variable("LEAFPRESS_DATA").map(PathBuf::from).or_else(|| {
            let home = home.filter(|home| home.is_absolute());
            let system = if cfg!(windows) {
                variable("LOCALAPPDATA").map(PathBuf::from)
            } else if cfg!(target_os = "macos") {
                let own = if is_data { "Library/Application Support" } else { "Library/Caches" };
                home.map(|home| home.join(own))
            } else {
                // The XDG Base Directory Specification ignores paths that are not absolute.
                let (name, own) = if is_data {
                    ("XDG_DATA_HOME", ".local/share")
                } else {
                    ("XDG_CACHE_HOME", ".cache")
                };
                let named = variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
                named.or_else(|| home.map(|home| home.join(own)))
            };
            system.map(|system| system.join("leafpress"))
        })?;
        Some(if is_data { data } else { data.join("pages") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where_the_data_lies() {
        let of = |place: Place, set: &[(&str, &str)]| {
            let variable = |name: &str| {
                set.iter().find(|(own, _)| *own == name).map(|(_, value)| OsString::from(value))
            };
            let folder = place.folder_in(variable, Some("/h".into()));
            folder.map(|folder| folder.display().to_string()).unwrap_or_default()
        };
        assert_eq!(of(Place::Data, &[("LEAFPRESS_DATA", "/d")]), "/d");
        assert_eq!(of(Place::Pages, &[("LEAFPRESS_DATA", "/d")]), "/d/pages");
        if cfg!(target_os = "linux") {
            let set = [("XDG_DATA_HOME", "/x"), ("XDG_CACHE_HOME", "c")];
            assert_eq!(of(Place::Data, &set), "/x/leafpress");
            assert_eq!(of(Place::Pages, &set), "/h/.cache/leafpress/pages");
            assert_eq!(of(Place::Data, &[]), "/h/.local/share/leafpress");
        }
        assert_eq!(Place::Data.folder_in(|_| None, None), None);
    }
}
