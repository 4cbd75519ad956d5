//! Work on this repository: `cargo xtask assets` builds what the crate includes from `static/`,
//! and the modules of the script that hold constants of the library. `cargo xtask licenses` collects
//! the notices that the command prints, `cargo xtask man` writes man pages, and `cargo xtask pictures`
//! takes those of the README.

mod assets;
#[cfg(test)]
mod columns;
#[cfg(test)]
mod commands;
mod generated;
mod licenses;
mod pictures;
mod scripts;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const USAGE: &str = "\
usage: cargo xtask assets      build src/page/assets/ from static/
       cargo xtask licenses    write src/cli/licenses.txt anew
       cargo xtask man DIR     write man pages to DIR
       cargo xtask pictures    take the README's pictures with Chromium ($CHROME names another)";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["assets"] => write(),
        ["licenses"] => write_licenses(),
        ["man", folder] => man(folder),
        ["pictures"] => pictures::take(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_licenses() -> Result<(), Box<dyn Error>> {
    let text = licenses::text()?;
    println!("{}: {} bytes", licenses::FILE, text.len());
    Ok(fs::write(root().join(licenses::FILE), text)?)
}

fn man(folder: &str) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--package", "man", "--", folder]);
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err("failed to write the man pages".into()) }
}

fn write() -> Result<(), Box<dyn Error>> {
    for (path, text) in generated::modules() {
        fs::write(scripts::folder().join(path), text)?;
    }
    fs::create_dir_all(folder())?;
    for (name, text) in assets::built()? {
        println!("{name}: {} bytes", text.len());
        fs::write(folder().join(name), text)?;
    }
    Ok(())
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder() -> PathBuf {
    root().join("src/page/assets")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_generated_modules_are_those_of_the_library() {
        for (path, text) in generated::modules() {
            let there = fs::read_to_string(scripts::folder().join(path)).unwrap_or_default();
            assert!(there == text, "`static/js/{path}` is stale: run `cargo xtask assets`");
        }
    }

    /// What is compiled with a program that depends on the crate, and with the command. More needs a reason. The last seven:
    /// formulas (pulldown-latex, bumpalo), excerpts that end with whole characters (unicode-segmentation), copies of sessions in
    /// half the space that gzip needs at the same speed (zstd, zstd-safe, zstd-sys, jobserver).
    #[test]
    fn the_crate_depends_on_few_packages() {
        for (features, most) in [(&["--no-default-features"][..], 52), (&[], 142)] {
            let mut command = Command::new(env!("CARGO"));
            command.args(["tree", "--locked", "--edges", "normal,build", "--package", "leafpress"]);
            command.args([
                "--target",
                "x86_64-unknown-linux-gnu",
                "--prefix",
                "none",
                "--no-dedupe",
            ]);
            let out = command.args(features).current_dir(root()).output().unwrap();
            let tree = String::from_utf8(out.stdout).unwrap();
            // The first line is the crate itself.
            let packages: BTreeSet<_> = tree.lines().skip(1).collect();
            assert!(
                out.status.success() && packages.len() <= most,
                "{features:?}: {} packages\n{packages:#?}",
                packages.len()
            );
        }
    }

    /// Every page carries them, that of one message too (`page::tests::a_page_of_one_message_is_small`). The style of a control belongs in
    /// `static/css/controls/`, which is packed. A page carries one of the programs.
    #[test]
    fn what_every_page_carries_stays_small() {
        for (name, most) in [
            ("style.css", 25_000),
            ("program.txt", 66_400),
            ("loader.js", 980),
            ("program-band.txt", 69_750),
            ("program-changes.txt", 82_700),
            ("program-band-changes-compare.txt", 89_700),
        ] {
            let len = fs::metadata(folder().join(name)).unwrap().len();
            assert!(len <= most, "`{name}` has {len} bytes");
        }
    }

    /// The grammars and the C code change only with their packages.
    #[test]
    fn the_licenses_are_those_of_the_packages() {
        let there = fs::read_to_string(root().join(licenses::FILE)).unwrap();
        let (list, texts) = there.split_once("\n====").unwrap();
        for (name, version) in licenses::linked().unwrap() {
            let is_there =
                list.lines().any(|line| line.starts_with(&format!("{name} {version}: ")));
            assert!(is_there, "{name} {version} is missing: run `cargo xtask licenses`");
        }
        assert_eq!(
            list.lines().filter(|line| line.contains(": ")).count(),
            licenses::linked().unwrap().len()
        );
        for name in ["K.Kosako", "grammar "] {
            assert!(texts.contains(name), "{name}");
        }
    }

    #[test]
    fn the_assets_are_those_of_static() {
        for (name, text) in assets::built().unwrap() {
            let there = fs::read_to_string(folder().join(&name)).unwrap_or_default();
            assert!(there == text, "`{name}` is stale: run `cargo xtask assets`");
        }
    }
}
