//! Sums and other reductions over places that numbers name: gathers and scatters by comparison.

use super::Construct;
use super::scope::{Extent, Generator, Tensor};

/// `sum[k](x[k] where ix[k] == b)`, or `sum[k](x[k] where k == ix[i])`.
pub(super) fn by_number(g: &mut Generator) -> bool {
    let fits = |t: &Tensor| (1..=2).contains(&t.shape.len()) && t.ty.sums_alike();
    let Some(x) = g.tensor(fits) else { return false };
    let scatters = g.random.chance(55);
    let extent = if scatters { x.shape[0].clone() } else { g.extent() };
    let numbers = numbers(g, &extent);
    let (name, i, k, j) = (g.fresh("n"), g.fresh("i"), g.fresh("k"), g.fresh("j"));
    let row = x.shape.get(1).map(|_| format!(", {j}")).unwrap_or_default();
    let op = *g.random.pick(&["sum", "sum", "sum", "max", "min", "prod"]);
    let of_whole = format!("{}[{k}{row}]", x.name);
    let term = if op == "sum" || !g.random.chance(20) { of_whole } else { format!("-{of_whole}") };
    let shift = g.random.between(-1, 1);
    let (index, number) = if scatters { (&i, &k) } else { (&k, &i) };
    let (index, number) = (format!("{index} + {shift}"), format!("{numbers}[{number}]"));
    let mut same = match g.random.below(3) {
        0 => format!("{index} == {number}"),
        1 => format!("{number} == {index}"),
        _ => format!("{number} * 2 - {number} == {index}"),
    };
    if g.random.chance(25) {
        same = format!("{same}, {k} % 3 != 1");
    }
    if g.random.chance(25) {
        same = format!("{k} > 0, {same}");
    }
    let reduced = match op {
        "sum" if !same.contains(',') && g.random.chance(40) => {
            format!("sum[{k}](({same}) as {} * {term})", x.ty.name())
        }
        _ => format!("{op}[{k}]({term} where {same})"),
    };
    // Cells begin elsewhere at times, and at times there are more than are compared singly.
    let lo = if scatters { g.random.between(0, 2) } else { 0 };
    let hi = if scatters { Extent::number(g.random.between(lo + 1, 14)) } else { extent };
    let clause = match row.is_empty() {
        false if g.random.chance(30) => format!("{j}, {i} in {lo}..{}", hi.text()),
        _ => format!("{i} in {lo}..{}{row}", hi.text()),
    };
    let turned = clause.starts_with(&j);
    g.statements.push(format!("let {name}[{clause}] = {reduced};"));
    g.note(Construct::ByNumber);
    let mut shape = vec![hi];
    shape.extend(x.shape.get(1).cloned());
    if turned {
        shape.rotate_right(1);
    }
    g.tensors.push(Tensor { name, ty: x.ty, shape, bound: None });
    true
}

/// A vector of numbers, some of which are indices of nothing.
fn numbers(g: &mut Generator, extent: &Extent) -> String {
    let known = g.tensor(|t| t.shape == [extent.clone()] && t.ty.is_int() && !t.ty.is_narrow());
    if let Some(t) = known.filter(|t| !t.ty.is_unsigned()) {
        return t.name;
    }
    let (name, i) = (g.fresh("x"), g.fresh("i"));
    let (a, b, m) = (g.random.between(1, 7), g.random.between(0, 4), g.random.between(2, 12));
    let below = g.random.between(0, 2);
    let ty = *g.random.pick(&["i32", "i64"]);
    let text = extent.text();
    g.statements
        .push(format!("let {name}[{i} in 0..{text}]: {ty} = ({i} * {a} + {b}) % {m} - {below};"));
    name
}
