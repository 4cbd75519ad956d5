//! Whether a value can be a secret: what its name promises, and whether it is one that people,
//! programs and examples write without a secret in mind.

pub(super) mod names;
pub(super) mod ordinary;
pub(super) mod parts;
pub(super) mod plausible;
