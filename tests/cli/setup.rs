//! What a newcomer runs first: the demo, completions, licenses.

use std::process::Command;

use crate::support::folder::Folder;

fn printed(folder: &Folder, args: &[&str]) -> String {
    String::from_utf8(folder.run(args).success().get_output().stdout.clone()).unwrap()
}

#[test]
fn the_demo_writes_a_page_and_replaces_nothing_else() {
    let folder = Folder::new();
    assert_eq!(printed(&folder, &["demo"]), "lighthouse.html\n");
    let page = folder.read("lighthouse.html");
    assert!(page.starts_with("<!doctype html>"));
    // An older page gives way.
    folder.run(&["demo"]).success();
    folder.write("lighthouse.html", "mine");
    folder.run(&["demo"]).code(1).stderr_eq(
        "error: failed to write `lighthouse.html`: the file exists and is not a leafpress page\nhelp: choose another file with `-o`, or replace the file with `--force`\n",
    );
    assert_eq!(folder.read("lighthouse.html"), "mine");
    folder.run(&["demo", "--force"]).success();
    assert!(folder.read("lighthouse.html") == page);
    assert_eq!(folder.names(), ["lighthouse.html"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_page_that_no_browser_opens_is_written_all_the_same() {
    let folder = Folder::with_example("first-steps.jsonl");
    for (args, page) in [
        (&["demo", "--open"][..], "lighthouse.html"),
        (&["first-steps.jsonl", "--open"], "first-steps.html"),
    ] {
        let assert = folder.command(args).env("PATH", "").assert().success();
        let assert = assert.stdout_eq(format!("{page}\n"));
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        let warning = format!(
            "warning: failed to open `{page}` in a browser\nhelp: open the file yourself\n"
        );
        assert!(said.ends_with(&warning), "{said}");
        assert!(folder.read(page).starts_with("<!doctype html>"));
    }
}

#[test]
fn completions_without_a_shell_are_those_of_the_environment() {
    let folder = Folder::new();
    let named = printed(&folder, &["completions", "fish"]);
    let found = folder.command(&["completions"]).env("SHELL", "/usr/bin/fish").assert().success();
    assert!(String::from_utf8(found.get_output().stdout.clone()).unwrap() == named);
    let unknown = folder.command(&["completions"]).env("SHELL", "/bin/tcsh").assert().code(1);
    unknown.stdout_eq("").stderr_eq(
        "error: unknown shell: `SHELL` does not name one that leafpress supports\nhelp: name it, such as `leafpress completions bash`\n",
    );
}

#[test]
fn completions_know_every_command_and_every_option() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&folder, &["completions", shell]);
        for word in ["branches", "migrate", "redact-pattern", "keep-summaries", "licenses"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    folder.write("completions.bash", &printed(&folder, &["completions", "bash"]));
    let parsed =
        Command::new("bash").arg("-n").arg(folder.path("completions.bash")).status().unwrap();
    assert!(parsed.success());
    folder.run(&["completions", "tcsh"]).code(2);
}

#[test]
fn the_licenses_name_what_is_linked() {
    let folder = Folder::new();
    let licenses = printed(&folder, &["--licenses"]);
    for name in ["leafpress", "clap ", "serde_json ", "K.Kosako", "grammar Kotlin"] {
        assert!(licenses.contains(name), "{name}");
    }
    folder.run(&["--licenses", "session.jsonl"]).code(2);
}

#[test]
fn the_help_has_commands_in_groups() {
    let help = printed(&Folder::new(), &["--help"]);
    let headings: Vec<&str> =
        help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let expected = [
        "Export:",
        "Read:",
        "Share and keep:",
        "Change a session:",
        "Set up:",
        "Arguments:",
        "Options:",
        "Secrets:",
        "Remove parts:",
        "Examples:",
    ];
    assert_eq!(headings, expected);
}
