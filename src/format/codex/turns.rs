//! Where each turn began, for what rolls turns back (`thread_rolled_back`: codex-rs, core and rollout).

use crate::session::json::Json;

/// What holds at a place of the session.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// The entry that the next one hangs from.
    pub(super) last: Option<String>,
    pub(super) model: Option<String>,
    pub(super) effort: Option<String>,
}

/// The turns on the way to the last entry.
#[derive(Debug, Default)]
pub(super) struct Turns {
    begun: Vec<Standing>,
    /// What held before the settings and injected messages right above.
    before_settings: Option<Standing>,
}

impl Turns {
    /// A prompt follows. Like Codex, a turn begins with what was put in for it;
    /// what stands above the first one is the session's own.
    pub(super) fn prompt(&mut self, now: &Standing) {
        let before = self.before_settings.take().filter(|_| !self.begun.is_empty());
        self.begun.push(before.unwrap_or_else(|| now.clone()));
    }

    /// Whether there was a prompt.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Settings or injected messages follow.
    pub(super) fn setting(&mut self, now: &Standing) {
        if self.before_settings.is_none() {
            self.before_settings = Some(now.clone());
        }
    }

    /// Anything else follows.
    pub(super) fn step(&mut self) {
        self.before_settings = None;
    }

    /// Undoes so many turns; of more than there are, all. Gives what held before them.
    pub(super) fn roll_back(&mut self, turns: usize) -> Option<Standing> {
        let kept = self.begun.len().saturating_sub(turns);
        let standing = self.begun.drain(kept..).next();
        self.before_settings = None;
        standing
    }
}

/// How many turns an event says were rolled back. Codex refuses what is no count.
pub(super) fn rolled_back(payload: &Json<'_>) -> usize {
    let count = payload.get("num_turns").and_then(Json::as_f64).unwrap_or(0.0);
    let is_count = count >= 0.0 && count.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let count = if is_count { count as usize } else { 0 };
    count
}
