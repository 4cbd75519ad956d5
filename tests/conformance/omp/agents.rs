//! Sessions of oh-my-pi's sub-agents.

use leafpress::format::{ReadOptions, read_with};

use super::path_of;

#[test]
fn agents_hang_from_the_results_that_name_them() {
    let path = path_of("samples/omp-18-main.jsonl");
    let options = ReadOptions::new().session(path.clone());
    let session = read_with(std::fs::read(&path).unwrap(), None, &options).unwrap();
    let children: Vec<(&str, Option<&str>)> = session
        .sub_sessions()
        .iter()
        .map(|child| (child.key.as_str(), child.agent.as_deref()))
        .collect();
    assert_eq!(children, [("Broken", None), ("Scout", Some("scout")), ("Scout/Helper", None)]);
    let scout = session.find("Scout/s0000002").expect("an entry of the child");
    let root = session.tree().path(scout)[0];
    assert_eq!(session.key(root).unwrap(), "Scout/s0000001", "its path begins in its own session");

    let alone = options.without_children(true);
    let session = read_with(std::fs::read(&path).unwrap(), None, &alone).unwrap();
    assert!(session.sub_sessions().is_empty() && session.len() == session.own_len());
}

#[cfg(unix)]
#[test]
fn a_folder_of_agents_that_is_a_link_is_not_followed_in_a_circle() {
    let folder = tempfile::tempdir().unwrap();
    let sample = std::fs::read(path_of("samples/omp-18-main.jsonl")).unwrap();
    let path = folder.path().join("s.jsonl");
    std::fs::write(&path, &sample).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("s")).unwrap();
    let options = ReadOptions::new().session(path);
    let session = read_with(sample, None, &options).unwrap();
    // The agent that a result names is said to be missing; nothing else came in.
    assert_eq!(session.sub_sessions().len(), 1);
    assert_eq!(session.len(), session.own_len() + 1);
}
