//! Smooth expressions with values near 1.

use super::scope::{Around, Generator, Index, Tensor};

impl Generator {
    /// An expression; its leaves are cells, locals and numbers.
    pub fn expr(&mut self, around: &Around, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(around);
        }
        match self.random.weighted(&[4, 8, 8, 3, 4, 3, 3]) {
            0 => self.leaf(around),
            1 => self.arithmetic(around, depth),
            2 => self.elementary(around, depth),
            3 => self.branch(around, depth),
            4 => self.reduction(around, depth),
            5 => self.call(around, depth),
            _ => self.block(around, depth),
        }
    }

    fn leaf(&mut self, around: &Around) -> String {
        if !around.locals.is_empty() && self.random.chance(35) {
            return self.random.pick(&around.locals).clone();
        }
        if self.random.chance(10) {
            return format!("({})", self.number());
        }
        let t = self.random.pick(&self.tensors.clone()).clone();
        self.read(&t, around)
    }

    /// A cell of a tensor, at indices that are inside.
    pub fn read(&mut self, t: &Tensor, around: &Around) -> String {
        if t.shape.is_empty() {
            return t.name.clone();
        }
        let terms: Vec<String> = t.shape.iter().map(|&n| self.term(n, &around.indices)).collect();
        format!("{}[{}]", t.name, terms.join(", "))
    }

    /// An index term below `n`.
    pub fn term(&mut self, n: usize, indices: &[Index]) -> String {
        let all = terms_below(n, indices);
        let tables: Vec<String> = self
            .tables
            .iter()
            .filter(|t| t.bound <= n)
            .flat_map(|t| indices.iter().filter(|i| i.hi <= t.len).map(move |i| (t, i)))
            .map(|(t, i)| format!("{}[{}]", t.name, i.name))
            .collect();
        match self.random.below(10) {
            0..=6 if !all.is_empty() => self.random.pick(&all).clone(),
            7 | 8 if !tables.is_empty() => self.random.pick(&tables).clone(),
            _ if !all.is_empty() && self.random.chance(50) => all[0].clone(),
            _ => self.random.below(n).to_string(),
        }
    }

    fn arithmetic(&mut self, around: &Around, depth: usize) -> String {
        let a = self.expr(around, depth - 1);
        let b = self.expr(around, depth - 1);
        match self.random.below(9) {
            0 | 1 => format!("({a} + {b})"),
            2 | 3 => format!("({a} - {b})"),
            4 | 5 => format!("tanh({a} * {b})"),
            6 => format!("({a} / (1.5 + {b} * {b}))"),
            7 => format!("atan2({a}, 2.0 + cos({b}))"),
            _ => format!("((1.2 + sin({a})) ** sin({b}))"),
        }
    }

    fn elementary(&mut self, around: &Around, depth: usize) -> String {
        let a = self.expr(around, depth - 1);
        match self.random.below(16) {
            0 | 1 => format!("sin({a})"),
            2 => format!("cos({a})"),
            3 | 4 => format!("tanh({a})"),
            5 => format!("exp(sin({a}))"),
            6 => format!("log(1.3 + {a} * {a})"),
            7 => format!("sqrt(0.6 + {a} * {a})"),
            8 => format!("sin({a}) ** 3"),
            9 => format!("tanh({a}) ** 2"),
            10 => format!("erf({a})"),
            11 => format!("(-{a})"),
            12 => format!("abs({a} + 0.0137)"),
            13 => format!("atan({a})"),
            14 => format!("({a} + 0.1 * floor({a} * 1.7 + 0.0391))"),
            _ => {
                let b = self.expr(around, depth - 1);
                let f = if self.random.chance(50) { "max" } else { "min" };
                format!("{f}({a}, {b} + 0.0173)")
            }
        }
    }

    fn branch(&mut self, around: &Around, depth: usize) -> String {
        let (a, b) = (self.expr(around, depth - 1), self.expr(around, depth - 1));
        let c = self.condition(around);
        if self.random.chance(25) {
            return format!("(if {c} {{ sqrt(abs({a}) + 0.1) }} else {{ {b} }})");
        }
        format!("(if {c} {{ {a} }} else {{ {b} }})")
    }

    /// A condition that no random point is at the edge of.
    pub fn condition(&mut self, around: &Around) -> String {
        if !around.indices.is_empty() && self.random.chance(40) {
            let i = self.random.pick(&around.indices.clone()).clone();
            let at = self.random.below(i.hi.max(1));
            let op = *self.random.pick(&["<", ">", "==", "!="]);
            return format!("{} {op} {at}", i.name);
        }
        let (a, n) = (self.leaf(around), self.number());
        let op = if self.random.chance(50) { "<" } else { ">" };
        format!("{a} {op} ({n} + 0.00071)")
    }

    fn reduction(&mut self, around: &Around, depth: usize) -> String {
        let k =
            Index { name: self.fresh("k"), lo: self.random.below(2), hi: 2 + self.random.below(3) };
        let mut inner = around.clone();
        inner.indices.insert(0, k.clone());
        let body = self.expr(&inner, depth - 1);
        let guard = match self.random.chance(20) {
            true => format!(" where {}", self.condition(&inner)),
            false => String::new(),
        };
        let range = format!("{} in {}..{}", k.name, k.lo, k.hi);
        match self.random.below(10) {
            0..=4 => format!("tanh(sum[{range}]({body}{guard}))"),
            5 => format!("mean[{range}]({body})"),
            6 => format!("tanh(prod[{range}]({body}{guard}))"),
            7 => format!("max[{range}]({body} + 0.0031 * {} as f64)", k.name),
            8 => format!("min[{range}]({body} - 0.0037 * {} as f64)", k.name),
            _ => {
                let l = self.fresh("l");
                inner.indices.insert(0, Index { name: l.clone(), lo: 0, hi: 2 });
                let body = self.expr(&inner, depth - 1);
                let op = *self.random.pick(&["sum", "prod", "sum"]);
                format!("tanh({op}[{range}, {l} in 0..2]({body}))")
            }
        }
    }

    fn call(&mut self, around: &Around, depth: usize) -> String {
        if self.functions.is_empty() {
            return self.elementary(around, depth);
        }
        let (f, count) = self.random.pick(&self.functions.clone()).clone();
        let given: Vec<String> = (0..count).map(|_| self.expr(around, depth - 1)).collect();
        format!("{f}({})", given.join(", "))
    }

    fn block(&mut self, around: &Around, depth: usize) -> String {
        let u = self.fresh("u");
        let value = self.expr(around, depth - 1);
        let mut inner = around.clone();
        inner.locals.push(u.clone());
        let body = self.expr(&inner, depth - 1);
        format!("{{ let {u}: f64 = {value}; tanh({u} * {body}) + {u} }}")
    }
}

/// Terms of one or two indices that stay below `n`, the plain ones first.
fn terms_below(n: usize, indices: &[Index]) -> Vec<String> {
    let mut found = Vec::new();
    let fits = |hi: usize| hi <= n;
    for i in indices.iter().filter(|i| fits(i.hi)) {
        found.push(i.name.clone());
        found.push(format!("{} - {}", n - 1, i.name));
        found.push(format!("{} / 2", i.name));
    }
    for i in indices {
        found.push(format!("{} % {n}", i.name));
        if fits(i.hi + 1) {
            found.push(format!("{} + 1", i.name));
        }
        if i.lo > 0 && fits(i.hi - 1) {
            found.push(format!("{} - 1", i.name));
        }
        if i.hi > 0 && 2 * (i.hi - 1) < n {
            found.push(format!("2 * {}", i.name));
        }
        for j in indices.iter().filter(|j| j.name != i.name) {
            if fits(i.hi + j.hi - 1) {
                found.push(format!("{} + {}", i.name, j.name));
            }
        }
    }
    found
}
