//! The text form, written.
//!
//! S-expressions. An expression that several places share, or that nests deeply, is named
//! once by a `def` line in front of the first statement that holds it, so the text is as
//! small as the pool. Printing what was parsed from printed text gives that text again.

use crate::{BufferKind, Expr, ExprData, ForKind, Function, Stmt};
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_scalar::Scalar;

/// Nesting at which an expression is named rather than written out.
const DEEPEST: u32 = 24;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Printer::new(self).function())
    }
}

struct Printer<'a> {
    function: &'a Function,
    named: SecondaryMap<Expr, bool>,
    /// Number of a name already written, plus 1.
    number: SecondaryMap<Expr, u32>,
    count: u32,
    out: String,
}

/// The roots held by statements, in order.
fn roots(body: &[Stmt], out: &mut Vec<Expr>) {
    for stmt in body {
        out.extend(stmt.exprs());
        for block in stmt.blocks() {
            roots(block, out);
        }
    }
}

/// Which expressions get a name: those held twice, and some of each deep nest.
fn names(function: &Function) -> SecondaryMap<Expr, bool> {
    let mut held = Vec::new();
    held.extend(function.buffers.values().map(|b| b.size));
    roots(&function.body, &mut held);
    let mut uses: SecondaryMap<Expr, u32> = SecondaryMap::new();
    for &e in &held {
        uses[e] += 1;
    }
    let ids: Vec<Expr> = function.exprs().map(|(e, _)| e).collect();
    for &e in ids.iter().rev() {
        if uses[e] > 0 {
            function.expr(e).operands().for_each(|operand| uses[operand] += 1);
        }
    }
    let mut named = SecondaryMap::new();
    let mut depth: SecondaryMap<Expr, u32> = SecondaryMap::new();
    for &e in &ids {
        let data = function.expr(e);
        let Some(below) = data.operands().map(|o| depth[o]).max() else { continue };
        named[e] = uses[e] > 1 || below >= DEEPEST;
        depth[e] = if named[e] { 0 } else { below + 1 };
    }
    named
}

impl<'a> Printer<'a> {
    fn new(function: &'a Function) -> Printer<'a> {
        let named = names(function);
        Printer { function, named, number: SecondaryMap::new(), count: 0, out: String::new() }
    }

    fn function(mut self) -> String {
        self.out.push_str("(function ");
        self.string(&self.function.name);
        if self.function.strict {
            self.out.push_str(" strict");
        }
        self.declarations();
        for stmt in &self.function.body {
            self.stmt(stmt, 1);
        }
        self.out.push_str(")\n");
        self.out
    }

    fn declarations(&mut self) {
        let function = self.function;
        for (p, decl) in &function.params {
            self.declare("param", p, decl.name.as_str());
            let _ = write!(self.out, " {})", decl.ty);
        }
        for (l, decl) in &function.locals {
            self.declare("local", l, decl.name.as_str());
            let _ = write!(self.out, " {})", decl.ty);
        }
        for (v, decl) in &function.vars {
            self.declare("var", v, decl.name.as_str());
            self.out.push(')');
        }
        for (id, callee) in function.callees.iter() {
            self.line(1);
            let _ = write!(self.out, "(callee {id} ");
            self.string(&callee.to_string());
            self.out.push(')');
        }
        for (b, decl) in &function.buffers {
            self.defs(&[decl.size], 1);
            self.declare("buffer", b, decl.name.as_str());
            let _ = write!(self.out, " {} {} ", decl.elem, BufferKind::name(decl.kind));
            self.expr(decl.size);
            self.out.push(')');
        }
    }

    fn declare(&mut self, what: &str, id: impl fmt::Display, name: &str) {
        self.line(1);
        let _ = write!(self.out, "({what} {id} ");
        self.string(name);
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            if matches!(c, '"' | '\\') {
                self.out.push('\\');
            }
            self.out.push(c);
        }
        self.out.push('"');
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", depth));
    }

    /// Names, operands first, whatever named expressions these hold and have no name yet.
    fn defs(&mut self, held: &[Expr], depth: usize) {
        for e in self.function.reachable(held) {
            if self.named[e] && self.number[e] == 0 {
                self.line(depth);
                let _ = write!(self.out, "(def e{} ", self.count);
                self.node(e);
                self.out.push(')');
                self.count += 1;
                self.number[e] = self.count;
            }
        }
    }

    fn expr(&mut self, e: Expr) {
        match self.number[e] {
            0 => self.node(e),
            n => {
                let _ = write!(self.out, "e{}", n - 1);
            }
        }
    }

    fn node(&mut self, e: Expr) {
        let data = self.function.expr(e);
        let _ = match data {
            ExprData::Const(value) => write!(self.out, "{}", Constant(value)),
            ExprData::Param(p) => write!(self.out, "{p}"),
            ExprData::Var(v) => write!(self.out, "{v}"),
            ExprData::Local(l) => write!(self.out, "{l}"),
            ExprData::SingleThreaded => write!(self.out, "alone"),
            ExprData::Load { buffer, .. } => write!(self.out, "(load {buffer}"),
            ExprData::Unary(op, _) => write!(self.out, "({}", op.name()),
            ExprData::Binary(op, ..) => write!(self.out, "({}", op.name()),
            ExprData::Overflows(op, ..) => write!(self.out, "(overflows {}", op.name()),
            ExprData::Int(op, ..) => write!(self.out, "({}", op.name()),
            ExprData::Fma(..) => write!(self.out, "(fma"),
            ExprData::Cast(ty, _) => write!(self.out, "(cast {ty}"),
            ExprData::Bitcast(ty, _) => write!(self.out, "(bitcast {ty}"),
            ExprData::Select(..) => write!(self.out, "(select"),
        };
        let mut operands = data.operands().peekable();
        let leaf = operands.peek().is_none();
        for operand in operands {
            self.out.push(' ');
            self.expr(operand);
        }
        if !leaf {
            self.out.push(')');
        }
    }

    fn exprs(&mut self, list: &[Expr]) {
        for &e in list {
            self.out.push(' ');
            self.expr(e);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let held = stmt.exprs();
        self.defs(&held, depth);
        self.line(depth);
        match stmt {
            Stmt::For(f) => {
                let _ = write!(self.out, "(for {}", f.var);
                self.exprs(&held);
                let _ = write!(self.out, " {} {}", f.step, Kind(f.kind));
                self.block(&f.body, depth + 1);
            }
            Stmt::If { then, otherwise, .. } => {
                self.out.push_str("(if");
                self.exprs(&held);
                self.branch("then", then, depth + 1);
                self.branch("else", otherwise, depth + 1);
            }
            Stmt::Store { buffer, .. } => self.held(format_args!("store {buffer}"), &held),
            Stmt::Set { local, .. } => self.held(format_args!("set {local}"), &held),
            Stmt::Accumulate { local, op, .. } => {
                self.held(format_args!("accumulate {local} {}", op.name()), &held);
            }
            Stmt::Scan { locals, op, values, by } => {
                self.out.push_str("(scan (into");
                locals.iter().for_each(|l| _ = write!(self.out, " {l}"));
                let _ = write!(self.out, ") {} (by", op.name());
                for entry in by {
                    match entry {
                        Some(e) => self.exprs(&[*e]),
                        None => self.out.push_str(" _"),
                    }
                }
                self.out.push(')');
                self.exprs(values);
            }
            Stmt::Fill { buffer, .. } => self.held(format_args!("fill {buffer}"), &held),
            Stmt::Flag { .. } => self.held(format_args!("flag"), &held),
            Stmt::Trap { site, .. } => self.held(format_args!("trap {site}"), &held),
            Stmt::Call { local, function, args, site, point } => {
                let _ = write!(self.out, "(call {local} {function} {site} (args");
                self.exprs(args);
                self.out.push_str(") (point");
                self.exprs(point);
                self.out.push(')');
            }
        }
        self.out.push(')');
    }

    fn held(&mut self, head: fmt::Arguments<'_>, held: &[Expr]) {
        let _ = write!(self.out, "({head}");
        self.exprs(held);
    }

    fn branch(&mut self, word: &str, body: &[Stmt], depth: usize) {
        if !body.is_empty() {
            self.line(depth);
            let _ = write!(self.out, "({word}");
            self.block(body, depth + 1);
            self.out.push(')');
        }
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        for stmt in body {
            self.stmt(stmt, depth);
        }
    }
}

struct Kind(ForKind);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ForKind::Serial => f.write_str("serial"),
            ForKind::Parallel => f.write_str("parallel"),
            ForKind::Vector(None) => f.write_str("vector"),
            ForKind::Vector(Some(lanes)) => write!(f, "vector:{lanes}"),
        }
    }
}

/// A constant: an `i64` bare, others with their type; infinities and NaN by their bits.
struct Constant(Scalar);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Scalar::I64(v) => write!(f, "{v}"),
            v if v.as_f64().is_some_and(|x| !x.is_finite()) => {
                write!(f, "0x{:x}{}", v.bits(), v.ty())
            }
            other => write!(f, "{other}"),
        }
    }
}

impl Function {
    /// All expressions that these hold, themselves included, operands before users.
    pub fn reachable(&self, held: &[Expr]) -> Vec<Expr> {
        let mut seen = FxHashSet::default();
        let mut stack = held.to_vec();
        let mut out = Vec::new();
        while let Some(e) = stack.pop() {
            if seen.insert(e) {
                out.push(e);
                stack.extend(self.expr(e).operands());
            }
        }
        out.sort_unstable_by_key(|e| e.index());
        out
    }
}
