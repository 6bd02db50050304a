//! What staging refuses, and what it warns of.

use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};

/// What is checked, and has no form yet.
pub(crate) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::E0010, format!("{what} is not supported yet"))
        .primary(span, "checked, but not run")
}

/// What would have another shape in each cell.
pub(crate) fn extent_in_cells(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E1107, "an extent that is computed inside a clause")
        .primary(span, "it could be another in each cell, and a tensor has one shape")
        .help("compute it before the clause, or pass it to the function")
}

/// Output of cells.
pub(crate) fn print_in_cells(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E1107, "`print` inside a clause")
        .primary(span, "cells are computed in no particular order")
}

/// Host data of cells.
pub(crate) fn host_data_of_cells(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E1107, "host data that differs from cell to cell")
        .primary(span, "the host knows this before it knows any cell")
        .help("compute it before the clause, and read numbers of it inside")
}

/// A value without a form for the host.
pub(crate) fn value_of_cells(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E1107, "a value of cells alone")
        .primary(span, "it can be used in clauses, and not be shown or handed out")
}

/// A call of a function of scalars that has no form in cells.
pub(crate) fn too_large_for_cells(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E1107, "a function too large for cells calls itself inside a clause")
        .primary(span, "cells of the same function call this one")
        .help("call it before the clause, or divide it")
}

/// A call of the host for each cell whose arguments depend on what the calls give.
pub(crate) fn call_in_recurrence(span: Span) -> Diagnostic {
    let headline = "a recursive function of tensors is called within a recurrence";
    Diagnostic::error(Code::E0511, headline)
        .primary(span, "its arguments depend on what it gives for other cells")
        .note("the host makes such calls, for all cells at once")
        .help("say what it computes as a definition, or by a function of scalars")
}

/// A differential that is shown as it is.
pub(crate) fn differential_as_value(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0603, "a differential where a value is needed")
        .primary(span, "this is a differential")
        .help("divide it first: `@y / @x` is a value")
}

/// A derivative that leads through what has none.
pub(crate) fn no_derivative_through(what: &str, asked: Option<Span>) -> Diagnostic {
    let d = Diagnostic::error(Code::E0602, format!("no derivative through {what}"));
    match asked {
        Some(span) => d.primary(span, "asked for here"),
        None => d,
    }
}

/// A derivative that leads through what the host alone computes.
pub(crate) fn no_derivative_of_the_host(asked: Option<Span>) -> Diagnostic {
    no_derivative_through("a value of the host", asked)
        .note("lists, strings, recursive enums run on the host, whose values have no derivatives")
        .note("so do recursive functions that take or give anything but scalars")
        .help("say it as a reduction or a recurrence: `let y[n in 1..N] = … y[n - 1] …`")
}

/// A derivative that leads through what a function outside of the program gives.
pub(crate) fn no_derivative_of_a_call(function: &Name, asked: Option<Span>) -> Diagnostic {
    no_derivative_through(&format!("`{function}`"), asked)
        .note("it is computed outside of the program, where nothing is known of how it changes")
        .help("call it in a function that has a rule: `fn f(x) { … }`, `@fn f(x) { … @x }`")
}

/// A derivative that is nothing. By a name that copies cells the copy is meant, and not them.
pub(crate) fn zero_derivative(span: Span, cut: Option<&str>, copied: Option<&Name>) -> Diagnostic {
    let why = match cut {
        Some(cut) => format!("every path is cut by {cut}, which is locally constant"),
        None => "the one does not depend on the other".into(),
    };
    let d = Diagnostic::warning(Code::ZeroDerivative, "a derivative that is zero everywhere")
        .primary(span, why);
    match copied {
        Some(of) if cut.is_none() => d
            .note(format!("the name divided by is bound to what `{of}` holds, and nothing above it is made of that name"))
            .help(format!("differentiate by the cells themselves: `@{of}`")),
        _ => d,
    }
}
