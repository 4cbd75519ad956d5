use super::*;
use crate::session::message::ToolCall;

/// What a call asks for, an edit a line.
fn told(name: &str, arguments: &str) -> Vec<String> {
    let arguments = serde_json::from_str(arguments).unwrap();
    let call =
        ToolCall { id: "c".into(), name: name.into(), arguments, intent: None, status: None };
    edits_of(&call).iter().map(|edit| format!("{} {}", edit.path, kind(&edit.kind))).collect()
}

fn kind(kind: &EditKind<'_>) -> String {
    match kind {
        EditKind::Create(text) => format!("create {text:?}"),
        EditKind::Write(text) => format!("write {text:?}"),
        EditKind::Replace(all) => {
            let one = |one: &Replacement<'_>| {
                let sign = if one.all { "=>*" } else { "=>" };
                format!("{}{sign}{}", one.old, one.new)
            };
            format!("replace {}", all.iter().map(one).collect::<Vec<_>>().join(" "))
        }
        EditKind::Insert { after, text } => format!("insert {after} {text:?}"),
        EditKind::Patch { hunks, moved_to } => format!("patch {} {moved_to:?}", hunks.len()),
        EditKind::Delete => "delete".to_owned(),
        EditKind::Move { to } => format!("move {to}"),
        EditKind::Cell(cell) => format!("cell {:?} {} {}", cell.cell, cell.mode, cell.source),
        EditKind::Unknown => "unknown".to_owned(),
    }
}

#[test]
fn the_tools_of_all_agents_are_read() {
    for (name, arguments, expected) in [
        ("write", r#"{"path":"a","content":"x\n"}"#, &[r#"a write "x\n""#][..]),
        ("Write", r#"{"file_path":"/w/a","content":""}"#, &[r#"/w/a write """#]),
        ("edit", r#"{"path":"a","oldText":"x","newText":"y"}"#, &["a replace x=>y"]),
        (
            "edit",
            r#"{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"p","newText":""}]}"#,
            &["a replace x=>y p=>"],
        ),
        (
            "MultiEdit",
            r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y","replace_all":true}]}"#,
            &["a replace x=>*y"],
        ),
        (
            "edit",
            r#"{"edits":[{"path":"a","old":"x","new":"y"},{"path":"b","old":"x","new":"y"}]}"#,
            &["a replace x=>y", "b replace x=>y"],
        ),
        (
            "str_replace_based_edit_tool",
            r#"{"command":"insert","path":"a","insert_line":3,"insert_text":"z"}"#,
            &[r#"a insert 3 "z""#],
        ),
        (
            "str_replace_editor",
            r#"{"command":"create","path":"a","file_text":"z"}"#,
            &[r#"a write "z""#],
        ),
        ("str_replace_editor", r#"{"command":"view","path":"a"}"#, &[]),
        (
            "NotebookEdit",
            r#"{"notebook_path":"a.ipynb","cell_id":"c1","new_source":"1","edit_mode":"insert"}"#,
            &[r#"a.ipynb cell Some("c1") insert 1"#],
        ),
        ("edit_file", r#"{"target_file":"a","code_edit":"…"}"#, &["a unknown"]),
        (
            "fileChange",
            r#"{"changes":[{"path":"a","kind":"update"},{"path":"b","kind":"delete"}]}"#,
            &["a unknown", "b delete"],
        ),
        ("read", r#"{"path":"a"}"#, &[]),
        ("grep", r#"{"path":"a"}"#, &[]),
        ("edit", "null", &[]),
        ("edit", r#"{"path":7}"#, &[]),
    ] {
        assert_eq!(told(name, arguments), expected, "{name} {arguments}");
    }
}

const PATCH: &str = "*** Begin Patch\\n*** Add File: a\\n+x\\n*** Update File: b\\n*** Move to: c\\n@@ fn f\\n-x\\n+y\\n@@\\n z\\n+w\\n*** End of File\\n*** Delete File: d\\n*** End Patch";

#[test]
fn a_patch_has_an_edit_for_each_file() {
    let expected = [r#"a create "x\n""#, r#"b patch 2 Some("c")"#, "d delete"];
    assert_eq!(told("apply_patch", &format!(r#"{{"input":"{PATCH}"}}"#)), expected);
    assert_eq!(told("apply_patch", &format!("\"{PATCH}\"")), expected);
    let moved = "*** Begin Patch\\n*** Update File: b\\n*** Move to: c\\n*** End Patch";
    assert_eq!(told("apply_patch", &format!(r#"{{"input":"{moved}"}}"#)), ["b move c"]);
}

#[test]
fn a_patch_in_a_shell_command_is_found_where_it_is_applied() {
    let expected = [r#"a create "x\n""#, r#"b patch 2 Some("c")"#, "d delete"];
    let command = format!(r#"{{"command":"cd w && apply_patch <<'EOF'\n{PATCH}\nEOF\nls"}}"#);
    let from_w = [r#"w/a create "x\n""#, r#"w/b patch 2 Some("w/c")"#, "w/d delete"];
    assert_eq!(told("bash", &command), from_w);
    let words = format!(r#"{{"command":["apply_patch","{PATCH}"]}}"#);
    assert_eq!(told("shell", &words), expected);
    let placed = format!(r#"{{"command":["apply_patch","{PATCH}"],"workdir":"/w"}}"#);
    assert_eq!(told("shell", &placed)[0], r#"/w/a create "x\n""#);
    let placed = format!(r#"{{"command":["apply_patch","{PATCH}"],"workdir":"w"}}"#);
    assert_eq!(told("shell", &placed)[1], r#"w/b patch 2 Some("w/c")"#);
    let went = format!(
        r#"{{"command":["bash","-lc","(cd x && ls)\ncd w && apply_patch <<'EOF'\n{PATCH}\nEOF\ncd .. && apply_patch <<'EOF'\n{PATCH}\nEOF"],"workdir":"/"}}"#
    );
    let told_of = told("shell", &went);
    let paths: Vec<&str> = told_of.iter().filter_map(|edit| edit.split(' ').next()).collect();
    assert_eq!(paths, ["/w/a", "/w/b", "/w/d", "/w/../a", "/w/../b", "/w/../d"]);
    let script =
        format!(r#"{{"input":"await tools.apply_patch(\"{}\");"}}"#, PATCH.replace('\\', "\\\\"));
    assert_eq!(told("exec", &script), expected);
    let written = format!(r#"{{"command":"cat > p.txt <<'EOF'\n{PATCH}\nEOF"}}"#);
    assert_eq!(told("bash", &written), [""; 0]);
}

#[test]
fn hunks_say_where_they_stand() {
    let diff = "--- a/x\n+++ b/x\n@@ -4,2 +4,3 @@ noon\n low\n-ebb\n+flow\n+tide\n@@ -9,0 +11 @@\n+y\n\\ No newline at end of file\n";
    let edits = patch::edits(diff);
    let EditKind::Patch { hunks, .. } = &edits[0].kind else { panic!("{edits:?}") };
    assert_eq!(hunks.iter().map(|hunk| hunk.old_start).collect::<Vec<_>>(), [Some(4), Some(10)]);
    assert_eq!(hunks[0].side(false), ["low", "ebb"]);
    assert_eq!(hunks[0].side(true), ["low", "flow", "tide"]);
    assert!(hunks[1].new_without_newline && !hunks[0].new_without_newline);
    let edits = patch::edits(&PATCH.replace("\\n", "\n"));
    let EditKind::Patch { hunks, .. } = &edits[1].kind else { panic!("{edits:?}") };
    assert_eq!(hunks[0].below.as_deref(), Some("fn f"));
    assert!(hunks[1].at_end && hunks[1].below.is_none());
}
