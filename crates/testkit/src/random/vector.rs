//! Plain `let`s over whole tensors: lifted operators, slices, sub-tensors, transposes.

use super::Construct;
use super::scope::{Cell, Extent, FunctionKind, Generator, Tensor, Ty};

impl Generator {
    /// `let c = a + b;`, or another operator that lifts.
    pub fn lifted(&mut self) -> bool {
        let Some(x) = self.tensor(|t| !t.shape.is_empty() && t.ty != Ty::Bool) else {
            return false;
        };
        let name = self.fresh("c");
        let text = match self.random.below(6) {
            0 => self.lifted_if(&x),
            1 => self.lifted_call(&x),
            2 => return self.lifted_cast(&x),
            _ => self.lifted_operator(&x),
        };
        self.statements.push(format!("let {name} = {text};"));
        self.tensors.push(Tensor { name, bound: None, ..x });
        true
    }

    fn operand(&mut self, x: &Tensor) -> String {
        match self.tensor(|t| t.ty == x.ty && t.shape == x.shape) {
            Some(y) if self.random.chance(60) => y.name,
            _ => self.closed(&Cell::default(), x.ty, 1),
        }
    }

    fn lifted_operator(&mut self, x: &Tensor) -> String {
        self.note(Construct::LiftedOperator);
        let op = *self.random.pick(&["+", "-", "*"]);
        let y = self.operand(x);
        let text = match self.random.below(3) {
            0 => format!("-{} {op} {y}", x.name),
            1 => format!("{y} {op} {}", x.name),
            _ => format!("{} {op} {y}", x.name),
        };
        if x.ty.is_narrow() { format!("({text}) as [{}]", x.ty.name()) } else { text }
    }

    fn lifted_if(&mut self, x: &Tensor) -> String {
        self.note(Construct::LiftedIf);
        self.note(Construct::If);
        self.note(Construct::Comparison);
        self.discrete |= x.ty.is_float();
        let (by, y) = (self.closed(&Cell::default(), x.ty, 1), self.operand(x));
        let other = match self.tensor(|t| t.ty == x.ty && t.shape == x.shape) {
            Some(t) => t.name,
            None => y,
        };
        format!("if {} > {by} {{ {} }} else {{ {other} }}", x.name, x.name)
    }

    fn lifted_call(&mut self, x: &Tensor) -> String {
        self.note(Construct::LiftedCall);
        let f = self.functions.iter().find(|f| f.kind == FunctionKind::Typed(x.ty)).cloned();
        if let Some(f) = f {
            self.note(Construct::Call);
            return format!("{}({})", f.name, x.name);
        }
        if !x.ty.is_float() {
            return format!("max({}, {})", x.name, x.name);
        }
        self.note(Construct::Elementary);
        let name = *self.random.pick(&["exp", "sqrt", "tanh", "abs"]);
        self.library.insert(name);
        format!("{name}({})", x.name)
    }

    fn lifted_cast(&mut self, x: &Tensor) -> bool {
        self.note(Construct::LiftedCast);
        self.note(Construct::Cast);
        let name = self.fresh("c");
        let ty = self.number_type();
        self.discrete |= x.ty.is_float() && ty.is_int();
        // Between brackets stands the element type; the shape stays.
        self.statements.push(format!("let {name} = {} as [{}];", x.name, ty.name()));
        self.tensors.push(Tensor { name, ty, shape: x.shape.clone(), bound: None });
        true
    }

    /// `let s = x[1..3];`
    pub fn slice(&mut self) -> bool {
        let plain = |t: &Tensor| t.shape.first().is_some_and(|e| e.name.is_none() && e.value > 1);
        let Some(x) = self.tensor(plain) else { return false };
        self.note(Construct::Slice);
        let name = self.fresh("s");
        let n = x.shape[0].value;
        let lo = self.random.between(0, n - 1);
        let hi = self.random.between(lo + 1, n);
        self.statements.push(format!("let {name} = {}[{lo}..{hi}];", x.name));
        let mut shape = x.shape.clone();
        shape[0] = Extent::number(hi - lo);
        self.tensors.push(Tensor { name, shape, ..x });
        true
    }

    /// `let r = x[0];`
    pub fn sub_tensor(&mut self) -> bool {
        let Some(x) = self.tensor(|t| !t.shape.is_empty()) else { return false };
        self.note(Construct::SubTensor);
        let name = self.fresh("s");
        let at = self.item(&Cell::default(), &x.shape[0], 0);
        self.statements.push(format!("let {name} = {}[{at}];", x.name));
        let shape = x.shape[1..].to_vec();
        self.tensors.push(Tensor { name, shape, ..x });
        true
    }

    /// `let m[j, i] = x[i, j];`
    pub fn transpose(&mut self) -> bool {
        let Some(x) = self.tensor(|t| t.shape.len() == 2) else { return false };
        self.note(Construct::Transpose);
        self.note(Construct::InferredIndex);
        let (name, i, j) = (self.fresh("m"), self.fresh("i"), self.fresh("j"));
        self.statements.push(format!("let {name}[{j}, {i}] = {}[{i}, {j}];", x.name));
        let shape = vec![x.shape[1].clone(), x.shape[0].clone()];
        self.tensors.push(Tensor { name, shape, ..x });
        true
    }

    /// `let m[i, j] = sum[k](a[i, k] * b[k, j]);`
    pub fn contraction(&mut self) -> bool {
        let Some(a) = self.tensor(|t| t.shape.len() == 2 && t.ty.sums_alike()) else {
            return false;
        };
        let fits = |t: &Tensor| t.shape.len() == 2 && t.ty == a.ty && t.shape[0] == a.shape[1];
        let Some(b) = self.tensor(fits) else { return false };
        self.note(Construct::Sum);
        self.note(Construct::InferredIndex);
        let (name, i, j, k) = (self.fresh("m"), self.fresh("i"), self.fresh("j"), self.fresh("k"));
        self.statements.push(format!(
            "let {name}[{i}, {j}] = sum[{k}]({}[{i}, {k}] * {}[{k}, {j}]);",
            a.name, b.name
        ));
        let shape = vec![a.shape[0].clone(), b.shape[1].clone()];
        self.tensors.push(Tensor { name, ty: a.ty, shape, bound: None });
        true
    }

    /// `let (a, b) = argmax[i, j](x[i, j]);`: where the largest element is.
    pub fn extremum_place(&mut self) -> bool {
        let Some(x) = self.tensor(|t| t.shape.len() == 2 && t.ty != Ty::Bool) else { return false };
        self.note(Construct::LetTuple);
        self.note(Construct::ReductionOfTwo);
        self.discrete |= x.ty.is_float();
        let (op, construct) =
            *self.random.pick(&[("argmax", Construct::Argmax), ("argmin", Construct::Argmin)]);
        self.note(construct);
        let (i, j) = (self.fresh("i"), self.fresh("j"));
        let (p, q) = (self.fresh("p"), self.fresh("p"));
        let names = [self.fresh("s"), self.fresh("s")];
        self.statements.push(format!(
            "let ({p}, {q}) = {op}[{i}, {j}]({}[{i}, {j}]);\nlet {} = {p} as i64;\nlet {} = {q} as i64;",
            x.name, names[0], names[1]
        ));
        for (name, extent) in names.into_iter().zip(&x.shape) {
            let bound = Some(extent.value);
            self.tensors.push(Tensor { name, ty: Ty::I64, shape: Vec::new(), bound });
        }
        true
    }

    /// A call of a function that takes whole tensors.
    pub fn tensor_call(&mut self) -> bool {
        let kinds = |k: FunctionKind| {
            matches!(
                k,
                FunctionKind::Total
                    | FunctionKind::Scale
                    | FunctionKind::Dot(_)
                    | FunctionKind::Pair
            )
        };
        let found: Vec<_> = self.functions.iter().filter(|f| kinds(f.kind)).cloned().collect();
        if found.is_empty() {
            return false;
        }
        let f = self.random.pick(&found).clone();
        match f.kind {
            FunctionKind::Total => self.total_call(&f.name),
            FunctionKind::Scale => self.scale_call(&f.name),
            FunctionKind::Dot(ty) => self.dot_call(&f.name, ty),
            _ => self.pair_call(&f.name),
        }
    }

    fn total_call(&mut self, f: &str) -> bool {
        let Some(x) = self.tensor(|t| t.ty.sums_alike()) else { return false };
        self.note(Construct::Call);
        self.note(Construct::GenericOverRank);
        let name = self.fresh("s");
        self.statements.push(format!("let {name} = {f}({});", x.name));
        self.tensors.push(Tensor { name, ty: x.ty, shape: Vec::new(), bound: None });
        true
    }

    fn scale_call(&mut self, f: &str) -> bool {
        let Some(x) = self.tensor(|t| t.ty != Ty::Bool && !t.shape.is_empty()) else {
            return false;
        };
        self.note(Construct::Call);
        self.note(Construct::GenericOverRank);
        let name = self.fresh("c");
        let by = self.closed(&Cell::default(), x.ty, 1);
        self.statements.push(format!("let {name} = {f}({}, {by});", x.name));
        self.tensors.push(Tensor { name, ty: x.ty.computed(), bound: None, ..x });
        true
    }

    fn dot_call(&mut self, f: &str, ty: Ty) -> bool {
        let Some(x) = self.tensor(|t| t.ty == ty && t.shape.len() == 1) else { return false };
        let y = self.tensor(|t| t.ty == ty && t.shape == x.shape).expect("the vector itself fits");
        self.note(Construct::Call);
        self.note(Construct::NamedExtent);
        let name = self.fresh("s");
        self.statements.push(format!("let {name} = {f}({}, {});", x.name, y.name));
        self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
        true
    }

    fn pair_call(&mut self, f: &str) -> bool {
        self.note(Construct::Call);
        self.note(Construct::TupleResult);
        self.note(Construct::LetTuple);
        self.note(Construct::GenericOverType);
        let ty = self.number_type();
        let (a, b) = (self.fresh("s"), self.fresh("s"));
        let x = self.closed(&Cell::default(), ty, 1);
        let y = self.closed(&Cell::default(), ty, 1);
        self.statements.push(format!("let ({a}, {b}) = {f}({x}, {y});"));
        for name in [a, b] {
            let ty = ty.computed();
            self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
        }
        true
    }
}
