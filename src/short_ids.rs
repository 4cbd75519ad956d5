//! Beginnings of ids that name an entry or a session alone.

use crate::session::Session;

/// The ids of a session: the beginning of one that names its entry alone.
#[derive(Debug, Default)]
pub(crate) struct ShortIds {
    /// All that a beginning is compared with, ascending.
    names: Vec<String>,
}

impl ShortIds {
    /// A key of so many bytes is short enough for a terminal.
    pub(crate) const LONGEST_WHOLE: usize = 12;

    /// Of all entries.
    pub(crate) fn of(session: &Session) -> ShortIds {
        let of_entry = |entry| [session.id_at(entry).to_owned(), session.key_at(entry)];
        ShortIds::of_names(session.indices().flat_map(of_entry).collect())
    }

    /// Of any names.
    pub(crate) fn of_names(mut names: Vec<String>) -> ShortIds {
        names.sort_unstable();
        names.dedup();
        ShortIds { names }
    }

    /// A key as a terminal shows it: one that is long by its beginning, of at least 8 characters.
    pub(crate) fn short<'k>(&self, key: &'k str) -> &'k str {
        const SHORTEST: usize = 8;
        if key.len() <= ShortIds::LONGEST_WHOLE { key } else { self.beginning(key, SHORTEST) }
    }

    /// The shortest beginning of a key that begins no other, of at least so many characters.
    pub(crate) fn beginning<'k>(&self, key: &'k str, shortest: usize) -> &'k str {
        let at = self.names.partition_point(|name| name.as_str() < key);
        let before = at.checked_sub(1).map(|at| &self.names[at]);
        let after = self.names[at..].iter().find(|name| *name != key);
        let shared =
            |name: &String| name.chars().zip(key.chars()).take_while(|(a, b)| a == b).count();
        let longest = [before, after].into_iter().flatten().map(shared).max().unwrap_or_default();
        let end = key.char_indices().nth(shortest.max(longest + 1));
        &key[..end.map_or(key.len(), |(end, _)| end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_names_one_alone() {
        let keys =
            ["4f2a91cc", "4f2a0000", "4f2a000", "9e1f20aa", "sub/9e1f20ab", "x", "灯台守の家"];
        let ids = ShortIds::of_names(keys.map(str::to_owned).to_vec());
        let short = keys.map(|key| ids.beginning(key, 4));
        assert_eq!(short, ["4f2a9", "4f2a0000", "4f2a000", "9e1f", "sub/", "x", "灯台守の"]);
        assert_eq!(ids.short("sub/9e1f20ab"), "sub/9e1f20ab");
    }
}
