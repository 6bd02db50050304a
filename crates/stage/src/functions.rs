//! The functions of the host: instances that are called as they are, and what is made for them.

use crate::refusal;
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use weft_base::Span;
use weft_base::entity::PrimaryMap;
use weft_diag::Diagnostic;
use weft_host::{Form, Function, FunctionId, Look, Program, Scalars, Shown, Value, VarId};
use weft_scalar::eval::Overflow;
use weft_sema::thir::BodyId;
use weft_tensor::Graph;

/// The body of a function before its sweeps are made, and what it gives.
type Open = (Unit, Option<Shown>);

/// All of them.
#[derive(Default)]
pub(crate) struct Functions {
    all: PrimaryMap<FunctionId, Function>,
    /// Those that are instances.
    instances: FxHashMap<BodyId, FunctionId>,
    /// Those that give one member of what another gives.
    members: FxHashMap<(FunctionId, Vec<usize>), FunctionId>,
    /// Those that cells call, with the places of the calls.
    called: Vec<(FunctionId, Span)>,
    /// How many are being made, within each other.
    under_way: u32,
    /// Whether functions of scalars have a form that cells call.
    in_cells: FxHashMap<FunctionId, bool>,
    /// Those that ask for derivatives, whose sweeps are still to be made.
    open: Vec<(FunctionId, Open)>,
}

impl Functions {
    /// The function that an instance is, if it is one by now.
    pub fn of(&self, body: BodyId) -> Option<FunctionId> {
        self.instances.get(&body).copied()
    }

    /// Begins the function that an instance is.
    pub fn begin(&mut self, body: BodyId) -> FunctionId {
        let id = self.all.push(Function::default());
        self.instances.insert(body, id);
        self.under_way += 1;
        id
    }

    /// Ends what was begun last.
    pub fn end(&mut self, id: FunctionId, function: Function) {
        self.all[id] = function;
        self.under_way -= 1;
    }

    /// Leaves the body of a function to be made when all others are known: sweeps go through
    /// them, and so do the texts of differentials.
    pub fn leave_open(&mut self, id: FunctionId, open: Open) {
        self.open.push((id, open));
    }

    /// Adds a function that is no instance.
    pub fn add(&mut self, function: Function) -> FunctionId {
        self.all.push(function)
    }

    /// A function.
    pub fn get(&self, id: FunctionId) -> &Function {
        &self.all[id]
    }

    /// The function that gives one member of what another gives, as cells take it.
    pub fn member(&mut self, f: FunctionId, path: &[usize], span: Span) -> FunctionId {
        let key = (f, path.to_vec());
        if let Some(known) = self.members.get(&key) {
            return *known;
        }
        let whole = &self.all[f];
        let name = whole.name.clone();
        let member = |(args, result): &(Vec<Form>, Form)| {
            result.member(path).map(|m| (args.clone(), m.clone()))
        };
        let scalars = whole.scalars.as_ref().and_then(member);
        let mut body = Program::default();
        let args: Vec<VarId> = whole.args.iter().map(|_| body.vars.push(None)).collect();
        let given = args.iter().map(|a| Value::Var(*a)).collect();
        let call = Value::Call(f, given, span);
        let value = path.iter().fold(call, |v, n| v.field(*n));
        body.result = Some(Shown { value, look: Look::Plain });
        let id = self.all.push(Function { name, args, scalars, body });
        self.members.insert(key, id);
        id
    }

    /// Notes that cells call a function.
    pub fn call_from_cells(&mut self, f: FunctionId, span: Span) {
        self.called.push((f, span));
    }

    /// Whether a function of scalars has a form that cells call. Within the functions that
    /// it may call it is not known yet; they are looked at in the end.
    pub fn runs_in_cells(&mut self, f: FunctionId, overflow: Overflow) -> bool {
        if self.under_way > 0 {
            return true;
        }
        if let Some(known) = self.in_cells.get(&f) {
            return *known;
        }
        let found = self.scalars(overflow).get(f).is_some();
        self.in_cells.insert(f, found);
        found
    }

    /// The functions of scalars.
    pub fn scalars(&self, overflow: Overflow) -> Scalars {
        Scalars::compute(&self.all, overflow)
    }

    /// What is refused of the calls that cells make.
    pub fn refusals(&mut self, scalars: &Scalars) -> Vec<Diagnostic> {
        let called = std::mem::take(&mut self.called).into_iter();
        let refused = called.filter(|(f, _)| scalars.get(*f).is_none());
        refused.map(|(_, span)| refusal::too_large_for_cells(span)).collect()
    }

    /// The graphs of their bodies.
    pub fn graphs_mut(&mut self) -> impl Iterator<Item = &mut Graph> {
        self.all.values_mut().map(|f| &mut f.body.graph)
    }

    /// Those whose bodies are still to be made.
    pub fn take_open(&mut self) -> Vec<(FunctionId, Open)> {
        std::mem::take(&mut self.open)
    }

    /// The body of one of them.
    pub fn close(&mut self, id: FunctionId, body: Program) {
        self.all[id].body = body;
    }

    /// All of them, when they are whole.
    pub fn into_all(self) -> PrimaryMap<FunctionId, Function> {
        self.all
    }
}
