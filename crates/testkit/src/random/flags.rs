//! Functions whose form depends on an argument that is known while checking: flags that close
//! branches, lists of integers, texts that name a mode; and the same flags computed.

use super::Construct;
use super::scope::{Extent, Generator, Tensor, Ty};

impl Generator {
    /// A function with a static argument, and what it gives for one or two of them.
    pub fn flagged(&mut self) -> bool {
        let fits = |t: &Tensor| {
            let known = t.shape.iter().all(|e| e.value > 0);
            t.ty.sums_alike() && known && (1..=2).contains(&t.shape.len())
        };
        let Some(x) = self.tensor(fits) else { return false };
        self.note(Construct::Call);
        self.note(Construct::FunctionWithDefinition);
        match (x.shape.len(), self.random.below(8)) {
            (2, 0..4) => self.kept_axis(&x),
            (2, _) => self.static_text(&x),
            (_, 0 | 1) => self.flag_in_logic(&x),
            (_, 2) => self.flag_passed_on(&x),
            (_, 3) => self.direction(&x),
            (_, 4) => self.static_stride(&x),
            (_, 5) => self.static_shape(&x),
            _ => self.static_text(&x),
        }
        true
    }

    /// A flag of a value that is known while checking.
    fn flag(&mut self, value: bool) -> String {
        match self.random.below(6) {
            0 => format!("!{}", !value),
            1 => {
                self.note(Construct::Const);
                let name = self.fresh("K");
                self.statements.push(format!("const {name} = {value};"));
                name
            }
            _ => value.to_string(),
        }
    }

    fn called(&mut self, call: String, ty: Ty, shape: Vec<Extent>) {
        let name = self.fresh("g");
        self.statements.push(format!("let {name} = {call};"));
        self.tensors.push(Tensor { name, ty, shape, bound: None });
    }

    /// An operator that stays within small types.
    fn operator(&mut self, ty: Ty) -> &'static str {
        if ty.is_unsigned() { "+" } else { self.random.pick::<&str>(&["+", "-"]) }
    }

    /// The rank of the result depends on a flag.
    fn kept_axis(&mut self, x: &Tensor) {
        self.note(Construct::Flag);
        self.note(Construct::FunctionWithReduction);
        let f = self.fresh("f");
        let op = *self.random.pick(&["sum", "max", "min"]);
        self.statements.push(format!(
            "fn {f}(x, keep) {{ let s[i] = {op}[j](x[i, j]); \
             if keep {{ let t[i, 0] = s[i]; t }} else {{ s }} }}"
        ));
        let rows = x.shape[0].clone();
        for keep in self.some_flags() {
            let flag = self.flag(keep);
            let mut shape = vec![rows.clone()];
            shape.extend(keep.then(|| Extent::number(1)));
            self.called(format!("{f}({}, {flag})", x.name), x.ty, shape);
        }
        if self.random.chance(30) {
            self.note(Construct::CallInCell);
            let (w, g) = (self.fresh("w"), self.fresh("f"));
            let by = self.operator(x.ty);
            self.statements.push(format!(
                "fn {g}(v, all) {{ if all {{ sum[i](v[i]) }} else {{ v[0] {by} v[0] }} }}\n\
                 let {w}[i] = {g}({}[i], {});",
                x.name,
                self.random.chance(50)
            ));
            self.tensors.push(Tensor { name: w, ty: x.ty, shape: vec![rows], bound: None });
        }
    }

    fn some_flags(&mut self) -> Vec<bool> {
        let first = self.random.chance(50);
        if self.random.chance(50) { vec![first, !first] } else { vec![first] }
    }

    /// A flag beside what the cells decide: the branch is closed, open, or chosen when it runs.
    fn flag_in_logic(&mut self, x: &Tensor) {
        self.note(Construct::FlagInLogic);
        self.note(Construct::ConditionalRead);
        let (f, op) = (self.fresh("f"), self.operator(x.ty));
        let near = *self.random.pick(&["i > 0", "i >= 1 && v[i] > v[i - 1]", "i != 0 && true"]);
        self.discrete |= x.ty.is_float();
        let body = match self.random.below(3) {
            0 => format!("if flag && {near} {{ v[i] {op} v[i - 1] }} else {{ v[i] }}"),
            1 => format!("if {near} && flag {{ v[i - 1] }} else {{ v[i] {op} v[i] }}"),
            _ => format!("if !flag || i == 0 {{ v[i] }} else {{ v[i - 1] {op} v[i] }}"),
        };
        self.statements.push(format!("fn {f}(v, flag) {{ let y[i] = {body}; y }}"));
        for value in self.some_flags() {
            let flag = if self.random.chance(40) {
                self.note(Construct::ComputedFlag);
                format!("{0}[0] > {0}[{1}]", x.name, x.shape[0].plus(-1).text())
            } else {
                self.flag(value)
            };
            self.called(format!("{f}({}, {flag})", x.name), x.ty, x.shape.clone());
        }
    }

    /// A default, a name, and a flag that one function hands to another.
    fn flag_passed_on(&mut self, x: &Tensor) {
        self.note(Construct::Flag);
        let (f, g, op) = (self.fresh("f"), self.fresh("f"), self.operator(x.ty));
        let default = self.random.chance(50);
        self.statements.push(format!(
            "fn {f}(v, flag = {default}) {{ \
             let y[..r] = if flag {{ v[..r] {op} v[..r] }} else {{ v[..r] }}; y }}\n\
             fn {g}(v, k) {{ {f}(v, flag = !k) }}"
        ));
        let call = match self.random.below(4) {
            0 => format!("{f}({})", x.name),
            1 => format!("{f}({}, flag = {})", x.name, self.random.chance(50)),
            2 => {
                self.note(Construct::ComputedFlag);
                self.discrete |= x.ty.is_float();
                format!("{g}({0}, {0}[0] < {0}[{1}])", x.name, x.shape[0].plus(-1).text())
            }
            _ => format!("{g}({}, {})", x.name, self.random.chance(50)),
        };
        self.called(call, x.ty, x.shape.clone());
    }

    /// A recurrence forward or backward, as a flag says.
    fn direction(&mut self, x: &Tensor) {
        self.note(Construct::Flag);
        let (f, op) = (self.fresh("f"), self.operator(x.ty));
        self.statements.push(format!(
            "fn {f}(v, back) {{ let n = len(v); \
             if back {{ let y[n - 1] = v[n - 1]; let y[t in 0..n - 1] = v[t] {op} y[t + 1]; y }} \
             else {{ let y[0] = v[0]; let y[t in 1..n] = y[t - 1] {op} v[t]; y }} }}"
        ));
        for back in self.some_flags() {
            let flag = self.flag(back);
            self.called(format!("{f}({}, {flag})", x.name), x.ty, x.shape.clone());
        }
    }

    /// The stride of a read is an element of a list.
    fn static_stride(&mut self, x: &Tensor) {
        let Some(n) = x.shape[0].name.is_none().then_some(x.shape[0].value) else {
            return self.direction(x);
        };
        self.note(Construct::StaticList);
        self.note(Construct::StridedRead);
        let f = self.fresh("f");
        self.statements.push(format!("fn {f}(x, s) {{ let y[i] = x[i * s[0]]; y }}"));
        let by = self.random.between(1, 3);
        let shape = vec![Extent::number((n - 1) / by + 1)];
        self.called(format!("{f}({}, [{by}])", x.name), x.ty, shape);
    }

    /// The rank is the length of a list, the extents its elements.
    fn static_shape(&mut self, x: &Tensor) {
        self.note(Construct::StaticList);
        self.note(Construct::RemainderRead);
        let f = self.fresh("f");
        self.statements.push(format!(
            "fn {f}(x, s) {{ if len(s) == 2 {{ \
             let y[i in 0..s[0], j in 0..s[1]] = x[(i * s[1] + j) % len(x)]; y }} \
             else {{ let y[i in 0..s[0]] = x[i % len(x)]; y }} }}"
        ));
        let rank = self.random.between(1, 2);
        let extents: Vec<i64> = (0..rank).map(|_| self.random.between(1, 5)).collect();
        let shape = extents.iter().map(|&n| Extent::number(n)).collect();
        self.called(format!("{f}({}, {extents:?})", x.name), x.ty, shape);
    }

    /// A text names a mode.
    fn static_text(&mut self, x: &Tensor) {
        self.note(Construct::StaticText);
        let (f, op) = (self.fresh("f"), self.operator(x.ty));
        self.statements.push(format!(
            "fn {f}(x, mode = \"sum\") {{ if mode == \"sum\" {{ sum[..r](x[..r]) }} \
             else {{ if mode == \"first\" {{ x[0] }} else {{ x {op} x }} }} }}"
        ));
        let (call, shape) = match self.random.below(4) {
            0 => (format!("{f}({})", x.name), Vec::new()),
            1 => (format!("{f}({}, \"sum\")", x.name), Vec::new()),
            2 => (format!("{f}({}, \"first\")", x.name), x.shape[1..].to_vec()),
            _ => (format!("{f}({}, mode = \"twice\")", x.name), x.shape.clone()),
        };
        self.called(call, x.ty, shape);
    }
}
