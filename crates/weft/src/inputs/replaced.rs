//! Values given for names that are no inputs: they stand in place of the initialisers of
//! top-level `let`s. What else has a name cannot be replaced, and that is said.

use super::unreadable;
use crate::inputs::Given;
use crate::npy;
use std::collections::BTreeMap;
use std::path::Path;
use weft_base::{SourceMap, Span};
use weft_diag::{Code, Diagnostic, closest_name};
use weft_scalar::ScalarType;
use weft_sema::Overrides;
use weft_syntax::ast::{
    Dim, DimKind, Expr, ExprKind, Ident, Input, Let, LetPattern, LetPatternKind, NumberValue,
    Path as PathName, Prim, Program, Stmt, StmtKind, Type, TypeKind, UnaryOp,
};
use weft_tensor::Array;

/// Puts what is given in place of `let`s: literals are handed to the checker, an array
/// becomes an input that the `let` is bound to.
pub(crate) fn replace_lets(
    program: &mut Program,
    given: &BTreeMap<String, Given>,
    sources: &SourceMap,
    complaints: &mut Vec<Diagnostic>,
) -> Overrides {
    let mut overrides = Overrides::new();
    for (name, given) in given {
        let place = match find(program, name) {
            Found::Input => continue,
            Found::Let(place) => place,
            Found::Other(d) => {
                complaints.push(d);
                continue;
            }
        };
        let replaced = match given {
            Given::Literal(text) => value_of(name, text, sources)
                .and_then(|value| no_unknown_name(program, name, value)),
            Given::File(path) => from_file(program, name, path, place, sources),
            Given::Array(a) => from_array(program, name, a, sources),
        };
        match replaced {
            Ok(Some(value)) => drop(overrides.insert(name.clone(), value)),
            Ok(None) => {}
            Err(d) => complaints.push(d),
        }
    }
    overrides
}

/// What has a name.
enum Found {
    Input,
    /// A `let`, and where the name stands.
    Let(Span),
    /// Nothing that a value can stand for.
    Other(Diagnostic),
}

fn find(program: &Program, name: &str) -> Found {
    let mut other = None;
    for stmt in &program.stmts {
        let (ident, what) = match &stmt.kind {
            StmtKind::Input(i) if i.name.as_str() == name => return Found::Input,
            StmtKind::Let(l) => match &l.pattern.kind {
                LetPatternKind::Name(n) if n.as_str() == name => return Found::Let(n.span),
                _ => (bound(&l.pattern, name), "one of several names that a `let` binds"),
            },
            StmtKind::Indexed(d) => (Some(&d.name), "defined by clauses"),
            StmtKind::Const(c) => (Some(&c.name), "a constant"),
            _ => (None, ""),
        };
        if let Some(ident) = ident.filter(|i| i.as_str() == name) {
            other.get_or_insert((ident.span, what));
        }
    }
    Found::Other(match other {
        Some((span, what)) => no_input(name, span, what),
        None => unknown(program, name),
    })
}

/// The name among those that a pattern binds.
fn bound<'p>(pattern: &'p LetPattern, name: &str) -> Option<&'p Ident> {
    match &pattern.kind {
        LetPatternKind::Name(n) => Some(n).filter(|n| n.as_str() == name),
        LetPatternKind::Tuple(members) => members.iter().find_map(|m| bound(&m.pattern, name)),
        LetPatternKind::Discard | LetPatternKind::Error => None,
    }
}

fn no_input(name: &str, span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(Code::E1101, format!("`{name}` takes no value from outside"))
        .primary(span, format!("it is {what}"))
        .help(format!("declare an `input` for it, and define `{name}` by that"))
}

/// A name that the program does not have.
fn unknown(program: &Program, name: &str) -> Diagnostic {
    let inputs = program.stmts.iter().filter_map(|s| match &s.kind {
        StmtKind::Input(i) => Some(format!("`{}`", i.name.as_str())),
        _ => None,
    });
    unknown_among(name, &inputs.collect::<Vec<String>>())
}

/// The same where the inputs are known.
pub(super) fn unknown_among(name: &str, inputs: &[String]) -> Diagnostic {
    let d = Diagnostic::error(Code::E1101, format!("unknown input `{name}`"));
    let d = match closest_name(name, inputs.iter().map(|quoted| quoted.trim_matches('`'))) {
        Some(known) => d.help(format!("did you mean `{known}`?")),
        None => d,
    };
    match inputs.is_empty() {
        true => d.note("the program declares no inputs"),
        false => d.note(format!("the inputs are {}", inputs.join(", "))),
    }
}

/// A value as it is written in the language.
fn value_of(name: &str, text: &str, sources: &SourceMap) -> Result<Option<Expr>, Diagnostic> {
    let file = sources.add(format!("--input {name}"), text);
    let (program, complaints) = weft_syntax::parse(file, text).into_parts();
    if let Some(d) = complaints.into_iter().find(Diagnostic::is_error) {
        return Err(super::literal::as_an_array(d, text));
    }
    match program.tail.filter(|_| program.stmts.is_empty()) {
        Some(value) => Ok(Some(*value)),
        None => Err(Diagnostic::error(Code::E1103, format!("`{name}` takes a value"))
            .primary(Span::new(file, 0, text.len() as u32), "this is none")),
    }
}

/// A name in place of a literal must be one that the program has.
fn no_unknown_name(
    program: &Program,
    name: &str,
    value: Option<Expr>,
) -> Result<Option<Expr>, Diagnostic> {
    let word = match value.as_ref().map(|v| &v.kind) {
        Some(ExprKind::Path(path)) => path.as_name().cloned(),
        _ => None,
    };
    let replaced = program.stmts.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Let(l) if bound(&l.pattern, name).is_some() => Some(&l.value),
        _ => None,
    });
    let kind = replaced.and_then(literal_kind);
    match (word, kind) {
        (Some(word), Some(kind)) if !may_name(program, word.as_str()) => {
            let wanted = one_of(kind);
            let headline = format!("`{name}` takes {wanted}, found `{}`", word.as_str());
            Err(Diagnostic::error(Code::E1103, headline)
                .primary(word.span, "no value has this name"))
        }
        _ => Ok(value),
    }
}

/// What stands in place of a literal, in words.
fn one_of((kind, rank): (Kind, usize)) -> String {
    match (kind, rank) {
        (Kind::Bool, 0) => "a truth value".to_string(),
        (Kind::Int, 0) => "an integer".to_string(),
        (Kind::Float, 0) => "a number".to_string(),
        _ => format!("an array of {}", kind.text()),
    }
}

/// Whether a name may mean something at the top level.
fn may_name(program: &Program, name: &str) -> bool {
    program.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Use(_) => true,
        StmtKind::Let(l) => bound(&l.pattern, name).is_some(),
        StmtKind::Input(i) => i.name.as_str() == name,
        StmtKind::Indexed(d) => d.name.as_str() == name,
        StmtKind::Const(c) => c.name.as_str() == name,
        StmtKind::Fn(f) => f.name.as_str() == name,
        _ => false,
    })
}

fn from_file(
    program: &mut Program,
    name: &str,
    path: &Path,
    place: Span,
    sources: &SourceMap,
) -> Result<Option<Expr>, Diagnostic> {
    let fail = |why: String| unreadable(path, place, name, &why);
    let (elem, rank) = npy::kind(path).map_err(fail)?;
    match (elem.is_int(), rank) {
        (true, 0) => from_array(program, name, &npy::read(path).map_err(fail)?, sources),
        _ => {
            let shown = path.file_name().unwrap_or_default().to_string_lossy();
            bind_to_input(program, name, (elem, rank), &shown, sources).map(|()| None)
        }
    }
}

fn from_array(
    program: &mut Program,
    name: &str,
    a: &Array,
    sources: &SourceMap,
) -> Result<Option<Expr>, Diagnostic> {
    match (a.elem().is_int(), a.shape()) {
        // An integer by itself is as open as one that is written out.
        (true, []) => value_of(name, &a.get(0).number_text(), sources),
        (_, shape) => {
            let kind = (a.elem(), shape.len());
            bind_to_input(program, name, kind, "an array", sources).map(|()| None)
        }
    }
}

/// Declares an input of an array's type before the `let`s of a name, and binds them to it.
fn bind_to_input(
    program: &mut Program,
    name: &str,
    (elem, rank): (ScalarType, usize),
    shown: &str,
    sources: &SourceMap,
) -> Result<(), Diagnostic> {
    let file = sources.add(format!("--input {name}"), shown);
    let span = Span::new(file, 0, shown.len() as u32);
    let ident = Ident { name: name.into(), span };
    let mut first = None;
    for (at, stmt) in program.stmts.iter_mut().enumerate() {
        let Some(l) = named_let(stmt, name) else { continue };
        agree(l, name, (elem, rank), span)?;
        l.value =
            Expr { span, kind: ExprKind::Path(PathName { span, segments: vec![ident.clone()] }) };
        first.get_or_insert(at);
    }
    let ty = type_of(elem, rank, span);
    let input = StmtKind::Input(Input { name: ident, ty, default: None });
    program.stmts.insert(first.unwrap_or(0), Stmt { span, kind: input });
    Ok(())
}

fn named_let<'s>(stmt: &'s mut Stmt, name: &str) -> Option<&'s mut Let> {
    match &mut stmt.kind {
        StmtKind::Let(l) => {
            let named = matches!(&l.pattern.kind, LetPatternKind::Name(n) if n.as_str() == name);
            named.then_some(l)
        }
        _ => None,
    }
}

/// A literal says what may stand in its place; of another initialiser the program's types do.
fn agree(
    l: &Let,
    name: &str,
    (elem, rank): (ScalarType, usize),
    span: Span,
) -> Result<(), Diagnostic> {
    let Some((kind, axes)) = literal_kind(&l.value) else { return Ok(()) };
    if kind.holds(elem) && axes == rank {
        return Ok(());
    }
    let counted = |n: usize| match n {
        0 => "a number".to_string(),
        1 => "1 axis".to_string(),
        n => format!("{n} axes"),
    };
    let (wanted, found) = (counted(axes), counted(rank));
    let headline = format!("`{name}` takes {} ({wanted}), found {elem} ({found})", kind.text());
    Err(Diagnostic::error(Code::E1103, headline)
        .primary(span, "given here")
        .secondary(l.value.span, "in place of this"))
}

/// What kind of numbers a literal has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
}

impl Kind {
    fn holds(self, elem: ScalarType) -> bool {
        match self {
            Kind::Bool => elem == ScalarType::Bool,
            Kind::Int => elem.is_int(),
            Kind::Float => elem.is_float(),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Kind::Bool => "truth values",
            Kind::Int => "integers",
            Kind::Float => "floats",
        }
    }
}

/// The kind and the rank of a literal; nothing where it is something else.
fn literal_kind(e: &Expr) -> Option<(Kind, usize)> {
    match &e.kind {
        ExprKind::Bool(_) => Some((Kind::Bool, 0)),
        ExprKind::Number(n) => match n.value {
            NumberValue::Int(_) => Some((Kind::Int, 0)),
            NumberValue::Float(_) => Some((Kind::Float, 0)),
        },
        ExprKind::Unary { op: UnaryOp::Neg, operand, .. } => literal_kind(operand),
        ExprKind::Array(members) => {
            let kinds: Option<Vec<(Kind, usize)>> = members.iter().map(literal_kind).collect();
            let kinds = kinds?;
            let (first, rank) = *kinds.first()?;
            let float = kinds.iter().any(|(k, _)| *k == Kind::Float);
            Some((if float { Kind::Float } else { first }, rank + 1))
        }
        _ => None,
    }
}

fn type_of(elem: ScalarType, rank: usize, span: Span) -> Type {
    let prim = Prim::from_name(&elem.to_string()).map_or(TypeKind::Error, TypeKind::Prim);
    let elem = Type { span, kind: prim };
    if rank == 0 {
        return elem;
    }
    let dims = vec![Dim { span, kind: DimKind::Unknown }; rank];
    Type { span, kind: TypeKind::Array { elem: Box::new(elem), dims: Some(dims) } }
}
