//! Clauses of a block: made into definitions, each at its site (`sites.rs`).

use crate::checker::Checker;
use crate::indexed::{Clauses, Written};
use crate::names::clause_name;
use crate::scope::Binding;
use crate::sites::{Group, Sites, rebinds, sites};
use crate::thir::Stmt;
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};
use weft_syntax::ast;

/// The clauses of a block, while its statements are gone through.
pub(crate) struct BlockClauses<'s> {
    stmts: &'s [ast::Stmt],
    sites: Sites,
    /// What was bound before each statement.
    orders: Vec<u32>,
    /// How many stretches of clauses, with other statements between, stand before each.
    stretches: Vec<u32>,
}

impl Checker<'_> {
    /// The clauses of a block whose items are known.
    pub fn block_clauses<'s>(&mut self, stmts: &'s [ast::Stmt]) -> BlockClauses<'s> {
        let sites = sites(stmts, &mut |n| self.lookup(n.as_str()).is_some());
        let mut stretch = 0;
        let stretches = stmts.iter().map(|s| {
            stretch += u32::from(clause_name(s).is_none());
            stretch
        });
        BlockClauses { stmts, sites, orders: Vec::new(), stretches: stretches.collect() }
    }

    /// Passes a clause: definitions that have their site here are made.
    pub fn at_clause(&mut self, block: &BlockClauses, at: usize, out: &mut Vec<Stmt>) {
        let stmt = &block.stmts[at];
        if let (Some(last), ast::StmtKind::Indexed(clause)) =
            (block.sites.apart.get(&at), &stmt.kind)
        {
            self.apart(clause, stmt.span, block.stmts[*last].span);
            self.bind(&clause.name.name, Binding::Poisoned);
        }
        for group in block.sites.behind(at) {
            let made = self.group_at(block, group, at);
            self.in_order(made, out);
        }
    }

    /// A definition by one clause.
    pub fn lone_definition(&mut self, clause: &ast::Indexed, span: Span, out: &mut Vec<Stmt>) {
        let made = self.definitions_of(&[vec![Written::alone(clause, span)]]);
        self.in_order(made, out);
    }

    /// Statements behind what must stand before them.
    fn in_order(&mut self, made: Vec<Stmt>, out: &mut Vec<Stmt>) {
        if self.is_host() {
            out.append(&mut self.cx().pending);
        }
        out.extend(made);
    }

    fn group_at(&mut self, block: &BlockClauses, group: &Group, site: usize) -> Vec<Stmt> {
        let written = |at: &usize| {
            let stmt = &block.stmts[*at];
            let ast::StmtKind::Indexed(clause) = &stmt.kind else { return None };
            let limit = rebinds(clause, &block.stmts[*at..site]).then(|| block.orders[*at]);
            Some(Written { clause, span: stmt.span, stretch: block.stretches[*at], limit })
        };
        let definitions: Vec<Clauses> =
            group.definitions.iter().map(|d| d.iter().filter_map(written).collect()).collect();
        self.definitions_of(&definitions)
    }

    /// Definitions, with their coproduct axes taken apart.
    fn definitions_of(&mut self, group: &[Clauses]) -> Vec<Stmt> {
        let joined = |s: &ast::Slot| matches!(s.kind, ast::SlotKind::Coproduct(_));
        if !group.iter().flatten().any(|w| w.clause.slots.iter().any(joined)) {
            return self.definitions(group);
        }
        let mut expanded: Vec<Vec<(ast::Indexed, Written)>> = Vec::new();
        for definition in group {
            let mut all = Vec::new();
            for w in definition {
                let made = self.within_limit(w.limit, |c| c.alternatives(w.clause, w.span));
                all.extend(made.into_iter().map(|c| (c, *w)));
            }
            expanded.push(all);
        }
        let group: Vec<Clauses> = expanded
            .iter()
            .filter(|d| !d.is_empty())
            .map(|d| d.iter().map(|(clause, w)| Written { clause, ..*w }).collect())
            .collect();
        if group.is_empty() { Vec::new() } else { self.definitions(&group) }
    }

    /// A clause that stands apart from its definition: between them that is read.
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
}

impl BlockClauses<'_> {
    /// Notes what is bound before the next statement.
    pub fn note_order(&mut self, order: u32) {
        self.orders.push(order);
    }
}
