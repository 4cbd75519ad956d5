//! `leafpress list --families`: all sessions as trees, each entry counted once.

use std::io::{self, Write};

use anstyle::Style;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::catalog::{Catalog, Member, OwnFigures};
use crate::cli::error::Error;
use crate::figures::{money, short};
use crate::find::{CwdFilter, Wanted};
use crate::report::whole;
use crate::session::text::{count, counted, numbered};
use crate::session::time;
use crate::short_ids::ShortIds;

use super::catalog::{failed, with_catalog};
use super::clock::Clock;
use super::columns::{columns, shortened, wrapped};
use super::place::{self, Place};
use super::printable::{printable, working_directory};
use super::source::name;
use super::{message, output, progress};

/// Trees are drawn down to this depth. What is deeper stands there, too: a file can name a parent without end, and
/// readers of JSON give up early.
const DEEPEST: usize = 40;

/// Which families are shown, and how.
pub(super) struct Shown {
    /// A family is shown whole where one of its sessions is of this agent and directory.
    pub(super) wanted: Wanted,
    pub(super) limit: usize,
    pub(super) clock: Clock,
    pub(super) json: bool,
}

impl Shown {
    pub(super) fn run(self) -> Result<(), Error> {
        let folder = Place::Data.folder().ok_or(Error::NoDataDirectory)?;
        with_catalog(&folder, |catalog, update| {
            // A part of the sessions would be wrong sums.
            update.run(catalog, progress::reporter(), None).map_err(failed(&folder))?;
            self.show(catalog)
        })
    }

    fn show(&self, catalog: &Catalog) -> Result<(), Error> {
        let members = catalog.sessions().map_err(failed(catalog.folder()))?;
        progress::clear();
        let mut forest = Forest::of(&members);
        forest.keep(&self.wanted);
        let totals = Totals::of(forest.roots.iter().flat_map(|&root| forest.all_of(root)));
        let shown = &forest.roots[..forest.roots.len().min(self.limit)];
        if self.json {
            let families = shown.iter().map(|&root| FamilyReport::new(&forest, root)).collect();
            return output::json(&Report { total: forest.roots.len(), totals, families });
        }
        if forest.roots.is_empty() {
            let none = Error::no_session(&place::env(), self.wanted.clone());
            message::warning(&none.to_string(), None);
            return Ok(());
        }
        let ids = members.iter().map(|member| member.session.facts.id.clone());
        let ids = ShortIds::of_names(ids.collect());
        output::to_person(|out| {
            let mut printer = Printer { forest: &forest, ids: &ids, clock: &self.clock, out };
            shown.iter().try_for_each(|&root| printer.session(root, "", ""))?;
            printer.sums(shown.len(), &totals)
        })
    }
}

/// The families as trees, to be drawn.
struct Forest<'m> {
    members: &'m [Member],
    /// The one with the newest session first.
    roots: Vec<usize>,
    /// The same of the sessions below each one.
    children: Vec<Vec<usize>>,
}

impl<'m> Forest<'m> {
    fn of(members: &'m [Member]) -> Forest<'m> {
        let (mut roots, mut below) = (Vec::new(), vec![Vec::new(); members.len()]);
        // Members come the newest first, so a family is met first by its newest one, and so is each part of it.
        let mut is_met = vec![false; members.len()];
        for start in 0..members.len() {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| !is_met[at]) {
                is_met[at] = true;
                next = members[at].parent;
                match next {
                    Some(parent) => below[parent].push(at),
                    None => roots.push(at),
                }
            }
        }
        let mut children = vec![Vec::new(); members.len()];
        let mut open: Vec<(usize, Option<usize>, usize)> =
            roots.iter().map(|&root| (root, None, 0)).collect();
        while let Some((at, above, depth)) = open.pop() {
            if let Some(above) = above {
                let children: &mut Vec<usize> = &mut children[above];
                children.push(at);
            }
            let place = |&child| match above {
                Some(above) if depth == DEEPEST => (child, Some(above), depth),
                _ => (child, Some(at), depth + 1),
            };
            open.extend(below[at].iter().rev().map(place));
        }
        Forest { members, roots, children }
    }

    /// Keeps the families with a session that is wanted.
    fn keep(&mut self, wanted: &Wanted) {
        let folder = wanted.cwd.as_deref().map(CwdFilter::new);
        let is_wanted = |member: &Member| {
            let facts = &member.session.facts;
            wanted.agent.is_none_or(|agent| agent.name() == facts.agent)
                && folder.as_ref().is_none_or(|folder| folder.is(Some(&facts.cwd)))
        };
        let mut roots = std::mem::take(&mut self.roots);
        roots.retain(|&root| self.all_of(root).any(is_wanted));
        self.roots = roots;
    }

    /// All sessions of a family.
    fn all_of(&self, root: usize) -> impl Iterator<Item = &'m Member> {
        let mut open = vec![root];
        std::iter::from_fn(move || {
            let at = open.pop()?;
            open.extend(&self.children[at]);
            Some(&self.members[at])
        })
    }
}

/// Sums in which each entry is counted once.
#[derive(Debug, Default, Serialize)]
struct Totals {
    sessions: usize,
    #[serde(flatten)]
    figures: FiguresReport,
}

impl Totals {
    fn of<'m>(members: impl Iterator<Item = &'m Member>) -> Totals {
        let (mut sessions, mut sum) = (0, OwnFigures::default());
        for member in members {
            sessions += 1;
            sum.add(member.figures());
        }
        Totals { sessions, figures: FiguresReport::of(sum) }
    }
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct FiguresReport {
    prompts: usize,
    failures: usize,
    stops: usize,
    #[serde(serialize_with = "whole")]
    tokens: f64,
    cost: f64,
    worked_ms: i64,
}

impl FiguresReport {
    fn of(figures: OwnFigures) -> FiguresReport {
        let OwnFigures { prompts, failures, stops, tokens, cost, worked, .. } = figures;
        // Sums of decimal fractions leave dust behind.
        let cost = (cost * 1e6).round() / 1e6;
        FiguresReport { prompts, failures, stops, tokens, cost, worked_ms: worked }
    }

    /// `3 prompts, 12k tokens, $0.42`.
    fn words(&self) -> String {
        let tokens = (self.tokens > 0.0).then(|| format!("{} tokens", short(self.tokens)));
        let cost = Some(money(self.cost)).filter(|cost| !cost.is_empty());
        let words = [Some(counted(self.prompts, "prompt")), tokens, cost];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The JSON of `list --families --json`.
#[derive(Debug, Serialize)]
struct Report<'m> {
    total: usize,
    totals: Totals,
    families: Vec<FamilyReport<'m>>,
}

#[derive(Debug, Serialize)]
struct FamilyReport<'m> {
    totals: Totals,
    sessions: [SessionReport<'m>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionReport<'m> {
    agent: &'m str,
    path: String,
    id: &'m str,
    title: &'m str,
    project: Option<&'m str>,
    started: Option<String>,
    latest: Option<String>,
    #[serde(flatten)]
    figures: FiguresReport,
    own: Option<FiguresReport>,
    children: Vec<SessionReport<'m>>,
}

impl<'m> FamilyReport<'m> {
    fn new(forest: &Forest<'m>, root: usize) -> FamilyReport<'m> {
        let totals = Totals::of(forest.all_of(root));
        FamilyReport { totals, sessions: [SessionReport::new(forest, root)] }
    }
}

impl<'m> SessionReport<'m> {
    fn new(forest: &Forest<'m>, at: usize) -> SessionReport<'m> {
        let member = &forest.members[at];
        let facts = &member.session.facts;
        let children = &forest.children[at];
        SessionReport {
            agent: &facts.agent,
            path: member.session.address().display().to_string(),
            id: &facts.id,
            title: &facts.title,
            project: facts.project.as_deref(),
            started: facts.started.map(time::iso),
            latest: facts.latest.map(time::iso),
            figures: FiguresReport::of(OwnFigures::of(facts)),
            own: member.own.map(FiguresReport::of),
            children: children.iter().map(|&child| SessionReport::new(forest, child)).collect(),
        }
    }
}

struct Printer<'p> {
    forest: &'p Forest<'p>,
    ids: &'p ShortIds,
    clock: &'p Clock,
    out: &'p mut dyn Write,
}

impl Printer<'_> {
    /// Two lines for a session, those of the sessions below it behind them.
    fn session(&mut self, at: usize, first: &str, next: &str) -> io::Result<()> {
        let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
        let columns = columns();
        let member = &self.forest.members[at];
        let children = &self.forest.children[at];
        let facts = &member.session.facts;
        let time = facts.latest.and_then(|ms| self.clock.minute(ms)).unwrap_or_default();
        let start = format!("{time:16}  {:11}  ", facts.agent);
        let room = columns.saturating_sub(first.width() + start.width());
        let title = shortened(&printable(&facts.title), room);
        writeln!(self.out, "{dim}{first}{dim:#}{start}{bold}{title}{bold:#}")?;
        let figures = match member.own {
            Some(own) if own == OwnFigures::default() => "a copy".to_owned(),
            Some(own) => format!("adds {}", FiguresReport::of(own).words()),
            None => FiguresReport::of(member.figures()).words(),
        };
        let folder = working_directory(Some(&facts.cwd));
        let name = name(&member.session, self.ids);
        let down = if children.is_empty() { "  " } else { "│ " };
        let line = format!("{next}{down}{name}  {figures}, {folder}");
        writeln!(self.out, "{dim}{}{dim:#}", shortened(&line, columns))?;
        for (nth, &child) in (1..).zip(children) {
            let (sign, bar) = if nth < children.len() { ("├ ", "│ ") } else { ("└ ", "  ") };
            self.session(child, &format!("{next}{sign}"), &format!("{next}{bar}"))?;
        }
        Ok(())
    }

    fn sums(&mut self, shown: usize, totals: &Totals) -> io::Result<()> {
        let dim = Style::new().dimmed();
        let all = numbered(self.forest.roots.len(), "family", "families");
        let sums = [
            format!("{} of {all}, {}", count(shown), self.clock.note()),
            format!("{}, {}", counted(totals.sessions, "session"), totals.figures.words()),
            "entries that sessions share are counted once".to_owned(),
        ];
        for line in wrapped(&sums, "; ", columns()) {
            writeln!(self.out, "{dim}{line}{dim:#}")?;
        }
        Ok(())
    }
}
