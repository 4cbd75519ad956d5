//! Whose session files are written.

/// The agent whose session files a store writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Agent {
    /// pi 1.5.2.
    #[default]
    Pi,
    /// oh-my-pi 18.3.4.
    Omp,
}
