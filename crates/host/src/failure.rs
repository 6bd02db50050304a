//! Failures of a run as diagnostics.

use crate::evaluate::too_deep;
use crate::memory::exceeded_text;
use crate::scalar::is_too_deep;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::eval::{NEGATIVE_EXPONENT, OVERFLOW};
use weft_tensor::Graph;
use weft_tensor::eval::{Failure, FailureKind};

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// Something the program or its inputs did.
    Diagnostic(Box<Diagnostic>),
    /// Asked to stop.
    Interrupted,
    /// Writing output failed.
    Output(std::io::Error),
}

impl From<Diagnostic> for RunError {
    fn from(d: Diagnostic) -> RunError {
        RunError::Diagnostic(Box::new(d))
    }
}

impl RunError {
    /// The error that tells a failure of tensor work.
    pub fn from_failure(graph: &Graph, failure: &Failure) -> RunError {
        if failure.kind == FailureKind::Interrupted {
            return RunError::Interrupted;
        }
        let site = failure.site.map(|s| &graph.sites[s]);
        let tensor = &graph.tensors[failure.tensor];
        let span = site.and_then(|s| s.span).or(tensor.span);
        if let (Some(site), Some(span)) = (failure.site, span)
            && is_too_deep(graph, site)
        {
            let text = graph.sites[site].message.clone();
            return RunError::from(named(too_deep(text, span), graph, failure, Some(span)));
        }
        let headline = headline(graph, failure, site.map(|s| s.message.as_str()));
        let code = match failure.kind {
            FailureKind::Memory { .. } | FailureKind::NoMemory { .. } => Code::E1106,
            FailureKind::NotFinite { .. } => Code::E0008,
            _ => Code::E0007,
        };
        let d = Diagnostic::error(code, headline);
        let d = match span {
            Some(span) => d.primary(span, point_text(failure, site.is_some())),
            None => d,
        };
        let d = with_cure(d, site.map_or("", |s| s.message.as_str()));
        RunError::from(named(d, graph, failure, span))
    }
}

/// A failure with what helps against it, where its text is one that is known.
pub(crate) fn with_cure(d: Diagnostic, text: &str) -> Diagnostic {
    match text {
        OVERFLOW => d
            .help("a wider type holds more: `let n: i64 = …`, `x as i64`")
            .help("integers wrap with `--overflow wrap`"),
        NEGATIVE_EXPONENT => d.help("a float takes any exponent: `2.0 ** -1`, `(x as f64) ** n`"),
        _ => d,
    }
}

fn headline(graph: &Graph, failure: &Failure, site: Option<&str>) -> String {
    match &failure.kind {
        FailureKind::IndexOutOfRange { read, axis, index, extent } => {
            let of = graph.tensors[*read].name.as_ref();
            let of = of.map_or(String::new(), |n| format!(" of `{n}`"));
            format!("index {index} is outside 0..{extent}, the extent of axis {axis}{of}")
        }
        FailureKind::Check => site.unwrap_or("assertion failed").to_string(),
        FailureKind::Memory { needed, limit } => exceeded_text(*needed, *limit),
        other => other.to_string(),
    }
}

fn point_text(failure: &Failure, has_site: bool) -> String {
    let named: Vec<String> =
        failure.point.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match (named.is_empty(), has_site) {
        (true, true) => "here".to_string(),
        (true, false) => "in this definition".to_string(),
        (false, _) => format!("at {}", named.join(", ")),
    }
}

fn named(d: Diagnostic, graph: &Graph, failure: &Failure, shown: Option<Span>) -> Diagnostic {
    let tensor = &graph.tensors[failure.tensor];
    match (&tensor.name, tensor.span) {
        (Some(name), Some(span)) if Some(span) != shown => {
            d.secondary(span, format!("while computing `{name}`"))
        }
        _ => d,
    }
}
