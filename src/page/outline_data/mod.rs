//! The outline as data for the page's script: columns over the entries in
//! document order, which is depth first, so a subtree is a range.
//!
//! Entries are numbered in that order, and each column holds one fact of each of them (`columns.rs`); a column
//! without a fact is left out. Read `OutlineData`, then `outline_data`, which fills it. The script reads it in
//! `static/js/outline/`: a change here is one there. Columns pack far better than objects, and the tree is on the
//! screen before any entry is unpacked.

mod bits;
mod columns;
mod context;
mod drawn;
mod sessions;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::content::work::Work;
use crate::outline::{Filter, LeafBranch, Outline, TEXT_UNITS, branches};
use crate::render::{Html, Renderer};
use crate::session::action::names::Tool;
use crate::session::context::Facts;
use crate::session::ending::{self, Befores, Ended};
use crate::session::invisible::marked;
use crate::session::landmarks::LandmarkKind;
use crate::session::over_time::Call;
use crate::session::story::{Run, Story, TurnRole};
use crate::session::text::{path_within, short_path};
use crate::session::title;
use crate::session::totals::Totals;
use crate::session::usage::Usage;
use crate::session::{EntryIndex, Kind, NamedFile, Session, key};

use bits::outline::{
    COMMIT, COMPACTION, FAILED, FORK, LANDMARK, NOTABLE, PROMPT, PULL_REQUEST, PUSH, RESPONSE,
    STOPPED, TEST_RUN, TESTS_FAILED, WITHOUT_TEXT,
};
use columns::{Column, Number, Numbers, Table, number, numbered};
use context::{ContextData, context_data};
use drawn::drawn;
use sessions::{SessionData, sessions};

use super::View;
use super::chunk_layout::ChunkLayout;
use super::wire::packed;
use super::wire::source_lines::Lines;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutlineData<'a> {
    v: u32,
    keys: Column<'a, String>,
    ids: Vec<(Number, String)>,
    parent: Column<'a, Number>,
    newest: Column<'a, Number>,
    time: Column<'a, Option<i64>>,
    lines: Column<'a, u32>,
    leaf: Number,
    target: Number,
    filter: &'static str,
    /// Whether `leafpress label` can label its entries.
    keeps_labels: bool,
    text: Column<'a, &'a str>,
    labels: Vec<(Number, &'a str)>,
    /// How the labels are drawn that hold invisible characters.
    drawn_labels: Vec<(Number, String)>,
    modes: Column<'a, u32>,
    words: Vec<usize>,
    word_table: Vec<&'a str>,
    kinds: Vec<&'static str>,
    kind: Vec<usize>,
    marks: Column<'a, u32>,
    /// What each entry is to its turn, as `role_number` gives it.
    roles: Column<'a, u32>,
    /// About how many lines the text of each takes on a wide screen.
    text_lines: Column<'a, usize>,
    /// How many more it takes on a phone.
    phone_lines: Column<'a, usize>,
    /// How far before an entry the first of its run of steps stands, plus 1; 0 for one in no run.
    runs: Column<'a, usize>,
    /// The first entries of the runs that hold no step, which stay folded at every level of detail.
    asides: Vec<Number>,
    /// The first entries of runs, with what [`Work::counts`] counts, without the zeros at the end.
    steps: Vec<(Number, Vec<usize>)>,
    /// What rows say of what an entry did to the world, beside steps that are collapsed: an icon, and words.
    events: Vec<(Number, (&'a str, String))>,
    /// Entries that are worth a look, with the words for why.
    notable: Vec<(Number, String)>,
    /// The same as `runs` for entries that no person ever saw.
    quiet: Column<'a, usize>,
    /// The first of such entries that belong to a call, and the result whose card has their line.
    cards: Vec<(Number, Number)>,
    tool_names: Vec<&'a str>,
    /// The icon of each of these tools.
    tool_icons: Vec<&'static str>,
    tools: Vec<(Number, Vec<usize>)>,
    label_times: Vec<(Number, i64)>,
    context: ContextData<'a>,
    /// The session of each entry; nothing where there is only one.
    session: Vec<usize>,
    sessions: Vec<SessionData<'a>>,
    /// The first entry of each pack.
    packs: Vec<Number>,
    /// The branches of each session, in the order of their list.
    branches: Vec<Vec<BranchData>>,
    /// What branches are named by, where that is not the text of the row.
    excerpts: Vec<(Number, String)>,
    /// Each state that a branch ended in, with its words.
    endings: Vec<EndingData>,
    /// Paths of files, and which of them each call has read (twice the place in the list) or changed (that plus 1); only
    /// where a session has several branches.
    files: Vec<String>,
    touched: Vec<(Number, Vec<usize>)>,
    /// The calls of all branches that report tokens, where any does.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<CallData>,
    /// What the path to each fork and leaf spent, where anything was and a session has several branches.
    spent: Vec<(Number, Vec<f64>)>,
}

/// Calls by their entries, and of each the tokens: in, read from a cache, written to one, out; and the model's window, 0
/// where none is known, unless none is known of any.
#[derive(Serialize)]
struct CallData {
    entries: Vec<Number>,
    tokens: Vec<Vec<u64>>,
}

/// What an entry takes in the JSON, about: a text that grows as it is written lies in memory twice.
const ENTRY_BYTES: usize = 192;

/// How a branch ended: its name, its sign, its words, and what came right before.
type EndingData = (&'static str, &'static str, String);

/// A leaf, how many entries no other branch has, the one with the last words, the one with the last label, the first prompt
/// of its own, the last entry of the work, the place in `endings` of how it ended; the last two are -1 without any.
type BranchData = (Number, usize, Number, Number, Number, Number, Number);

/// The outline as packed JSON. Its strings are drawn as they stand, but for labels, which are
/// searched, and ids.
pub(super) fn outline_data<'a>(
    session: &'a Session,
    outline: &'a Outline,
    (facts, totals, story): (&Facts<'_>, &Totals, &Story),
    view: &View,
    layout: &ChunkLayout,
    (calls, renderer): (&[Call], &Renderer<'_>),
) -> Html {
    let numbers = Numbers { session };
    let lines = Lines::new(session);
    let order: Vec<EntryIndex> = session.tree().order().collect();
    let tree = session.tree();
    let mut words = Table::default();
    let mut kinds = Table::default();
    let mut tool_names: Table<&'a str> = Table::default();
    let mut files: Table<String> = Table::default();
    let mut endings = Table::default();
    let branches =
        branch_data(session, outline, view, &numbers, (&mut endings, renderer.befores()));
    let data = OutlineData {
        v: 1,
        keys: Column::new(&order, |entry| session.key_at(entry)),
        ids: ids(session, &numbers, &order),
        parent: Column::new(&order, |entry| numbers.or_none(tree.parent(entry))),
        newest: Column::new(&order, |entry| numbers.of(tree.newest_leaf_below(entry))),
        time: Column::new(&order, |entry| session.time(entry)),
        lines: Column::new(&order, |entry| lines.of(entry)),
        leaf: numbers.of(view.leaf),
        target: numbers.or_none(view.target),
        filter: view.filter.name(),
        keeps_labels: session.format().keeps_labels(),
        text: Column::new(&order, |entry| outline.row(entry).text.as_str()),
        labels: numbered(
            order.iter().map(|&entry| session.label(entry).map(|label| label.text.as_str())),
        ),
        drawn_labels: drawn(
            order.iter().map(|&entry| session.label(entry).map(|label| label.text.as_str())),
        ),
        modes: Column::new(&order, |entry| modes(session, outline, entry)),
        words: order.iter().map(|&entry| words.number(outline.row(entry).words.as_str())).collect(),
        word_table: words.values,
        kind: order.iter().map(|&entry| kinds.number(outline.row(entry).kind.name())).collect(),
        kinds: kinds.values,
        marks: Column::new(&order, |entry| marks(session, outline, renderer.work(), entry)),
        roles: Column::new(&order, |entry| role_number(story.role(entry))),
        text_lines: Column::new(&order, |entry| outline.row(entry).lines[0]),
        phone_lines: Column::new(&order, |entry| {
            let [wide, phone] = outline.row(entry).lines;
            phone - wide
        }),
        runs: distances(session, &order, |entry| Some(story.run_of(entry)?.entries[0])),
        asides: asides(session, story, &numbers),
        steps: numbered(order.iter().map(|&entry| {
            let run = story.run_of(entry).filter(|run| run.entries[0] == entry)?;
            let mut counts = renderer.work().counts(run).to_vec();
            counts.truncate(counts.iter().rposition(|&count| count > 0)? + 1);
            Some(counts)
        })),
        events: numbered(order.iter().map(|&entry| {
            let event = outline.event(entry)?;
            Some((event.icon, marked(&event.words).into_owned()))
        })),
        notable: numbered(order.iter().map(|&entry| {
            let titles =
                renderer.work().notable(&[entry]).into_iter().map(|(what, _)| what.title());
            Some(titles.collect::<Vec<_>>().join(", ")).filter(|words| !words.is_empty())
        })),
        quiet: distances(session, &order, |entry| story.quiet_of(entry)),
        cards: numbered(order.iter().map(|&entry| {
            story.quiet_of(entry).filter(|&first| first == entry)?;
            story.card_of(entry).map(|card| numbers.of(card))
        })),
        tools: numbered(order.iter().map(|&entry| {
            let tools = &outline.row(entry).tools;
            let number = |name: &'a String| tool_names.number(name.as_str());
            (!tools.is_empty()).then(|| tools.iter().map(number).collect())
        })),
        tool_icons: tool_names.values.iter().map(|name| Tool::of(name).icon()).collect(),
        tool_names: tool_names.values,
        label_times: numbered(order.iter().map(|&entry| session.label(entry)?.time)),
        context: context_data(&numbers, &order, facts),
        session: if session.sub_sessions().is_empty() {
            Vec::new()
        } else {
            order.iter().map(|&entry| tree.session_of(entry)).collect()
        },
        sessions: sessions(session, &numbers, renderer.work()),
        packs: layout.pack_starts().map(number).collect(),
        touched: touched(session, outline, &order, &mut files),
        files: files.values,
        excerpts: excerpts(session, outline, &order, &branches),
        branches,
        endings: endings.values,
        calls: call_data(&numbers, calls),
        spent: spent(session, totals, &order),
    };
    // Data of these types cannot fail.
    let mut json = Vec::with_capacity(order.len() * ENTRY_BYTES);
    let _ = serde_json::to_writer(&mut json, &data);
    drop(data);
    Html::trusted(packed::encode(&json))
}

fn touched(
    session: &Session,
    outline: &Outline,
    order: &[EntryIndex],
    files: &mut Table<String>,
) -> Vec<(Number, Vec<usize>)> {
    if !order.iter().any(|&entry| session.tree().branch(entry).count > 1) {
        return Vec::new();
    }
    numbered(order.iter().map(|&entry| {
        let touched = outline.touched(entry);
        let number = |file: &NamedFile| {
            let path = short_path(path_within(&file.path, &session.header().cwd));
            2 * files.number(marked(&path).into_owned()) + usize::from(file.changes)
        };
        (!touched.is_empty()).then(|| touched.iter().map(number).collect())
    }))
}

/// Runs of nothing but settings and state that no person saw.
fn asides(session: &Session, story: &Story, numbers: &Numbers<'_>) -> Vec<Number> {
    let is_aside = |run: &&Run| story.is_aside_run(session, run);
    story.runs().iter().filter(is_aside).map(|run| numbers.of(run.entries[0])).collect()
}

fn role_number(role: TurnRole) -> u32 {
    match role {
        TurnRole::Prompt => 0,
        TurnRole::Response => RESPONSE,
        TurnRole::Step => 2,
        TurnRole::Divider => 3,
    }
}

/// How far before each entry the one stands that `first` gives for it, plus 1; 0 for none.
fn distances<'a>(
    session: &'a Session,
    order: &'a [EntryIndex],
    first: impl Fn(EntryIndex) -> Option<EntryIndex> + 'a,
) -> Column<'a, usize> {
    let place = |entry| session.tree().position_at(entry);
    Column::new(order, move |entry| first(entry).map_or(0, |first| place(entry) - place(first) + 1))
}

/// What else the entries are called, in the form of their keys but as the files write it.
fn ids(session: &Session, numbers: &Numbers<'_>, order: &[EntryIndex]) -> Vec<(Number, String)> {
    let own = numbered(order.iter().map(|&entry| {
        let id = session.id_at(entry);
        let is_key = || id.bytes().all(key::is_plain);
        (session.sub_session_of(entry).is_none() && !is_key()).then(|| id.to_owned())
    }));
    let aliases =
        session.aliases().iter().map(|(alias, entry)| (numbers.of(*entry), alias.clone()));
    let within = session.sub_sessions().iter().flat_map(|sub| {
        sub.aliases().map(|(alias, entry)| {
            (numbers.of(entry), format!("{}/{}", sub.key, key::encode(alias)))
        })
    });
    let by_key = session.aliases().iter().filter_map(|(alias, entry)| {
        let key = key::encode(alias);
        (key != *alias).then(|| (numbers.of(*entry), key))
    });
    // The script takes the last of several.
    within.chain(by_key).chain(aliases).chain(own).collect()
}

fn branch_data(
    session: &Session,
    outline: &Outline,
    view: &View,
    numbers: &Numbers<'_>,
    (endings, befores): (&mut Table<EndingData>, &Befores),
) -> Vec<Vec<BranchData>> {
    // As the script tells where a session stands.
    let standing = if session.sub_sessions().is_empty() { view.leaf } else { session.leaf() };
    let mut data = |branch: &LeafBranch| {
        let LeafBranch { leaf, words, labeled, prompt, .. } = *branch;
        let ended = ending::ended(session, leaf);
        let how = ended.as_ref().map(|&Ended { how, .. }| {
            endings.number((how.name(), how.words(), befores.words(leaf, how)))
        });
        let own = branch.own_entries(session);
        (
            numbers.of(leaf),
            own,
            numbers.of(words),
            numbers.or_none(labeled),
            numbers.or_none(prompt),
            numbers.or_none(ended.map(|ended| ended.entry)),
            how.map_or(-1, number),
        )
    };
    let sessions = branches(session, outline, standing).into_iter();
    sessions.map(|branches| branches.iter().map(&mut data).collect()).collect()
}

/// Of the first prompts and the last responses of branches, where there are several: rows are cut without a sign, and
/// show Markdown as it is written.
fn excerpts(
    session: &Session,
    outline: &Outline,
    order: &[EntryIndex],
    branches: &[Vec<BranchData>],
) -> Vec<(Number, String)> {
    let of_several = branches.iter().filter(|branches| branches.len() > 1).flatten();
    let named = of_several.flat_map(|&(_, _, words, _, prompt, ..)| [words, prompt]);
    let named: BTreeSet<Number> = named.filter(|&number| number >= 0).collect();
    let excerpt = |number: Number| {
        let entry = *order.get(usize::try_from(number).ok()?)?;
        let words = title::excerpt(session, entry, TEXT_UNITS)?;
        let words = marked(&words).into_owned();
        (words != outline.row(entry).text).then_some((number, words))
    };
    named.into_iter().filter_map(excerpt).collect()
}

/// Two branches part at a fork and end at leaves: what either spent since is a difference of two.
fn spent(session: &Session, totals: &Totals, order: &[EntryIndex]) -> Vec<(Number, Vec<f64>)> {
    let tree = session.tree();
    if !order.iter().any(|&entry| tree.branch(entry).count > 1) {
        return Vec::new();
    }
    let down = totals.usage_down(session);
    numbered(order.iter().map(|&entry| {
        let Usage { input, output, cache_read, cache_write, cost, computed } = down[entry.get()];
        let mut told = vec![input, output, cache_read, cache_write, rounded(cost)];
        // Hardly a page has such: the column stands where there is something in it.
        told.extend(Some(rounded(computed)).filter(|computed| *computed > 0.0));
        (tree.children(entry).len() != 1 && told.iter().any(|&value| value > 0.0)).then_some(told)
    }))
}

fn call_data(numbers: &Numbers<'_>, calls: &[Call]) -> Option<CallData> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "amounts are plausible: positive and below 2^53"
    )]
    let column = |amount: fn(&Call) -> f64| calls.iter().map(|call| amount(call) as u64).collect();
    let mut tokens = vec![
        column(|call| call.usage.input),
        column(|call| call.usage.cache_read),
        column(|call| call.usage.cache_write),
        column(|call| call.usage.output),
    ];
    if calls.iter().any(|call| call.window.is_some()) {
        tokens.push(column(|call| call.window.unwrap_or_default()));
    }
    let entries: Vec<Number> = calls.iter().map(|call| numbers.of(call.entry)).collect();
    (!entries.is_empty()).then_some(CallData { entries, tokens })
}

/// To a billionth of a dollar: sums of decimal fractions leave dust behind.
fn rounded(cost: f64) -> f64 {
    (cost * 1e9).round() / 1e9
}

fn modes(session: &Session, outline: &Outline, entry: EntryIndex) -> u32 {
    let row = outline.row(entry);
    let labeled = session.label(entry).is_some();
    let admits = |filter: &Filter| u32::from(filter.admits(row.membership, labeled));
    let bits = Filter::ALL.iter().zip(0..).map(|(filter, bit)| admits(filter) << bit);
    bits.sum()
}

fn marks(session: &Session, outline: &Outline, work: &Work<'_>, entry: EntryIndex) -> u32 {
    let row = outline.row(entry);
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    bit(row.kind == Kind::User, PROMPT)
        | bit(row.failed, FAILED)
        | bit(row.stopped, STOPPED)
        | bit(row.kind == Kind::Compaction, COMPACTION)
        | bit(session.tree().branch(entry).count > 1, FORK)
        | bit(row.membership.without_text, WITHOUT_TEXT)
        | bit(row.is_landmark, LANDMARK)
        | bit(work.have_tests_failed(entry), TESTS_FAILED)
        | row.landmarks.iter().fold(0, |bits, kind| {
            bits | match kind {
                LandmarkKind::Commit => COMMIT,
                LandmarkKind::Push => PUSH,
                LandmarkKind::PullRequest => PULL_REQUEST,
                LandmarkKind::Test => TEST_RUN,
                LandmarkKind::Notable(_) => NOTABLE,
            }
        })
}
