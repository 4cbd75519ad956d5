//! What the command does about secrets. They are put together here, so that no scanner takes this file for a leak.

use snapbox::str;

use crate::support::folder::{Folder, json};
use crate::support::inflated::everything;

pub(crate) fn token() -> String {
    ["ghp", "_", "Zk3Qw9Lr7TbX2mVn", "8Ps4Yc6Hd1Jf5Gu0Ea9K"].concat()
}

/// Learnt from an assignment; stands elsewhere without one.
const PASSWORD: &str = concat!("kestrel-91-", "lantern");

fn line(id: &str, parent: &str, text: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-11-02T09:00:00Z\",\
         \"message\":{{\"role\":\"user\",\"content\":{}}}}}\n",
        serde_json::to_string(text).unwrap()
    )
}

/// Two secrets in two entries, one of them a second time in a third entry.
pub(crate) fn session() -> String {
    [
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-11-02T09:00:00Z\",\"cwd\":\"/home/mira/w\"}\n",
        &line("a1", "", "A quiet question"),
        &line("a2", "a1", &format!("the token is {} as you know", token())),
        &line("a3", "a2", &format!("export DB_PASSWORD={PASSWORD}")),
        &line("a4", "a3", &format!("it said: {PASSWORD} is wrong")),
    ]
    .concat()
}

/// Two secrets in one entry.
pub(crate) fn session_with_two_in_one_entry() -> String {
    line("3d90fbac", "", &format!("export DB_PASSWORD={PASSWORD} and {}", token()))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.jsonl", &session());
    folder
}

#[test]
fn an_export_warns_with_the_ids() {
    let folder = folder();
    folder.run(&["s.jsonl"]).success().stderr_eq(str![[r#"
warning: found 2 possible secrets in 2 entries (a2, a3)
help: replace them with `--redact`, list them with `leafpress secrets`, or silence this with `--allow-secrets`
[..] KB: text [..], session file [..], the page itself [..]

"#]]);
    assert!(everything(&folder.read("s.html")).contains(&token()));
}

#[test]
fn one_who_knows_may_silence_it() {
    folder().run(&["s.jsonl", "--allow-secrets"]).success().stderr_eq(str![[r#"
[..] KB: text [..], session file [..], the page itself [..]

"#]]);
}

#[test]
fn a_job_may_refuse() {
    let folder = folder();
    folder.run(&["s.jsonl", "--fail-on-secrets"]).code(1).stdout_eq(str![""]).stderr_eq(str![[
        r#"
error: found 2 possible secrets in 2 entries (a2, a3); no page was written
help: replace the secrets with `--redact`; `leafpress secrets` lists them

"#
    ]]);
    assert_eq!(folder.names(), ["s.jsonl"]);
    folder.run(&["s.jsonl", "--fail-on-secrets", "--redact"]).success();
    // What was left out is not in the page.
    folder.run(&["s.jsonl", "--fail-on-secrets", "--branch", "a1"]).success();
    folder.run(&["s.jsonl", "--fail-on-secrets", "--allow-secrets"]).code(2);
}

#[test]
fn redacted_pages_hold_marks_and_say_so() {
    let folder = folder();
    folder.run(&["s.jsonl", "--redact"]).success().stderr_eq(str![[r#"
redacted 2 values in 3 places
[..] KB: text [..], session file [..], the page itself [..]

"#]]);
    let page = folder.read("s.html");
    let everything = everything(&page);
    assert!(!everything.contains(&token()) && !everything.contains(PASSWORD));
    assert!(everything.contains("the token is [redacted:github-token #1] as you know"));
    assert!(everything.contains("it said: [redacted:password #1] is wrong"));
    assert!(everything.contains("/home/mira/w"), "not asked for");
    assert!(page.contains("<summary>Redacted: 2 values in 3 places</summary>"));
    assert!(page.contains(
        "github-token: 1 value in 1 place, in <a class=\"entry-ref\" href=\"#entry-a2\">a2</a>"
    ));
    assert!(page.contains("href=\"#entry-a4\">a4</a>"));
    assert_eq!(folder.read("s.jsonl"), session(), "the file itself is only read");
}

#[test]
fn the_report_tells_of_what_is_in_the_page() {
    let folder = folder();
    folder.run(&["s.jsonl", "--redact", "--branch", "a3"]).success();
    let page = folder.read("s.html");
    assert!(page.contains("<summary>Redacted: 2 values in 2 places</summary>"), "a4 was cut");
    let tree = folder.run(&["tree", "s.html"]).success();
    let tree = String::from_utf8(tree.get_output().stdout.clone()).unwrap();
    assert!(tree.contains("[redacted:") && !tree.contains(&token()), "{tree}");
}

#[test]
fn stderr_and_the_page_give_one_count() {
    let folder = folder();
    for cut in [&[][..], &["--branch", "a3"]] {
        let args = [&["s.jsonl", "--redact-home", "--redact"][..], cut].concat();
        let done = folder.run(&args).success();
        let told = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        let told = told.lines().find_map(|line| line.strip_prefix("redacted ")).unwrap();
        let page = folder.read("s.html");
        assert!(page.contains(&format!("<summary>Redacted: {told}</summary>")), "{told}");
        assert!(page.contains("<li>home-folder: 1 value in 1 place, replaced by ~</li>"));
        if cut.is_empty() {
            assert!(told.ends_with("in 4 places"), "{told}");
        }
    }
}

#[test]
fn more_is_redacted_on_request() {
    let folder = folder();
    folder
        .write("rules.json", "{\"patterns\": [{\"name\": \"mood\", \"pattern\": \"qui[a-z]+t\"}]}");
    let args = [
        "s.jsonl",
        "--redact-home",
        "--redact-pattern",
        "is (wrong)",
        "--redact-rules",
        "rules.json",
    ];
    folder.run(&args).success();
    let everything = everything(&folder.read("s.html"));
    assert!(!everything.contains("mira") && !everything.contains(PASSWORD));
    assert!(everything.contains("A [redacted:mood #1] question"));
    assert!(everything.contains("is [redacted:pattern #1]"));
    folder.run(&["s.jsonl", "--redact-pattern", "("]).code(1).stderr_eq(str![[r#"
error: `(` is no regular expression: [..]

"#]]);
    let mut command = folder.command(&["s.jsonl", "--redact-env", "-o", "env.html"]);
    command = command.env("LEAFPRESS_TEST_SECRET", "A quiet question".replace(' ', "-"));
    command.assert().success();
}

#[test]
fn a_sub_session_and_its_name_are_redacted_too() {
    let folder = folder();
    std::fs::create_dir(folder.path("s")).unwrap();
    let child = "{\"type\":\"session\",\"version\":3,\"id\":\"c\"}\n".to_owned()
        + &line("b1", "", &format!("{PASSWORD} and {}", token()));
    folder.write(&format!("s/{}.jsonl", token()), &child);
    let warned = folder.run(&["s.jsonl", "--format", "omp"]).success();
    let warned = String::from_utf8_lossy(&warned.get_output().stderr).into_owned();
    assert!(!warned.contains(&token()), "{warned}");
    folder.run(&["s.jsonl", "--format", "omp", "--redact"]).success();
    let everything = everything(&folder.read("s.html"));
    assert!(everything.contains("b1"));
    assert!(!everything.contains(&token()) && !everything.contains(PASSWORD));
}

#[test]
fn findings_are_listed_without_the_values() {
    let folder = folder();
    folder.run(&["secrets", "s.jsonl"]).success().stdout_eq(str![[r#"
a2 message.content  github-token  the token is ghp_… as you know
a3 message.content  password  export DB_PASSWORD=…

"#]]);
    let found = json(&folder.run(&["secrets", "s.jsonl", "--json"]).success());
    assert_eq!(found["findings"][1]["entry"], "a3");
    assert!(!found.to_string().contains(PASSWORD));
    folder.write("s.jsonl", &line("a1", "", "nothing here"));
    folder.run(&["secrets", "s.jsonl"]).success().stdout_eq(str![[r#"
no possible secrets found

"#]]);
}

#[test]
fn a_secret_beside_the_entries_is_found() {
    let folder = folder();
    let header =
        format!("{{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"note\":\"{}\"}}\n", token());
    folder.write("s.jsonl", &(header + &line("a1", "", "hello")));
    folder.run(&["secrets", "s.jsonl"]).success().stdout_eq(str![[r#"
line 1 note  github-token  ghp_…

"#]]);
}

#[test]
fn letters_around_a_finding_hide_what_hex_says() {
    let folder = folder();
    let hex = data_encoding::HEXLOWER.encode(PASSWORD.as_bytes());
    let text = format!("{hex} {} x{hex} and 9f86d081884c7d659a2f", token());
    folder.write("s.jsonl", &line("a1", "", &text));
    folder.run(&["secrets", "s.jsonl"]).success().stdout_eq(str![[r#"
a1 message.content  github-token  … ghp_… x…

"#]]);
    folder.write("s.jsonl", &line("a1", "", &format!("9f86d081884c7d659a {}", token())));
    folder.run(&["secrets", "s.jsonl"]).success().stdout_eq(str![[r#"
a1 message.content  github-token  9f86d081884c7d659a ghp_…

"#]]);
}

#[test]
fn a_pattern_without_letters_is_refused() {
    folder().run(&["s.jsonl", "--redact-pattern", ""]).code(1).stderr_eq(str![[r#"
error: `` matches the empty string, so it stands everywhere: say what must be there

"#]]);
}

/// The two halves of a token in blocks of their own, which a row of the tree shows as one text.
fn split_token() -> Folder {
    let folder = Folder::new();
    let token = token();
    let (a, b) = token.split_at(20);
    let entry = serde_json::json!({"type": "message", "id": "a1", "parentId": null, "message": {"role": "user",
        "content": [{"type": "text", "text": format!("see {a}")}, {"type": "text", "text": format!("{b} here")}]}});
    let header = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n";
    folder.write("s.jsonl", &format!("{header}{entry}\n"));
    folder.write("word", "a long sentence that only we two know");
    folder
}

const LEFT: &str = "error: the page still contains 1 possible secret in 1 entry (a1); it was not written:
  a1  github-token  see ghp_… here
help: replace them with `--redact-pattern RE`; if they are harmless, add `--allow-secrets` to `--redact`
";

#[test]
fn a_page_with_a_secret_left_is_not_written() {
    let folder = split_token();
    folder.run(&["s.jsonl", "--allow-secrets"]).success();
    let old = folder.read("s.html");
    for args in [
        &["--redact"][..],
        &["--redact", "--fail-on-secrets"],
        &["--fail-on-secrets"],
        &["--redact-emails"],
        &["--redact", "--max-size", "1MB"],
        &["--redact", "--password-file", "word"],
        &["--redact", "--password-file", "word", "--max-size", "1MB"],
        &["--redact", "-o", "-"],
        &["--redact", "--no-source", "--static"],
    ] {
        let args = [&["s.jsonl"], args].concat();
        folder.run(&args).code(1).stdout_eq("").stderr_eq(LEFT);
        assert!(folder.read("s.html") == old, "{args:?}");
        assert_eq!(folder.names(), ["s.html", "s.jsonl", "word"]);
    }
    // What is not in the page is no matter.
    folder.run(&["s.jsonl", "--redact-pattern", "see"]).code(1);
    folder.run(&["s.jsonl", "--redact-pattern", &token()[..20]]).success();
}

#[test]
fn one_who_knows_may_write_it_all_the_same() {
    let folder = split_token();
    for more in [&[][..], &["--max-size", "1MB"], &["--password-file", "word"]] {
        let args = [&["s.jsonl", "--redact", "--allow-secrets"], more].concat();
        folder.run(&args).success().stdout_eq("s.html\n").stderr_eq(str![[r#"
warning: the page still contains 1 possible secret in 1 entry (a1):
  a1  github-token  see ghp_… here
help: it is written because of `--allow-secrets`
redacted 0 values in 0 places
[..] KB: text [..], session file [..], the page itself [..]
...
"#]]);
        std::fs::remove_file(folder.path("s.html")).unwrap();
    }
}

#[test]
fn the_title_asked_for_is_redacted() {
    let folder = folder();
    let title = format!("On {} and {PASSWORD}", token());
    folder.run(&["s.jsonl", "--redact", "--title", &title]).success();
    let everything = everything(&folder.read("s.html"));
    assert!(!everything.contains(&token()) && !everything.contains(PASSWORD));
    assert!(everything.contains("<title>On [redacted:github-token #1] and [redacted:password #1]"));
    // What only the title tells to be a secret goes from the session, too.
    let word = concat!("quiet-harbor", "-77");
    let title = ["password: ", word].concat();
    folder.write("t.jsonl", &session().replace("A quiet question", &format!("A {word} question")));
    folder.run(&["t.jsonl", "--redact", "--title", &title]).success();
    assert!(!self::everything(&folder.read("t.html")).contains(word));
}

#[test]
fn a_secret_in_the_title_is_found_by_every_export() {
    let folder = Folder::with_example("first-steps.jsonl");
    let title = format!("Tides by {}", token());
    let export = |more: &[&str]| {
        folder.run(
            &[&["first-steps.jsonl", "--title", title.as_str(), "-o", "p.html"], more].concat(),
        )
    };
    export(&[]).success().stderr_eq(str![[r#"
warning: found 1 possible secret in 1 place (title)
help: replace them with `--redact`, list them with `leafpress secrets`, or silence this with `--allow-secrets`
[..]

"#]]);
    export(&["--fail-on-secrets"]).code(1).stderr_eq(str![[r#"
error: found 1 possible secret in 1 place (title); no page was written
help: replace the secrets with `--redact`; `leafpress secrets` lists them

"#]]);
    export(&["--redact", "--fail-on-secrets"]).success();
    assert!(!folder.read("p.html").contains(&token()));
}

#[test]
fn what_is_not_included_is_not_counted_as_redacted() {
    let folder = Folder::new();
    let image = serde_json::json!({"type": "image", "source": {"media_type": "image/png", "path": "notes.png"}});
    let session = serde_json::json!({"schema_version": "ATIF-v1.7", "session_id": "s",
        "agent": {"name": "bot", "version": "1", "model_name": "m"},
        "steps": [{"step_id": 1, "source": "user", "message": [image]}]});
    folder.write("t.json", &session.to_string());
    folder.write("notes.png", &format!("the token is {}", token()));
    folder.run(&["t.json", "--redact"]).success().stderr_eq(str![[r#"
redacted 0 values in 0 places
[..]

"#]]);
}

/// Agent, project, git branch, model, title, files, Asked and Ended are session text too.
#[test]
fn the_head_and_its_lists_are_redacted_and_cut() {
    let secret = token();
    let row = |uuid: &str, parent: &str, rest: &str| {
        format!(
            "{{\"uuid\":\"{uuid}\",\"parentUuid\":{parent},\"sessionId\":\"s\",\"version\":\"2.{secret}\",\"cwd\":\"/home/mira/{secret}\",\
             \"gitBranch\":\"fix/{secret}\",\"timestamp\":\"2026-11-02T09:00:00Z\",{rest}}}\n"
        )
    };
    let message = |id: &str, content: &str| {
        format!(
            "\"type\":\"assistant\",\"message\":{{\"id\":\"{id}\",\"role\":\"assistant\",\"model\":\"m-{secret}\",\"content\":[{content}]}}"
        )
    };
    let edit = format!(
        "{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Edit\",\"input\":{{\"file_path\":\"/home/mira/{secret}/{secret}.rs\",\"old_string\":\"a\",\"new_string\":\"b\"}}}}"
    );
    let session = [
        row("a", "null", &format!("\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"# A plan\\nask {secret}\"}}")),
        row("b", "\"a\"", &message("1", &edit)),
        row("c", "\"b\"", "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"ok\"}]}"),
        row("d", "\"c\"", &message("2", &format!("{{\"type\":\"text\",\"text\":\"done {secret}\"}}"))),
    ]
    .concat();
    let folder = Folder::new();
    folder.write("s.jsonl", &session);
    let head = || {
        let page = folder.read("s.html");
        let (_, head) = page.split_once("<div id=\"head\">").unwrap();
        head.split("<details").next().unwrap().to_owned()
    };
    folder.run(&["s.jsonl", "--allow-secrets"]).success();
    assert!(head().matches(&secret).count() >= 7, "{}", head());
    folder.run(&["s.jsonl", "--redact", "--redact-home"]).success();
    let redacted = head();
    for fact in ["agent", "project", "git-branch", "model", "files"] {
        assert!(redacted.contains(&format!("data-fact=\"{fact}\"")), "{fact}: {redacted}");
    }
    assert!(redacted.contains("data-asked") && redacted.contains("data-ended"), "{redacted}");
    assert!(!redacted.contains(&secret) && !redacted.contains("mira"), "{redacted}");
    let everything = everything(&folder.read("s.html"));
    assert!(!everything.contains(&secret) && !everything.contains("mira"));
    // What a cut removed gives no fact.
    folder.run(&["s.jsonl", "--allow-secrets", "--only", "user"]).success();
    let cut = head();
    assert!(cut.contains("data-asked"), "{cut}");
    for gone in ["data-fact=\"files\"", "data-fact=\"model\"", "data-ended", "done "] {
        assert!(!cut.contains(gone), "{gone}: {cut}");
    }
}
