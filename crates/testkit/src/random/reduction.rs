//! Reductions, and the reads that give an index its range.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Piece, Tensor, Ty};

impl Generator {
    /// A reduction that gives a value of a type.
    pub fn reduction(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        if ty != Ty::Bool && self.random.chance(12) {
            return self.fold(cell, ty, depth);
        }
        let op = self.reduction_name(ty);
        let over = self.reduced_type(op, ty);
        if cell.reductions > 0 {
            self.note(Construct::NestedReduction);
        }
        let mut inner = cell.clone();
        inner.reductions += 1;
        let heads = self.heads(op, cell, &mut inner);
        let body = self.anchored(&inner, cell.indices.len(), over, depth);
        let body = self.close(body, over);
        let trailing = self.trailing(op, &mut inner);
        let text = format!("{op}[{}]({body}{trailing})", heads.join(", "));
        match op {
            "sum" | "prod" if !ty.sums_alike() => {
                Piece::closed(format!("({text} as {})", ty.name()))
            }
            "count" | "argmax" | "argmin" => Piece::closed(format!("({text} as {})", ty.name())),
            _ => Piece::closed(text),
        }
    }

    /// `reduce[|p, q| …, start, k in 0..n](body)`.
    fn fold(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::Fold);
        self.discrete |= ty.is_float();
        let mut inner = cell.clone();
        inner.reductions += 1;
        let head = self.head("reduce", cell, &mut inner);
        let body = self.anchored(&inner, cell.indices.len(), ty, depth);
        let body = self.close(body, ty);
        let start = self.closed(cell, ty, 0);
        let op = *self.random.pick(&["p - q", "p * 2 + q", "max(p, q) - q", "q + p * p"]);
        let fold = Piece::closed(format!("reduce[|p, q| {op}, {start}, {head}]({body})"));
        self.narrowed(fold, ty)
    }

    fn reduction_name(&mut self, ty: Ty) -> &'static str {
        let (op, construct) = match ty {
            Ty::Bool => *self.random.pick(&[("all", Construct::All), ("any", Construct::Any)]),
            _ => *self.random.pick(&[
                ("sum", Construct::Sum),
                ("sum", Construct::Sum),
                ("prod", Construct::Prod),
                ("max", Construct::Max),
                ("min", Construct::Min),
                ("mean", Construct::Mean),
                ("count", Construct::Count),
                ("argmax", Construct::Argmax),
                ("argmin", Construct::Argmin),
            ]),
        };
        if op == "mean" && !ty.is_float() {
            self.note(Construct::Sum);
            return "sum";
        }
        self.note(construct);
        op
    }

    fn reduced_type(&mut self, op: &str, ty: Ty) -> Ty {
        match op {
            "count" => Ty::Bool,
            "argmax" | "argmin" => {
                let over = self.number_type();
                self.discrete |= over.is_float();
                over
            }
            _ => ty,
        }
    }

    fn heads(&mut self, op: &str, cell: &Cell, inner: &mut Cell) -> Vec<String> {
        let two = self.random.chance(20) && !op.starts_with("arg");
        if two {
            self.note(Construct::ReductionOfTwo);
        }
        (0..if two { 2 } else { 1 }).map(|_| self.head(op, cell, inner)).collect()
    }

    fn head(&mut self, op: &str, cell: &Cell, inner: &mut Cell) -> String {
        let name = self.fresh("k");
        let hi = self.extent();
        let may_be_empty = !matches!(op, "mean" | "argmax" | "argmin");
        let (lo, inferred, text) = match self.random.below(11) {
            0..4 if self.anchor_for(&hi).is_some() => (0, true, name.clone()),
            4 if may_be_empty && !cell.indices.is_empty() => {
                return self.dependent_head(cell, inner, name);
            }
            5 if may_be_empty && self.random.chance(40) => {
                self.note(Construct::EmptyReduction);
                let text = format!("{name} in {0}..{0}", hi.text());
                inner.indices.push(Index { name, lo: 0, hi, inferred: false });
                return text;
            }
            6 if hi.value > 1 => (1, false, format!("{name} in 1..{}", hi.text())),
            8 => {
                self.note(Construct::RangeBelowZero);
                // The ends of a fold's range have one type.
                let lo = if op == "reduce" { self.negative_end() } else { self.lower_end() };
                (lo.least, false, format!("{name} in {}..{}", lo.text, hi.text()))
            }
            7 if hi.name.is_none() => (0, false, format!("{name} in 0..={}", hi.value - 1)),
            _ => (0, false, format!("{name} in 0..{}", hi.text())),
        };
        inner.indices.push(Index { name, lo, hi, inferred });
        text
    }

    /// `k in 0..i + 1`: a range that depends on an index around it.
    fn dependent_head(&mut self, cell: &Cell, inner: &mut Cell, name: String) -> String {
        self.note(Construct::DependentRange);
        let around = self.random.pick(&cell.indices).clone();
        let text = match self.random.below(2) {
            0 => format!("{name} in 0..{} + 1", around.name),
            _ => format!("{name} in {}..{}", around.name, around.hi.text()),
        };
        // Whatever holds of the index around holds of this one.
        let lo = if text.contains("in 0..") { 0 } else { around.lo };
        inner.indices.push(Index { name, lo, hi: around.hi, inferred: false });
        text
    }

    /// Bindings and guards at the end of a reduction's body.
    fn trailing(&mut self, op: &str, inner: &mut Cell) -> String {
        if !self.random.chance(25) {
            return String::new();
        }
        let index = inner.indices.last().expect("a reduction has an index").clone();
        let guard = match op {
            // These fail where no term is left; the first one always is.
            "mean" | "argmax" | "argmin" => format!("{} >= {}", index.name, index.lo),
            _ => self.guard(inner),
        };
        self.note(Construct::GuardedReduction);
        if self.random.chance(30) {
            self.note(Construct::BoundReduction);
            let name = self.fresh("q");
            let value = self.closed(inner, Ty::I32, 1);
            return format!(" where {name} = {value}, {guard} || {name} > {} * 0", index.name);
        }
        format!(" where {guard}")
    }

    /// A condition on an index, or on data.
    pub fn guard(&mut self, cell: &Cell) -> String {
        let i = self.random.pick(&cell.indices).name.clone();
        match self.random.below(6) {
            0 => format!("{i} % 2 == {}", self.random.between(0, 1)),
            1 => format!("{i} != {}", self.random.between(0, 3)),
            2 => format!("{i} > {}", self.random.between(0, 3)),
            3 => format!("{i} < {}", self.random.between(1, 4)),
            4 => {
                let j = self.random.pick(&cell.indices).name.clone();
                format!("{i} <= {j}")
            }
            _ => {
                self.note(Construct::DataGuard);
                self.comparison(cell, 1)
            }
        }
    }

    /// A tensor whose direct read gives an index this extent.
    pub fn anchor_for(&self, extent: &Extent) -> Option<&Tensor> {
        self.tensors.iter().find(|t| t.shape.contains(extent))
    }

    /// A body in which every inferred index from the `from`-th on is read directly.
    pub fn anchored(&mut self, cell: &Cell, from: usize, ty: Ty, depth: usize) -> Piece {
        let mut body = self.expr(cell, ty, depth);
        for i in &cell.indices[from..] {
            if i.inferred {
                let anchor = self.anchor(cell, i, ty);
                let sum = self.joined(body, anchor, ty);
                body = self.narrowed(sum, ty);
            }
        }
        body
    }

    fn anchor(&mut self, cell: &Cell, index: &Index, ty: Ty) -> String {
        let same = self.tensor(|t| t.ty == ty && t.shape.contains(&index.hi));
        let tensor = same.or_else(|| self.tensor(|t| t.shape.contains(&index.hi)));
        let tensor = tensor.expect("an inferred index has a tensor to read");
        let places: Vec<usize> =
            (0..tensor.shape.len()).filter(|&k| tensor.shape[k] == index.hi).collect();
        let at = *self.random.pick(&places);
        let items: Vec<String> = (0..tensor.shape.len())
            .map(
                |k| if k == at { index.name.clone() } else { self.item(cell, &tensor.shape[k], 0) },
            )
            .collect();
        let text = format!("{}[{}]", tensor.name, items.join(", "));
        if tensor.ty == ty {
            return text;
        }
        if ty == Ty::Bool {
            self.discrete |= tensor.ty.is_float();
            self.note(Construct::Comparison);
            return format!("({text} > 1)");
        }
        self.note(Construct::Cast);
        self.discrete |= tensor.ty.is_float() && ty.is_int();
        format!("({text} as {})", ty.name())
    }

    fn joined(&mut self, x: Piece, y: String, ty: Ty) -> Piece {
        // (A known side of `&&` closes the other, and what it reads.)
        let ops: &[&str] = if ty == Ty::Bool { &["==", "!="] } else { &["+", "*", "-"] };
        let op = *self.random.pick(ops);
        let (x, y) = if self.random.chance(50) { (x.text, y) } else { (y, x.text) };
        Piece::closed(format!("({x} {op} {y})"))
    }
}
