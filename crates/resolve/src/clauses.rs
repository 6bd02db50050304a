//! Clauses of a block: made into definitions, each at its site (`sites.rs`).

use crate::names::{Divided, clause_name, split_where};
use crate::resolver::Resolver;
use crate::scope::{Binding, Defined, Definitions};
use crate::sites::{Sites, sites};
use crate::slot_names::{names_of_slot, slots};
use crate::slots::{Around, fault};
use weft_base::{Name, SourceMap, Span};
use weft_diag::{Code, Diagnostic, Edit};
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

/// The clauses of a block, while its statements are gone through.
pub(crate) struct BlockClauses<'s> {
    stmts: &'s [ast::Stmt],
    sites: Sites,
    /// How many stretches of clauses, with other statements between, stand before each.
    stretches: Vec<u32>,
    /// The definitions as far as they are resolved; none of one that cannot be made.
    drafts: Vec<Option<hir::Definition>>,
}

impl Resolver<'_> {
    /// The clauses of a block whose items are known.
    pub fn block_clauses<'s>(&mut self, stmts: &'s [ast::Stmt]) -> BlockClauses<'s> {
        let sites = sites(stmts, &mut |n| self.m.lookup_around(n.as_str()).is_some());
        let mut stretch = 0;
        let stretches = stmts.iter().map(|s| {
            stretch += u32::from(clause_name(s).is_none());
            stretch
        });
        let stretches = stretches.collect();
        let (mut known, mut drafts) = (Vec::new(), Vec::new());
        for (definition, order) in sites.definitions.iter().zip(sites.orders()) {
            let first = definition.clauses.first().copied().unwrap_or_default();
            let ast::StmtKind::Indexed(clause) = &stmts[first].kind else { continue };
            let name = self.ident(&clause.name);
            self.m.vars.note_local(name.var, &self.m.scopes);
            known.push(Defined { name: name.name.clone(), var: name.var, first, order });
            drafts.push(Some(hir::Definition { name, clauses: Vec::new() }));
        }
        self.m.scopes.last().definitions = Definitions::new(known);
        BlockClauses { stmts, sites, stretches, drafts }
    }

    /// A clause in its scope; nothing where its slots are wrong, which is said.
    fn clause(
        &mut self,
        c: &ast::Indexed,
        name: Ident,
        span: Span,
        stretch: u32,
    ) -> Option<hir::Clause> {
        let sound = self.slots_have_the_form(c);
        let slots = if sound { slots(self, &c.slots) } else { Vec::new() };
        let names = c.slots.iter().flat_map(names_of_slot);
        let names: Vec<&str> = names.map(|n| n.as_str()).collect();
        let divided = split_where(&c.alternatives, &names, &c.where_items);
        let refused = shared_items(&divided);
        self.m.diagnostics.extend(refused.into_iter().chain(guard_without_index(&divided, c)));
        let slots_span = c.slots_span;
        let made = self.with_moved(&divided, |r| {
            let where_items = r.where_items(divided.own.iter().copied());
            let alternatives = c.alternatives.iter().map(|e| r.expr(e)).collect();
            let otherwise = c.otherwise.as_ref().map(|e| r.expr(e));
            let ty = c.ty.as_ref().map(|ty| r.ty(ty));
            hir::Clause {
                span,
                name,
                slots_span,
                slots,
                ty,
                alternatives,
                where_items,
                otherwise,
                stretch,
            }
        });
        sound.then_some(made)
    }

    /// Whether the slots have the form of slots; where they have not, their names mean nothing.
    fn slots_have_the_form(&mut self, c: &ast::Indexed) -> bool {
        let source = self.m.source;
        let text = |span| source.short_text(span);
        let mut is_bound = |name: &str| self.m.lookup(name).is_some();
        let mut around = Around { is_bound: &mut is_bound, text: &text };
        let Some(fault) = fault(c, &mut around) else { return true };
        fault.diagnostics.into_iter().for_each(|d| self.report(d));
        let of_parts = c.slots.iter().flat_map(names_of_slot).map(|n| n.name.clone());
        let lost = fault.lost.iter().map(|n| Name::new(n)).chain(of_parts);
        lost.for_each(|n| self.m.scopes.bind(&n, Binding::Poisoned));
        false
    }
}

impl BlockClauses<'_> {
    /// Passes a clause: definitions that have their site here are made.
    pub fn at_clause(
        &mut self,
        r: &mut Resolver<'_>,
        clause: &ast::Indexed,
        at: usize,
        out: &mut Vec<hir::Stmt>,
    ) {
        let span = self.stmts[at].span;
        if let Some(last) = self.sites.apart.get(&at) {
            r.report(apart(r.m.source, clause, span, self.stmts[*last].span));
            r.m.scopes.bind(&clause.name.name, Binding::Poisoned);
        }
        if let Some(n) = self.sites.definition_of(at) {
            self.clause_of(r, clause, n, at);
        }
        for group in self.sites.behind(at) {
            r.m.scopes.last().definitions.made += 1;
            let made = group.iter().filter_map(|n| self.drafts[*n].take());
            let made: Vec<hir::Definition> = made.filter(|d| !d.clauses.is_empty()).collect();
            if !made.is_empty() {
                out.push(hir::Stmt { span, kind: hir::StmtKind::Definitions(made) });
            }
        }
    }

    /// A clause of definition `n`, resolved where it stands.
    fn clause_of(&mut self, r: &mut Resolver<'_>, clause: &ast::Indexed, n: usize, at: usize) {
        if self.sites.definitions[n].clauses.first() == Some(&at) {
            r.m.scopes.bind(&clause.name.name, Binding::Definition(n));
        }
        let Some(var) = r.m.scopes.last().definitions.all.get(n).map(|d| d.var) else { return };
        r.m.scopes.last().definitions.under_way = Some((n, at));
        let name = Ident { name: clause.name.name.clone(), span: clause.name.span, var };
        let (span, stretch) = (self.stmts[at].span, self.stretches[at]);
        let made = r.scoped(|r| r.clause(clause, name, span, stretch));
        r.m.scopes.last().definitions.under_way = None;
        match (made, &mut self.drafts[n]) {
            (Some(made), Some(draft)) => draft.clauses.push(made),
            (Some(_), None) => {}
            (None, draft) => {
                *draft = None;
                r.m.scopes.bind(&clause.name.name, Binding::Poisoned);
            }
        }
    }
}

/// A clause that stands apart from its definition: between them that is read.
fn apart(source: &SourceMap, clause: &ast::Indexed, span: Span, last: Span) -> Diagnostic {
    let moved = format!("\n{}", source.text(span));
    let edits = vec![
        Edit { span: Span::new(last.file, last.end, last.end), replacement: moved },
        Edit { span, replacement: String::new() },
    ];
    let headline = format!("the clauses of `{}` stand apart", clause.name.name);
    Diagnostic::error(Code::E0506, headline)
        .primary(clause.name.span, "this clause is separated from the others")
        .secondary(last, "the definition ends here")
        .help_edits("move the clause next to the others, or give it another name", edits)
}

/// A `where` item about the index of a reduction, where two reductions have that index.
fn shared_items(divided: &Divided<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, item) in &divided.moved {
        let mut shared = None;
        crate::names::item_names(item, &mut |n| {
            let mut others = divided
                .binders
                .iter()
                .filter(|b| b.binds(n) && !std::ptr::eq(b.reduction, *at))
                .map(|b| b.reduction.span);
            shared = shared.take().or(others.next().map(|s| (n.to_string(), s)));
        });
        let Some((name, other)) = shared else { continue };
        let headline = format!("`{name}` is the index of two reductions");
        let d = Diagnostic::error(Code::E0304, headline)
            .primary(item.span, "which of them this belongs to is not said")
            .secondary(at.span, "this one has it")
            .secondary(other, "and this one")
            .help("write the `where` inside the reduction's parentheses");
        found.push(d);
    }
    found
}

/// A guard of a clause for one cell has no cells to leave out.
fn guard_without_index(divided: &Divided<'_>, c: &ast::Indexed) -> Option<Diagnostic> {
    if c.slots.iter().any(|s| !matches!(s.kind, ast::SlotKind::Fixed(_))) {
        return None;
    }
    let is_guard = |i: &&&ast::WhereItem| matches!(i.kind, ast::WhereItemKind::Guard(_));
    let guard = divided.own.iter().find(is_guard)?;
    let d = Diagnostic::error(Code::E0304, "a guard where there is no index")
        .primary(guard.span, "there are no cells that it could leave out");
    Some(d.help("use `if … { … } else { … }`"))
}
