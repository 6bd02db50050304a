//! Whole programs: what they start from, their statements, and what they show.

use super::by_number::by_number;
use super::scope::{Cell, Extent, Generator, Tensor, Ty};
use super::{Construct, Program};

/// The program of a seed: about `size` statements after those it starts from.
pub(super) fn generate(seed: u64, size: usize) -> Program {
    let mut g = Generator::new(seed);
    g.sizes();
    g.inputs();
    g.base_tensors();
    g.open_names();
    g.texts();
    for _ in 0..g.random.below(3) {
        g.function();
    }
    for _ in 0..size {
        g.statement();
    }
    g.observe();
    g.finish(seed, size)
}

impl Generator {
    /// Two plain sizes, and perhaps named ones.
    fn sizes(&mut self) {
        for _ in 0..2 {
            let n = self.random.between(1, 6);
            self.extents.push(Extent::number(n));
        }
        if self.random.chance(40) {
            let name = self.fresh("n");
            let value = self.random.between(2, 6);
            let how = if self.random.chance(30) { "const" } else { "let" };
            if how == "const" {
                self.note(Construct::Const);
            }
            self.statements.push(format!("{how} {name} = {value};"));
            self.extents.push(Extent { name: Some(name), offset: 0, value });
        }
    }

    fn inputs(&mut self) {
        if self.random.chance(35) {
            self.input_tensor();
        }
        if self.random.chance(20) {
            self.input_scalar();
        }
    }

    fn input_tensor(&mut self) {
        self.note(Construct::InputTensor);
        let (name, size) = (self.fresh("a"), self.fresh("n"));
        let ty = *self.random.pick(&Ty::ALL);
        self.note_type(ty);
        let extent =
            Extent { name: Some(size.clone()), offset: 0, value: self.random.between(2, 5) };
        self.extents.push(extent.clone());
        let mut shape = vec![extent];
        if self.random.chance(40) {
            shape.push(Extent::number(self.random.between(1, 4)));
        }
        let dims: Vec<String> = shape.iter().map(Extent::text).collect();
        self.statements.push(format!("input {name}: [{}; {}];", ty.name(), dims.join(", ")));
        let value = self.literal_array(ty, &shape);
        self.inputs.push((name.clone(), value));
        self.tensors.push(Tensor { name, ty, shape, bound: None });
    }

    fn input_scalar(&mut self) {
        self.note(Construct::InputScalar);
        let name = self.fresh("a");
        let ty = self.number_type();
        self.note_type(ty);
        let value = self.signed_literal(ty);
        if self.random.chance(50) {
            self.note(Construct::InputDefault);
            self.statements.push(format!("input {name}: {} = {value};", ty.name()));
        } else {
            self.statements.push(format!("input {name}: {};", ty.name()));
            self.inputs.push((name.clone(), value));
        }
        self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
    }

    fn signed_literal(&mut self, ty: Ty) -> String {
        if ty.is_int() && self.random.chance(5) {
            self.note(Construct::NearTheEnd);
            return self.near_the_end(ty).to_string();
        }
        let text = self.literal(ty).text;
        if ty != Ty::Bool && !ty.is_unsigned() && self.random.chance(30) {
            format!("-{text}")
        } else {
            text
        }
    }

    fn literal_array(&mut self, ty: Ty, shape: &[Extent]) -> String {
        let Some((first, rest)) = shape.split_first() else { return self.signed_literal(ty) };
        let members: Vec<String> = (0..first.value).map(|_| self.literal_array(ty, rest)).collect();
        format!("[{}]", members.join(", "))
    }

    /// Literals to compute with: a float vector, an integer vector, a matrix.
    fn base_tensors(&mut self) {
        let plain: Vec<Extent> =
            self.extents.iter().filter(|e| e.name.is_none()).cloned().collect();
        for rank in [1, 1, 2] {
            let ty = if rank == 2 { self.float_type() } else { *self.random.pick(&Ty::ALL) };
            let shape: Vec<Extent> = (0..rank).map(|_| self.random.pick(&plain).clone()).collect();
            self.literal_tensor(ty, shape);
        }
        if self.random.chance(60) {
            self.index_tensor();
        }
    }

    /// Names of literals, and of definitions by literals and indices: each use gives them a type.
    fn open_names(&mut self) {
        if self.random.chance(60) {
            return;
        }
        let (whole, part) = (self.fresh("o"), self.fresh("o"));
        let n = self.random.between(0, 9);
        self.statements.push(format!("let {whole} = {n};"));
        let x = self.literal(Ty::F64).text;
        self.statements.push(format!("let {part} = {x} / 3.0;"));
        let cells = self.fresh("o");
        let (float, by) = match self.random.chance(50) {
            true => (true, part.clone()),
            false => (false, whole.clone()),
        };
        self.statements
            .push(format!("let {cells}[i in 0..4] = i * {by} + {};", self.random.between(0, 9)));
        let at = self.random.between(0, 3);
        self.open.extend([(whole, false), (part, true), (format!("{cells}[{at}]"), float)]);
    }

    fn literal_tensor(&mut self, ty: Ty, shape: Vec<Extent>) {
        self.note(Construct::ArrayLiteral);
        self.note(Construct::Annotation);
        self.note_type(ty);
        let name = self.fresh("x");
        let dims: Vec<String> = shape.iter().map(Extent::text).collect();
        let value = self.literal_array(ty, &shape);
        self.statements.push(format!(
            "let {name}: [{}; {}] = {value};",
            ty.name(),
            dims.join(", ")
        ));
        self.tensors.push(Tensor { name, ty, shape, bound: None });
    }

    fn statement(&mut self) {
        let done = match self.random.weighted(&[
            24, 10, 4, 3, 3, 3, 2, 3, 3, 6, 3, 3, 3, 3, 8, 8, 3, 3, 3, 2, 3, 2, 4, 4, 6, 4, 6, 8,
            4, 5,
        ]) {
            1 => {
                self.recurrence();
                true
            }
            2 => self.tensor_recurrence(),
            3 => self.tensor_bodied(),
            4 => self.tuple_bodied(),
            5 => self.rest_definition(),
            6 => self.diagonal_definition(),
            7 => self.empty_definition(),
            8 => self.index_tensor(),
            9 => self.lifted(),
            10 => self.slice(),
            11 => self.sub_tensor(),
            12 => self.transpose(),
            13 => self.contraction(),
            14 => self.tensor_call(),
            15 => self.scalar_let(),
            16 => self.tuple_let(),
            17 => self.assertion(),
            18 => self.window_definition(),
            19 => self.difference_definition(),
            20 => self.print(),
            21 => self.extremum_place(),
            22 => self.joined_axis(),
            23 => self.component_read(),
            24 => {
                self.linear_system();
                true
            }
            25 => self.extent_of_nothing(),
            26 => self.per_cell(),
            27 => self.flagged(),
            28 => self.alignment(),
            29 => by_number(self),
            _ => false,
        };
        if !done {
            self.definition();
        }
    }

    fn scalar_let(&mut self) -> bool {
        self.note(Construct::Let);
        let cell = Cell::default();
        let ty = *self.random.pick(&Ty::ALL);
        let again = self.random.chance(18);
        let old = self.tensor(|t| t.shape.is_empty() && t.name.starts_with('s'));
        let depth = self.random.below(4);
        let value = match self.random.below(3) {
            0 => self.reduction(&cell, ty, 2),
            _ => self.expr(&cell, ty, depth),
        };
        let name = match (again, old) {
            (true, Some(t)) => {
                self.note(Construct::Shadowing);
                self.tensors.retain(|other| other.name != t.name);
                t.name
            }
            _ => self.fresh("s"),
        };
        let note = if value.open || self.random.chance(30) {
            self.note(Construct::Annotation);
            format!(": {}", ty.name())
        } else {
            String::new()
        };
        let text = if self.random.chance(10) && ty != Ty::Bool {
            self.note(Construct::BlockValue);
            let v = self.closed(&cell, ty, 1);
            match ty.is_narrow() {
                true => format!("{{ let c = {v}; (c * 2 - {}) as {} }}", value.text, ty.name()),
                false => format!("{{ let c = {v}; c * 2 - {} }}", value.text),
            }
        } else {
            value.text
        };
        self.statements.push(format!("let {name}{note} = {text};"));
        self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
        true
    }

    /// `let p = (…, …);` and its fields, or `let (a, b) = (…, …);`
    fn tuple_let(&mut self) -> bool {
        self.note(Construct::Tuple);
        let cell = Cell::default();
        let tys = [self.number_type(), *self.random.pick(&Ty::ALL)];
        let values = [self.closed(&cell, tys[0], 2), self.closed(&cell, tys[1], 2)];
        let names = [self.fresh("s"), self.fresh("s")];
        let tuple = format!("({}, {})", values[0], values[1]);
        let text = if self.random.chance(50) {
            self.note(Construct::LetTuple);
            format!("let ({}, {}) = {tuple};", names[0], names[1])
        } else {
            self.note(Construct::Field);
            let p = self.fresh("p");
            format!("let {p} = {tuple};\nlet {} = {p}.0;\nlet {} = {p}.1;", names[0], names[1])
        };
        self.statements.push(text);
        for (name, ty) in names.into_iter().zip(tys) {
            self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
        }
        true
    }

    fn assertion(&mut self) -> bool {
        self.note(Construct::Assert);
        self.note(Construct::Comparison);
        let fails = self.random.chance(7);
        if fails {
            self.note(Construct::MayFail);
        }
        let cell = Cell::default();
        let text = match self.random.below(3) {
            0 => {
                let Some(x) = self.tensor(|t| !t.shape.is_empty()) else { return false };
                self.note(Construct::Length);
                format!("len({}) == {}", x.name, x.shape[0].text())
            }
            1 => {
                let x = self.closed(&cell, Ty::I32, 2);
                format!("{x} % 2 < 2")
            }
            _ => {
                let x = self.closed(&cell, Ty::Bool, 2);
                format!("{x} || true")
            }
        };
        let text = if fails { format!("!({text})") } else { text };
        self.statements.push(format!("assert({text});"));
        true
    }

    fn print(&mut self) -> bool {
        self.note(Construct::Print);
        let Some(x) = self.tensor(|_| true) else { return false };
        let y = self.tensor(|t| t.ty != Ty::Bool).map_or("1".to_string(), |t| t.name);
        let text = match self.random.below(4) {
            0 => {
                self.note(Construct::Interpolation);
                format!("print(\"{} is {{{}}}, {{{y}}}\");", x.name, x.name)
            }
            1 => {
                self.note(Construct::Interpolation);
                self.note(Construct::Format);
                format!("print(\"{{{y}:.3f}} {{{}}}\");", x.name)
            }
            2 if !x.shape.is_empty() => {
                self.note(Construct::Length);
                let n = &x.name;
                format!("print(len({n}), {n}.shape, {n});")
            }
            _ => format!("print({}, {y});", x.name),
        };
        self.statements.push(text);
        true
    }

    /// The program shows one to three of its last tensors; the rest is nobody's wish.
    fn observe(&mut self) {
        self.note(Construct::Print);
        let shown = self.random.between(1, 3) as usize;
        let from = self.tensors.len().saturating_sub(6);
        let recent = self.tensors[from..].to_vec();
        for _ in 0..shown {
            let name = self.random.pick(&recent).name.clone();
            self.statements.push(format!("print({name});"));
        }
    }
}
