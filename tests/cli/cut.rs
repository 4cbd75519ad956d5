//! The flags that leave something out.

use snapbox::str;

use crate::support::folder::{Folder, json};

fn folder() -> Folder {
    Folder::with_fixture("samples/pi-1.5-tree.jsonl")
}

#[test]
fn each_flag_makes_a_page() {
    let folder = folder();
    for flags in [
        &["--branch", "t0000008"][..],
        &["--subtree", "t0000002"],
        &["--from", "t0000002", "--leaf", "t0000008"],
        &["--to", "t0000004", "--leaf", "t0000008"],
        &["--active-only"],
        &["--only", "user,tool"],
        &["--no-thinking", "--no-tool-output", "--no-images", "--no-system", "--keep-summaries"],
    ] {
        let args = [&["session.jsonl"][..], flags].concat();
        folder.run(&args).success();
        let page = folder.read("session.html");
        assert!(page.contains("<dt>Not included</dt>") || flags.len() == 5, "{flags:?}");
    }
}

#[test]
fn what_is_not_there_or_contradicts_itself_is_refused() {
    let folder = folder();
    let refused = |flags: &[&str]| {
        let args = [&["session.jsonl"][..], flags].concat();
        let told = folder.run(&args).code(1);
        assert_eq!(folder.names(), ["session.jsonl"], "nothing written");
        String::from_utf8(told.get_output().stderr.clone()).unwrap()
    };
    assert_eq!(
        refused(&["--branch", "nowhere"]),
        "error: invalid `--branch`: no entry has the id `nowhere`\nhelp: `leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids\n"
    );
    assert_eq!(
        refused(&["--branch", "t0000008", "--leaf", "t0000025"]),
        "error: `--leaf t0000025` is outside `--branch t0000008`\nhelp: remove one of the two options, or choose another entry\n"
    );
    assert_eq!(
        refused(&["--subtree", "t0000025", "--branch", "t0000008"]),
        "error: `--branch t0000008` is outside `--subtree t0000025`\nhelp: remove one of the two options, or choose another entry\n"
    );
    assert_eq!(
        refused(&["--only", "user", "--target", "t0000008"]),
        "error: invalid `--target`: the other options remove the entry `t0000008`\nhelp: choose an entry that stays in the page\n"
    );
    assert_eq!(refused(&["--only", "program"]), "error: the options remove every entry\n");
}

#[test]
fn an_unknown_kind_names_the_known_ones() {
    folder().run(&["session.jsonl", "--only", "user,robot"]).code(2).stderr_eq(str![[r#"
error: invalid value `robot` for `--only <KINDS>`
help: possible values: user, assistant, tool-result, bash, program,
      file-mention, system, developer, custom-message, custom-role, compaction,
      branch-summary, model-change

"#]]);
}

/// The file of a cut session is a session: the other commands read it, and say what is cut.
#[test]
fn tree_and_context_read_the_cut_file() {
    let folder = folder();
    let session = leafpress::read(folder.read("session.jsonl").into_bytes()).unwrap();
    let mut options = leafpress::cut::Cut::default();
    options.branch = session.find("t0000008");
    options.without_tool_output = true;
    options.only = Some(vec![leafpress::session::Kind::User, leafpress::session::Kind::ToolResult]);
    let session = leafpress::cut::cut(session, &options).unwrap();
    folder.write("cut.jsonl", std::str::from_utf8(session.source()).unwrap());
    let tree = json(&folder.run(&["tree", "cut.jsonl", "--filter", "all", "--json"]).success());
    let rows: Vec<&str> =
        tree["rows"].as_array().unwrap().iter().map(|row| row["text"].as_str().unwrap()).collect();
    assert!(rows.iter().any(|row| row.contains("not included (another branch)")), "{rows:?}");
    let context = folder.run(&["context", "cut.jsonl"]).success();
    let told = String::from_utf8(context.get_output().stdout.clone()).unwrap();
    assert!(told.contains("removed (not sent): "), "{told}");
    assert!(told.contains(" not included (this page contains only"), "{told}");
}
