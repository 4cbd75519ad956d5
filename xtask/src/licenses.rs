//! The notices of all code that is linked into the command: the license files of its packages, of the
//! C code within some of them, and of the grammars.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::root;

/// Where the command includes them from.
pub(super) const FILE: &str = "src/cli/licenses.txt";

/// Folders within packages that hold code of others, with the license files of their own.
const WITHIN: [(&str, &str); 2] = [("onig_sys", "oniguruma"), ("libsqlite3-sys", "sqlite3")];

/// A package that is linked.
struct Package {
    name: String,
    version: String,
    /// As its manifest says it.
    license: String,
    folder: PathBuf,
}

/// All of the text.
pub(super) fn text() -> Result<String, Box<dyn Error>> {
    let packages = packages()?;
    let mut out = String::new();
    writeln!(out, "This program contains the following packages.\n")?;
    let mut notices: BTreeMap<String, Notice> = BTreeMap::new();
    let mut add = |text: &str, name: &str| {
        notices.entry(terms(text)).or_default().add(text, name);
    };
    for package in &packages {
        let Package { name, version, license, folder } = package;
        writeln!(out, "{name} {version}: {license}")?;
        let within =
            WITHIN.iter().filter(|(of, _)| of == name).map(|(_, within)| folder.join(within));
        let mut found = false;
        for folder in [folder.clone()].into_iter().chain(within) {
            for text in license_files(&folder, license)? {
                found = true;
                add(&text, name);
            }
        }
        if !found {
            writeln!(out, "    (its package has no license file)")?;
        }
    }
    for grammar in two_face::acknowledgement::listing().for_syntaxes() {
        if grammar.needs_acknowledgement() {
            let folder = grammar.rel_path.parent().and_then(Path::file_name).unwrap_or_default();
            let name = format!("grammar {}", folder.to_string_lossy());
            add(&trimmed(&grammar.text), &name);
        }
    }
    let mut ordered: Vec<(String, Notice)> = notices.into_iter().collect();
    ordered.sort_by(|a, b| a.1.names.cmp(&b.1.names).then_with(|| a.0.cmp(&b.0)));
    for (_, Notice { names, copyrights, text }) in ordered {
        let names: Vec<String> = names.into_iter().collect();
        write!(out, "\n\n==== {} ====\n\n", names.join(", "))?;
        for copyright in copyrights {
            writeln!(out, "{copyright}")?;
        }
        writeln!(out, "\n{text}")?;
    }
    Ok(out)
}

/// Terms, and who gives something under them.
#[derive(Default)]
struct Notice {
    names: BTreeSet<String>,
    copyrights: BTreeSet<String>,
    text: String,
}

impl Notice {
    fn add(&mut self, text: &str, name: &str) {
        let (copyrights, rest) = parted(text);
        self.names.insert(name.to_owned());
        self.copyrights.extend(copyrights.into_iter().map(str::to_owned));
        if self.text.is_empty() {
            rest.join("\n").trim_matches('\n').clone_into(&mut self.text);
        }
    }
}

/// What two texts have in common that differ in who has the copyright, or in where their lines end.
fn terms(text: &str) -> String {
    parted(text).1.into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The lines at the head of a text that say who has the copyright, and all others.
fn parted(text: &str) -> (Vec<&str>, Vec<&str>) {
    const HEAD: usize = 8;
    let is_copyright = |line: &str| {
        let rest = line.strip_prefix("Copyright ").map(|rest| rest.trim_start_matches("(c) "));
        let rest = rest.map(|rest| rest.trim_start_matches("(C) ").trim_start_matches("© "));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let (head, rest): (Vec<_>, Vec<_>) =
        text.lines().enumerate().partition(|(at, line)| *at < HEAD && is_copyright(line));
    (
        head.into_iter().map(|(_, line)| line).collect(),
        rest.into_iter().map(|(_, line)| line).collect(),
    )
}

/// What `leafpress` links on any system, in the order of the names.
fn packages() -> Result<Vec<Package>, Box<dyn Error>> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--locked", "--format-version", "1"])?)?;
    let all = metadata["packages"].as_array().ok_or("no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut packages = Vec::new();
    for (name, version) in linked()? {
        let is_it = |package: &&Value| {
            package["name"] == name.as_str() && package["version"] == version.as_str()
        };
        let package =
            all.iter().find(is_it).ok_or_else(|| format!("no package {name} {version}"))?;
        let manifest = text(&package["manifest_path"]);
        packages.push(Package {
            license: text(&package["license"]),
            folder: Path::new(&manifest).parent().map(Path::to_owned).unwrap_or_default(),
            name,
            version,
        });
    }
    Ok(packages)
}

/// Names and versions of those packages.
pub(super) fn linked() -> Result<BTreeSet<(String, String)>, Box<dyn Error>> {
    let tree = cargo(&[
        "tree",
        "--locked",
        "--package",
        "leafpress",
        "--edges",
        "normal,no-proc-macro",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ])?;
    let of_line = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    };
    Ok(tree.lines().filter_map(of_line).filter(|(name, _)| name != "leafpress").collect())
}

fn cargo(args: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(env!("CARGO")).args(args).current_dir(root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The license files of a folder, of which one is enough where the package may be used under any of
/// several: that of MIT, the shortest.
fn license_files(folder: &Path, license: &str) -> Result<Vec<String>, Box<dyn Error>> {
    const NAMES: [&str; 6] = ["license", "licence", "copying", "notice", "copyright", "unlicense"];
    let mut files = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_license = NAMES.iter().any(|start| name.starts_with(start));
        if path.is_file() && is_license {
            files.push((name, path));
        }
    }
    let is_choice =
        (license.contains(" OR ") || license.contains('/')) && !license.contains(" AND ");
    if is_choice && files.iter().any(|(name, _)| name.contains("mit")) {
        files.retain(|(name, _)| name.contains("mit"));
    }
    files.sort();
    files
        .into_iter()
        .map(|(_, path)| Ok(trimmed(&String::from_utf8_lossy(&fs::read(path)?))))
        .collect()
}

/// A text without the blanks that only its layout has, so that copies of it count as one.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
