//! How loud lints are.

use weft_diag::{Code, Diagnostic, Severity};

/// What a lint does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LintLevel {
    /// Nothing.
    Allow,
    /// It warns.
    Warn,
    /// It refuses the program.
    Deny,
}

/// Levels that were chosen; all other lints warn.
#[derive(Clone, Debug, Default)]
pub struct Lints {
    chosen: Vec<(Option<Code>, LintLevel)>,
}

impl Lints {
    /// Chooses a level for a lint, or (`None`) for all lints that are not named.
    pub fn set(&mut self, lint: Option<Code>, level: LintLevel) {
        self.chosen.push((lint, level));
    }

    /// The level of a lint: the strictest that was chosen for it by name, else for all.
    pub fn level(&self, lint: Code) -> LintLevel {
        let of = |wanted| self.chosen.iter().filter(|(l, _)| *l == wanted).map(|(_, v)| *v).max();
        of(Some(lint)).or(of(None)).unwrap_or(LintLevel::Warn)
    }

    /// A diagnostic at its level; nothing where it is silenced.
    pub(crate) fn apply(&self, mut d: Diagnostic) -> Option<Diagnostic> {
        if !d.code.is_lint() || d.is_error() {
            return Some(d);
        }
        match self.level(d.code) {
            LintLevel::Allow => None,
            LintLevel::Warn => Some(d),
            LintLevel::Deny => {
                d.severity = Severity::Error;
                Some(d)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_stronger_than_all_and_strict_than_lenient() {
        let mut lints = Lints::default();
        assert_eq!(lints.level(Code::UnusedName), LintLevel::Warn);
        lints.set(None, LintLevel::Deny);
        lints.set(Some(Code::UnusedName), LintLevel::Allow);
        assert_eq!(lints.level(Code::UnusedName), LintLevel::Allow);
        assert_eq!(lints.level(Code::NegatedPower), LintLevel::Deny);
        lints.set(Some(Code::UnusedName), LintLevel::Warn);
        assert_eq!(lints.level(Code::UnusedName), LintLevel::Warn);
    }
}
