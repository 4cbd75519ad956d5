//! Which files a session changed, turn by turn, who asked for it, and a patch of each file:
//! `cargo run --example changes [SESSION]`.

use std::error::Error;

use leafpress::changes::{Changes, patch};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("examples/lighthouse.jsonl".to_owned());
    let session = leafpress::read_file(&path)?;
    let changes = Changes::of(&session);

    // The turns do not depend on a leaf: the disk does not go back when the conversation does.
    for turn in changes.turns() {
        println!(
            "{}",
            turn.prompt.and_then(|at| session.key(at)).unwrap_or("before any prompt".to_owned())
        );
        for file in &turn.files {
            let net = &file.net;
            let about = if net.is_exact { "" } else { "about " };
            let name = changes.shown(&changes.files()[file.file]);
            println!("  {name}  {about}+{} -{}", net.added, net.removed);
            for hunk in &net.hunks {
                println!("    line {}, by {} edits", hunk.new_start, hunk.edits.len());
            }
        }
    }

    // What became of each file at the leaf, and its patch. What has no diff is in it as a comment.
    for file in &changes.at(&session, session.leaf()) {
        let undone = file.undone.iter().filter(|undone| **undone).count();
        println!(
            "{}: {}, {} edits, {undone} undone",
            file.path,
            file.status.name(),
            file.edits.len()
        );
        print!("{}", patch(&session, std::slice::from_ref(file)));
    }
    Ok(())
}
