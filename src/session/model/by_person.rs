//! What the person did at the agent's prompt: commands, programs, files mentioned.

use std::borrow::Cow;

use super::block::{Block, read_block};
use crate::session::texts::json::{Fields, Json};
use crate::session::texts::text::printed;

/// A command that the person ran, and its output.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Bash<'a> {
    /// The command line.
    pub command: Cow<'a, str>,
    /// What it printed.
    pub output: Cow<'a, str>,
    /// The exit status, usually 0 to 255; absent when it was killed.
    pub exit_code: Option<f64>,
    /// Stopped by the person.
    pub cancelled: bool,
    /// The output here is not all of it.
    pub truncated: bool,
    /// Where all of it was kept.
    pub full_output_path: Option<Cow<'a, str>>,
    /// Run with `!!`: never sent to the model.
    pub excluded: bool,
    /// Pictures that it printed (omp).
    pub images: Vec<Block<'a>>,
}

/// A program that the person ran, and its output.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Program<'a> {
    /// The language, `python` or `js`.
    pub language: &'static str,
    /// The program.
    pub code: Cow<'a, str>,
    /// What it printed.
    pub output: Cow<'a, str>,
    /// The exit status, usually 0 to 255.
    pub exit_code: Option<f64>,
    /// Stopped by the person.
    pub cancelled: bool,
    /// The output here is not all of it.
    pub truncated: bool,
    /// Never sent to the model.
    pub excluded: bool,
}

/// A file that a prompt mentions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MentionedFile<'a> {
    /// Its path.
    pub path: Cow<'a, str>,
    /// What it held.
    pub content: Cow<'a, str>,
    /// Why its content is left out.
    pub skipped: Option<Cow<'a, str>>,
    /// The picture, where it is one.
    pub image: Option<Block<'a>>,
}

impl<'a> Program<'a> {
    pub(super) fn read(language: &'static str, fields: &mut Fields<'a>) -> Program<'a> {
        Program {
            language,
            code: fields.text("code").unwrap_or_default(),
            output: printed(fields.text("output").unwrap_or_default()),
            exit_code: fields.number("exitCode"),
            cancelled: fields.flag("cancelled"),
            truncated: fields.flag("truncated"),
            excluded: fields.flag("excludeFromContext"),
        }
    }
}

impl<'a> Bash<'a> {
    pub(super) fn read(fields: &mut Fields<'a>) -> Bash<'a> {
        Bash {
            command: fields.text("command").unwrap_or_default(),
            output: printed(fields.text("output").unwrap_or_default()),
            exit_code: fields.number("exitCode"),
            cancelled: fields.flag("cancelled"),
            truncated: fields.flag("truncated"),
            full_output_path: fields.text("fullOutputPath"),
            excluded: fields.flag("excludeFromContext"),
            images: fields.array("images").into_iter().map(read_block).collect(),
        }
    }
}

/// Reads `files` of a file mention.
pub(super) fn read_files<'a>(fields: &mut Fields<'a>) -> Vec<MentionedFile<'a>> {
    let file = |json: Json<'a>| {
        // What is no object, or has no path, shows as it is.
        let whole = json.get("path").is_none().then(|| json.clone().into_text());
        let mut fields = Fields::new(json);
        MentionedFile {
            path: whole.or_else(|| fields.text("path")).unwrap_or_default(),
            content: fields.text("content").unwrap_or_default(),
            skipped: fields.text("skippedReason"),
            image: fields.take("image").map(read_block),
        }
    };
    fields.array("files").into_iter().map(file).collect()
}
