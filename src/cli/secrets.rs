//! What a page must not give away: the flags that look for secrets, and `leafpress secrets`.
//!
//! Three answers to a secret, from mild to strict: a warning, which is the default, a refusal (`--fail-on-secrets`),
//! and replacing it. What was redacted is searched again as the page has it, and there a finding is always a refusal
//! unless a person said otherwise. No value is ever printed.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;

use crate::cli::error::Error;
use crate::redact::{Redacted, Redactor, Rules, Scanner, Words};
use crate::report::{self, FoundSecret, SecretPlace, SecretsReport};
use crate::session::Session;
use crate::session::text::counted;

use super::printable::{list, printable};
use super::{SessionArg, input, message, output, progress};

/// What counts as a secret beside the table of rules.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct RulesArgs {
    /// Also find home directories and user names
    #[arg(long = "redact-home", help_heading = HEADING)]
    home: bool,
    /// Also find email addresses
    #[arg(long = "redact-emails", help_heading = HEADING)]
    emails: bool,
    /// Also find names and addresses of private hosts
    #[arg(long = "redact-hosts", help_heading = HEADING)]
    hosts: bool,
    /// Also find the secret-looking values of the current environment
    #[arg(long = "redact-env", help_heading = HEADING)]
    env: bool,
    /// Also find matches of this regular expression, or of its first group; repeatable
    #[arg(long = "redact-pattern", value_name = "RE", help_heading = HEADING)]
    patterns: Vec<String>,
    /// Also find the patterns and values in this JSON file
    #[arg(long = "redact-rules", value_name = "FILE", help_heading = HEADING)]
    file: Option<PathBuf>,
}

pub(super) const HEADING: &str = "Secrets";

impl RulesArgs {
    fn is_empty(&self) -> bool {
        let switches = [self.home, self.emails, self.hosts, self.env];
        !switches.contains(&true) && self.patterns.is_empty() && self.file.is_none()
    }

    pub(super) fn rules(&self) -> Result<Rules, Error> {
        let mut rules = Rules::new();
        if self.home {
            let user = ["USER", "USERNAME", "LOGNAME"]
                .into_iter()
                .find_map(|name| std::env::var(name).ok());
            rules.personal(user.as_deref());
        }
        if self.emails {
            rules.emails();
        }
        if self.hosts {
            let name = ["HOSTNAME", "COMPUTERNAME"]
                .into_iter()
                .filter_map(|name| std::env::var(name).ok());
            rules.hosts(name.collect::<Vec<_>>().iter().map(String::as_str));
        }
        if self.env {
            let utf8 = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            };
            rules.environment(std::env::vars_os().filter_map(utf8));
        }
        for pattern in &self.patterns {
            rules.pattern(pattern)?;
        }
        if let Some(path) = &self.file {
            rules.file(&input::read_text("--redact-rules", path)?)?;
        }
        Ok(rules)
    }
}

/// What an export does about secrets.
#[derive(Debug, Default, Args)]
pub(super) struct RedactArgs {
    /// Replace secrets with `[redacted:kind #n]`
    #[arg(long, help_heading = HEADING)]
    redact: bool,
    #[command(flatten)]
    rules: RulesArgs,
    /// Do not look for secrets; with --redact: write the page even if a possible secret is left in it
    #[arg(long, help_heading = HEADING)]
    allow_secrets: bool,
    /// Fail if the page would contain a possible secret
    #[arg(long, help_heading = HEADING, conflicts_with = "allow_secrets")]
    fail_on_secrets: bool,
}

impl RedactArgs {
    /// The rules to redact by, where that is asked for.
    pub(super) fn rules(&self) -> Result<Option<Rules>, Error> {
        (self.redact || !self.rules.is_empty()).then(|| self.rules.rules()).transpose()
    }

    /// Whether the texts of a page are looked through before it is written.
    pub(super) fn is_page_checked(&self, is_redacted: bool) -> bool {
        is_redacted || self.fail_on_secrets
    }

    /// Refuses a page in which a secret is left, or warns of it. It is not encrypted yet.
    pub(super) fn check_page(&self, page: &[u8], redacted: Option<&Redacted>) -> Result<(), Error> {
        let found = match redacted {
            Some(redacted) => {
                report::page_secrets(page, &redacted.redactor(), progress::reporter())
            }
            None => {
                report::page_secrets(page, &Redactor::new(&Rules::new())?, progress::reporter())
            }
        };
        let found =
            found.map_err(|source| Error::Extract { path: "the new page".into(), source })?;
        self.refuse("page", &found)
    }

    /// Refuses a text in which a secret is left, or warns of it.
    pub(super) fn check_text(
        &self,
        what: &'static str,
        text: &str,
        redacted: &Redacted,
    ) -> Result<(), Error> {
        let findings = redacted.redactor().remaining_in_text(text, Words::Mixed).into_iter();
        let found = |finding| FoundSecret { place: SecretPlace::Page("text".to_owned()), finding };
        let findings = findings.map(found).collect();
        self.refuse(what, &SecretsReport { findings, pictures: 0 })
    }

    fn refuse(&self, what: &'static str, found: &SecretsReport) -> Result<(), Error> {
        if found.findings.is_empty() {
            return Ok(());
        }
        let (summary, list) = (summary(found), listed(found));
        if self.allow_secrets {
            let warning = format!("the {what} still contains {summary}:{list}");
            message::warning(&warning, Some("it is written because of `--allow-secrets`"));
            return Ok(());
        }
        Err(Error::SecretsInPage { what, summary, list })
    }

    /// Warns of what is in a session that is about to be written, or refuses it.
    pub(super) fn check(&self, session: &Session, title: Option<&str>) -> Result<(), Error> {
        if self.allow_secrets {
            return Ok(());
        }
        let scanner = Scanner::new(&Rules::new())?;
        let mut found = report::secrets(session, &scanner, progress::reporter());
        found.add_title(title.unwrap_or_default(), &scanner);
        if found.findings.is_empty() {
            return Ok(());
        }
        let summary = summary(&found);
        if self.fail_on_secrets {
            return Err(Error::Secrets(summary));
        }
        message::warning(
            &format!("found {summary}"),
            Some(
                "replace them with `--redact`, list them with `leafpress secrets`, or silence this \
                 with `--allow-secrets`",
            ),
        );
        Ok(())
    }
}

/// `3 possible secrets in 2 entries (a1b2, c3d4)`.
fn summary(found: &SecretsReport) -> String {
    /// Named, of many.
    const PLACES: usize = 5;
    let places = found.places();
    let names: Vec<String> =
        places.iter().take(PLACES).map(|place| printable(&name(place))).collect();
    let more = places.len().saturating_sub(PLACES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let are_entries = places.iter().all(|place| matches!(place, SecretPlace::Entry(_)));
    let what = if are_entries {
        let word = if places.len() == 1 { "entry" } else { "entries" };
        format!("{} {word}", places.len())
    } else {
        counted(places.len(), "place")
    };
    let count = counted(found.findings.len(), "possible secret");
    format!("{count} in {what} ({}{more})", names.join(", "))
}

/// The findings as `leafpress secrets` prints them, the first of many.
fn listed(found: &SecretsReport) -> String {
    let line = |FoundSecret { place, finding }: &FoundSecret| {
        format!("{}  {}  {}", name(place), finding.rule, finding.context)
    };
    list(2, found.findings.iter().map(line))
}

fn name(place: &SecretPlace) -> String {
    match place {
        SecretPlace::Entry(key) => key.clone(),
        SecretPlace::Line(line) => format!("line {line}"),
        SecretPlace::Output(file) => format!("output {file}"),
        SecretPlace::Name(whose) => format!("name of a {whose}"),
        SecretPlace::Page(part) => part.clone(),
    }
}

/// What `leafpress secrets` takes.
#[derive(Debug, Args)]
pub(super) struct SecretsArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl SecretsArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let scanner = Scanner::new(&self.rules.rules()?)?;
        let session = self.input.read()?;
        let found = report::secrets(&session, &scanner, progress::reporter());
        if self.json {
            return output::json(&found);
        }
        output::to_person(|out| print(&found, out))
    }
}

/// One line a finding.
fn print(found: &SecretsReport, out: &mut dyn Write) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    for FoundSecret { place, finding } in &found.findings {
        let path =
            if finding.path.is_empty() { String::new() } else { format!(" {}", finding.path) };
        writeln!(
            out,
            "{}{dim}{}{dim:#}  {bold}{}{bold:#}  {}",
            printable(&name(place)),
            printable(&path),
            finding.rule,
            printable(&finding.context),
        )?;
    }
    if found.findings.is_empty() {
        writeln!(out, "no possible secrets found")?;
    }
    if found.pictures > 0 {
        writeln!(out, "{} not searched", counted(found.pictures, "image"))?;
    }
    Ok(())
}
