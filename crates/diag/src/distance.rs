//! How unlike two names are, for suggestions.

/// How many letters must be changed, added, left out or swapped with their neighbours to
/// make one name of the other (the restricted Damerau-Levenshtein distance).
pub fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The name most like `name`, if it is like it at all: a letter in four may differ, two
/// neighbours may be swapped, capitals do not count.
pub fn closest_name<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let most = 1 + length / 4;
    let close = |other: &str| {
        if other.chars().count().abs_diff(length) > most {
            return None;
        }
        let distance = edit_distance(name, other);
        let same_letters = name.eq_ignore_ascii_case(other);
        let near = distance <= most && distance < length;
        // `x` for `xs`: a letter is like no other, but its plural is like it.
        let near = near || other.strip_suffix('s') == Some(name);
        (name != other && (near || same_letters)).then_some(distance)
    };
    known.filter_map(|k| Some((close(k)?, k))).min().map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn distances_are_those_worked_out_by_hand() {
        let cases = [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("sqrt", "sqr", 1),
            ("sqrt", "sqtr", 1),
            ("kitten", "sitting", 3),
            ("", "ab", 2),
        ];
        for (a, b, wanted) in cases {
            assert_eq!(edit_distance(a, b), wanted, "{a} {b}");
            assert_eq!(edit_distance(b, a), wanted, "{b} {a}");
        }
    }
}
