//! `leafpress stats`: counts tokens, cost and time of a session and its branches.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::cli::error::Error;
use crate::render::figures::{cost, counted, duration, tokens};
use crate::report::{self, Figures, StatsReport, UsageReport};
use crate::session::text::{counted_entries, shortened};

use super::branches::to_the_minute;
use super::did;
use super::input::{PricesArg, set_prices};
use super::printable::printable;
use super::{SessionArg, output};

/// What `leafpress stats` takes.
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    prices: PricesArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl StatsArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let prices = self.prices.read()?;
        let mut session = self.input.read()?;
        set_prices(&mut session, prices);
        let stats = report::stats(&session);
        if self.json {
            return output::json(&stats);
        }
        output::to_person(|out| print(&stats, out))
    }
}

/// Of the last words of a branch, in UTF-16 units: what fits a line of a terminal beside the ending.
const ENDED_UNITS: usize = 50;

fn print(stats: &StatsReport, out: &mut dyn Write) -> io::Result<()> {
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let place = [&stats.agent_version, &stats.project, &stats.git_branch];
    let place: Vec<&str> = std::iter::once(stats.agent)
        .chain(place.into_iter().flatten().map(String::as_str))
        .collect();
    writeln!(out, "{}", printable(&place.join("  ")))?;
    if let Some(ended) = stats.ended {
        let text = stats.ended_text.as_deref().unwrap_or_default();
        let text = printable(&shortened(text, ENDED_UNITS));
        writeln!(out, "{bold}ended{bold:#}  {}  {dim}{text}{dim:#}", ended.words())?;
    }
    did::print(stats, out)?;
    writeln!(out, "{bold}total{bold:#}  each entry counted once")?;
    print_figures(&stats.total, "  ", out)?;
    if stats.branches.len() > 1 {
        for branch in &stats.branches {
            let label = branch.label.as_ref().map(|label| format!(" [{}]", printable(label)));
            let current = if branch.current { ", current" } else { "" };
            let shared = match branch.shared_entries {
                0 => "shares no entries with other branches".to_owned(),
                count => shared(count, &branch.shared_usage),
            };
            writeln!(
                out,
                "{bold}branch {}{}{bold:#}{current}  {shared}",
                branch.id,
                label.unwrap_or_default()
            )?;
            print_figures(&branch.figures, "  ", out)?;
        }
    }
    for sub in &stats.sub_sessions {
        let name = sub.agent.as_deref().unwrap_or(&sub.id);
        writeln!(
            out,
            "{bold}⊞ {}{bold:#}  sub-agent session, included in the total",
            printable(name)
        )?;
        print_figures(&sub.figures, "  ", out)?;
    }
    writeln!(
        out,
        "{dim}times in UTC; worked: time from each prompt to its last response or tool result{dim:#}"
    )
}

fn shared(entries: usize, usage: &UsageReport) -> String {
    let cost = cost(&usage.usage());
    let cost = if cost.is_empty() { cost } else { format!(" and {cost}") };
    format!("{}{cost} shared with other branches", counted_entries(entries))
}

/// One line a kind of figure; kinds without any are left out.
pub(super) fn print_figures(
    figures: &Figures,
    indent: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let dim = Style::new().dimmed();
    for (name, value) in lines(figures).into_iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{indent}{dim}{name:9}{dim:#}{}", printable(&value))?;
    }
    Ok(())
}

fn lines(figures: &Figures) -> [(&'static str, String); 6] {
    let mut parts = vec![
        counted_entries(figures.entries),
        counted(figures.prompts, "prompt"),
        counted(figures.turns, "turn"),
        counted(figures.tool_calls, "tool call"),
    ];
    parts.extend((figures.failures > 0).then(|| counted(figures.failures, "failure")));
    parts.extend((figures.compactions > 0).then(|| counted(figures.compactions, "compaction")));
    let tools = figures.tools.iter().map(|tool| match tool.failures {
        0 => format!("{} {}", tool.name, tool.calls),
        failures => format!("{} {} ({failures} failed)", tool.name, tool.calls),
    });
    let models = figures.models.iter().map(|model| format!("{} {}", model.name(), model.turns));
    [
        ("entries", parts.join(", ")),
        ("tokens", tokens(&figures.usage.usage())),
        ("cost", cost(&figures.usage.usage())),
        ("time", times(figures)),
        ("tools", tools.collect::<Vec<_>>().join(", ")),
        ("models", models.collect::<Vec<_>>().join(", ")),
    ]
}

/// `2026-11-02 09:00 to 2026-11-02 09:26, 26m 0s; worked 3m 5s`.
fn times(figures: &Figures) -> String {
    let minute = |iso: &Option<String>| iso.as_deref().and_then(to_the_minute);
    let (Some(first), Some(last)) = (minute(&figures.first), minute(&figures.last)) else {
        return String::new();
    };
    let span = |ms: i64| {
        #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
        let ms = ms as f64;
        duration(ms)
    };
    let elapsed = figures.elapsed_ms.map(|ms| format!(", {}", span(ms))).unwrap_or_default();
    let worked = match figures.worked_ms {
        0 => String::new(),
        ms => format!("; worked {}", span(ms)),
    };
    format!("{first} to {last}{elapsed}{worked}")
}
