//! Sizes in steps, so that a page tells little by its own.

/// The least size, in bytes.
pub(super) const LEAST: u64 = 64 * 1024;

/// The next step at or above a size: Padmé (Nikitin and others, Reducing Metadata Leakage from
/// Encrypted Files, 2019), which tells of a size its order and five bits. That is 64 KiB, then steps
/// of 2 KiB, from 128 KiB of 4 KiB, from 1 MiB of 32 KiB, from 16 MiB of 512 KiB: at most 3.2 %.
pub(super) fn padded(bytes: u64) -> u64 {
    let bytes = bytes.max(LEAST);
    let exponent = bytes.ilog2();
    let kept = exponent.ilog2() + 1;
    bytes.next_multiple_of(1 << (exponent - kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: u64 = 1024;

    #[test]
    fn sizes_come_in_steps() {
        for small in [0, 1, LEAST - 1, LEAST] {
            assert_eq!(padded(small), LEAST);
        }
        assert_eq!(padded(LEAST + 1), 66 * KB);
        assert_eq!(padded(128 * KB + 1), 132 * KB);
        assert_eq!(padded(1024 * KB + 1), (1024 + 32) * KB);
        assert_eq!(padded(16 * 1024 * KB + 1), (16 * 1024 + 512) * KB);
    }

    #[test]
    fn steps_cost_little_and_are_steps() {
        let mut before = 0;
        for bytes in (LEAST..3_000_000).step_by(997) {
            let padded_size = padded(bytes);
            assert!(padded_size >= bytes && padded_size < bytes + bytes / 31);
            assert!(padded_size >= before && padded(padded_size) == padded_size);
            assert_eq!(padded_size % (2 * KB), 0);
            before = padded_size;
        }
    }
}
