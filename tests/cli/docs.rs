//! What the README and `docs/` promise.

use std::collections::HashSet;

use serde_json::Value;

use crate::support::folder::{Folder, json};

/// All that a user reads, by path.
const DOCS: [&str; 15] = [
    "README.md",
    "SECURITY.md",
    "docs/agents.md",
    "docs/install.md",
    "docs/pull-requests.md",
    "docs/security.md",
    "docs/skills/leafpress/SKILL.md",
    "docs/commands.md",
    "docs/page.md",
    "docs/sharing.md",
    "docs/keeping.md",
    "docs/scale.md",
    "docs/formats.md",
    "docs/library.md",
    "docs/performance.md",
];

fn read(name: &str) -> String {
    std::fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The fenced blocks of a language.
fn blocks(name: &str, language: &str) -> Vec<String> {
    let text = read(name);
    let fence = format!("```{language}\n");
    let fenced = text.split(&fence).skip(1);
    fenced.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The shape of a value: the keys, in order.
fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

/// A folder with `examples/`, as in a clone of the repository.
fn clone() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("examples")).unwrap();
    for name in ["first-steps.jsonl", "garden.jsonl", "lighthouse.jsonl"] {
        let example = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(example, folder.path("examples").join(name)).unwrap();
    }
    folder
}

/// The words of a command line, of which some are in quotes, without its comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (nth, part) in line.split('"').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
            continue;
        }
        let (part, comment) =
            part.split_once(" #").map_or((part, false), |(before, _)| (before, true));
        words.extend(part.split_whitespace().map(str::to_owned));
        if comment {
            break;
        }
    }
    words
}

/// The commands of leafpress that the documents show, as arguments.
fn commands(name: &str) -> Vec<Vec<String>> {
    let typed = blocks(name, "sh").concat();
    let typed = typed.lines().map(str::to_owned);
    let shown = blocks(name, "console").concat();
    let shown = shown.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned);
    let lines: Vec<String> = typed.chain(shown).collect();
    let lines = lines.iter().filter_map(|line| line.strip_prefix("leafpress "));
    lines.map(|line| words(line.split("&&").next().unwrap())).collect()
}

#[test]
fn the_readme_is_short_and_has_a_picture() {
    let readme = read("README.md");
    let count = readme.split_whitespace().count();
    assert!(count <= 1200, "{count} words");
    // Light and dark.
    let pictures = readme.split("=\"docs/").skip(1);
    let pictures: Vec<&str> = pictures.filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(pictures.len(), 2, "{pictures:?}");
    for picture in pictures {
        let path = format!("{}/docs/{picture}", env!("CARGO_MANIFEST_DIR"));
        let size = std::fs::metadata(path).unwrap().len();
        assert!(size < 200_000, "{picture} has {size} bytes");
    }
}

/// The first cells of the rows of a table, without marks of code.
fn first_cells(text: &str, head: &str) -> Vec<String> {
    let rows = text.lines().map(|line| line.trim_start_matches("//! "));
    let rows = rows.skip_while(|row| *row != head).skip(2).take_while(|row| row.starts_with('|'));
    rows.map(|row| row.split('|').nth(1).unwrap().trim().replace('`', "")).collect()
}

#[test]
fn the_crate_and_the_guide_list_all_features_and_examples() {
    let manifest = read("Cargo.toml");
    let features = manifest.split("\n[features]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let features = features.lines().filter_map(|line| line.split_once(" = "));
    let mut features: Vec<&str> = features.map(|(name, _)| name).collect();
    features.retain(|name| *name != "default");
    features.sort_unstable();
    let folder = std::fs::read_dir(format!("{}/examples", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let names = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let examples: Vec<String> = names.filter(|name| !name.contains(".json")).collect();
    assert!(features.len() > 3 && examples.len() > 3, "{features:?} {examples:?}");
    for name in ["src/lib.rs", "docs/library.md"] {
        let text = read(name);
        let mut listed = first_cells(&text, "| feature | adds |");
        listed.sort_unstable();
        assert_eq!(listed, features, "{name}");
        for example in &examples {
            assert!(text.contains(example.as_str()), "{name}: {example}");
        }
    }
}

/// Whoever reads the first page of the crate's documentation finds each module from there.
#[test]
fn the_head_of_the_crate_links_every_module() {
    let text = read("src/lib.rs");
    let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
    let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let modules: Vec<&str> = modules.map(|module| module.trim_end_matches(';')).collect();
    assert!(modules.len() > 10, "{modules:?}");
    for module in modules {
        assert!(head.contains(&format!("[`{module}`]")), "{module}");
    }
}

#[test]
fn links_between_the_documents_lead_somewhere() {
    for name in DOCS.into_iter().chain(["CONTRIBUTING.md"]) {
        let text = read(name);
        let links = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let base = std::path::Path::new(name).parent().unwrap();
            let path = if file.is_empty() { name.into() } else { base.join(file) };
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            assert!(root.join(&path).exists(), "{name}: {link}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(root.join(&path)).unwrap();
                let slug =
                    |title: &str| title.trim().to_lowercase().replace(',', "").replace(' ', "-");
                let mut titles = text.lines().filter(|line| line.starts_with('#'));
                let is_there = titles.any(|line| slug(line.trim_start_matches('#')) == anchor);
                assert!(is_there, "{name}: {link}");
            }
        }
    }
}

/// The first block of the README is what a newcomer types. What `cargo run` does beside building is
/// tested here, and that the other command exists.
#[test]
fn the_first_block_of_the_readme_works() {
    let block = &blocks("README.md", "sh")[0];
    let lines: Vec<Vec<String>> = block.lines().map(words).collect();
    let [export, test] = &lines[..] else { panic!("{block}") };
    let (cargo, args) = export.split_at(4);
    assert_eq!(cargo, ["cargo", "run", "--release", "--"]);
    let folder = clone();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    folder.run(&args).success().stdout_eq("lighthouse.html\n");
    assert!(folder.read("lighthouse.html").starts_with("<!doctype html>"));
    assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&test[0]).is_file());
}

/// Those on the examples are run as they are written. The others name sessions of the reader.
#[test]
fn the_commands_on_the_examples_work() {
    let mut count = 0;
    for name in DOCS {
        for command in commands(name) {
            let is_on_example = command.iter().any(|word| word.starts_with("examples/"));
            if is_on_example && !command.contains(&"--password".to_owned()) {
                let args: Vec<&str> = command.iter().map(String::as_str).collect();
                clone().run(&args).success();
                count += 1;
            }
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn the_commands_are_parsed() {
    for name in DOCS {
        for command in commands(name) {
            let args = std::iter::once("leafpress".to_owned()).chain(command.clone());
            let parsed = leafpress::cli::Cli::command().try_get_matches_from(args);
            assert!(parsed.is_ok(), "{name}: {command:?}: {}", parsed.unwrap_err());
        }
    }
}

#[test]
fn the_search_of_the_readme_finds_the_entry_that_it_names() {
    let folder = clone();
    let search =
        commands("README.md").into_iter().find(|line| line.contains(&"--search".to_owned()));
    let search = search.unwrap();
    let args: Vec<&str> = search.iter().map(String::as_str).collect();
    let found = folder.run(&args).success().get_output().stdout.clone();
    let target =
        commands("README.md").into_iter().find(|line| line.contains(&"--target".to_owned()));
    let target = target.unwrap().pop().unwrap();
    assert!(String::from_utf8(found).unwrap().lines().any(|row| row.starts_with(&target)));
    assert!(read("README.md").contains(&format!("#targetId={target}")));
}

/// The first line of what a command prints is shown as it is. `…` stands for the rest of a line.
#[test]
fn what_is_shown_of_a_command_is_printed() {
    for name in DOCS {
        for block in blocks(name, "console") {
            // Sizes change with every change of the page.
            let size = |line: &str| line.split_once(" KB: ").is_some();
            let (command, shown) = block.split_once('\n').unwrap();
            let args = words(command.strip_prefix("$ leafpress ").unwrap());
            let folder = clone();
            if let "damaged.jsonl" | "session.jsonl" = args[0].as_str() {
                let text = if args[0] == "damaged.jsonl" {
                    read("tests/fixtures/samples-2026-03/broken/pi-v3-edge-cases.jsonl")
                } else {
                    crate::cli::secrets::session_with_two_in_one_entry()
                };
                folder.write(&args[0], &text);
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = folder.run(&args).success().get_output().clone();
            let printed = String::from_utf8(output.stdout).unwrap()
                + &String::from_utf8(output.stderr).unwrap();
            for line in shown.lines().filter(|line| !size(line)) {
                let start = line.split('…').next().unwrap();
                assert!(printed.contains(start), "{name}: {line}\n{printed}");
            }
        }
    }
}

#[test]
fn the_json_shapes_are_those_printed() {
    let folder = Folder::with_example("garden.jsonl");
    let shown: Vec<Value> = blocks("docs/commands.md", "json")
        .iter()
        .map(|block| serde_json::from_str(block).unwrap())
        .collect();
    let [list, search, keep, tree, changes, context, over_time, branches, compare, stats, secrets] =
        &shown[..]
    else {
        panic!("{shown:?}")
    };
    let args = ["tree", "garden.jsonl", "--filter", "user-only", "--json"];
    let printed = json(&folder.run(&args).success());
    assert_eq!(keys(tree), keys(&printed));
    assert_eq!(keys(&tree["rows"][0]), keys(&printed["rows"][0]));
    for key in ["leafId", "shown", "total"] {
        assert_eq!(tree[key], printed[key]);
    }
    let sample = Folder::with_example("lighthouse.jsonl");
    let printed = json(&sample.run(&["changes", "lighthouse.jsonl", "--json"]).success());
    assert_eq!((keys(changes), &changes["leafId"]), (keys(&printed), &printed["leafId"]));
    let documented = &changes["files"][0];
    let files = printed["files"].as_array().unwrap();
    let printed = files.iter().find(|file| file["path"] == documented["path"]).unwrap();
    assert_eq!(keys(documented), keys(printed));
    for key in ["status", "added", "removed", "net", "known", "maybeWrittenBy"] {
        assert_eq!(documented[key], printed[key], "{key}");
    }
    assert_eq!(documented["edits"][0], printed["edits"][0]);
    let printed = json(&folder.run(&["context", "garden.jsonl", "--json"]).success());
    assert_eq!(keys(context), keys(&printed));
    assert_eq!(keys(&context["messages"][0]), keys(&printed["messages"][0]));
    assert_eq!(context["model"], printed["model"]);
    let printed = |args: &[&str]| {
        let args = [&args[..1], &["garden.jsonl", "--json"], &args[1..]].concat();
        json(&folder.run(&args).success())
    };
    let found = printed(&["context", "--over-time"]);
    assert_eq!(
        (keys(over_time), keys(&over_time["calls"][0])),
        (keys(&found), keys(&found["calls"][0]))
    );
    let found = printed(&["branches"]);
    assert_eq!(keys(branches), keys(&found));
    assert_eq!(branches["branches"][1], found["branches"][1]);
    let found = printed(&["compare"]);
    assert_eq!((keys(compare), keys(&compare["b"])), (keys(&found), keys(&found["b"])));
    for key in ["files", "edited", "only", "usage"] {
        assert_eq!(compare["a"][key], found["a"][key], "{key}");
    }
    let found = printed(&["stats"]);
    assert_eq!((keys(stats), keys(&stats["total"])), (keys(&found), keys(&found["total"])));
    assert_eq!(keys(&stats["branches"][0]), keys(&found["branches"][0]));
    for key in ["title", "ended", "endedText", "total", "landmarks", "failureList"] {
        assert_eq!(stats[key], found[key], "{key}");
    }
    folder.write("secret.jsonl", &crate::cli::secrets::session());
    let printed = json(&folder.run(&["secrets", "secret.jsonl", "--json"]).success());
    assert_eq!(keys(secrets), keys(&printed));
    assert_eq!(keys(&secrets["findings"][0]), keys(&printed["findings"][0]));
    let home = crate::support::home::Home::new();
    home.example("garden.jsonl", ".pi/agent/sessions/--w--/garden.jsonl");
    let printed = json(&home.run(&["keep", "--status", "--json"]).success());
    assert_eq!(keys(keep), keys(&printed));
    let printed = json(&home.run(&["list", "--json"]).success());
    assert_eq!(keys(list), keys(&printed));
    assert_eq!(keys(&list["sessions"][0]), keys(&printed["sessions"][0]));
    let printed = json(&home.run(&["search", "weather frost", "--json"]).success());
    assert_eq!((keys(search), &search["query"]), (keys(&printed), &printed["query"]));
    let (documented, printed) = (&search["sessions"][0], &printed["sessions"][0]);
    assert_eq!(keys(documented), keys(printed));
    assert_eq!(keys(&documented["hits"][0]), keys(&printed["hits"][0]));
    for key in ["id", "title", "project", "started", "count"] {
        assert_eq!(documented[key], printed[key], "{key}");
    }
    assert_eq!(documented["hits"][0]["entryId"], printed["hits"][0]["entryId"]);
    let printed = json(&home.run(&["list", "--json"]).success());
    for key in ["entries", "branches", "agent"] {
        assert_eq!(list["sessions"][0][key], printed["sessions"][0][key]);
    }
}

#[test]
fn every_command_and_option_is_documented() {
    let commands = read("docs/commands.md");
    let command = leafpress::cli::Cli::command();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        assert!(
            commands.contains(&format!("leafpress {}", command.get_name()))
                || commands.contains(&format!("\n## {}\n", command.get_name()))
                || command.get_name() == "leafpress",
            "{}",
            command.get_name()
        );
        for option in command.get_arguments().filter_map(|arg| arg.get_long()) {
            let is_documented =
                ["help", "version"].contains(&option) || commands.contains(&format!("--{option}"));
            assert!(is_documented, "--{option} of {}", command.get_name());
        }
    }
}

/// A document that names an option which is gone would mislead.
#[test]
fn every_option_in_the_documents_exists() {
    let command = leafpress::cli::Cli::command();
    let all = std::iter::once(&command).chain(command.get_subcommands());
    let known: HashSet<&str> =
        all.flat_map(|command| command.get_arguments().filter_map(|arg| arg.get_long())).collect();
    // Of other programs.
    let others = ["profile", "release", "path", "example", "test", "nocapture", "bench", "sizes"];
    // Of agents, for what their headless runs print.
    let installers = [
        "global",
        "from",
        "locked",
        "plugin-dir",
        "strict",
        "no-session",
        "version",
        "help",
        "user",
        "now",
        "multiquery",
        "query",
    ];
    let agents =
        ["mode", "output-format", "verbose", "replay-user-messages", "include-partial-messages"];
    for name in DOCS {
        for rest in read(name).split("--").skip(1) {
            let end =
                rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len());
            let option = rest[..end].trim_end_matches('-');
            let is_known = known.contains(option)
                || others.contains(&option)
                || agents.contains(&option)
                || installers.contains(&option)
                || option == "redact";
            assert!(is_known || option.is_empty(), "{name}: --{option}");
        }
    }
}

#[test]
fn the_help_fits_a_screen() {
    let folder = Folder::new();
    for flag in ["-h", "--help"] {
        let output = folder.command(&[flag]).env("COLUMNS", "80").assert().success();
        let help = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        assert!(help.lines().count() <= 60, "{} lines", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(help.contains("leafpress help export"), "{help}");
    }
    let help = folder.run(&["help", "export"]).success();
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    assert!(help.contains("--redact-pattern") && help.contains("--keep-summaries"), "{help}");
}

#[test]
fn each_command_has_its_help_and_its_own_errors() {
    let folder = Folder::new();
    for command in [
        "export",
        "list",
        "tree",
        "context",
        "branches",
        "compare",
        "stats",
        "secrets",
        "extract",
        "branch",
        "label",
        "migrate",
        "demo",
        "completions",
    ] {
        for flag in ["-h", "--help"] {
            let output = folder.command(&[command, flag]).assert().success();
            let help = String::from_utf8(output.get_output().stdout.clone()).unwrap();
            assert!(
                help.contains("Usage: leafpress") && help.contains("--help"),
                "{command}: {help}"
            );
        }
        let output = folder.command(&[command, "--bogus"]).assert().code(2);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(error.contains("--bogus") && !error.contains("unknown command"), "{error}");
    }
    let output = folder.command(&["tree", "missing.jsonl"]).assert().code(1);
    let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(error.contains("missing.jsonl") && !error.contains("unknown command"), "{error}");
}
