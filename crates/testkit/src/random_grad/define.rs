//! Definitions: clauses, recurrences, functions, joins.

use super::scope::{Around, Generator, Index, Tensor};

/// How deep the expressions of definitions are.
const DEPTH: usize = 3;

impl Generator {
    /// One more definition.
    pub fn definition(&mut self) {
        match self.random.weighted(&[6, 3, 3, 2, 4, 2, 2, 2, 2, 2]) {
            0 => self.plain(),
            1 => self.scalar(),
            2 => self.clauses(),
            3 => self.guarded(),
            4 => self.recurrence(),
            5 => self.group(),
            6 => self.join(),
            7 => self.table_of_both(),
            8 => self.pair(),
            _ => self.through_function(),
        }
    }

    fn define(&mut self, name: String, shape: Vec<usize>, text: String) {
        self.statements.push(text);
        self.tensors.push(Tensor { name, shape, base: false });
    }

    fn slots(&mut self, rank: usize) -> Vec<Index> {
        (0..rank)
            .map(|_| Index { name: self.fresh("i"), lo: 0, hi: 1 + self.random.below(4) })
            .collect()
    }

    fn plain(&mut self) {
        let rank = 1 + self.random.weighted(&[5, 3]);
        let slots = self.slots(rank);
        let name = self.fresh("t");
        let body = self.expr(&around(&slots), DEPTH);
        let text = format!("let {name}[{}] = {body};", ranges(&slots));
        self.define(name, shape(&slots), text);
    }

    fn scalar(&mut self) {
        let name = self.fresh("t");
        let body = self.expr(&Around::default(), DEPTH);
        self.define(name.clone(), Vec::new(), format!("let {name} = {body};"));
    }

    /// A later clause wins where both define a cell.
    fn clauses(&mut self) {
        let mut i = self.slots(1).remove(0);
        i.hi += 1;
        let name = self.fresh("t");
        let first = self.expr(&around(std::slice::from_ref(&i)), DEPTH);
        let part = Index { lo: self.random.below(i.hi), ..i.clone() };
        let second = self.expr(&around(std::slice::from_ref(&part)), DEPTH - 1);
        let cell = self.expr(&Around::default(), 1);
        let mut text = format!("let {name}[{}] = {first};", ranges(std::slice::from_ref(&i)));
        text += &format!("\nlet {name}[{}] = {second};", ranges(std::slice::from_ref(&part)));
        if self.random.chance(50) {
            text += &format!("\nlet {name}[{}] = {cell};", self.random.below(i.hi));
        }
        self.define(name, vec![i.hi], text);
    }

    fn guarded(&mut self) {
        let slots = self.slots(1);
        let name = self.fresh("t");
        let inside = around(&slots);
        let (body, other) = (self.expr(&inside, DEPTH), self.expr(&inside, 1));
        let guard = self.condition(&inside);
        let text = format!("let {name}[{}] = {body} where {guard} else {other};", ranges(&slots));
        self.define(name, shape(&slots), text);
    }

    fn recurrence(&mut self) {
        let steps = 2 + self.random.below(4);
        let space = match self.random.chance(60) {
            true => self.slots(1),
            false => Vec::new(),
        };
        let (name, t) = (self.fresh("h"), self.fresh("t"));
        let forward = self.random.chance(70);
        let back = 1 + self.random.below(if steps > 2 { 2 } else { 1 });
        let time = match forward {
            true => Index { name: t.clone(), lo: back, hi: steps },
            false => Index { name: t.clone(), lo: 0, hi: steps - back },
        };
        let mut text = String::new();
        for b in 0..back {
            let at = if forward { b } else { steps - 1 - b };
            let start = self.expr(&around(&space), 1);
            text +=
                &format!("let {name}[{}] = {start};\n", joined(&at.to_string(), &ranges(&space)));
        }
        let mut inside = around(&space);
        inside.indices.push(time.clone());
        let before = match forward {
            true => format!("{t} - {}", 1 + self.random.below(back)),
            false => format!("{t} + {}", 1 + self.random.below(back)),
        };
        let read = |g: &mut Generator, at: &str| {
            let place = space.iter().map(|i| g.term(i.hi, &space)).collect::<Vec<_>>();
            format!("{name}[{}]", joined(at, &place.join(", ")))
        };
        let nearest = if forward { format!("{t} - {back}") } else { format!("{t} + {back}") };
        let (a, b) = (read(self, &before), read(self, &nearest));
        inside.locals = vec![a.clone(), b.clone()];
        let step = self.expr(&inside, DEPTH - 1);
        let head = joined(&format!("{t} in {}..{}", time.lo, time.hi), &ranges(&space));
        text += &format!("let {name}[{head}] = 0.6 * tanh({a} + {step}) - 0.3 * {b};");
        let mut shape_of = vec![steps];
        shape_of.extend(shape(&space));
        self.define(name, shape_of, text);
    }

    /// Two tensors that read each other.
    fn group(&mut self) {
        let steps = 2 + self.random.below(3);
        let (a, b, t) = (self.fresh("p"), self.fresh("q"), self.fresh("t"));
        let (start, other) = (self.expr(&Around::default(), 1), self.expr(&Around::default(), 0));
        let time = Index { name: t.clone(), lo: 1, hi: steps };
        let mut inside = around(std::slice::from_ref(&time));
        inside.locals = vec![format!("{a}[{t} - 1]"), format!("{b}[{t} - 1]")];
        let first = self.expr(&inside, DEPTH - 1);
        inside.locals.push(format!("{a}[{t}]"));
        let second = self.expr(&inside, DEPTH - 1);
        let range = format!("{t} in 1..{steps}");
        let text =
            format!("let {a}[0] = {start};\nlet {a}[{range}] = sin({b}[{t} - 1] + {first});");
        self.define(a, vec![steps], text);
        let text = format!("let {b}[0] = {other};\nlet {b}[{range}] = tanh({second});");
        self.define(b, vec![steps], text);
    }

    /// Two tensors end to end.
    fn join(&mut self) {
        let lists: Vec<Tensor> =
            self.tensors.iter().filter(|t| t.shape.len() == 1).cloned().collect();
        if lists.is_empty() {
            return self.plain();
        }
        let (a, b) = (self.random.pick(&lists).clone(), self.random.pick(&lists).clone());
        let name = self.fresh("t");
        let text = format!("let {name}[i ^ j] = sin({}[i]) ^ {}[j] * 0.7;", a.name, b.name);
        self.define(name, vec![a.shape[0] + b.shape[0]], text);
    }

    /// A table whose cells depend on those above and to the left.
    fn table_of_both(&mut self) {
        let (m, n) = (2 + self.random.below(2), 2 + self.random.below(2));
        let (name, i, j) = (self.fresh("d"), self.fresh("i"), self.fresh("j"));
        let slots =
            [Index { name: i.clone(), lo: 1, hi: m }, Index { name: j.clone(), lo: 1, hi: n }];
        let edge = self.expr(&around(&slots[..1]), 1);
        let top = self.expr(&Around::default(), 1);
        let mut inside = around(&slots);
        inside.locals = vec![
            format!("{name}[{i} - 1, {j}]"),
            format!("{name}[{i}, {j} - 1]"),
            format!("{name}[{i} - 1, {j} - 1]"),
        ];
        let body = self.expr(&inside, DEPTH - 1);
        let text = format!(
            "let {name}[0, {j} in 0..{n}] = {top} + 0.1 * {j} as f64;\nlet {name}[{i} in 1..{m}, 0] = {edge};\n\
             let {name}[{i} in 1..{m}, {j} in 1..{n}] = tanh({body} + {name}[{i} - 1, {j}]);"
        );
        self.define(name, vec![m, n], text);
    }

    fn pair(&mut self) {
        let (a, b) = (self.fresh("t"), self.fresh("t"));
        let (x, y) = (self.expr(&Around::default(), 2), self.expr(&Around::default(), 2));
        self.define(a.clone(), Vec::new(), format!("let ({a}, {b}) = ({x}, {y});"));
        self.tensors.push(Tensor { name: b, shape: Vec::new(), base: false });
    }

    /// A function of scalars.
    pub fn function(&mut self) {
        let name = self.fresh("f");
        let count = 1 + self.random.below(2);
        let params: Vec<String> = (0..count).map(|_| self.fresh("a")).collect();
        let tensors = std::mem::take(&mut self.tensors);
        let (tables, functions) = (std::mem::take(&mut self.tables), self.functions.clone());
        self.functions = Vec::new();
        let typed: Vec<String> = params.iter().map(|p| format!("{p}: f64")).collect();
        let mut inside = Around { indices: Vec::new(), locals: params.clone() };
        let u = self.fresh("u");
        let value = self.parameter_expr(&params);
        inside.locals.push(u.clone());
        let body = match self.random.chance(35) {
            true => self.steps_expr(&inside.locals),
            false => self.parameter_expr(&inside.locals),
        };
        self.statements
            .push(format!("fn {name}({}) {{ let {u} = {value}; {body} }}", typed.join(", ")));
        self.tensors = tensors;
        self.tables = tables;
        self.functions = functions;
        self.functions.push((name, count));
    }

    /// A function that calls itself, and one that calls it: in the place of the result, within
    /// an expression, or twice.
    pub fn recursive_function(&mut self) {
        let (name, inner) = (self.fresh("f"), self.fresh("r"));
        let names: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.fresh("a")).collect();
        let typed: Vec<String> = names.iter().map(|p| format!("{p}: f64")).collect();
        let typed = typed.join(", ");
        let base = self.parameter_expr(&names);
        let again = |this: &mut Generator, less: usize| {
            let given: Vec<String> = names.iter().map(|_| this.parameter_expr(&names)).collect();
            format!("{inner}(n - {less}, {})", given.join(", "))
        };
        let (one, two) = (again(self, 1), again(self, 2));
        let beside = self.parameter_expr(&names);
        let step = match self.random.below(4) {
            0 => one,
            1 => format!("tanh({one}) + {beside}"),
            2 => format!("({beside}) * {one} / (2.0 + cos({two}))"),
            _ => format!("if {} > 0.3217 {{ {one} }} else {{ sin({two}) - {beside} }}", names[0]),
        };
        let depth = 1 + self.random.below(4);
        self.statements.push(format!(
            "fn {inner}(n: i64, {typed}) -> f64 {{ if n <= 0 {{ {base} }} else {{ {step} }} }}"
        ));
        self.statements.push(format!(
            "fn {name}({typed}) -> f64 {{ {inner}({depth}, {}) }}",
            names.join(", ")
        ));
        self.functions.push((name, names.len()));
    }

    /// A recurrence over some steps, and what is wanted of it.
    fn steps_expr(&mut self, names: &[String]) -> String {
        let (s, t) = (self.fresh("s"), self.fresh("t"));
        let steps = 2 + self.random.below(3);
        let (start, push) = (self.parameter_expr(names), self.parameter_expr(names));
        let wanted = match self.random.below(3) {
            0 => format!("sum({s})"),
            1 => format!("{s}[{}]", self.random.below(steps)),
            _ => format!("{s}[{}]", steps - 1),
        };
        format!(
            "let {s}[0] = {start}; let {s}[{t} in 1..{steps}] = \
             0.5 * sin({s}[{t} - 1]) + {push} / ({t} + 1.0); {wanted}"
        )
    }

    fn parameter_expr(&mut self, names: &[String]) -> String {
        let (a, b) = (self.random.pick(names).clone(), self.random.pick(names).clone());
        match self.random.below(5) {
            0 => format!("sin({a}) * {b}"),
            1 => format!("{a} / (2.0 + cos({b}))"),
            2 => format!("if {a} > 0.1234 {{ {a} * {b} }} else {{ {b} - {a} }}"),
            3 => format!("tanh({a} + 0.5 * {b})"),
            _ => format!("exp(-{a} * {a}) + {b}"),
        }
    }

    /// A tensor through a function with definitions of its own.
    fn through_function(&mut self) {
        let fits = |t: &&Tensor| (1..=2).contains(&t.shape.len());
        let lists: Vec<Tensor> = self.tensors.iter().filter(fits).cloned().collect();
        if lists.is_empty() {
            return self.plain();
        }
        let x = self.random.pick(&lists).clone();
        let (f, name) = (self.fresh("g"), self.fresh("t"));
        let body = match self.random.below(4) {
            0 => "let s = sum[k](v[k] * v[k]); let y[k] = v[k] / (1.0 + s); y",
            1 => "let m = max(v); let e[k] = exp(v[k] - m); let y[k] = e[k] / sum(e); y",
            2 => "let n = len(v); let y[k] = v[n - 1 - k] * v[k]; y",
            _ => "let y[0] = v[0]; let y[k in 1..len(v)] = y[k - 1] * 0.5 + v[k]; y",
        };
        let call = match (x.shape.len(), self.random.below(4)) {
            (1, _) => format!("let {name} = {f}({});", x.name),
            (_, 0) => format!("let {name}[r] = {f}({f}({}[r]));", x.name),
            (_, 1) => format!(
                "let {name}[r, c in 0..{}] = if r + c > 1 {{ {f}({1}[r])[c] }} else {{ {1}[r, c] }};",
                x.shape[1], x.name
            ),
            _ => format!("let {name}[r] = {f}({}[r]);", x.name),
        };
        self.define(name, x.shape, format!("fn {f}(v) {{ {body} }}\n{call}"));
    }
}

fn around(indices: &[Index]) -> Around {
    Around { indices: indices.to_vec(), locals: Vec::new() }
}

fn ranges(slots: &[Index]) -> String {
    let text = |i: &Index| format!("{} in {}..{}", i.name, i.lo, i.hi);
    slots.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn joined(a: &str, b: &str) -> String {
    if b.is_empty() { a.to_string() } else { format!("{a}, {b}") }
}

fn shape(slots: &[Index]) -> Vec<usize> {
    slots.iter().map(|i| i.hi).collect()
}
