//! The text form of graphs, written. [`crate::parse`] reads it back.
//!
//! The form shows everything, ids included, in the order of the ids. It is for dumps and
//! tests; for people who want the equations there is `explain`.

use crate::{
    Accumulator, Array, Assignment, Constraint, Definition, Expr, Exprs, Graph, IndexTerm, Range,
    Reduction, Relation, Tensor,
};
use std::fmt::{self, Write};
use weft_base::entity::PrimaryMap;
use weft_base::{Name, Span};
use weft_scalar::Scalar;
use weft_shape::Param;

/// The text of a graph.
pub fn print(graph: &Graph) -> String {
    let mut text = String::new();
    write_graph(&mut text, graph).expect("a string takes everything");
    text
}

fn write_graph(out: &mut String, g: &Graph) -> fmt::Result {
    for p in g.params.keys() {
        write_param(out, g, p)?;
    }
    for (id, site) in &g.sites {
        writeln!(out, "site {id} {}{}", quoted(&site.message), span(site.span))?;
    }
    for (id, function) in g.functions.iter() {
        writeln!(out, "function {id} {}", quoted(&function.to_string()))?;
    }
    for (id, tensor) in &g.tensors {
        write!(out, "tensor {id}")?;
        write_tensor(out, tensor)?;
    }
    for (id, assign) in &g.assigns {
        writeln!(out, "assign {id} {} {{", assign.target)?;
        write_assignment(out, assign)?;
        out.write_str("}\n")?;
    }
    Ok(())
}

fn write_param(out: &mut String, g: &Graph, p: Param) -> fmt::Result {
    let info = &g.params[p];
    write!(out, "param {p} {}{}", quoted(info.name.as_str()), span(info.span))?;
    let (lo, hi) = g.facts.param_bounds(p);
    for (word, value) in [("default", info.default), ("least", lo), ("most", hi)] {
        if let Some(value) = value {
            write!(out, " {word} {value}")?;
        }
    }
    out.write_str("\n")
}

fn write_tensor(out: &mut String, tensor: &Tensor) -> fmt::Result {
    write!(out, "{}{} {} [", name(tensor.name.as_ref()), span(tensor.span), tensor.elem)?;
    for (at, axis) in tensor.axes.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(out, "{comma}{}{}", axis.extent, name(axis.name.as_ref()))?;
    }
    match &tensor.definition {
        Definition::Input => out.write_str("] input\n"),
        Definition::Constant(array) => writeln!(out, "] constant {}", numbers(array)),
        Definition::Assigned { pieces, covered } => {
            let word = if *covered { "covered" } else { "partial" };
            writeln!(out, "] {word} [{}]", list(pieces))
        }
    }
}

fn numbers(array: &Array) -> String {
    let values: Vec<String> = (0..array.len()).map(|at| scalar(array.get(at))).collect();
    let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    format!("[{}] [{}]", shape.join(", "), values.join(", "))
}

fn write_assignment(out: &mut String, a: &Assignment) -> fmt::Result {
    out.write_str("  iters [")?;
    write_iters(out, &a.space.iters)?;
    out.write_str("]\n")?;
    for r in &a.space.ranges {
        writeln!(out, "  for {}", range(r))?;
    }
    for guard in &a.space.guards {
        writeln!(out, "  where {}", constraint(guard))?;
    }
    write_exprs(out, &a.exprs)?;
    writeln!(out, "  write [{}]", terms(&a.write))?;
    if let Some(mask) = a.mask {
        writeln!(out, "  mask {mask}")?;
    }
    writeln!(out, "  {} {}", accumulator(a.accumulator), a.body)
}

fn write_iters(
    out: &mut String,
    iters: &PrimaryMap<weft_domain::Iter, Option<Name>>,
) -> fmt::Result {
    for (at, (id, given)) in iters.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(out, "{comma}{id}{}", name(given.as_ref()))?;
    }
    Ok(())
}

fn write_exprs(out: &mut String, exprs: &Exprs) -> fmt::Result {
    for id in exprs.ids() {
        writeln!(out, "  {id} {} = {}", exprs.ty(id), expr(exprs.get(id)))?;
    }
    Ok(())
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(v) => format!("const {}", scalar(*v)),
        Expr::Index(a) => format!("index {a}"),
        Expr::Read { tensor, index, site } => {
            format!("read {tensor} [{}]{}", terms(index), at(*site))
        }
        Expr::Unary(op, x) => format!("{} {x}", op.name()),
        Expr::Binary(op, a, b, site) => format!("{} {a} {b}{}", op.name(), at(*site)),
        Expr::Cast(ty, x) => format!("cast {ty} {x}"),
        Expr::If(c, a, b) => format!("if {c} {a} {b}"),
        Expr::Check { condition, value, site } => format!("check {condition} {value} at {site}"),
        Expr::Call { function, args } => format!("call {function} [{}]", list(args)),
        Expr::Reduce(r) => reduction(r),
    }
}

fn at(site: Option<crate::SiteId>) -> String {
    site.map_or(String::new(), |s| format!(" at {s}"))
}

fn reduction(r: &Reduction) -> String {
    let ranges: Vec<String> = r.ranges.iter().map(range).collect();
    let mut text = format!("reduce {} [{}]", accumulator(r.accumulator), ranges.join(", "));
    for guard in &r.guards {
        text.push_str(&format!(" where {}", constraint(guard)));
    }
    if let Some(mask) = r.mask {
        text.push_str(&format!(" mask {mask}"));
    }
    format!("{text} body {}", r.body)
}

fn range(r: &Range) -> String {
    format!("{} in {} .. {}", r.iter, r.lo, r.hi)
}

fn constraint(c: &Constraint) -> String {
    let relation = match c.relation {
        Relation::AtLeastZero => ">=",
        Relation::Zero => "==",
    };
    format!("{} {relation} 0", c.term)
}

fn terms(index: &[IndexTerm]) -> String {
    let term = |t: &IndexTerm| match t {
        IndexTerm::Affine(a) => a.to_string(),
        IndexTerm::Data(e) => e.to_string(),
    };
    index.iter().map(term).collect::<Vec<_>>().join(", ")
}

fn accumulator(a: Accumulator) -> String {
    match a {
        Accumulator::ArgMax(n) | Accumulator::ArgMin(n) => format!("{} {n}", a.name()),
        _ => a.name().to_string(),
    }
}

fn list<T: fmt::Display>(ids: &[T]) -> String {
    ids.iter().map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}

/// A value with all its bits: a NaN shows its payload.
fn scalar(v: Scalar) -> String {
    match v {
        Scalar::Bool(b) => b.to_string(),
        _ if v.is_nan() => format!("nan {} {}", v.bits(), v.ty()),
        _ => format!("{} {}", v.number_text(), v.ty()),
    }
}

fn name(name: Option<&Name>) -> String {
    name.map_or(String::new(), |n| format!(" {}", quoted(n.as_str())))
}

fn span(span: Option<Span>) -> String {
    span.map_or(String::new(), |s| format!(" at {} {} .. {}", s.file, s.start, s.end))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
