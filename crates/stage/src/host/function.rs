//! Instances that are functions of the host.

use super::Host;
use super::value::extents_of;
use crate::known::types::{elem_of, scalar_forms};
use crate::scope::{Bound, EnvId};
use crate::unit::Unit;
use crate::work::Work;
use weft_base::Name;
use weft_host::{
    self as host, DataOp, ForeignCall, FunctionId, Gives, Look, Shown, Step, Value, VarId,
};
use weft_scalar::TextOp;
use weft_sema::thir::{BodyId, Expr, HostOp, LocalId, ParamOrigin, Ty};
use weft_shape::Size;

/// The function of the host that an instance is.
pub(crate) fn of(work: &mut Work<'_>, body: BodyId) -> FunctionId {
    if let Some(f) = work.functions.of(body) {
        return f;
    }
    let id = work.functions.begin(body);
    let overflow = work.unit.tensors.overflow();
    let outer = std::mem::replace(&mut work.unit, Unit::new(overflow));
    let env = work.scopes.outer(body);
    let instance = work.scopes.body(env);
    let mut args = Vec::new();
    for local in &instance.arguments {
        let var = work.unit.values.unknown();
        args.push(var);
        let bound = Bound::of_host(Value::Var(var), &instance.locals[*local].ty);
        work.scopes.bind(env, *local, bound);
    }
    argument_params(work, env, &args);
    let result = result(work, env);
    work.refuse_calls_in_recurrences();
    let unit = std::mem::replace(&mut work.unit, outer);
    let name = instance.name.clone();
    let scalars = scalar_forms(instance);
    let body = match unit.derivatives.is_empty() {
        true => unit.program(result),
        false => {
            work.functions.leave_open(id, (unit, result));
            host::Program::default()
        }
    };
    work.functions.end(id, host::Function { name, args, scalars, body });
    id
}

fn result(work: &mut Work<'_>, env: EnvId) -> Option<Shown> {
    let block = &work.scopes.body(env).block;
    let tail = block.tail.as_deref()?;
    let mut inside = Host::new(work, env);
    let value = match tail.ty == Ty::unit() {
        true => {
            inside.statements(&block.stmts);
            inside.effect(tail);
            Value::Tuple(Vec::new())
        }
        false => inside.block_value(block),
    };
    Some(Shown { value, look: Look::Plain })
}

/// The integers and extents that arguments of a function of the host fix.
fn argument_params(work: &mut Work<'_>, env: EnvId, args: &[VarId]) {
    let instance = work.scopes.body(env);
    let place = |local: LocalId| instance.arguments.iter().position(|a| *a == local);
    for (p, info) in instance.params.iter() {
        let value = match &info.origin {
            ParamOrigin::Argument(local) => place(*local).map(|n| Value::Var(args[n])),
            ParamOrigin::Captured(local, path) => {
                place(*local).map(|n| path.iter().fold(Value::Var(args[n]), |v, k| v.field(*k)))
            }
            ParamOrigin::Extent(local, axis) => place(*local).and_then(|n| {
                extents_of(Value::Var(args[n]), &instance.locals[*local].ty).into_iter().nth(*axis)
            }),
            _ => None,
        };
        let Some(value) = value else { continue };
        let new = work.unit.tensors.bounded_param(p, info, &instance.facts);
        work.scopes.bind_size(env, p, Size::param(new));
        work.unit.values.step(Step::Define(new, value));
    }
    for check in &instance.checks {
        work.check(check, env);
    }
}

/// The type of what a call outside of the program gives.
fn gives(ty: &Ty) -> Gives {
    match ty {
        Ty::Array(_, shape) => Gives::Tensor(elem_of(ty), vec![None; shape.len()]),
        Ty::Str => Gives::Text,
        Ty::List(_) => Gives::Texts,
        other => Gives::Tuple(other.members().unwrap_or_default().iter().map(gives).collect()),
    }
}

/// The operation on values that are computed before it; none where that is not so.
pub(crate) fn data_op(work: &mut Work<'_>, op: &HostOp, e: &Expr) -> Option<DataOp> {
    Some(match op {
        HostOp::Variant(_, n) => DataOp::Variant(*n),
        HostOp::IsVariant(n) => DataOp::IsVariant(*n),
        HostOp::Payload(v, n) => DataOp::Payload(*v, *n),
        HostOp::Compare(op) => DataOp::Compare(*op),
        HostOp::Length => DataOp::Length,
        HostOp::At => DataOp::At,
        HostOp::Slice => DataOp::Slice,
        HostOp::Contains => DataOp::Contains,
        HostOp::List => DataOp::List,
        HostOp::Append => DataOp::Append,
        HostOp::Flatten => DataOp::Flatten,
        HostOp::Stack => DataOp::Stack(elem_of(&e.ty)),
        HostOp::Count => DataOp::Count,
        HostOp::Codes => DataOp::Codes,
        HostOp::Ord => DataOp::Ord,
        HostOp::Text(TextOp::Parse) => DataOp::Parse(elem_of(&e.ty)),
        HostOp::Text(op) => DataOp::Text(*op),
        HostOp::Map(body) => DataOp::Map(of(work, *body)),
        HostOp::Foreign(path, names) => {
            let (path, names, gives) = (path.clone(), names.clone(), gives(&e.ty));
            DataOp::Foreign(Box::new(ForeignCall { path, file: None, names, gives }))
        }
        HostOp::File(call) => {
            let (path, gives) = (Name::new(&call.op.path()), gives(&e.ty));
            let (file, names) = (Some(*call), vec![None; call.op.params().len()]);
            DataOp::Foreign(Box::new(ForeignCall { path, file, names, gives }))
        }
        HostOp::Failed => DataOp::Failed,
        HostOp::Message => DataOp::Message,
        HostOp::Try | HostOp::Succeeded => return None,
    })
}
