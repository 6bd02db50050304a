//! Values and steps of the host under construction.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use weft_host::{Step, Value, VarId, Vars};
use weft_tensor::TensorId;

/// What the host computes and does.
pub(crate) struct Values {
    vars: Vars,
    /// What the host puts into tensors of the graph.
    sources: BTreeMap<TensorId, Value>,
    /// Those tensors, by the text of the value.
    named: FxHashMap<String, TensorId>,
    /// Step lists under way: branches stack up.
    steps: Vec<Vec<Step>>,
}

impl Values {
    /// None yet.
    pub fn new() -> Values {
        let (vars, sources, named) = Default::default();
        Values { vars, sources, named, steps: vec![Vec::new()] }
    }

    /// All named values.
    pub fn vars(&self) -> &Vars {
        &self.vars
    }

    /// What a name stands for.
    pub fn var(&self, id: VarId) -> Option<&Value> {
        self.vars[id].as_ref()
    }

    /// A value under a name.
    pub fn name(&mut self, value: Value) -> VarId {
        self.vars.push(Some(value))
    }

    /// A name whose value is given, or known later.
    pub fn unknown(&mut self) -> VarId {
        self.vars.push(None)
    }

    /// Says what a name stands for.
    pub fn define(&mut self, id: VarId, value: Value) {
        self.vars[id] = Some(value);
    }

    /// Does something next.
    pub fn step(&mut self, step: Step) {
        self.steps.last_mut().expect("a list is under way").push(step);
    }

    /// Begins a list of steps: one side of a branch.
    pub fn open(&mut self) {
        self.steps.push(Vec::new());
    }

    /// Ends the list that was begun last.
    pub fn close(&mut self) -> Vec<Step> {
        self.steps.pop().expect("a list was begun")
    }

    /// What the host puts into a tensor.
    pub fn given(&self, t: TensorId) -> Option<&Value> {
        self.sources.get(&t)
    }

    /// All that the host puts into tensors.
    pub fn sources(&self) -> impl Iterator<Item = (TensorId, &Value)> {
        self.sources.iter().map(|(t, v)| (*t, v))
    }

    /// Has the host put a value into a tensor.
    pub fn give(&mut self, t: TensorId, value: Value) {
        self.sources.insert(t, value);
    }

    /// Has the graph compute a tensor that the host would.
    pub fn take_back(&mut self, t: TensorId) {
        self.sources.remove(&t);
        self.named.retain(|_, known| *known != t);
    }

    /// The tensor that holds a value already, by the value's text.
    pub fn source_named(&self, key: &str) -> Option<TensorId> {
        self.named.get(key).copied()
    }

    /// Notes which tensor holds a value.
    pub fn name_source(&mut self, key: String, t: TensorId) {
        self.named.insert(key, t);
    }

    /// The names, what is put into tensors, and the steps in order.
    pub fn parts(mut self) -> (Vars, BTreeMap<TensorId, Value>, Vec<Step>) {
        let steps = self.close();
        (self.vars, self.sources, steps)
    }
}

/// The tensors that a host value is computed from.
pub(crate) fn tensors_in(vars: &Vars, v: &Value, out: &mut BTreeSet<TensorId>) {
    let mut all = |vs: &[Value]| vs.iter().for_each(|v| tensors_in(vars, v, out));
    match v {
        Value::Tensor(t) => {
            out.insert(*t);
        }
        Value::Var(id) => {
            if let Some(v) = &vars[*id] {
                tensors_in(vars, v, out);
            }
        }
        Value::Tuple(vs) | Value::Call(_, vs, _) | Value::Data(_, vs, _) => all(vs),
        Value::Field(v, _) | Value::Unary(_, v, _) | Value::Cast(_, v) => {
            tensors_in(vars, v, out);
        }
        Value::Binary(_, a, b, _) => [a, b].into_iter().for_each(|v| tensors_in(vars, v, out)),
        Value::If(c, a, b) => {
            tensors_in(vars, c, out);
            [a, b].into_iter().for_each(|b| tensors_in(vars, &b.value, out));
        }
        Value::Block(b) => tensors_in(vars, &b.value, out),
        // An extent is locally constant.
        Value::Int(..) | Value::Const(_) | Value::Text(_) | Value::Extent(..) => {}
    }
}
