//! The page: shell, outline and articles in one HTML document.

mod asked;
mod assets;
mod changes;
mod chunk_layout;
mod damages;
mod fragments;
mod head;
mod markdown_data;
mod options;
mod outline_data;
mod redacted;
mod redaction;
mod relative;
mod shell;
mod sizes;
mod stats;
mod story;
mod theme;
#[doc(hidden)]
pub mod wire;
mod writer;

use std::{io, thread};

use memchr::memmem;

pub use crate::content::Detail;
use crate::content::work::{Step, Work};
use crate::markdown::pieces::Pieces;
use crate::outline::{self, Outline};
use crate::progress::{Steps, Task};
use crate::render::{Allowances, Renderer};
use crate::session::context::Context;
use crate::session::digest::Digest;
use crate::session::invisible::marked;
use crate::session::over_time;
use crate::session::title;
use crate::session::totals::Totals;
use crate::session::{EntryIndex, Session};
use crate::workers::{Later, Threads};

#[cfg(feature = "seal")]
pub(crate) use assets::BOOT;
#[cfg(feature = "cli")]
pub(crate) use assets::source_hash;
use assets::{Assets, Parts};
use changes::versions::Versions;
use chunk_layout::ChunkLayout;
use damages::Damages;
use fragments::Fragments;
use head::Head;
pub use options::Options;
use options::View;
#[cfg(feature = "cli")]
pub(crate) use options::leaf_on_show;
use redacted::Redacted;
#[cfg(feature = "cli")]
pub(crate) use redaction::within as redacted_within;
pub use relative::{Relation, Relative};
use shell::{ShellHead, ShellOutline};
pub use sizes::Sizes;
use story::{Placing, PlainStory};
pub use theme::{Theme, ThemeError};
use wire::source::Source;
use wire::source_lines::PackedLines;
use writer::PageWriter;

/// Writes a session as one standalone HTML page, and says what it is made of.
///
/// It writes what the session has, and neither redacts nor warns about secrets:
///
/// * [`redact::read`](crate::redact::read) reads a session whose secrets are replaced.
/// * [`report::secrets`](crate::report::secrets) lists what looks like a secret.
/// * [`Options::without_source`] leaves the session file out of the page, and [`cut`](mod@crate::cut) removes parts.
///
/// # Errors
/// Those of `out`, and [`InvalidInput`](io::ErrorKind::InvalidInput) where the session has no such leaf or target.
///
/// ```
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let mut page = Vec::new();
/// let sizes = leafpress::export(&session, &leafpress::Options::default(), &mut page)?;
/// assert_eq!(sizes.total(), page.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(session: &Session, options: &Options, out: impl io::Write) -> io::Result<Sizes> {
    export_on(session, options, Threads::available(), out)
}

/// The same on so many threads; the page does not depend on their number.
fn export_on(
    session: &Session,
    options: &Options,
    threads: Threads,
    out: impl io::Write,
) -> io::Result<Sizes> {
    let (digest, outline, steps) = outline::read_with(session, threads, Step::of);
    let work = Work::new(session, &digest, steps);
    export_read(session, options, threads, (&digest, &outline, work), out)
}

/// The same of a session that was read for the catalog, too.
pub(crate) fn export_read<'a>(
    session: &'a Session,
    options: &Options,
    threads: Threads,
    (digest, outline, work): (&'a Digest<'a>, &Outline, Work<'a>),
    out: impl io::Write,
) -> io::Result<Sizes> {
    let view = View::new(session, options)?;
    let Digest { facts, story, totals, .. } = digest;
    // Of a long path the messages would take much memory to the end.
    let context = Context { messages: Vec::new(), ..facts.context(Some(view.leaf)) };
    let renderer = renderer(session, options, (digest, work), &context.path, threads);
    let placing = Placing::new(session, &context);
    let (told, layout) = laid_out(session, options, &mut renderer.twin(), &placing, &context);
    // Those of all branches: the path to any leaf has its own among them.
    let reported = over_time::calls(session, digest, &session.tree().order().collect::<Vec<_>>());
    let (twin, outline, view, layout) = (renderer.twin(), outline, &view, &layout);
    thread::scope(|scope| {
        let data = Later::begin(scope, threads, {
            let (known, calls) = ((facts, totals, story), &reported[..]);
            move || {
                outline_data::outline_data(session, outline, known, view, layout, (calls, &twin))
            }
        });
        let packed_lines = if options.without_source {
            PackedLines::default()
        } else {
            PackedLines::new(session, layout, threads)
        };
        let source = (!options.without_source).then(|| Source::new(session, &packed_lines));
        let child_sources =
            source.as_ref().and_then(|_| Source::of_children(session, &packed_lines));
        let sources = [("source", &source), ("child-sources", &child_sources)];
        let sources = sources.iter().filter_map(|(id, source)| Some((*id, source.as_ref()?)));
        let pieces = Pieces::new(session, digest, renderer.work().clone());
        let edited = renderer.work().changes();
        let (versions, texts) = Versions::new(edited);
        let fragments = Fragments::new(
            session,
            outline,
            layout,
            (&packed_lines, &pieces, &texts),
            (&placing, told),
            &renderer,
            threads,
        );
        let chunks = sources.clone().map(|(_, source)| source.chunks()).sum::<usize>();
        let chunks = fragments.chunk_count() + chunks;
        let steps = Steps::new(options.progress.clone(), Task::Write, chunks);
        let has_changes = edited.has_edits();
        // Made beside the articles.
        let changes = has_changes.then(|| {
            let work = renderer.work().clone();
            let (leaf, highlight) = (view.leaf, options.highlight);
            Later::begin(scope, threads, move || {
                let changes = work.changes();
                changes::changes_data(session, changes, (digest, &work), leaf, highlight, threads)
            })
        });
        let parts = Parts::of(session, !reported.is_empty(), has_changes);
        let assets = Assets::new(options.theme.as_ref(), parts, has_formula_tables(session));
        let title = marked(&title(session, options.title.as_deref())).into_owned();
        let head = Head::new(session, digest, &renderer, (view.leaf, title.clone()));
        let redacted = redacted(session, options);
        let is_private = options.sealed || redacted.is_some();
        let path_plain = context.path.iter().filter(|&&entry| layout.is_plain(entry)).count();
        let mut page = PageWriter::new(out, &fragments, &steps);
        page.head(&ShellHead {
            title: &title,
            head: &head,
            tab_title: options.sealed.then_some(SEALED_TITLE),
            description: (!is_private).then(|| description(session, totals)),
            csp: assets.content_security_policy(options.index.is_some()),
            version: env!("CARGO_PKG_VERSION"),
            format: wire::FORMAT,
            assets: &assets,
            detail: options.detail.name(),
            total: session.entries_beside(view.leaf).len(),
            path_plain,
            asked: asked::list(session, story, layout, &context.path),
            has_changes,
            has_source: !options.without_source,
            index: options.index,
            facts: stats::facts(session, view, totals),
            notes: notes(session, options, redacted.as_ref()),
            family: &options.family,
            lost: Damages::lost(session),
            repaired: Damages::repaired(session),
            redacted: redacted.filter(|redacted| !redacted.is_empty()),
            all_plain: options.all_plain,
        })?;
        let early = page.articles()?;
        // Made beside the first articles.
        let outline = &data;
        page.outline(&ShellOutline { head: &head, outline, assets: &assets })?;
        let grams = page.packs(early)?;
        page.grams(&grams)?;
        if let Some(changes) = &changes {
            page.changes(changes, |texts| changes.index(session, versions, texts))?;
        }
        page.markdown(|entries, out| markdown_data::write(session, &pieces, entries, out))?;
        for (id, source) in sources {
            page.source(id, source)?;
        }
        page.tail()
    })
}

/// Draws the entries of a page, whose colors are given to the path shown first.
fn renderer<'a>(
    session: &'a Session,
    options: &Options,
    (digest, work): (&'a Digest<'a>, Work<'a>),
    path: &[EntryIndex],
    threads: Threads,
) -> Renderer<'a> {
    let order = reading_order(session, path);
    let allowances = Allowances::new(options.highlight, session, &digest.calls, &order, threads);
    Renderer::with_work(session, digest, work, options.renderers.clone(), threads)
        .for_locked(options.sealed)
        .with_allowances(allowances)
}

/// What stands of the story in the document, nothing where every entry does, and where the others go.
fn laid_out(
    session: &Session,
    options: &Options,
    renderer: &mut Renderer<'_>,
    placing: &Placing<'_>,
    context: &Context<'_>,
) -> (Option<PlainStory>, ChunkLayout) {
    if options.all_plain {
        return (None, ChunkLayout::new(session, vec![true; session.len()]));
    }
    let story = PlainStory::new(session, renderer, placing, context);
    let layout = ChunkLayout::new(session, story.are_whole(session));
    (Some(story), layout)
}

/// Every entry once: the path shown, then the others.
fn reading_order(session: &Session, path: &[EntryIndex]) -> Vec<EntryIndex> {
    let mut is_on_path = vec![false; session.len()];
    for &entry in path {
        is_on_path[entry.get()] = true;
    }
    let others = session.tree().order().filter(|&entry| !is_on_path[entry.get()]);
    path.iter().copied().chain(others).collect()
}

/// Whether a formula of the session may have a table in it.
fn has_formula_tables(session: &Session) -> bool {
    let begins = |source: &[u8]| memmem::find(source, b"\\begin{").is_some();
    begins(session.source()) || session.sub_sessions().iter().any(|sub| begins(sub.source()))
}

/// The facts in one line.
fn description(session: &Session, totals: &Totals) -> String {
    let facts = stats::summary(session, totals);
    let values: Vec<_> = facts.iter().map(|fact| fact.value.as_str()).collect();
    marked(&values.join(" · ")).into_owned()
}

/// What the tab of a sealed page is called, before it is opened and after.
pub(crate) const SEALED_TITLE: &str = "Password-protected session";

/// The hashes of a page's own scripts, and of its styles, as a policy names them.
#[cfg(feature = "seal")]
pub(crate) fn own_blocks(theme: Option<&Theme>) -> (String, String) {
    assets::hashes(theme)
}

/// The title asked for, else the session's own.
fn title(session: &Session, asked: Option<&str>) -> String {
    let asked = asked.filter(|title| !title.trim().is_empty());
    asked.map_or_else(|| title::title(session), title::given)
}

/// Remarks for the page's head. Where no secret was found there is nothing to warn of.
fn notes<'a>(
    session: &'a Session,
    options: &'a Options,
    redacted: Option<&Redacted>,
) -> Vec<&'a str> {
    let is_empty = redacted.is_some_and(Redacted::is_empty);
    let none = is_empty.then_some("Secrets were looked for, and none was found.");
    let notes = session.notes().iter().chain(&options.notes).map(String::as_str);
    notes.chain(none).collect()
}

/// What the head says of the secrets that were replaced.
fn redacted(session: &Session, options: &Options) -> Option<Redacted> {
    options.redacted.as_ref().map(|report| Redacted::new(session, report))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::outline::Filter;
    use crate::progress::Progress;
    use crate::render::Highlight;

    /// A session with more code than its page has colors for.
    fn session() -> Session {
        let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        let mut parent = "null".to_owned();
        for nth in 0..600 {
            let code = format!("let x{nth} = 1;\\n").repeat(40);
            let _ = writeln!(
                file,
                "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":{parent},\"message\":\
                 {{\"role\":\"user\",\"content\":\"```rust\\n{code}```\"}}}}"
            );
            parent = format!("\"e{}\"", nth - nth % 7);
        }
        crate::read(file.into_bytes()).unwrap()
    }

    fn page(session: &Session, options: &Options, workers: usize) -> String {
        let mut page = Vec::new();
        export_on(session, options, Threads::of(workers), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    /// A person's commands, and a sub-agent that got a prompt in between.
    const WITH_AGENT: &str = concat!(
        r#"{"uuid":"a","parentUuid":null,"sessionId":"s","type":"user","timestamp":"2026-11-02T09:00:00Z","message":{"content":"/clear"}}"#,
        "\n",
        r#"{"uuid":"b","parentUuid":"a","sessionId":"s","type":"assistant","timestamp":"2026-11-02T09:00:01Z","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"Look around","description":"look"}}]}}"#,
        "\n",
        r#"{"uuid":"c","parentUuid":null,"sessionId":"s","isSidechain":true,"type":"user","timestamp":"2026-11-02T09:00:02Z","message":{"content":"Look around"}}"#,
        "\n",
        r#"{"uuid":"d","parentUuid":"c","sessionId":"s","isSidechain":true,"type":"assistant","timestamp":"2026-11-02T09:00:08Z","message":{"id":"n","content":[{"type":"text","text":"Seen."}]}}"#,
        "\n",
        r#"{"uuid":"e","parentUuid":"b","sessionId":"s","type":"user","timestamp":"2026-11-02T09:00:10Z","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"Seen."}]}}"#,
        "\n",
        r#"{"uuid":"f","parentUuid":"e","sessionId":"s","type":"user","timestamp":"2026-11-02T09:01:00Z","message":{"content":"/plan a page of boats"}}"#,
        "\n",
    );

    #[test]
    fn the_controls_have_a_button_for_each_filter_and_level() {
        let controls = include_str!("../../templates/controls.html");
        let buttons = |name: &str| controls.matches(&format!(" data-{name}=")).count();
        assert_eq!((buttons("filter"), buttons("detail")), (Filter::ALL.len(), Detail::ALL.len()));
        let filters =
            Filter::ALL.iter().map(|filter| format!(" data-filter=\"{}\"", filter.name()));
        let details =
            Detail::ALL.iter().map(|detail| format!(" data-detail=\"{}\"", detail.name()));
        for button in filters.chain(details) {
            assert_eq!(controls.matches(button.as_str()).count(), 1, "{button}");
        }
    }

    #[test]
    fn title_and_head_tell_what_a_person_asked() {
        let session = crate::read(WITH_AGENT.as_bytes().to_vec()).unwrap();
        assert_eq!(session.sub_sessions().len(), 1);
        let digest = Digest::read(&session);
        assert_eq!(title(&session, None), "/plan a page of boats");
        let Digest { totals, .. } = digest;
        let facts = stats::summary(&session, &totals);
        let of = |name: &str| facts.iter().find(|fact| fact.name.starts_with(name));
        assert_eq!(of("Prompts").unwrap().value, "2 prompts");
        assert_eq!(of("Time").unwrap().value, "10.0s");
    }

    #[test]
    fn the_page_does_not_depend_on_how_many_work_on_it() {
        let session = session();
        let alone = page(&session, &Options::default(), 1);
        assert!(alone.contains("id=\"pack-1\""));
        for workers in [2, 4] {
            assert!(page(&session, &Options::default(), workers) == alone, "{workers} workers");
        }
    }

    #[test]
    fn a_page_of_one_message_is_small() {
        let file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n\
             {\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"hello\"}}\n";
        let session = crate::read(file.as_bytes().to_vec()).unwrap();
        let bytes = page(&session, &Options::default(), 1).len();
        assert!(bytes <= 98_000, "{bytes} bytes");
    }

    /// The script of the band, its style and its data.
    #[test]
    fn the_band_is_only_where_tokens_are_reported() {
        let file = |usage: &str| {
            format!(
                "{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n\
                 {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":\
                 {{\"role\":\"assistant\",\"content\":[]{usage}}}}}\n"
            )
        };
        let page = |usage: &str| {
            page(&crate::read(file(usage).into_bytes()).unwrap(), &Options::default(), 1)
        };
        let outline = |page: &str| {
            let text = page.split("id=\"outline\">").nth(1).unwrap().split('<').next().unwrap();
            String::from_utf8(wire::packed::decode(text, 1 << 20).unwrap()).unwrap()
        };
        let program = |page: &str| {
            let text = page.split("id=\"program\">").nth(1).unwrap().split('<').next().unwrap();
            wire::packed::decode(text, 1 << 20).unwrap()
        };
        let (without, with) =
            (page(""), page(r#","usage":{"input":12,"cacheRead":30,"output":4}"#));
        assert_ne!(program(&without), program(&with));
        assert!(!outline(&without).contains("\"calls\":{"));
        let data = "\"calls\":{\"entries\":[0],\"tokens\":[[12],[30],[0],[4]]}";
        assert!(outline(&with).contains(data), "{}", outline(&with));
    }

    #[test]
    fn all_code_is_colored_unless_none_is_to_be() {
        let session = session();
        let page = |highlight| {
            let options = Options { highlight, all_plain: true, ..Options::default() };
            page(&session, &options, 2)
        };
        let colored = |page: &str| page.matches("<span class=\"k\">let").count();
        assert_eq!(colored(&page(Highlight::Fast)), 600 * 40);
        assert_eq!(colored(&page(Highlight::Full)), 600 * 40);
        assert_eq!(colored(&page(Highlight::None)), 0);
    }

    #[test]
    fn progress_comes_step_by_step_to_its_end() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let told_to = Arc::clone(&told);
        let tell = move |step| told_to.lock().unwrap().push(step);
        let options = Options { progress: Some(Progress::new(tell)), ..Options::default() };
        page(&session(), &options, 2);
        let told = told.lock().unwrap();
        let count = told.len();
        assert!(count > 5 && told.iter().map(|step| step.done).eq(1..=count), "{told:?}");
        assert!(told.iter().all(|step| (step.task, step.total) == (Task::Write, count)));
    }
}
