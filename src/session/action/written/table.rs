//! The programs that write files. Another one is another row, with a line in `tests.rs`.
//!
//! What a program writes is as its manual has it. Rows may claim too much and never too little: a file that *may*
//! have been written is no longer known, and a wrong "known" would make a wrong patch. The first row that fits
//! counts, so an exception stands above its rule.

use super::MaybeWritten;
use super::words::{
    behind_script, destinations, fetched, file_name, has_extension, is_named_as_file, unless_values,
};
use crate::session::action::program::{has_option, name};

/// What a row says of the words behind the program's name.
enum Writes {
    /// Each file that is named.
    Named,
    /// The same, but for the values of these options.
    NamedBut(&'static [&'static str]),
    /// Each file that is named, where it is not there yet; not the values of these options.
    New(&'static [&'static str]),
    /// The value of one of the first options; else, where one of the second ones is there or there are none, the last
    /// part of each address.
    Fetched(&'static [&'static str], &'static [&'static str]),
    /// Each file or folder that is named.
    Trees,
    /// Where those that are named before it go: the last one, or what lies in it then. It may be a folder, unless its name
    /// has an extension.
    Copies,
    /// The same, and what is moved there.
    Moves,
    /// The last file or folder that is named; of a single one, its name in the folder that it runs in.
    LinkTree,
    /// Each file behind the first word that is no option: that one is a script.
    BehindScript,
    /// These files, in the folder that it runs in.
    Own(&'static [&'static str]),
    /// Files of these extensions; those that are named, where some are.
    Formatted(&'static [&'static str]),
    /// Whatever it likes.
    Any,
}

/// A program that may write files.
struct Row {
    /// The program, and the words that must follow it.
    words: &'static [&'static str],
    /// One of these options must be there; none is needed where there are none. An option of one dash is found within
    /// several letters too: `-i` in `-Ei`.
    needs: &'static [&'static str],
    /// With one of these it writes nothing.
    not_with: &'static [&'static str],
    writes: Writes,
}

const fn row(
    words: &'static [&'static str],
    needs: &'static [&'static str],
    not_with: &'static [&'static str],
    writes: Writes,
) -> Row {
    Row { words, needs, not_with, writes }
}

const JS: &[&str] =
    &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "json", "css", "scss", "md", "vue"];
const PYTHON: &[&str] = &["py", "pyi"];
const C: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "java", "proto"];
const NPM: &[&str] = &["package.json", "package-lock.json"];

/// The first row that fits counts.
const ROWS: &[Row] = &[
    row(&["tee"], &[], &[], Writes::Named),
    row(&["sed"], &["-i", "--in-place"], &[], Writes::BehindScript),
    row(&["gsed"], &["-i", "--in-place"], &[], Writes::BehindScript),
    row(&["perl"], &["-i"], &[], Writes::BehindScript),
    row(&["mv"], &[], &[], Writes::Moves),
    row(&["git", "mv"], &[], &["-n", "--dry-run"], Writes::Moves),
    row(&["cp"], &[], &[], Writes::Copies),
    row(&["install"], &[], &["-d"], Writes::Copies),
    row(&["rm"], &[], &[], Writes::Trees),
    row(&["unlink"], &[], &[], Writes::Trees),
    row(&["git", "rm"], &[], &["--cached", "-n", "--dry-run"], Writes::Trees),
    row(&["truncate"], &[], &[], Writes::NamedBut(&["-s", "--size", "-r", "--reference"])),
    row(&["touch"], &[], &["-c", "--no-create"], Writes::New(&["-d", "--date", "-r", "-t"])),
    row(&["ln"], &[], &[], Writes::LinkTree),
    row(
        &["curl"],
        &[],
        &[],
        Writes::Fetched(&["-o", "--output"], &["-O", "--remote-name", "--remote-name-all"]),
    ),
    row(&["wget"], &[], &["--spider"], Writes::Fetched(&["-O", "--output-document"], &[])),
    row(&["patch"], &[], &["--dry-run"], Writes::Any),
    row(&["git", "checkout"], &[], &["-b", "-B", "--orphan"], Writes::Any),
    row(&["git", "switch"], &[], &["-c", "-C", "--create", "--orphan"], Writes::Any),
    row(&["git", "restore"], &["--worktree", "-W"], &[], Writes::Any),
    row(&["git", "restore"], &[], &["--staged", "-S"], Writes::Any),
    row(&["git", "apply"], &[], &["--check", "--stat", "--numstat", "--cached"], Writes::Any),
    row(&["git", "am"], &[], &[], Writes::Any),
    row(&["git", "stash", "list"], &[], &[], Writes::Own(&[])),
    row(&["git", "stash", "show"], &[], &[], Writes::Own(&[])),
    row(&["git", "stash", "drop"], &[], &[], Writes::Own(&[])),
    row(&["git", "stash"], &[], &[], Writes::Any),
    row(&["git", "reset"], &["--hard", "--merge", "--keep"], &[], Writes::Any),
    row(&["git", "clean"], &["-f", "--force"], &["-n", "--dry-run"], Writes::Any),
    row(&["git", "revert"], &[], &[], Writes::Any),
    row(&["git", "cherry-pick"], &[], &[], Writes::Any),
    row(&["git", "merge"], &[], &[], Writes::Any),
    row(&["git", "rebase"], &[], &[], Writes::Any),
    row(&["git", "pull"], &[], &[], Writes::Any),
    row(&["prettier"], &["--write", "-w"], &[], Writes::Formatted(JS)),
    row(&["eslint"], &["--fix"], &[], Writes::Formatted(JS)),
    row(&["biome"], &["--write", "--apply", "--fix"], &[], Writes::Formatted(JS)),
    row(&["deno", "fmt"], &[], &["--check"], Writes::Formatted(JS)),
    row(&["rustfmt"], &[], &["--check"], Writes::Formatted(&["rs"])),
    row(&["cargo", "fmt"], &[], &["--check"], Writes::Formatted(&["rs"])),
    row(&["cargo", "fix"], &[], &[], Writes::Formatted(&["rs"])),
    row(&["cargo", "clippy"], &["--fix"], &[], Writes::Formatted(&["rs"])),
    row(&["cargo", "add"], &[], &["--dry-run"], Writes::Own(&["Cargo.toml", "Cargo.lock"])),
    row(&["cargo", "remove"], &[], &["--dry-run"], Writes::Own(&["Cargo.toml", "Cargo.lock"])),
    row(&["cargo", "update"], &[], &["--dry-run"], Writes::Own(&["Cargo.lock"])),
    row(&["gofmt"], &["-w"], &[], Writes::Formatted(&["go"])),
    row(&["goimports"], &["-w"], &[], Writes::Formatted(&["go"])),
    row(&["gofumpt"], &["-w"], &[], Writes::Formatted(&["go"])),
    row(&["go", "fmt"], &[], &[], Writes::Formatted(&["go"])),
    row(&["go", "generate"], &[], &[], Writes::Any),
    row(&["go", "get"], &[], &[], Writes::Own(&["go.mod", "go.sum"])),
    row(
        &["go", "mod"],
        &[],
        &["verify", "graph", "why", "download"],
        Writes::Own(&["go.mod", "go.sum"]),
    ),
    row(&["golangci-lint"], &["--fix"], &[], Writes::Formatted(&["go"])),
    row(&["black"], &[], &["--check", "--diff"], Writes::Formatted(PYTHON)),
    row(&["isort"], &[], &["--check", "--check-only", "--diff"], Writes::Formatted(PYTHON)),
    row(&["ruff", "format"], &[], &["--check", "--diff"], Writes::Formatted(PYTHON)),
    row(&["ruff", "check"], &["--fix"], &[], Writes::Formatted(PYTHON)),
    row(&["autopep8"], &["-i", "--in-place"], &[], Writes::Formatted(PYTHON)),
    row(&["yapf"], &["-i", "--in-place"], &[], Writes::Formatted(PYTHON)),
    row(&["clang-format"], &["-i"], &[], Writes::Formatted(C)),
    row(&["shfmt"], &["-w"], &[], Writes::Formatted(&["sh", "bash"])),
    row(&["stylua"], &[], &["--check"], Writes::Formatted(&["lua"])),
    row(&["terraform", "fmt"], &[], &["-check"], Writes::Formatted(&["tf"])),
    row(&["dart", "format"], &[], &["--output=none"], Writes::Formatted(&["dart"])),
    row(&["swiftformat"], &[], &["--lint"], Writes::Formatted(&["swift"])),
    row(&["rubocop"], &["-a", "-A", "--autocorrect"], &[], Writes::Formatted(&["rb"])),
    row(&["mix", "format"], &[], &["--check-formatted"], Writes::Formatted(&["ex", "exs"])),
    row(&["zig", "fmt"], &[], &["--check"], Writes::Formatted(&["zig"])),
    row(&["npm", "install"], &[], &["-g", "--global", "--no-save"], Writes::Own(NPM)),
    row(&["npm", "i"], &[], &["-g", "--global", "--no-save"], Writes::Own(NPM)),
    row(&["npm", "uninstall"], &[], &["-g", "--global"], Writes::Own(NPM)),
    row(&["npm", "version"], &[], &[], Writes::Own(NPM)),
    row(&["npm", "init"], &[], &[], Writes::Own(NPM)),
    row(&["pnpm", "add"], &[], &["-g"], Writes::Own(&["package.json", "pnpm-lock.yaml"])),
    row(&["yarn", "add"], &[], &[], Writes::Own(&["package.json", "yarn.lock"])),
    row(&["bun", "add"], &[], &["-g"], Writes::Own(&["package.json", "bun.lock"])),
    row(&["poetry", "add"], &[], &[], Writes::Own(&["pyproject.toml", "poetry.lock"])),
    row(&["uv", "add"], &[], &[], Writes::Own(&["pyproject.toml", "uv.lock"])),
];

/// Scripts of package files, by the names that projects give those that format.
const FORMATTING: [&str; 8] =
    ["format", "fmt", "lint:fix", "fix", "lint-fix", "format:fix", "prettier", "format:write"];

/// What a command may have written.
pub(super) fn written(words: &[&str]) -> Vec<MaybeWritten> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let any = || vec![MaybeWritten::Any(&[])];
    match (name(program), rest) {
        ("dd", rest) => {
            let to = rest.iter().filter_map(|word| word.strip_prefix("of="));
            return to.map(file).collect();
        }
        ("find", rest) => {
            let is_written = rest.contains(&"-delete")
                || rest.split(|word| matches!(*word, "-exec" | "-execdir")).skip(1).any(writes);
            return if is_written { any() } else { Vec::new() };
        }
        ("xargs", rest) => {
            let program = rest.iter().position(|word| !word.starts_with('-'));
            // The files come from what is piped to it.
            let words = program.map(|at| [&rest[at..], &["file"]].concat()).unwrap_or_default();
            return if writes(&words) { any() } else { Vec::new() };
        }
        ("npm" | "pnpm" | "yarn" | "bun", ["run", script, ..] | [script, ..])
            if FORMATTING.contains(script) =>
        {
            return vec![MaybeWritten::Any(JS)];
        }
        // Without a name it installs what the package file has.
        ("npm", ["install" | "i", rest @ ..])
            if rest.iter().all(|word| word.starts_with('-') && !has_option(&[word], "-g")) =>
        {
            return vec![file("package-lock.json")];
        }
        ("make" | "just", [target, ..]) if FORMATTING.contains(target) => return any(),
        _ => {}
    }
    let fits = |row: &&Row| {
        row.words[0] == name(program)
            && rest.len() + 1 >= row.words.len()
            && row.words[1..] == rest[..row.words.len() - 1]
            && (row.needs.is_empty() || row.needs.iter().any(|option| has_option(rest, option)))
            && !row.not_with.iter().any(|option| has_option(rest, option))
    };
    ROWS.iter().find(fits).map(|row| by(row, &rest[row.words.len() - 1..])).unwrap_or_default()
}

fn writes(words: &[&str]) -> bool {
    !written(words).is_empty()
}

fn file(path: impl AsRef<str>) -> MaybeWritten {
    MaybeWritten::File(path.as_ref().to_owned())
}

fn tree(path: impl AsRef<str>) -> MaybeWritten {
    MaybeWritten::Tree(path.as_ref().to_owned())
}

fn by(row: &Row, rest: &[&str]) -> Vec<MaybeWritten> {
    let named = || rest.iter().filter(|word| !word.starts_with('-')).map(file);
    let trees = || {
        let named = rest.iter().filter(|word| !word.starts_with('-'));
        named.map(tree)
    };
    match row.writes {
        Writes::Named => named().collect(),
        Writes::NamedBut(options) => unless_values(rest, options).map(file).collect(),
        Writes::New(options) => {
            let files = unless_values(rest, options);
            files.map(|path| MaybeWritten::New(path.to_owned())).collect()
        }
        Writes::Fetched(to, by_address) => {
            fetched(rest, to, by_address).into_iter().map(file).collect()
        }
        Writes::LinkTree => {
            let mut files = rest.iter().filter(|word| !word.starts_with('-'));
            match (files.next(), files.next_back()) {
                (_, Some(last)) => vec![tree(last)],
                (Some(only), None) => vec![tree(file_name(only))],
                (None, None) => Vec::new(),
            }
        }
        Writes::Trees => trees().collect(),
        Writes::Copies | Writes::Moves => {
            // Values of options of `install`.
            let files: Vec<&str> = unless_values(rest, &["-m", "-o", "-g"]).collect();
            let Some((_, moved)) = files.split_last() else { return Vec::new() };
            let moved = moved.iter().filter(|_| matches!(row.writes, Writes::Moves)).map(tree);
            let are_folders = matches!(row.writes, Writes::Copies)
                && ["-r", "-R", "-a"].iter().any(|option| has_option(rest, option));
            let made = destinations(&files).into_iter().flat_map(|to| {
                let is_file = !are_folders && is_named_as_file(&to);
                let file = is_file.then(|| file(&to));
                [Some(tree(to)), file].into_iter().flatten()
            });
            moved.chain(made).collect()
        }
        Writes::BehindScript => behind_script(rest).into_iter().map(file).collect(),
        Writes::Own(files) => files.iter().map(file).collect(),
        Writes::Formatted(extensions) => {
            let all: Vec<MaybeWritten> = named()
                .filter(|one| match one {
                    MaybeWritten::File(path) => has_extension(path, extensions),
                    _ => true,
                })
                .collect();
            if all.is_empty() { vec![MaybeWritten::Any(extensions)] } else { all }
        }
        Writes::Any => {
            // `git checkout HEAD~1 -- a.rs`
            let behind = rest.iter().position(|word| *word == "--");
            let files: Vec<_> =
                behind.map(|at| rest[at + 1..].iter().map(tree).collect()).unwrap_or_default();
            if files.is_empty() { vec![MaybeWritten::Any(&[])] } else { files }
        }
    }
}
