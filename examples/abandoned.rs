//! Lists what was tried and left: the prompts on branches off the active path.
//!
//! `cargo run --example abandoned [SESSION]`

use leafpress::session::Body;
use leafpress::session::message::{Message, joined_text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/lighthouse.jsonl".to_owned());
    let session = leafpress::read(std::fs::read(path)?)?;
    let tree = session.tree();
    for index in tree.order().filter(|&index| !tree.is_on_path(index, session.leaf())) {
        let (Some(entry), Some(key)) = (session.entry(index), session.key(index)) else { continue };
        if let Body::Message(Message::User(content)) = entry.body {
            println!("{key}  {}", joined_text(&content, " ").lines().next().unwrap_or_default());
        }
    }
    Ok(())
}
