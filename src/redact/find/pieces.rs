//! The pieces of a text that secrets take: in order, apart, and outside of marks.

use std::cmp::Reverse;
use std::ops::Range;

use super::scan::FoundSecret;

/// Shortest rest beside a mark that is still a secret, in bytes.
const MIN_REST: usize = 6;

/// One piece of a text and the secret it belongs to, by its place in the list.
#[derive(Debug, Clone)]
pub(crate) struct SecretPiece {
    pub(crate) range: Range<usize>,
    pub(crate) found: usize,
}

/// Pieces in order and apart. Where two overlap, the longer one stays and the
/// secret of more lines, then the earlier rule, names what is of the same length; `swallowed` gets the rest.
pub(crate) fn pieces(found: &[FoundSecret], swallowed: &mut Vec<usize>) -> Vec<SecretPiece> {
    let mut all: Vec<SecretPiece> = found
        .iter()
        .enumerate()
        .flat_map(|(at, one)| {
            one.pieces.iter().map(move |range| SecretPiece { range: range.clone(), found: at })
        })
        .filter(|piece| !piece.range.is_empty())
        .collect();
    all.sort_by_key(|piece| {
        let one = &found[piece.found];
        (piece.range.start, Reverse(piece.range.end), Reverse(one.pieces.len()), one.rule)
    });
    let mut kept: Vec<SecretPiece> = Vec::new();
    for piece in all {
        match kept.last_mut() {
            Some(last) if piece.range.start < last.range.end => {
                last.range.end = last.range.end.max(piece.range.end);
                if found[piece.found].rule != found[last.found].rule {
                    swallowed.push(piece.found);
                }
            }
            _ => kept.push(piece),
        }
    }
    kept
}

/// What of `range` is not within marks. All of it where there is none.
pub(super) fn outside(marks: &[Range<usize>], range: Range<usize>) -> Vec<Range<usize>> {
    let first = marks.partition_point(|mark| mark.end <= range.start);
    let inside = marks[first..].iter().take_while(|mark| mark.start < range.end);
    let mut rest = Vec::new();
    let mut at = range.start;
    let mut is_whole = true;
    for mark in inside {
        is_whole = false;
        rest.push(at..mark.start.max(at));
        at = mark.end;
    }
    if is_whole {
        return vec![range];
    }
    rest.push(at..range.end.max(at));
    rest.retain(|part| part.len() >= MIN_REST);
    rest
}
