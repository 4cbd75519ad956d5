//! What the README promises.

use serde_json::Value;

use crate::support::{Folder, json};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let fence = format!("```{language}\n");
    let fenced = readme.split(&fence).skip(1);
    fenced.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The shape of a value: the keys, in order.
fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn the_quick_start_presses_the_example() {
    let commands = blocks("sh").concat();
    let command = commands.lines().find(|line| line.starts_with("leafpress ")).unwrap();
    let folder = Folder::with_example("lighthouse.jsonl");
    std::fs::create_dir(folder.path("examples")).unwrap();
    std::fs::rename(folder.path("lighthouse.jsonl"), folder.path("examples/lighthouse.jsonl"))
        .unwrap();
    let args: Vec<&str> = command.split(' ').skip(1).collect();
    folder.run(&args).success();
    assert!(folder.read("lighthouse.html").starts_with("<!doctype html>"));
}

#[test]
fn the_json_shapes_are_those_printed() {
    let folder = Folder::with_example("garden.jsonl");
    let shown: Vec<Value> =
        blocks("json").iter().map(|block| serde_json::from_str(block).unwrap()).collect();
    let tree =
        json(&folder.run(&["tree", "garden.jsonl", "--filter", "user-only", "--json"]).success());
    assert_eq!(keys(&shown[0]), keys(&tree));
    assert_eq!(keys(&shown[0]["rows"][0]), keys(&tree["rows"][0]));
    for key in ["leafId", "shown", "total"] {
        assert_eq!(shown[0][key], tree[key]);
    }
    let context = json(&folder.run(&["context", "garden.jsonl", "--json"]).success());
    assert_eq!(keys(&shown[1]), keys(&context));
    assert_eq!(keys(&shown[1]["messages"][0]), keys(&context["messages"][0]));
    assert_eq!(shown[1]["model"], context["model"]);
    folder.write("secret.jsonl", &crate::secrets::session());
    let found = json(&folder.run(&["secrets", "secret.jsonl", "--json"]).success());
    assert_eq!(keys(&shown[2]), keys(&found));
    assert_eq!(keys(&shown[2]["findings"][0]), keys(&found["findings"][0]));
    let home = crate::list::Home::new();
    home.example("garden.jsonl", ".pi/agent/sessions/--w--/garden.jsonl");
    let list = json(&home.run(&["list", "--json"]).success());
    assert_eq!(keys(&shown[3]), keys(&list));
    assert_eq!(keys(&shown[3]["sessions"][0]), keys(&list["sessions"][0]));
    for key in ["entries", "branches", "agent"] {
        assert_eq!(shown[3]["sessions"][0][key], list["sessions"][0][key]);
    }
}

#[test]
fn every_option_is_told() {
    let readme = readme();
    let command = leafpress::cli::Cli::command();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        for option in command.get_arguments().filter_map(|arg| arg.get_long()) {
            let told =
                ["help", "version"].contains(&option) || readme.contains(&format!("--{option}"));
            assert!(told, "--{option} of {}", command.get_name());
        }
    }
}
