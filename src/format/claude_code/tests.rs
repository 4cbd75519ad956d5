//! What the core does not show yet: the children handed over.

use super::*;

#[test]
#[ignore]
fn zz_probe() {
    for path in std::env::var("PROBE").unwrap().split(' ') {
        let source = std::fs::read(path).unwrap();
        let beside = Beside { session: Some(path.into()), blobs: None };
        let translation = agents::translate(&source, &beside);
        let mut open: Vec<_> = translation.children().iter().map(|c| (1, c)).collect();
        println!("{path}");
        while let Some((depth, child)) = open.pop() {
            println!(
                "{:depth$} {} {:?} {:?} by {:?}: {:?}",
                "",
                child.key,
                child.agent,
                child.task,
                child.started_by,
                child.session.as_ref().map(|s| (
                    s.len(),
                    s.tree().roots().len(),
                    s.tree().path(s.leaf()).len()
                ))
            );
        }
    }
}
