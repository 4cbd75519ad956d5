//! What the first screen answers: who worked, where, what was asked, what was done and how it ended.
//!
//! All of it is about the branch that the page opens at and the sub-agents that this branch started, in one order:
//! words, then facts, then the lists that facts open (`list.rs`). A fact that is zero is left out. What is
//! counted is asked of the digest, which the page has anyway.

mod list;

use std::collections::HashSet;

use askama::Template;

use crate::changes::{EditedFile, EditedLines};
use crate::content::place::{self, PlaceFact};
use crate::figures::{cost, count as grouped, duration, short, tokens};
use crate::html::Html;
use crate::render::Renderer;
use crate::session::branches::branch_count;
use crate::session::digest::Digest;
use crate::session::ending::{self, Ending};
use crate::session::landmarks::{Landmark, LandmarkEvent};
use crate::session::totals::Sums;
use crate::session::usage::Usage;
use crate::session::words::Words;
use crate::session::{EntryIndex, Session, invisible, time, title};

use list::{HeadList, Places};

/// Of a prompt, in UTF-16 units: more than three lines have room for.
const WORDS_UNITS: usize = 300;

#[derive(Template)]
#[template(path = "head.html")]
pub(super) struct Head {
    title: String,
    place: Vec<HeadFact>,
    facts: Vec<HeadFact>,
    /// What the facts open.
    lists: Vec<HeadList>,
    asked: Option<Words>,
    ended: Option<HeadEnd>,
}

/// One fact: a figure in bold and the words behind it.
pub(super) struct HeadFact {
    /// In `data-fact`.
    pub(super) name: &'static str,
    figure: String,
    words: String,
    lines: EditedLines,
    /// Whether there is a list behind it.
    is_door: bool,
    title: Option<String>,
    /// The time that it is, as a machine reads it.
    iso: Option<String>,
    /// An address that it links to.
    link: Option<String>,
}

pub(super) struct HeadEnd {
    pub(super) how: Ending,
    /// What came right before it; mostly empty.
    pub(super) before: String,
    /// The last entry of the work.
    key: String,
    text: Words,
}

impl Head {
    /// The head of a page that opens at `leaf`.
    pub(super) fn new(
        session: &Session,
        digest: &Digest<'_>,
        renderer: &Renderer<'_>,
        (leaf, title): (EntryIndex, String),
    ) -> Head {
        let path = session.tree().path(leaf);
        let work = session.with_sub_agents(&path);
        let changes = renderer.work().changes();
        let files = changes.edited_among(&work);
        let asked = title::asked(session, &path).and_then(|asked| asked.said_beside(&title));
        let ended = ending::ended(session, leaf).map(|ended| HeadEnd {
            how: ended.how,
            before: digest.befores.words(leaf, ended.how),
            key: session.key_at(ended.entry),
            text: ended.text,
        });
        let place = place(session, digest, &path);
        let mut landmarks = digest.landmarks.over(&work);
        landmarks.sort_by_key(|landmark| session.time(landmark.entry));
        // As they happened, sub-agents among the others.
        let mut failures: Vec<_> = digest.failures.over(&work).collect();
        failures.sort_by_key(|failure| session.time(failure.entry));
        let mut stops: Vec<_> = digest.failures.stops_over(&work).collect();
        stops.sort_by_key(|stop| session.time(stop.entry));
        let places = Places::new(session, &digest.story, &path);
        let lists = [
            list::files(session, changes, &files),
            list::commits(&places, &landmarks),
            list::pull_requests(&places, &landmarks),
            list::failures(&places, &failures),
            list::stops(&places, session, &digest.story, &stops),
            list::sub_agents(&places, session, &work),
        ];
        let lists: Vec<HeadList> = lists.into_iter().flatten().collect();
        let mut facts = facts(
            session,
            digest,
            (&path, &work),
            (&files, &landmarks, [failures.len(), stops.len()]),
        );
        let failed = failures.iter().map(|failure| failure.entry).collect();
        let stopped = stops.iter().map(|stop| stop.entry).collect();
        for (name, entries) in [("failures", failed), ("stops", stopped)] {
            if let Some(fact) = facts.iter_mut().find(|fact| fact.name == name) {
                fact.words.push_str(&within_sub_agents(session, entries));
            }
        }
        for fact in &mut facts {
            fact.is_door = lists.iter().any(|list| list.name == fact.name);
        }
        Head {
            title,
            place,
            facts,
            lists,
            asked: asked.map(|asked| asked.shortened(WORDS_UNITS)),
            ended,
        }
    }

    /// How the branch ended that the page opens at.
    pub(super) fn ending(&self) -> Option<&HeadEnd> {
        self.ended.as_ref()
    }

    /// What the top bar says on a narrow screen: agent and project.
    pub(super) fn in_bar(&self) -> impl Iterator<Item = &HeadFact> {
        self.place.iter().filter(|fact| matches!(fact.name, "agent" | "project"))
    }
}

impl HeadFact {
    fn new(name: &'static str, figure: &str, words: &str) -> HeadFact {
        HeadFact {
            name,
            figure: figure.to_owned(),
            words: words.to_owned(),
            lines: EditedLines::default(),
            is_door: false,
            title: None,
            iso: None,
            link: None,
        }
    }

    /// The figure, or the words where there is none.
    pub(super) fn text(&self) -> &str {
        if self.figure.is_empty() { &self.words } else { &self.figure }
    }
}

/// The words of a prompt or a response, with their code as such.
fn marked(words: &Words) -> Html {
    let mut html = Html::new();
    for (is_code, piece) in words.pieces() {
        html.push_markup(if is_code { "<code>" } else { "" });
        html.push_text(&invisible::marked(piece));
        html.push_markup(if is_code { "</code>" } else { "" });
    }
    html
}

/// How many of these entries are those of sub-agents, whose transcripts stand by themselves: empty for none.
fn within_sub_agents(session: &Session, entries: Vec<EntryIndex>) -> String {
    let all = entries.len();
    let subs = entries.into_iter().map(|entry| session.tree().session_of(entry));
    let subs: Vec<usize> = subs.filter(|&number| number > 0).collect();
    let whose =
        if subs.iter().all(|number| *number == subs[0]) { "a sub-agent" } else { "sub-agents" };
    match subs.len() {
        0 => String::new(),
        within if within == all => format!(" in {whose}"),
        within => format!(", {} in {whose}", grouped(within)),
    }
}

/// Who worked, and where.
fn place(session: &Session, digest: &Digest<'_>, path: &[EntryIndex]) -> Vec<HeadFact> {
    let facts = place::of(session, digest, path).into_iter();
    let fact = |fact: PlaceFact| HeadFact {
        title: fact.title,
        iso: fact.time.map(time::iso),
        ..HeadFact::new(fact.name, &fact.figure, &fact.time.map_or(fact.words, time::day_in_words))
    };
    facts.map(fact).collect()
}

/// What was done on the path, with the sub-agents that it started; nothing that is zero.
fn facts(
    session: &Session,
    digest: &Digest<'_>,
    (path, work): (&[EntryIndex], &[EntryIndex]),
    (files, landmarks, [failures, stops]): (&[EditedFile], &[&Landmark], [usize; 2]),
) -> Vec<HeadFact> {
    let sum = |entries: &[EntryIndex]| {
        let mut sums = Sums::default();
        for &entry in entries {
            sums.add(&digest.totals.of(entry).sums());
        }
        sums
    };
    // A sub-agent's prompts are nobody's, and it works while the agent that started it waits.
    let (own, all) = (sum(path), sum(work));
    let mut facts = Vec::new();
    let mut add = |name, count: usize, [one, many]: [&str; 2]| {
        if count > 0 {
            let words = if count == 1 { one } else { many };
            facts.push(HeadFact::new(name, &grouped(count), words));
        }
    };
    add("prompts", own.prompts, ["prompt", "prompts"]);
    let branches = branch_count(session);
    add("branches", if branches > 1 { branches } else { 0 }, ["branch", "branches"]);
    add("files", files.len(), ["file", "files"]);
    let commits = landmarks.iter().filter(|one| matches!(one.event, LandmarkEvent::Commit { .. }));
    add("commits", commits.count(), ["commit", "commits"]);
    let deeds = landmarks.iter().map(|landmark| &landmark.event);
    let requests: Vec<_> =
        deeds.filter(|event| matches!(event, LandmarkEvent::PullRequest { .. })).collect();
    add("pull-request", requests.len(), ["pull request", "pull requests"]);
    add("failures", failures, ["failure", "failures"]);
    add("stops", stops, ["stop", "stops"]);
    let sub_agents = work.iter().map(|&entry| session.tree().session_of(entry));
    let sub_agents: HashSet<usize> = sub_agents.filter(|&session| session > 0).collect();
    add("sub-agents", sub_agents.len(), ["sub-agent", "sub-agents"]);
    if let Some(fact) = facts.iter_mut().find(|fact| fact.name == "files") {
        fact.lines = files.iter().map(|file| file.lines).sum();
        fact.title = Some("files that edits changed, lines added and removed".to_owned());
    }
    if let [event @ LandmarkEvent::PullRequest { address, number, .. }] = requests[..]
        && let Some(fact) = facts.iter_mut().find(|fact| fact.name == "pull-request")
    {
        fact.figure = format!("#{number}");
        fact.title = Some(address.clone());
        fact.link = event.link().map(str::to_owned);
    }
    if own.worked_ms > 0 {
        #[expect(clippy::cast_precision_loss, reason = "durations are far below 2^52 ms")]
        let worked = match own.worked_ms as f64 {
            ..1e3 => "under 1 s".to_owned(),
            ms => duration(ms),
        };
        let title = Some("time from each prompt to the end of its turn".to_owned());
        let fact = HeadFact { title, ..HeadFact::new("time", &worked, "worked") };
        let behind_counts =
            facts.iter().take_while(|fact| ["prompts", "branches"].contains(&fact.name));
        facts.insert(behind_counts.count(), fact);
    }
    let Usage { input, output, cache_read, cache_write, .. } = all.usage;
    let total = input + output + cache_read + cache_write;
    if total > 0.0 {
        let title = Some(tokens(&all.usage));
        let words = format!("{} tokens", short(total));
        facts.push(HeadFact { title, ..HeadFact::new("tokens", "", &words) });
    }
    let cost = cost(&all.usage);
    if !cost.is_empty() {
        facts.push(HeadFact::new("cost", "", &cost));
    }
    facts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::session::Child;

    /// Each `data-` hook of the head with its words.
    fn head(file: &[u8]) -> String {
        let session = crate::read(file.to_vec()).unwrap();
        let digest = Digest::read(&session);
        let renderer = Renderer::new(&session, &digest);
        let head = Head::new(&session, &digest, &renderer, (session.leaf(), "A title".to_owned()));
        head.to_string()
    }

    #[test]
    fn the_model_is_the_one_that_answered_most() {
        let header = json!({"type": "session", "version": 3, "id": "s"}).to_string();
        let answers = ["small", "large", "large", "medium"].into_iter().enumerate();
        let rows = answers.map(|(nth, model)| {
            let parent = nth.checked_sub(1).map(|parent| parent.to_string());
            let content = json!([{"type": "text", "text": "Yes."}]);
            let message = json!({"role": "assistant", "model": model, "content": content});
            json!({"type": "message", "id": nth.to_string(), "parentId": parent, "message": message})
                .to_string()
        });
        let file = std::iter::once(header).chain(rows).collect::<Vec<_>>().join("\n");
        let head = head(file.as_bytes());
        assert!(head.contains("data-fact=\"model\">large and 2 more</span>"), "{head}");
    }

    #[test]
    fn the_head_answers_who_where_what_and_how_it_ended() {
        let head = head(include_bytes!("../../../examples/lighthouse.jsonl"));
        for expected in [
            "data-fact=\"agent\"><b data-ui>pi</b>",
            ">tidebook</span>",
            "<li data-fact=\"prompts\"><b>6</b> prompts</li>",
            "popovertarget=\"list-failures\"><b>2</b> failures</button></li>",
            "<div data-asked>",
            "<div data-ended=\"answered\">",
        ] {
            assert!(head.contains(expected), "{expected}: {head}");
        }
        assert!(head.contains("<ins>+") && head.contains("data-fact=\"files\""), "{head}");
        assert!(!head.contains("git-branch"), "the file names none");
    }

    #[test]
    fn the_day_is_that_of_the_first_prompt_shown() {
        let rows = [
            json!({"type": "session", "version": 3, "id": "s", "timestamp": "2025-12-09T00:53:00Z"}),
            json!({"type": "message", "id": "a", "parentId": null, "timestamp": "2025-12-08T22:41:00Z",
                "message": {"role": "user", "content": "read this"}}),
        ];
        let head = head(rows.map(|row| row.to_string()).join("\n").as_bytes());
        assert!(head.contains("datetime=\"2025-12-08T22:41:00.000Z\">Dec 8, 2025<"), "{head}");
    }

    /// They stand in no row of the session itself.
    #[test]
    fn failures_of_sub_agents_say_whose_they_are() {
        let row = |id: &str, parent: Option<&str>, failed: bool| {
            json!({"id": id, "parentId": parent, "type": "message", "message": {"role": "toolResult",
                "toolCallId": id, "toolName": "bash", "content": "no", "isError": failed}})
            .to_string()
        };
        let session = |rows: &[String]| {
            let header = json!({"type": "session", "version": 3, "id": "s"}).to_string();
            crate::read([&[header], rows].concat().join("\n").into_bytes()).unwrap()
        };
        let child = |key: &str| Child {
            key: key.to_owned(),
            agent: None,
            task: None,
            started_by: Some("a".to_owned()),
            session: Ok(Box::new(session(&[row("x", None, true)]))),
        };
        let fact = |failed: bool, children: &[&str]| {
            let main = session(&[row("a", None, failed)]);
            let main = main.with_children(children.iter().copied().map(child).collect());
            let digest = Digest::read(&main);
            let renderer = Renderer::new(&main, &digest);
            let head = Head::new(&main, &digest, &renderer, (main.leaf(), String::new()));
            let fact = head.facts.into_iter().find(|fact| fact.name == "failures").unwrap();
            format!("{} {}", fact.figure, fact.words)
        };
        assert_eq!(fact(true, &[]), "1 failure");
        assert_eq!(fact(false, &["one"]), "1 failure in a sub-agent");
        assert_eq!(fact(false, &["one", "two"]), "2 failures in sub-agents");
        assert_eq!(fact(true, &["one"]), "2 failures, 1 in a sub-agent");
    }

    #[test]
    fn a_prompt_that_was_answered_is_what_was_asked() {
        let row = |id: &str, parent: &str, message: &str| {
            format!(
                "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"message\":{message}}}\n"
            )
        };
        let user = |text: &str| format!("{{\"role\":\"user\",\"content\":\"{text}\"}}");
        let answer = r#"{"role":"assistant","content":[{"type":"text","text":"Which tide?"}]}"#;
        let file = [
            "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w/<b>\"}\n".to_owned(),
            row("a", "null", &user("never answered")),
            row("b", "\"a\"", &user("count the tides")),
            row("c", "\"b\"", answer),
        ];
        let head = head(file.concat().as_bytes());
        assert!(head.contains("<p>count the tides</p>"), "{head}");
        assert!(head.contains("data-ended=\"question\"") && head.contains("Which tide?"), "{head}");
        assert!(!head.contains("<b>\"") && !head.contains("/<b>"), "{head}");
    }
}
