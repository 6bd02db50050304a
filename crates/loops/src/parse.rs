//! The text form, read. For tests and for reading dumps back; never panics.

use crate::{
    Buffer, BufferKind, Expr, ExprData, For, ForKind, Function, IntOp, Local, Param, Stmt, Var,
};
use std::fmt;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_scalar::function::{self, FunctionId, Functions};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// Why a text is no function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// The complaint.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

type Parsed<T> = Result<T, ParseError>;

/// Nesting beyond which a text is refused, so that no text exhausts the stack.
const DEEPEST: usize = 400;

/// Larger numbers of callees are refused, as a table has room for all below.
const MOST_FUNCTIONS: usize = 1 << 16;

/// Reads one function. Types are not checked: that is the verifier's work.
pub fn parse(text: &str) -> Parsed<Function> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        function: Function::new(""),
        defs: PrimaryMap::new(),
        callees: Vec::new(),
    };
    parser.function()?;
    Ok(parser.function)
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Def(u32);
weft_base::entity::entity_impl!(Def, "e");

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    function: Function,
    defs: PrimaryMap<Def, Expr>,
    callees: Vec<Option<function::Function>>,
}

impl<'a> Parser<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let line = self.text[..self.at].matches('\n').count() + 1;
        Err(ParseError { line, message: message.into() })
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) { Ok(()) } else { self.error(format!("expected `{c}`")) }
    }

    fn peek(&mut self, c: char) -> bool {
        self.skip_space();
        self.text[self.at..].starts_with(c)
    }

    fn atom(&mut self) -> Parsed<&'a str> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"'))
            .unwrap_or(rest.len());
        if end == 0 {
            return self.error("expected a word");
        }
        self.at += end;
        Ok(&rest[..end])
    }

    fn string(&mut self) -> Parsed<String> {
        self.expect('"')?;
        let mut out = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return Ok(out);
                }
                '\\' => out.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => out.push(c),
            }
        }
        self.error("the string does not end")
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let atom = self.atom()?;
        match atom.parse() {
            Ok(n) => Ok(n),
            Err(_) => self.error(format!("`{atom}` is no number of the kind wanted here")),
        }
    }

    fn named<T>(&mut self, what: &str, from_name: impl Fn(&str) -> Option<T>) -> Parsed<T> {
        let atom = self.atom()?;
        match from_name(atom) {
            Some(found) => Ok(found),
            None => self.error(format!("`{atom}` is no {what}")),
        }
    }

    fn ty(&mut self) -> Parsed<ScalarType> {
        self.named("type", ScalarType::from_name)
    }

    /// An id below `count`.
    fn id<T: EntityRef>(&mut self, prefix: &str, count: usize) -> Parsed<T> {
        let atom = self.atom()?;
        match index(atom, prefix) {
            Some(i) if i < count => Ok(T::new(i)),
            _ => self.error(format!("`{atom}` is not declared")),
        }
    }

    fn buffer(&mut self) -> Parsed<Buffer> {
        self.id("b", self.function.buffers.len())
    }

    fn local(&mut self) -> Parsed<Local> {
        self.id("l", self.function.locals.len())
    }

    fn var(&mut self) -> Parsed<Var> {
        self.id("v", self.function.vars.len())
    }

    fn function(&mut self) -> Parsed<()> {
        self.expect('(')?;
        self.word("function")?;
        self.function.name = self.string()?;
        if !self.peek('(') && !self.peek(')') {
            self.word("strict")?;
            self.function.strict = true;
        }
        self.function.body = self.block()?;
        self.function.callees = match Functions::try_new(std::mem::take(&mut self.callees)) {
            Ok(callees) => callees,
            Err(message) => return self.error(message),
        };
        self.skip_space();
        if self.at < self.text.len() {
            return self.error("text after the function");
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        match self.atom()? {
            found if found == word => Ok(()),
            found => self.error(format!("expected `{word}`, found `{found}`")),
        }
    }

    /// Statements, and declarations among them, up to the closing parenthesis.
    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let mut out = Vec::new();
        while !self.eat(')') {
            self.expect('(')?;
            out.extend(self.item()?);
        }
        Ok(out)
    }

    fn item(&mut self) -> Parsed<Option<Stmt>> {
        let stmt = match self.atom()? {
            "param" => return self.declare("p", Self::param).map(|()| None),
            "local" => return self.declare("l", Self::local_decl).map(|()| None),
            "var" => return self.declare("v", Self::var_decl).map(|()| None),
            "buffer" => return self.declare("b", Self::buffer_decl).map(|()| None),
            "def" => return self.def().map(|()| None),
            "for" => return self.nested(Self::for_loop).map(Some),
            "if" => return self.nested(Self::branches).map(Some),
            "store" => {
                Stmt::Store { buffer: self.buffer()?, index: self.expr()?, value: self.expr()? }
            }
            "set" => Stmt::Set { local: self.local()?, value: self.expr()? },
            "accumulate" => Stmt::Accumulate {
                local: self.local()?,
                op: self.named("operator", BinaryOp::from_name)?,
                value: self.expr()?,
            },
            "scan" => self.scan()?,
            "fill" => Stmt::Fill {
                buffer: self.buffer()?,
                lo: self.expr()?,
                hi: self.expr()?,
                value: self.expr()?,
            },
            "callee" => return self.callee().map(|()| None),
            "call" => return self.nested(Self::call).map(Some),
            "flag" => Stmt::Flag { cond: self.expr()? },
            "trap" => Stmt::Trap { site: self.number()?, args: self.args()? },
            word => return self.error(format!("`{word}` starts no statement")),
        };
        self.expect(')')?;
        Ok(Some(stmt))
    }

    fn function_id(&mut self) -> Parsed<FunctionId> {
        let number = |word: &str| index(word, "f").filter(|n| *n < MOST_FUNCTIONS);
        self.named("function", number).map(FunctionId::new)
    }

    /// `(callee f0 "…")`, its text quoted.
    fn callee(&mut self) -> Parsed<()> {
        let id = self.function_id()?.index();
        let text = self.string()?;
        let function = match function::parse(&text) {
            Ok(function) => function,
            Err(message) => return self.error(message),
        };
        self.callees.resize_with(self.callees.len().max(id + 1), || None);
        self.callees[id] = Some(function);
        self.expect(')')
    }

    fn listed(&mut self, word: &str) -> Parsed<Vec<Expr>> {
        self.expect('(')?;
        self.word(word)?;
        let all = self.args()?;
        self.expect(')')?;
        Ok(all)
    }

    /// `call l0 f0 3 (args p0) (point v0)`.
    fn call(&mut self) -> Parsed<Stmt> {
        let (local, function, site) = (self.local()?, self.function_id()?, self.number()?);
        let [args, point] = [self.listed("args")?, self.listed("point")?];
        self.expect(')')?;
        Ok(Stmt::Call { local, function, args, site, point })
    }

    /// `scan (into l0 l1) add (by p0 _ p2 p3) v0 v1`.
    fn scan(&mut self) -> Parsed<Stmt> {
        self.expect('(')?;
        self.word("into")?;
        let mut locals = Vec::new();
        while !self.peek(')') {
            locals.push(self.local()?);
        }
        self.expect(')')?;
        let op = self.named("operator", BinaryOp::from_name)?;
        self.expect('(')?;
        self.word("by")?;
        let mut by = Vec::new();
        while !self.eat(')') {
            by.push(if self.peek('_') {
                self.word("_").map(|()| None)?
            } else {
                Some(self.expr()?)
            });
        }
        let values = self.args()?;
        Ok(Stmt::Scan { locals, op, values, by })
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("nested too deeply");
        }
        let out = inner(self);
        self.depth -= 1;
        out
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        let mut out = Vec::new();
        while !self.peek(')') {
            out.push(self.expr()?);
        }
        Ok(out)
    }

    fn declare(&mut self, prefix: &str, add: fn(&mut Self, String) -> Parsed<usize>) -> Parsed<()> {
        let atom = self.atom()?;
        let name = self.string()?;
        let made = add(self, name)?;
        if index(atom, prefix) != Some(made) {
            return self.error(format!("expected `{prefix}{made}`, found `{atom}`"));
        }
        self.expect(')')
    }

    fn param(&mut self, name: String) -> Parsed<usize> {
        let ty = self.ty()?;
        Ok(self.function.add_param(name.as_str(), ty).index())
    }

    fn local_decl(&mut self, name: String) -> Parsed<usize> {
        let ty = self.ty()?;
        Ok(self.function.add_local(name.as_str(), ty).index())
    }

    fn var_decl(&mut self, name: String) -> Parsed<usize> {
        Ok(self.function.add_var(name.as_str()).index())
    }

    fn buffer_decl(&mut self, name: String) -> Parsed<usize> {
        let elem = self.ty()?;
        let kind_named = |word: &str| BufferKind::ALL.into_iter().find(|k| k.name() == word);
        let kind = self.named("kind of buffer", kind_named)?;
        let size = self.expr()?;
        Ok(self.function.add_buffer(name.as_str(), elem, kind, size).index())
    }

    fn def(&mut self) -> Parsed<()> {
        let atom = self.atom()?;
        if index(atom, "e") != Some(self.defs.len()) {
            return self.error(format!("expected `e{}`, found `{atom}`", self.defs.len()));
        }
        let e = self.expr()?;
        self.defs.push(e);
        self.expect(')')
    }

    fn for_loop(&mut self) -> Parsed<Stmt> {
        let (var, lo, hi) = (self.var()?, self.expr()?, self.expr()?);
        let step = self.number()?;
        let kind = self.named("kind of loop", kind)?;
        Ok(Stmt::For(For { var, lo, hi, step, kind, body: self.block()? }))
    }

    fn branches(&mut self) -> Parsed<Stmt> {
        let cond = self.expr()?;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        while !self.eat(')') {
            self.expect('(')?;
            match self.atom()? {
                "then" => then = self.block()?,
                "else" => otherwise = self.block()?,
                word => return self.error(format!("expected `then` or `else`, found `{word}`")),
            }
        }
        Ok(Stmt::If { cond, then, otherwise })
    }

    fn expr(&mut self) -> Parsed<Expr> {
        if self.eat('(') {
            let data = self.nested(Self::compound)?;
            self.expect(')')?;
            return Ok(self.function.push(data));
        }
        let atom = self.atom()?;
        if let Some(i) = index(atom, "e") {
            return match self.defs.get(Def::from_u32(i as u32)) {
                Some(&e) => Ok(e),
                None => self.error(format!("`{atom}` is not defined")),
            };
        }
        match self.leaf(atom) {
            Some(data) => Ok(self.function.push(data)),
            None => self.error(format!("`{atom}` is no expression")),
        }
    }

    fn leaf(&self, atom: &str) -> Option<ExprData> {
        let below = |prefix, count: usize| index(atom, prefix).filter(|&i| i < count);
        if let Some(i) = below("p", self.function.params.len()) {
            return Some(ExprData::Param(Param::new(i)));
        }
        if let Some(i) = below("v", self.function.vars.len()) {
            return Some(ExprData::Var(Var::new(i)));
        }
        if let Some(i) = below("l", self.function.locals.len()) {
            return Some(ExprData::Local(Local::new(i)));
        }
        match atom {
            "alone" => Some(ExprData::SingleThreaded),
            _ => constant(atom).map(ExprData::Const),
        }
    }

    fn compound(&mut self) -> Parsed<ExprData> {
        let head = self.atom()?;
        if let Some(op) = UnaryOp::from_name(head) {
            return Ok(ExprData::Unary(op, self.expr()?));
        }
        if let Some(op) = BinaryOp::from_name(head) {
            return Ok(ExprData::Binary(op, self.expr()?, self.expr()?));
        }
        if let Some(op) = IntOp::from_name(head) {
            return Ok(ExprData::Int(op, self.expr()?, self.expr()?));
        }
        Ok(match head {
            "load" => ExprData::Load { buffer: self.buffer()?, index: self.expr()? },
            "overflows" => {
                let op = self.named("operator", BinaryOp::from_name)?;
                ExprData::Overflows(op, self.expr()?, self.expr()?)
            }
            "fma" => ExprData::Fma(self.expr()?, self.expr()?, self.expr()?),
            "cast" => ExprData::Cast(self.ty()?, self.expr()?),
            "bitcast" => ExprData::Bitcast(self.ty()?, self.expr()?),
            "select" => ExprData::Select(self.expr()?, self.expr()?, self.expr()?),
            _ => return self.error(format!("`{head}` starts no expression")),
        })
    }
}

fn index(atom: &str, prefix: &str) -> Option<usize> {
    let digits = atom.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && digits.len() <= 9;
    if plain { digits.parse().ok() } else { None }
}

fn kind(atom: &str) -> Option<ForKind> {
    match atom {
        "serial" => Some(ForKind::Serial),
        "parallel" => Some(ForKind::Parallel),
        "vector" => Some(ForKind::Vector(None)),
        _ => Some(ForKind::Vector(Some(atom.strip_prefix("vector:")?.parse().ok()?))),
    }
}

fn constant(atom: &str) -> Option<Scalar> {
    if let Some(rest) = atom.strip_prefix("0x") {
        let (digits, ty) = typed(rest)?;
        let bits = u64::from_str_radix(digits, 16).ok()?;
        return Some(Scalar::from_bits(ty, bits));
    }
    match atom {
        "true" => return Some(Scalar::Bool(true)),
        "false" => return Some(Scalar::Bool(false)),
        _ => {}
    }
    match typed(atom) {
        Some((digits, ty)) => Scalar::parse(ty, digits),
        None => atom.parse().ok().map(Scalar::I64),
    }
}

/// A number and the type behind it, the longest that fits: `1bf16` is no `f16`.
fn typed(atom: &str) -> Option<(&str, ScalarType)> {
    let fits = |ty: ScalarType| Some((atom.strip_suffix(ty.name())?, ty));
    ScalarType::ALL.into_iter().filter_map(fits).min_by_key(|(digits, _)| digits.len())
}
