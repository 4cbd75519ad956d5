//! JSON, times, and small rules on text. Nothing here knows of sessions.

pub(crate) mod cjk;
pub(crate) mod formulas;
pub(crate) mod invisible;
pub mod json;
pub mod key;
pub(crate) mod question;
pub(crate) mod redaction_mark;
pub(crate) mod skill;
pub mod text;
pub mod time;
pub mod words;
