//! The text form of functions: one line of S-expressions each, read back by [`parse`].

use super::{Block, Call, End, Function, FunctionId, Op, Reg, Step};
use crate::{BinaryOp, Scalar, ScalarType, UnaryOp};
use std::fmt;

impl fmt::Display for Function {
    /// `(function "fib" 1 i64 (regs i64 bool) (block …))`: the count of arguments, the
    /// type of the result, the types of the registers, what it does. Several results are
    /// in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(function {:?} {} ", self.name, self.args)?;
        several(f, &self.results)?;
        f.write_str(" (regs")?;
        self.regs.iter().try_for_each(|ty| write!(f, " {ty}"))?;
        write!(f, ") {})", self.body)
    }
}

/// One as it is, several in brackets.
fn several<T: fmt::Display>(f: &mut fmt::Formatter<'_>, all: &[T]) -> fmt::Result {
    if let [one] = all {
        return write!(f, "{one}");
    }
    f.write_str("(")?;
    for (n, one) in all.iter().enumerate() {
        write!(f, "{}{one}", if n == 0 { "" } else { " " })?;
    }
    f.write_str(")")
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(block")?;
        self.steps.iter().try_for_each(|s| write!(f, " {s}"))?;
        match &self.end {
            End::Give(regs) => {
                f.write_str(" (give")?;
                regs.iter().try_for_each(|r| write!(f, " {r}"))?;
                f.write_str("))")
            }
            End::Call(call) => write!(f, " (become {call}))"),
            End::If(c, a, b) => write!(f, " (if {c} {a} {b}))"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Set(r, op) => write!(f, "(set {r} {op})"),
            Step::Call(to, call) => {
                f.write_str("(call ")?;
                several(f, to)?;
                write!(f, " {call})")
            }
            Step::Require(r, site) => write!(f, "(require {r} {site})"),
            Step::If(c, a, b) => {
                write!(f, "(when {c} (")?;
                a.iter().try_for_each(|s| write!(f, "{s}"))?;
                f.write_str(") (")?;
                b.iter().try_for_each(|s| write!(f, "{s}"))?;
                f.write_str("))")
            }
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (", self.function, self.site)?;
        for (n, a) in self.args.iter().enumerate() {
            write!(f, "{}{a}", if n == 0 { "" } else { " " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Const(v) => write!(f, "const {} {:#x}", v.ty(), v.bits()),
            Op::Copy(r) => write!(f, "copy {r}"),
            Op::Unary(op, x) => write!(f, "{} {x}", op.name()),
            Op::Binary(op, a, b, None) => write!(f, "{} {a} {b}", op.name()),
            Op::Binary(op, a, b, Some(site)) => write!(f, "{} {a} {b} {site}", op.name()),
            Op::Cast(ty, x) => write!(f, "cast {ty} {x}"),
        }
    }
}

/// The function that a text stands for.
///
/// # Errors
///
/// The complaint about a text that is none.
pub fn parse(text: &str) -> Result<Function, String> {
    let mut p = Parser { words: words(text)?, at: 0 };
    let f = p.function()?;
    match p.words.get(p.at) {
        None => Ok(f),
        Some(word) => Err(format!("expected the end, found `{word}`")),
    }
}

/// Parentheses, atoms and quoted strings.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut out: Vec<String> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' | ')' => out.push(c.to_string()),
            '"' => {
                let mut word = String::from('"');
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some(c) => word.push(c),
                        None => return Err("a string that does not end".into()),
                    }
                }
                out.push(word);
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !"()\"".contains(*c)) {
                    word.push(c);
                }
                out.push(word);
            }
        }
    }
    Ok(out)
}

struct Parser {
    words: Vec<String>,
    at: usize,
}

impl Parser {
    fn word(&mut self) -> Result<String, String> {
        let word = self.words.get(self.at).cloned().ok_or("expected more")?;
        self.at += 1;
        Ok(word)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let word = self.word()?;
        if word == wanted { Ok(()) } else { Err(format!("expected `{wanted}`, found `{word}`")) }
    }

    fn is_next(&self, wanted: &str) -> bool {
        self.words.get(self.at).is_some_and(|w| w == wanted)
    }

    fn number<T: std::str::FromStr>(&mut self, prefix: &str) -> Result<T, String> {
        let word = self.word()?;
        let digits = word.strip_prefix(prefix).and_then(|d| d.parse().ok());
        digits.ok_or_else(|| format!("expected a number behind `{prefix}`, found `{word}`"))
    }

    fn reg(&mut self) -> Result<Reg, String> {
        self.number("r").map(Reg)
    }

    fn ty(&mut self) -> Result<ScalarType, String> {
        let word = self.word()?;
        ScalarType::from_name(&word).ok_or_else(|| format!("expected a type, found `{word}`"))
    }

    /// Parts until the bracket that closes around them, which is taken.
    fn until_closed<T>(
        &mut self,
        part: &mut dyn FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut all = Vec::new();
        while !self.is_next(")") {
            all.push(part(self)?);
        }
        self.expect(")")?;
        Ok(all)
    }

    /// One, or several in brackets.
    fn several<T>(
        &mut self,
        part: &mut dyn FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        if !self.is_next("(") {
            return Ok(vec![part(self)?]);
        }
        self.expect("(")?;
        self.until_closed(part)
    }

    fn function(&mut self) -> Result<Function, String> {
        self.expect("(")?;
        self.expect("function")?;
        let name = self.word()?;
        let name = name.strip_prefix('"').ok_or("expected a name in quotes")?.to_string();
        let (args, results) = (self.number("")?, self.several(&mut Parser::ty)?);
        self.expect("(")?;
        self.expect("regs")?;
        let regs = self.until_closed(&mut Parser::ty)?;
        let body = self.block()?;
        self.expect(")")?;
        Ok(Function { name, regs, args, results, body })
    }

    fn block(&mut self) -> Result<Block, String> {
        self.expect("(")?;
        self.expect("block")?;
        let mut steps = Vec::new();
        loop {
            self.expect("(")?;
            let end = match self.word()?.as_str() {
                "give" => {
                    let end = End::Give(self.until_closed(&mut Parser::reg)?);
                    self.expect(")")?;
                    return Ok(Block { steps, end });
                }
                "become" => End::Call(self.call()?),
                "if" => {
                    let c = self.reg()?;
                    End::If(c, Box::new(self.block()?), Box::new(self.block()?))
                }
                kind => {
                    steps.push(self.step(kind)?);
                    continue;
                }
            };
            self.expect(")")?;
            self.expect(")")?;
            return Ok(Block { steps, end });
        }
    }

    /// A step behind its first word, with the bracket that closes it.
    fn step(&mut self, kind: &str) -> Result<Step, String> {
        let step = match kind {
            "set" => Step::Set(self.reg()?, self.op()?),
            "call" => Step::Call(self.several(&mut Parser::reg)?, self.call()?),
            "require" => Step::Require(self.reg()?, self.number("")?),
            "when" => {
                let c = self.reg()?;
                let (a, b) = (self.steps()?, self.steps()?);
                Step::If(c, a, b)
            }
            other => return Err(format!("expected a step, found `{other}`")),
        };
        self.expect(")")?;
        Ok(step)
    }

    fn steps(&mut self) -> Result<Vec<Step>, String> {
        self.expect("(")?;
        self.until_closed(&mut |p| {
            p.expect("(")?;
            let kind = p.word()?;
            p.step(&kind)
        })
    }

    fn call(&mut self) -> Result<Call, String> {
        let (function, site) = (FunctionId(self.number("f")?), self.number("")?);
        self.expect("(")?;
        Ok(Call { function, site, args: self.until_closed(&mut Parser::reg)? })
    }

    fn op(&mut self) -> Result<Op, String> {
        let word = self.word()?;
        Ok(match word.as_str() {
            "const" => {
                let ty = self.ty()?;
                let bits = self.word()?;
                let digits = bits.strip_prefix("0x").and_then(|d| u64::from_str_radix(d, 16).ok());
                Op::Const(Scalar::from_bits(ty, digits.ok_or("expected bits, as `0x…`")?))
            }
            "copy" => Op::Copy(self.reg()?),
            "cast" => Op::Cast(self.ty()?, self.reg()?),
            name => match (UnaryOp::from_name(name), BinaryOp::from_name(name)) {
                (Some(op), _) => Op::Unary(op, self.reg()?),
                (_, Some(op)) => {
                    let (a, b) = (self.reg()?, self.reg()?);
                    let site = if self.is_next(")") { None } else { Some(self.number("")?) };
                    Op::Binary(op, a, b, site)
                }
                _ => return Err(format!("expected an operator, found `{name}`")),
            },
        })
    }
}
