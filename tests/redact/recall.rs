//! How much is found of what is planted, family by family, and how often source code and
//! sessions without secrets raise an alarm. `cargo test --test suite recall -- --nocapture`
//! prints the tables.

#![expect(clippy::cast_precision_loss, reason = "counts and sizes are small")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use leafpress::redact::{Redactor, Rules, Scanner};
use serde_json::Value;

use crate::redact::fixture::{Letters, lines, planted};

/// Found and planted.
#[derive(Default, Clone, Copy)]
struct Share {
    found: usize,
    planted: usize,
}

impl Share {
    fn add(&mut self, is_found: bool) {
        self.found += usize::from(is_found);
        self.planted += 1;
    }

    fn percent(self) -> f64 {
        100.0 * self.found as f64 / self.planted.max(1) as f64
    }
}

fn print(title: &str, table: &BTreeMap<String, Share>) -> Share {
    let mut all = Share::default();
    println!("\n{title:40} {:>7} {:>7}", "planted", "found");
    for (name, share) in table {
        println!("{name:40} {:7} {:6.1}%", share.planted, share.percent());
        all.found += share.found;
        all.planted += share.planted;
    }
    println!("{:40} {:7} {:6.1}%", "all", all.planted, all.percent());
    all
}

/// Whether nothing of the value is outside what the scanner finds.
fn is_found(scanner: &Scanner, text: &str, value: &str) -> bool {
    let hits = scanner.scan_text(text);
    text.match_indices(value).all(|(at, _)| {
        hits.iter().any(|hit| hit.range.start <= at && at + value.len() <= hit.range.end)
    })
}

/// Tokens that identify themselves, in surroundings that say nothing of them.
#[test]
fn tokens_are_found_wherever_they_stand() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let carriers = lines("carriers.jsonl");
    let (mut by_group, mut by_carrier) = (BTreeMap::new(), BTreeMap::new());
    let mut missed = BTreeSet::new();
    let mut families = BTreeSet::new();
    for (seed, kind) in lines("kinds.jsonl").iter().enumerate() {
        let group = kind["group"].as_str().unwrap();
        // Told by their form alone: found without the text of their template.
        let alone = planted(kind, seed as u64 + 50);
        if group == "forms" || !is_found(&scanner, &alone.value, &alone.value) {
            continue;
        }
        families.insert(alone.rule);
        for (number, carrier) in carriers.iter().enumerate() {
            let one = planted(kind, (seed * 100 + number) as u64 + 11);
            let text = carrier["text"].as_str().unwrap().replace("{{token}}", &one.value);
            let is_found = is_found(&scanner, &text, &one.value);
            let share: &mut Share = by_group.entry(group.to_owned()).or_default();
            share.add(is_found);
            let id = carrier["id"].as_str().unwrap();
            let share: &mut Share = by_carrier.entry(id.to_owned()).or_default();
            share.add(is_found);
            if !is_found {
                missed.insert(format!("{}: {text}", one.rule));
            }
        }
    }
    println!("{} families of tokens that identify themselves", families.len());
    let all = print("by group", &by_group);
    print("by surroundings", &by_carrier);
    println!("{missed:#?}");
    assert!(families.len() >= 200, "{}", families.len());
    assert!(all.percent() >= 99.5);
    for (group, share) in &by_group {
        assert!(share.percent() >= 99.0, "{group}: {:.1}", share.percent());
    }
    for (carrier, share) in &by_carrier {
        assert!(share.percent() >= 98.0, "{carrier}: {:.1}", share.percent());
    }
}

/// Keys that have no form of their own, under the name of their provider.
#[test]
fn keys_are_found_by_the_name_of_their_provider() {
    const PROVIDERS: &[&str] = &[
        "adafruit",
        "algolia",
        "bitbucket",
        "cloudflare",
        "contentful",
        "datadog",
        "discord",
        "fastly",
        "finnhub",
        "gitter",
        "heroku",
        "jfrog",
        "kucoin",
        "launchdarkly",
        "mattermost",
        "netlify",
        "nytimes",
        "okta",
        "plaid",
        "rapidapi",
        "sendbird",
        "sentry",
        "snyk",
        "squarespace",
        "travis",
        "twitch",
        "twitter",
        "zendesk",
    ];
    const FORMS: &[(&str, &str)] = &[
        ("32 hex", "{{hex:32}}"),
        ("40 hex", "{{hex:40}}"),
        ("64 hex", "{{hex:64}}"),
        ("UUID", "{{hex:8}}-{{hex:4}}-{{hex:4}}-{{hex:4}}-{{hex:12}}"),
        ("20 letters", "{{alnum:20}}"),
        ("32 letters", "{{alnum:32}}"),
        ("45 letters", "{{alnum:45}}"),
        ("18 digits", "{{digit:18}}"),
    ];
    let notations: [fn(&str, &str, &str) -> String; 16] = [
        |name, _, value| format!("{name}_key = \"{value}\""),
        |_, upper, value| format!("{upper}_KEY={value}"),
        |_, upper, value| format!("{upper}_API_KEY={value}\nDEBUG=1"),
        |name, _, value| format!("{name}Token: '{value}'"),
        |name, _, value| format!("\"{name}Key\": \"{value}\","),
        |name, _, value| format!("{name}.secret = {value}"),
        |name, _, value| format!("{name} token = '{value}'"),
        |name, _, value| format!("{name} token - '{value}'"),
        |name, _, value| format!("  \"{name}_token\" => \"{value}\""),
        |name, _, value| format!("var {name}Key = \"{value}\";"),
        |name, _, value| format!("const {name}Secret: string = `{value}`"),
        |_, upper, value| format!("System.setProperty(\"{upper}_TOKEN\", \"{value}\")"),
        |_, upper, value| format!("{upper}_TOKEN := \"{value}\""),
        |name, _, value| format!("{name} credentials\n  key: {value}\n"),
        |name, _, value| format!("https://api.{name}.com/v1/items?key={value}"),
        |name, _, value| format!("my {name} secret {value} is in the vault"),
    ];
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let (mut by_form, mut by_notation) = (BTreeMap::new(), BTreeMap::new());
    let mut seed = 1;
    for name in PROVIDERS {
        for (form, template) in FORMS {
            for notation in notations {
                seed += 1;
                let value = Letters::new(seed).fill(template);
                let text = notation(name, &name.to_ascii_uppercase(), &value);
                let is_found = is_found(&scanner, &text, &value);
                let share: &mut Share = by_form.entry((*form).to_owned()).or_default();
                share.add(is_found);
                let written = notation("leaf", "LEAF", "…").replace('\n', " ");
                let share: &mut Share = by_notation.entry(written).or_default();
                share.add(is_found);
            }
        }
    }
    let all = print("by form", &by_form);
    print("by notation", &by_notation);
    assert!(all.percent() >= 96.0);
    for (form, share) in &by_form {
        assert!(share.percent() >= 92.0, "{form}: {:.1}", share.percent());
    }
    for (notation, share) in &by_notation {
        assert!(share.percent() >= 85.0, "{notation}: {:.1}", share.percent());
    }
}

/// Text files below `path`, in order.
fn files(path: &Path, into: &mut Vec<PathBuf>) {
    let Ok(about) = std::fs::symlink_metadata(path) else { return };
    if about.is_file() {
        into.push(path.to_owned());
    }
    let Ok(folder) = std::fs::read_dir(path) else { return };
    let mut within: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    within.sort();
    let is_ours = |path: &PathBuf| {
        !path.ends_with("node_modules")
            && !path.ends_with("secrets")
            && !path.ends_with("hostile.jsonl")
    };
    within.iter().filter(|path| is_ours(path)).for_each(|path| files(path, into));
}

/// Alarms a megabyte, each value of a file once, printed with the lines they are in; and places
/// that would be replaced if all files were one session, where a wrong value spoils others.
fn alarms(title: &str, paths: &[PathBuf], limit: usize) -> (f64, f64) {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut redactor = Redactor::new(&Rules::new()).unwrap();
    let mut texts = Vec::new();
    let (mut bytes, mut count) = (0, 0);
    for path in paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if bytes + text.len() > limit {
            break;
        }
        bytes += text.len();
        redactor.learn_text(&text);
        let mut seen = BTreeSet::new();
        for hit in scanner.scan_text(&text) {
            if seen.insert(&text[hit.range.clone()]) {
                count += 1;
                let line = text[..hit.range.start].matches('\n').count() + 1;
                println!("{}: {}:{line}", hit.rule, path.display());
            }
        }
        texts.push(text);
    }
    for text in &texts {
        redactor.text(text);
    }
    let places = redactor.report().places();
    let rate = |count: usize| count as f64 * 1e6 / bytes.max(1) as f64;
    println!(
        "{title}: {count} alarms and {places} places in {:.1} MB, {:.2} and {:.2} a megabyte",
        bytes as f64 / 1e6,
        rate(count),
        rate(places)
    );
    (rate(count), rate(places))
}

/// Megabytes of dependencies that are looked through: enough for a figure, and not for a break.
const DEPENDENCIES: usize = 12_000_000;

/// The same for what is written in other languages.
const OTHERS: usize = 4_000_000;

#[test]
fn source_code_and_sessions_raise_few_alarms() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut own = Vec::new();
    for folder in ["src", "static", "templates", "docs", "tests", "benches", "examples"] {
        files(&root.join(folder), &mut own);
    }
    // Packed letters are noise: each change of the page's script would throw dice.
    own.retain(|path| {
        !path.starts_with(root.join("src/page/assets"))
            || path.extension().is_none_or(|ending| ending != "txt")
    });
    let (sessions, code): (Vec<_>, Vec<_>) =
        own.into_iter().partition(|path| path.starts_with(root.join("tests/fixtures")));
    let rates = alarms("own source code", &code, usize::MAX);
    assert!(rates.0 <= 0.5 && rates.1 <= 2.0, "{rates:?}");
    let rates = alarms("fixture sessions", &sessions, usize::MAX);
    assert!(rates.0 <= 0.5 && rates.1 <= 2.0, "{rates:?}");

    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")));
    let dependencies = home.unwrap_or_default().join("registry/src");
    for (title, folder, limit) in [
        ("source code of dependencies", dependencies, DEPENDENCIES),
        ("C headers", PathBuf::from("/usr/include"), OTHERS),
        ("Perl", PathBuf::from("/usr/share/perl"), OTHERS),
    ] {
        let mut paths = Vec::new();
        files(&folder, &mut paths);
        if paths.is_empty() {
            println!("no {title} here");
            continue;
        }
        let rates = alarms(title, &paths, limit);
        assert!(rates.0 <= 0.5 && rates.1 <= 2.0, "{title}: {rates:?}");
    }
}

/// Whether each value of the fixture of templates is made up anew: no value stands in the repository.
#[test]
fn templates_hold_no_secret_themselves() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    for name in ["kinds.jsonl", "places.jsonl", "carriers.jsonl", "harmless.jsonl"] {
        for line in lines(name) {
            let text = line.to_string();
            let found: Vec<String> =
                scanner.scan_json(&text).into_iter().map(|finding| finding.rule).collect();
            let is_template = line.get("value").and_then(Value::as_str).is_some();
            assert!(found.is_empty() || !is_template, "{name}: {text} {found:?}");
        }
    }
}
