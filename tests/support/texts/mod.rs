//! Whether each text of a session file is on its page, checked without leafpress's readers: the file is walked as
//! JSON by the tables of [`shapes`], and the page is unpacked and read as its reader sees it.
//!
//! * Each prompt, response, thinking, call, result and failure is in an article.
//! * None is in more entries than the file has of it, and each as often as it was said.
//! * Along a branch, the articles are in the order of the rows.
//! * Any other sentence of the file is on the page too, but where [`left_out`] says why not.

mod file;
mod left_out;
mod page;
mod place;
mod rows;
mod shapes;
mod words;

use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use leafpress::Options;
use leafpress::format::{ReadOptions, read_with};

pub(crate) use left_out::REASONS;
use page::Shown;
use rows::{Kind, Text, Walked, is_sentence};
pub(crate) use shapes::names as shapes;
use words::{Words, squashed};

/// So many letters and digits make a text that is not elsewhere by chance; results are often parts of others.
const TELLING: usize = 24;
const TELLING_RESULT: usize = 80;

/// What the check found in a file.
#[derive(Default)]
pub(crate) struct Checked {
    /// The shape of the file, by name.
    pub(crate) shape: &'static str,
    /// How many texts were looked for.
    pub(crate) texts: usize,
    /// What is wrong, one line each.
    pub(crate) wrong: Vec<String>,
    /// The reasons for which something was not looked for.
    pub(crate) left_out: BTreeSet<&'static str>,
}

/// Exports the file and looks for its texts. Nothing where the file is no session that is walked, or is refused.
pub(crate) fn checked(path: &Path) -> Option<Checked> {
    let bytes = std::fs::read(path).unwrap();
    let mut plain = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
    }
    let options = ReadOptions::new().session(path.to_owned()).archived(true);
    let session = read_with(bytes.clone(), None, &options).ok()?;
    let mut page = Vec::new();
    leafpress::export(&session, &Options::default(), &mut page).unwrap();
    let place = |key: &str| session.find(key).and_then(|entry| session.tree().position(entry));
    compare(
        if plain.is_empty() { &bytes } else { &plain },
        &String::from_utf8(page).unwrap(),
        place,
    )
}

/// Looks for the texts of a file on a page, whose articles are at these places.
pub(crate) fn compare(
    file: &[u8],
    page: &str,
    place: impl Fn(&str) -> Option<usize>,
) -> Option<Checked> {
    let walked = rows::walk(file)?;
    let shown = page::read(page, place);
    let mut checked =
        Checked { shape: walked.shape, texts: walked.texts.len(), ..Checked::default() };
    let mut missing = Vec::new();
    let mut places: Vec<Option<usize>> = Vec::with_capacity(walked.texts.len());
    for text in &walked.texts {
        let wanted = match text.kind {
            Kind::Arguments => Words::of_argument(&text.words),
            _ => Words::of(&text.words),
        };
        // Where the text before it on its branch is.
        let after = text.before.and_then(|before| places[before]);
        let found = shown.first_with(&wanted, text.kind, after.unwrap_or(0));
        let place = found.or_else(|| shown.first_with(&wanted, text.kind, 0));
        if place.is_none() && !wanted.is_empty() {
            let what = match shown.first_missing(&wanted) {
                Some(line) => format!("is not on the page ({})", start(line)),
                None => "is in no entry as a whole".to_owned(),
            };
            missing.push(line(text, &what));
        } else if found.is_none() && text.kind.has_a_place() && !wanted.is_empty() {
            missing.push(line(text, "is before the text that it follows"));
        }
        // What an agent said last may be its result, too: that is no place of the session's own.
        let is_elsewhere = text.is_own() && found.is_some_and(|place| shown.is_of_child(place));
        let is_behind =
            text.kind.has_a_place() && !is_elsewhere && !walked.loose.contains(&text.kind);
        places.push(if is_behind { found.or(after) } else { after });
    }
    checked.wrong = missing;
    checked.wrong.extend(too_often(&walked, &shown));
    checked.wrong.extend(too_seldom(&walked, &shown));
    for (at, sentence) in &walked.sentences {
        if !shown.has_anywhere(&Words::of(sentence)) {
            checked.wrong.push(format!("{at} is not on the page: {}", start(sentence)));
        }
    }
    checked.left_out = walked.left_out;
    Some(checked)
}

/// The texts that are entries of the page more often than the file has them.
fn too_often(walked: &Walked, shown: &Shown) -> Vec<String> {
    let mut by_letters: HashMap<String, &Text> = HashMap::new();
    let sentence = |text: &&Text| text.kind.has_a_place() && is_sentence(&text.words);
    for text in walked.texts.iter().filter(sentence) {
        let letters = squashed(&text.words);
        let telling = if text.kind == Kind::Result { TELLING_RESULT } else { TELLING };
        if letters.len() >= telling {
            by_letters.entry(letters).or_insert(text);
        }
    }
    let mut wrong = Vec::new();
    for (letters, text) in by_letters {
        let entries = shown.entries_with(&letters);
        let in_file = walked.strings.iter().filter(|other| other.contains(&letters)).count();
        if entries > in_file {
            let what = format!("is in {entries} entries, and {in_file} times in the file");
            wrong.push(line(text, &what));
        }
    }
    wrong.sort();
    wrong
}

/// The texts that are said more often than they are shown.
fn too_seldom(walked: &Walked, shown: &Shown) -> Vec<String> {
    let mut rows: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    let is_said = |text: &&Text| text.kind != Kind::Result && text.kind.has_a_place();
    for text in walked.texts.iter().filter(is_said).filter(|text| is_sentence(&text.words)) {
        rows.entry(&text.words).or_default().insert(text.row);
    }
    let mut wrong = Vec::new();
    for (words, rows) in rows.into_iter().filter(|(_, rows)| rows.len() > 1) {
        let (shown, said) = (shown.count_of(words), rows.len());
        if shown < said {
            let row = rows.first().copied().unwrap_or_default();
            let what = format!("shown {shown} times, said {said} times");
            wrong.push(format!("row {row}, {what}: {}", start(words)));
        }
    }
    wrong.sort();
    wrong
}

fn line(text: &Text, what: &str) -> String {
    format!("row {}, {:?} {what}: {}", text.row, text.kind, start(&text.words))
}

fn start(text: &str) -> String {
    text.chars().take(90).collect::<String>().replace('\n', "⏎")
}

impl Text {
    /// Of the session itself, and not of an agent whose rows stand among its own.
    fn is_own(&self) -> bool {
        matches!(self.track.as_str(), "" | "false")
    }
}

impl Kind {
    /// Names and arguments are at the call and again at its result.
    fn has_a_place(self) -> bool {
        matches!(self, Kind::Prompt | Kind::Response | Kind::Thinking | Kind::Result)
    }
}
