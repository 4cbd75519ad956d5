//! Codex's code mode (0.169.0, the custom tool `exec`): the model calls one tool with a script, and the script calls
//! the tools. A row says the first command that stands in the script as a literal.

use crate::session::texts::text::one_line;

/// What a script calls to run a command.
const RUNS: [&str; 5] =
    ["exec_command", "shell_command", "local_shell", "container_exec", "tools.shell"];

/// A command is looked for in so much of what stands behind its call.
const CALL_BYTES: usize = 16 << 10;

/// So many words may look like the key of its command.
const KEYS: usize = 8;

/// The commands of a script that it holds as literals.
pub(crate) fn commands(script: &str) -> impl Iterator<Item = String> {
    let mut calls: Vec<(usize, usize)> = RUNS
        .iter()
        .flat_map(|name| script.match_indices(name).map(|(at, name)| (at, at + name.len())))
        .collect();
    calls.sort_unstable();
    let ends: Vec<usize> = calls.iter().skip(1).map(|(at, _)| *at).chain([script.len()]).collect();
    calls.into_iter().zip(ends).filter_map(move |((_, behind), end)| {
        let end = end.min(behind + CALL_BYTES);
        let end = (behind..=end).rev().find(|&end| script.is_char_boundary(end))?;
        let call = &script[behind..end];
        call.trim_start().starts_with('(').then(|| command_in(call)).flatten()
    })
}

/// The literals of a script, in order. They end with one that is never closed, which
/// an apostrophe in a comment may be.
pub(crate) fn literals(script: &str) -> impl Iterator<Item = String> {
    let mut rest = script;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find(['"', '\'', '`'])?..];
            match literal(rest) {
                Some((text, behind)) => {
                    rest = behind;
                    return Some(text);
                }
                None => rest = "",
            }
        }
    })
}

/// What a row says of a script: its first command, else its first line that does something.
pub(crate) fn about(script: &str) -> String {
    commands(script).next().map_or_else(|| first_line(script), |command| one_line(&command))
}

fn first_line(script: &str) -> String {
    let lines = || script.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find(|line| !line.starts_with("//")).or_else(|| lines().next());
    one_line(line.unwrap_or_default())
}

/// The value of `cmd` or `command`, where it is a literal or an array of them.
fn command_in(call: &str) -> Option<String> {
    ["cmd", "command"].iter().find_map(|key| {
        call.match_indices(key).take(KEYS).find_map(|(at, _)| {
            let before = call[..at].trim_end_matches(['"', '\'']);
            if !before.trim_end().ends_with(['{', ',', '(']) {
                return None;
            }
            let value = call[at + key.len()..].trim_start_matches(['"', '\'']).trim_start();
            let value = value.strip_prefix(':')?.trim_start();
            let Some(mut words) = value.strip_prefix('[') else { return Some(literal(value)?.0) };
            let mut all = Vec::new();
            while let Some((word, rest)) = literal(words.trim_start()) {
                all.push(word);
                words = rest.trim_start().strip_prefix(',').unwrap_or("");
            }
            // `["bash", "-lc", "make"]`
            match &all[..] {
                [] => None,
                [_, flag, script] if flag.starts_with('-') && flag.ends_with('c') => {
                    Some(script.clone())
                }
                words => Some(words.join(" ")),
            }
        })
    })
}

/// A literal, and what stands behind it. What a template puts in is shown as it is written.
fn literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let mut command = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            _ if char == quote => return Some((command, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => command.push('\n'),
                't' => command.push('\t'),
                'r' => command.push('\r'),
                '\n' => {}
                escaped => command.push(escaped),
            },
            char => command.push(char),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_about_its_first_command() {
        for (script, about_it) in [
            (r#"const r = await tools.exec_command({"cmd":"rg --files"});"#, "rg --files"),
            ("await tools.exec_command({ cmd: 'ls -R', workdir: d })", "ls -R"),
            (
                "const a = 1;\nawait tools.shell_command({timeout: 9, command: `npm \\`x\\``});",
                "npm `x`",
            ),
            (r#"await tools.shell({command: ["bash", "-lc", "make && ls"]})"#, "make && ls"),
            (r#"await tools.shell({command: ["git", "status"]})"#, "git status"),
            (
                r#"tools.exec_command({cmd}); tools.exec_command({cmd: "pwd \"a\"\nls"})"#,
                "pwd \"a\" ls",
            ),
            (
                "// @exec: {}\n\ntext(await tools.view_image({path: p}));",
                "text(await tools.view_image({path: p}));",
            ),
            ("tools.exec_command({cmd: \"never closed", "tools.exec_command({cmd: \"never closed"),
            ("// the exec_command(s) of cmd: \"x\"", "// the exec_command(s) of cmd: \"x\""),
            ("", ""),
        ] {
            assert_eq!(about(script), about_it, "{script}");
        }
    }

    #[test]
    fn no_script_takes_long() {
        let calls = "exec_command({cmd:".repeat(20_000);
        let keys = format!("exec_command({}", "cmd,".repeat(200_000));
        let quotes = format!("exec_command({{cmd:[{}", "'a',".repeat(200_000));
        for script in [calls, keys, quotes] {
            let _ = about(&script);
        }
    }
}
