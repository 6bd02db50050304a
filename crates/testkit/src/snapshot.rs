//! Expected texts in files, written anew under `BLESS=1`.

use crate::Failure;
use similar::TextDiff;
use std::path::Path;

/// Whether expected texts are to be written.
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|v| v == "1")
}

/// Compares a text with a file.
pub fn compare_file(path: &Path, actual: &str) -> Result<(), Failure> {
    if blessing() {
        return std::fs::write(path, actual)
            .map_err(|e| format!("cannot write {}: {e}", path.display()));
    }
    let expected = std::fs::read_to_string(path).map_err(|_| {
        format!("{} is missing (BLESS=1 writes it); it would hold\n{actual}", path.display())
    })?;
    compare(&expected, actual)
}

/// Compares two texts; the failure shows the lines that differ.
pub fn compare(expected: &str, actual: &str) -> Result<(), Failure> {
    if expected == actual {
        return Ok(());
    }
    let diff = TextDiff::from_lines(expected, actual);
    let text = diff.unified_diff().header("expected", "found").to_string();
    Err(text)
}

/// Compares two texts whose numbers may differ relatively by `tolerance`.
pub fn compare_numbers(expected: &str, actual: &str, tolerance: f64) -> Result<(), Failure> {
    let (left, right) = (pieces(expected), pieces(actual));
    let same = left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a == b || close(a, b, tolerance));
    if same { Ok(()) } else { compare(expected, actual) }
}

/// Words without brackets and blanks: alignment moves with the digits of numbers.
fn pieces(text: &str) -> Vec<String> {
    let spaced = text.replace('[', " [ ").replace(']', " ] ").replace(',', " , ");
    spaced.split_whitespace().map(String::from).collect()
}

fn close(a: &str, b: &str, tolerance: f64) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_a_little_and_texts_not_at_all() {
        assert!(compare_numbers("[1.0 2.0]", "[1.0000001 2.0]", 1e-6).is_ok());
        assert!(compare_numbers("[1.0 2.0]", "[1.1 2.0]", 1e-6).is_err());
        assert!(compare_numbers("[1.0 2.0]", "[1.0 2.0 3.0]", 1e-6).is_err());
        assert!(compare_numbers("a 1.0", "b 1.0", 1e-6).is_err());
        assert!(compare_numbers("nan", "nan", 1e-6).is_ok());
    }
}
