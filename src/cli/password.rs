//! Asks for a password, or reads it from a file. Never an argument: those are shown to the whole
//! machine, and kept in the shell's history.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use zeroize::Zeroizing;
use zxcvbn::time_estimates::CrackTimes;

use crate::cli::error::Error;
use crate::seal::Password;

use super::input::is_stdio;
use super::message;

/// Passwords that fall to fewer guesses are warned of. Whoever has the page can try as fast as their
/// machines derive keys: with our rounds a graphics card some 10,000 a second, so that this takes one
/// of them three years.
const FEW_GUESSES: u64 = 1_000_000_000_000;

/// The password of a new page: asked for if wanted, or from a file; `None` for a page without one.
pub(super) fn of_new_page(ask: bool, file: Option<&Path>) -> Result<Option<Password>, Error> {
    let password = match file {
        Some(file) => from_file(file)?,
        None if ask => asked_twice()?,
        None => return Ok(None),
    };
    let guesses = password.guesses();
    if guesses < FEW_GUESSES {
        let time = CrackTimes::new(guesses).offline_slow_hashing_1e4_per_second();
        message::warning(
            &format!("weak password: 10,000 guesses a second find it in {time}"),
            Some("use five or more random words"),
        );
    }
    Ok(Some(password))
}

/// The first line of a file.
pub(super) fn from_file(path: &Path) -> Result<Password, Error> {
    let option = "--password-file";
    let failed = |source| Error::ReadFor { option, path: path.to_owned(), source };
    let bytes = if is_stdio(path) {
        beginning(io::stdin().lock())
    } else if path.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        File::open(path).and_then(beginning)
    };
    let bytes = bytes.map_err(failed)?;
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| failed(io::ErrorKind::InvalidData.into()))?;
    // Some editors begin every file with a mark.
    Ok(Password::new(text.strip_prefix('\u{feff}').unwrap_or(text))?)
}

/// As much of a file as its first line has, if that is a password.
fn beginning(from: impl Read) -> io::Result<Zeroizing<Vec<u8>>> {
    /// The mark before it and the end of the line.
    const AROUND: usize = 5;
    let most = Password::MOST_BYTES + AROUND;
    // In one piece, so that no copy is left behind by growing.
    let mut bytes = Zeroizing::new(Vec::with_capacity(2 * most));
    from.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Asked for once, for a page that exists.
pub(super) fn asked() -> Result<Password, Error> {
    Ok(Password::new(&prompted("Password: ")?)?)
}

fn asked_twice() -> Result<Password, Error> {
    let first = prompted("Password for the page: ")?;
    let password = Password::new(&first)?;
    if *prompted("Repeat the password: ")? != *first {
        return Err(Error::PasswordsDiffer);
    }
    Ok(password)
}

fn prompted(prompt: &str) -> Result<Zeroizing<String>, Error> {
    // Where nobody watches, a question on a terminal that happens to be there would wait forever.
    if !io::stderr().is_terminal() {
        return Err(Error::NoTerminal);
    }
    rpassword::prompt_password(prompt).map(Zeroizing::new).map_err(|_| Error::NoTerminal)
}
