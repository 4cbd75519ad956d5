//! Reads a session and the files beside it without their secrets.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use crate::format::{self, ReadError, ReadOptions, Rewrite};
use crate::redact::find::custom::Rules;
use crate::redact::find::custom::RulesError;
use crate::session::{Format, Session};

use super::redactor::Redactor;
use super::report::Report;
use super::waste::waste;

/// Why a session could not be read without its secrets.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedactError {
    /// The rules cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// There is no session.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Reads a session as [`format::read_with`] does, with marks in place of its secrets and those of the
/// files beside it. Everything is read twice: a value that only one file tells to be a secret goes
/// from all of them.
///
/// # Errors
/// As [`format::read_with`], and for rules that cannot be used.
///
/// ```
/// use leafpress::format::ReadOptions;
/// use leafpress::redact::{self, Rules};
///
/// let planted = ["ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].concat();
/// let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
/// let prompt = format!(r#"{{"type":"message","id":"1","message":{{"role":"user","content":"{planted}"}}}}"#);
/// let source = format!("{header}\n{prompt}\n").into_bytes();
/// let (session, report) = redact::read(source, None, &ReadOptions::default(), &Rules::new())?;
/// assert!(!session.raw(session.leaf()).is_some_and(|raw| raw.contains(&planted)));
/// println!("{report:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(
    source: Vec<u8>,
    format: Option<Format>,
    options: &ReadOptions,
    rules: &Rules,
) -> Result<(Session, Report), RedactError> {
    let (session, redacted) = read_beside(source, format, options, rules, None)?;
    let report = redacted.redactor().report();
    Ok((session, report))
}

/// The same, and what else a page says: `beside` is learnt from as the files are.
pub(crate) fn read_beside(
    source: Vec<u8>,
    format: Option<Format>,
    options: &ReadOptions,
    rules: &Rules,
    beside: Option<&str>,
) -> Result<(Session, Redacted), RedactError> {
    let mut redactor = Redactor::new(rules)?;
    redactor.progress.clone_from(&options.progress);
    let first = without_waste(&source, &mut redactor);
    let rewrite =
        Arc::new(TwoPassRewrite { redactor: RwLock::new(redactor), learns: AtomicBool::new(true) });
    let through = ReadOptions { rewrite: Some(Arc::clone(&rewrite) as _), ..options.clone() };
    format::read_with(first, format, &through)?;
    if let Some(text) = beside {
        rewrite.name(text.to_owned());
    }
    rewrite.learns.store(false, Ordering::Relaxed);
    let session = format::read_with(source, format, &through)?;
    Ok((session, Redacted(rewrite)))
}

/// A copy of the file for the first reading, without its waste, which is learnt from at once.
fn without_waste(source: &[u8], redactor: &mut Redactor) -> Vec<u8> {
    let mut copy = Vec::new();
    let mut copied = 0;
    for waste in waste(source) {
        redactor.learn_line(&source[waste.clone()]);
        copy.extend_from_slice(&source[copied..waste.start]);
        copied = waste.end;
    }
    copy.extend_from_slice(&source[copied..]);
    copy
}

/// What a session was redacted by.
#[derive(Debug)]
pub(crate) struct Redacted(Arc<TwoPassRewrite>);

impl Redacted {
    /// Which knows all secrets of the session.
    pub(crate) fn redactor(&self) -> RwLockReadGuard<'_, Redactor> {
        self.0.redactor.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// First takes in what the files hold, then replaces it.
struct TwoPassRewrite {
    redactor: RwLock<Redactor>,
    learns: AtomicBool,
}

impl Rewrite for TwoPassRewrite {
    fn file(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.learns.load(Ordering::Relaxed) {
            self.redactor.write().unwrap_or_else(PoisonError::into_inner).learn(&bytes);
            return bytes;
        }
        self.redactor.read().unwrap_or_else(PoisonError::into_inner).whole_file(bytes)
    }

    fn name(&self, name: String) -> String {
        if self.learns.load(Ordering::Relaxed) {
            self.redactor.write().unwrap_or_else(PoisonError::into_inner).learn_text(&name);
            return name;
        }
        self.redactor.read().unwrap_or_else(PoisonError::into_inner).text(&name).into_owned()
    }
}

// Values are not for logs.
impl fmt::Debug for TwoPassRewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwoPassRewrite").field("learns", &self.learns).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waste_is_learnt_from_without_a_copy_and_left_out() {
        let word = ["Qm7Zt2Lx", "9Rv4Kd8W"].concat();
        let zeros = "\0".repeat(1 << 21);
        let row = format!("{{\"type\":\"x\",\"text\":\"{}\"}}", "a ".repeat(1 << 20));
        let file = format!("{row}\n{zeros}password: {word}\n{row}\n{zeros}");
        let mut redactor = Redactor::new(&Rules::new()).unwrap();
        let copy = without_waste(file.as_bytes(), &mut redactor);
        assert!(copy == format!("{row}\n\n{row}\n").as_bytes());
        assert!(!redactor.text(&format!("the {word}")).contains(&word));
        let bytes = file.into_bytes();
        let start = bytes.as_ptr();
        let new = redactor.whole_file(bytes);
        assert_eq!(new.as_ptr(), start);
        assert!(new == copy);
        let report = redactor.report();
        assert_eq!((report.lines_dropped, report.bytes_dropped), (2, 2 * zeros.len() + 26));
    }
}
