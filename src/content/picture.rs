//! What an image is, and why there may be nothing to show.

use std::borrow::Cow;

use crate::raster::{self, ImageFacts, Refusal};
use crate::session::attachments::Attachments;
use crate::session::{EntryIndex, Session};

/// Why there is no data to look at.
pub(crate) enum Absent<'d> {
    /// A blob of this hash, and what became of it.
    Blob(&'d str, &'d str),
    /// It names a blob in no way that a blob is named.
    NoBlobName(&'d str),
    /// At an address that a page must not open by itself.
    Elsewhere(&'d str),
}

/// The base64 that an image block holds or names.
pub(crate) fn resolve<'d>(
    session: &'d Session,
    entry: EntryIndex,
    data: &'d str,
) -> Result<Cow<'d, str>, Absent<'d>> {
    if let Some(hash) = Attachments::hash(data) {
        let blob = session.attachments_of(entry).blob(hash);
        return blob.map(Cow::Borrowed).map_err(|reason| Absent::Blob(hash, reason));
    }
    match data.split_once(':') {
        Some(("data", url)) => Ok(url.split_once(";base64,").map_or("", |(_, data)| data).into()),
        Some(("blob", _)) => Err(Absent::NoBlobName(data)),
        Some(("http" | "https", _)) => Err(Absent::Elsewhere(data)),
        _ => Ok(Cow::Borrowed(data)),
    }
}

impl<'d> Absent<'d> {
    /// The name of what is not there, with the words around it.
    pub(crate) fn words(&self) -> (&'static str, &'d str, &'d str) {
        match self {
            Absent::Blob(hash, reason) => ("blob ", hash, reason),
            Absent::NoBlobName(name) => ("", name, "is not the name of a blob"),
            Absent::Elsewhere(address) => ("it is at ", address, "and is not loaded"),
        }
    }
}

/// What the data of an image says of itself.
pub(crate) fn facts<'d>(
    session: &'d Session,
    entry: EntryIndex,
    data: &'d str,
) -> Result<Result<ImageFacts, Refusal>, Absent<'d>> {
    resolve(session, entry, data).map(|data| raster::read(&raster::without_blanks(&data)))
}

/// The type that is stated for what is no image.
pub(crate) fn stated(mime_type: &str) -> &str {
    if mime_type.is_empty() { "unknown" } else { mime_type }
}
