//! Programs that stand in the command itself: `python3 - <<'X'`, `python3 -c '…'`, `node -e '…'`.
//!
//! Nobody runs them here. One that calls what writes files may have written each file that it names, and any other where it
//! names none.

use super::MaybeWritten;
use super::words::is_named_as_file;
use crate::session::action::shell::Simple;

/// The interpreters, and the option before a program.
const INTERPRETERS: [(&str, &[&str]); 6] = [
    ("python", &["-c"]),
    ("python3", &["-c"]),
    ("node", &["-e", "--eval"]),
    ("bun", &["-e", "--eval"]),
    ("ruby", &["-e"]),
    ("deno", &["eval"]),
];

/// What writes, moves or deletes files in these languages.
const WRITING: [&str; 14] = [
    "write_text(",
    "write_bytes(",
    "writeFile",
    "appendFile",
    "File.write",
    "shutil.",
    "os.rename",
    "os.replace",
    "os.remove",
    "os.unlink",
    ".unlink(",
    "renameSync",
    "rmSync",
    "unlinkSync",
];

/// The modes of `open` that write, with their quotes.
const MODES: [&str; 8] = ["'w'", "\"w\"", "'a'", "\"a\"", "'w+'", "\"w+\"", "'wb'", "\"wb\""];

/// What the program in a command may have written; nothing where there is none.
pub(super) fn written(simple: &Simple<'_>, words: &[&str]) -> Vec<MaybeWritten> {
    let Some(program) = program(simple, words).filter(|program| writes(program)) else {
        return Vec::new();
    };
    let files: Vec<MaybeWritten> = literals(program)
        .filter(|text| is_path(text))
        .map(|text| MaybeWritten::File(text.to_owned()))
        .collect();
    if files.is_empty() { vec![MaybeWritten::Any(&[])] } else { files }
}

fn program<'p>(simple: &Simple<'p>, words: &[&'p str]) -> Option<&'p str> {
    let (first, rest) = words.split_first()?;
    let name = first.rsplit('/').next()?;
    let (_, options) = INTERPRETERS.iter().find(|(interpreter, _)| *interpreter == name)?;
    let behind =
        rest.iter().position(|word| options.contains(word)).and_then(|at| rest.get(at + 1));
    let is_read = || rest.iter().all(|word| word.starts_with('-'));
    behind.copied().or_else(|| simple.document.filter(|_| is_read()))
}

fn writes(program: &str) -> bool {
    WRITING.iter().any(|call| program.contains(call))
        || program.contains("open(") && MODES.iter().any(|mode| program.contains(mode))
}

/// The texts between equal quotes on one line.
fn literals(program: &str) -> impl Iterator<Item = &str> {
    program.lines().flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            let (_, behind) = rest.split_at_checked(rest.find(['\'', '"'])?)?;
            let quote = behind.chars().next()?;
            let (text, after) = behind[1..].split_once(quote)?;
            rest = after;
            Some(text)
        })
    })
}

/// Whether a text is the path of a file by its looks.
fn is_path(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-~".contains(c);
    text.chars().all(is_plain) && is_named_as_file(text)
}

#[cfg(test)]
mod tests {
    use super::super::of_script;
    use super::*;

    #[test]
    fn a_program_in_the_command_may_have_written_what_it_names() {
        let told = |script: &str| -> String {
            let one = |written: MaybeWritten| match written {
                MaybeWritten::File(path) => path,
                MaybeWritten::Any(_) => "*".to_owned(),
                other => format!("{other:?}"),
            };
            of_script(script, "").into_iter().map(one).collect::<Vec<_>>().join(" ")
        };
        for (script, files) in [
            (
                "python3 - <<X\np=pathlib.Path('src/a.py'); p.write_text(p.read_text().replace(\"x\", \"y\"))\nX",
                "src/a.py",
            ),
            ("cd w && python3 -c 'open(\"b.txt\", \"w\").write(\"1\")'", "w/b.txt"),
            ("node -e \"require('fs').writeFileSync('c.json', '{}')\"", "c.json"),
            ("python3 -c 'import sys; open(sys.argv[1], \"w\")' x", "*"),
            ("python3 -c 'print(open(\"a.txt\").read())'", ""),
            ("python3 tests/a.py", ""),
            ("python3 run.py <<'X'\nopen('a.txt', 'w')\nX", ""),
            ("echo \"open('a.txt', 'w')\"", ""),
        ] {
            assert_eq!(told(script), files, "{script}");
        }
    }
}
