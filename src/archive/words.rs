//! Which sessions have a word, as the index page reads it.
//!
//! A list is one text: a word a piece, in the order of the alphabet. `2le 1 a;` is a word that shares two characters with
//! the one before and goes on with `le`; it stands in sessions 0 and 10, as each number says how far it is from the one
//! before. Words hold letters and digits alone, so that blanks and semicolons are free.

use std::collections::HashMap;

/// Numbers are written in this base.
const BASE: u32 = 36;

/// As one digit counts.
const MOST_SHARED: usize = BASE as usize - 1;

/// The sessions of each word.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    sessions: HashMap<String, Vec<u32>>,
}

impl Words {
    /// Notes the words of a session, none of them twice.
    pub(super) fn add(&mut self, session: u32, words: Vec<String>) {
        for word in words {
            self.sessions.entry(word).or_default().push(session);
        }
    }

    /// Adds those of others.
    pub(super) fn add_all(&mut self, others: &Words) {
        for (word, sessions) in &others.sessions {
            self.sessions.entry(word.clone()).or_default().extend(sessions);
        }
    }

    /// Adds what a list has; `None` where it is damaged.
    pub(super) fn read(&mut self, list: &str) -> Option<()> {
        let mut word = String::new();
        for piece in list.split_terminator(';') {
            let mut parts = piece.split(' ');
            let mut chars = parts.next()?.chars();
            let shared = usize::try_from(chars.next()?.to_digit(BASE)?).ok()?;
            let end = word.char_indices().nth(shared).map_or(word.len(), |(at, _)| at);
            word.truncate(end);
            word.push_str(chars.as_str());
            let sessions = self.sessions.entry(word.clone()).or_default();
            let mut session: u32 = 0;
            for delta in parts {
                session = session.checked_add(u32::from_str_radix(delta, BASE).ok()?)?;
                sessions.push(session.checked_sub(1)?);
            }
        }
        Some(())
    }

    /// Forgets all sessions but some.
    pub(super) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.sessions.retain(|_, sessions| {
            sessions.retain(|&session| keep(session));
            !sessions.is_empty()
        });
    }

    /// Its lists, each with the name of its file, in the order of the names.
    pub(super) fn shards(self) -> Vec<(String, String)> {
        let mut shards: Vec<(String, List)> = Vec::new();
        let mut words: Vec<(String, String, Vec<u32>)> = self
            .sessions
            .into_iter()
            .map(|(word, sessions)| (shard(&word), word, sessions))
            .collect();
        words.sort_unstable();
        for (name, word, sessions) in words {
            if shards.last().is_none_or(|(last, _)| *last != name) {
                shards.push((name, List::default()));
            }
            if let Some((_, list)) = shards.last_mut() {
                list.add(word, sessions);
            }
        }
        shards.into_iter().map(|(name, list)| (name, list.text)).collect()
    }

    /// All of it as one list.
    pub(super) fn list(&self) -> String {
        let mut words: Vec<(&String, &Vec<u32>)> = self.sessions.iter().collect();
        words.sort_unstable();
        let mut list = List::default();
        for (word, sessions) in words {
            list.add(word.clone(), sessions.clone());
        }
        list.text
    }

    /// How many sessions it is of.
    pub(super) fn sessions(&self) -> usize {
        let all = self.sessions.values().flatten().copied();
        all.collect::<std::collections::HashSet<u32>>().len()
    }
}

/// A list that is being written.
#[derive(Debug, Default)]
struct List {
    text: String,
    last: String,
}

impl List {
    fn add(&mut self, word: String, mut sessions: Vec<u32>) {
        let same = self.last.chars().zip(word.chars()).take_while(|(a, b)| a == b);
        let shared = same.count().min(MOST_SHARED);
        push_number(&mut self.text, u32::try_from(shared).unwrap_or_default());
        self.text.extend(word.chars().skip(shared));
        sessions.sort_unstable();
        sessions.dedup();
        let mut before = 0;
        for session in sessions {
            self.text.push(' ');
            push_number(&mut self.text, session + 1 - before);
            before = session + 1;
        }
        self.text.push(';');
        self.last = word;
    }
}

fn push_number(text: &mut String, mut number: u32) {
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        digits.push(char::from_digit(number % BASE, BASE).unwrap_or('0'));
        number /= BASE;
    }
    text.extend(digits.iter().rev());
}

/// The list that a word is in: its first two characters, so that a beginning of three finds all its words in one list.
/// Beyond ASCII, where two characters make a word of their own, neighbors of the first character share one.
pub(super) fn shard(word: &str) -> String {
    /// So many code points share a list.
    const BLOCK_BITS: u32 = 6;
    let mut chars = word.chars();
    let first = chars.next().unwrap_or('_');
    let is_plain = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !is_plain(&first) {
        return format!("u{:x}", u32::from(first) >> BLOCK_BITS);
    }
    format!("{first}{}", chars.next().filter(is_plain).unwrap_or('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(of: &[(u32, &[&str])]) -> Words {
        let mut words = Words::default();
        for (session, of_session) in of {
            words.add(*session, of_session.iter().map(|&word| word.to_owned()).collect());
        }
        words
    }

    #[test]
    fn a_list_says_which_sessions_have_a_word() {
        let of: &[(u32, &[&str])] =
            &[(0, &["tide"]), (4, &["tide"]), (14, &["tide"]), (1, &["tideline"])];
        assert_eq!(words(of).list(), "0tide 1 4 a;4line 2;");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let of: &[(u32, &[&str])] = &[
            (0, &["tide", "über", "灯台", "go"]),
            (70_000, &["tide", &"a".repeat(50)]),
            (3, &[&"a".repeat(60), "x"]),
        ];
        let mut back = Words::default();
        for (_, list) in words(of).shards() {
            back.read(&list).unwrap();
        }
        assert_eq!(back.list(), words(of).list());
        let mut damaged = Words::default();
        assert_eq!(damaged.read("0tide x!;"), None);
        assert_eq!(damaged.read("!;"), None);
    }

    #[test]
    fn a_beginning_finds_its_words_in_one_list() {
        for (word, name) in [
            ("tide", "ti"),
            ("go", "go"),
            ("x", "x_"),
            ("aß", "a_"),
            ("über", "u3"),
            ("灯台", "u1c1"),
        ] {
            assert_eq!(shard(word), name, "{word}");
        }
        assert_eq!(shard("灯"), shard("灯台"));
    }
}
