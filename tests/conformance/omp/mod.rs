//! oh-my-pi: recognition, the rules of its context one by one, what lies beside a session.

use std::fs;
use std::path::{Path, PathBuf};

use leafpress::format::{Beside, read_with};
use leafpress::session::Dialect;
use leafpress::session::context::{Facts, State};
use leafpress::{Filter, Session, report};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::support::{Log, fixture, ids, index, read_fixture, seen};

const MAIN: &str = "samples-2026-03/omp/sessions/-proj-datefmt/2026-03-10T09-00-00-000Z_019c2b7e-55aa-7c31-8f00-0d3e5f6a7b8c.jsonl";

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A fixture with what lies beside it.
fn read_in_place(name: &str, archived: bool) -> Session {
    let beside = Beside { session: Some(path_of(name)), archived, ..Beside::default() };
    read_with(fixture(name), None, &beside).unwrap()
}

fn read_omp(log: &Log) -> Session {
    read_with(log.text().into_bytes(), Some(Dialect::Omp), &Beside::default()).unwrap()
}

/// The page, without its own program and the source.
fn page(session: &Session) -> String {
    let mut options = leafpress::Options::default();
    options.without_source = true;
    let mut page = Vec::new();
    leafpress::export(session, &options, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn states(session: &Session, leaf: &str) -> Vec<State> {
    Facts::read(session).context(Some(index(session, leaf))).states
}

#[test]
fn omp_is_told_from_pi_by_content() {
    let header = json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"});
    let message = json!({"type": "message", "id": "1", "parentId": null, "message": {"role": "user", "content": "hi"}});
    let dialect = |lines: &[Value]| {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        leafpress::read(text.join("\n").into_bytes()).unwrap().dialect()
    };
    let with = |extra: Value| dialect(&[header.clone(), message.clone(), extra]);
    assert_eq!(dialect(&[header.clone(), message.clone()]), Dialect::Pi);
    for entry_type in ["reset_boundary", "session_init", "mode_change", "ttsr_injection", "archive"]
    {
        assert_eq!(
            with(json!({"type": entry_type, "id": "2", "parentId": "1"})),
            Dialect::Omp,
            "{entry_type}"
        );
    }
    assert_eq!(with(json!({"type": "model_change", "id": "2", "model": "a/b"})), Dialect::Omp);
    let of_pi =
        json!({"type": "model_change", "id": "2", "provider": "a", "modelId": "b", "model": "x"});
    assert_eq!(with(of_pi), Dialect::Pi);
    assert_eq!(
        with(json!({"type": "message", "id": "2", "message": {"role": "pythonExecution"}})),
        Dialect::Omp
    );
    assert_eq!(
        with(
            json!({"type": "message", "id": "2", "message": {"role": "user", "content": "blob:sha256:"}})
        ),
        Dialect::Pi
    );
    let mut titled = header.clone();
    titled["title"] = json!("t");
    assert_eq!(dialect(&[titled, message.clone()]), Dialect::Omp);
    let slot = json!({"type": "title", "v": 1, "title": ""});
    assert_eq!(dialect(&[slot, header.clone(), message.clone()]), Dialect::Omp);
    // A proposal's header, a file of pi's second version.
    let mut other = header.clone();
    other["uuid"] = json!("u");
    other["title"] = json!("t");
    assert_eq!(dialect(&[other, message.clone()]), Dialect::PiProposal);
    let mut old = header;
    old["version"] = json!(2);
    let hook = json!({"type": "message", "id": "2", "message": {"role": "hookMessage"}});
    assert_eq!(dialect(&[old, message, hook]), Dialect::Pi);
    for name in ["pi-1.5-main", "pi-1.5-edge", "pi-1.5-v1", "pi-1.5-v2"] {
        assert_eq!(read_fixture(&format!("samples/{name}.jsonl")).dialect(), Dialect::Pi, "{name}");
    }
    for name in ["omp-18-main", "omp-18-tree"] {
        assert_eq!(
            read_fixture(&format!("samples/{name}.jsonl")).dialect(),
            Dialect::Omp,
            "{name}"
        );
    }
}

#[test]
fn l10_the_main_sample() {
    let session = read_in_place(MAIN, false);
    assert_eq!(session.title(), Some("Date parser clean-up"));
    let leaf = session.id(session.leaf()).to_owned();
    assert_eq!(leaf, "0a00001b");
    let report = report::context(&session, session.leaf());
    assert_eq!(report.messages.len(), 8);
    let model = report.model.unwrap();
    assert_eq!(
        (model.provider.as_str(), model.model_id.as_str()),
        ("anthropic", "claude-sonnet-4-5")
    );
    let roles: Vec<_> = report.role_models.keys().map(String::as_str).collect();
    assert_eq!((roles, report.mode), (vec!["smol"], None));
    assert_eq!(session.index_of("0a00000c"), None);
    assert_eq!(session.index_of("0a00000d"), None);
    assert_eq!(
        session.notes(),
        ["2 entries of 1 archived branch left out; `--archived` shows them"]
    );
    let page = page(&session);
    assert!(page.contains("data:image/png;base64,"), "the blob is a picture in the page");
    assert!(page.contains("2 entries of 1 archived branch left out"));
    assert!(!page.contains("toolu_dangling"));
    let all = read_in_place(MAIN, true);
    assert!(all.index_of("0a00000d").is_some() && all.notes().is_empty());
}

#[test]
fn the_mode_and_the_service_tier_are_those_at_the_leaf() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    let at = |leaf: &str| {
        let report = report::context(&session, index(&session, leaf));
        (report.mode, report.service_tier.into_iter().collect::<Vec<_>>())
    };
    let priority = vec![("openai".to_owned(), "priority".to_owned())];
    assert_eq!(at("o0000002"), (None, Vec::new()));
    assert_eq!(at("o0000003"), (None, priority.clone()));
    assert_eq!(at("o0000013"), (Some("plan".to_owned()), priority.clone()));
    assert_eq!(at("o0000038"), (None, priority));
}

#[test]
fn old_words_for_a_service_tier_name_families() {
    let tiers = |tier: Value| {
        let tier = json!({"type": "service_tier_change", "serviceTier": tier});
        let session = read_omp(&Log::new().entry(tier));
        report::context(&session, 0).service_tier.into_iter().map(|(f, t)| f + ":" + &t).collect()
    };
    let read: [Vec<String>; 5] =
        [json!("priority"), json!("openai-only"), json!("claude-only"), json!("flex"), json!(null)]
            .map(tiers);
    assert_eq!(
        read.map(|tiers| tiers.join(" ")),
        [
            "anthropic:priority google:priority openai:priority",
            "openai:priority",
            "anthropic:priority",
            "openai:flex",
            ""
        ]
    );
}

#[test]
fn the_sample_of_2026_03_with_a_reset() {
    let session = read_fixture("samples-2026-03/omp/omp-reset-boundary.jsonl");
    let expected = [
        "compactionSummary S1",
        "assistant A1",
        "user two-b (a branch without the reset)",
        "assistant A2b",
    ];
    assert_eq!(seen(&session, "0c000009"), expected);
    assert_eq!(seen(&session, "0c000007"), ["user three", "assistant A3"]);
    let states = states(&session, "0c000007");
    assert_eq!(states[..4], [State::Excluded; 4]);
    assert_eq!(states[4..], [State::None, State::In, State::In]);
}

#[test]
fn the_sample_of_january_2026() {
    let session = read_fixture("samples-2026-03/omp/omp-jan2026.jsonl");
    assert_eq!(session.dialect(), Dialect::Omp);
    assert_eq!(session.title(), Some("Fix chart"));
    assert_eq!(seen(&session, "uUvVwWxX")[2..], ["hookMessage 0 warnings", "fileMention "]);
}

#[test]
fn a_chosen_model_holds_and_other_roles_do_not_count() {
    let model = |log: Log| {
        let session = read_omp(&log);
        report::context(&session, session.leaf()).model.map(|model| model.model_id)
    };
    let change = |log: Log, name: &str, role: Value| {
        log.entry(json!({"type": "model_change", "model": name, "role": role}))
    };
    let log = || Log::new().user("a");
    assert_eq!(model(change(log(), "x/one", Value::Null).assistant("b")).unwrap(), "one");
    assert_eq!(model(change(log(), "x/one", json!("default")).assistant("b")).unwrap(), "one");
    assert_eq!(model(change(log(), "x/one", json!("smol")).assistant("b")).unwrap(), "claude-test");
    assert_eq!(model(change(log(), "x/one", json!("fallback"))), None);
    assert_eq!(model(change(log().assistant("b"), "x/a/b", Value::Null)).unwrap(), "a/b");
}

fn remote(provider: &str) -> Value {
    json!({"type": "compaction", "summary": "S", "firstKeptEntryId": "1",
        "preserveData": {"openaiRemoteCompaction": {"provider": provider, "replacementHistory": []}}})
}

#[test]
fn a_remote_compaction_is_for_its_provider_alone() {
    let log = |provider| Log::new().user("a").assistant("b").entry(remote(provider)).user("c");
    assert_eq!(seen(&read_omp(&log("anthropic")), "4"), ["compactionSummary S", "user c"]);
    let other = read_omp(&log("acme"));
    assert_eq!(seen(&other, "4"), ["user a", "assistant b", "user c"]);
    assert_eq!(states(&other, "4")[2], State::Excluded);
    // Without a provider it is a compaction like any other.
    assert_eq!(
        seen(&read_omp(&log("")), "4"),
        ["compactionSummary S", "user a", "assistant b", "user c"]
    );
    // The next earlier boundary counts then.
    let log = Log::new()
        .user("a")
        .compaction("first", "none")
        .assistant("b")
        .entry(remote("acme"))
        .user("c");
    assert_eq!(seen(&read_omp(&log), "5"), ["compactionSummary first", "assistant b", "user c"]);
}

#[test]
fn what_is_never_given() {
    let custom = |custom_type: &str, content: Value| json!({"type": "custom_message", "customType": custom_type, "content": content, "display": true});
    let turn = |extra: Value| {
        let mut message = json!({"role": "assistant", "content": [{"type": "text", "text": "t"}]});
        message.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({"type": "message", "message": message})
    };
    for (nth, entry) in [
        custom("prewalk-plan", json!("x")),
        custom("vibe-mode-context", json!("x")),
        custom("note", json!({"no": 1})),
        custom("note", Value::Null),
        turn(json!({"stopReason": "error", "retryRecovery": {"status": "recovered"}})),
        turn(json!({"stopReason": "error", "content": []})),
        turn(json!({"stopReason": "error"})),
        turn(json!({"stopReason": "aborted"})),
    ]
    .into_iter()
    .enumerate()
    {
        let session = read_omp(&Log::new().user("a").entry(entry));
        assert_eq!(seen(&session, "2"), ["user a"], "{nth}");
        assert_eq!(states(&session, "2")[1], State::Excluded, "{nth}");
    }
}

fn result(id: &str) -> Value {
    json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "toolName": "t", "content": "r"}})
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn calling(stop: &str, blocks: Value) -> Value {
    json!({"type": "message", "message": {"role": "assistant", "stopReason": stop, "content": blocks}})
}

fn call(id: &str) -> Value {
    json!({"type": "toolCall", "id": id, "name": "t", "arguments": {}})
}

#[test]
fn calls_without_a_result_go() {
    let stripped = |session: &Session| {
        let leaf = session.leaf();
        let context = Facts::read(session).context(Some(leaf));
        context.messages.iter().map(|message| message.stripped.clone()).collect::<Vec<_>>()
    };
    let log =
        Log::new().user("a").entry(calling("toolUse", json!([call("x"), call("y"), call("z")])));
    let session = read_omp(&log.entry(result("y")));
    assert_eq!(stripped(&session), [vec![], vec![0, 2], vec![]]);
    assert_eq!(states(&session, "3")[1], State::Edited);
    let hidden = json!({"type": "redactedThinking", "data": "x"});
    let session =
        read_omp(&Log::new().user("a").entry(calling("toolUse", json!([hidden, call("x")]))));
    assert_eq!(seen(&session, "2"), ["user a"]);
    assert_eq!(states(&session, "2")[1], State::Excluded);
}

#[test]
fn a_failed_turn_goes_with_its_results_unless_its_thoughts_follow() {
    let failed = calling("aborted", json!([{"type": "text", "text": "half"}, call("x")]));
    let log = Log::new().user("a").entry(failed).entry(result("x"));
    assert_eq!(seen(&read_omp(&log), "3"), ["user a"]);
    let thought = json!({"type": "custom_message", "customType": "interrupted-thinking", "content": "thought"});
    let text = |log: Log| seen(&read_omp(&log.entry(thought.clone())), "3");
    let turn = calling("aborted", json!([{"type": "text", "text": "half"}]));
    assert_eq!(
        text(Log::new().user("a").entry(turn)),
        ["user a", "assistant half", "custom thought"]
    );
    // Not next: the turn goes.
    let session = read_omp(&log.entry(thought));
    assert_eq!(seen(&session, "4"), ["user a", "custom thought"]);
}

#[test]
fn notes_come_first_and_a_reset_ends_them() {
    let note = |version: u32, text: &str| json!({"type": "custom", "customType": "experimental_context_notes", "data": {"version": version, "text": text}});
    let log =
        Log::new().user("a").entry(note(1, "old")).entry(note(1, "new")).entry(note(2, "odd"));
    let log = log.entry(note(1, &"x".repeat((16 << 10) + 1)));
    let log = log.compaction("S", "none").user("b");
    let session = read_omp(&log);
    assert_eq!(seen(&session, "7"), ["custom new", "compactionSummary S", "user b"]);
    assert_eq!(states(&session, "7")[1..3], [State::None, State::In]);
    let session = read_omp(&log.entry(json!({"type": "reset_boundary"})).user("c"));
    assert_eq!(seen(&session, "9"), ["user c"]);
}

#[test]
fn rows_of_the_main_sample() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    let leaf = index(&session, "o0000043");
    let rows = report::tree(&session, leaf, Filter::All, None).rows;
    let text = |id: &str| {
        let row = rows.iter().find(|row| row.id == id);
        row.map_or_else(|| panic!("no row {id}"), |row| row.text.as_str())
    };
    for (id, wanted) in [
        ("o0000001", "[model: acme/wren-2]"),
        ("o0000003", "[service tier: openai:priority]"),
        ("o0000004", "[credential pin: acme]"),
        ("o0000008", "[grep: /buoy/ in src, docs]"),
        ("o0000010", "[model usage: title tiny acme/finch-1]"),
        ("o0000011", "[title: Harbour lights v2]"),
        ("o0000012", "developer: Keep going with the plan."),
        ("o0000013", "[mode: plan]"),
        ("o0000014", "[ttsr injection]"),
        ("o0000017", "[pythonExecution]"),
        ("o0000019", "[fileMention]"),
        ("o0000021", "advisor (sec, concern): check the anchor; advisor (nit): fine"),
        ("o0000022", "[async-result]: Job 7 finished"),
        ("o0000030", "assistant: waited 3s"),
    ] {
        assert_eq!(text(id), wanted, "{id}");
    }
    // A turn of dots and a picture says nothing.
    assert!(rows.iter().all(|row| row.id != "o0000015"));
    let users = report::tree(&session, leaf, Filter::UserOnly, None).rows;
    assert!(users.iter().any(|row| row.id == "o0000020"), "a skill that a person called");
    let default = report::tree(&session, leaf, Filter::Default, None).rows;
    for id in ["o0000003", "o0000004", "o0000010", "o0000011", "o0000013", "o0000014"] {
        assert!(default.iter().all(|row| row.id != id), "{id} is a setting");
    }
}

#[test]
fn side_calls_count_as_spent() {
    let side = json!({"type": "model_usage", "purpose": "title", "provider": "p", "model": "m",
        "usage": {"input": 10, "output": 5, "cost": {"total": 0.25}}});
    let session = read_omp(&Log::new().user("a").entry(side));
    assert!((session.entry(1).usage().unwrap().cost - 0.25).abs() < 1e-9);
    assert!(page(&session).contains("$0.25"));
}

#[test]
fn the_name_is_that_of_the_title_line() {
    let change = json!({"type": "title_change", "title": "changed", "source": "user"});
    let entry = json!({"type": "message", "message": {"role": "user", "content": "x"}});
    let title = |lines: &str| {
        let log = Log::without_header().line(lines).entry(entry.clone()).entry(change.clone());
        log.read().title().map(str::to_owned)
    };
    let header = r#"{"type":"session","version":3,"id":"s"}"#;
    let slot =
        |title: &str| format!("{}\n{header}", json!({"type": "title", "v": 1, "title": title}));
    assert_eq!(title(&slot("slot")).as_deref(), Some("slot"));
    assert_eq!(title(&slot("")), None);
    assert_eq!(title(header).as_deref(), Some("changed"));
    assert_eq!(
        title(r#"{"type":"session","version":3,"id":"s","title":"header"}"#).as_deref(),
        Some("header")
    );
}

#[test]
fn a_credential_s_hash_is_nowhere() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    assert!(!page(&session).contains("abababab"));
}

/// A session in an agent's folder of its own.
struct Home {
    folder: TempDir,
    session: PathBuf,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let sessions = folder.path().join("agent/sessions/-w");
        fs::create_dir_all(&sessions).unwrap();
        fs::create_dir_all(folder.path().join("agent/blobs")).unwrap();
        fs::create_dir_all(sessions.join("s")).unwrap();
        Home { session: sessions.join("s.jsonl"), folder }
    }

    fn blob(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join("agent/blobs").join(name), bytes).unwrap();
    }

    fn own(&self, name: &str) -> PathBuf {
        self.session.with_extension("").join(name)
    }

    fn read(&self, log: &Log) -> Session {
        fs::write(&self.session, log.text()).unwrap();
        let beside = Beside { session: Some(self.session.clone()), ..Beside::default() };
        read_with(fs::read(&self.session).unwrap(), Some(Dialect::Omp), &beside).unwrap()
    }

    fn page(&self, log: &Log) -> String {
        page(&self.read(log))
    }
}

const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

fn hash(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

fn showing(data: &str) -> Log {
    Log::new().message(json!({"role": "user", "content": [{"type": "image", "data": data, "mimeType": "image/gif"}]}))
}

#[test]
fn l11_blobs_are_read_from_the_agent_s_folder_and_checked() {
    let home = Home::new();
    let name = hash(GIF);
    let missing = home.page(&showing(&format!("blob:sha256:{name}")));
    assert!(missing.contains(&format!("blob </span><code>{name}</code><span data-ui> not found")));
    home.blob(&name, GIF);
    assert!(
        home.page(&showing(&format!("blob:sha256:{name}")))
            .contains("data:image/gif;base64,R0lGOD")
    );
    // An address that was stored as text is hashed as text.
    let url = format!("data:image/gif;base64,{}", data_encoding::BASE64.encode(GIF));
    home.blob(&hash(url.as_bytes()), url.as_bytes());
    let page = home.page(&showing(&format!("blob:sha256:{}", hash(url.as_bytes()))));
    assert!(page.contains("data:image/gif;base64,R0lGOD"));
    // Other bytes than the name says.
    let wrong = "0".repeat(64);
    home.blob(&wrong, GIF);
    let page = home.page(&showing(&format!("blob:sha256:{wrong}")));
    assert!(page.contains("do not match its name") && !page.contains("R0lGOD"));
}

#[test]
fn l11_only_a_hash_names_a_blob() {
    let home = Home::new();
    fs::write(home.folder.path().join("agent/secret"), GIF).unwrap();
    let name = hash(GIF);
    home.blob(&name.to_uppercase(), GIF);
    home.blob(&name[..63], GIF);
    for odd in [&name.to_uppercase(), &name[..63], "../secret", "/etc/passwd", ""] {
        let page = home.page(&showing(&format!("blob:sha256:{odd}")));
        assert!(page.contains("is no name of a blob") && !page.contains("R0lGOD"), "{odd}");
    }
}

#[test]
fn blobs_come_from_where_the_caller_says() {
    let home = Home::new();
    let name = hash(GIF);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join(&name), GIF).unwrap();
    let log = showing(&format!("blob:sha256:{name}"));
    let beside = Beside { blobs: Some(other.path().to_owned()), ..Beside::default() };
    let session = read_with(log.text().into_bytes(), Some(Dialect::Omp), &beside).unwrap();
    assert!(page(&session).contains("R0lGOD"));
    drop(home);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_refused() {
    use std::os::unix::fs::symlink;
    let home = Home::new();
    let name = hash(GIF);
    let secret = home.folder.path().join("secret");
    fs::write(&secret, GIF).unwrap();
    symlink(&secret, home.folder.path().join("agent/blobs").join(&name)).unwrap();
    let page = home.page(&showing(&format!("blob:sha256:{name}")));
    assert!(page.contains("outside the session") && !page.contains("R0lGOD"), "a blob");

    symlink(&secret, home.own("3.bash.log")).unwrap();
    symlink("4.bash.log", home.own("4.bash.log")).unwrap();
    fs::create_dir(home.own("5.bash.log")).unwrap();
    let log = answering("artifact://3 artifact://4 artifact://5 artifact://../../secret");
    let page = home.page(&log);
    assert!(page.contains("artifact://3</code><span data-ui> is not here: refused"), "an output");
    assert_eq!(page.matches("is not here").count(), 3);
    assert!(!page.contains("GIF89a"));
}

fn answering(text: &str) -> Log {
    Log::new()
        .user("a")
        .entry(calling("toolUse", json!([call("x")])))
        .message(json!({"role": "toolResult", "toolCallId": "x", "toolName": "t", "content": text}))
}

#[test]
fn whole_outputs_stand_where_they_are_first_named() {
    let home = Home::new();
    fs::write(home.own("0.bash.log"), "all of <it>\n").unwrap();
    fs::write(home.own("10.bash.log"), "another").unwrap();
    let again = json!({"role": "toolResult", "toolCallId": "x", "content": "", "details": {"artifactId": "0"}});
    let page = home.page(&answering("cut, see artifact://0").message(again));
    assert_eq!(page.matches("all of &lt;it&gt;").count(), 1, "{page}");
    assert!(page.contains("<code>0.bash.log</code>") && !page.contains("another"));
    assert!(page.contains("is in <a href=\"#entry-3\">"));
    assert!(
        home.page(&answering("artifact://1"))
            .contains("artifact://1</code><span data-ui> is not here")
    );
}

fn archive(log: Log, target: &str, archived: bool) -> Log {
    log.entry(json!({"type": "archive", "targetId": target, "archived": archived}))
}

#[test]
fn archived_branches_are_left_out_and_the_leaf_moves() {
    let log = Log::new().user("a").user("b").user("c").under(Some("1")).user("d");
    let away = read_omp(&archive(log, "2", true));
    assert_eq!(ids(&away, 0..away.len()), ["1", "4", "5"]);
    assert_eq!(away.id(away.leaf()), "5");
    assert_eq!(away.left_out(), [3, 4]);

    let log = || archive(Log::new().user("a").user("b").user("SECRET"), "2", true);
    let away = read_omp(&log());
    assert_eq!(ids(&away, 0..away.len()), ["1"]);
    assert_eq!(away.id(away.leaf()), "1");
    assert_eq!(away.notes(), ["3 entries of 1 archived branch left out; `--archived` shows them"]);
    let mut page = Vec::new();
    leafpress::export(&away, &leafpress::Options::default(), &mut page).unwrap();
    assert!(!String::from_utf8(page).unwrap().contains("SECRET"));

    // The last word counts; nothing is not shown at all.
    assert_eq!(read_omp(&archive(log(), "2", false)).len(), 5);
    assert_eq!(read_omp(&archive(Log::new().user("a").user("b"), "1", true)).len(), 3);
    assert_eq!(read_omp(&archive(Log::new().user("a"), "nosuch", true)).len(), 2);
}

#[test]
fn archived_circles_and_long_chains_end() {
    let log = Log::new().user("x").under(Some("3")).user("a").under(Some("2")).user("b");
    let away = read_omp(&archive(log.under(Some("1")), "3", true));
    assert_eq!(ids(&away, 0..away.len()), ["1", "4"]);

    let mut log = Log::new();
    for _ in 0..20_000 {
        log = log.user("x");
    }
    assert_eq!(read_omp(&archive(log, "2", true)).len(), 1);
}

/// Each field of each type, and the types of its values exchanged.
#[test]
fn wrong_types_anywhere_are_survived() {
    let sample = String::from_utf8(fixture("samples/omp-18-main.jsonl")).unwrap();
    let odd =
        [json!(null), json!(7), json!("<b>"), json!([{"a": 1}]), json!({"b": [2]}), json!(true)];
    for (nth, odd) in odd.iter().enumerate() {
        let mut lines = Vec::new();
        for line in sample.lines() {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            let is_envelope = |key: &str| matches!(key, "type" | "id" | "parentId");
            for (key, value) in entry.as_object_mut().unwrap() {
                match value {
                    Value::Object(inner) if key == "message" && nth > 0 => {
                        for (key, value) in inner {
                            if key != "role" {
                                *value = odd.clone();
                            }
                        }
                    }
                    value if !is_envelope(key) => *value = odd.clone(),
                    _ => {}
                }
            }
            lines.push(entry.to_string());
        }
        let source = lines.join("\n").into_bytes();
        let session = read_with(source, Some(Dialect::Omp), &Beside::default()).unwrap();
        assert_eq!(session.len(), 54, "{nth}");
        for leaf in 0..session.len() {
            report::context(&session, leaf);
        }
        page(&session);
    }
}

#[test]
fn agents_hang_from_the_results_that_name_them() {
    let path = own_sample("samples/omp-18-main.jsonl");
    let beside = Beside { session: Some(path.clone()), ..Beside::default() };
    let session = read_with(std::fs::read(&path).unwrap(), None, &beside).unwrap();
    let children: Vec<(&str, Option<&str>)> = session
        .children()
        .iter()
        .map(|child| (child.key.as_str(), child.agent.as_deref()))
        .collect();
    assert_eq!(children, [("Broken", None), ("Scout", Some("scout")), ("Scout/Helper", None)]);
    let scout = session.find("Scout/s0000002").expect("an entry of the child");
    let root = session.tree().path(scout)[0];
    assert_eq!(session.key(root), "Scout/s0000001", "its path begins in its own session");

    let alone = Beside { without_children: true, ..beside };
    let session = read_with(std::fs::read(&path).unwrap(), None, &alone).unwrap();
    assert!(session.children().is_empty() && session.len() == session.own_len());
}

#[cfg(unix)]
#[test]
fn a_folder_of_agents_that_is_a_link_is_not_followed_in_a_circle() {
    let folder = tempfile::tempdir().unwrap();
    let sample = std::fs::read(own_sample("samples/omp-18-main.jsonl")).unwrap();
    let path = folder.path().join("s.jsonl");
    std::fs::write(&path, &sample).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("s")).unwrap();
    let beside = Beside { session: Some(path), ..Beside::default() };
    let session = read_with(sample, None, &beside).unwrap();
    // The agent that a result names is said to be missing; nothing else came in.
    assert_eq!(session.children().len(), 1);
    assert_eq!(session.len(), session.own_len() + 1);
}

fn own_sample(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}
