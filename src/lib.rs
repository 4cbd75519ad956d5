//! leafpress
pub mod error;
pub mod format;
pub mod outline;
pub mod session;
pub use error::Error;
