//! What goes wrong in native code, as the evaluator would tell it.

use weft_diag::{Code, Diagnostic};
use weft_host::RunError;
use weft_plan::BindError;
use weft_runtime::Failure as KernelFailure;
use weft_schedule::TrapSite;
use weft_tensor::eval::{Failure, FailureKind};
use weft_tensor::{Graph, TensorId};

/// A kernel's trap as the evaluator would tell it.
pub(super) fn trapped(trap: &TrapSite, args: &[i64]) -> Failure {
    let (kind, rest) = match (trap.read, args) {
        (Some((read, axis)), [index, extent, rest @ ..]) => {
            let (index, extent) = (*index, *extent);
            (FailureKind::IndexOutOfRange { read, axis, index, extent }, rest)
        }
        _ => (FailureKind::Check, args),
    };
    let point = trap.indices.iter().cloned().zip(rest.iter().copied()).collect();
    Failure { kind, site: Some(trap.site), tensor: trap.tensor, cell: Vec::new(), point }
}

/// A definition without an order of computation.
pub fn refused(graph: &Graph, r: &weft_plan::Refusal) -> RunError {
    let fallback = graph.tensors.values().find_map(|t| t.span);
    match r.span.or(fallback) {
        Some(span) => RunError::from(r.diagnostic(span)),
        None => Diagnostic::error(Code::E0511, r.to_string()).into(),
    }
}

/// A routine that cannot be called with these extents.
pub(super) fn unbound(graph: &Graph, e: &BindError) -> RunError {
    let d = match e {
        BindError::OverLimit { needed, limit, largest } => {
            over_limit(graph, *needed, *limit, largest)
        }
        BindError::BadExtent { of, .. } => {
            let d = Diagnostic::error(Code::E0007, e.to_string());
            match graph.tensors[*of].span {
                Some(span) => d.primary(span, "of this definition"),
                None => d,
            }
        }
        BindError::OtherValue(_) => unreachable!("another plan is made for other values: {e}"),
        BindError::WriteOutside { .. } => unreachable!("pieces are cut at the ends: {e}"),
        BindError::MissingParam(p) => {
            Diagnostic::error(Code::E0007, format!("`{}` has no value", graph.params[*p].name))
        }
    };
    d.into()
}

/// More memory than is allowed: the place is that of the largest tensor that has one.
fn over_limit(graph: &Graph, needed: u64, limit: u64, largest: &[(TensorId, u64)]) -> Diagnostic {
    let d = Diagnostic::error(Code::E1106, weft_host::exceeded_text(needed, limit));
    let placed = largest.iter().find_map(|(t, bytes)| Some((*t, graph.tensors[*t].span?, bytes)));
    let d = match placed {
        Some((_, span, bytes)) => {
            d.primary(span, format!("this takes {}", weft_host::bytes_text(*bytes)))
        }
        None => d,
    };
    let others = largest.iter().filter(|(t, _)| placed.is_none_or(|(p, ..)| p != *t));
    let named = others.filter_map(|(t, bytes)| Some((graph.tensors[*t].name.as_ref()?, bytes)));
    named.fold(d, |d, (name, bytes)| {
        d.note(format!("`{name}` takes {}", weft_host::bytes_text(*bytes)))
    })
}

/// No memory for a tensor.
pub(super) fn out_of_memory(graph: &Graph, t: TensorId, f: &KernelFailure, limit: u64) -> RunError {
    let kind = match f {
        KernelFailure::OutOfMemory { bytes } => FailureKind::NoMemory { needed: *bytes },
        KernelFailure::OverLimit { bytes, used, .. } => {
            FailureKind::Memory { needed: bytes.saturating_add(*used), limit }
        }
        _ => FailureKind::Memory { needed: 0, limit },
    };
    let failure = Failure { kind, site: None, tensor: t, cell: Vec::new(), point: Vec::new() };
    RunError::from_failure(graph, &failure)
}
