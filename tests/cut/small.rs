//! Single rules on sessions of a few lines.
