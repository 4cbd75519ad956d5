//! The parts of an input that stands for several files or texts.

/// What stands before, between and behind the marks; at least one part.
pub fn parts<'b>(bytes: &'b [u8], mark: &[u8]) -> Vec<&'b [u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        parts.push(&rest[..at]);
        rest = &rest[at + mark.len()..];
    }
    parts.push(rest);
    parts
}
