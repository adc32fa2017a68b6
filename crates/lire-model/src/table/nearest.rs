//! Advice for a name that does not exist: the nearest that does, and all of them when they are few.

/// More names than this are not listed.
const LISTED_NAMES: usize = 12;

/// Continues a message such as "no column `agee`"; empty when there is nothing to advise.
pub(super) fn advice(name: &str, known: &[&str]) -> String {
    let mut advice = String::new();
    let nearest = nearest(name, known);
    if let Some(nearest) = nearest {
        advice = format!("; did you mean `{nearest}`?");
    }
    if !known.is_empty() && known.len() <= LISTED_NAMES {
        advice.push_str(if nearest.is_some() { " The columns are " } else { "; the columns are " });
        advice.push_str(&list(known));
    }
    advice
}

/// Names in backticks, separated by commas.
pub(super) fn list<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The known name with the fewest edits, if it is near at all; the first of equals.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let allowed = 2.max(name.chars().count() / 3);
    let name = name.to_lowercase();
    let by_edits = known.iter().map(|&candidate| (edits(&name, &candidate.to_lowercase()), candidate));
    by_edits
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// The Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut current = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let replaced = previous[j] + usize::from(from != *to);
            current.push(replaced.min(previous[j + 1] + 1).min(current[j] + 1));
        }
        previous = current;
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }

    #[test]
    fn case_does_not_count() {
        assert_eq!(nearest("income", &["Age", "Income"]), Some("Income"));
        assert_eq!(nearest("income", &["height", "weight"]), None);
    }
}
