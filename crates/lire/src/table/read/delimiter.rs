//! Finds out what separates the fields of a CSV file.

/// In order of preference.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// So many lines are enough to see it.
const LINES: usize = 20;

/// The delimiter that splits the first lines into equally many fields: in the most lines, then into the most fields.
/// One that the header lacks is none. A comma if there is nothing to split.
pub(super) fn detect(start: &[u8]) -> u8 {
    let lines = counts_by_line(start);
    let Some(header) = lines.first() else { return CANDIDATES[0] };
    let score = |candidate: usize| {
        let alike = lines.iter().filter(|line| line[candidate] == header[candidate]).count();
        (alike, header[candidate])
    };
    let split = (0..CANDIDATES.len()).filter(|&candidate| header[candidate] > 0);
    // `max_by_key` takes the last of equals, so the preferred must come last.
    split
        .rev()
        .max_by_key(|&candidate| score(candidate))
        .map_or(CANDIDATES[0], |candidate| CANDIDATES[candidate])
}

/// How often each candidate occurs outside quotes, line by line; the last line counts only if it is the only one,
/// for it may be cut off.
fn counts_by_line(start: &[u8]) -> Vec<[usize; CANDIDATES.len()]> {
    let mut lines = Vec::new();
    let mut counts = [0; CANDIDATES.len()];
    let mut quoted = false;
    let mut empty = true;
    for &byte in start {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => {
                if !empty {
                    lines.push(std::mem::take(&mut counts));
                }
                empty = true;
                if lines.len() == LINES {
                    break;
                }
                continue;
            }
            _ if quoted => {}
            _ => {
                if let Some(candidate) = CANDIDATES.iter().position(|&candidate| candidate == byte) {
                    counts[candidate] += 1;
                }
            }
        }
        empty = false;
    }
    if lines.is_empty() && !empty {
        lines.push(counts);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::detect;

    #[test]
    fn each_common_delimiter_is_found() {
        assert_eq!(detect(b"a,b\n1,2\n"), b',');
        assert_eq!(detect(b"a;b\n1,5;2,5\n"), b';');
        assert_eq!(detect(b"a\tb, or c\tc\n1\t2\t3\n"), b'\t');
        assert_eq!(detect(b"a|b\r\n1|2\r\n"), b'|');
        assert_eq!(detect(b"a\n1\n"), b',');
        assert_eq!(detect(b""), b',');
    }

    #[test]
    fn quoted_text_does_not_count() {
        assert_eq!(detect(b"\"a,b,c,d\";e\n\"1,\n2,\";3\n"), b';');
    }
}
