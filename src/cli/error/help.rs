//! What to do about an error, in the words of the command's options.

use std::path::Path;

use crate::archive::ArchiveError;
use crate::catalog::CatalogError;
use crate::extract::ExtractError;
use crate::format::ReadError;
use crate::format::database::DatabaseError;
use crate::store::StoreError;

use super::Error;

impl Error {
    /// What to do about it, in a sentence of its own; `None` where the error says all there is.
    pub(in crate::cli) fn help(&self) -> Option<String> {
        let help = match self {
            Error::NotFound { .. } => "`leafpress list` shows your sessions and where they are",
            Error::AmbiguousSession { .. } => "write more of the id, or name the file",
            Error::NoDataDirectory => "set `LEAFPRESS_DATA` to a directory",
            Error::Catalog { source: CatalogError::Foreign, .. } => {
                "set `LEAFPRESS_DATA` to another directory"
            }
            Error::Catalog { .. } => {
                "`leafpress search --forget` deletes the catalog; the next search makes it again"
            }
            Error::Archive(error) => return help_to_archive(error),
            Error::NeedsYes => "write them with `--yes`, or name the sessions",
            Error::NotAllArchived(_) => "`leafpress SESSION --redact` says more of one of them",
            Error::Keep(error) => error.help()?,
            Error::EmptyQuery => "`leafpress search --help` says what a query is made of",
            Error::NothingToArchive | Error::FewerSessions { .. } => {
                "`leafpress list -n 0` lists all sessions"
            }
            Error::UnknownFile { nearest, .. } => {
                let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
                return Some(match names.as_slice() {
                    [] => "the session changed no files".to_owned(),
                    names => format!("the nearest names are {}", names.join(", ")),
                });
            }
            Error::FileNotKnown { .. } => {
                "`leafpress changes SESSION --file FILE --json` says how well each edit is known"
            }
            Error::OneBranch => "`leafpress stats` shows its figures",
            Error::IsDirectory(_) => "name a session file; `leafpress list` shows your sessions",
            Error::IsDevice(_) | Error::NeedsFile => "name a file",
            Error::InFile { source, path } => return help_to_read(source, path),
            Error::InDatabase { source, .. } => return help_to_database(source),
            Error::ManySessions { example, .. } => {
                return Some(format!("name one of them, such as `{example}`"));
            }
            Error::NoSession { cwd: Some(_), .. } => {
                "the directory must be exactly the one that the agent was started in"
            }
            Error::NoSession { .. } => "name a session file: `leafpress session.jsonl`",
            Error::Secrets(_) => {
                "replace the secrets with `--redact`; `leafpress secrets` lists them"
            }
            Error::SecretsInPage { .. } => {
                "replace them with `--redact-pattern RE`; if they are harmless, add `--allow-secrets` to `--redact`"
            }
            Error::UnknownEntry { .. } => {
                "`leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids"
            }
            Error::AmbiguousEntry { some, .. } => {
                let ids: Vec<String> = some.iter().map(|id| format!("`{id}`")).collect();
                return Some(format!("write more of the id, such as {}", ids.join(" or ")));
            }
            Error::NotAPrompt { of, .. } => {
                let of = of.as_ref()?;
                return Some(format!("it is part of the turn of `{of}`"));
            }
            Error::ComparedWithin { .. } => "choose two branches of the same session",
            Error::Extract { source, .. } => return help_to_extract(source).map(str::to_owned),
            Error::OutputExists(_) | Error::OutputIsNotPage(_) => {
                "choose another file with `-o`, or replace the file with `--force`"
            }
            Error::FolderIsNotEmpty(_) => "name a new or empty directory",
            Error::ChangesPage(_) => "get the session file out of it with `leafpress extract`",
            Error::PageNeedsOutput(_) => "name the new page with `-o`",
            Error::PageNeedsPassword(_) => {
                "get the session file with `leafpress extract PAGE --password-file FILE`"
            }
            Error::OutputIsPage(_) | Error::OutputIsInput(_) => "choose another file with `-o`",
            Error::Prices { .. } => {
                "write dollars per million tokens by model: `{\"claude-sonnet-4-5\": {\"input\": 3, \"output\": 15}}`"
            }
            Error::NoTerminal => "read the password from a file with `--password-file FILE`",
            Error::StdinTwice => "put the password in a file",
            Error::CutOutside { of, .. } if !of.starts_with("--") => {
                "choose a leaf below the entry with `--leaf ID`"
            }
            Error::CutOutside { .. } => "remove one of the two options, or choose another entry",
            Error::CutWithin { .. } => {
                "choose an entry of the session itself, or export the sub-agent's own file"
            }
            Error::NotIncluded { .. } => "choose an entry that stays in the page",
            Error::TooLarge { .. } | Error::Markdown(_) => {
                "export less with `--branch`, `--from` or `--only`, or raise `--max-size`"
            }
            Error::OutputIsDirectory(_) => "name a file in the directory",
            Error::UnknownShell => "name it, such as `leafpress completions bash`",
            Error::Store(error) => return help_to_store(error).map(str::to_owned),
            _ => return None,
        };
        Some(help.to_owned())
    }
}

/// What to do about a page without a session file.
fn help_to_extract(error: &ExtractError) -> Option<&'static str> {
    match error {
        ExtractError::NoSource => Some("use the original session file"),
        ExtractError::Format { .. } => {
            Some("export the session again, or use the version of leafpress that wrote the page")
        }
        _ => None,
    }
}

/// What to do about a session that cannot be written.
fn help_to_store(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::Locked(_) => "end the other process first",
        StoreError::Changed(_) | StoreError::Gone(_) => "nothing was written; try again",
        StoreError::Exists(_) => "choose another file",
        StoreError::ReadOnly { .. } => {
            "leafpress reads and exports other formats; it writes only these two"
        }
        StoreError::Newer { .. } | StoreError::NewerTitle { .. } => "use a newer leafpress",
        StoreError::UnknownWriter { .. } => {
            "nothing was written; leafpress can still read and export it"
        }
        StoreError::InvalidId(_) => {
            "use letters, digits, `.`, `_` and `-`; begin and end with a letter or digit"
        }
        StoreError::NotAPrompt(_) => "a fork begins at a user message",
        _ => return None,
    })
}

/// What to do about a file without a session.
fn help_to_read(error: &ReadError, path: &Path) -> Option<String> {
    let help = match error {
        ReadError::TooLarge { .. } => "raise the limit with `--max-input SIZE`",
        ReadError::Bursts => "if you trust the file, set a limit with `--max-input SIZE`",
        ReadError::NoEntries { .. } => {
            return Some(format!("supported formats: {}", crate::format::known()));
        }
        ReadError::PlainText => {
            "plain text is at most the final answer of a run; `leafpress help export` says what to keep"
        }
        ReadError::Unknown { nearest: Some(nearest), .. } => {
            let (format, file) = (nearest.name(), path.display());
            return Some(format!("to read it as {nearest}: `leafpress --format {format} {file}`"));
        }
        ReadError::Unknown { .. } => {
            let known = crate::format::known();
            return Some(format!("supported formats: {known}; choose one with `--format NAME`"));
        }
        ReadError::FinalAnswer { command, .. } => {
            return Some(format!("`{command}`, then `leafpress run.jsonl`"));
        }
        ReadError::Zip => "unpack it with `unzip`, then name one of the session files in it",
        ReadError::IsDatabase => "name the database as a file; `leafpress list` shows its sessions",
        ReadError::IsPage => "get the session file out of the page with `leafpress extract`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// What to do about a database without the session.
fn help_to_database(error: &DatabaseError) -> Option<String> {
    let help = match error {
        DatabaseError::CutOff => {
            "if your own agent wrote this database, start that agent once, which repairs it"
        }
        DatabaseError::NoSession(_) => "name the database alone to list its sessions",
        DatabaseError::TooLarge(_) => "raise the limit with `--max-input SIZE`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// What to do about an archive that cannot be written.
fn help_to_archive(error: &ArchiveError) -> Option<String> {
    let help = match error {
        ArchiveError::NotAnArchive(_) => "name a new directory",
        ArchiveError::OnePerson(_) => "name a new directory for the team, or leave out `--author`",
        ArchiveError::Team(_) => {
            "name the team's directory and add `--author NAME`, or name a new directory"
        }
        ArchiveError::OtherAuthor { author, .. } => {
            return Some(format!(
                "if that is you, write the name as `{author}`; else choose another one"
            ));
        }
        ArchiveError::OtherOwner(path) => {
            let folder = path.file_name().unwrap_or_default().display();
            return Some(format!(
                "use your own name; if this is yours, add the machine, as in `--author {folder}-laptop`"
            ));
        }
        ArchiveError::NoOwner(_) => "choose another name",
        ArchiveError::Locked { .. } => "try again when it is done",
        ArchiveError::Damaged(_) => {
            "write to a new directory; `--prune` makes this one anew, without the sessions whose \
             files are gone"
        }
        ArchiveError::WouldLose { .. } => {
            "write to a new directory, or remove those sessions with `--prune`"
        }
        ArchiveError::MadeOtherwise { .. } => {
            "name the same places as before, write to a new directory, or remove those sessions \
             with `--prune`"
        }
        ArchiveError::Write { .. } | ArchiveError::Catalog(_) => return None,
    };
    Some(help.to_owned())
}
