//! The cases of a `match`: whether they take every value, and each arm is taken by some.

use crate::prove::exhaustive::{ArmPattern, coverage, takes_all};
use crate::prove::pattern::Pattern;
use crate::thir::{Expr, Ty};
use crate::typed::handles::Patterns;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

/// One alternative of an arm.
pub(crate) struct Case<'m> {
    pub pattern: Pattern,
    pub arm: &'m hir::Arm,
}

impl Case<'_> {
    fn of_matrix(&self) -> ArmPattern<'_> {
        ArmPattern { pattern: &self.pattern, sure: self.arm.guard.is_none() }
    }
}

impl Patterns<'_, '_> {
    /// The alternatives of an arm bind the same names, each of them once.
    pub fn alternatives_agree(&mut self, cases: &[Case<'_>], arm: &hir::Arm) -> bool {
        if !cases.iter().all(|c| self.binds_once(&c.pattern)) {
            return false;
        }
        let of_arm: Vec<Vec<&str>> = cases
            .iter()
            .map(|c| {
                let mut names = Vec::new();
                bound_names(&c.pattern, &mut names);
                let mut names: Vec<&str> = names.into_iter().map(hir::Ident::as_str).collect();
                names.sort_unstable();
                names
            })
            .collect();
        let Some(other) = of_arm.iter().position(|names| *names != of_arm[0]) else { return true };
        let lost = of_arm[0].iter().find(|n| !of_arm[other].contains(n));
        let lost = lost.or_else(|| of_arm[other].iter().find(|n| !of_arm[0].contains(n)));
        let Some(lost) = lost else { return true };
        let d = Diagnostic::error(
            Code::E0425,
            format!("`{lost}` is not bound by every alternative of this arm"),
        )
        .primary(arm.pats[other].span, "the alternatives bind different names");
        self.cx.report(d);
        false
    }

    /// Whether a pattern binds no name twice.
    fn binds_once(&mut self, pattern: &Pattern) -> bool {
        let mut names = Vec::new();
        bound_names(pattern, &mut names);
        for (n, again) in names.iter().enumerate() {
            let Some(first) = names[..n].iter().find(|f| f.name == again.name) else { continue };
            let name = &again.name;
            let d = Diagnostic::error(
                Code::E0428,
                format!("`{name}` is bound twice in one pattern"),
            )
            .primary(again.span, "bound again here")
            .secondary(first.span, "first bound here")
            .help(format!(
                "give one of them another name, and compare in a guard: `if {name} == other`"
            ));
            self.cx.report(d);
            return false;
        }
        true
    }

    /// Whether every case has an arm; reports one that has none, and tells of arms that nothing
    /// reaches.
    pub fn all_covered(&mut self, cases: &[Case<'_>], scrutinee: &Expr, span: Span) -> bool {
        let ty = &scrutinee.ty;
        let arms: Vec<ArmPattern<'_>> = cases.iter().map(Case::of_matrix).collect();
        let found = coverage(&*self.cx.types, &arms, ty, span);
        let reached = found.as_ref().map_or(&[][..], |c| &c.reached);
        for (n, case) in cases.iter().enumerate() {
            if reached.get(n) == Some(&false) && !lacks_fields(ty) {
                self.unreachable(case, &cases[..n]);
            }
        }
        let whole = |c: &Case<'_>| c.arm.guard.is_none() && takes_all(&c.pattern);
        let headline = match found.map(|c| c.missing) {
            Some(None) => return true,
            None if cases.iter().any(whole) => return true,
            Some(Some(example)) if example == "_" => {
                "this `match` has no arm for what its patterns do not name".to_string()
            }
            Some(Some(example)) => format!("this `match` has no arm for `{example}`"),
            None => {
                "this `match` is too intricate: it is not known to cover every case".to_string()
            }
        };
        let d = Diagnostic::error(Code::E0004, headline)
            .primary(scrutinee.span, "not every value of this has an arm")
            .help("add an arm for it, or one with `_` for all others");
        self.cx.report(d);
        false
    }

    /// `unreachable-arm`: an arm behind others that take all that it would.
    pub fn unreachable(&mut self, case: &Case<'_>, before: &[Case<'_>]) {
        let d = Diagnostic::warning(Code::UnreachableArm, "nothing reaches this arm")
            .primary(case.pattern.span, "every value of this kind is taken before");
        let mut sure = before.iter().filter(|c| c.arm.guard.is_none());
        let d = match (sure.next(), sure.next()) {
            (Some(only), None) => d.secondary(only.pattern.span, "it is taken here"),
            _ => d,
        };
        self.cx.report(d);
    }
}

/// Whether values of a type surely lack some fields: then arms for those are never taken,
/// which is no mistake.
fn lacks_fields(ty: &Ty) -> bool {
    *ty == Ty::Absent || ty.members().is_some_and(|ms| ms.iter().any(lacks_fields))
}

fn bound_names<'p>(p: &'p Pattern, out: &mut Vec<&'p hir::Ident>) {
    use crate::prove::pattern::PatternKind as K;
    match &p.kind {
        K::Bind(name, inner) => {
            out.push(name);
            bound_names(inner, out);
        }
        K::Fields(_, ps) | K::Tuple(ps) => ps.iter().for_each(|p| bound_names(p, out)),
        K::Array(front, rest, back) => {
            front.iter().chain(back).for_each(|p| bound_names(p, out));
            out.extend(rest.iter().flatten());
        }
        _ => {}
    }
}
