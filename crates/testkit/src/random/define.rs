//! Indexed definitions that do not read themselves.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Piece, Tensor, Ty};

/// The slots of a clause, as text, and what they make of the shape.
struct Slots {
    text: Vec<String>,
    shape: Vec<Extent>,
    cell: Cell,
}

impl Generator {
    /// `let d[i, j] = … where …;` with one to three clauses.
    pub fn definition(&mut self) {
        let name = self.fresh("d");
        let ty = *self.random.pick(&Ty::ALL);
        let rank = 1 + self.random.weighted(&[6, 5, 1]);
        let slots = self.slots(rank);
        let mut clauses = vec![self.general_clause(&name, ty, &slots)];
        if self.random.chance(30) {
            self.note(Construct::SeveralClauses);
            for _ in 0..self.random.between(1, 2) {
                clauses.push(self.overriding_clause(&name, ty, &slots.shape));
            }
        }
        self.statements.push(clauses.join("\n"));
        self.note(Construct::ScalarBody);
        self.tensors.push(Tensor { name, ty, shape: slots.shape, bound: None });
    }

    fn slots(&mut self, rank: usize) -> Slots {
        let mut slots = Slots { text: Vec::new(), shape: Vec::new(), cell: Cell::default() };
        for _ in 0..rank {
            self.slot(&mut slots);
        }
        slots
    }

    fn slot(&mut self, slots: &mut Slots) {
        let name = self.fresh("i");
        let hi = self.extent();
        let (lo, inferred, text) = match self.random.below(11) {
            0..4 if self.anchor_for(&hi).is_some() => {
                self.note(Construct::InferredIndex);
                (0, true, name.clone())
            }
            4 if hi.name.is_none() => {
                self.note(Construct::InclusiveRange);
                (0, false, format!("{name} in 0..={}", hi.value - 1))
            }
            5 if hi.value > 1 => {
                self.note(Construct::OffsetRange);
                (1, false, format!("{name} in 1..{}", hi.text()))
            }
            6 => {
                let lo = self.lower_end_of_slot(&slots.cell);
                (0, false, format!("{name} in {lo}..{}", hi.text()))
            }
            _ => {
                self.note(Construct::RangedIndex);
                (0, false, format!("{name} in 0..{}", hi.text()))
            }
        };
        slots.text.push(text);
        slots.shape.push(hi.clone());
        slots.cell.indices.push(Index { name, lo, hi, inferred });
    }

    fn general_clause(&mut self, name: &str, ty: Ty, slots: &Slots) -> String {
        let mut cell = slots.cell.clone();
        let (bindings, locals) = self.bindings(&cell);
        cell.locals = locals;
        let depth = self.random.below(4);
        let body = self.anchored(&cell, 0, ty, depth);
        let body = self.blocked(&cell, body, ty);
        let conditions = self.conditions(&slots.cell, ty, bindings);
        let note = self.annotation(&body, ty);
        format!("let {name}[{}]{note} = {}{conditions};", slots.text.join(", "), body.text)
    }

    fn annotation(&mut self, body: &Piece, ty: Ty) -> String {
        if !body.open && self.random.chance(80) {
            return String::new();
        }
        self.note(Construct::Annotation);
        format!(": {}", ty.name())
    }

    /// `z = …` items, and the names they bind.
    fn bindings(&mut self, cell: &Cell) -> (Vec<String>, Vec<(String, Ty)>) {
        if !self.random.chance(20) {
            return Default::default();
        }
        self.note(Construct::WhereBinding);
        let ty = self.number_type();
        let name = self.fresh("z");
        let value = self.closed(cell, ty, 1);
        (vec![format!("{name} = {value}")], vec![(name, ty)])
    }

    fn conditions(&mut self, cell: &Cell, ty: Ty, mut items: Vec<String>) -> String {
        let guarded = self.random.chance(20);
        if guarded {
            self.note(Construct::WhereGuard);
            items.push(self.guard(cell));
        }
        let otherwise = if guarded && self.random.chance(40) {
            self.note(Construct::WhereElse);
            format!(" else {}", self.closed(cell, ty, 1))
        } else {
            String::new()
        };
        if items.is_empty() {
            return String::new();
        }
        format!(" where {}{otherwise}", items.join(", "))
    }

    /// Sometimes `{ let b = …; … }` around the body.
    fn blocked(&mut self, cell: &Cell, body: Piece, ty: Ty) -> Piece {
        if ty == Ty::Bool || !self.random.chance(12) {
            return body;
        }
        self.note(Construct::BlockBody);
        let name = self.fresh("b");
        let value = self.closed(cell, ty, 1);
        let sum = self.narrowed(Piece::closed(format!("({name} + {})", body.text)), ty);
        Piece::closed(format!("{{ let {name} = {value}; {} }}", sum.text))
    }

    /// A later clause for some of the cells.
    fn overriding_clause(&mut self, name: &str, ty: Ty, shape: &[Extent]) -> String {
        let mut cell = Cell::default();
        let mut slots = Vec::new();
        for (axis, extent) in shape.iter().enumerate() {
            if axis == 0 {
                slots.push(self.first_slot(extent, &mut cell));
                continue;
            }
            let i = self.fresh("j");
            let lo = match self.random.chance(20) {
                true => self.lower_end_of_slot(&cell),
                false => "0".into(),
            };
            slots.push(format!("{i} in {lo}..{}", extent.text()));
            cell.indices.push(Index { name: i, lo: 0, hi: extent.clone(), inferred: false });
        }
        let body = self.closed(&cell, ty, 2);
        format!("let {name}[{}] = {body};", slots.join(", "))
    }

    /// A fixed cell, or a part of the range.
    fn first_slot(&mut self, extent: &Extent, cell: &mut Cell) -> String {
        if extent.name.is_none() && extent.value > 2 && self.random.chance(40) {
            let i = self.fresh("j");
            let (lo, hi) = (1, self.random.between(2, extent.value));
            cell.indices.push(Index {
                name: i.clone(),
                lo,
                hi: Extent::number(hi),
                inferred: false,
            });
            return format!("{i} in {lo}..{hi}");
        }
        self.note(Construct::FixedCell);
        match extent.name {
            Some(_) => {
                if self.random.chance(50) {
                    extent.plus(-1).text()
                } else {
                    "0".into()
                }
            }
            None => self.random.between(0, extent.value - 1).to_string(),
        }
    }

    /// A body that is itself a vector: its axis follows the slots.
    pub fn tensor_bodied(&mut self) -> bool {
        let Some(vector) = self.tensor(|t| t.shape.len() == 1 && t.ty != Ty::Bool) else {
            return false;
        };
        self.note(Construct::TensorBody);
        let name = self.fresh("d");
        let i = self.fresh("i");
        let hi = self.extent();
        let slot = format!("{i} in 0..{}", hi.text());
        let cell = Cell {
            indices: vec![Index { name: i, lo: 0, hi: hi.clone(), inferred: false }],
            ..Cell::default()
        };
        let op = *self.random.pick(&["+", "-", "*"]);
        let by = self.closed(&cell, vector.ty, 1);
        self.statements.push(format!("let {name}[{slot}] = {} {op} {by};", vector.name));
        let shape = vec![hi, vector.shape[0].clone()];
        self.tensors.push(Tensor { name, ty: vector.ty.computed(), shape, bound: None });
        true
    }

    /// A body that is a tuple: one tensor per field.
    pub fn tuple_bodied(&mut self) -> bool {
        self.note(Construct::TupleBody);
        self.note(Construct::Field);
        let name = self.fresh("t");
        let slots = self.slots(1);
        let tys = [self.number_type(), *self.random.pick(&Ty::ALL)];
        let first = self.anchored(&slots.cell, 0, tys[0], 2);
        let first = self.close(first, tys[0]);
        let second = self.closed(&slots.cell, tys[1], 2);
        let mut text =
            vec![format!("let {name}[{}] = ({first}, {second});", slots.text.join(", "))];
        let hi = slots.shape[0].clone();
        for (field, &ty) in tys.iter().enumerate() {
            let part = self.fresh("d");
            let i = self.fresh("i");
            text.push(format!("let {part}[{i} in 0..{}] = {name}.{field}[{i}];", hi.text()));
            self.tensors.push(Tensor { name: part, ty, shape: vec![hi.clone()], bound: None });
        }
        self.statements.push(text.join("\n"));
        true
    }

    /// `let r[..b] = x[..b] * k;`
    pub fn rest_definition(&mut self) -> bool {
        let Some(x) = self.tensor(|t| t.ty != Ty::Bool && !t.shape.is_empty()) else {
            return false;
        };
        self.note(Construct::RestSlot);
        let name = self.fresh("r");
        let op = *self.random.pick(&["+", "-", "*"]);
        let mut shape = x.shape.clone();
        let text = if x.shape.len() > 1 && self.random.chance(50) {
            let i = self.fresh("i");
            let last = shape.last().expect("two axes").clone();
            let by = self.tensor(|t| t.ty == x.ty && t.shape == [last.clone()]);
            let by = match by {
                Some(v) => format!("{}[{i}]", v.name),
                None => self.closed(&Cell::default(), x.ty, 1),
            };
            if self.random.chance(40) {
                shape.rotate_right(1);
                format!("let {name}[{i}, ..b] = {}[..b, {i}] {op} {by};", x.name)
            } else {
                format!("let {name}[..b, {i}] = {}[..b, {i}] {op} {by};", x.name)
            }
        } else {
            let by = self.closed(&Cell::default(), x.ty, 1);
            format!("let {name}[..b] = {}[..b] {op} {by};", x.name)
        };
        self.statements.push(text);
        self.tensors.push(Tensor { name, ty: x.ty.computed(), shape, bound: None });
        true
    }

    /// A slot name written twice: the diagonal; the rest is zero.
    pub fn diagonal_definition(&mut self) -> bool {
        let Some(x) = self.tensor(|t| t.shape.len() == 1) else { return false };
        self.note(Construct::DiagonalWrite);
        let (name, i) = (self.fresh("d"), self.fresh("i"));
        self.statements.push(format!("let {name}[{i}, {i}] = {}[{i}];", x.name));
        let shape = vec![x.shape[0].clone(), x.shape[0].clone()];
        self.tensors.push(Tensor { name, ty: x.ty, shape, bound: None });
        true
    }

    /// A tensor without cells, and reductions of nothing.
    pub fn empty_definition(&mut self) -> bool {
        self.note(Construct::EmptyRange);
        let (name, s, i) = (self.fresh("d"), self.fresh("s"), self.fresh("i"));
        let ty = self.number_type();
        let at = self.random.between(0, 2);
        let cell = Cell {
            indices: vec![Index { name: i.clone(), lo: 0, hi: Extent::number(1), inferred: false }],
            ..Cell::default()
        };
        let body = self.closed(&cell, ty, 1);
        let ops: &[&str] =
            if ty.sums_alike() { &["sum", "prod", "max", "min"] } else { &["max", "min"] };
        let op = *self.random.pick(ops);
        self.statements.push(format!(
            "let {name}[{i} in {at}..{at}] = {body};\nlet {s} = {op}[k in {at}..{at}]({name}[k]);"
        ));
        self.tensors.push(Tensor { name: s, ty, shape: Vec::new(), bound: None });
        true
    }

    /// A tensor whose elements are indices: all in `0..bound`.
    pub fn index_tensor(&mut self) -> bool {
        let (name, i) = (self.fresh("x"), self.fresh("i"));
        let hi = self.extent();
        let bound = self.random.between(1, 5);
        let ty = *self.random.pick(&[Ty::I32, Ty::I64]);
        self.note_type(ty);
        let (a, b) = (self.random.between(1, 4), self.random.between(0, 4));
        self.statements.push(format!(
            "let {name}[{i} in 0..{}]: {} = ({i} * {a} + {b}) % {bound};",
            hi.text(),
            ty.name()
        ));
        self.tensors.push(Tensor { name, ty, shape: vec![hi], bound: Some(bound) });
        true
    }

    /// `let y[i] = sum[k](x[i + k] * w[k]);`: a window slides over a vector, its range
    /// inferred from both.
    pub fn window_definition(&mut self) -> bool {
        let constant = |t: &Tensor| t.shape.len() == 1 && t.shape[0].name.is_none();
        let Some(x) = self.tensor(|t| constant(t) && t.ty.sums_alike()) else { return false };
        let n = x.shape[0].value;
        let fits = |t: &Tensor| constant(t) && t.ty == x.ty && t.shape[0].value <= n;
        let Some(w) = self.tensor(fits) else { return false };
        self.note(Construct::WindowRead);
        self.note(Construct::InferredIndex);
        let m = w.shape[0].value;
        let stride = self.random.between(1, 2);
        let (name, i, k) = (self.fresh("y"), self.fresh("i"), self.fresh("k"));
        let at = if stride == 1 { i.clone() } else { format!("2 * {i}") };
        self.statements
            .push(format!("let {name}[{i}] = sum[{k}]({}[{at} + {k}] * {}[{k}]);", x.name, w.name));
        let shape = vec![Extent::number((n - m) / stride + 1)];
        self.tensors.push(Tensor { name, ty: x.ty, shape, bound: None });
        true
    }

    /// `let y[i] = x[i + 1] - x[i];`: the shifted read narrows the inferred range.
    pub fn difference_definition(&mut self) -> bool {
        let Some(x) = self.tensor(|t| {
            t.shape.len() == 1
                && t.shape[0].name.is_none()
                && t.ty != Ty::Bool
                && t.shape[0].value > 1
        }) else {
            return false;
        };
        self.note(Construct::ShiftedRead);
        self.note(Construct::InferredIndex);
        let (name, i) = (self.fresh("y"), self.fresh("i"));
        self.statements.push(format!("let {name}[{i}] = {0}[{i} + 1] - {0}[{i}];", x.name));
        let shape = vec![x.shape[0].plus(-1)];
        self.tensors.push(Tensor { name, ty: x.ty.computed(), shape, bound: None });
        true
    }

    /// `let y[i ^ j] = a[i] ^ b[j];`
    pub fn joined_axis(&mut self) -> bool {
        let vector = |t: &Tensor| t.shape.len() == 1 && t.shape[0].name.is_none();
        let Some(a) = self.tensor(|t| vector(t) && t.ty != Ty::Bool) else { return false };
        let Some(b) = self.tensor(|t| vector(t) && t.ty == a.ty) else { return false };
        self.note(Construct::JoinedAxis);
        self.note(Construct::InferredIndex);
        let (name, i, j) = (self.fresh("y"), self.fresh("i"), self.fresh("j"));
        let by = self.closed(&Cell::default(), a.ty, 1);
        self.statements
            .push(format!("let {name}[{i} ^ {j}] = {}[{i}] ^ {}[{j}] * {by};", a.name, b.name));
        let shape = vec![Extent::number(a.shape[0].value + b.shape[0].value)];
        self.tensors.push(Tensor { name, ty: a.ty.computed(), shape, bound: None });
        true
    }

    /// `let p[i in 0..2] = x[i ^ _];`, or what is behind a stretch.
    pub fn component_read(&mut self) -> bool {
        let vector = |t: &Tensor| t.shape.len() == 1 && t.shape[0].name.is_none();
        let Some(x) = self.tensor(|t| vector(t) && t.shape[0].value > 1) else { return false };
        self.note(Construct::ComponentRead);
        let (name, i) = (self.fresh("p"), self.fresh("i"));
        let (n, all) = (self.random.between(1, x.shape[0].value - 1), x.shape[0].value);
        let (text, size) = match self.random.below(4) {
            0 => (format!("{i} in 0..{n}] = {}[{i} ^ _]", x.name), n),
            1 => (format!("{i}] = {}[{n} ^ {i}]", x.name), all - n),
            2 => (format!("{i} in 0..{n}] = {}[_ ^ {i}]", x.name), n),
            _ => (format!("{i} in 0..1] = {}[_ ^ {i} ^ {n}]", x.name), 1),
        };
        self.statements.push(format!("let {name}[{text};"));
        self.tensors.push(Tensor {
            name,
            ty: x.ty,
            shape: vec![Extent::number(size)],
            bound: None,
        });
        true
    }
}
