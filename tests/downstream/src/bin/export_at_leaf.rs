//! Exports every branch of a session, each page opened at its leaf: `export_at_leaf SESSION FOLDER`.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use leafpress::page::Detail;
use leafpress::{Filter, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let session = leafpress::read_file(args.next().ok_or("name a session file")?)?;
    let folder = args.next().ok_or("name a folder")?;
    for (nth, leaf) in session.tree().leaves().enumerate() {
        let path = Path::new(&folder).join(format!("branch-{nth}.html"));
        let options = Options::new()
            .leaf(leaf)
            .filter(Filter::NoTools)
            .detail(Detail::Steps)
            .title("A branch");
        let sizes = leafpress::export(&session, &options, BufWriter::new(File::create(&path)?))?;
        println!("{}: {} bytes", path.display(), sizes.total());
    }
    Ok(())
}
