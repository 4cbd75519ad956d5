//! What a command that succeeded has done to files for sure: it wrote or copied one, deleted some, or changed nothing in
//! them.
//!
//! Only scripts are read whose every command must have succeeded for the script to (`cd x && cp a b`), and that write
//! nothing else. Whoever cannot be sure of the names or the options says nothing.

use super::table;
use crate::session::action::Run;
use crate::session::action::place::Place;
use crate::session::action::program::unwrapped;
use crate::session::action::shell::{self, Join, Simple};

/// What was done to files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sure {
    /// The one has the text of the other. Where that is a folder, a file in it has.
    Copied { from: String, to: String },
    /// It has this text (`cat > file <<'END'`).
    Written { path: String, text: String },
    /// There is none any more.
    Deleted(String),
    /// It is as it was, where its last line has a newline.
    Unchanged(String),
}

impl Run<'_> {
    /// What the call has done where it ran in `folder`, in order, if it succeeded.
    pub(crate) fn surely_done(&self, folder: &str) -> Vec<Sure> {
        if self.in_background {
            return Vec::new();
        }
        let folder = self.folder_from(folder);
        let script = self.shell_script();
        script.and_then(|script| of_script(&script, &folder)).unwrap_or_default()
    }
}

fn of_script(script: &str, folder: &str) -> Option<Vec<Sure>> {
    let mut place = Place::new(folder);
    let commands = shell::commands(script);
    let mut done = Vec::new();
    for (nth, simple) in commands.iter().enumerate() {
        let next = if nth + 1 < commands.len() { Join::And } else { Join::Then };
        let is_alone = simple.left + simple.entered == 0 && !simple.in_background;
        if simple.next != next || !is_alone {
            return None;
        }
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        if !simple.writes.is_empty() {
            let (path, text) = document_of(script, simple)?;
            done.push(Sure::Written { path: place.path(path)?, text: text.to_owned() });
            continue;
        }
        match words.as_slice() {
            ["cp", rest @ ..] => {
                let [from, to] = files(rest, "fpv")?[..] else { return None };
                done.push(Sure::Copied { from: place.path(from)?, to: place.path(to)? });
            }
            ["rm", rest @ ..] => {
                for path in files(rest, "frRv")? {
                    done.push(Sure::Deleted(place.path(path)?));
                }
            }
            ["sed", "-i", rest @ ..] => {
                let rest = rest.strip_prefix(&[""]).unwrap_or(rest);
                let [script, rest @ ..] = rest else { return None };
                if !finds_none(script) {
                    return None;
                }
                for path in files(rest, "")? {
                    done.push(Sure::Unchanged(place.path(path)?));
                }
            }
            words if !table::written(unwrapped(words)).is_empty() => return None,
            words => drop(place.follow(simple, words)),
        }
    }
    Some(done)
}

/// The file that `cat > file <<'END'` writes, and its text.
fn document_of<'c>(script: &str, simple: &'c Simple<'_>) -> Option<(&'c str, &'c str)> {
    let line = script[simple.start..].lines().next()?;
    let count = |sign: char| line.matches(sign).count();
    // `2> a` redirects something else. The words of a command do not have the number.
    let is_numbered = line
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_digit() && matches!(pair[1], b'<' | b'>'));
    // No other redirection, and nothing is added to what is there.
    let [path] = &simple.writes[..] else { return None };
    (!is_numbered && simple.words == ["cat"] && (count('>'), count('<')) == (1, 2)).then_some(())?;
    let [path] = files(&[path.as_str()], "")?[..] else { return None };
    Some((path, simple.document?))
}

/// The names of files, where there are no other options than these letters.
fn files<'w>(rest: &[&'w str], letters: &str) -> Option<Vec<&'w str>> {
    let is_plain = |word: &str| {
        let rest = word.strip_prefix("~/").unwrap_or(word);
        !rest.is_empty() && !rest.contains(['$', '`', '*', '?', '[', '{', '~', '\n', '\\'])
    };
    let mut files = Vec::new();
    for word in rest {
        match word.strip_prefix('-') {
            Some(options) if options.chars().all(|option| letters.contains(option)) => {}
            None if is_plain(word) => files.push(*word),
            _ => return None,
        }
    }
    Some(files)
}

/// Whether a script of sed's replaces what is in no line, because there is a newline in it: sed reads line by line.
fn finds_none(script: &str) -> bool {
    let Some(rest) = script.strip_prefix('s') else { return false };
    let Some(limit) = rest.chars().next().filter(char::is_ascii_punctuation) else { return false };
    let parts: Vec<&str> = rest[1..].split(limit).collect();
    let [pattern, _, flags] = parts[..] else { return false };
    // Nothing that may make the newline one of several.
    let is_plain = !pattern.contains(['*', '[', '{', '?', '|']) && limit != '\\';
    let letters = flags.chars().all(|flag| matches!(flag, 'g' | 'i' | 'I' | '1'..='9'));
    is_plain && letters && pattern.replace("\\\\", "").contains("\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_must_have_happened_is_sure() {
        let told = |script: &str| -> String {
            let one = |one: &Sure| match one {
                Sure::Copied { from, to } => format!("{from}>{to}"),
                Sure::Written { path, text } => format!("{path}:{text:?}"),
                Sure::Deleted(path) => format!("-{path}"),
                Sure::Unchanged(path) => format!("={path}"),
            };
            let done = of_script(script, "").unwrap_or_default();
            done.iter().map(one).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("cp a b"), "a>b");
        assert_eq!(told("cd x && cp -p a b && rm -f c d && ls"), "x/a>x/b -x/c -x/d");
        assert_eq!(told("cd x && sed -i '' 's/a\\n\\tb(/c/g' f g"), "=x/f =x/g");
        assert_eq!(told("sed -i 's|/a\\nb||' f"), "=f");
        let document = "mkdir -p x && cat > x/a <<'EOF' && chmod +x x/a\n$1\nEOF\n";
        assert_eq!(told(document), "x/a:\"$1\\n\"");
        for script in [
            "cat >> a <<'EOF'\nx\nEOF",
            "cat > a <<'EOF' 2>/dev/null\nx\nEOF",
            "cat > a <<'EOF' < b\nx\nEOF",
            "cat - b > a <<'EOF'\nx\nEOF",
            "cat > a <<EOF\n$x\nEOF",
            "cat > a <<'EOF'\nx\nEOF\nls",
            "cat <<'EOF' | tee a\nx\nEOF",
            "cat > $a <<'EOF'\nx\nEOF",
            "sed -i 's/a/b/' f",
            "sed -i 's/a\\\\nb/c/' f",
            "sed -i 's/a\\n*b/c/' f",
            "sed -i 's/a/\\n/' f",
            "sed -i 's/a\\nb/c/;s/d/e/' f",
            "sed -i 'N;s/a\\nb/c/' f",
            "sed -zi 's/a\\nb/c/' f",
            "sed -i 's/a\\nb/c/w x' f",
            "cp a b; ls",
            "cp a b\nls",
            "cp a b | cat",
            "cp a b || true",
            "ls && cp a b &",
            "(cp a b)",
            "cp -r a b",
            "cp -n a b",
            "cp a b c",
            "cp *.rs b",
            "cp $A b",
            "cp a b > log",
            "cp a b && sed -i s/x/y/ b",
            "cd - && cp a b",
            "if true; then cp a b; fi",
            "rm -i a",
            "echo cp a b",
        ] {
            assert_eq!(told(script), "", "{script}");
        }
    }
}
