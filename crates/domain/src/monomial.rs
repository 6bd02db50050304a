//! Products of atoms as sizes, and division of sizes by them.

use weft_shape::{Atom, Size};

/// The product of atoms.
pub(crate) fn product(atoms: &[Atom]) -> Size {
    atoms.iter().fold(Size::constant(1), |p, a| p.times(&atom(a)))
}

fn atom(a: &Atom) -> Size {
    let fold = |parts: &[Size], of: fn(&Size, &Size) -> Size| {
        let mut parts = parts.iter().cloned();
        let first = parts.next().expect("an extremum has parts");
        parts.fold(first, |a, b| of(&a, &b))
    };
    // The divisor of an atom is not the number 0: sizes refuse to divide by it.
    match a {
        Atom::Param(p) => Size::param(*p),
        Atom::Div(a, b) => a.floor_div(b).unwrap_or_else(|| a.clone()),
        Atom::Mod(a, b) => a.modulo(b).unwrap_or_else(|| a.clone()),
        Atom::Max(parts) => fold(parts, Size::larger),
        Atom::Min(parts) => fold(parts, Size::smaller),
    }
}

/// `size / by` where `by` is a product of atoms that every term of `size` has.
pub(crate) fn divided(size: &Size, by: &Size) -> Option<Size> {
    let [(divisor, 1)] = by.terms() else { return None };
    if by.constant_term() != 0 || size.constant_term() != 0 {
        return None;
    }
    let mut total = Size::constant(0);
    for (monomial, c) in size.terms() {
        let mut rest = monomial.clone();
        for a in divisor {
            rest.remove(rest.iter().position(|r| r == a)?);
        }
        total = total.plus(&product(&rest).scaled(i64::try_from(*c).ok()?));
    }
    Some(total)
}
