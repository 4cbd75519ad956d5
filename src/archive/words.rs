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

/// A list ends where it is longer. Longer ones are smaller by 3 % in all, and a search reads more of them.
const LIST_BYTES: usize = 64 << 10;

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

    /// Its lists, each with its first word, in the order of the words.
    pub(super) fn lists(self) -> Vec<(String, String)> {
        let mut words: Vec<(String, Vec<u32>)> = self.sessions.into_iter().collect();
        words.sort_unstable();
        let mut lists: Vec<(String, List)> = Vec::new();
        for (word, sessions) in words {
            match lists.last_mut() {
                Some((_, list)) if list.text.len() < LIST_BYTES => list.add(word, sessions),
                _ => {
                    let mut list = List::default();
                    list.add(word.clone(), sessions);
                    lists.push((word, list));
                }
            }
        }
        lists.into_iter().map(|(first, list)| (first, list.text)).collect()
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
        for (_, list) in words(of).lists() {
            back.read(&list).unwrap();
        }
        assert_eq!(back.list(), words(of).list());
        let mut damaged = Words::default();
        assert_eq!(damaged.read("0tide x!;"), None);
        assert_eq!(damaged.read("!;"), None);
    }

    #[test]
    fn long_lists_are_divided() {
        let all: Vec<String> = (0..30_000).map(|nth| format!("word{nth:05}")).collect();
        let mut words = Words::default();
        words.add(0, all.clone());
        let lists = words.lists();
        assert!(lists.len() > 1);
        let mut at = 0;
        for (first, list) in &lists {
            assert_eq!(*first, all[at]);
            assert!(list.starts_with(&format!("0{first} ")));
            assert!(list.len() < LIST_BYTES + 20);
            at += list.matches(';').count();
        }
        assert_eq!(at, all.len());
    }
}
