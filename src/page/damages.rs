//! What was wrong with the file, and with those of its sub-agents: what was lost, and what was repaired.

use crate::session::Session;
use crate::session::damage::{Damage, DamageGroup, DamageKind, grouped};
use crate::session::text::{counted, counted_entries, numbered};

/// Damages of all files that a page is made of.
pub(super) struct Damages {
    is_lost: bool,
    lines: usize,
    /// Those among them that were read and are of a type that is not known.
    not_understood: usize,
    /// Each kind with its lines, as one sentence.
    pub(super) groups: Vec<String>,
}

impl Damages {
    /// What is not shown.
    pub(super) fn lost(session: &Session) -> Damages {
        Damages::of(session, true)
    }

    /// What is shown all the same.
    pub(super) fn repaired(session: &Session) -> Damages {
        Damages::of(session, false)
    }

    fn of(session: &Session, is_lost: bool) -> Damages {
        let mut damages = Damages { is_lost, lines: 0, not_understood: 0, groups: Vec::new() };
        damages.add(session.damage(), "");
        for sub in session.sub_sessions() {
            damages.add(sub.damage(), &format!("in {}: ", sub.key));
        }
        damages
    }

    fn add(&mut self, damage: &[Damage], place: &str) {
        let of_kind = |group: &DamageGroup| group.kind.loses_text() == self.is_lost;
        for group in grouped(damage).into_iter().filter(of_kind) {
            self.lines += group.lines.len();
            if group.kind == DamageKind::NotUnderstood {
                self.not_understood += group.lines.len();
            }
            self.groups.push(format!("{place}{group}"));
        }
    }

    /// How many there are.
    pub(super) fn words(&self) -> String {
        if self.is_lost {
            return format!("{} of this file could not be read", counted(self.lines, "line"));
        }
        let repaired = self.lines - self.not_understood;
        let mut words = Vec::new();
        if repaired > 0 {
            words.push(numbered(
                repaired,
                "damaged line was repaired",
                "damaged lines were repaired",
            ));
        }
        if self.not_understood > 0 {
            let entries = counted_entries(self.not_understood);
            words.push(format!("{entries} of unknown types"));
        }
        words.join(", ")
    }
}
