//! What of the current branch stands in the document itself: its story, for readers without the script, and until that
//! has started.
//!
//! Prompts and responses are whole articles, which the script takes over. Of a run of steps, a compaction and a response
//! with long calls only lines stand here, and the whole article lies in a pack like all others.

use std::collections::VecDeque;

use crate::render::{Html, Placement, Renderer};
use crate::session::context::{Context, State};
use crate::session::story::{Story, TurnRole};
use crate::session::text::counted;
use crate::session::{EntryIndex, Session};

/// The story has room for so many bytes of markup, and one more for each `SOURCE_SHARE` of the session file, up to
/// `MOST_BYTES`: markup in the document is not compressed, as that in packs is. With the head and the list of prompts it
/// stays below 96 KiB, and pages of real sessions become at most a tenth larger by it.
const BASE_BYTES: usize = 56 * 1024;
const SOURCE_SHARE: usize = 8;
const MOST_BYTES: usize = 84 * 1024;

/// Of one entry at most so many bytes of markup stand here. An article that is longer mostly has calls without results in
/// it: its words stand here alone.
const ENTRY_BYTES: usize = 24 * 1024;

/// Prompts take at most two thirds, so that some responses stand beside them however many they are.
const PROMPTS: (usize, usize) = (2, 3);

/// So many pieces may be drawn in vain because they are longer than the room that is left.
const TRIES: usize = 8;

/// Where each article stands and what a link to it opens: the same for all who draw one.
pub(super) struct Placing<'a> {
    session: &'a Session,
    /// The one shown.
    leaf: EntryIndex,
    /// By entry; none off the path.
    states: Vec<Option<State>>,
}

impl<'a> Placing<'a> {
    pub(super) fn new(session: &'a Session, context: &Context<'_>) -> Self {
        let mut states = vec![None; session.len()];
        for (&entry, &state) in context.path.iter().zip(&context.states) {
            states[entry.get()] = Some(state);
        }
        let leaf = context.path.last().copied().unwrap_or(EntryIndex::FIRST);
        Placing { session, leaf, states }
    }

    fn of(&self, entry: EntryIndex) -> Placement {
        let state = self.states[entry.get()];
        let tree = self.session.tree();
        let leaf = if state.is_some() { self.leaf } else { tree.newest_leaf_below(entry) };
        Placement { state, leaf }
    }

    /// The whole article of an entry.
    pub(super) fn article(&self, renderer: &mut Renderer<'_>, entry: EntryIndex) -> Html {
        renderer.article(entry, self.of(entry))
    }
}

/// What stands of the story.
#[derive(Default)]
pub(super) struct PlainStory {
    /// In document order, each with what is left out before it.
    pub(super) pieces: Vec<(LeftOut, Piece)>,
    /// What is left out behind them.
    pub(super) left_out: LeftOut,
}

/// What stands of an entry.
pub(super) struct Piece {
    pub(super) entry: EntryIndex,
    /// The whole article; else one of lines.
    pub(super) is_whole: bool,
    pub(super) html: Html,
}

/// Entries of the story that are left out, one behind the other.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeftOut {
    prompts: usize,
    responses: usize,
    /// Everything else, each step of a run.
    steps: usize,
}

impl LeftOut {
    fn add(&mut self, candidate: &Candidate) {
        match candidate.role {
            TurnRole::Prompt => self.prompts += 1,
            TurnRole::Response => self.responses += 1,
            TurnRole::Step | TurnRole::Divider => self.steps += candidate.stands_for,
        }
    }

    /// A line for readers without the script; nothing where nothing is left out.
    pub(super) fn html(self) -> Html {
        let mut html = Html::new();
        if self != LeftOut::default() {
            html.push_markup("<noscript><p class=\"noscript\">Left out here: ");
            html.push_text(&self.words());
            html.push_markup("</p></noscript>\n");
        }
        html
    }

    /// `2 prompts, 1 response, 14 steps`.
    fn words(self) -> String {
        let kinds = [(self.prompts, "prompt"), (self.responses, "response"), (self.steps, "step")];
        let words = kinds.into_iter().filter(|(count, _)| *count > 0);
        words.map(|(count, what)| counted(count, what)).collect::<Vec<_>>().join(", ")
    }
}

/// An entry of the path that may stand in the story.
struct Candidate {
    entry: EntryIndex,
    role: TurnRole,
    in_run: bool,
    /// How many entries its line stands for; 1 for a whole article.
    stands_for: usize,
    piece: Option<Piece>,
}

impl PlainStory {
    /// The story of the path of a context, as much as has room.
    pub(super) fn new(
        session: &Session,
        renderer: &mut Renderer<'_>,
        placing: &Placing<'_>,
        context: &Context<'_>,
    ) -> PlainStory {
        let mut candidates = candidates(session, renderer.story(), &context.path);
        let whole = BASE_BYTES + session.source().len() / SOURCE_SHARE;
        let left = whole.min(MOST_BYTES);
        let mut room = Room { left, renderer, placing };
        let kept = left - left * PROMPTS.0 / PROMPTS.1;
        // Prompts up to their share, then all others, then prompts in what these left.
        room.fill(&mut candidates, kept, |role| role == TurnRole::Prompt);
        room.fill(&mut candidates, 0, |role| role != TurnRole::Prompt);
        room.fill(&mut candidates, 0, |role| role == TurnRole::Prompt);
        pieces(candidates)
    }

    /// By entry, whether its whole article stands here.
    pub(super) fn are_whole(&self, session: &Session) -> Vec<bool> {
        let mut are_whole = vec![false; session.len()];
        for (_, piece) in self.pieces.iter().filter(|(_, piece)| piece.is_whole) {
            are_whole[piece.entry.get()] = true;
        }
        are_whole
    }
}

/// The room that is left for the story.
struct Room<'r, 'a, 'p> {
    /// In bytes.
    left: usize,
    renderer: &'r mut Renderer<'a>,
    placing: &'r Placing<'p>,
}

impl Room<'_, '_, '_> {
    /// Draws those of some roles, the first and the newest by turns, until no more than `kept` bytes are left.
    fn fill(
        &mut self,
        candidates: &mut [Candidate],
        kept: usize,
        is_wanted: impl Fn(TurnRole) -> bool,
    ) {
        let is_open =
            |candidate: &Candidate| candidate.piece.is_none() && is_wanted(candidate.role);
        let mut open: VecDeque<usize> =
            (0..candidates.len()).filter(|&nth| is_open(&candidates[nth])).collect();
        let (mut failed, mut is_first) = (0, true);
        while failed < TRIES && self.left > kept {
            let next = if is_first { open.pop_front() } else { open.pop_back() };
            let Some(nth) = next else { break };
            is_first = !is_first;
            let piece = self.drawn(&candidates[nth]);
            let bytes = piece.html.as_str().len();
            if bytes > self.left - kept {
                failed += 1;
            } else {
                self.left -= bytes;
                candidates[nth].piece = Some(piece);
            }
        }
    }

    fn drawn(&mut self, candidate: &Candidate) -> Piece {
        let entry = candidate.entry;
        if !candidate.in_run && candidate.role != TurnRole::Divider {
            let html = self.placing.article(self.renderer, entry);
            if html.as_str().len() <= ENTRY_BYTES {
                return Piece { entry, is_whole: true, html };
            }
        }
        let html = self.renderer.lines(entry, self.placing.of(entry));
        Piece { entry, is_whole: false, html }
    }
}

/// Those of a path that are part of the story, a run of steps by its first entry. Runs of settings and state are none,
/// unless branches part above one: it has their list.
fn candidates(session: &Session, story: &Story, path: &[EntryIndex]) -> Vec<Candidate> {
    let candidate = |&entry: &EntryIndex| {
        let run = story.run_of(entry);
        let is_seen = run.is_none_or(|run| {
            let is_fork = session.tree().branch(entry).count > 1;
            run.entries[0] == entry && (is_fork || !story.is_aside_run(session, run))
        });
        is_seen.then(|| Candidate {
            entry,
            role: story.role(entry),
            in_run: run.is_some(),
            stands_for: run.map_or(1, |run| run.entries.len()),
            piece: None,
        })
    };
    path.iter().filter_map(candidate).collect()
}

/// What is drawn, and between it what is left out.
fn pieces(candidates: Vec<Candidate>) -> PlainStory {
    let mut story = PlainStory::default();
    for mut candidate in candidates {
        match candidate.piece.take() {
            Some(piece) => story.pieces.push((std::mem::take(&mut story.left_out), piece)),
            None => story.left_out.add(&candidate),
        }
    }
    story
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::page::{Options, export};
    use crate::session::Session;

    /// Prompts, each with a command, its result and a response, all of so many letters.
    fn session(prompts: usize, letters: usize) -> Session {
        let mut lines = vec![json!({"type": "session", "version": 3, "id": "s"}).to_string()];
        let mut parent = None;
        for nth in 0..prompts {
            let words = format!("{nth} {}", "word ".repeat(letters / 5));
            let call = json!([{"type": "toolCall", "id": nth.to_string(), "name": "bash", "arguments": {"command": words}}]);
            for (role, content) in [
                ("user", json!(words)),
                ("assistant", call),
                ("toolResult", json!(words)),
                ("assistant", json!([{"type": "text", "text": words}])),
            ] {
                let id = format!("e{}", lines.len());
                let message =
                    json!({"role": role, "content": content, "toolCallId": nth.to_string()});
                let row =
                    json!({"type": "message", "id": id, "parentId": parent, "message": message});
                lines.push(row.to_string());
                parent = Some(id);
            }
        }
        crate::read(lines.join("\n").into_bytes()).unwrap()
    }

    /// The list of prompts, and the transcript.
    fn parts(session: &Session) -> (String, String) {
        let mut page = Vec::new();
        export(session, &Options::default(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let between = |from: &str, to: &str| {
            page.split(from).nth(1).unwrap_or_default().split(to).next().unwrap().to_owned()
        };
        (between("<nav id=\"sidebar\"", "</nav>"), between("<div id=\"transcript\">", "<section"))
    }

    fn count(transcript: &str, role: &str) -> usize {
        transcript.matches(&format!(" data-turn-role=\"{role}\"")).count()
    }

    #[test]
    fn all_of_a_short_story_stands() {
        let (list, transcript) = parts(&session(5, 200));
        assert_eq!(["prompt", "response", "step"].map(|role| count(&transcript, role)), [5, 5, 5]);
        assert!(!transcript.contains("Left out here") && !transcript.contains("data-call-id"));
        assert_eq!(list.matches("<li").count(), 5);
    }

    /// A page of 88 prompts has at least 60 of them.
    #[test]
    fn of_a_long_story_the_first_and_the_newest_stand() {
        for letters in [100, 400, 1_000] {
            let (list, transcript) = parts(&session(88, letters));
            assert!(transcript.len() <= 96 << 10, "{letters}: {} bytes", transcript.len());
            assert!(list.len() <= 4 << 10, "{letters}: {} bytes", list.len());
            let prompts = count(&transcript, "prompt");
            assert!(prompts >= if letters < 1_000 { 60 } else { 30 }, "{letters}: {prompts}");
            for end in ["entry-e1\"", "entry-e352\""] {
                assert!(transcript.contains(end), "{letters}: {end}");
            }
            let left_out: usize = transcript
                .split("Left out here: ")
                .skip(1)
                .flat_map(|note| note.split('<').next().unwrap().split(", "))
                .map(|part| part.split(' ').next().unwrap().parse::<usize>().unwrap())
                .sum();
            let stands = prompts + count(&transcript, "response") + 2 * count(&transcript, "step");
            assert_eq!(left_out + stands, 88 * 4, "{letters}");
        }
    }

    /// Its calls alone are longer than all that has room.
    #[test]
    fn of_a_long_response_the_words_stand() {
        let row = |id: &str, parent: Option<&str>, message: serde_json::Value| {
            json!({"type": "message", "id": id, "parentId": parent, "message": message}).to_string()
        };
        let call = json!({"type": "toolCall", "id": "c", "name": "write", "arguments": {"path": "a.txt", "content": "line\n".repeat(20_000)}});
        let said = json!({"type": "text", "text": "Here it is."});
        let lines = [
            json!({"type": "session", "version": 3, "id": "s"}).to_string(),
            row("a", None, json!({"role": "user", "content": "write"})),
            row(
                "b",
                Some("a"),
                json!({"role": "assistant", "content": [said, call], "stopReason": "stop"}),
            ),
        ];
        let (_, transcript) = parts(&crate::read(lines.join("\n").into_bytes()).unwrap());
        assert!(transcript.contains("Here it is.") && transcript.len() < 4096, "{transcript}");
        assert_eq!(transcript.matches("class=\"copy-link\"").count(), 1, "one is whole");
    }
}
