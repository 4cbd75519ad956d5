//! What looks like a secret in a page that is about to be written.
//!
//! The texts of the page itself are searched, as they come out of it: whatever reached it by another way than through
//! the redaction of the session's files is found here.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;

use crate::extract::{ExtractError, LinePlace, PageTexts, TextReader};
use crate::progress::{Progress, Steps, Task};
use crate::redact::{Finding, Redactor, Words};
use crate::workers::{Threads, Workers};

use super::secrets::{FoundSecret, SecretPlace, SecretsReport, hide};

/// Looks through all texts of a page that is not encrypted.
pub(crate) fn page_secrets(
    page: &[u8],
    redactor: &Redactor,
    progress: Option<Progress>,
) -> Result<SecretsReport, ExtractError> {
    let texts = PageTexts::of(page)?;
    let has_other_lines = AtomicBool::new(false);
    let look = |(): &mut (), piece: usize| {
        let mut search =
            Search { redactor, findings: Vec::new(), has_other_lines: &has_other_lines };
        texts.read(piece, &mut search).map(|()| search.findings)
    };
    let mut findings = Vec::new();
    let steps = Steps::new(progress, Task::Search, texts.count());
    Workers::new(Threads::available(), || ()).run(texts.count(), look, |found| {
        steps.add(1);
        findings.append(&mut found?);
        Ok::<(), ExtractError>(())
    })?;
    if has_other_lines.load(Ordering::Relaxed) {
        findings.extend(in_files(&texts, redactor)?);
    }
    let mut seen = HashSet::new();
    findings.retain(|found: &FoundSecret| {
        let Finding { rule, context, values, .. } = &found.finding;
        let value = values.first().unwrap_or(context);
        seen.insert((found.place.clone(), rule.clone(), value.clone()))
    });
    for found in &mut findings {
        if let SecretPlace::Entry(name) | SecretPlace::Line(name) | SecretPlace::Page(name) =
            &mut found.place
        {
            *name = redactor.text(name).into_owned();
        }
    }
    hide(&mut findings);
    Ok(SecretsReport { findings, pictures: 0 })
}

/// In files that are more than a JSON value a line: as a whole, as they were redacted.
fn in_files(texts: &PageTexts<'_>, redactor: &Redactor) -> Result<Vec<FoundSecret>, ExtractError> {
    let own = (None, texts.page().session_file()?);
    let children = texts.page().child_files()?.into_iter().map(|file| (Some(file.key), file.bytes));
    let mut findings = Vec::new();
    for (key, bytes) in std::iter::once(own).chain(children) {
        for (line, finding) in redactor.remaining_in_file(&bytes) {
            let place = match (line, &key) {
                (Some(line), None) => line_place(LinePlace::Session(line)),
                (Some(line), Some(key)) => line_place(LinePlace::Child(key, line)),
                (None, None) => SecretPlace::Page("session file".to_owned()),
                (None, Some(key)) => SecretPlace::Page(format!("session file of {key}")),
            };
            findings.push(FoundSecret { place, finding });
        }
    }
    Ok(findings)
}

fn line_place(place: LinePlace<'_>) -> SecretPlace {
    match place {
        LinePlace::Entry(key) => SecretPlace::Entry(key.to_owned()),
        LinePlace::Session(line) => SecretPlace::Line(line.to_string()),
        LinePlace::Child(key, line) => SecretPlace::Line(format!("{line} of {key}")),
    }
}

/// What was found in a piece of a page.
struct Search<'s> {
    redactor: &'s Redactor,
    findings: Vec<FoundSecret>,
    /// Lines that are no JSON by themselves.
    has_other_lines: &'s AtomicBool,
}

impl Search<'_> {
    fn add(&mut self, found: Vec<Finding>, place: impl Fn(&Finding) -> SecretPlace) {
        let at = |finding: Finding| FoundSecret { place: place(&finding), finding };
        self.findings.extend(found.into_iter().map(at));
    }
}

impl TextReader for Search<'_> {
    fn text(&mut self, entry: Option<&str>, text: &str, words: Words) {
        let found = self.redactor.remaining_in_text(text, words);
        self.add(found, |_| match entry {
            Some(key) => SecretPlace::Entry(key.to_owned()),
            None => SecretPlace::Page("head of the page".to_owned()),
        });
    }

    fn line(&mut self, place: LinePlace<'_>, line: &str) -> bool {
        let text = line.trim();
        // In a list each item but the last ends so.
        let text = text.strip_suffix(',').unwrap_or(text);
        let Some(found) = self.redactor.remaining_in_json(text) else {
            self.has_other_lines.store(true, Ordering::Relaxed);
            return false;
        };
        let is_clean = found.is_empty();
        self.add(found, |_| line_place(place));
        is_clean
    }

    fn outline(&mut self, json: &str) {
        let found = self.redactor.remaining_in_data(json, words);
        if !found.is_empty() {
            let entries = Entries::read(json);
            self.add(found, |finding| entries.place(&finding.path));
        }
    }

    /// What an entry's pack has of it too is searched there, with all that stands around it.
    fn markdown(&mut self, json: &str, outline: &str) {
        let found = self.redactor.remaining_in_data(json, |_| Words::Mixed);
        if !found.is_empty() {
            let entries = Entries::read(outline);
            self.add(found, |finding| entries.place(&finding.path));
        }
    }

    fn changes(&mut self, json: &str) {
        let found = self.redactor.remaining_in_data(json, |_| Words::Mixed);
        self.add(found, |_| SecretPlace::Page("the changes".to_owned()));
    }

    fn hunk(&mut self, text: &str) {
        let found = self.redactor.remaining_in_text(text, Words::Said);
        self.add(found, |_| SecretPlace::Page("the changes".to_owned()));
    }
}

/// Whose words a field of the outline holds.
fn words(field: &str) -> Words {
    match field {
        "keys" | "ids" | "labels" | "drawnLabels" | "files" | "name" | "task" | "missing" => {
            Words::Said
        }
        "kind" | "kinds" | "filter" | "toolIcons" | "state" => Words::Own,
        // A row begins with words of its own, and much names roles and tools.
        _ => Words::Mixed,
    }
}

/// What tells the entry of a place in the outline.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Entries {
    keys: Vec<String>,
    sessions: Vec<StartedBy>,
    ids: Vec<(usize, String)>,
    labels: Vec<(usize, String)>,
    drawn_labels: Vec<(usize, String)>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct StartedBy {
    started_by: i64,
}

impl Entries {
    fn read(json: &str) -> Entries {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Of `text[3]` the entry of the number 3, of `labels[3][1]` that of the third label.
    fn place(&self, path: &str) -> SecretPlace {
        let (field, rest) = path.split_once('[').unwrap_or((path, ""));
        let number = rest.split(']').next().and_then(|number| number.parse::<usize>().ok());
        let numbered = |list: &[(usize, String)]| Some(list.get(number?)?.0);
        let entry = match field {
            "keys" | "text" | "entries" => number,
            "ids" => numbered(&self.ids),
            "labels" => numbered(&self.labels),
            "drawnLabels" => numbered(&self.drawn_labels),
            "sessions" => {
                let session = number.and_then(|number| self.sessions.get(number));
                let by = session.and_then(|session| usize::try_from(session.started_by).ok());
                let key = by.and_then(|by| self.keys.get(by));
                let of = key.map(|key| format!(" of {key}")).unwrap_or_default();
                return SecretPlace::Name(format!("sub-agent session{of}"));
            }
            _ => None,
        };
        match entry.and_then(|entry| self.keys.get(entry)) {
            Some(key) => SecretPlace::Entry(key.clone()),
            None => SecretPlace::Page("tree of the page".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Rules;
    use crate::session::{Child, Session};
    use crate::{Options, export};

    fn token() -> String {
        ["ghp", "_", "Zk3Qw9Lr7TbX2mVn", "8Ps4Yc6Hd1Jf5Gu0Ea9K"].concat()
    }

    /// A session with a prompt, a call, its result and a label, and `more` lines behind them.
    fn lines(more: &str) -> String {
        let lines = [
            r#"{"type":"session","version":3,"id":"HEADER","cwd":"/CWD"}"#,
            r#"{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"PROMPT"}}"#,
            r#"{"type":"message","id":"a2","parentId":"a1","message":{"role":"assistant","provider":"x","model":"MODEL","content":[{"type":"thinking","thinking":"THINKING"},{"type":"text","text":"TEXT"},{"type":"toolCall","id":"t1","name":"TOOL","arguments":{"path":"ARGUMENT"}}]}}"#,
            r#"{"type":"message","id":"a3","parentId":"a2","message":{"role":"toolResult","toolCallId":"t1","toolName":"TOOL","content":[{"type":"text","text":"OUTPUT"}]}}"#,
            r#"{"type":"label","id":"a4","parentId":"a3","targetId":"a1","label":"LABEL"}"#,
            r#"{"type":"session_info","id":"a5","parentId":"a4","name":"TITLE"}"#,
            more,
        ];
        lines.join("\n") + "\n"
    }

    fn session(text: &str) -> Session {
        crate::read(text.as_bytes().to_vec()).unwrap()
    }

    /// What is found in a page that was never redacted: only its place is given, and what stands around.
    fn found(session: &Session, options: &Options, rules: &Rules) -> Vec<FoundSecret> {
        let mut page = Vec::new();
        export(session, options, &mut page).unwrap();
        page_secrets(&page, &Redactor::new(rules).unwrap(), None).unwrap().findings
    }

    fn places(session: &Session, options: &Options) -> Vec<SecretPlace> {
        let found = found(session, options, &Rules::new());
        let told = serde_json::to_string(&found).unwrap();
        assert!(!told.contains(&token()[8..16]), "{told}");
        found.into_iter().map(|found| found.place).collect()
    }

    /// Without the session's file, so that nothing is found but what is shown.
    fn shown() -> Options {
        Options { without_source: true, ..Options::default() }
    }

    fn entry(key: &str) -> SecretPlace {
        SecretPlace::Entry(key.to_owned())
    }

    fn head() -> SecretPlace {
        SecretPlace::Page("head of the page".to_owned())
    }

    #[test]
    fn a_page_without_secrets_is_clean() {
        assert_eq!(places(&session(&lines("")), &Options::default()), []);
    }

    #[test]
    fn every_field_of_an_entry_is_searched_as_it_is_shown() {
        for (field, place) in [
            ("PROMPT", entry("a1")),
            ("MODEL", entry("a2")),
            ("THINKING", entry("a2")),
            ("TEXT", entry("a2")),
            ("TOOL", entry("a2")),
            ("ARGUMENT", entry("a2")),
            ("OUTPUT", entry("a3")),
            ("LABEL", entry("a1")),
            ("TITLE", head()),
            ("CWD", head()),
            ("HEADER", head()),
        ] {
            let session = session(&lines("").replace(field, &token()));
            for options in [Options::default(), shown()] {
                let places = places(&session, &options);
                assert!(places.contains(&place), "{field}: {places:?}");
            }
        }
    }

    #[test]
    fn what_the_page_alone_says_is_searched() {
        let session = session(&lines(""));
        let titled = Options { title: Some(format!("On {}", token())), ..shown() };
        assert_eq!(places(&session, &titled), [head()]);
        let noted = Options { notes: vec![format!("Removed {}", token())], ..shown() };
        assert_eq!(places(&session, &noted), [head()]);
    }

    #[test]
    fn names_tasks_and_reasons_of_sub_agents_are_searched() {
        let child = |key: &str, agent: &str, task: &str, reason: &str| Child {
            key: key.to_owned(),
            agent: Some(agent.to_owned()),
            task: Some(task.to_owned()),
            started_by: Some("a2".to_owned()),
            session: Err(reason.to_owned()),
        };
        let clean = || session(&lines(""));
        let whole = clean().with_children(vec![child("k", "scout", "look", "lost")]);
        assert_eq!(places(&whole, &shown()), []);
        let token = token();
        for child in [
            child(&token, "scout", "look", "lost"),
            child("k", &token, "look", "lost"),
            child("k", "scout", &token, "lost"),
            child("k", "scout", "look", &token),
        ] {
            let told = format!("{child:?}");
            let places = places(&clean().with_children(vec![child]), &shown());
            let name = SecretPlace::Name("sub-agent session of a2".to_owned());
            // A key is that of its entries, too.
            let own = entry("[redacted:github-token #1]/missing");
            assert!(places.contains(&name) || places.contains(&own), "{told}: {places:?}");
        }
    }

    #[test]
    fn a_secret_that_markup_goes_through_is_one() {
        let token = token();
        let (a, b) = token.split_at(9);
        for text in [
            format!("{a}**{b}**"),
            format!("`{a}`{b}"),
            format!("```sh\\nexport A={token}\\n```"),
            format!("[{a}](https://example.com)_{b}_"),
            format!("<b>{token}</b>"),
        ] {
            let session = session(&lines("").replace("TEXT", &text));
            let places = places(&session, &shown());
            assert!(places.contains(&entry("a2")), "{text}: {places:?}");
        }
    }

    /// A session long enough for packs, with something in one entry or in lines beside them.
    fn long(marked: usize, text: &str, more: &str) -> Session {
        let entry = |nth: usize| {
            let text =
                if nth == marked { text.to_owned() } else { format!("tide {nth} ").repeat(90) };
            format!(
                "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
            )
        };
        let entries: String = (0..900).map(entry).collect();
        session(&lines(&(entries + more)))
    }

    #[test]
    fn packs_and_the_session_s_file_are_searched() {
        let token = token();
        assert_eq!(places(&long(900, "", ""), &Options::default()), []);
        for marked in [0, 450, 899] {
            let place = entry(&format!("e{marked}"));
            let session = long(marked, &token, "");
            // The last entry is what the head says was asked.
            let head = (marked == 899).then(|| SecretPlace::Page("head of the page".to_owned()));
            let expected: Vec<SecretPlace> = [place].into_iter().chain(head).collect();
            assert_eq!(places(&session, &shown()), expected, "{marked}");
        }
        let unknown = format!("{{\"type\":\"message\",\"id\":\"e5\",\"x\":\"{token}\"}}");
        let places = places(
            &long(900, "", &format!("{unknown}\n{{\"torn\":\"{token}")),
            &Options::default(),
        );
        assert!(places.iter().any(|place| matches!(place, SecretPlace::Line(_))), "{places:?}");
    }

    #[test]
    fn what_the_user_asked_for_is_no_word_of_the_page() {
        let session = session(&lines(""));
        let mut rules = Rules::new();
        for own in ["user", "prompt", "message", "leafpress", "Session", "Branches", "assistant"] {
            rules.pattern(own).unwrap();
        }
        assert_eq!(found(&session, &shown(), &rules), []);
        let mut head_alone = rules.clone();
        for field in ["HEADE[R]", "CW[D]"] {
            let found = found(&session, &shown(), head_alone.pattern(field).unwrap());
            assert!(found.iter().any(|found| found.place == head()), "{field}: {found:?}");
        }
        rules.pattern("OUT[P]UT|TIT[L]E|LAB[E]L").unwrap();
        let places: Vec<_> =
            found(&session, &shown(), &rules).into_iter().map(|found| found.place).collect();
        assert_eq!(places, [entry("a1"), entry("a3"), entry("a4"), entry("a5"), head()]);
    }

    #[test]
    fn marks_are_no_secrets() {
        let text = "export PASSWORD=[redacted:password #1] and [redacted:github-token #2]";
        assert_eq!(places(&session(&lines("").replace("TEXT", text)), &Options::default()), []);
    }
}
