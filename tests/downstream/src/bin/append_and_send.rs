//! Adds a prompt to a copy of a session and prints what the model gets: `append_and_send SESSION COPY PROMPT`.

use leafpress::store::SessionStore;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or("append_and_send SESSION COPY PROMPT");
    let (session, copy, prompt) = (next()?, next()?, next()?);
    std::fs::copy(session, &copy)?;
    let mut store = SessionStore::open(&copy)?;
    let id = store.append_message(&json!({"role": "user", "content": prompt}))?;
    let context = store.model_context().ok_or("the session has no entry")?;
    println!("{}", serde_json::to_string_pretty(&context)?);
    let session = store.session().ok_or("the session has no entry")?;
    assert_eq!(session.find(&id), Some(session.leaf()));
    Ok(())
}
