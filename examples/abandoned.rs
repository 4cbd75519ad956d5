//! Lists what was tried and left: the prompts on branches off the active path.
//!
//! `cargo run --example abandoned [SESSION]`

use leafpress::session::Body;
use leafpress::session::message::{Message, joined_text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/lighthouse.jsonl".to_owned());
    let session = leafpress::read(std::fs::read(path)?)?;
    let tree = session.tree();
    for entry in tree.order().filter(|&entry| !tree.is_on_path(entry, session.leaf())) {
        if let Body::Message(Message::User(content)) = session.entry(entry).body {
            println!(
                "{}  {}",
                session.key(entry),
                joined_text(&content, " ").lines().next().unwrap_or_default()
            );
        }
    }
    Ok(())
}
