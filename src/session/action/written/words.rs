//! What stands behind a program's name: options, their values, and files.

use crate::session::action::program::has_option;

/// The words that are neither options nor the values of these.
pub(super) fn unless_values<'w>(
    rest: &'w [&str],
    options: &[&str],
) -> impl Iterator<Item = &'w str> {
    let is_value = |at: usize| at.checked_sub(1).is_some_and(|at| options.contains(&rest[at]));
    let values: Vec<bool> = (0..rest.len()).map(is_value).collect();
    let words = rest.iter().zip(values);
    words.filter(|(word, is_value)| !is_value && !word.starts_with('-')).map(|(word, _)| *word)
}

/// The value of an option: `-o x`, `-ox`, `-so x`, `--output x`, `--output=x`.
pub(super) fn values<'w>(rest: &'w [&str], options: &[&str]) -> Vec<&'w str> {
    let mut values = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        let next = || rest.get(at + 1).copied();
        values.extend(options.iter().find_map(|option| {
            if word.starts_with("--") {
                let behind = word.strip_prefix(option)?;
                return if behind.is_empty() { next() } else { behind.strip_prefix('=') };
            }
            // Letters up to the option's own are other options.
            let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1)?;
            let (_, value) = word.strip_prefix('-')?.split_once(letter)?;
            if value.is_empty() { next() } else { Some(value) }
        }));
    }
    values
}

/// The files behind a script, which is the value of `-e` or the first word that is no option.
pub(super) fn behind_script<'w>(rest: &'w [&str]) -> Vec<&'w str> {
    let mut files = Vec::new();
    let mut has_script = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let is_script = matches!(*word, "-e" | "-f" | "--expression")
            || word.starts_with('-') && !word.starts_with("--") && word.ends_with('e');
        if is_script {
            words.next();
            has_script = true;
        } else if word.starts_with('-') || word.is_empty() {
            // `sed -i '' …` on a Mac: no suffix for a copy.
        } else if has_script {
            files.push(*word);
        } else {
            has_script = true;
        }
    }
    files
}

pub(super) fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// Whether a name has an extension, as folders hardly ever have: `a.rs`, but not `.github` and not `v1.2`.
pub(super) fn is_named_as_file(path: &str) -> bool {
    let (stem, extension) = file_name(path).rsplit_once('.').unwrap_or_default();
    !stem.is_empty() && extension.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The name of a file, as the last part of its path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Where files go: to the last path, or into that folder.
pub(super) fn destinations(files: &[&str]) -> Vec<String> {
    let Some((to, sources)) = files.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        return Vec::new();
    };
    let is_dots = |path: &str| matches!(path.rsplit('/').next(), Some("" | "." | ".."));
    if sources.len() == 1 && !is_dots(to) {
        return vec![(*to).to_owned()];
    }
    let folder = to.trim_end_matches('/');
    let within = |source: &&str| {
        let source = source.trim_end_matches('/');
        if is_dots(source) {
            return folder.to_owned();
        }
        let name = source.rsplit('/').next().unwrap_or_default();
        if folder == "." { name.to_owned() } else { format!("{folder}/{name}") }
    };
    sources.iter().map(within).collect()
}

/// What a program that fetches addresses writes.
pub(super) fn fetched(rest: &[&str], to: &[&str], by_address: &[&str]) -> Vec<String> {
    let named = values(rest, to);
    if !named.is_empty() {
        return named.into_iter().filter(|path| *path != "-").map(str::to_owned).collect();
    }
    if !by_address.is_empty() && !by_address.iter().any(|option| has_option(rest, option)) {
        return Vec::new();
    }
    let folder = values(rest, &["-P", "--directory-prefix"]).first().copied();
    let addresses = rest.iter().filter_map(|word| word.split_once("://"));
    let files = addresses.filter_map(|(_, behind)| {
        let path = behind.split(['?', '#']).next()?;
        let name = path.split_once('/')?.1.rsplit('/').next()?;
        (!name.is_empty()).then(|| match folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        })
    });
    files.collect()
}
