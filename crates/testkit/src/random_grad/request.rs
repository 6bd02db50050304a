//! Derivatives that a program asks for, and what it says of them.
//!
//! A scalar named `agreeN` is a distance that must be 0 but for rounding.

use super::scope::{Generator, Tensor};

/// Entries of a quotient, at most: each column costs differences.
const MOST_ENTRIES: usize = 80;

impl Generator {
    /// Some quotients, in several forms.
    pub fn requests(&mut self, count: usize) {
        for _ in 0..count {
            let Some((y, x)) = self.pair_to_derive() else { continue };
            self.request(&y, &x);
        }
    }

    /// A target and an independent tensor before it.
    fn pair_to_derive(&mut self) -> Option<(Tensor, Tensor)> {
        for _ in 0..20 {
            let at = self.random.below(self.tensors.len());
            // The last ones depend on most.
            let at = if self.random.chance(60) { self.tensors.len() - 1 } else { at };
            let y = self.tensors[at].clone();
            let before: Vec<Tensor> = self.tensors[..at].to_vec();
            let bases: Vec<Tensor> = before.iter().filter(|t| t.base).cloned().collect();
            let from = if self.random.chance(75) { &bases } else { &before };
            if y.base || from.is_empty() {
                continue;
            }
            let x = self.random.pick(from).clone();
            if size(&y) * size(&x) <= MOST_ENTRIES {
                return Some((y, x));
            }
        }
        None
    }

    fn request(&mut self, y: &Tensor, x: &Tensor) {
        let whole = self.fresh("J");
        let quotient = format!("@{} / @{}", y.name, x.name);
        self.statements.push(format!("let {whole} = {quotient};"));
        self.statements.push(format!("print({whole});"));
        let rows = self.names(y, "r");
        let columns = self.names(x, "c");
        for _ in 0..2 {
            match self.random.below(8) {
                0 => {
                    let at = self.cell(y);
                    self.part(&whole, &quotient, &at, &columns, &columns);
                }
                1 => {
                    let at = self.cell(x);
                    self.part(&whole, &quotient, &rows, &at, &rows);
                }
                2 => {
                    let (p, q) = (self.cell(y), self.cell(x));
                    self.part(&whole, &quotient, &p, &q, &[]);
                }
                3 => self.diagonal(&whole, &quotient, y, x),
                4 => self.products(&quotient, y, x),
                5 | 6 => self.chosen(&whole, &quotient, y, x),
                _ => self.scaled(&whole, y, x),
            }
        }
    }

    fn names(&mut self, t: &Tensor, letter: &str) -> Vec<String> {
        t.shape.iter().map(|_| self.fresh(letter)).collect()
    }

    fn cell(&mut self, t: &Tensor) -> Vec<String> {
        t.shape.iter().map(|n| self.random.below(*n).to_string()).collect()
    }

    /// A part of a quotient, by its own sweep and from the whole.
    fn part(
        &mut self,
        whole: &str,
        quotient: &str,
        target: &[String],
        independent: &[String],
        free: &[String],
    ) {
        let index = [target, independent].concat().join(", ");
        let read = |of: &str| match index.is_empty() {
            true => of.to_string(),
            false => format!("{of}[{index}]"),
        };
        let (alone, all) = (read(&format!("({quotient})")), read(whole));
        self.agree(&alone, &all, free);
    }

    /// The places where an axis of both is at one index.
    fn diagonal(&mut self, whole: &str, quotient: &str, y: &Tensor, x: &Tensor) {
        let axes = y.shape.iter().enumerate();
        let shared = axes.flat_map(|(k, n)| {
            x.shape.iter().enumerate().filter(move |(_, m)| *m == n).map(move |(l, _)| (k, l))
        });
        let shared: Vec<(usize, usize)> = shared.collect();
        let (mut rows, mut columns) = (self.names(y, "r"), self.names(x, "c"));
        if shared.is_empty() {
            return;
        }
        let (k, l) = *self.random.pick(&shared);
        columns[l] = rows[k].clone();
        if rows.len() > 1 && self.random.chance(50) {
            let other = (k + 1) % rows.len();
            rows[other] = self.random.below(y.shape[other]).to_string();
        }
        let mut free: Vec<String> = rows.iter().chain(&columns).cloned().collect();
        free.retain(|n| n.starts_with(char::is_alphabetic));
        free.sort();
        free.dedup();
        self.part(whole, quotient, &rows, &columns, &free);
    }

    /// By the cells that those of the target choose: by a table that definitions look in too,
    /// or by another.
    fn chosen(&mut self, whole: &str, quotient: &str, y: &Tensor, x: &Tensor) {
        if y.shape.is_empty() || x.shape.is_empty() {
            return;
        }
        let (rows, mut columns) = (self.names(y, "r"), self.names(x, "c"));
        let (k, l) = (self.random.below(y.shape.len()), self.random.below(x.shape.len()));
        let (length, bound) = (y.shape[k], x.shape[l]);
        let known = self.tables.iter().filter(|t| t.len == length && t.bound <= bound);
        let known: Vec<String> = known.map(|t| t.name.clone()).collect();
        let table = match known.is_empty() {
            false => self.random.pick(&known).clone(),
            true => {
                let name = self.fresh("ix");
                let places: Vec<String> =
                    (0..length).map(|_| self.random.below(bound).to_string()).collect();
                self.statements.push(format!("let {name} = [{}];", places.join(", ")));
                name
            }
        };
        let mut free = rows.clone();
        free.extend(columns.iter().enumerate().filter(|(n, _)| *n != l).map(|(_, c)| c.clone()));
        columns[l] = format!("{table}[{}]", rows[k]);
        self.part(whole, quotient, &rows, &columns, &free);
    }

    /// `⟨u, J·v⟩ = ⟨Jᵀ·u, v⟩`, with the derivative of `⟨u, y⟩` on the right.
    fn products(&mut self, quotient: &str, y: &Tensor, x: &Tensor) {
        if y.shape.is_empty() || x.shape.is_empty() {
            return;
        }
        let (rows, columns) = (self.names(y, "r"), self.names(x, "c"));
        let weight = |names: &[String], a: f64| {
            let terms: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(n, i)| format!("{:.2} * ({i} as f64)", a * (n as f64 + 1.0)))
                .collect();
            format!("(0.5 + {})", terms.join(" - "))
        };
        let (u, v) = (weight(&rows, 0.31), weight(&columns, -0.23));
        let (uy, jv) = (self.fresh("s"), self.fresh("s"));
        let (r, c) = (rows.join(", "), columns.join(", "));
        self.statements.push(format!("let {uy} = sum[{r}]({u} * {}[{r}]);", y.name));
        self.statements.push(format!("let {jv}[{r}] = sum[{c}](({quotient})[{r}, {c}] * {v});"));
        let left = format!("sum[{r}]({u} * {jv}[{r}])");
        let right = format!("sum[{c}]((@{uy} / @{})[{c}] * {v})", x.name);
        self.agree(&left, &right, &[]);
    }

    /// Differentials are linear: scaled and added before they are divided.
    fn scaled(&mut self, whole: &str, y: &Tensor, x: &Tensor) {
        let (rows, columns) = (self.names(y, "r"), self.names(x, "c"));
        let all = [rows, columns].concat();
        let (a, b) = (self.number(), self.number());
        let name = self.fresh("J");
        let (y, x) = (&y.name, &x.name);
        self.statements.push(format!("let {name} = (({a}) * @{y} - @{y} * ({b})) / @{x};"));
        let index = match all.is_empty() {
            true => String::new(),
            false => format!("[{}]", all.join(", ")),
        };
        let right = format!("(({a}) - ({b})) * {whole}{index}");
        self.agree(&format!("{name}{index}"), &right, &all);
    }

    fn agree(&mut self, left: &str, right: &str, free: &[String]) {
        let name = self.fresh("agree");
        let far = format!("abs({left} - {right}) / (1.0 + abs({right}))");
        let text = match free.is_empty() {
            true => far,
            false => format!("max[{}]({far})", free.join(", ")),
        };
        self.statements.push(format!("let {name} = {text};"));
    }

    /// A gradient with its own derivatives: Hessians and their products with vectors.
    pub fn second_derivatives(&mut self) {
        let Some((y, x)) = self.pair_to_derive() else { return };
        if size(&x) > 8 || size(&y) > 6 {
            return;
        }
        let (g, names) = (self.fresh("g"), self.names(&x, "c"));
        let quotient = format!("(@{} / @{})", y.name, x.name);
        let cell = self.cell(&y);
        let index = [cell, names.clone()].concat();
        let (slots, read) = match (names.is_empty(), index.is_empty()) {
            (true, true) => (String::new(), quotient),
            (true, false) => (String::new(), format!("{quotient}[{}]", index.join(", "))),
            _ => (format!("[{}]", names.join(", ")), format!("{quotient}[{}]", index.join(", "))),
        };
        self.statements.push(format!("let {g}{slots} = {read};"));
        self.statements.push(format!("print(@{g} / @{});", x.name));
        let s = self.fresh("s");
        let body = match names.is_empty() {
            true => format!("{g} * {g}"),
            false => format!("sum[{0}]({g}[{0}] ** 2)", names.join(", ")),
        };
        self.statements.push(format!("let {s} = {body};"));
        self.statements.push(format!("print(@{s} / @{});", x.name));
    }
}

fn size(t: &Tensor) -> usize {
    t.shape.iter().product()
}
