//! Recurrences along a leading axis, alone and in groups.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, State, Tensor, Ty};

/// How a recurrence is laid out.
struct Plan {
    time: String,
    steps: Extent,
    lookback: i64,
    shape: Vec<Extent>,
}

impl Generator {
    /// One recurrence, or a group of two or three.
    pub fn recurrence(&mut self) {
        let members = 1 + self.random.weighted(&[6, 3, 1]);
        let plan = self.plan();
        let mut states: Vec<State> = Vec::new();
        for _ in 0..members {
            let name = self.fresh("u");
            let ty = *self.random.pick(&[Ty::F32, Ty::F32, Ty::F64, Ty::I32, Ty::I64]);
            states.push(State { name, ty, shape: plan.shape.clone(), back: Vec::new() });
        }
        self.note(if members > 1 { Construct::MutualGroup } else { Construct::Recurrence });
        self.note(match plan.shape.len() {
            0 => Construct::ScalarState,
            1 => Construct::VectorState,
            _ => Construct::MatrixState,
        });
        let clauses: Vec<String> =
            (0..members).flat_map(|k| self.member(&plan, &states, k)).collect();
        self.statements.push(clauses.join("\n"));
        for s in states {
            let mut shape = vec![plan.steps.clone()];
            shape.extend(s.shape);
            self.tensors.push(Tensor { name: s.name, ty: s.ty, shape, bound: None });
        }
        self.look();
    }

    fn plan(&mut self) -> Plan {
        let lookback = 1 + self.random.weighted(&[5, 3, 2]) as i64;
        let named: Vec<Extent> = self
            .extents
            .iter()
            .filter(|e| e.name.is_some() && e.value > lookback)
            .cloned()
            .collect();
        let steps = if !named.is_empty() && self.random.chance(40) {
            self.note(Construct::SymbolicExtent);
            self.random.pick(&named).clone()
        } else {
            Extent::number(self.random.between(lookback + 1, 9))
        };
        let rank = self.random.weighted(&[4, 5, 2]);
        let shape = (0..rank).map(|_| self.extent()).collect();
        Plan { time: self.fresh("t"), steps, lookback, shape }
    }

    /// The clauses of one member: its first steps, and the rest from those before.
    fn member(&mut self, plan: &Plan, states: &[State], k: usize) -> Vec<String> {
        let mut out = self.base(plan, &states[k]);
        let mut cell = self.state_cell(plan);
        cell.time = Some(plan.time.clone());
        cell.states = states.to_vec();
        for (other, state) in cell.states.iter_mut().enumerate() {
            state.back = (1..=plan.lookback).collect();
            // A member may read those before it at the same step.
            if other < k {
                state.back.push(0);
            }
        }
        // The last lookback of the first member makes the depth what it was meant to be.
        let slots = self.state_slots(&cell);
        let ty = states[k].ty;
        let lookback = plan.lookback;
        let own = State { back: vec![lookback], ..cell.states[k].clone() };
        let depth = self.random.below(3);
        let rest = self.closed(&cell, ty, depth);
        let mut own_cell = cell.clone();
        own_cell.states = vec![own.clone()];
        let read = self.state_read(&own_cell, &own).text;
        let op = *self.random.pick(&["+", "-", "*"]);
        let body = format!("({read} {op} {rest})");
        let mut range = vec![format!("{} in {lookback}..{}", plan.time, plan.steps.text())];
        range.extend(slots);
        out.push(format!("let {}[{}] = {body};", states[k].name, range.join(", ")));
        out
    }

    fn state_cell(&mut self, plan: &Plan) -> Cell {
        let mut cell = Cell::default();
        for hi in &plan.shape {
            let name = self.fresh("i");
            cell.indices.push(Index { name, lo: 0, hi: hi.clone(), inferred: false });
        }
        cell
    }

    fn state_slots(&mut self, cell: &Cell) -> Vec<String> {
        cell.indices.iter().map(|i| format!("{} in 0..{}", i.name, i.hi.text())).collect()
    }

    /// The steps before the recurrence can look back.
    fn base(&mut self, plan: &Plan, state: &State) -> Vec<String> {
        let together = self.random.chance(35);
        let name = &state.name;
        if together {
            self.note(Construct::BaseOverTime);
            let mut cell = self.state_cell(plan);
            let slots = self.state_slots(&cell);
            let time = plan.time.clone();
            let hi = Extent::number(plan.lookback);
            let lo = match self.random.chance(20) {
                true => self.lower_end().text,
                false => "0".into(),
            };
            let mut range = vec![format!("{time} in {lo}..{}", plan.lookback)];
            range.extend(slots);
            cell.indices.push(Index { name: time, lo: 0, hi, inferred: false });
            let body = self.closed(&cell, state.ty, 1);
            return vec![format!("let {name}[{}] = {body};", range.join(", "))];
        }
        self.note(Construct::FixedCell);
        (0..plan.lookback)
            .map(|step| {
                let cell = self.state_cell(plan);
                let mut slots = vec![step.to_string()];
                slots.extend(self.state_slots(&cell));
                let body = self.closed(&cell, state.ty, 1);
                format!("let {name}[{}] = {body};", slots.join(", "))
            })
            .collect()
    }

    /// Sometimes only the last step, or a reduction over the steps, is looked at.
    fn look(&mut self) {
        let u = self.tensors.last().expect("a recurrence was just defined").clone();
        let steps = &u.shape[0];
        match self.random.below(3) {
            0 => {
                self.note(Construct::ObservedLast);
                let name = self.fresh("v");
                let back = self.random.between(1, steps.value.min(2));
                let at = steps.plus(-back).text();
                self.statements.push(format!("let {name} = {}[{at}];", u.name));
                let shape = u.shape[1..].to_vec();
                self.hide_recent(&u.name);
                self.tensors.push(Tensor { name, ty: u.ty, shape, bound: None });
            }
            1 => self.reduce_state(&u),
            _ => self.note(Construct::ObservedWhole),
        }
    }

    fn reduce_state(&mut self, u: &Tensor) {
        self.note(Construct::ReductionOfState);
        self.note(Construct::Max);
        let name = self.fresh("v");
        let t = self.fresh("t");
        let mut items = vec![t.clone()];
        let mut slots = Vec::new();
        for _ in &u.shape[1..] {
            let i = self.fresh("i");
            items.push(i.clone());
            slots.push(i);
        }
        let read = format!("{}[{}]", u.name, items.join(", "));
        let text = match slots.is_empty() {
            true => format!("let {name} = max[{t}]({read});"),
            false => format!("let {name}[{}] = max[{t}]({read});", slots.join(", ")),
        };
        self.statements.push(text);
        self.hide_recent(&u.name);
        self.tensors.push(Tensor { name, ty: u.ty, shape: u.shape[1..].to_vec(), bound: None });
    }

    /// Nothing else reads the recurrence, so that a window can serve.
    fn hide_recent(&mut self, name: &str) {
        if self.random.chance(75) {
            self.tensors.retain(|t| t.name != name);
        }
    }

    /// A recurrence whose step is a whole tensor.
    pub fn tensor_recurrence(&mut self) -> bool {
        let start = self.tensor(|t| !t.shape.is_empty() && t.shape.len() < 3 && t.ty.is_float());
        let Some(start) = start else { return false };
        self.note(Construct::TensorState);
        self.note(Construct::LiftedOperator);
        let (name, t) = (self.fresh("u"), self.fresh("t"));
        let steps = Extent::number(self.random.between(2, 8));
        let by = self.closed(&Cell::default(), start.ty, 1);
        let op = *self.random.pick(&["*", "+", "-"]);
        let again = if self.random.chance(50) {
            format!("{name}[{t} - 1] {op} {by}")
        } else {
            format!("{name}[{t} - 1] {op} {} * {by}", start.name)
        };
        self.statements.push(format!(
            "let {name}[0] = {};\nlet {name}[{t} in 1..{}] = {again};",
            start.name,
            steps.text()
        ));
        let mut shape = vec![steps];
        shape.extend(start.shape);
        self.tensors.push(Tensor { name, ty: start.ty, shape, bound: None });
        self.look();
        true
    }
}
