//! Linear recurrences of small states: matrices times vectors, fields that look at each
//! other, several steps back, time along any axis.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Tensor, Ty};
use std::ops::Range;

/// How a linear recurrence is laid out.
struct System {
    ty: Ty,
    steps: i64,
    lookback: i64,
    /// The extents of a state's axes, each the same.
    state: Vec<i64>,
    batch: Option<Extent>,
    /// Where time is among the axes.
    at: usize,
    fields: Vec<String>,
    /// From the last step to the first.
    backward: bool,
}

/// Names of a clause's indices.
const TIME: &str = "t";
const BATCH: &str = "q";
const STATE: [&str; 2] = ["i", "j"];

impl System {
    /// The axes of a cell: `time`, and an index for each of the others.
    fn index(&self, time: &str, batch: &str, state: &[String]) -> String {
        let mut all: Vec<String> = self.batch.iter().map(|_| batch.to_string()).collect();
        all.extend(state.iter().cloned());
        all.insert(self.at, time.to_string());
        all.join(", ")
    }

    fn own(&self) -> Vec<String> {
        STATE[..self.state.len()].iter().map(|s| s.to_string()).collect()
    }

    /// The index of a clause's head.
    fn head(&self, time: &str) -> String {
        let state: Vec<String> =
            self.own().iter().zip(&self.state).map(|(i, n)| format!("{i} in 0..{n}")).collect();
        let batch = self.batch.as_ref().map(|q| format!("{BATCH} in 0..{}", q.text()));
        self.index(time, batch.as_deref().unwrap_or_default(), &state)
    }

    /// A cell of another step.
    fn cell(&self, field: &str, back: i64, state: &[String]) -> String {
        let time = match (back, self.backward) {
            (0, _) => TIME.to_string(),
            (_, false) => format!("{TIME} - {back}"),
            (_, true) => format!("{TIME} + {back}"),
        };
        format!("{field}[{}]", self.index(&time, BATCH, state))
    }

    /// The steps that are looked back at and do not look back.
    fn given(&self) -> Range<i64> {
        if self.backward { self.steps - self.lookback..self.steps } else { 0..self.lookback }
    }

    fn rest(&self) -> Range<i64> {
        if self.backward { 0..self.steps - self.lookback } else { self.lookback..self.steps }
    }

    fn constant(&self, n: i64) -> String {
        match self.ty.is_float() {
            true => format!("({:?} as {})", n as f64 / 8.0, self.ty.name()),
            false => format!("({n} as {})", self.ty.name()),
        }
    }
}

impl Generator {
    /// One linear recurrence, or a group.
    pub fn linear_system(&mut self) {
        let system = self.system();
        self.note(Construct::LinearSystem);
        let matrix = self.coefficients(&system);
        let mut text = Vec::new();
        for k in 0..system.fields.len() {
            let name = &system.fields[k];
            for step in system.given() {
                let start = self.free_term(&system, false);
                text.push(format!("let {name}[{}] = {start};", system.head(&step.to_string())));
            }
            let body = self.step(&system, &matrix, k);
            let rest = system.rest();
            let time = format!("{TIME} in {}..{}", rest.start, rest.end);
            text.push(format!("let {name}[{}] = {body};", system.head(&time)));
        }
        self.statements.push(text.join("\n"));
        for name in system.fields {
            let mut shape: Vec<Extent> = system.batch.iter().cloned().collect();
            shape.extend(system.state.iter().map(|&n| Extent::number(n)));
            shape.insert(system.at, Extent::number(system.steps));
            self.tensors.push(Tensor { name, ty: system.ty, shape, bound: None });
        }
    }

    fn system(&mut self) -> System {
        let ty = *self.random.pick(&[Ty::F64, Ty::F64, Ty::F32, Ty::I64, Ty::I32]);
        let lookback = 1 + self.random.weighted(&[6, 2]) as i64;
        let rank = self.random.weighted(&[2, 6, 3]);
        let extent = self.random.between(1, if rank == 2 { 2 } else { 4 });
        let batch = self.random.chance(35).then(|| self.extent());
        let axes = rank as i64 + i64::from(batch.is_some());
        let at = self.random.between(0, axes) as usize;
        let fields = 1 + self.random.weighted(&[6, 3, 1]);
        System {
            ty,
            steps: self.random.between(lookback + 1, 40),
            lookback,
            state: vec![extent; rank],
            batch,
            at,
            fields: (0..fields).map(|_| self.fresh("u")).collect(),
            backward: self.random.chance(30),
        }
    }

    /// A matrix for the states of each step, defined in front; its name and its indices.
    fn coefficients(&mut self, system: &System) -> (String, bool) {
        let name = self.fresh("a");
        let moves = self.random.chance(40);
        let n = system.state.first().copied().unwrap_or(1);
        let by = self.random.between(2, 5);
        let cells = format!("j in 0..{n}, k in 0..{n}");
        let (slots, value) = match moves {
            true => (format!("t in 0..{}, {cells}", system.steps), "t + j * 2 + k"),
            false => (cells, "j * 3 + k"),
        };
        let value = format!("((({value}) * {by}) % 5 - 2) as {}", system.ty.name());
        let scale = system.constant(2);
        self.statements.push(format!("let {name}[{slots}] = ({value}) * {scale};"));
        (name, moves)
    }

    /// What does not depend on the states.
    fn free_term(&mut self, system: &System, moves: bool) -> String {
        let mut cell = Cell::default();
        let mut add = |name: &str, hi: Extent| {
            cell.indices.push(Index { name: name.to_string(), lo: 0, hi, inferred: false });
        };
        if let Some(q) = &system.batch {
            add(BATCH, q.clone());
        }
        system.own().iter().zip(&system.state).for_each(|(i, n)| add(i, Extent::number(*n)));
        if moves {
            add(TIME, Extent::number(system.steps));
        }
        self.closed(&cell, system.ty, 1)
    }

    fn step(&mut self, system: &System, matrix: &(String, bool), k: usize) -> String {
        if self.random.chance(8) {
            // Extrema run too, each by itself.
            let op = *self.random.pick(&["max", "min"]);
            let (own, term) = (system.own(), self.free_term(system, true));
            return format!("{op}({}, {term})", system.cell(&system.fields[k], 1, &own));
        }
        let mut body = self.wrapped(system, matrix, k);
        for _ in 0..self.random.below(3) {
            let op = *self.random.pick(&["+", "-"]);
            body = format!("{body} {op} {}", self.wrapped(system, matrix, k));
        }
        if self.random.chance(75) {
            body = format!("{body} + {}", self.free_term(system, true));
        }
        body
    }

    /// A term that looks at states, in another form at times.
    fn wrapped(&mut self, system: &System, matrix: &(String, bool), k: usize) -> String {
        let term = self.look_back(system, matrix, k);
        let by = system.constant(self.random.between(-4, 4));
        match self.random.below(8) {
            0 => format!("(-({term})) * {by}"),
            1 => format!("{by} * ({} - {term})", self.free_term(system, true)),
            2 if system.ty.is_float() => format!("({term}) / {}", system.constant(-32)),
            _ => term,
        }
    }

    /// A term that looks at states.
    fn look_back(&mut self, system: &System, (matrix, moves): &(String, bool), k: usize) -> String {
        let field = self.random.below(system.fields.len());
        // Those in front are known at the same step.
        let least = if field < k { 0 } else { 1 };
        let back = self.random.between(least, system.lookback);
        let name = &system.fields[field];
        let (own, rank) = (system.own(), system.state.len());
        let time = if *moves { format!("{TIME}, ") } else { String::new() };
        match self.random.below(5) {
            0 | 1 if rank > 0 => {
                self.note(Construct::SelfReadInReduction);
                let axis = self.random.below(rank);
                let mut state = own.clone();
                state[axis] = "k".to_string();
                let cell = system.cell(name, back, &state);
                let entry = match self.random.chance(50) {
                    true => format!("{matrix}[{time}{}, k]", own[axis]),
                    false => format!("{matrix}[{time}k, {}]", own[axis]),
                };
                format!("sum[k]({cell} * {entry})")
            }
            2 if rank > 0 => {
                let at = self.random.between(0, system.state[0] - 1).to_string();
                let cell = system.cell(name, back, &vec![at; rank]);
                format!("{cell} * {}", system.constant(self.random.between(-4, 4)))
            }
            3 => format!("{matrix}[{time}0, 0] * {}", system.cell(name, back, &own)),
            _ => {
                let by = system.constant(self.random.between(-6, 6));
                format!("{by} * {}", system.cell(name, back, &own))
            }
        }
    }
}
