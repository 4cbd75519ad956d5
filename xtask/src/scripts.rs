//! The page's scripts as modules: where they start, and what holds for all of them.

use std::path::PathBuf;
use std::{fs, io};

use super::root;
use crate::bundle::{self, BundleError};

/// The one inline script of the head: what must happen before the first paint.
pub(crate) const BOOT: &str = "boot.js";

/// The one at the end, which opens the page's script.
pub(crate) const LOADER: &str = "loader.js";

/// The one of a sealed page's shell.
pub(crate) const SEAL: &str = "seal/shell.js";

/// The one of the band, for pages of sessions that report tokens.
pub(crate) const BAND: &str = "context/band.js";

/// The page's script.
pub(crate) const MAIN: &str = "main.js";

/// The modules from some entries on, joined.
pub(crate) fn joined(entries: &[&str]) -> Result<String, BundleError> {
    bundle::bundled(&source, entries)
}

/// Holds all modules.
pub(crate) fn folder() -> PathBuf {
    root().join("static/js")
}

fn source(path: &str) -> io::Result<String> {
    fs::read_to_string(folder().join(path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::module::{self, Import, Module};

    /// Takes modules of a page to check it from the other side.
    const WEBCRYPTO: &str = "tests/sealed/webcrypto.mjs";

    fn all_files() -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![folder()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "js") {
                    files.push(
                        path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/"),
                    );
                }
            }
        }
        files.sort();
        files
    }

    fn module(path: &str) -> Module {
        module::read(path, &source(path).unwrap()).unwrap()
    }

    /// The modules whose types a module names.
    fn type_imports(path: &str) -> Vec<String> {
        let text = source(path).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("/** @import "));
        let quoted = lines.map(|line| line.split('"').nth(1).unwrap());
        quoted.map(|specifier| module::resolved(path, specifier).unwrap()).collect()
    }

    #[test]
    fn every_module_is_used() {
        let entries = [BOOT, LOADER, SEAL, BAND, MAIN];
        let reached: BTreeSet<String> = entries
            .iter()
            .flat_map(|entry| bundle::modules(&source, &[*entry]).unwrap())
            .map(|module| module.path)
            .collect();
        let named: BTreeSet<String> = reached.iter().flat_map(|path| type_imports(path)).collect();
        for path in all_files() {
            assert!(reached.contains(&path) || named.contains(&path), "no module imports `{path}`");
        }
    }

    #[test]
    fn every_export_is_imported() {
        let files = all_files();
        let mut imports: Vec<Import> = files.iter().flat_map(|path| module(path).imports).collect();
        imports.extend(webcrypto_imports());
        for path in &files {
            for name in module(path).exports {
                let is_used = imports
                    .iter()
                    .any(|import| import.path == *path && import.names.contains(&name));
                assert!(is_used, "`{path}` exports `{name}`, which no module imports");
            }
        }
    }

    fn webcrypto_imports() -> Vec<Import> {
        let text = fs::read_to_string(root().join(WEBCRYPTO)).unwrap();
        let own =
            text.lines().filter(|line| line.contains("/static/js/")).collect::<Vec<_>>().join("\n");
        let imports = module::read(WEBCRYPTO, &own).unwrap().imports;
        let within = |import: Import| Import {
            path: import.path.strip_prefix("static/js/").unwrap().to_owned(),
            ..import
        };
        imports.into_iter().map(within).collect()
    }

    #[test]
    fn rooms_import_from_those_above_them_in_contributing() {
        let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
        let table = guide.split("| room | what |").nth(1).unwrap().trim_start();
        let rows = table.lines().take_while(|line| line.starts_with('|')).skip(1);
        let rooms: Vec<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
        let layer = |path: &str| {
            let Some((room, _)) = path.rsplit_once('/') else { return rooms.len() };
            let at = rooms.iter().position(|listed| listed.trim_end_matches('/') == room);
            at.unwrap_or_else(|| panic!("CONTRIBUTING.md does not list the room of `{path}`"))
        };
        for path in all_files() {
            let values = module(&path).imports.into_iter().map(|import| import.path);
            for other in values.chain(type_imports(&path)) {
                assert!(
                    layer(&path) >= layer(&other),
                    "`{path}` imports from the higher room of `{other}`"
                );
            }
        }
    }
}
