//! What the compiler makes of a program, told definition by definition: the index space,
//! the equations after checking, where each size came from, where the numbers live.

mod equation;

use crate::session::{Checked, Session};
use crate::structure::{Store, structure};
use equation::Equation;
use std::collections::BTreeSet;
use std::fmt::Write;
use weft_base::{SourceMap, Span};
use weft_diag::{Code, Diagnostic};
use weft_shape::{Param, Size};
use weft_tensor::{Definition, Graph, TensorId};

impl Session {
    /// The explanation of every named definition, or of those called `name`.
    pub fn explain(
        &self,
        program: &Checked,
        name: Option<&str>,
    ) -> Result<String, Box<Diagnostic>> {
        let graph = &program.host.graph;
        let named = graph.tensors.iter().filter(|(_, t)| match (&t.name, name) {
            (Some(has), Some(wanted)) => has.as_str() == wanted,
            (has, None) => has.is_some(),
            (None, Some(_)) => false,
        });
        let ids: Vec<TensorId> = named.map(|(id, _)| id).collect();
        match name {
            Some(name) if ids.is_empty() => Err(Box::new(unknown(graph, name))),
            _ => Ok(explanation(program, &ids, &self.sources)),
        }
    }
}

fn unknown(graph: &Graph, name: &str) -> Diagnostic {
    let names: BTreeSet<String> =
        graph.tensors.values().filter_map(|t| Some(format!("`{}`", t.name.as_ref()?))).collect();
    let d = Diagnostic::error(Code::E1101, format!("no definition is called `{name}`"));
    match names.len() {
        0 => d.note("the program defines no tensor"),
        _ => d.note(format!(
            "the definitions are {}",
            names.into_iter().collect::<Vec<_>>().join(", ")
        )),
    }
}

fn explanation(program: &Checked, ids: &[TensorId], sources: &SourceMap) -> String {
    let graph = &program.host.graph;
    let parts: Vec<String> = ids.iter().map(|&t| definition(graph, t, sources)).collect();
    let mut out = parts.join("\n");
    let sizes = sizes(graph, ids, sources);
    if !sizes.is_empty() {
        let _ = write!(out, "\nsizes\n{sizes}");
    }
    let _ = write!(out, "\n{}", storage(program, ids));
    out
}

fn definition(graph: &Graph, id: TensorId, sources: &SourceMap) -> String {
    let tensor = &graph.tensors[id];
    let name = tensor.name.as_ref().map_or(String::new(), ToString::to_string);
    let mut out = format!("{name}: {}", type_text(graph, id));
    let _ = writeln!(out, "{}", place(tensor.span, sources));
    let _ = match &tensor.definition {
        Definition::Input => writeln!(out, "  given by the caller"),
        Definition::Constant(_) => writeln!(out, "  a literal"),
        Definition::Assigned { pieces, covered } => {
            for &piece in pieces {
                let _ = writeln!(out, "  {}", Equation::new(graph, piece).text());
            }
            if *covered { Ok(()) } else { writeln!(out, "  zero in all other cells") }
        }
    };
    out
}

fn type_text(graph: &Graph, id: TensorId) -> String {
    let tensor = &graph.tensors[id];
    let axes: Vec<String> = tensor
        .axes
        .iter()
        .map(|a| match &a.name {
            Some(name) => format!("{name}: {}", size_text(graph, &a.extent)),
            None => size_text(graph, &a.extent),
        })
        .collect();
    if axes.is_empty() {
        tensor.elem.to_string()
    } else {
        format!("{} over [{}]", tensor.elem, axes.join(", "))
    }
}

/// A size with its parameters by name.
fn size_text(graph: &Graph, size: &Size) -> String {
    size.display(&|p| graph.params[p].name.to_string())
}

fn place(span: Option<Span>, sources: &SourceMap) -> String {
    let Some(span) = span else { return String::new() };
    let at = sources.line_col(span);
    format!("    ({}:{}:{})", sources.file(span.file).name, at.line, at.column)
}

/// Where the symbolic sizes of some tensors come from.
fn sizes(graph: &Graph, ids: &[TensorId], sources: &SourceMap) -> String {
    let params: BTreeSet<Param> =
        ids.iter().flat_map(|&t| graph.shape(t)).flat_map(Size::params).collect();
    let lines = params.into_iter().map(|p| {
        let info = &graph.params[p];
        let value = info.default.map_or(String::new(), |n| format!(" = {n} unless given"));
        format!("  {}{value}{}\n", info.name, place(info.span, sources))
    });
    lines.collect()
}

fn storage(program: &Checked, ids: &[TensorId]) -> String {
    let structure = match structure(program) {
        Ok(structure) => structure,
        Err(missing) => return format!("storage: {missing}\n"),
    };
    let graph = &program.host.graph;
    let shown = |name| ids.iter().any(|&t| graph.tensors[t].name.as_ref() == Some(name));
    let mut out = format!("{} kernels\n", structure.kernels);
    for (name, store) in structure.stores.iter().filter(|(name, _)| shown(name)) {
        let _ = match store {
            Store::None => writeln!(out, "  {name}: not stored"),
            Store::Window(n) => writeln!(out, "  {name}: the last {n} cells"),
            Store::Whole => writeln!(out, "  {name}: stored whole"),
        };
    }
    out
}
