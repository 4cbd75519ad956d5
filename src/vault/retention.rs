//! How long agents leave sessions where they are, as their own settings say. Settings are only read.

use std::path::PathBuf;

use serde_json::Value;

use crate::format::listing::Env;
use crate::session::Format;

const DAY: i64 = 86_400_000_000_000;

/// An agent that deletes sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Retention {
    pub(crate) agent: Format,
    /// So many nanoseconds after a file was written.
    pub(crate) after: i64,
    /// The setting that says so.
    pub(crate) setting: &'static str,
    /// Where it is set; `None` for the agent's default.
    pub(crate) set_in: Option<PathBuf>,
}

/// The agents that delete sessions by themselves.
pub(crate) fn retentions(env: &Env) -> Vec<Retention> {
    [claude_code(env), gemini(env)].into_iter().flatten().collect()
}

/// `cleanupPeriodDays`, 30 by default: code.claude.com, settings.
fn claude_code(env: &Env) -> Option<Retention> {
    let folder =
        env.claude_config_dir.clone().or_else(|| Some(env.home.clone()?.join(".claude")))?;
    let path = folder.join("settings.json");
    let days = settings(&path).and_then(|settings| settings.get("cleanupPeriodDays")?.as_i64());
    Some(Retention {
        agent: Format::ClaudeCode,
        after: days.unwrap_or(30).saturating_mul(DAY),
        setting: "cleanupPeriodDays",
        set_in: days.map(|_| path),
    })
}

/// `general.sessionRetention`, on by default with a `maxAge` of `30d`: geminicli.com, configuration.
fn gemini(env: &Env) -> Option<Retention> {
    let home = env.gemini_home.clone().or_else(|| env.home.clone())?;
    let path = home.join(".gemini/settings.json");
    let settings = settings(&path);
    let own =
        settings.as_ref().and_then(|settings| settings.get("general")?.get("sessionRetention"));
    if own.and_then(|own| own.get("enabled")) == Some(&Value::Bool(false)) {
        return None;
    }
    let age = own.and_then(|own| span(own.get("maxAge")?.as_str()?));
    Some(Retention {
        agent: Format::Gemini,
        after: age.unwrap_or(30 * DAY),
        setting: "general.sessionRetention.maxAge",
        set_in: age.map(|_| path),
    })
}

fn settings(path: &std::path::Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// `24h`, `7d`, `4w` or `1m`.
fn span(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let count: i64 = text.strip_suffix(unit)?.parse().ok()?;
    let unit = match unit {
        'h' => DAY / 24,
        'd' => DAY,
        'w' => 7 * DAY,
        'm' => 30 * DAY,
        _ => return None,
    };
    count.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_say_how_long_sessions_stay() {
        let home = tempfile::tempdir().unwrap();
        let env = Env { home: Some(home.path().to_owned()), ..Env::default() };
        let days = || -> Vec<(&str, i64, bool)> {
            let all = retentions(&env).into_iter();
            all.map(|own| (own.agent.name(), own.after / DAY, own.set_in.is_some())).collect()
        };
        assert_eq!(days(), [("claude-code", 30, false), ("gemini", 30, false)]);
        let write = |name: &str, json: &str| {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, json).unwrap();
        };
        write(".claude/settings.json", r#"{"cleanupPeriodDays": 365}"#);
        write(".gemini/settings.json", r#"{"general": {"sessionRetention": {"maxAge": "2w"}}}"#);
        assert_eq!(days(), [("claude-code", 365, true), ("gemini", 14, true)]);
        write(".claude/settings.json", "not JSON");
        write(".gemini/settings.json", r#"{"general": {"sessionRetention": {"enabled": false}}}"#);
        assert_eq!(days(), [("claude-code", 30, false)]);
    }

    #[test]
    fn a_span_has_a_number_and_a_unit() {
        assert_eq!(span("24h"), Some(DAY));
        assert_eq!(span("1m"), Some(30 * DAY));
        for wrong in ["", "d", "30", "3x", "é"] {
            assert_eq!(span(wrong), None, "{wrong}");
        }
    }
}
