//! The page's scripts: modules that esbuild bundles and minifies, and terser minifies further.

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::root;

/// The one inline script of the head: what must happen before the first paint.
pub(crate) const BOOT: &str = "boot.js";

/// The one at the end, which opens the page's script.
pub(crate) const LOADER: &str = "loader.js";

/// The one behind the link from a page of an archive to its index.
pub(crate) const BACK: &str = "back.js";

/// The one of an archive's index.
pub(crate) const ARCHIVE: &str = "archive/main.js";

/// The one of a sealed page's shell.
pub(crate) const SEAL: &str = "seal/shell.js";

/// The one of the band, for pages of sessions that report tokens.
pub(crate) const BAND: &str = "context/band.js";

/// The one of the view Changes, for pages of sessions that edited files.
pub(crate) const CHANGES: &str = "changes/changes.js";

/// The one of the comparison, for pages with several branches.
pub(crate) const COMPARE: &str = "compare/compare.js";

/// The page's script.
pub(crate) const MAIN: &str = "main.js";

const TOOLS: &str = "tests/npm/node_modules/.bin";

/// A scope of its own for each script, so that it adds no globals but its API. No comment is kept.
const ESBUILD_OPTIONS: [&str; 7] = [
    "--bundle",
    "--minify",
    "--format=iife",
    "--charset=utf8",
    "--legal-comments=none",
    "--loader:.html=text",
    "--log-level=warning",
];

/// What esbuild leaves: 5 % of the program after compression. Comparisons keep the order of the sources, which repeats more. Functions that
/// name no `this` become arrows; only classes are called with `new`.
const TERSER_OPTIONS: [&str; 4] = [
    "--ecma=2022",
    "--compress=passes=5,lhs_constants=false,unsafe_arrows=true",
    "--mangle",
    "--toplevel",
];

/// Properties of the script's own objects, which get shorter names: half a percent of the program after compression.
/// Neither a browser nor the page's data knows them.
#[rustfmt::skip]
const OWN_PROPERTIES: &[&str] = &[
    "addDoor", "addressBar", "atLeaf", "byFileId", "contextAt", "diffsOf", "elementOf", "fillPictures", "fresh",
    "giveAbove", "goToFile", "goToStop", "heightOf", "heights", "hiddenKeys", "hitAt", "hitOrder", "hung",
    "isBroken", "isChild", "isNarrow", "isNews", "isPending", "isShut", "isStory", "lineOf", "markTarget",
    "ofEntry", "ofStops", "offsetOf", "openAll", "openFor", "openForAndNext", "outerBar", "packOf", "pageSize",
    "panes", "pieceOf", "promptSpace", "queryCut", "refold", "rememberScroll", "reveal", "rollUp", "rowHeight",
    "rowOf", "scrollMark", "sessionFile", "sessionHits", "setList", "setSize", "shells", "sizeOf", "standFor",
    "stepFile", "thisYear", "trail", "treeView", "unfold", "unroll", "walk", "wander",
    "whenNear",
];

/// One script, which runs `entries` in turn.
pub(crate) fn bundled(entries: &[&str]) -> Result<String, Box<dyn Error>> {
    let script = esbuild(entries, &[])?;
    let own = format!("--mangle-props=regex=/^({})$/", OWN_PROPERTIES.join("|"));
    let options = TERSER_OPTIONS.iter().copied().chain([own.as_str()]);
    run("terser", &options.collect::<Vec<_>>(), &script)
}

fn esbuild(entries: &[&str], more: &[&str]) -> Result<String, Box<dyn Error>> {
    let imports: Vec<String> =
        entries.iter().map(|entry| format!("import \"./{entry}\";")).collect();
    run("esbuild", &[&ESBUILD_OPTIONS, more].concat(), &imports.join("\n"))
}

/// What a tool from npm makes of a script.
fn run(tool: &str, options: &[&str], script: &str) -> Result<String, Box<dyn Error>> {
    let tool = format!("{TOOLS}/{tool}");
    let mut command = Command::new(root().join(&tool));
    let mut child = command
        .args(options)
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            format!("failed to run `{tool}`: {error}\nhelp: run `npm --prefix tests/npm ci`")
        })?;
    child.stdin.take().expect("it is piped").write_all(script.as_bytes())?;
    let out = child.wait_with_output()?;
    if !out.status.success() {
        return Err(String::from_utf8(out.stderr)?.into());
    }
    Ok(String::from_utf8(out.stdout)?)
}

/// Holds all modules.
pub(crate) fn folder() -> PathBuf {
    root().join("static/js")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;
    use std::sync::LazyLock;

    use super::*;

    /// Takes modules of a page to check it from the other side.
    const WEBCRYPTO: &str = "../../tests/sealed/webcrypto.mjs";

    /// What each module of the scripts imports, by their paths in the folder, as esbuild has read them.
    static IMPORTS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
        let options = ["--outfile=../../target/modules.js", "--metafile=../../target/modules.json"];
        esbuild(&[BOOT, LOADER, BACK, ARCHIVE, SEAL, BAND, CHANGES, COMPARE, MAIN], &options)
            .unwrap();
        let meta = fs::read(root().join("target/modules.json")).unwrap();
        let meta: serde_json::Value = serde_json::from_slice(&meta).unwrap();
        let modules = meta["inputs"].as_object().unwrap().iter();
        let modules = modules.filter(|(path, _)| is_module(path));
        let imports = |module: &serde_json::Value| {
            let imports = module["imports"].as_array().unwrap().iter();
            let paths = imports.map(|import| import["path"].as_str().unwrap().to_owned());
            paths.filter(|path| is_module(path)).collect()
        };
        modules.map(|(path, module)| (path.clone(), imports(module))).collect()
    });

    /// A module rather than a template, or the list of entries.
    fn is_module(path: &str) -> bool {
        Path::new(path).extension().is_some_and(|extension| extension == "js")
    }

    fn all_files() -> Vec<String> {
        let relative = |path: PathBuf| {
            path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/")
        };
        let mut files: Vec<String> = files_of(folder(), "js").into_iter().map(relative).collect();
        files.sort();
        files
    }

    /// With such an extension, also in the folders below.
    fn files_of(folder: PathBuf, extension: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![folder];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|found| found == extension) {
                    files.push(path);
                }
            }
        }
        files
    }

    fn text(path: &str) -> String {
        fs::read_to_string(folder().join(path)).unwrap()
    }

    /// Lines such as `import { name, other } from "../room/module.js";`: the module's path, and the names.
    fn named_imports(path: &str, start: &str) -> Vec<(String, Vec<String>)> {
        let read = |import: &str| {
            let (names, rest) = import.split_once(" } from \"").unwrap();
            let file = Path::new(path).parent().unwrap().join(rest.split('"').next().unwrap());
            let file = folder().join(file).canonicalize().ok()?;
            let file = file.strip_prefix(folder().canonicalize().unwrap()).ok()?;
            let names = names.split(", ").map(str::to_owned).collect();
            Some((file.to_str().unwrap().replace('\\', "/"), names))
        };
        text(path).lines().filter_map(|line| read(line.strip_prefix(start)?)).collect()
    }

    /// The modules whose types a module names.
    fn type_imports(path: &str) -> impl Iterator<Item = String> {
        named_imports(path, "/** @import { ").into_iter().map(|(file, _)| file)
    }

    #[test]
    fn every_module_is_used() {
        let named: BTreeSet<String> = IMPORTS.keys().flat_map(|path| type_imports(path)).collect();
        for path in all_files() {
            let is_used = IMPORTS.contains_key(&path) || named.contains(&path);
            assert!(is_used, "no module imports `{path}`");
        }
    }

    /// What one module of a circle does when it loads may need another that has not run.
    #[test]
    fn no_modules_import_each_other() {
        let mut left = IMPORTS.clone();
        while let Some(path) = left.iter().find_map(|(path, imports)| {
            let ends = imports.iter().all(|other| !left.contains_key(other));
            let begins = !left.values().flatten().any(|other| other == path);
            (ends || begins).then(|| path.clone())
        }) {
            left.remove(&path);
        }
        assert!(left.is_empty(), "import cycle among {:?}", left.keys());
    }

    /// Names of a browser's objects, and those in strings, styles, markup and the page's data, must stay.
    #[test]
    fn own_properties_are_only_in_the_script() {
        let types = root().join("tests/npm/node_modules/@typescript");
        let mut files = files_of(types, "ts");
        files.extend(files_of(root().join("templates"), "html"));
        files.extend(files_of(root().join("static/css"), "css"));
        files.extend([BOOT, LOADER, BACK].map(|script| folder().join(script)));
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let named = |text: &str| {
            let words = text.split(|c: char| !is_part(c)).map(camel_case);
            words.filter(|word| OWN_PROPERTIES.contains(&word.as_str())).collect::<Vec<_>>()
        };
        for file in files {
            let found = named(&fs::read_to_string(&file).unwrap());
            assert!(found.is_empty(), "{found:?} in {}", file.display());
        }
        // Of Rust only what a string holds, or a field, can be in the page.
        for file in files_of(root().join("src"), "rs") {
            for line in fs::read_to_string(&file).unwrap().lines() {
                let code = line.split("//").next().unwrap();
                let is_in_page = code.contains('"') || code.ends_with(',');
                let found = if is_in_page { named(code) } else { Vec::new() };
                assert!(found.is_empty(), "{found:?} in {}: {line}", file.display());
            }
        }
        for path in all_files() {
            // Types in comments name properties, too.
            let text = text(&path);
            let code = text.lines().filter(|line| !line.trim_start().starts_with('*'));
            let text: String = code.filter_map(|line| line.split("/**").next()).collect();
            // Attributes of elements have names for others, too.
            let is_named = |name: &&str| {
                [format!("\"{name}\""), format!("dataset.{name}")]
                    .iter()
                    .any(|named| text.contains(named))
            };
            let found: Vec<_> = OWN_PROPERTIES.iter().filter(|name| is_named(name)).collect();
            assert!(found.is_empty(), "{found:?} in {path}");
        }
    }

    fn camel_case(word: &str) -> String {
        let mut is_next = false;
        let letter = |c: char| match (std::mem::replace(&mut is_next, matches!(c, '_' | '-')), c) {
            (_, '_' | '-') => None,
            (true, c) => Some(c.to_ascii_uppercase()),
            (false, c) => Some(c),
        };
        word.chars().filter_map(letter).collect()
    }

    #[test]
    fn every_export_is_imported() {
        let files = all_files();
        let importers = files.iter().map(String::as_str).chain([WEBCRYPTO]);
        let imported: BTreeSet<(String, String)> = importers
            .flat_map(|path| named_imports(path, "import { "))
            .flat_map(|(file, names)| names.into_iter().map(move |name| (file.clone(), name)))
            .collect();
        for path in files {
            for line in text(&path).lines().filter_map(|line| line.strip_prefix("export ")) {
                let declaration = line.strip_prefix("async ").unwrap_or(line);
                let name = declaration.split_once(' ').unwrap().1;
                let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                let export = (path.clone(), name[..end.unwrap()].to_owned());
                assert!(imported.contains(&export), "no module imports {export:?}");
            }
        }
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
            let values = IMPORTS.get(&path).cloned().unwrap_or_default();
            for other in values.into_iter().chain(type_imports(&path)) {
                assert!(
                    layer(&path) >= layer(&other),
                    "`{path}` imports from the higher room of `{other}`"
                );
            }
        }
    }
}
