//! One assignment as an equation in the notation of the language.

use std::cell::Cell;
use weft_domain::{Affine, Constraint, Dim, Iter, Range, Relation};
use weft_scalar::{BinaryOp, UnaryOp};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Expr, ExprId, Graph, IndexTerm, Reduction, TensorId,
};

/// Bodies are graphs, which as trees may be exponentially large: after so many nodes the
/// rest is an ellipsis.
const MAX_NODES: usize = 300;

pub(super) struct Equation<'a> {
    graph: &'a Graph,
    assign: &'a Assignment,
    nodes_left: Cell<usize>,
}

impl<'a> Equation<'a> {
    pub fn new(graph: &'a Graph, assign: AssignId) -> Equation<'a> {
        Equation { graph, assign: &graph.assigns[assign], nodes_left: Cell::new(MAX_NODES) }
    }

    /// `u[t, i] = u[t - 1, i] * 0.5    for t in 1..n, i in 0..m`
    pub fn text(&self) -> String {
        let a = self.assign;
        let reduced = a.reduced();
        let (inner, outer): (Vec<&Range>, Vec<&Range>) =
            a.space.ranges().partition(|r| reduced.contains(&r.iter));
        let body = self.expr(a.body);
        let body = match a.accumulator {
            Accumulator::Set => body,
            accumulator => {
                let guards = a.mask.map_or(String::new(), |m| format!(" where {}", self.expr(m)));
                let word = accumulator.name();
                format!("{word}[{}]({body}{guards})", self.ranges(&inner))
            }
        };
        let head = format!("{}{}", self.name(a.target), self.index(&a.write));
        let over = if outer.is_empty() {
            String::new()
        } else {
            format!("    for {}", self.ranges(&outer))
        };
        let guards: Vec<String> = a.space.guards.iter().map(|c| self.constraint(c)).collect();
        let guards = guards.into_iter().map(|g| format!(", {g}")).collect::<String>();
        format!("{head} = {body}{over}{guards}")
    }

    fn name(&self, t: TensorId) -> String {
        self.graph.tensors[t].name.as_ref().map_or_else(|| t.to_string(), ToString::to_string)
    }

    fn index(&self, terms: &[IndexTerm]) -> String {
        if terms.is_empty() {
            return String::new();
        }
        let all: Vec<String> = terms.iter().map(|t| self.term(t)).collect();
        format!("[{}]", all.join(", "))
    }

    fn term(&self, term: &IndexTerm) -> String {
        match term {
            IndexTerm::Affine(a) => self.affine(a),
            IndexTerm::Data(e) => self.expr(*e),
            IndexTerm::Piecewise(parts) => {
                let parts = parts.iter().map(|(_, a)| self.affine(a));
                parts.collect::<Vec<_>>().join(" ^ ")
            }
        }
    }

    fn iter(&self, i: Iter) -> String {
        let name = self.assign.space.iters.get(i).and_then(Option::as_ref);
        name.map_or_else(|| i.to_string(), ToString::to_string)
    }

    fn ranges(&self, ranges: &[&Range]) -> String {
        let one = |r: &&Range| {
            format!("{} in {}..{}", self.iter(r.iter), self.affine(&r.lo), self.affine(&r.hi))
        };
        ranges.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn constraint(&self, c: &Constraint) -> String {
        let relation = match c.relation {
            Relation::AtLeastZero => ">=",
            Relation::Zero => "==",
        };
        format!("{} {relation} 0", self.affine(&c.term))
    }

    fn affine(&self, a: &Affine) -> String {
        let mut out = String::new();
        for (dim, factor) in a.terms() {
            out.push_str(match (out.is_empty(), *factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            if factor.unsigned_abs() != 1 {
                out.push_str(&format!("{}*", factor.unsigned_abs()));
            }
            out.push_str(&self.dim(dim));
        }
        let offset = super::size_text(self.graph, a.offset());
        match a.offset().as_constant() {
            _ if out.is_empty() => offset,
            Some(0) => out,
            Some(n) if n < 0 => format!("{out} - {}", n.unsigned_abs()),
            _ => format!("{out} + {offset}"),
        }
    }

    fn dim(&self, dim: &Dim) -> String {
        let by = |s| super::size_text(self.graph, s);
        match dim {
            Dim::Iter(i) => self.iter(*i),
            Dim::Div(a, s) => format!("(({}) / {})", self.affine(a), by(s)),
            Dim::Mod(a, s) => format!("(({}) % {})", self.affine(a), by(s)),
        }
    }

    fn expr(&self, e: ExprId) -> String {
        let Some(left) = self.nodes_left.get().checked_sub(1) else { return "…".into() };
        self.nodes_left.set(left);
        match self.assign.exprs.get(e) {
            Expr::Const(v) => weft_host::scalar_text(*v),
            Expr::Index(a) => self.affine(a),
            Expr::Read { tensor, index, .. } => {
                format!("{}{}", self.name(*tensor), self.index(index))
            }
            Expr::Unary(UnaryOp::Neg, x) => format!("-{}", self.operand(*x)),
            Expr::Unary(UnaryOp::Not, x) => format!("!{}", self.operand(*x)),
            Expr::Unary(op, x) => format!("{}({})", op.name(), self.expr(*x)),
            Expr::Binary(op, a, b, _) => self.binary(*op, *a, *b),
            Expr::Cast(ty, x) => format!("{} as {ty}", self.operand(*x)),
            Expr::If(c, a, b) => {
                format!("if {} {{ {} }} else {{ {} }}", self.expr(*c), self.expr(*a), self.expr(*b))
            }
            Expr::Check { value, .. } => self.expr(*value),
            Expr::Call { function, args } => {
                let name = self.graph.functions.get(*function).map_or("", |f| f.name.as_str());
                let args: Vec<String> = args.iter().map(|a| self.expr(*a)).collect();
                format!("{name}({})", args.join(", "))
            }
            Expr::Reduce(r) => self.reduction(r),
        }
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> String {
        match sign(op) {
            Some(sign) => format!("{} {sign} {}", self.operand(a), self.operand(b)),
            None => format!("{}({}, {})", op.name(), self.expr(a), self.expr(b)),
        }
    }

    /// In parentheses where it is an operation itself.
    fn operand(&self, e: ExprId) -> String {
        let node = self.assign.exprs.get(e);
        let loose = match node {
            Expr::Binary(op, ..) => sign(*op).is_some(),
            Expr::Cast(..) | Expr::If(..) | Expr::Unary(UnaryOp::Neg | UnaryOp::Not, _) => true,
            Expr::Index(a) => a.as_iter().is_none() && a.as_constant().is_none(),
            _ => false,
        };
        let text = self.expr(e);
        if loose { format!("({text})") } else { text }
    }

    fn reduction(&self, r: &Reduction) -> String {
        let ranges: Vec<&Range> = r.ranges.iter().collect();
        let mut guards: Vec<String> = r.guards.iter().map(|c| self.constraint(c)).collect();
        guards.extend(r.mask.map(|m| self.expr(m)));
        let guards =
            if guards.is_empty() { String::new() } else { format!(" where {}", guards.join(", ")) };
        let word = r.accumulator.name();
        format!("{word}[{}]({}{guards})", self.ranges(&ranges), self.expr(r.body))
    }
}

/// The operator's sign, where it has one.
fn sign(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Pow => "**",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Min | BinaryOp::Max => return None,
    })
}
