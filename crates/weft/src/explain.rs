//! What the compiler made of a program, in words.

use crate::session::{Checked, Options, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use weft_base::entity::PrimaryMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic, closest_name};
use weft_executor::RunOptions;
use weft_host::RunError;
use weft_pipeline::Choice;
use weft_plan::{Plan, Storage};
use weft_sema::thir::{self, RangeSource};
use weft_shape::{Param, Size};
use weft_tensor::{
    Affine, Assignment, Called, Constraint, Definition, Expr, Graph, IndexTerm, Relation, Tensor,
    TensorId, affine_text, equations,
};

impl Session {
    /// Equations, index spaces, projections, ranges and their sources, storage and its reasons, and
    /// memory: of one name, or of the whole program, as a run with these options has them.
    ///
    /// # Errors
    ///
    /// An unknown name, an input that is given wrong, or a definition without an order of
    /// computation.
    pub fn explain(
        &self,
        program: &Checked,
        name: Option<&str>,
        options: &Options,
        how: &RunOptions<'_>,
    ) -> Result<String, RunError> {
        let graph = &program.staged.host.graph;
        let segments = self.segments(&program.staged, options, how, &|_| false)?;
        let choices: Vec<Choice> = segments.iter().flat_map(|(_, c)| c.choices()).collect();
        let plans: Vec<Plan> = segments.into_iter().map(|(_, c)| c.plan).collect();
        let own = |(t, info): (TensorId, &Tensor)| Some((t, info.name.as_ref()?.to_string()));
        let names: BTreeMap<TensorId, String> = graph.tensors.iter().filter_map(own).collect();
        let called = Called { names, linear: BTreeSet::new() };
        let mut out = String::new();
        let mut any = false;
        for (t, info) in graph.tensors.iter() {
            let Some(own) = &info.name else { continue };
            if name.is_none_or(|n| n == own.as_str()) {
                any = true;
                self.tensor((program, &plans), &called, t, &mut out);
                schedule(&choices, t, &mut out);
                out.push('\n');
            }
        }
        let any = self.derivatives(program, name, &mut out) || any;
        if let (Some(name), false) = (name, any) {
            return Err(unknown(program, name).into());
        }
        if name.is_none() {
            memory(graph, &plans, &mut out);
        }
        Ok(out)
    }

    fn tensor(
        &self,
        (program, plans): (&Checked, &[Plan]),
        called: &Called,
        t: TensorId,
        out: &mut String,
    ) {
        let graph = &program.staged.host.graph;
        let info = &graph.tensors[t];
        let name = info.name.as_ref().map_or(t.to_string(), Name::to_string);
        let axes: Vec<String> = info
            .axes
            .iter()
            .map(|a| match &a.name {
                Some(n) => format!("{n}: {}", size(graph, &a.extent)),
                None => size(graph, &a.extent),
            })
            .collect();
        let place = info.span.map_or(String::new(), |s| format!("   ({})", self.place(s)));
        let _ = writeln!(out, "{name}: {} [{}]{place}", info.elem, axes.join(", "));
        match &info.definition {
            Definition::Input => out.push_str("  an input\n"),
            Definition::Constant(_) => out.push_str("  a literal\n"),
            Definition::Assigned { pieces, covered } => {
                equation(graph, called, t, out);
                for p in pieces {
                    assignment(graph, &graph.assigns[*p], out);
                }
                if !covered {
                    out.push_str("  cells that no piece writes are zero\n");
                }
            }
        }
        self.sources_of_ranges(program, info.span, out);
        let storage = plans.iter().find(|p| p.storage[t] != Storage::Unused);
        if let Some(order) = storage.and_then(|p| p.order_of(t)) {
            let _ = writeln!(out, "  order: {order}");
        }
        storage.into_iter().for_each(|p| parts(p, t, out));
        match storage.and_then(|p| p.storage_text(t)) {
            Some(text) => drop(writeln!(out, "  storage: {text}")),
            None => out.push_str("  storage: none (nothing that is observed needs it)\n"),
        }
    }

    /// Each part of a derivative that is asked for, with how it is had.
    ///
    /// Those of a name are the derivatives of it and by it, and those that its value asks for.
    fn derivatives(&self, program: &Checked, name: Option<&str>, out: &mut String) -> bool {
        let tensors = &program.staged.host.graph.tensors;
        let named = |t: TensorId| tensors[t].name.as_ref().map_or("…", |n| n.as_str());
        let value = name.and_then(|name| value_of(program, name));
        let mut any = false;
        for s in &program.sweeps {
            let (y, x) = (named(s.target), named(s.independent));
            let asked = value.zip(s.span).is_some_and(|(value, s)| {
                value.file == s.file && value.start <= s.start && s.end <= value.end
            });
            if name.is_some_and(|n| n != y && n != x) && !asked {
                continue;
            }
            any = true;
            let place = s.span.map_or(String::new(), |s| format!("   ({})", self.place(s)));
            let bound = name.filter(|_| asked).map_or(String::new(), |n| format!("{n} = "));
            let _ = writeln!(out, "{bound}@{y} / @{x}{place}\n  {}\n", s.text);
        }
        any
    }

    fn place(&self, span: Span) -> String {
        let at = self.sources.line_col(span);
        format!("{}:{}:{}", self.sources.file(span.file).name, at.line, at.column)
    }

    /// Where the ranges of a definition's indices come from.
    fn sources_of_ranges(&self, program: &Checked, span: Option<Span>, out: &mut String) {
        let Some(span) = span else { return };
        for body in program.hir.bodies.values() {
            for stmt in &body.block.stmts {
                let thir::Stmt::Tensors(definitions) = stmt else { continue };
                for d in definitions.iter().filter(|d| body.locals[d.local].span == span) {
                    for c in &d.clauses {
                        c.iters.iter().for_each(|i| self.source_of(body, *i, out));
                    }
                }
            }
        }
    }

    fn source_of(&self, body: &thir::Body, i: weft_tensor::Iter, out: &mut String) {
        let info = &body.iters[i];
        let from = match &info.source {
            Some(RangeSource::Written(s)) => format!("written at {}", self.place(*s)),
            Some(RangeSource::Joined(s)) => format!("joined at {}", self.place(*s)),
            Some(RangeSource::Read(s) | RangeSource::Guard(s)) => {
                format!("from `{}` at {}", self.sources.text(*s), self.place(*s))
            }
            Some(RangeSource::Siblings) => "from the other clauses".to_string(),
            None => return,
        };
        let show = |s: &Size| s.display(&|p| body.params[p].name.to_string());
        let range = match &info.range {
            Some((lo, hi)) => match (lo.as_size(), hi.as_size()) {
                (Some(lo), Some(hi)) => format!("{}..{}", show(lo), show(hi)),
                _ => "a range that depends on other indices".to_string(),
            },
            None => return,
        };
        let _ = writeln!(out, "  range of {}: {range}, {from}", info.name);
    }
}

/// The definition as an equation, with reductions where they are read.
fn equation(graph: &Graph, called: &Called, t: TensorId, out: &mut String) {
    let left = called.names.get(&t).map_or("", String::as_str);
    for e in equations(graph, called, t).unwrap_or_default() {
        let _ = writeln!(out, "  {left}{} = {}", e.slots, e.right);
    }
}

/// The value that the top level binds to a name.
fn value_of(program: &Checked, name: &str) -> Option<Span> {
    let body = &program.hir.bodies[program.hir.main?];
    body.block.stmts.iter().rev().find_map(|stmt| match stmt {
        thir::Stmt::Let(local, value) if body.locals[*local].name.as_str() == name => {
            Some(value.span)
        }
        _ => None,
    })
}

/// A name of which nothing can be explained, and those of which something can.
fn unknown(program: &Checked, name: &str) -> Diagnostic {
    let tensors = program.staged.host.graph.tensors.values().filter_map(|t| t.name.as_ref());
    let mut names: Vec<&str> = tensors.map(Name::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let d = Diagnostic::error(Code::E1101, format!("the program defines no tensor `{name}`"));
    let d = match closest_name(name, names.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d,
    };
    let listed: Vec<String> = names.iter().take(MOST_NAMES).map(|n| format!("`{n}`")).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    match (names.is_empty(), more) {
        (true, _) => d.note("it defines none"),
        (false, 0) => d.note(format!("its tensors are {}", listed.join(", "))),
        (false, _) => d.note(format!("its tensors are {} and {more} more", listed.join(", "))),
    }
}

/// Names that a message lists.
const MOST_NAMES: usize = 30;

fn size(graph: &Graph, s: &Size) -> String {
    let text = s.display(&|p| graph.params[p].name.to_string());
    match s.eval(&|p| graph.params[p].default) {
        Some(n) if n.to_string() != text => format!("{text} (= {n})"),
        _ => text,
    }
}

/// The index space and the projections of one assignment.
fn assignment(graph: &Graph, a: &Assignment, out: &mut String) {
    let term = |x: &Affine| term_text(graph, a, x);
    let ranges = ranges(graph, a);
    let reduced: Vec<String> = a.reduced().iter().map(|i| iter_name(a, *i)).collect();
    let guards: Vec<String> = a.space.guards.iter().map(|g| guard_text(g, &term)).collect();
    let space = if ranges.is_empty() { "one point".to_string() } else { ranges.join(", ") };
    let when =
        if guards.is_empty() { String::new() } else { format!(" where {}", guards.join(", ")) };
    let _ = writeln!(out, "  index space: {space}{when}");
    let write: Vec<String> = a.write.iter().map(|t| index_text(t, &term)).collect();
    let over = if reduced.is_empty() {
        String::new()
    } else {
        format!(", {} over {}", a.accumulator, reduced.join(", "))
    };
    let _ = writeln!(out, "    writes [{}]{over}", write.join(", "));
    for e in a.exprs.ids() {
        if let Expr::Read { tensor, index, site } = a.exprs.get(e) {
            let info = &graph.tensors[*tensor];
            let name = match (&info.name, info.span) {
                (Some(n), _) => n.to_string(),
                _ => tensor.to_string(),
            };
            let index: Vec<String> = index.iter().map(|t| index_text(t, &term)).collect();
            let checked = if site.is_some() { ", each access checked" } else { "" };
            let _ = writeln!(out, "    reads {name}[{}]{checked}", index.join(", "));
        }
    }
}

/// How the loops of a definition were chosen: those over time that it is computed in, and those
/// of its pieces.
fn schedule(choices: &[Choice], t: TensorId, out: &mut String) {
    let mut said = BTreeSet::new();
    for c in choices.iter().filter(|c| c.targets.contains(&t) && !c.way.is_empty()) {
        let what = if c.is_over_time { "steps" } else { "loops" };
        let mut text = format!("  {what}: {}\n", c.way);
        for note in c.notes() {
            let _ = writeln!(text, "    {note}");
        }
        if said.insert(text.clone()) {
            out.push_str(&text);
        }
    }
}

/// The parts that a definition is computed in, so that what it asks of its indices is decided in
/// most of them.
fn parts(plan: &Plan, t: TensorId, out: &mut String) {
    for a in plan.parts_of(t) {
        let ranges: Vec<String> = ranges(&plan.graph, a);
        let _ = writeln!(out, "  computed apart: {}", ranges.join(", "));
    }
}

/// The ranges of an index space: `i in 0..n`.
fn ranges(graph: &Graph, a: &Assignment) -> Vec<String> {
    let term = |x: &Affine| term_text(graph, a, x);
    let range = |r: &weft_tensor::Range| {
        format!("{} in {}..{}", iter_name(a, r.iter), term(&r.lo), term(&r.hi))
    };
    a.space.ranges.iter().map(range).collect()
}

fn iter_name(a: &Assignment, i: weft_tensor::Iter) -> String {
    a.space.iters[i].as_ref().map_or_else(|| i.to_string(), Name::to_string)
}

fn index_text(t: &IndexTerm, term: &dyn Fn(&Affine) -> String) -> String {
    match t {
        IndexTerm::Affine(a) => term(a),
        IndexTerm::Data(_) => "computed".to_string(),
    }
}

fn guard_text(g: &Constraint, term: &dyn Fn(&Affine) -> String) -> String {
    match g.relation {
        Relation::AtLeastZero => format!("{} >= 0", term(&g.term)),
        Relation::Zero => format!("{} == 0", term(&g.term)),
    }
}

fn term_text(graph: &Graph, a: &Assignment, x: &Affine) -> String {
    affine_text(x, &|i| iter_name(a, i), &|s| plain(graph, s))
}

fn plain(graph: &Graph, s: &Size) -> String {
    s.display(&|p: Param| graph.params[p].name.to_string())
}

/// Memory of each segment, where all parameters have values.
fn memory(graph: &Graph, plans: &[Plan], out: &mut String) {
    let values: Option<PrimaryMap<Param, i64>> = graph.params.values().map(|p| p.default).collect();
    for (n, plan) in plans.iter().enumerate() {
        let _ = match values.as_ref().and_then(|v| plan.bind(v, None).ok()) {
            Some(bound) => writeln!(out, "segment {n}: {} bytes in buffers", bound.peak_bytes),
            None => writeln!(out, "segment {n}: memory is known once the inputs are"),
        };
    }
}
