//! oh-my-pi's files: pi's lines with what omp adds to them, and the sessions of its agents beside them.
//!
//! Versions in comments are those of oh-my-pi: the package 18.3.4 was read and run, 18.2.3 was run.

pub(super) mod additions;
mod agents;

use crate::session::{Format, Session};

use super::own_folder::Budget;
use super::read_options::ReadOptions;
use super::{ReadError, Reader, pi, pi_listing, pi_stream};

pub(super) const READER: Reader = Reader {
    format: Format::Omp,
    recognizes: |probe| pi_stream::is_omp(probe) || additions::recognizes(probe),
    read,
    listing: Some(pi_listing::OMP),
};

/// Reads a session file of omp's, with the files beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let session = if pi_stream::is_stream_file(&source) {
        pi_stream::read(Format::Omp, source, options)?
    } else {
        pi::read_as(Format::Omp, source, options)?
    };
    if options.without_children {
        return Ok(session);
    }
    Ok(agents::with_agents(session, options, Budget::default()))
}
