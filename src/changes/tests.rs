use std::fmt::Write as _;

use super::*;

/// A session of pi's in which a model calls tools: each step is the call, whether it failed, and its result.
fn session(steps: &[(&str, &str, &str)]) -> Session {
    let mut text = String::from(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/w\"}\n",
    );
    let mut parent = "null".to_owned();
    let mut add = |id: String, message: String, at: usize| {
        let _ = writeln!(
            text,
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:{:02}:{:02}.000Z\",\"message\":{message}}}",
            at / 60,
            at % 60
        );
        parent = format!("\"{id}\"");
    };
    for (nth, (tool, arguments, result)) in steps.iter().enumerate() {
        let at = nth * 3;
        if *tool == "prompt" {
            add(
                format!("p{nth}"),
                format!("{{\"role\":\"user\",\"content\":\"{arguments}\"}}"),
                at,
            );
            continue;
        }
        let call = format!(
            "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"toolCall\",\"id\":\"c{nth}\",\"name\":\"{tool}\",\"arguments\":{arguments}}}],\"stopReason\":\"toolUse\"}}"
        );
        add(format!("a{nth}"), call, at + 1);
        let (failed, rest) = match result.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, *result),
        };
        let (said, details) = rest.split_once('|').unwrap_or((rest, ""));
        let details = if details.is_empty() {
            String::new()
        } else {
            format!(",\"details\":{{\"diff\":{}}}", serde_json::to_string(details).unwrap())
        };
        let said = serde_json::to_string(said).unwrap();
        let result = format!(
            "{{\"role\":\"toolResult\",\"toolCallId\":\"c{nth}\",\"toolName\":\"{tool}\",\"content\":[{{\"type\":\"text\",\"text\":{said}}}],\"isError\":{failed}{details}}}"
        );
        add(format!("r{nth}"), result, at + 2);
    }
    crate::read(text.into_bytes()).unwrap()
}

const READ: (&str, &str, &str) = ("read", r#"{"path":"a"}"#, "one\ntwo\nthree\n");
const TWO: (&str, &str, &str) =
    ("edit", r#"{"path":"/w/a","oldText":"two","newText":"TWO"}"#, "ok");
const BACK: (&str, &str, &str) = ("edit", r#"{"path":"a","oldText":"TWO","newText":"two"}"#, "ok");
const THREE: (&str, &str, &str) = ("edit", r#"{"path":"a","oldText":"three","newText":"3"}"#, "ok");

/// The edits of the first file: how well each is known, and a sign for what became of it.
fn told(session: &Session) -> String {
    let changes = Changes::of(session);
    let files = changes.at(session, session.leaf());
    let Some(file) = files.first() else { return String::new() };
    let one = |(edit, undone): (&FileEdit, &bool)| {
        let sign = match (edit.ok, undone) {
            (false, _) => " failed",
            (true, true) => " undone",
            (true, false) => "",
        };
        format!("{}{sign} +{} -{}", edit.known.name(), edit.added, edit.removed)
    };
    let edits: Vec<String> = file.each_edit().zip(&file.undone).map(one).collect();
    format!("{}; net +{} -{}", edits.join(", "), file.net.added, file.net.removed)
}

fn after(session: &Session) -> Option<String> {
    let changes = Changes::of(session);
    let state = changes.state(&changes.files()[0], session.leaf());
    state.text().map(str::to_owned)
}

#[test]
fn a_file_that_was_read_is_exact() {
    let session = session(&[READ, TWO, THREE]);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
    assert_eq!(after(&session).as_deref(), Some("one\nTWO\n3\n"));
}

#[test]
fn parts_that_are_read_one_behind_the_other_are_the_file() {
    let first = "one\ntwo\n\n[2 more lines in file. Use offset=3 to continue]";
    let first = ("read", r#"{"path":"a","limit":2}"#, first);
    let last = ("read", r#"{"path":"a","offset":3}"#, "three\n");
    let whole = session(&[first, last, TWO]);
    assert_eq!(told(&whole), "exact +1 -1; net +1 -1");
    assert_eq!(after(&whole).as_deref(), Some("one\nTWO\nthree\n"));
    let between = [
        ("bash", r#"{"command":"make"}"#, ""),
        ("prompt", "go on", ""),
        ("edit", r#"{"path":"a","oldText":"one","newText":"1"}"#, "ok"),
        ("read", r#"{"path":"a","offset":2}"#, "zwei\nthree\n"),
    ];
    for between in between {
        let told = told(&session(&[first, between, last, TWO]));
        assert!(!told.contains("exact"), "{between:?}: {told}");
    }
    assert_eq!(told(&session(&[last, TWO])), "part +1 -1; net +1 -1");
}

#[test]
fn a_part_that_shows_other_lines_is_a_break() {
    let same = ("read", r#"{"path":"a","offset":2}"#, "TWO\nthree\n");
    assert_eq!(told(&session(&[READ, TWO, same, THREE])), "exact +1 -1, exact +1 -1; net +2 -2");
    for other in [
        "zwei\nthree\n",
        "TWO\nthree\nfour\nfive\n",
        "TWO\n\n[9 more lines in file. Use offset=3 to continue]",
    ] {
        let other = ("read", r#"{"path":"a","offset":2}"#, other);
        let session = session(&[READ, TWO, other, THREE]);
        assert_eq!(told(&session), "exact +1 -1, part +1 -1; net +2 -2");
        let changes = Changes::of(&session);
        let breaks = &changes.files()[0].breaks;
        assert_eq!((breaks.len(), breaks[0].kind), (1, BreakKind::Outside));
    }
}

#[test]
fn a_file_that_was_not_read_is_known_in_part_or_by_its_diff() {
    assert_eq!(told(&session(&[TWO])), "part +1 -1; net +1 -1");
    let diff = "ok| 1 one\n-2 two\n+2 TWO\n 3 three";
    assert_eq!(told(&session(&[(TWO.0, TWO.1, diff)])), "patch +1 -1; net +1 -1");
}

#[test]
fn a_file_that_was_overwritten_is_known_from_then_on() {
    let write = ("write", r#"{"path":"a","content":"one\ntwo\n"}"#, "ok");
    assert_eq!(told(&session(&[write, TWO])), "part +2 -0, exact +1 -1; net +2 -0");
    let again = ("write", r#"{"path":"a","content":"one\n2\n"}"#, "ok");
    assert_eq!(told(&session(&[write, again])), "part +2 -0, exact +1 -1; net +2 -0");
}

#[test]
fn edits_that_were_taken_back_are_undone() {
    assert_eq!(told(&session(&[READ, TWO, BACK])), "exact undone +1 -1, exact +1 -1; net +0 -0");
    assert_eq!(
        told(&session(&[READ, TWO, THREE, BACK])),
        "exact undone +1 -1, exact +1 -1, exact +1 -1; net +1 -1"
    );
    // And made again.
    assert_eq!(
        told(&session(&[READ, TWO, BACK, TWO])),
        "exact +1 -1, exact +1 -1, exact +1 -1; net +1 -1"
    );
}

/// Where the whole text is not known, what the calls replaced says it.
#[test]
fn edits_that_were_taken_back_are_undone_in_a_file_that_is_not_known() {
    assert_eq!(told(&session(&[TWO, BACK])), "part undone +1 -1, part +1 -1; net +2 -2");
    let diff = |edit: (&'static str, &'static str, &'static str), diff| (edit.0, edit.1, diff);
    let patched = [
        diff(TWO, "ok| 1 one\n-2 two\n+2 TWO\n 3 three"),
        THREE,
        diff(BACK, "ok| 1 one\n-2 TWO\n+2 two\n 3 3"),
    ];
    assert_eq!(told(&session(&patched)), "patch undone +1 -1, part +1 -1, patch +1 -1; net +3 -3");
    let read = ("read", r#"{"path":"a"}"#, "one\nTWO\nthree\n");
    let shown = "part undone +1 -1, exact +1 -1; net +2 -2";
    assert_eq!(told(&session(&[TWO, read, BACK])), shown);
    let sed = ("bash", r#"{"command":"sed -i s/x/y/ a"}"#, "");
    let unknown = "exact undone +1 -1, part +1 -1; net +2 -2";
    assert_eq!(told(&session(&[READ, TWO, sed, BACK])), unknown);
    // Other texts, and every occurrence.
    let other = ("edit", r#"{"path":"a","oldText":"TWO","newText":"Two"}"#, "ok");
    let all = ("edit", r#"{"path":"a","oldText":"TWO","newText":"two","all":true}"#, "ok");
    for other in [other, all] {
        assert!(!told(&session(&[TWO, other])).contains("undone"));
    }
    // And made again.
    let again = "part undone +1 -1, part undone +1 -1, part +1 -1; net +3 -3";
    assert_eq!(told(&session(&[TWO, BACK, TWO])), again);
}

#[test]
fn a_failed_edit_changes_nothing() {
    let failed = (TWO.0, TWO.1, "!not found");
    assert_eq!(told(&session(&[READ, failed, THREE])), "part failed +1 -1, exact +1 -1; net +1 -1");
}

#[test]
fn a_file_that_somebody_else_changed_has_a_break() {
    let other = ("read", r#"{"path":"a"}"#, "one\nTWO\nfour\n");
    let session = session(&[
        READ,
        TWO,
        other,
        ("edit", r#"{"path":"a","oldText":"four","newText":"4"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let breaks = &changes.files()[0].breaks;
    assert_eq!(breaks.len(), 1);
    assert_eq!(session.id_at(breaks[0].entry), "r2");
    assert_eq!(breaks[0].kind, BreakKind::Outside);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
}

#[test]
fn an_edit_that_does_not_apply_shows_a_break() {
    let odd = ("edit", r#"{"path":"a","oldText":"ten","newText":"10"}"#, "ok");
    let session = session(&[READ, TWO, odd]);
    assert_eq!(told(&session), "exact +1 -1, part +1 -1; net +2 -2");
    let changes = Changes::of(&session);
    assert_eq!(changes.files()[0].breaks.len(), 1);
    assert_eq!(changes.files()[0].breaks[0].kind, BreakKind::Misfit);
    let files = changes.at(&session, session.leaf());
    assert_eq!(files[0].facts(), "2 edits, in part, an edit does not fit the ones before it");
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], session.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.since.map(|since| session.id_at(since)), Some("r2"));
}

#[test]
fn a_command_that_may_have_written_a_file_makes_it_unknown() {
    let sed = ("bash", r#"{"command":"sed -i s/a/b/ a"}"#, "");
    let session = session(&[READ, TWO, sed, THREE]);
    assert_eq!(told(&session), "exact +1 -1, part +1 -1; net +2 -2");
    assert_eq!(Changes::of(&session).files()[0].maybe.len(), 1);
    assert!(Changes::of(&session).files()[0].breaks.is_empty());
}

#[test]
fn a_file_that_is_there_stays_as_it_is_when_it_is_touched() {
    let touch = ("bash", r#"{"command":"touch a b"}"#, "");
    let session = session(&[READ, TWO, touch, THREE]);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
    let changes = Changes::of(&session);
    let paths: Vec<_> = changes.files().iter().map(|file| changes.shown(file)).collect();
    assert_eq!(paths, ["a", "b"]);
    assert!(changes.files()[0].maybe.is_empty());
}

#[test]
fn a_known_file_that_was_copied_or_deleted_stays_known() {
    let copy = ("bash", r#"{"command":"cd /w && cp a.ts b.ts"}"#, "");
    let read = ("read", r#"{"path":"a.ts"}"#, "one\ntwo\n");
    let edit = ("edit", r#"{"path":"b.ts","oldText":"two","newText":"2"}"#, "ok");
    let copied = session(&[read, copy, edit]);
    assert_eq!(told(&copied), "exact +1 -1; net +2 -0");
    assert_eq!(after(&copied).as_deref(), Some("one\n2\n"));
    // A command that failed, a file that is not known, and a name that may be a folder's.
    let failed = (copy.0, copy.1, "!no");
    assert_eq!(told(&session(&[read, failed, edit])), "part +1 -1; net +1 -1");
    assert_eq!(told(&session(&[copy, edit])), "part +1 -1; net +1 -1");
    let folder = ("bash", r#"{"command":"cp a.ts b"}"#, "");
    let edit = ("edit", r#"{"path":"b","oldText":"two","newText":"2"}"#, "ok");
    assert_eq!(told(&session(&[read, folder, edit])), "part +1 -1; net +1 -1");
    let write = ("write", r#"{"path":"a.ts","content":"new\n"}"#, "ok");
    let delete = ("bash", r#"{"command":"rm a.ts"}"#, "");
    let deleted = session(&[read, delete, write]);
    assert_eq!(told(&deleted), "exact +1 -0; net +1 -0");
    assert_eq!(Changes::of(&deleted).files()[0].edits[0].verb, EditVerb::Created);
}

/// A user looks for it in the list, though no tool edited it.
#[test]
fn a_file_that_only_commands_copied_or_moved_is_one_that_they_may_have_written() {
    let read = ("read", r#"{"path":"a.ts"}"#, "one\ntwo\n");
    let copy = (
        "bash",
        r#"{"command":"cp a.ts b.ts && mv x.md y.md && cp -r a c && cp a.ts ../d.ts"}"#,
        "",
    );
    let copied = session(&[read, copy]);
    let changes = Changes::of(&copied);
    let files = changes.at(&copied, copied.leaf());
    let told: Vec<_> =
        files.iter().map(|file| (file.path.as_str(), file.status, file.known)).collect();
    let maybe = |path| (path, FileStatus::Unknown, Known::Maybe);
    assert_eq!(told, [maybe("b.ts"), maybe("y.md")]);
    let copy = ("bash", r#"{"command":"cp a.ts b.ts"}"#, "");
    let copied = session(&[read, copy]);
    let changes = Changes::of(&copied);
    let state = changes.state(&changes.files()[0], copied.leaf());
    assert_eq!(state.text(), Some("one\ntwo\n"), "the copy is known");
    assert_eq!(
        patch(&copied, &changes.at(&copied, copied.leaf())),
        "# b.ts: a command may have written the file: r1\n"
    );
}

#[test]
fn a_file_that_a_command_wrote_from_a_here_document_is_known() {
    let cat = ("bash", r#"{"command":"cat > b.ts <<'EOF'\none\ntwo\nEOF"}"#, "");
    let edit = ("edit", r#"{"path":"b.ts","oldText":"two","newText":"2"}"#, "ok");
    let written = session(&[cat, edit]);
    assert_eq!(told(&written), "exact +1 -1; net +2 -0");
    assert_eq!(after(&written).as_deref(), Some("one\n2\n"));
    assert_eq!(told(&session(&[(cat.0, cat.1, "!no"), edit])), "part +1 -1; net +1 -1");
}

#[test]
fn a_command_whose_exit_status_is_0_has_succeeded() {
    let told = |code: usize| {
        let call = |id: &str, script: &str| {
            let arguments = serde_json::json!({"command": ["bash", "-lc", script]}).to_string();
            let call = serde_json::json!({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": id});
            serde_json::json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": call})
        };
        let output = |id: &str, code: usize| {
            let output =
                serde_json::json!({"output": "", "metadata": {"exit_code": code}}).to_string();
            let output = serde_json::json!({"type": "function_call_output", "call_id": id, "output": output});
            serde_json::json!({"timestamp": "2026-01-01T00:00:01Z", "type": "response_item", "payload": output})
        };
        let meta = serde_json::json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}});
        let patch = "apply_patch <<'E'\n*** Begin Patch\n*** Update File: b.ts\n@@\n-two\n+2\n*** End Patch\nE";
        let lines = [
            meta,
            call("1", "cat > b.ts <<'EOF'\none\ntwo\nEOF"),
            output("1", code),
            call("2", patch),
            output("2", 0),
        ];
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        told(&crate::read(lines.join("\n").into_bytes()).unwrap())
    };
    assert_eq!(told(0), "exact +1 -1; net +2 -0");
    assert_eq!(told(1), "patch +1 -1; net +1 -1");
}

/// After its last edit, by a command that succeeded.
#[test]
fn a_file_that_a_command_deleted_is_deleted() {
    let read = ("read", r#"{"path":"a.ts"}"#, "one\ntwo\n");
    let edit = ("edit", r#"{"path":"a.ts","oldText":"two","newText":"three"}"#, "Edited");
    let gone = session(&[read, edit, ("bash", r#"{"command":"rm a.ts"}"#, "")]);
    let changes = Changes::of(&gone);
    let files = changes.at(&gone, gone.leaf());
    assert_eq!(files[0].status, FileStatus::Deleted);
    assert_eq!((files[0].net.added, files[0].net.removed), (0, 2));
    assert!(patch(&gone, &files).contains("deleted file mode"));
    let over_time = changes.at_each(&[gone.leaf()]);
    assert_eq!(over_time[0].states[0].status, FileStatus::Deleted);
}

/// Nothing says that a file was there before the copy.
#[test]
fn a_copy_that_was_edited_is_a_new_file() {
    let read = ("read", r#"{"path":"a.ts"}"#, "one\ntwo\n");
    let copy = ("bash", r#"{"command":"cp a.ts b.ts"}"#, "");
    let edit = ("edit", r#"{"path":"b.ts","oldText":"two","newText":"2"}"#, "ok");
    let copied = session(&[("prompt", "go", ""), read, copy, edit]);
    let changes = Changes::of(&copied);
    let turn = changes.turn(&copied, copied.leaf(), copied.find("p0").unwrap());
    for files in [changes.at(&copied, copied.leaf()), turn] {
        assert_eq!((files.len(), files[0].status), (1, FileStatus::Written));
        let printed = patch(&copied, &files);
        let wanted = "# b.ts: created or overwritten: what was there before is not known, so that it is given as a new file\n\
            diff --git a/b.ts b/b.ts\nnew file mode 100644\n--- /dev/null\n+++ b/b.ts\n@@ -0,0 +1,2 @@\n+one\n+2\n";
        assert!(printed.starts_with(wanted), "{printed}");
    }
    let maybe = &changes.at(&copied, copied.leaf())[0].maybe;
    assert_eq!(maybe.iter().map(|&entry| copied.id_at(entry)).collect::<Vec<_>>(), ["r2"]);
    let status = |steps: &[(&str, &str, &str)]| {
        let session = session(steps);
        let changes = Changes::of(&session);
        let files = changes.at(&session, session.leaf());
        let file = files.iter().find(|file| file.path == "b.ts").unwrap();
        (file.status, patch(&session, std::slice::from_ref(file)))
    };
    // One that was known is overwritten, and one that was deleted is new.
    let known = ("read", r#"{"path":"b.ts"}"#, "uno\n");
    let (modified, printed) = status(&[read, known, copy, edit]);
    assert_eq!(modified, FileStatus::Modified);
    assert!(printed.contains("@@ -1 +1,2 @@\n-uno\n+one\n+2\n"), "{printed}");
    let delete = ("bash", r#"{"command":"rm b.ts"}"#, "");
    let (created, printed) = status(&[read, known, delete, copy, edit]);
    assert_eq!(created, FileStatus::Created);
    assert!(printed.starts_with("diff --git a/b.ts b/b.ts\nnew file mode"), "{printed}");
    let write = ("write", r#"{"path":"b.ts","content":"new\n"}"#, "ok");
    assert_eq!(status(&[read, copy, delete, write]).0, FileStatus::Created);
    let (written, printed) = status(&[read, copy, edit, delete, write]);
    assert_eq!(written, FileStatus::Written);
    assert!(printed.contains("\n--- /dev/null\n+++ b/b.ts\n@@ -0,0 +1 @@\n+new\n"), "{printed}");
    let (_, printed) = status(&[read, copy, edit, delete]);
    assert!(printed.starts_with("# b.ts: created or overwritten, and deleted\n"), "{printed}");
}

/// A patch goes from the first known text to the last: what edits between them did is in it, known or not.
#[test]
fn edits_before_a_later_read_are_in_the_patch() {
    let sed = ("bash", r#"{"command":"sed -i s/x/y/ a"}"#, "");
    let read = ("read", r#"{"path":"a"}"#, "one\nTWO\n3\n");
    let one = ("edit", r#"{"path":"a","oldText":"one","newText":"1"}"#, "ok");
    let left_out = |steps: &[(&str, &str, &str)]| {
        let session = session(steps);
        let changes = Changes::of(&session);
        let printed = patch(&session, &changes.at(&session, session.leaf()));
        let lines = printed.lines().skip_while(|line| !line.ends_with("not in this patch"));
        lines.take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    // What is not known before an edit that is, and after the last that is.
    let words = "in part: only the words that it replaced are known";
    let all = left_out(&[READ, TWO, sed, THREE, one]);
    assert_eq!(
        all,
        ["# a: 2 edits not in this patch".to_owned(), format!("#   r3 edit +1 -1, {words}")]
    );
    assert!(left_out(&[READ, TWO, sed, THREE, read]).is_empty());
    let last = left_out(&[READ, TWO, sed, THREE, read, sed, one]);
    assert_eq!(
        last,
        ["# a: 1 edit not in this patch".to_owned(), format!("#   r6 edit +1 -1, {words}")]
    );
    let first = left_out(&[THREE, read, one]);
    assert_eq!(
        first,
        ["# a: 1 edit not in this patch".to_owned(), format!("#   r0 edit +1 -1, {words}")]
    );
    // In a turn, too, a later edit of it shows what those before it did.
    let session = session(&[("prompt", "go", ""), READ, TWO, sed, THREE, read, one]);
    let changes = Changes::of(&session);
    let turn = changes.turn(&session, session.leaf(), session.find("p0").unwrap());
    assert!(!patch(&session, &turn).contains("not in this patch"));
}

#[test]
fn a_file_that_only_a_command_may_have_written_is_listed() {
    let session = session(&[("bash", r#"{"command":"echo x > b.txt; echo y > /tmp/z"}"#, "")]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    let told: Vec<_> =
        files.iter().map(|file| (file.path.as_str(), file.status, file.known)).collect();
    assert_eq!(told, [("b.txt", FileStatus::Unknown, Known::Maybe)]);
    assert!(!files[0].net.is_exact);
}

#[test]
fn a_moved_file_is_the_same_file() {
    let patch = r#"{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-two\n+2\n*** End Patch"}"#;
    let session = session(&[
        READ,
        ("apply_patch", patch, "ok"),
        ("edit", r#"{"path":"b","oldText":"one","newText":"1"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    assert_eq!(files.len(), 1);
    assert_eq!((files[0].path.as_str(), files[0].from.as_deref()), ("b", Some("a")));
    assert_eq!(files[0].status, FileStatus::Moved);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
}

#[test]
fn hunks_name_the_edits_that_made_them() {
    let lines: String = (1..=40).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "line {n}");
        text
    });
    let edit = |n: usize| format!(r#"{{"path":"a","oldText":"line {n}\n","newText":"new {n}\n"}}"#);
    let (first, second, third) = (edit(35), edit(5), edit(6));
    let session = session(&[
        ("prompt", "go", ""),
        ("read", r#"{"path":"a"}"#, &lines),
        ("edit", &first, "ok"),
        ("prompt", "more", ""),
        ("edit", &second, "ok"),
        ("edit", &third, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    let hunks = &files[0].net.hunks;
    let told: Vec<_> =
        hunks.iter().map(|h| (h.old_start, h.old_lines, h.new_lines, h.edits.clone())).collect();
    assert_eq!(told, [(2, 8, 8, vec![1, 2]), (32, 7, 7, vec![0])]);
    let turns = changes.turns();
    let told: Vec<_> = turns
        .iter()
        .map(|turn| (turn.prompt.map(|at| session.id_at(at)), turn.files[0].net.hunks.len()))
        .collect();
    assert_eq!(told, [(Some("p0"), 1), (Some("p3"), 1)]);
}

#[test]
fn hunks_that_are_not_in_order_do_not_apply() {
    for added in ["ccc", "ééééé"] {
        let patch = format!(
            r#"{{"patch":"--- a/a\n+++ b/a\n@@ -3 +3 @@\n-three\n+{added}\n@@ -1 +1 @@\n-one\n+1\n"}}"#
        );
        let session = session(&[READ, ("patch", &patch, "ok")]);
        assert_eq!(told(&session), "patch +2 -2; net +2 -2");
        assert_eq!(after(&session), None);
    }
}

#[test]
fn a_line_that_begins_with_a_backslash_says_where_a_hunk_stands() {
    let patch = r#"{"input":"*** Begin Patch\n*** Update File: a\n@@ \\section{B}\n-x\n+y\n*** End Patch"}"#;
    let read = ("read", r#"{"path":"a"}"#, "\\section{A}\nx\n\\section{B}\nx\nq\n");
    let session = session(&[read, ("apply_patch", patch, "ok")]);
    assert_eq!(told(&session), "exact +1 -1; net +1 -1");
    assert_eq!(after(&session).as_deref(), Some("\\section{A}\nx\n\\section{B}\ny\nq\n"));
}

#[test]
fn a_file_that_another_was_moved_onto_is_deleted() {
    let moved = r#"{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-two\n+2\n*** End Patch"}"#;
    let session = session(&[
        READ,
        ("read", r#"{"path":"b"}"#, "old\n"),
        ("edit", r#"{"path":"b","oldText":"old","newText":"older"}"#, "ok"),
        ("apply_patch", moved, "ok"),
        ("edit", r#"{"path":"b","oldText":"one","newText":"1"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.facts())).collect();
    assert_eq!(told, [("b", "2 edits, deleted".to_owned()), ("b", "2 edits, moved".to_owned())]);
    let text = |id: &str| {
        let at = session.find(id).unwrap();
        let file = &changes.files()[changes.find_at("b", at).unwrap()];
        changes.state(file, at).text().map(str::to_owned)
    };
    assert_eq!(text("r2").as_deref(), Some("older\n"));
    assert_eq!(text("r3").as_deref(), Some("one\n2\nthree\n"));
    assert_eq!(changes.find("b"), Some(1));
    let at = session.find("r2").unwrap();
    assert_eq!(changes.at(&session, at)[0].facts(), "1 edit");
}

#[test]
fn a_diff_of_several_files_is_parted_by_whole_names() {
    let edits = r#"{"edits":[{"path":"a","oldText":"one","newText":"1"},{"path":"xa","oldText":"uno","newText":"dos"}]}"#;
    let diff = "ok|--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-one\n+1\n--- a/w/xa\n+++ b/w/xa\n@@ -1 +1 @@\n-uno\n+dos\n";
    let session = session(&[READ, ("read", r#"{"path":"xa"}"#, "uno\n"), ("edit", edits, diff)]);
    assert_eq!(told(&session), "exact +1 -1; net +1 -1");
    assert!(Changes::of(&session).files().iter().all(|file| file.breaks.is_empty()));
}

#[test]
fn an_editor_that_may_replace_tabs_is_not_exact_where_there_are_some() {
    let insert = r#"{"command":"insert","path":"a","insert_line":3,"new_str":"x"}"#;
    let insert = ("str_replace_based_edit_tool", insert, "ok");
    let exact = session(&[READ, insert]);
    assert_eq!(told(&exact), "exact +1 -0; net +1 -0");
    assert_eq!(after(&exact).as_deref(), Some("one\ntwo\nthree\nx\n"));
    let read = ("read", r#"{"path":"a"}"#, "one\n\ttwo\nthree\n");
    let tabs = session(&[read, insert]);
    assert_eq!(told(&tabs), "part +1 -0; net +1 -0");
    let changes = Changes::of(&tabs);
    assert!(changes.files()[0].breaks.is_empty());
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], tabs.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.why, "its tool may replace tabs by spaces");
}

#[test]
fn ends_of_lines_are_those_of_the_file() {
    let read = ("read", r#"{"path":"a"}"#, "one\r\ntwo\r\nthree\r\n");
    // That this succeeded shows that the tool finds a text whatever the ends of its lines are.
    let edit = |arguments| session(&[read, ("edit", arguments, "ok")]);
    let two = edit(r#"{"path":"a","oldText":"one\ntwo","newText":"1\n2\n2b"}"#);
    assert_eq!(told(&two), "exact +3 -2; net +3 -2");
    assert_eq!(after(&two).as_deref(), Some("1\r\n2\r\n2b\r\nthree\r\n"));
    let one = edit(r#"{"path":"a","oldText":"two","newText":"2"}"#);
    assert_eq!(after(&one).as_deref(), Some("one\r\n2\r\nthree\r\n"));
    // Nothing shows whether the new line got the file's end.
    let more = edit(r#"{"path":"a","oldText":"two","newText":"2\n2b"}"#);
    assert_eq!(told(&more), "part +2 -1; net +2 -1");
    let changes = Changes::of(&more);
    assert!(changes.files()[0].breaks.is_empty());
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], more.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.why, "its tool may write other ends of lines than the file's");
}

/// A session of Claude Code's: rows of JSON without their ids and times, each below the one before.
fn rows(rows: &[&str]) -> Session {
    let mut text = String::new();
    for (nth, row) in rows.iter().enumerate() {
        let above = nth.checked_sub(1).map_or("null".to_owned(), |above| format!("\"u{above}\""));
        let _ = writeln!(
            text,
            "{{\"uuid\":\"u{nth}\",\"parentUuid\":{above},\"sessionId\":\"s\",\"timestamp\":\"2026-01-01T00:00:{nth:02}.000Z\",{row}}}"
        );
    }
    crate::read(text.into_bytes()).unwrap()
}

#[test]
fn a_command_ran_in_the_folder_of_its_row() {
    let session = rows(&[
        r#""type":"user","cwd":"/w","message":{"role":"user","content":"go"}"#,
        r#""type":"assistant","cwd":"/w/app","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"echo x > a.txt; echo y > /w/b.txt; rm *.log"}}]}"#,
        r#""type":"user","cwd":"/w/app/x","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}"#,
    ]);
    assert_eq!(session.format(), crate::session::Format::ClaudeCode);
    let changes = Changes::of(&session);
    let paths: Vec<_> = changes.files().iter().map(|file| changes.shown(file)).collect();
    assert_eq!(paths, ["app/a.txt", "b.txt"]);
}

#[test]
fn an_edit_says_which_lines_it_is_about() {
    let lines = |text: &str, old: &str, new: &str| {
        let arguments = format!(r#"{{"path":"a","oldText":"{old}","newText":"{new}"}}"#);
        let session = session(&[("read", r#"{"path":"a"}"#, text), ("edit", &arguments, "ok")]);
        Changes::of(&session).files()[0].edited_lines()
    };
    let text = "one\ntwo\nthree";
    assert_eq!(lines(text, "two", "2"), [Some(2..=2)]);
    assert_eq!(lines(text, "two", r"2\n2"), [Some(2..=3)]);
    assert_eq!(lines(text, r"two\n", ""), [Some(2..=2)]);
    // The last line has no newline.
    assert_eq!(lines(text, "three", r"3\n3"), [Some(3..=4)]);
}

/// The line of a turn's steps and the view Changes say the same.
#[test]
fn the_lines_of_a_turn_are_those_of_its_hunks() {
    let mut compared = 0;
    for folder in ["examples", "tests/fixtures/samples", "tests/fixtures/today"] {
        for file in std::fs::read_dir(folder).unwrap() {
            let Ok(session) = crate::read_file(file.unwrap().path()) else { continue };
            let changes = Changes::of(&session);
            let mut edited = changes.edited_by(|edit| vec![edit.prompt], |_| None);
            assert_head_is_the_view(&session, &changes);
            for turn in changes.turns() {
                let files = edited.remove(&turn.prompt).unwrap();
                assert_eq!(files.len(), turn.files.len());
                for (file, lines) in turn.files.iter().map(|file| (file, &file.net)) {
                    let own = files.iter().find(|own| own.file == file.file).unwrap();
                    let found = (own.lines.added, own.lines.removed, !own.lines.is_about);
                    assert_eq!(found, (lines.added, lines.removed, lines.is_exact), "{turn:?}");
                    compared += 1;
                }
            }
            assert!(edited.is_empty());
        }
    }
    assert!(compared > 8, "{compared} files of turns");
}

/// A page shows at the end of each branch what the command prints there.
#[test]
fn the_states_of_all_leaves_are_those_of_each() {
    let session = crate::read_file("examples/lighthouse.jsonl").unwrap();
    let changes = Changes::of(&session);
    let leaves: Vec<_> = session.tree().leaves().collect();
    assert!(leaves.len() > 2);
    let over_time = changes.at_each(&leaves);
    for (nth, &leaf) in leaves.iter().enumerate() {
        let wanted = changes.at(&session, leaf);
        let found = over_time.iter().filter_map(|file| Some(&file.states[file.of_leaf[nth]?]));
        let lines = |file: &FileAt<'_>| {
            let net = &file.net;
            (
                file.path.clone(),
                file.edits.clone(),
                file.undone.clone(),
                net.added,
                net.removed,
                net.is_exact,
            )
        };
        assert_eq!(
            found.map(lines).collect::<Vec<_>>(),
            wanted.iter().map(lines).collect::<Vec<_>>()
        );
    }
}

/// Where all edits are on the path, the head of the page says the same as the view.
#[track_caller]
fn assert_head_is_the_view(session: &Session, changes: &Changes) {
    let path = session.with_sub_agents(&session.tree().path(session.leaf()));
    let own = changes.edited_among(&path);
    for file in changes.at(session, session.leaf()) {
        let is_done = |(&edit, on_path): (&usize, &bool)| !file.file.edits[edit].ok || *on_path;
        if let Some(lines) = file.lines()
            && file.edits.iter().zip(&file.on_path).all(is_done)
        {
            let found = own.iter().find(|own| own.file == file.place).unwrap();
            assert_eq!(found.lines, lines, "{}", file.path);
        }
    }
}
