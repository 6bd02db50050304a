//! Runs of clauses: which clauses make up one definition, and which definitions are
//! checked together because they read each other.

use crate::checker::Checker;
use crate::hir::Stmt;
use crate::indexed::Clauses;
use crate::names::{mentioned_names, names_in};
use crate::scope::Binding;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic, Edit};
use weft_syntax::ast;

impl Checker<'_> {
    /// How many statements at the front one run of clauses takes: those that follow each
    /// other, and later ones that they read before those are defined, with plain bindings
    /// between that do not need them.
    pub fn run_length(&mut self, stmts: &[ast::Stmt]) -> usize {
        let adjacent = |s: &&ast::Stmt| clause_name(s).is_some();
        let mut end = stmts.iter().take_while(adjacent).count();
        let mut next = 0;
        while next < end {
            if let ast::StmtKind::Indexed(clause) = &stmts[next].kind
                && let Some(at) = self.later_definition(clause, stmts, end)
                && stmts[end..at].iter().all(|s| is_plain(s, &stmts[..at]))
            {
                let more = stmts[at..].iter().take_while(adjacent).count();
                end = at + more;
            }
            next += 1;
        }
        end
    }

    /// The first clause from `from` on that defines a name that `clause` reads and nothing
    /// before defines.
    fn later_definition(
        &mut self,
        clause: &ast::Indexed,
        stmts: &[ast::Stmt],
        from: usize,
    ) -> Option<usize> {
        let mut names = Vec::new();
        mentioned_names(clause, &mut |n| names.push(n.to_string()));
        let index = |n: &str| {
            clause.slots.iter().any(|s| match &s.kind {
                ast::SlotKind::Index { name, .. } => name.as_str() == n,
                _ => false,
            })
        };
        names.retain(|n| {
            let defined =
                stmts[..from].iter().any(|s| clause_name(s).is_some_and(|d| d.as_str() == n));
            !index(n) && !defined && self.lookup(n).is_none()
        });
        if names.is_empty() {
            return None;
        }
        (from..stmts.len()).find(|at| {
            clause_name(&stmts[*at]).is_some_and(|d| names.iter().any(|n| d.as_str() == n))
        })
    }

    /// The run of clauses: definitions, grouped where they read each other. Other
    /// statements among them are passed over.
    pub fn clauses(&mut self, stmts: &[ast::Stmt], host: bool, out: &mut Vec<Stmt>) {
        let mut run: Vec<Clauses> = Vec::new();
        let mut before: Option<&Name> = None;
        for stmt in stmts {
            let last = before.take();
            let ast::StmtKind::Indexed(clause) = &stmt.kind else { continue };
            before = Some(&clause.name.name);
            match run.last_mut() {
                Some(d) if last == before && d[0].0.name.name == clause.name.name => {
                    d.push((clause, stmt.span));
                }
                // It is already said of the clause before that it stands apart.
                _ if last == before => {}
                _ => self.open_definition(clause, stmt.span, &mut run),
            }
        }
        let mut at = 0;
        while at < run.len() {
            let end = self.group_end(&run, at);
            let made = self.definitions_of(&run[at..end]);
            if host {
                out.append(&mut self.cx().pending);
            }
            out.extend(made);
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

    /// The first clause of a name in a run. A clause that stands apart from others of its
    /// name is reported, and joins them.
    fn open_definition<'s>(
        &mut self,
        clause: &'s ast::Indexed,
        span: Span,
        run: &mut Vec<Clauses<'s>>,
    ) {
        let same = |d: &Clauses| d.first().is_some_and(|c| c.0.name.name == clause.name.name);
        if let Some(earlier) = run.iter_mut().find(|d| same(d)) {
            let last = earlier.last().expect("it has the clause found").1;
            self.apart(clause, span, last);
            return earlier.push((clause, span));
        }
        match self.reopened(&clause.name) {
            Some(last) => {
                self.apart(clause, span, last);
                self.bind(&clause.name.name, Binding::Poisoned);
            }
            None => run.push(vec![(clause, span)]),
        }
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
    fn group_end(&mut self, run: &[Clauses], at: usize) -> usize {
        let mut end = at + 1;
        let mut next = at;
        while next < end {
            for (clause, _) in &run[next] {
                let mut names = Vec::new();
                mentioned_names(clause, &mut |n| names.push(n.to_string()));
                for n in names {
                    let later = (end..run.len()).find(|k| run[*k][0].0.name.as_str() == n);
                    if let Some(k) = later.filter(|_| self.lookup(&n).is_none()) {
                        end = k + 1;
                    }
                }
            }
            next += 1;
        }
        end
    }
}

/// The name a clause defines.
pub(crate) fn clause_name(stmt: &ast::Stmt) -> Option<&weft_base::Name> {
    match &stmt.kind {
        ast::StmtKind::Indexed(clause) => Some(&clause.name.name),
        _ => None,
    }
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
