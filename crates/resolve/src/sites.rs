//! Where the definitions of a block are made.
//!
//! The clauses of one name are one definition, also where other statements stand between them,
//! as long as none of these takes the name or reads it. A body may name a definition that comes
//! later, where nothing before has that name. So a definition is made behind its own last clause
//! and behind the definitions that it reads; those that read each other are made together.
//!
//! Says so from the tree alone, but for what is bound around the block.

use crate::free_names::{free_names, free_names_of_function};
use crate::names::{clause_name, names_in};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use weft_base::Name;
use weft_base::scc::components;
use weft_syntax::ast;

/// What is made of the clauses of a block.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// In the order of their first clauses.
    pub definitions: Vec<Definition>,
    /// The definition of each clause, by its statement.
    of: FxHashMap<usize, usize>,
    /// The groups that are made behind a clause, by its statement: definitions by their number.
    at: FxHashMap<usize, Vec<Vec<usize>>>,
    /// The clauses that stand apart from their definition, with the statement that is its last.
    pub apart: FxHashMap<usize, usize>,
}

impl Sites {
    /// The groups that are made behind a statement, in order.
    pub fn behind(&self, stmt: usize) -> &[Vec<usize>] {
        self.at.get(&stmt).map_or(&[], Vec::as_slice)
    }

    /// The definition of a clause; none of one that stands apart.
    pub fn definition_of(&self, stmt: usize) -> Option<usize> {
        self.of.get(&stmt).copied()
    }

    /// Each definition's place in the order in which groups are made.
    pub fn orders(&self) -> Vec<usize> {
        let mut orders = vec![0; self.definitions.len()];
        let mut at: Vec<&usize> = self.at.keys().collect();
        at.sort_unstable();
        for (order, group) in at.into_iter().flat_map(|stmt| &self.at[stmt]).enumerate() {
            group.iter().for_each(|d| orders[*d] = order);
        }
        orders
    }
}

/// The sites of a block's definitions; `is_bound` says what has a meaning around the block.
pub(crate) fn sites(stmts: &[ast::Stmt], is_bound: &mut dyn FnMut(&Name) -> bool) -> Sites {
    if !stmts.iter().any(|s| clause_name(s).is_some()) {
        return Sites::default();
    }
    let mut plan = Plan::new(stmts);
    plan.resolve_reads(is_bound);
    // Each time some clause or some reading ahead is given up.
    while plan.resolve_conflicts() {}
    plan.sites()
}

/// What a name means from a statement on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Plain,
    Definition(usize),
}

/// A definition by clauses.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The statements of its clauses; there is one.
    pub clauses: Vec<usize>,
    /// The definitions that its clauses read, itself too.
    reads: Vec<usize>,
}

impl Definition {
    fn last(&self) -> usize {
        self.clauses.last().copied().unwrap_or_default()
    }
}

struct Plan<'s> {
    stmts: &'s [ast::Stmt],
    definitions: Vec<Definition>,
    /// What each name means, from which statement on.
    meanings: FxHashMap<&'s Name, Vec<(usize, Meaning)>>,
    apart: FxHashMap<usize, usize>,
}

impl<'s> Plan<'s> {
    fn new(stmts: &'s [ast::Stmt]) -> Self {
        let mut definitions: Vec<Definition> = Vec::new();
        let mut meanings: FxHashMap<&Name, Vec<(usize, Meaning)>> = FxHashMap::default();
        for (at, stmt) in stmts.iter().enumerate() {
            if let Some(name) = clause_name(stmt) {
                let all = meanings.entry(name).or_default();
                match all.last() {
                    Some((_, Meaning::Definition(d))) => definitions[*d].clauses.push(at),
                    _ => {
                        all.push((at, Meaning::Definition(definitions.len())));
                        definitions.push(Definition { clauses: vec![at], reads: Vec::new() });
                    }
                }
            }
            for name in bound_names(stmt) {
                meanings.entry(name).or_default().push((at, Meaning::Plain));
            }
        }
        Plan { stmts, definitions, meanings, apart: FxHashMap::default() }
    }

    /// What a name means at a statement, by what the block binds before.
    fn meaning(&self, name: &Name, at: usize) -> Option<Meaning> {
        let all = self.meanings.get(name)?;
        let before = all.partition_point(|(from, _)| *from < at);
        Some(all[before.checked_sub(1)?].1)
    }

    /// The first definition of a name in the block from a statement on.
    fn later(&self, name: &Name, at: usize) -> Option<usize> {
        let all = self.meanings.get(name)?;
        all.iter().find_map(|(from, m)| match m {
            Meaning::Definition(d) if *from >= at => Some(*d),
            _ => None,
        })
    }

    fn resolve_reads(&mut self, is_bound: &mut dyn FnMut(&Name) -> bool) {
        for d in 0..self.definitions.len() {
            let mut reads = FxHashSet::default();
            for &at in &self.definitions[d].clauses {
                let ast::StmtKind::Indexed(clause) = &self.stmts[at].kind else { continue };
                free_names(clause, &mut |n| {
                    let read = match self.meaning(n, at) {
                        _ if *n == clause.name.name => Some(d),
                        Some(Meaning::Definition(e)) => Some(e),
                        Some(Meaning::Plain) => None,
                        None => self.later(n, at).filter(|_| !is_bound(n)),
                    };
                    reads.extend(read);
                });
            }
            self.definitions[d].reads = reads.into_iter().collect();
            self.definitions[d].reads.sort_unstable();
        }
    }

    /// The definitions that are made together, producers first, with the statement that they are
    /// made behind.
    fn groups(&self) -> Vec<(Vec<usize>, usize)> {
        let reads = |d: usize| self.definitions[d].reads.clone();
        let mut site_of = vec![0; self.definitions.len()];
        let mut out = Vec::new();
        for group in components(self.definitions.len(), &reads) {
            let own = group.iter().map(|d| self.definitions[*d].last());
            let read = group.iter().flat_map(|d| self.definitions[*d].reads.iter());
            let site = own.chain(read.map(|e| site_of[*e])).max().unwrap_or_default();
            group.iter().for_each(|d| site_of[*d] = site);
            out.push((group, site));
        }
        out
    }

    /// Gives up what a statement between a definition and its site stands against: a clause behind
    /// a statement that reads the definition, or the reading of a definition behind it. Whether
    /// there was anything to give up.
    fn resolve_conflicts(&mut self) -> bool {
        let mut site_of = vec![0; self.definitions.len()];
        for (group, site) in self.groups() {
            group.into_iter().for_each(|d| site_of[d] = site);
        }
        // The first statement that reads each definition before it is made.
        let mut readers: BTreeMap<usize, usize> = BTreeMap::new();
        let opens = |d: &Definition| d.clauses[0];
        let plain_before: Vec<usize> = self
            .stmts
            .iter()
            .scan(0, |count, s| {
                *count += usize::from(clause_name(s).is_none());
                Some(*count)
            })
            .collect();
        let waits = |(d, site): (&Definition, &usize)| plain_before[*site] > plain_before[opens(d)];
        if !self.definitions.iter().zip(&site_of).any(waits) {
            return false;
        }
        for (at, stmt) in self.stmts.iter().enumerate() {
            if clause_name(stmt).is_some() {
                continue;
            }
            mentioned(stmt, &mut |n| {
                if let Some(Meaning::Definition(d)) = self.meaning(&Name::new(n), at)
                    && site_of[d] > at
                {
                    readers.entry(d).or_insert(at);
                }
            });
        }
        for (d, at) in &readers {
            let definition = &mut self.definitions[*d];
            let kept = definition.clauses.partition_point(|c| c < at);
            if let Some(first) = definition.clauses.split_off(kept).first() {
                self.apart.insert(*first, definition.last());
            } else {
                definition.reads.retain(|e| e == d || site_of[*e] < *at);
            }
        }
        !readers.is_empty()
    }

    fn sites(self) -> Sites {
        let mut at: FxHashMap<usize, Vec<Vec<usize>>> = FxHashMap::default();
        for (mut group, site) in self.groups() {
            group.sort_unstable();
            at.entry(site).or_default().push(group);
        }
        let clauses = |(d, of): (usize, &Definition)| -> Vec<(usize, usize)> {
            of.clauses.iter().map(|stmt| (*stmt, d)).collect()
        };
        let of = self.definitions.iter().enumerate().flat_map(clauses).collect();
        Sites { definitions: self.definitions, of, at, apart: self.apart }
    }
}

/// The names that a statement binds from its place on, where it is no clause.
fn bound_names(stmt: &ast::Stmt) -> Vec<&Name> {
    let mut out = Vec::new();
    match &stmt.kind {
        ast::StmtKind::Let(l) => names_of_pattern(&l.pattern, &mut out),
        ast::StmtKind::Const(c) => out.push(&c.name.name),
        ast::StmtKind::Input(i) => out.push(&i.name.name),
        _ => {}
    }
    out
}

fn names_of_pattern<'s>(pattern: &'s ast::LetPattern, out: &mut Vec<&'s Name>) {
    match &pattern.kind {
        ast::LetPatternKind::Name(name) => out.push(&name.name),
        ast::LetPatternKind::Tuple(members) => {
            members.iter().for_each(|m| names_of_pattern(&m.pattern, out));
        }
        ast::LetPatternKind::Discard | ast::LetPatternKind::Error => {}
    }
}

/// Calls `f` with every name that a statement mentions, where it is no clause.
fn mentioned(stmt: &ast::Stmt, f: &mut dyn FnMut(&str)) {
    match &stmt.kind {
        ast::StmtKind::Let(l) => names_in(&l.value, f),
        ast::StmtKind::Const(c) => names_in(&c.value, f),
        ast::StmtKind::Expr(e) => names_in(&e.expr, f),
        ast::StmtKind::Input(i) => i.default.iter().for_each(|e| names_in(e, f)),
        ast::StmtKind::Fn(def) => free_names_of_function(def, &mut |n| f(n.as_str())),
        _ => {}
    }
}
