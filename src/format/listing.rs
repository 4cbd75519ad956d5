//! What a listing needs to know of a format: where its agent keeps sessions, what their
//! files are called, and what the lines of one say of it.
//!
//! A listing shows many sessions and reads none of them: only the first lines of a file, and its last ones, are
//! parsed and handed to the `take` of its format, until enough is known. So a format says here what one line tells,
//! and `find/` has the rest for all of them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::session::json::Json;
use crate::session::skill::Skill;
use crate::session::text::{cut, one_line};
use crate::session::time;

use super::probe::text;
use super::read_options::ReadOptions;
use super::spans::{items, members};

/// A member of an object that is longer is left out.
const MEMBER_BYTES: usize = 16 << 10;

/// Of a prompt so much is kept, in UTF-16 units.
const PROMPT_UNITS: usize = 300;

/// How the sessions of one agent are found and listed.
pub(crate) struct Listing {
    /// The folders in which the agent keeps sessions, whether they exist or not.
    pub(crate) folders: fn(&Env) -> Vec<SessionsFolder>,
    /// Whether a file in such a folder is a session, by its name.
    pub(crate) names: fn(&str) -> bool,
    /// Whether these are the first lines of one; in a folder of the agent's own some may be less clear.
    pub(crate) begins: fn(&[Json<'_>], is_own_folder: bool) -> bool,
    /// Takes what one line says of the session.
    pub(crate) take: fn(&mut Listed, &Json<'_>),
    /// Takes what a file beside the session says of it, where the agent writes one.
    pub(crate) take_beside: Option<fn(&mut Listed, &ReadOptions)>,
    /// Whether a file or a folder in such a folder belongs to sessions though it is none, by the names that lead to it: a
    /// folder with all that is in it. The folder `X/` beside a session `X.jsonl` always does.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "`keep` asks"))]
    pub(crate) belongs: fn(&[&str]) -> bool,
}

/// A folder that may hold sessions.
pub(crate) struct SessionsFolder {
    pub(crate) path: PathBuf,
    /// How many levels of folders lie between it and the files, at most.
    pub(crate) levels: usize,
}

impl SessionsFolder {
    /// The folder `below` another, where that is known.
    pub(super) fn within(
        folder: Option<PathBuf>,
        below: &str,
        levels: usize,
    ) -> Option<SessionsFolder> {
        let folder = folder?;
        // Joined with nothing, a path would end with a slash.
        let path = if below.is_empty() { folder } else { folder.join(below) };
        Some(SessionsFolder { path, levels })
    }
}

/// What the lines of a file say of its session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) began: Option<i64>,
    /// The last prompt or answer.
    pub(crate) latest: Option<i64>,
    pub(crate) cwd: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) prompt: Option<String>,
    /// A title that a person chose; others do not replace it.
    pub(super) is_title_chosen: bool,
    /// It is an agent's, and belongs to the session that started it.
    pub(crate) is_agents: bool,
}

impl Listed {
    /// Whether more of the file could only tell of titles.
    pub(crate) fn tells_enough(&self) -> bool {
        self.prompt.is_some() && self.latest.is_some()
    }

    /// What each line of Claude Code and of Qwen Code says; its time.
    pub(super) fn line(&mut self, line: &Json<'_>) -> Option<i64> {
        if self.cwd.is_none() {
            self.cwd = owned(line, "cwd");
        }
        if self.id.is_empty() {
            self.id = owned(line, "sessionId").unwrap_or_default();
        }
        let at = line.get("timestamp").and_then(time::read);
        self.began = self.began.or(at);
        at
    }

    /// A prompt or an answer was written.
    pub(super) fn spoken(&mut self, at: Option<i64>) {
        self.latest = self.latest.max(at);
    }

    /// The first that a person typed: agents put texts of their own, in tags
    /// or under a heading, where a prompt would be. A command alone, such as `/mode`, says less than
    /// what is asked after it.
    // The tags and headings: see the tables of `claude_code/commands.rs` and `codex/items.rs`.
    pub(crate) fn asked(&mut self, prompt: &str) {
        let is_command = |words: &str| words.starts_with('/') && !words.contains(' ');
        let skill = Skill::read(prompt).map(|skill| skill.title());
        let prompt = one_line(skill.as_deref().unwrap_or(prompt));
        let is_agents = prompt.starts_with('<')
            || prompt.starts_with("# AGENTS.md")
            || prompt.starts_with("Caveat:");
        let says_more =
            self.prompt.as_deref().is_none_or(|asked| is_command(asked) && !is_command(&prompt));
        if says_more && !prompt.is_empty() && !is_agents {
            self.prompt = Some(cut(&prompt, PROMPT_UNITS).to_owned());
        }
    }
}

/// The text of a message, its blocks joined by blanks.
pub(super) fn content(message: &Json<'_>) -> String {
    match message.get("content") {
        Some(Json::String(text)) => text.to_string(),
        Some(Json::Array(blocks)) => {
            let texts = blocks.iter().filter_map(|block| text(block, "text"));
            texts.collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}

/// Whether a file is one of JSON lines, by its name.
pub(super) fn is_lines(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "jsonl")
}

/// The text of a field.
pub(super) fn owned(json: &Json<'_>, key: &str) -> Option<String> {
    text(json, key).map(str::to_owned)
}

/// Whether a file that begins so is one object and not lines; `is_whole` says that this is all of it.
pub(crate) fn is_object(head: &[u8], is_whole: bool) -> bool {
    let head = head.trim_ascii_start();
    if head.first() != Some(&b'{') {
        return false;
    }
    let mut lines = head.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let first = lines.next().unwrap_or_default();
    let next = lines.next();
    match serde_json::from_slice::<serde::de::IgnoredAny>(first) {
        Ok(_) => next.is_none() && is_whole,
        // Behind a line that was cut off, another begins as lines do.
        Err(error) => error.is_eof() && next.is_none_or(|next| !next.starts_with(b"{\"")),
    }
}

/// The parts of an object, or of its beginning, as if they were lines: its small members as one object, and
/// the items of its lists one by one.
pub(crate) fn object_parts(text: &str) -> Vec<Json<'_>> {
    let mut about = Vec::new();
    let mut parts = Vec::new();
    for (key, span) in members(text) {
        let objects = items(text, span);
        let objects = objects.iter().filter(|item| text[item.start..].starts_with('{'));
        let mut objects = objects.peekable();
        if objects.peek().is_some() {
            parts.extend(
                objects.filter_map(|item| serde_json::from_str(&text[item.start..item.end]).ok()),
            );
        } else if span.end - span.start <= MEMBER_BYTES
            && let Ok(value) = serde_json::from_str(&text[span.start..span.end])
        {
            about.push((key.into(), value));
        }
    }
    parts.insert(0, Json::Object(about));
    parts
}

/// What of a process's environment says where sessions are.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Env {
    /// The person's home folder.
    pub home: Option<PathBuf>,
    /// leafpress's own data directory, with copies of sessions that may be gone.
    pub leafpress_data: Option<PathBuf>,
    /// pi's `PI_CODING_AGENT_DIR`.
    pub pi_agent_dir: Option<PathBuf>,
    /// pi's `PI_CODING_AGENT_SESSION_DIR`.
    pub pi_session_dir: Option<PathBuf>,
    /// Claude Code's `CLAUDE_CONFIG_DIR`.
    pub claude_config_dir: Option<PathBuf>,
    /// Codex's `CODEX_HOME`.
    pub codex_home: Option<PathBuf>,
    /// oh-my-pi's `PI_CONFIG_DIR`: a name in the home folder in place of `.omp`.
    pub omp_config_dir: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub xdg_data_home: Option<PathBuf>,
    /// OpenClaw's `OPENCLAW_STATE_DIR`, or the older `CLAWDBOT_STATE_DIR`.
    pub openclaw_state_dir: Option<PathBuf>,
    /// Copilot CLI's `COPILOT_HOME`.
    pub copilot_home: Option<PathBuf>,
    /// Cursor's `CURSOR_CONFIG_DIR`.
    pub cursor_config_dir: Option<PathBuf>,
    /// Gemini CLI's `GEMINI_CLI_HOME`, in which its `.gemini` lies.
    pub gemini_home: Option<PathBuf>,
    /// Qwen Code's `QWEN_RUNTIME_DIR`, or its `QWEN_HOME`.
    pub qwen_home: Option<PathBuf>,
    /// OpenCode's `OPENCODE_DB`.
    pub opencode_db: Option<PathBuf>,
}

impl Env {
    /// The environment of this process; what is set to nothing counts as not set.
    pub fn of_process() -> Env {
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let folder = |name| {
            let value: OsString = env::var_os(name).filter(|value| !value.is_empty())?;
            Some(expanded(Path::new(&value), home.as_deref()))
        };
        Env {
            pi_agent_dir: folder("PI_CODING_AGENT_DIR"),
            pi_session_dir: folder("PI_CODING_AGENT_SESSION_DIR"),
            claude_config_dir: folder("CLAUDE_CONFIG_DIR"),
            codex_home: folder("CODEX_HOME"),
            omp_config_dir: folder("PI_CONFIG_DIR"),
            xdg_data_home: folder("XDG_DATA_HOME"),
            openclaw_state_dir: folder("OPENCLAW_STATE_DIR")
                .or_else(|| folder("CLAWDBOT_STATE_DIR")),
            copilot_home: folder("COPILOT_HOME"),
            cursor_config_dir: folder("CURSOR_CONFIG_DIR"),
            gemini_home: folder("GEMINI_CLI_HOME"),
            qwen_home: folder("QWEN_RUNTIME_DIR").or_else(|| folder("QWEN_HOME")),
            opencode_db: folder("OPENCODE_DB"),
            leafpress_data: None,
            home,
        }
    }
}

/// A leading `~` stands for the home folder.
fn expanded(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

impl Env {
    /// A folder in the person's home.
    pub(super) fn in_home(&self, path: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_gives_way_to_the_first_words() {
        let asked = |prompts: &[&str]| {
            let mut listed = Listed::default();
            for prompt in prompts {
                listed.asked(prompt);
            }
            listed.prompt
        };
        let skill = "<skill name=\"bake\" location=\"/s\">\nMix.\n</skill>\n\nRye.";
        for (prompts, expected) in [
            (&["/clear", "/model", "count tides", "more"][..], "count tides"),
            (&["/clear"], "/clear"),
            (&["/grant the tides", "more"], "/grant the tides"),
            (&["<env>x</env>", skill], "bake: Rye."),
        ] {
            assert_eq!(asked(prompts).as_deref(), Some(expected), "{prompts:?}");
        }
    }

    #[test]
    fn objects_are_told_from_lines() {
        for (text, is_whole, expected) in [
            ("{\"a\":1}\n{\"b\":2}\n", true, false),
            ("{\"a\":[{\"b\":1}]}", true, true),
            ("{\"a\":1}\n", false, false),
            ("{\n  \"a\": 1\n}", true, true),
            ("{\"a\":[{\"b\":", false, true),
            ("{\"cut off\n{\"type\":\"session\"}\n", true, false),
            ("nonsense", true, false),
            ("", true, false),
        ] {
            assert_eq!(is_object(text.as_bytes(), is_whole), expected, "{text}");
        }
    }

    #[test]
    fn an_object_gives_members_and_items() {
        let head = r#"{"id":"s","dirs":["/a"],"messages":[{"n":1},7,{"n":2},{"n":"#;
        assert_eq!(
            object_parts(head).iter().map(Json::compact).collect::<Vec<_>>(),
            [r#"{"id":"s","dirs":["/a"]}"#, r#"{"n":1}"#, r#"{"n":2}"#]
        );
    }

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = Some(Path::new("/h"));
        assert_eq!(expanded(Path::new("~/x"), home), Path::new("/h/x"));
        assert_eq!(expanded(Path::new("/~/x"), home), Path::new("/~/x"));
    }
}
