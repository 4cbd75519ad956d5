//! What a session and its branches took.
//!
//! Every entry adds to sums once (`session/derived/totals.rs`), and a figure is a sum over entries: of all, of a
//! path, of a sub-session, of a part since an entry. The JSON of these types is a stable
//! format; `cli/stats.rs` prints them as text.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::did::{self, FailureReport, LandmarkReport, StopReport};
use crate::session::digest::Digest;
use crate::session::ending::{Ended, Ending, ended, ended_since};
use crate::session::totals::{Counts, Sums, Totals};
use crate::session::usage::Usage;
use crate::session::{EntryIndex, Session, time, title};

use super::edits::{self, EditedFileReport};

/// Figures of the whole session and of each branch, as `leafpress stats --json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StatsReport {
    /// What the session is called, as its page is.
    pub title: String,
    /// The agent, by the name of its format, or as the file names it where the format is of several.
    pub agent: String,
    /// The version of the agent's program; null where the file does not say.
    pub agent_version: Option<String>,
    /// The name of the folder that the agent worked in.
    pub project: Option<String>,
    /// The git branch that it worked on.
    pub git_branch: Option<String>,
    /// How the current branch ended; null where nothing on it is part of the work.
    pub ended: Option<Ending>,
    /// The last words of the model on the current branch, at most 300 UTF-16 units.
    pub ended_text: Option<String>,
    /// The ids of the sessions that this one goes on in; its totals are a part of theirs.
    pub continued_in: Vec<String>,
    /// What the current branch and its sub-agents did to the world.
    pub landmarks: Vec<LandmarkReport>,
    /// What failed on them.
    pub failure_list: Vec<FailureReport>,
    /// What was stopped on them.
    pub stop_list: Vec<StopReport>,
    /// The entry after which `total` and `branches` count; null where they count everything.
    pub since: Option<SinceReport>,
    /// Every entry once, those of all branches and of the sessions that entries started.
    pub total: Figures,
    /// The path to each leaf of the session itself: the current one first, then the newest first.
    /// What branches share is in each of them, so they add up to more than the total.
    pub branches: Vec<BranchStats>,
    /// Every entry of each session that an entry started, without those within it; all are in
    /// the total too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_sessions: Vec<SubSessionStats>,
}

/// Where counting begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SinceReport {
    /// The entry's key.
    pub entry_id: String,
    /// Whether it is on the current branch. Nothing is counted where it is not.
    pub on_current_branch: bool,
}

/// Figures of one branch.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BranchStats {
    /// The leaf's key.
    pub id: String,
    /// The last label since the branch parted from the others.
    pub label: Option<String>,
    /// Whether the session stands at this leaf.
    pub current: bool,
    /// How the branch ended; null where nothing on it is part of the work.
    pub ended: Option<Ending>,
    /// The last words of the model on the branch, at most 300 UTF-16 units.
    pub ended_text: Option<String>,
    /// The files that edits of the branch and of its sub-agents changed.
    pub files: Vec<EditedFileReport>,
    /// How many entries of the path other branches have too.
    pub shared_entries: usize,
    /// What these spent.
    pub shared_usage: UsageReport,
    /// Figures of the whole path.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Figures of a session within the session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubSessionStats {
    /// The beginning of its entries' keys.
    pub id: String,
    /// The kind of agent, where it is known.
    pub agent: Option<String>,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Counts and sums over some entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Figures {
    /// How many entries.
    pub entries: usize,
    /// How many prompts.
    pub prompts: usize,
    /// How many responses of a model.
    pub turns: usize,
    /// How many tool calls are in them.
    pub tool_calls: usize,
    /// How many calls, responses, commands of the user and runs failed.
    pub failures: usize,
    /// How many responses and calls were stopped.
    pub stops: usize,
    /// How many compactions.
    pub compactions: usize,
    /// Tokens and cost.
    pub usage: UsageReport,
    /// The earliest time.
    pub first: Option<String>,
    /// The latest time.
    pub last: Option<String>,
    /// Milliseconds between the two, 0 or more.
    pub elapsed_ms: Option<i64>,
    /// Milliseconds from prompts to the last answer or result they led to: without the time in
    /// which the agent waited for a person, and without that of going on from an entry a second
    /// time. Sub-sessions work while the session waits for them and add nothing to its own.
    pub worked_ms: i64,
    /// By tool, the most called first.
    pub tools: Vec<ToolFigures>,
    /// By model, the one with most answers first.
    pub models: Vec<ModelFigures>,
}

/// How often a tool was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolFigures {
    /// The tool.
    pub name: String,
    /// How many calls of it.
    pub calls: usize,
    /// How many of its results are errors.
    pub failures: usize,
}

/// How often a model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelFigures {
    /// Who serves the model; empty where unknown.
    pub provider: String,
    /// The model's id there.
    pub model_id: String,
    /// How many responses of it.
    pub turns: usize,
}

/// Tokens by kind, and dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UsageReport {
    /// Tokens sent that no cache held.
    #[serde(serialize_with = "whole")]
    pub input: f64,
    /// Tokens the model wrote.
    #[serde(serialize_with = "whole")]
    pub output: f64,
    /// Tokens read from a cache.
    #[serde(serialize_with = "whole")]
    pub cache_read: f64,
    /// Tokens written to a cache.
    #[serde(serialize_with = "whole")]
    pub cache_write: f64,
    /// US dollars as stated or computed, to a millionth.
    pub cost: f64,
    /// The part of them, in US dollars, that was computed from prices; left out of the JSON where it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub computed_cost: f64,
}

/// Sums of decimal fractions leave dust behind.
fn to_a_millionth(dollars: f64) -> f64 {
    (dollars * 1e6).round() / 1e6
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Tokens are whole in every file that is not hand-made; such are printed as they are.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(crate) fn whole<S: Serializer>(tokens: &f64, out: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9e15;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    if tokens.fract() == 0.0 && tokens.abs() < EXACT {
        return out.serialize_i64(*tokens as i64);
    }
    out.serialize_f64(*tokens)
}

/// The same, and null for what is not known.
#[expect(clippy::ref_option, reason = "serde calls it so")]
pub(super) fn whole_if_known<S: Serializer>(
    tokens: &Option<f64>,
    out: S,
) -> Result<S::Ok, S::Error> {
    match tokens {
        Some(tokens) => whole(tokens, out),
        None => out.serialize_none(),
    }
}

impl ModelFigures {
    /// `provider/id`, or the id alone where nobody says who serves it.
    pub fn name(&self) -> String {
        let ModelFigures { provider, model_id, .. } = self;
        if provider.is_empty() { model_id.clone() } else { format!("{provider}/{model_id}") }
    }
}

impl UsageReport {
    pub(super) fn of(usage: &Usage) -> UsageReport {
        UsageReport {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            cost: to_a_millionth(usage.cost),
            computed_cost: to_a_millionth(usage.computed),
        }
    }
}

impl UsageReport {
    /// The same as the session's own figures.
    pub fn usage(&self) -> Usage {
        let UsageReport { input, output, cache_read, cache_write, cost, computed_cost } = *self;
        Usage { input, output, cache_read, cache_write, cost, computed: computed_cost }
    }
}

impl Figures {
    pub(super) fn of(totals: &Totals, sums: &Sums, counts: &Counts) -> Figures {
        let tools = totals.tools.iter().zip(&counts.tools);
        let mut tools: Vec<ToolFigures> = tools
            .filter(|(_, (calls, failures))| calls + failures > 0)
            .map(|(name, &(calls, failures))| ToolFigures { name: name.clone(), calls, failures })
            .collect();
        tools.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.name.cmp(&b.name)));
        let models = totals.models.iter().zip(&counts.models).filter(|(_, turns)| **turns > 0);
        let mut models: Vec<ModelFigures> = models
            .map(|((provider, id), &turns)| ModelFigures {
                provider: provider.clone(),
                model_id: id.clone(),
                turns,
            })
            .collect();
        models.sort_by_key(|model| Reverse(model.turns));
        Figures {
            entries: sums.entries,
            prompts: sums.prompts,
            turns: sums.turns,
            tool_calls: sums.tool_calls,
            failures: sums.failures,
            stops: sums.stops,
            compactions: sums.compactions,
            usage: UsageReport::of(&sums.usage),
            first: sums.first.map(time::iso),
            last: sums.last.map(time::iso),
            elapsed_ms: sums.elapsed_ms(),
            worked_ms: sums.worked_ms,
            tools,
            models,
        }
    }
}

/// Figures of every entry, each once, with those of the sessions that entries started.
pub(crate) fn figures(session: &Session, digest: &Digest<'_>) -> Figures {
    let figures = |entries| {
        let (sums, counts) = digest.totals.over(EntryIndex::range(entries));
        Figures::of(&digest.totals, &sums, &counts)
    };
    let own = figures(0..session.own_len());
    // Sub-sessions work while the session waits for them, and an agent wrote their prompts.
    Figures { worked_ms: own.worked_ms, prompts: own.prompts, ..figures(0..session.len()) }
}

/// Counts what the session and each of its branches took, in linear time.
///
/// ```
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let stats = leafpress::report::stats(&session);
/// println!("{}", serde_json::to_string_pretty(&stats)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stats(session: &Session) -> StatsReport {
    let (digest, outline, edits) = edits::read(session);
    let totals = &digest.totals;
    let figures = |entries| {
        let (sums, counts) = totals.over(EntryIndex::range(entries));
        Figures::of(totals, &sums, &counts)
    };
    let total = self::figures(session, &digest);
    let sub_sessions = session.sub_sessions().iter().map(|sub| SubSessionStats {
        id: sub.key.clone(),
        agent: sub.agent.clone(),
        figures: figures(sub.places()),
    });
    let branches = crate::outline::branches(session, &outline, session.leaf());
    let paths = Paths::read(session, totals);
    let mut files = edits.by_leaf(session);
    let branches = branches.first().into_iter().flatten().filter_map(|branch| {
        let shared = branch.fork(session).map(|fork| paths.sums[fork.get()]).unwrap_or_default();
        let label = branch.labeled.and_then(|entry| session.label(entry));
        let (ended, ended_text) = how_and_text(ended(session, branch.leaf));
        let counts = paths.leaves.get(&branch.leaf)?;
        Some(BranchStats {
            id: session.key_at(branch.leaf),
            label: label.map(|label| label.text.clone()),
            current: branch.leaf == session.leaf(),
            ended,
            ended_text,
            files: files.remove(&branch.leaf).unwrap_or_default(),
            shared_entries: shared.entries,
            shared_usage: UsageReport::of(&shared.usage),
            figures: Figures::of(totals, &paths.sums[branch.leaf.get()], counts),
        })
    });
    let header = session.header();
    let (ended, ended_text) = how_and_text(ended(session, session.leaf()));
    let did = did::over(session, &digest, &session.tree().path(session.leaf()));
    StatsReport {
        title: title::title(session),
        since: None,
        agent: header.agent.clone().unwrap_or_else(|| session.format().name().to_owned()),
        agent_version: header.agent_version.clone(),
        project: header.project(),
        git_branch: header.git_branch.clone(),
        ended,
        ended_text,
        continued_in: header.continued_in.clone(),
        landmarks: did.landmarks,
        failure_list: did.failures,
        stop_list: did.stops,
        total,
        branches: branches.collect(),
        sub_sessions: sub_sessions.collect(),
    }
}

/// The same of the current branch alone, after `since`: of nothing where that entry is not on it.
/// `None` where the session has no such entry.
///
/// ```
/// use leafpress::report;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let since = session.find("a3b39216").expect("an entry has this id");
/// let stats = report::stats_since(&session, since).expect("it is of this session");
/// println!("{} tool calls since then", stats.total.tool_calls);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stats_since(session: &Session, since: EntryIndex) -> Option<StatsReport> {
    if !session.tree().has(since) {
        return None;
    }
    let mut report = stats(session);
    let leaf = session.leaf();
    let entries = session.path_since(leaf, Some(since));
    let (digest, _, edits) = edits::read(session);
    let (sums, counts) = digest.totals.over(entries.iter().copied());
    let on_current_branch = session.tree().is_on_path(since, leaf);
    report.since = Some(SinceReport { entry_id: session.key_at(since), on_current_branch });
    let did = did::over(session, &digest, &entries);
    (report.landmarks, report.failure_list) = (did.landmarks, did.failures);
    report.stop_list = did.stops;
    let ended = on_current_branch.then(|| ended_since(session, leaf, Some(since))).flatten();
    (report.ended, report.ended_text) = how_and_text(ended);
    report.total = Figures::of(&digest.totals, &sums, &counts);
    report.sub_sessions.clear();
    report.branches.retain(|branch| branch.current);
    for branch in &mut report.branches {
        branch.figures = report.total.clone();
        branch.files = edits.over(session, &entries);
        branch.ended = report.ended;
        branch.ended_text.clone_from(&report.ended_text);
        branch.shared_entries = 0;
        branch.shared_usage = UsageReport::of(&Usage::default());
    }
    Some(report)
}

/// How a branch ended, and the last words where it has some.
fn how_and_text(ended: Option<Ended>) -> (Option<Ending>, Option<String>) {
    let how = ended.as_ref().map(|ended| ended.how);
    (how, ended.map(|ended| ended.text.text).filter(|text| !text.is_empty()))
}

/// Sums from the root to each entry, and counts to each leaf, of the session itself.
struct Paths {
    sums: Vec<Sums>,
    leaves: HashMap<EntryIndex, Counts>,
}

impl Paths {
    /// Counts grow and shrink along one walk: a map for each entry would be quadratic.
    fn read(session: &Session, totals: &Totals) -> Paths {
        let tree = session.tree();
        let sums = totals.down(session);
        let mut leaves = HashMap::new();
        let mut counts = totals.counts();
        let mut way: Vec<EntryIndex> = Vec::new();
        for entry in tree.order().filter(|&entry| tree.session_of(entry) == 0) {
            while let Some(top) = way.pop_if(|top| Some(*top) != tree.parent(entry)) {
                counts.take(totals.of(top));
            }
            way.push(entry);
            counts.add(totals.of(entry));
            if tree.children(entry).len() == 0 {
                leaves.insert(entry, counts.clone());
            }
        }
        Paths { sums, leaves }
    }
}
