//! The text form of graphs, read. [`crate::print`] writes it.
//!
//! The graph need not be valid: [`crate::verify`] says whether it is.

mod lexer;
mod terms;

use crate::{
    Accumulator, Array, AssignId, Assignment, Axis, Constraint, Data, Definition, Expr, ExprId,
    Exprs, Graph, IndexTerm, ParamInfo, Range, Reduction, Relation, Site, SiteId, Space, Tensor,
    TensorId,
};
use lexer::Token;
use std::fmt;
use std::sync::Arc;
use terms::number_after;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_base::{FileId, Name, Span};
use weft_scalar::function::{self, Function, FunctionId, Functions};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// Why a text is no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The complaint.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

/// Larger numbers of functions are refused, as a table has room for all below.
const MOST_FUNCTIONS: usize = 1 << 16;

/// The graph a text describes.
pub fn parse(text: &str) -> Result<Graph> {
    let mut parser = Parser { tokens: lexer::tokens(text)?, at: 0, depth: 0 };
    let mut graph = Graph::new();
    let mut functions: Vec<Option<Function>> = Vec::new();
    while parser.peek() != &Token::End {
        if parser.eat_word("function") {
            parser.function(&mut functions)?;
        } else {
            parser.item(&mut graph)?;
        }
    }
    graph.functions = Functions::try_new(functions).map_err(|e| parser.error(&e))?;
    Ok(graph)
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the last token taken.
    fn error(&self, message: &str) -> ParseError {
        let line = self.tokens[self.at.saturating_sub(1)].1;
        ParseError { line, message: message.to_string() }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(&format!("expected `{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.error(&format!("expected `{word}`"))) }
    }

    fn word(&mut self) -> Result<String> {
        match self.next() {
            Token::Word(w) => Ok(w),
            _ => Err(self.error("expected a word")),
        }
    }

    fn text(&mut self) -> Result<String> {
        match self.next() {
            Token::Text(t) => Ok(t),
            _ => Err(self.error("expected a text in quotes")),
        }
    }

    /// An id printed with `prefix`.
    fn id<T: EntityRef>(&mut self, prefix: &str) -> Result<T> {
        let word = self.word()?;
        let digits = word.strip_prefix(prefix).and_then(|d| d.parse::<u32>().ok());
        match digits.filter(|&n| n < u32::MAX) {
            Some(n) => Ok(T::new(n as usize)),
            None => Err(self.error(&format!("expected an id `{prefix}0`"))),
        }
    }

    /// An id that must be the next of a map.
    fn new_id<T: EntityRef, V>(&mut self, prefix: &str, map: &PrimaryMap<T, V>) -> Result<()> {
        let id: T = self.id(prefix)?;
        let next = id.index() == map.len();
        if next { Ok(()) } else { Err(self.error(&format!("expected `{prefix}{}`", map.len()))) }
    }

    fn unsigned(&mut self) -> Result<u128> {
        match self.next() {
            Token::Int(n) => Ok(n),
            _ => Err(self.error("expected an integer")),
        }
    }

    fn narrow<T: TryFrom<u128>>(&mut self) -> Result<T> {
        let n = self.unsigned()?;
        T::try_from(n).map_err(|_| self.error("a number is too large"))
    }

    fn integer(&mut self) -> Result<i64> {
        let negative = self.eat("-");
        let n = i128::try_from(self.unsigned()?).ok();
        let signed = n.map(|n| if negative { -n } else { n });
        let value = signed.and_then(|n| i64::try_from(n).ok());
        value.ok_or_else(|| self.error("a number is too large"))
    }

    /// `[item, …]`.
    fn list<T>(&mut self, item: &mut dyn FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.eat("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Result<Option<Name>> {
        let named = matches!(self.peek(), Token::Text(_));
        if named { Ok(Some(Name::new(&self.text()?))) } else { Ok(None) }
    }

    fn span(&mut self) -> Result<Option<Span>> {
        if !self.eat_word("at") {
            return Ok(None);
        }
        let file: FileId = self.id("file")?;
        let start = self.narrow()?;
        self.expect("..")?;
        Ok(Some(Span::new(file, start, self.narrow()?)))
    }

    fn scalar_type(&mut self) -> Result<ScalarType> {
        let word = self.word()?;
        let ty = ScalarType::ALL.into_iter().find(|t| t.name() == word);
        ty.ok_or_else(|| self.error("expected an element type"))
    }

    fn item(&mut self, g: &mut Graph) -> Result<()> {
        match self.word()?.as_str() {
            "param" => self.param(g),
            "site" => {
                self.new_id("s", &g.sites)?;
                let message = self.text()?;
                let span = self.span()?;
                g.sites.push(Site { span, message });
                Ok(())
            }
            "tensor" => self.tensor(g),
            "assign" => self.assign(g),
            _ => Err(self.error("expected `param`, `site`, `tensor` or `assign`")),
        }
    }

    fn param(&mut self, g: &mut Graph) -> Result<()> {
        self.new_id("p", &g.params)?;
        let name = Name::new(&self.text()?);
        let span = self.span()?;
        let default = if self.eat_word("default") { Some(self.integer()?) } else { None };
        let p = g.params.push(ParamInfo { name, span, default });
        if self.eat_word("least") {
            g.facts.at_least(p, self.integer()?);
        }
        if self.eat_word("most") {
            g.facts.at_most(p, self.integer()?);
        }
        Ok(())
    }

    fn tensor(&mut self, g: &mut Graph) -> Result<()> {
        self.new_id("t", &g.tensors)?;
        let name = self.name()?;
        let span = self.span()?;
        let elem = self.scalar_type()?;
        let axes = self.list(&mut |p| Ok(Axis { extent: p.size()?, name: p.name()? }))?;
        let definition = match self.word()?.as_str() {
            "input" => Definition::Input,
            "constant" => Definition::Constant(Arc::new(self.array(elem)?)),
            word @ ("covered" | "partial") => {
                let pieces: Vec<AssignId> = self.list(&mut |p| p.id("a"))?;
                Definition::Assigned { pieces, covered: word == "covered" }
            }
            _ => return Err(self.error("expected `input`, `constant`, `covered` or `partial`")),
        };
        g.tensors.push(Tensor { name, span, elem, axes, definition });
        Ok(())
    }

    fn array(&mut self, elem: ScalarType) -> Result<Array> {
        let shape = self.list(&mut Self::narrow::<usize>)?;
        let values = self.list(&mut |p| {
            let value = p.scalar()?;
            if value.ty() == elem { Ok(value) } else { Err(p.error("a value of another type")) }
        })?;
        let array = Array::new(shape, Data::from_scalars(elem, &values));
        array.ok_or_else(|| self.error("the values do not fill the shape"))
    }

    fn scalar(&mut self) -> Result<Scalar> {
        let negative = self.eat("-");
        let sign = if negative { "-" } else { "" };
        let text = match self.next() {
            Token::Word(w) if w == "true" || w == "false" => return Ok(Scalar::Bool(w == "true")),
            Token::Word(w) if w == "nan" => return self.nan(),
            Token::Word(w) if w == "inf" => format!("{sign}inf"),
            Token::Int(n) => format!("{sign}{n}"),
            Token::Float(t) => format!("{sign}{t}"),
            _ => return Err(self.error("expected a value")),
        };
        let value = Scalar::parse(self.scalar_type()?, &text);
        value.ok_or_else(|| self.error("not a value of that type"))
    }

    fn nan(&mut self) -> Result<Scalar> {
        let bits: u64 = self.narrow()?;
        let ty = self.scalar_type()?;
        Ok(Scalar::from_bits(ty, bits))
    }

    fn assign(&mut self, g: &mut Graph) -> Result<()> {
        self.new_id("a", &g.assigns)?;
        let target = self.id("t")?;
        self.expect("{")?;
        let space = self.space()?;
        let exprs = self.exprs()?;
        self.expect_word("write")?;
        let write = self.list(&mut Self::index_term)?;
        let mask = if self.eat_word("mask") { Some(self.id("e")?) } else { None };
        let accumulator = self.accumulator()?;
        let body = self.id("e")?;
        self.expect("}")?;
        g.assigns.push(Assignment { target, space, write, accumulator, mask, body, exprs });
        Ok(())
    }

    fn space(&mut self) -> Result<Space> {
        let mut space = Space::default();
        self.expect_word("iters")?;
        self.list(&mut |p| {
            p.new_id("i", &space.iters)?;
            space.iters.push(p.name()?);
            Ok(())
        })?;
        while self.eat_word("for") {
            let range = self.range()?;
            space.ranges.push(range);
        }
        space.guards = self.guards()?;
        Ok(space)
    }

    fn range(&mut self) -> Result<Range> {
        let iter = self.id("i")?;
        self.expect_word("in")?;
        let lo = self.affine()?;
        self.expect("..")?;
        Ok(Range { iter, lo, hi: self.affine()? })
    }

    fn guards(&mut self) -> Result<Vec<Constraint>> {
        let mut guards = Vec::new();
        while self.eat_word("where") {
            let term = self.affine()?;
            let relation =
                if self.eat(">=") { Relation::AtLeastZero } else { self.equal_relation()? };
            if self.unsigned()? != 0 {
                return Err(self.error("a guard compares with 0"));
            }
            guards.push(Constraint { term, relation });
        }
        Ok(guards)
    }

    fn equal_relation(&mut self) -> Result<Relation> {
        self.expect("==")?;
        Ok(Relation::Zero)
    }

    fn exprs(&mut self) -> Result<Exprs> {
        let mut exprs = Exprs::new();
        while matches!(self.peek(), Token::Word(w) if number_after(w, 'e').is_some()) {
            let id: ExprId = self.id("e")?;
            let ty = self.scalar_type()?;
            self.expect("=")?;
            let expr = self.expr()?;
            if exprs.add(expr, ty) != id {
                return Err(self.error("ids ascend, and equal nodes are one node"));
            }
        }
        Ok(exprs)
    }

    fn expr(&mut self) -> Result<Expr> {
        let word = self.word()?;
        Ok(match word.as_str() {
            "const" => Expr::Const(self.scalar()?),
            "index" => Expr::Index(self.affine()?),
            "read" => {
                let tensor: TensorId = self.id("t")?;
                let index = self.list(&mut Self::index_term)?;
                Expr::Read { tensor, index, site: self.site()? }
            }
            "cast" => Expr::Cast(self.scalar_type()?, self.id("e")?),
            "if" => Expr::If(self.id("e")?, self.id("e")?, self.id("e")?),
            "check" => self.check()?,
            "call" => {
                let function = self.function_id()?;
                Expr::Call { function, args: self.list(&mut |p| p.id("e"))? }
            }
            "reduce" => Expr::Reduce(Box::new(self.reduction()?)),
            name => return self.operator(name),
        })
    }

    fn operator(&mut self, name: &str) -> Result<Expr> {
        if let Some(op) = UnaryOp::from_name(name) {
            return Ok(Expr::Unary(op, self.id("e")?));
        }
        match BinaryOp::from_name(name) {
            Some(op) => Ok(Expr::Binary(op, self.id("e")?, self.id("e")?, self.site()?)),
            None => Err(self.error("no such operator")),
        }
    }

    fn function_id(&mut self) -> Result<FunctionId> {
        let word = self.word()?;
        match number_after(&word, 'f').map(|n| n as usize) {
            Some(n) if n < MOST_FUNCTIONS => Ok(FunctionId::new(n)),
            _ => Err(self.error("expected the number of a function")),
        }
    }

    fn function(&mut self, all: &mut Vec<Option<Function>>) -> Result<()> {
        let id = self.function_id()?.index();
        let function = function::parse(&self.text()?).map_err(|e| self.error(&e))?;
        all.resize_with(all.len().max(id + 1), || None);
        all[id] = Some(function);
        Ok(())
    }

    fn check(&mut self) -> Result<Expr> {
        let (condition, value) = (self.id("e")?, self.id("e")?);
        let site = self.site()?;
        let site = site.ok_or_else(|| self.error("a check has a site"))?;
        Ok(Expr::Check { condition, value, site })
    }

    fn site(&mut self) -> Result<Option<SiteId>> {
        if self.eat_word("at") { self.id("s").map(Some) } else { Ok(None) }
    }

    fn reduction(&mut self) -> Result<Reduction> {
        let accumulator = self.accumulator()?;
        let ranges = self.list(&mut Self::range)?;
        let guards = self.guards()?;
        let mask = if self.eat_word("mask") { Some(self.id("e")?) } else { None };
        self.expect_word("body")?;
        Ok(Reduction { accumulator, ranges, guards, mask, body: self.id("e")? })
    }

    fn accumulator(&mut self) -> Result<Accumulator> {
        Ok(match self.word()?.as_str() {
            "set" => Accumulator::Set,
            "sum" => self.site()?.map_or(Accumulator::Sum, Accumulator::ExactSum),
            "prod" => self.site()?.map_or(Accumulator::Prod, Accumulator::ExactProd),
            "max" => Accumulator::Max,
            "min" => Accumulator::Min,
            "all" => Accumulator::All,
            "any" => Accumulator::Any,
            "argmax" => Accumulator::ArgMax(self.narrow()?),
            "argmin" => Accumulator::ArgMin(self.narrow()?),
            _ => return Err(self.error("expected an accumulator")),
        })
    }

    fn index_term(&mut self) -> Result<IndexTerm> {
        if matches!(self.peek(), Token::Word(w) if number_after(w, 'e').is_some()) {
            return Ok(IndexTerm::Data(self.id("e")?));
        }
        Ok(IndexTerm::Affine(self.affine()?))
    }
}
