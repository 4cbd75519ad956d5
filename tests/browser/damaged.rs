//! Damaged files open and say what is wrong with them.

use std::fs;

use leafpress::session::damage::grouped;

use crate::support::{Exported, own_file};

/// Of these nothing can be pressed.
const WITHOUT_ENTRIES: [&str; 3] = ["empty.jsonl", "only-garbage.txt", "only-header.jsonl"];

#[test]
fn each_kind_of_damage_is_told() {
    let mut reports = 0;
    for file in fs::read_dir(own_file("tests/fixtures/damaged")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let pressed = Exported::bytes(fs::read(&path).unwrap());
        assert_eq!(pressed.is_err(), WITHOUT_ENTRIES.contains(&name.as_str()), "{name}");
        let Ok(pressed) = pressed else { continue };
        let page = pressed.open();
        assert_eq!(page.shown_articles(), pressed.path(&pressed.leaf()), "{name}");
        // Only what was lost stands in a box.
        for (selector, is_lost) in [(".damage", true), (".session-details .repaired", false)] {
            let told: Vec<String> = page.get(&format!(
                "Array.from(document.querySelectorAll('#session {selector} li'), (li) => li.textContent)"
            ));
            let damage: Vec<String> = grouped(pressed.session.damage())
                .iter()
                .filter(|group| group.kind.loses_text() == is_lost)
                .map(ToString::to_string)
                .collect();
            assert_eq!(told, damage, "{name}");
            reports += usize::from(!told.is_empty());
        }
    }
    assert!(reports >= 10, "only {reports} files were found damaged");
}

#[test]
fn sound_file_has_no_report() {
    assert_eq!(Exported::tree().open().count(".damage"), 0);
}
