//! Runs of clauses: which clauses make up one definition, and which definitions are
//! checked together because they read each other.

use crate::checker::Checker;
use crate::free_names::free_names;
use crate::hir::Stmt;
use crate::indexed::Clauses;
use crate::names::{clause_name, names_in};
use crate::scope::Binding;
use rustc_hash::FxHashMap;
use std::ops::Range;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic, Edit};
use weft_syntax::ast;

/// Where a block's clauses stand, by name.
pub(crate) struct Places<'s>(FxHashMap<&'s Name, Vec<usize>>);

impl<'s> Places<'s> {
    pub fn of(stmts: &'s [ast::Stmt]) -> Self {
        let mut places: FxHashMap<&Name, Vec<usize>> = FxHashMap::default();
        for (at, stmt) in stmts.iter().enumerate() {
            clause_name(stmt).into_iter().for_each(|n| places.entry(n).or_default().push(at));
        }
        Places(places)
    }

    /// The first clause of `name` from statement `from` on.
    fn next(&self, name: &Name, from: usize) -> Option<usize> {
        let all = self.0.get(name)?;
        all.get(all.partition_point(|at| *at < from)).copied()
    }
}

/// Where in a run the definition of a name is; none where its clauses stand apart from those of
/// an earlier one.
type Definitions<'s> = FxHashMap<&'s Name, Option<usize>>;

impl Checker<'_> {
    /// How many statements from `at` on one run of clauses takes: those that follow each
    /// other, and later ones that they read before those are defined, with plain bindings
    /// between that do not need them.
    pub fn run_length(&mut self, stmts: &[ast::Stmt], at: usize, places: &Places) -> usize {
        let adjacent = |s: &&ast::Stmt| clause_name(s).is_some();
        let mut end = at + stmts[at..].iter().take_while(adjacent).count();
        let mut next = at;
        while next < end {
            if let ast::StmtKind::Indexed(clause) = &stmts[next].kind
                && let Some(later) = self.later_definition(clause, at..end, places)
                && stmts[end..later].iter().all(|s| is_plain(s, &stmts[at..later]))
            {
                let more = stmts[later..].iter().take_while(adjacent).count();
                end = later + more;
            }
            next += 1;
        }
        end - at
    }

    /// The first clause behind a run that defines a name that `clause` reads, and that
    /// neither the run nor anything before defines.
    fn later_definition(
        &mut self,
        clause: &ast::Indexed,
        run: Range<usize>,
        places: &Places,
    ) -> Option<usize> {
        let mut found: Option<usize> = None;
        free_names(clause, &mut |n| {
            let in_run = places.next(n, run.start).is_some_and(|at| at < run.end);
            let later = if in_run { None } else { places.next(n, run.end) };
            if let Some(later) = later.filter(|at| found.is_none_or(|f| *at < f))
                && self.lookup(n.as_str()).is_none()
            {
                found = Some(later);
            }
        });
        found
    }

    /// The run of clauses: definitions, grouped where they read each other. Other
    /// statements among them are passed over.
    pub fn clauses(&mut self, stmts: &[ast::Stmt], host: bool, out: &mut Vec<Stmt>) {
        let mut run: Vec<Clauses> = Vec::new();
        let mut places = Definitions::default();
        for stmt in stmts {
            let ast::StmtKind::Indexed(clause) = &stmt.kind else { continue };
            let name = &clause.name.name;
            match places.get(name) {
                Some(Some(at)) => run[*at].push((clause, stmt.span)),
                // It is already said of the clause before that it stands apart.
                Some(None) => {}
                None => {
                    let at = run.len();
                    let opened = self.open_definition(clause, stmt.span, &mut run);
                    places.insert(name, opened.then_some(at));
                }
            }
        }
        let mut at = 0;
        while at < run.len() {
            let end = self.group_end(&run, at, &places);
            for group in in_order(&run, at..end, &places) {
                let made = self.definitions_of(&group);
                if host {
                    out.append(&mut self.cx().pending);
                }
                out.extend(made);
            }
            at = end;
        }
    }

    /// Definitions, with their coproduct axes taken apart.
    fn definitions_of(&mut self, group: &[Clauses]) -> Vec<Stmt> {
        let joined = |s: &ast::Slot| matches!(s.kind, ast::SlotKind::Coproduct(_));
        if !group.iter().flatten().any(|(c, _)| c.slots.iter().any(joined)) {
            return self.definitions(group);
        }
        let expanded: Vec<Vec<(ast::Indexed, Span)>> = group
            .iter()
            .map(|d| {
                let each = |(c, span): &(&ast::Indexed, Span)| {
                    let all = self.alternatives(c, *span);
                    all.into_iter().map(|c| (c, *span)).collect::<Vec<_>>()
                };
                d.iter().flat_map(each).collect()
            })
            .collect();
        let group: Vec<Clauses> = expanded
            .iter()
            .filter(|d| !d.is_empty())
            .map(|d| d.iter().map(|(c, span)| (c, *span)).collect())
            .collect();
        if group.is_empty() { Vec::new() } else { self.definitions(&group) }
    }

    /// The first clause of a name in a run: whether it begins a definition. One that goes on with
    /// a definition before the run stands apart, which is reported.
    fn open_definition<'s>(
        &mut self,
        clause: &'s ast::Indexed,
        span: Span,
        run: &mut Vec<Clauses<'s>>,
    ) -> bool {
        if let Some(last) = self.reopened(&clause.name) {
            self.apart(clause, span, last);
            self.bind(&clause.name.name, Binding::Poisoned);
            return false;
        }
        run.push(vec![(clause, span)]);
        true
    }

    /// The last clause of an earlier definition that this scope's `name` still means.
    fn reopened(&mut self, name: &ast::Ident) -> Option<Span> {
        let scope = self.cx().scopes.last().expect("a scope is open");
        match scope.find(name.as_str(), u32::MAX)? {
            Binding::Local(id) => {
                let id = *id;
                self.cx().defined.get(&id).copied()
            }
            _ => None,
        }
    }

    fn apart(&mut self, clause: &ast::Indexed, span: Span, last: Span) {
        let moved = format!("\n{}", self.source.text(span));
        let edits = vec![
            Edit { span: Span::new(last.file, last.end, last.end), replacement: moved },
            Edit { span, replacement: String::new() },
        ];
        let d = Diagnostic::error(
            Code::E0506,
            format!("the clauses of `{}` stand apart", clause.name.name),
        )
        .primary(clause.name.span, "this clause is separated from the others")
        .secondary(last, "the definition ends here")
        .help_edits("move the clause next to the others, or give it another name", edits);
        self.report(d);
    }

    /// One past the last definition that must be checked together with `run[at]`: a body
    /// may name a later definition where no earlier binding has that name.
    fn group_end(&mut self, run: &[Clauses], at: usize, places: &Definitions) -> usize {
        let mut end = at + 1;
        let mut next = at;
        while next < end {
            for (clause, _) in &run[next] {
                free_names(clause, &mut |n| {
                    let later = places.get(n).copied().flatten().filter(|k| *k >= end);
                    if let Some(k) = later.filter(|_| self.lookup(n.as_str()).is_none()) {
                        end = k + 1;
                    }
                });
            }
            next += 1;
        }
        end
    }
}

/// The definitions of a group behind those that they read; those that read each other are one.
fn in_order<'s>(
    run: &[Clauses<'s>],
    group: Range<usize>,
    places: &Definitions,
) -> Vec<Vec<Clauses<'s>>> {
    let reads: Vec<Vec<usize>> =
        run[group.clone()].iter().map(|d| reads_of(d, &group, places)).collect();
    let components = weft_base::scc::components(group.len(), &|at| reads[at].clone());
    let in_source_order = |mut members: Vec<usize>| {
        members.sort_unstable();
        members.into_iter().map(|at| run[group.start + at].clone()).collect()
    };
    components.into_iter().map(in_source_order).collect()
}

/// The definitions of a group that the clauses of one mention, by their place in it.
fn reads_of(d: &Clauses, group: &Range<usize>, places: &Definitions) -> Vec<usize> {
    let mut found = Vec::new();
    for (clause, _) in d {
        free_names(clause, &mut |n| {
            let at = places.get(n).copied().flatten().filter(|at| group.contains(at));
            found.extend(at.map(|at| at - group.start));
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a statement is a binding that reads none of the definitions.
fn is_plain(stmt: &ast::Stmt, definitions: &[ast::Stmt]) -> bool {
    let ast::StmtKind::Let(l) = &stmt.kind else {
        return matches!(stmt.kind, ast::StmtKind::Indexed(_) | ast::StmtKind::Const(_));
    };
    let mut free = true;
    names_in(&l.value, &mut |n| {
        free &= !definitions.iter().any(|d| clause_name(d).is_some_and(|d| d.as_str() == n));
    });
    free
}
