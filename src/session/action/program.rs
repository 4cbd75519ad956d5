//! The program that a command runs: without variables, and without the programs that only run another one.

/// Programs that run another one: which word of their own comes before it, if one must, and which of their options take
/// a value.
const WRAPPERS: &[(&str, &[&str], &[&str])] = &[
    ("sudo", &[], &["-u", "-g", "-p", "-C", "-D", "-R", "-h", "-r", "-t", "-T", "-U"]),
    ("env", &[], &["-u", "-C", "-S"]),
    ("time", &[], &["-f", "-o"]),
    ("nice", &[], &["-n"]),
    ("nohup", &[], &[]),
    ("command", &[], &[]),
    ("builtin", &[], &[]),
    ("exec", &[], &["-a"]),
    ("xvfb-run", &[], &["-e", "-f", "-n", "-p", "-s", "-w"]),
    ("stdbuf", &[], &["-i", "-o", "-e"]),
    ("setsid", &[], &[]),
    ("cross-env", &[], &[]),
    ("c8", &[], &[]),
    ("nyc", &[], &[]),
    ("valgrind", &[], &[]),
    ("npx", &[], &["-p", "--package"]),
    ("bunx", &[], &[]),
    ("bun", &["x"], &[]),
    ("pnpx", &[], &[]),
    ("uvx", &[], &["-p", "--python", "--from", "--with"]),
    ("pipx", &["run"], &["--spec", "--python"]),
    ("timeout", &[], &["-k", "-s"]),
    ("gtimeout", &[], &["-k", "-s"]),
    ("uv", &["run"], &["-p", "--python", "--with", "--extra", "--group", "--package"]),
    ("poetry", &["run"], &[]),
    ("pipenv", &["run"], &[]),
    ("hatch", &["run"], &[]),
    ("rye", &["run"], &[]),
    ("pdm", &["run"], &["-p"]),
    ("bundle", &["exec"], &[]),
    ("mise", &["exec", "x"], &[]),
    ("pnpm", &["exec", "dlx"], &["--package", "--filter", "-F", "-C", "--dir"]),
    ("npm", &["exec"], &["-p", "--package"]),
    ("yarn", &["exec", "dlx"], &["-p", "--package"]),
    ("corepack", &[], &[]),
    ("coverage", &["run"], &["--source", "--omit", "--include", "--rcfile"]),
    ("python", &["-m"], &["-W", "-X"]),
    ("python3", &["-m"], &["-W", "-X"]),
    ("py", &["-m"], &["-W", "-X"]),
];

/// Words of the shell that a command may follow.
const KEYWORDS: [&str; 10] =
    ["then", "do", "else", "elif", "if", "while", "until", "{", "!", "time"];

/// Words without variables, words of the shell and the programs that run another one.
pub(crate) fn unwrapped<S: AsRef<str>>(mut words: &[S]) -> &[S] {
    loop {
        let Some((first, rest)) = words.split_first() else { return words };
        let first = first.as_ref();
        if assignment(first).is_some() || KEYWORDS.contains(&first) {
            words = rest;
            continue;
        }
        let wrapper = WRAPPERS.iter().find(|(wrapper, ..)| *wrapper == name(first));
        let Some((wrapper, inner, values)) = wrapper else { return words };
        let mut at = 0;
        if !inner.is_empty() {
            // Options of its own may come before: `uv --quiet run pytest`.
            let is_own = |word: &str| word.starts_with('-') && !inner.contains(&word);
            while let Some(word) = rest.get(at).map(AsRef::as_ref).filter(|word| is_own(word)) {
                at += if values.contains(&word) { 2 } else { 1 };
            }
            if !rest.get(at).is_some_and(|word| inner.contains(&word.as_ref())) {
                return words;
            }
            at += 1;
        }
        while let Some(word) = rest.get(at).map(AsRef::as_ref).filter(|word| word.starts_with('-'))
        {
            // It only says where the program is.
            if *wrapper == "command" && matches!(word, "-v" | "-V") {
                return words;
            }
            at += if values.contains(&word) { 2 } else { 1 };
        }
        if wrapper.ends_with("timeout") {
            at += 1;
        }
        // The tools that `mise exec` sets up come before `--`.
        if *wrapper == "mise" {
            let dashes = rest[at..].iter().position(|word| word.as_ref() == "--");
            at += dashes.map_or(0, |dashes| dashes + 1);
        }
        words = rest.get(at..).unwrap_or_default();
    }
}

/// The variable that a word sets, and its value.
pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(name, _)| {
        let mut bytes = name.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The program without its folder and without what Windows puts behind it.
pub(crate) fn name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name =
        [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    // `python3.12`
    let version = name.strip_prefix("python3.");
    let is_version = version.is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit()));
    if is_version { "python3" } else { name }
}

/// Whether a program is a shell.
pub(crate) fn is_shell(program: &str) -> bool {
    matches!(name(program), "bash" | "sh" | "zsh" | "dash" | "ksh")
}

/// The script that `bash -lc SCRIPT` runs.
pub(crate) fn script_of<S: AsRef<str>>(words: &[S]) -> Option<&str> {
    let [shell, flag, script, ..] = words else { return None };
    (is_shell(shell.as_ref()) && is_script_flag(flag.as_ref())).then(|| script.as_ref())
}

/// `-c`, `-lc`: the next word is a script.
pub(crate) fn is_script_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// Whether an option is among words: also with a value, and a letter among others.
pub(crate) fn has_option(words: &[&str], option: &str) -> bool {
    words.iter().any(|word| {
        let is_short = option.len() == 2 && option.starts_with('-') && !option.starts_with("--");
        let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let among = |letters: &str| {
            // The letters end where a value begins: `-i.bak`.
            letters.chars().take_while(char::is_ascii_alphabetic).any(|c| option.ends_with(c))
        };
        *word == option
            || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
            || is_short && letters.is_some_and(among)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_runs_the_program_behind_its_wrappers() {
        for (words, expected) in [
            ("rm a", "rm a"),
            ("A=1 B=2 rm a", "rm a"),
            ("then rm a", "rm a"),
            ("sudo -n rm a", "rm a"),
            ("sudo -u ana env -u X rm a", "rm a"),
            ("nice -n 5 timeout -k 5 60 rm a", "rm a"),
            ("uv --quiet run --with x pytest", "pytest"),
            ("uv add x", "uv add x"),
            ("mise exec node@20 -- npm test", "npm test"),
            ("pnpm --filter web exec vitest", "vitest"),
            ("uvx --from x pytest", "pytest"),
            ("coverage run -m pytest", "pytest"),
            ("python3 -m black a", "black a"),
            ("python3.12 -W error -m black a", "black a"),
            ("python3 a.py -m b", "python3 a.py -m b"),
            ("command rm a", "rm a"),
            ("command -v rm", "command -v rm"),
            ("sudo", ""),
            ("", ""),
        ] {
            let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
            assert_eq!(unwrapped(&words).join(" "), expected, "{words:?}");
        }
    }

    #[test]
    fn a_shell_runs_a_script() {
        assert_eq!(script_of(&["/bin/bash", "-lc", "a b"]), Some("a b"));
        assert_eq!(script_of(&["bash", "--rc", "a"]), None);
        assert_eq!(script_of(&["bash", "a.sh"]), None);
        assert_eq!(script_of(&["perl", "-c", "a"]), None);
        assert_eq!(name("C:\\x\\git.exe"), "git");
    }
}
