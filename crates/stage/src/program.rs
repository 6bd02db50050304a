//! The top level: what the program is given, does, and gives.

use crate::host::Host;
use crate::known::look::look_of_local;
use crate::known::types::{elem_of, holds_differential, is_function};
use crate::scope::{Bound, EnvId};
use crate::unit::tensors::unnamed;
use crate::work::Work;
use indexmap::IndexMap;
use weft_base::Name;
use weft_host::{self as host, InputTarget, Shown, Value};
use weft_sema::thir::{ExprKind, Input, LocalId, ParamOrigin, Ty};
use weft_shape::{Param, Size};

/// What a program is given and gives.
#[derive(Default)]
pub(crate) struct Surface {
    pub inputs: Vec<host::Input>,
    pub outputs: Vec<(Name, Shown)>,
    pub result: Option<Shown>,
}

/// Walks the top level.
pub(crate) fn walk(work: &mut Work<'_>) -> Surface {
    let program = work.scopes.program();
    let mut surface = Surface::default();
    let Some(body) = program.main else { return surface };
    let env = work.scopes.outer(body);
    let main = &program.bodies[body];
    for (p, info) in main.params.iter() {
        let new = work.unit.tensors.bounded_param(p, info, &main.facts);
        work.scopes.bind_size(env, p, Size::param(new));
    }
    surface.inputs = program.inputs.iter().map(|i| input(work, i, env)).collect();
    let mut inside = Host::new(work, env);
    inside.statements(&main.block.stmts);
    if let Some(tail) = main.block.tail.as_deref() {
        match tail.ty == Ty::unit() {
            true => inside.effect(tail),
            false => surface.result = Some(inside.shown(tail)),
        }
    }
    surface.outputs = outputs(work, env);
    surface
}

fn input<'p>(work: &mut Work<'p>, input: &'p Input, env: EnvId) -> host::Input {
    let shape: Vec<Size> = input.shape.iter().map(|s| work.scopes.size(env, s)).collect();
    let (name, span, elem) = (input.name.clone(), input.span, input.elem);
    let target = match input.param {
        Some(p) => {
            let size = work.scopes.size(env, &Size::param(p));
            InputTarget::Param(size.as_param().expect("an input is a parameter"))
        }
        None => {
            let axes = shape.iter().cloned().map(unnamed).collect();
            let tensor = work.unit.tensors.input(Some(name.clone()), Some(span), elem, axes);
            work.scopes.bind(env, input.local, Bound::whole(tensor));
            InputTarget::Tensor(tensor)
        }
    };
    let default = input.default.as_ref().map(|e| Host::new(work, env).define(e, None));
    host::Input { name, span, elem, shape, target, default }
}

/// Every top-level name that a `let` binds; the last of shadowed ones.
fn outputs(work: &mut Work<'_>, env: EnvId) -> Vec<(Name, Shown)> {
    let inputs: Vec<LocalId> = work.scopes.program().inputs.iter().map(|i| i.local).collect();
    let mut found: IndexMap<Name, Shown> = IndexMap::new();
    for (id, local) in work.scopes.body(env).locals.iter() {
        let bound = work.scopes.bound_in(env, id).is_some();
        let number = local.term.is_some() && matches!(local.ty, Ty::Array(..));
        if !(bound || number) || inputs.contains(&id) || !is_output(work, env, id) {
            continue;
        }
        if let Some(value) = output(work, env, id) {
            found.shift_remove(&local.name);
            found.insert(local.name.clone(), value);
        }
    }
    found.into_iter().collect()
}

/// Extent names and helper tuples are no outputs.
fn is_output(work: &Work<'_>, env: EnvId, id: LocalId) -> bool {
    let body = work.scopes.body(env);
    let local = &body.locals[id];
    let param = local.term.as_ref().and_then(|t| t.as_size()?.as_param());
    let named = |p: Param| {
        let info = &body.params[p];
        info.origin == ParamOrigin::Input && info.name == local.name
    };
    let extent = param.is_some_and(named);
    !extent && local.is_written() && !holds_differential(&local.ty)
}

fn output(work: &mut Work<'_>, env: EnvId, id: LocalId) -> Option<Shown> {
    let local = work.scopes.local(env, id);
    let look = look_of_local(work.scopes.program(), local);
    if is_function(&local.ty) {
        return None;
    }
    if let Some(size) = local.term.as_ref().and_then(|t| t.as_size()) {
        let value = Value::Int(work.scopes.size(env, size), elem_of(&local.ty), local.span);
        return Some(Shown { value, look });
    }
    let bound = work.scopes.bound_in(env, id).cloned()?;
    Some(Shown { value: bound_output(work, bound)?, look })
}

fn bound_output<'p>(work: &mut Work<'p>, bound: Bound<'p>) -> Option<Value> {
    match bound {
        Bound::Tensor { tensor, .. } => Some(Value::Tensor(tensor)),
        Bound::Tuple(members) => {
            let all = members.into_iter().map(|m| bound_output(work, m));
            Some(Value::Tuple(all.collect::<Option<_>>()?))
        }
        Bound::Host(v) => Some(v),
        Bound::Thunk(e, env) => {
            let plain =
                matches!(e.kind, ExprKind::Str(_) | ExprKind::Const(_) | ExprKind::Quotient(..));
            (plain || e.term.is_some()).then(|| Host::new(work, env).value(e))
        }
    }
}
