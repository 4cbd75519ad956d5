//! How sessions end, by `tests/fixtures/ends/TABLE.tsv`.

use std::collections::HashSet;
use std::path::Path;

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::ending::ended;

#[test]
fn each_session_ended_as_the_table_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ends");
    let table = std::fs::read_to_string(folder.join("TABLE.tsv")).unwrap();
    let mut agents = HashSet::new();
    let mut files = 0;
    for line in table.lines().skip(1) {
        let [file, agent, how, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let options = ReadOptions::new().session(folder.join(file));
        let session = read_with(std::fs::read(folder.join(file)).unwrap(), None, &options).unwrap();
        let found = ended(&session, session.leaf()).unwrap();
        let found = (session.format().name(), found.how.name(), &*found.text);
        assert_eq!(found, (agent, how, text), "{file}");
        agents.insert(agent);
        files += 1;
    }
    assert!(files >= 40 && agents.len() >= 10, "{files} files of {agents:?}");
}
