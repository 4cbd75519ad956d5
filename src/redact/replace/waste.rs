//! What a crash leaves in a file of lines: gigabytes of zeros, or of what else no reader reads. Secrets in it are learned,
//! and it is left out of the redacted file and counted: a copy of it for each step would be all of the memory.

use std::ops::Range;

use crate::format;

use super::kind::{ContentKind, kind};

/// In bytes; what is shorter is left where it is.
const LONG: usize = 1 << 20;

/// Long runs of zeros, and long lines that no reader reads, of a file that has one value a line.
pub(super) fn waste(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut waste = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let line = std::mem::replace(&mut start, end + 1)..end;
        if line.len() <= LONG {
            continue;
        }
        let text = &bytes[line.clone()];
        if !matches!(text[0], b'{' | b'[') && !format::holds_values(text) {
            waste.push(line);
        } else {
            waste.extend(zeros(text).map(|run| line.start + run.start..line.start + run.end));
        }
    }
    // All of a text may be one line, and all of a picture.
    if !waste.is_empty() && kind(bytes) != ContentKind::Lines {
        waste.clear();
    }
    waste
}

/// Long runs of zeros.
fn zeros(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let runs = std::iter::from_fn(move || {
        let start = at + memchr::memchr(0, &text[at..])?;
        at = start + text[start..].iter().take_while(|&&byte| byte == 0).count();
        Some(start..at)
    });
    runs.filter(|run| run.len() > LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_reader_reads_is_waste_where_it_is_long() {
        let zeros = "\0".repeat(LONG + 1);
        let row = "{\"type\":\"message\",\"id\":\"a\"}";
        let words = "words ".repeat(LONG);
        let long = format!("{{\"type\":\"message\",\"text\":\"{words}\"}}");
        for (rest, left) in [
            (format!("{zeros}\n{row}"), format!("\n{row}")),
            (format!("{zeros}{row}"), row.to_owned()),
            (format!("{{\"type\":\"mes{zeros}"), "{\"type\":\"mes".to_owned()),
            (words, String::new()),
            (long.clone(), long),
            ("\0".repeat(LONG), "\0".repeat(LONG)),
        ] {
            let mut file = format!("{row}\n{rest}");
            for waste in waste(file.as_bytes()).into_iter().rev() {
                file.replace_range(waste, "");
            }
            assert!(file == format!("{row}\n{left}"), "{left:.40}");
        }
        assert!(waste(format!("some text\n{zeros}").as_bytes()).is_empty());
    }
}
