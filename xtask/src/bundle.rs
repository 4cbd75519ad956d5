//! Joins ES modules into one script, from an entry module along its imports.
//!
//! The modules of a script share one scope, so their top-level names are unique and
//! an import needs no code of its own: `import` and `export` are removed and the
//! rest is joined. Anything that would need more than that is refused.

use std::collections::{HashMap, HashSet};
use std::io;

use crate::module::{self, Import, Module, ModuleError};

/// Why modules do not make a script. Each names the files to look at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BundleError {
    #[error("failed to read `{path}`, which `{importer}` imports: {error}")]
    Unreadable { path: String, importer: String, error: io::Error },
    #[error(transparent)]
    Module(#[from] ModuleError),
    #[error("import cycle: {}", cycle.join(" imports "))]
    Cycle { cycle: Vec<String> },
    #[error("`{importer}` imports `{name}` from `{path}`, which does not export it")]
    MissingName { importer: String, name: String, path: String },
    #[error("`{path}` uses the name `{name}`, which `{owner}` declares, without importing it")]
    NotImported { path: String, name: String, owner: String },
    #[error(
        "`{first}` and `{second}` both declare `{name}`: the modules of a script share one scope"
    )]
    Clash { name: String, first: String, second: String },
}

/// Where the modules are read from: the text of a module by its path.
pub(crate) type Source<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// The script that runs `entries` in turn.
pub(crate) fn bundled(source: Source<'_>, entries: &[&str]) -> Result<String, BundleError> {
    let modules = modules(source, entries)?;
    Ok(modules.iter().map(|module| module.code.as_str()).collect::<Vec<_>>().join("\n"))
}

/// All modules that `entries` need, each after those that it imports.
pub(crate) fn modules(source: Source<'_>, entries: &[&str]) -> Result<Vec<Module>, BundleError> {
    let mut walk = Walk { source, open: Vec::new(), seen: HashSet::new(), done: Vec::new() };
    for entry in entries {
        walk.visit(entry, entry)?;
    }
    check_names(&walk.done)?;
    Ok(walk.done)
}

struct Walk<'a> {
    source: Source<'a>,
    /// The modules on the way from the entry to the one being visited.
    open: Vec<String>,
    seen: HashSet<String>,
    done: Vec<Module>,
}

impl Walk<'_> {
    fn visit(&mut self, path: &str, importer: &str) -> Result<(), BundleError> {
        if let Some(at) = self.open.iter().position(|other| other == path) {
            let quoted = |path: &String| format!("`{path}`");
            let mut cycle: Vec<String> = self.open[at..].iter().map(quoted).collect();
            cycle.push(quoted(&path.to_owned()));
            return Err(BundleError::Cycle { cycle });
        }
        if !self.seen.insert(path.to_owned()) {
            return Ok(());
        }
        let text = (self.source)(path).map_err(|error| BundleError::Unreadable {
            path: path.to_owned(),
            importer: importer.to_owned(),
            error,
        })?;
        let module = module::read(path, &text)?;
        self.open.push(path.to_owned());
        // From the last import on: the script compresses half a percent better.
        for import in module.imports.iter().rev() {
            self.visit(&import.path, path)?;
        }
        self.open.pop();
        self.done.push(module);
        Ok(())
    }
}

/// Every imported name is exported, and no two modules declare the same one.
fn check_names(modules: &[Module]) -> Result<(), BundleError> {
    let by_path: HashMap<&str, &Module> =
        modules.iter().map(|module| (module.path.as_str(), module)).collect();
    let mut declared: HashMap<&str, &str> = HashMap::new();
    for module in modules {
        for Import { path, names } in &module.imports {
            let exports = &by_path[path.as_str()].exports;
            if let Some(name) = names.iter().find(|name| !exports.contains(name)) {
                return Err(BundleError::MissingName {
                    importer: module.path.clone(),
                    name: name.clone(),
                    path: path.clone(),
                });
            }
        }
        for name in &module.declares {
            if let Some(first) = declared.insert(name, &module.path) {
                return Err(BundleError::Clash {
                    name: name.clone(),
                    first: first.to_owned(),
                    second: module.path.clone(),
                });
            }
        }
    }
    for module in modules {
        if let Some(name) = module.foreign.iter().find(|name| declared.contains_key(name.as_str()))
        {
            return Err(BundleError::NotImported {
                path: module.path.clone(),
                name: name.clone(),
                owner: declared[name.as_str()].to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)]) -> Result<String, String> {
        let source = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        bundled(&source, &[files[0].0]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_module_comes_after_those_it_imports() {
        let joined = bundle(&[
            (
                "main.js",
                "import { a } from \"./room/a.js\";\nimport { b } from \"./b.js\";\nstart(a, b);",
            ),
            ("b.js", "export const b = 1;"),
            (
                "room/a.js",
                "import { b } from \"../b.js\";\nexport function a() {\n    return b;\n}",
            ),
        ]);
        let joined = joined.unwrap();
        let order = ["const b = 1;", "function a() {", "start(a, b);"]
            .map(|line| joined.find(line).unwrap());
        assert!(order.is_sorted(), "{joined}");
        assert!(!joined.contains("import") && !joined.contains("export"), "{joined}");
        assert_eq!(joined.matches("const b").count(), 1);
    }

    #[test]
    fn a_cycle_is_an_error_that_names_its_files() {
        let error = bundle(&[
            ("main.js", "import { a } from \"./a.js\";\na();"),
            ("a.js", "import { b } from \"./b.js\";\nexport const a = () => b;"),
            ("b.js", "import { a } from \"./a.js\";\nexport const b = () => a;"),
        ]);
        assert_eq!(error.unwrap_err(), "import cycle: `a.js` imports `b.js` imports `a.js`");
    }

    #[test]
    fn an_imported_name_must_be_exported() {
        let error =
            bundle(&[("main.js", "import { a } from \"./a.js\";\na();"), ("a.js", "const a = 1;")]);
        assert_eq!(
            error.unwrap_err(),
            "`main.js` imports `a` from `a.js`, which does not export it"
        );
    }

    #[test]
    fn two_modules_must_not_declare_the_same_name() {
        let error = bundle(&[
            ("main.js", "import { a } from \"./a.js\";\nfunction help() {}\na(help);"),
            ("a.js", "const [help, other] = [1, 2];\nexport const a = help + other;"),
        ]);
        assert_eq!(
            error.unwrap_err(),
            "`a.js` and `main.js` both declare `help`: the modules of a script share one scope"
        );
    }

    /// In the one scope of the script it would also take the place of a global.
    #[test]
    fn a_name_of_another_module_must_be_imported() {
        let error = bundle(&[
            ("main.js", "import { a } from \"./a.js\";\na(help);"),
            ("a.js", "const help = 1;\nexport const a = (b) => b + help;"),
        ]);
        assert_eq!(
            error.unwrap_err(),
            "`main.js` uses the name `help`, which `a.js` declares, without importing it"
        );
    }

    #[test]
    fn an_unknown_file_is_named_with_its_importer() {
        let error = bundle(&[("main.js", "import { a } from \"./gone.js\";")]).unwrap_err();
        assert!(error.starts_with("failed to read `gone.js`, which `main.js` imports"), "{error}");
    }

    #[test]
    fn what_needs_more_than_joining_is_refused() {
        for line in [
            "import { a as b } from \"./a.js\";",
            "import a from \"./a.js\";",
            "import * as a from \"./a.js\";",
            "import \"./a.js\";",
            "import { a } from \"a\";",
            "import { a } from \"../a.js\";",
            "export default 1;",
            "export { a } from \"./a.js\";",
            "export * from \"./a.js\";",
        ] {
            let error = bundle(&[("main.js", line), ("a.js", "export const a = 1;")]).unwrap_err();
            assert!(error.starts_with("`main.js` has "), "{line}: {error}");
        }
    }
}
