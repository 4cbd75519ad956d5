//! Asks a small session for the last entry of a larger one: `foreign_index SMALL LARGE`.

use leafpress::changes::Changes;
use leafpress::session::context::ModelContext;
use leafpress::{Options, report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut read = || leafpress::read_file(args.next().unwrap_or_default());
    let (small, large) = (read()?, read()?);
    let foreign = large.leaf();
    assert!(foreign.get() >= small.len(), "the second session has to be larger");
    assert!(small.entry(foreign).is_none() && small.key(foreign).is_none());
    assert!(small.tree().path(foreign).is_empty() && small.tree().parent(foreign).is_none());
    assert!(ModelContext::at(&small, foreign).is_none());
    assert!(report::context(&small, foreign).is_none());
    assert!(Changes::of(&small).at(&small, foreign).is_empty());
    let error = leafpress::export(&small, &Options::new().leaf(foreign), std::io::sink());
    println!("{}", error.unwrap_err());
    Ok(())
}
