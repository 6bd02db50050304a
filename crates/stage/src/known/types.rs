//! Types of the checked program as the graph and the host have them.

use weft_host::Form;
use weft_scalar::ScalarType;
use weft_sema::thir::{Body, Elem, Nominal, Ty};

/// The element type of an array type.
pub(crate) fn elem_of(ty: &Ty) -> ScalarType {
    let elem = match ty {
        Ty::Differential(elem, _) => Some(*elem),
        _ => ty.elem(),
    };
    elem.map_or(ScalarType::Bool, Elem::computed_in)
}

/// What a function of scalars is given and gives.
pub(crate) type Forms = (Vec<Form>, Form);

/// What an instance is given and gives, where these are scalars and tuples of them.
pub(crate) fn scalar_forms(body: &Body) -> Option<Forms> {
    let args = body.arguments.iter().map(|a| form(&body.locals[*a].ty));
    Some((args.collect::<Option<_>>()?, form(&body.result)?))
}

fn form(ty: &Ty) -> Option<Form> {
    match (ty, ty.members()) {
        (Ty::Array(_, shape), _) if shape.is_empty() => Some(Form::Scalar(elem_of(ty))),
        (_, Some(members)) => Some(Form::Tuple(members.iter().map(form).collect::<Option<_>>()?)),
        _ => None,
    }
}

/// The type of the member that `path` leads to.
pub(crate) fn member_type<'t>(ty: &'t Ty, path: &[usize]) -> &'t Ty {
    path.iter().fold(ty, |ty, n| &ty.members().expect("a way through tuples")[*n])
}

/// Whether a type is host data, whatever its value.
pub(crate) fn is_host_type(ty: &Ty) -> bool {
    matches!(ty, Ty::Boxed(..) | Ty::List(_) | Ty::Fallible(_))
}

/// Whether there is a differential in a value: it is linear in its leaves, and no number.
pub(crate) fn holds_differential(ty: &Ty) -> bool {
    matches!(ty, Ty::Differential(..))
        || ty.members().is_some_and(|all| all.iter().any(holds_differential))
}

/// Whether a value is a function, with what it captures.
pub(crate) fn is_function(ty: &Ty) -> bool {
    matches!(ty, Ty::Named(Nominal::Function(_), _))
}
