//! Prints what a model gets next, as JSON: `context_as_json SESSION [ENTRY]`.

use leafpress::session::context::ModelContext;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let session = leafpress::read_file(args.next().ok_or("name a session file")?)?;
    let leaf = match args.next() {
        Some(id) => session.find(&id).ok_or("no entry has this id")?,
        None => session.leaf(),
    };
    let context = ModelContext::at(&session, leaf).ok_or("the leaf is of another session")?;
    println!("{}", serde_json::to_string_pretty(&context)?);
    Ok(())
}
