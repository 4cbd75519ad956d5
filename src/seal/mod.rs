//! The page behind a password: a small shell that tells nothing, and the whole page in sealed
//! chunks.
//!
//! What is sealed is the complete page as [`crate::page`] writes it, through zlib, cut into chunks
//! of 256 KiB. Each is sealed with AES-256-GCM and written as the text of an
//! element `#sealed-N`. The key comes of the password by PBKDF2-HMAC-SHA-256.
//!
//! * `#sealed` holds the parameters as JSON; the very text is additional data of every chunk.
//! * Nonces are those of STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015): seven random bytes,
//!   the chunk's number, and whether it is the last. Chunks that change places, are missing or
//!   stand there twice do not open.
//! * `#sealed-check` is an empty text sealed alike: it tells a wrong password from damage.
//! * `#sealed-sum` is the SHA-256 of both texts, since what derives the key cannot be distinguished from a
//!   wrong password otherwise. It guards against accidents; the tags guard against intent.
//! * A chunk opened is the number of its bytes that count (32 bits, big-endian), these bytes, and
//!   zeros. The sizes of pages come in steps (Padmé: from 64 KiB on, at most 3.2 % more).
//!
//! What it does not do: whoever can change the page on its way can change the script in it, which
//! then gets the password. Sealing keeps a page from those who have it and should not read it.

mod chunks;
mod cipher;
mod error;
mod opened;
mod padding;
mod parameters;
mod password;
mod shell;

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::page::{self, Options, Sizes};
use crate::session::Session;

use chunks::Chunks;
use cipher::Cipher;
pub use error::OpenError;
pub(crate) use opened::Locked;
use parameters::Parameters;
pub use password::{Password, PasswordError};
use shell::Shell;

/// Most of a page is compressed already: higher levels cost time and save next to nothing.
const COMPRESSION: Compression = Compression::new(4);

/// Writes a session as one standalone HTML page that opens with a password, and gives the sizes of
/// the page within, which are about those of the file.
///
/// # Errors
/// Those of `out`, and of the system's source of random numbers.
///
/// ```
/// use leafpress::seal::{self, Password};
///
/// let session = leafpress::read(std::fs::read("examples/first-steps.jsonl")?)?;
/// let password = Password::new("a long sentence that only we two know")?;
/// let mut page = Vec::new();
/// seal::export(&session, &leafpress::Options::default(), &password, &mut page)?;
/// assert!(leafpress::extract::Page::find(&page)?.is_sealed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(
    session: &Session,
    options: &Options,
    password: &Password,
    out: impl Write,
) -> io::Result<Sizes> {
    let options = Options { sealed: true, ..options.clone() };
    let shell = Shell::new(&options);
    let mut sealed = Sealed::new(out, password, Parameters::random()?, &shell)?;
    let sizes = page::export(session, &options, &mut sealed)?;
    sealed.finish()?;
    Ok(sizes)
}

/// Writes a page that was exported by these options, which are those of a sealed one.
#[cfg(feature = "cli")]
pub(crate) fn seal(
    page: &[u8],
    options: &Options,
    password: &Password,
    out: impl Write,
) -> io::Result<()> {
    let mut sealed = Sealed::new(out, password, Parameters::random()?, &Shell::new(options))?;
    sealed.write_all(page)?;
    sealed.finish()?;
    Ok(())
}

/// Takes a page piece by piece and writes it sealed; so much of it is kept as makes a chunk.
struct Sealed<W: Write> {
    zlib: ZlibEncoder<Chunks<W>>,
}

impl<W: Write> Sealed<W> {
    fn new(
        mut out: W,
        password: &Password,
        parameters: Parameters,
        shell: &Shell,
    ) -> io::Result<Self> {
        let cipher = Cipher::new(parameters, password);
        shell.write_before(&cipher, &mut out)?;
        Ok(Sealed { zlib: ZlibEncoder::new(Chunks::new(out, cipher), COMPRESSION) })
    }

    /// Writes what is left; without it the page has no end and does not open.
    fn finish(self) -> io::Result<W> {
        let mut out = self.zlib.finish()?.finish()?;
        Shell::write_after(&mut out)?;
        Ok(out)
    }
}

impl<W: Write> Write for Sealed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.zlib.write(bytes)
    }

    /// Nothing: a piece of a chunk cannot be written.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
