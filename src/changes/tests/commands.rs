//! What commands did to files, or may have done.

use super::*;

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
        "# b.ts: a command may have changed the file: r1\n"
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
    let over_time: Vec<_> = changes.at_each(&[gone.leaf()]).map(|(_, file)| file).collect();
    assert_eq!(over_time[0].states[0].status, FileStatus::Deleted);
}

/// Nothing is known of it before, and nothing is left.
#[test]
fn a_file_that_was_written_and_then_deleted_counts_no_lines() {
    let write = ("write", r#"{"path":"n.ts","content":"one\ntwo\n"}"#, "ok");
    let gone = session(&[write, ("bash", r#"{"command":"rm n.ts"}"#, "")]);
    let changes = Changes::of(&gone);
    let files = changes.at(&gone, gone.leaf());
    let lines = files[0].lines().map(|lines| (lines.added, lines.removed, lines.is_about));
    let path = gone.tree().path(gone.leaf());
    let head = changes.edited_among(&path)[0].lines;
    assert_eq!(lines, Some((head.added, head.removed, head.is_about)));
    assert_eq!(lines, Some((0, 0, false)));
}

#[test]
fn a_deleted_file_of_which_only_words_are_known_was_not_created() {
    let edit = ("edit", r#"{"path":"a.ts","oldText":"two","newText":"three"}"#, "ok");
    let gone = session(&[edit, ("bash", r#"{"command":"rm a.ts"}"#, "")]);
    let patch = patch(&gone, &Changes::of(&gone).at(&gone, gone.leaf()));
    assert!(!patch.contains("created"), "{patch}");
}

/// `2> a` takes the errors, of which there are none.
#[test]
fn a_here_document_goes_where_the_output_goes() {
    for script in ["cat 2> a.ts <<'END'\nzzz\nEND", "cat 3<<'END' > a.ts\nzzz\nEND"] {
        let arguments = serde_json::json!({ "command": script }).to_string();
        let written = session(&[("bash", &arguments, "")]);
        let changes = Changes::of(&written);
        let known =
            changes.files().iter().any(|file| changes.state(file, written.leaf()).is_known());
        assert!(!known, "{script}");
    }
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
