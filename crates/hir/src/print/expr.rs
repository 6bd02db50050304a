//! Expressions, written.

use super::{Printer, flag, label, name, number, section};
use crate::format_words::{ALIGNS, FORMAT_KINDS, word_of};
use crate::sexp::Sexp;
use crate::{
    Arg, Arm, Comprehension, Expr, ExprKind, FieldName, FormatSpec, GenItem, GenItemKind, Handler,
    Head, HeadKind, If, Item, ItemKind, Label, LibraryItem, Match, Meaning, Reduce, Reduction,
    StrLit, StrPart, StrPartKind, StructLit, Use, WhereItem, WhereItemKind, intrinsic,
    intrinsic_names,
};

impl Printer<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Sexp {
        match &e.kind {
            ExprKind::Error => Sexp::word("error"),
            ExprKind::Unit => Sexp::word("unit"),
            ExprKind::Bool(b) => Sexp::word(b.to_string()),
            ExprKind::Number(n) => number(n),
            ExprKind::Str(s) => self.string(s),
            ExprKind::Use(u) => self.name_use(u),
            ExprKind::Tuple(members) => Sexp::form("tuple", self.exprs(members)),
            ExprKind::Array(elements) => Sexp::form("array", self.exprs(elements)),
            ExprKind::Comprehension(c) => self.comprehension(c),
            ExprKind::Reduction(r) => self.reduction(r),
            ExprKind::Reduce(r) => self.reduce(r),
            ExprKind::If(i) => self.if_else(i),
            ExprKind::Match(m) => self.match_expr(m),
            ExprKind::Block(b) => self.block(b),
            ExprKind::Lambda(l) => {
                Sexp::form("lambda", [self.params(&l.params), self.expr(&l.body)])
            }
            ExprKind::StructLit(s) => self.struct_literal(s),
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Index { base, items } => self.index(base, items),
            ExprKind::Field { base, field } => self.field(base, field),
            ExprKind::Unary { op, operand, .. } => Sexp::form(op.as_str(), [self.expr(operand)]),
            ExprKind::Binary { op, lhs, rhs, .. } => self.two(op.as_str(), lhs, rhs),
            ExprKind::Range { start, end, inclusive: false } => self.two("..", start, end),
            ExprKind::Range { start, end, inclusive: true } => self.two("..=", start, end),
            ExprKind::In { item, set } => self.two("in", item, set),
            ExprKind::Cast { value, ty } => Sexp::form("as", [self.expr(value), self.ty(ty)]),
            ExprKind::Pipe { op, lhs, rhs, .. } => self.two(op.as_str(), lhs, rhs),
            ExprKind::Recover { chain, handler: Handler::Else(e) } => self.two("else", chain, e),
            ExprKind::Recover { chain, handler: Handler::Catch(e) } => self.two("catch", chain, e),
            ExprKind::Where { body, items } => {
                let body = self.expr(body);
                Sexp::form("where", [body].into_iter().chain(self.where_items(items)))
            }
        }
    }

    fn two(&mut self, word: &str, lhs: &Expr, rhs: &Expr) -> Sexp {
        Sexp::form(word, [self.expr(lhs), self.expr(rhs)])
    }

    fn exprs(&mut self, all: &[Expr]) -> Vec<Sexp> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    fn name_use(&mut self, u: &Use) -> Sexp {
        match &u.meaning {
            Meaning::Var(var) => self.named(*var, &u.name.name),
            Meaning::Variant(ty) => Sexp::form("variant", [self.var(*ty), label(&u.name)]),
            Meaning::Foreign(path) => {
                Sexp::form("foreign", [Sexp::text(path.as_str()), label(&u.name)])
            }
            Meaning::Builtin => Sexp::form("builtin", [label(&u.name)]),
            Meaning::Library(item) => library(*item, &u.name),
        }
    }

    /// A string: a text in quotes where nothing is computed.
    fn string(&mut self, s: &StrLit) -> Sexp {
        match s.parts.as_slice() {
            [StrPart { kind: StrPartKind::Text(text), .. }] => Sexp::text(text.as_str()),
            parts => {
                let parts: Vec<Sexp> = parts.iter().map(|p| self.str_part(p)).collect();
                Sexp::form("string", parts)
            }
        }
    }

    fn str_part(&mut self, part: &StrPart) -> Sexp {
        match &part.kind {
            StrPartKind::Text(text) => Sexp::text(text.as_str()),
            StrPartKind::Value { value, spec } => {
                let spec = spec.as_ref().map(format_spec);
                Sexp::form("show", [self.expr(value)].into_iter().chain(spec))
            }
        }
    }

    fn comprehension(&mut self, c: &Comprehension) -> Sexp {
        let inner = flag("inner", c.inner);
        let body = self.expr(&c.body);
        let items: Vec<Sexp> = c.items.iter().map(|i| self.gen_item(i)).collect();
        Sexp::form("comprehension", inner.into_iter().chain([body]).chain(items))
    }

    fn gen_item(&mut self, item: &GenItem) -> Sexp {
        match &item.kind {
            GenItemKind::In { name, set } => Sexp::form("in", [self.ident(name), self.expr(set)]),
            GenItemKind::Bind { name, value } => {
                Sexp::form("let", [self.ident(name), self.expr(value)])
            }
            GenItemKind::Guard(e) => Sexp::form("guard", [self.expr(e)]),
            GenItemKind::Test { item, set } => self.two("test", item, set),
        }
    }

    fn where_items(&mut self, items: &[WhereItem]) -> Vec<Sexp> {
        let item = |item: &WhereItem| match &item.kind {
            WhereItemKind::Bind { name, value } => {
                Sexp::form("let", [self.ident(name), self.expr(value)])
            }
            WhereItemKind::Guard(e) => Sexp::form("guard", [self.expr(e)]),
        };
        items.iter().map(item).collect()
    }

    /// The items of a clause or a reduction, if there are any.
    pub(super) fn given(&mut self, items: &[WhereItem]) -> Option<Sexp> {
        (!items.is_empty()).then(|| Sexp::form("given", self.where_items(items)))
    }

    fn reduction(&mut self, r: &Reduction) -> Sexp {
        let op = Sexp::word(r.op.as_str());
        let other = (r.name.as_str() != r.op.as_str()).then(|| label(&r.name));
        let mut all = vec![op];
        all.extend(section("name", other));
        self.terms(&r.heads, &r.where_items, &r.body, &mut all);
        Sexp::form("reduction", all)
    }

    fn reduce(&mut self, r: &Reduce) -> Sexp {
        let other = (r.name.as_str() != "reduce").then(|| label(&r.name));
        let mut all: Vec<Sexp> = section("name", other).into_iter().collect();
        all.extend([self.expr(&r.function), self.expr(&r.identity)]);
        self.terms(&r.heads, &r.where_items, &r.body, &mut all);
        Sexp::form("reduce", all)
    }

    fn terms(&mut self, heads: &[Head], items: &[WhereItem], body: &Expr, out: &mut Vec<Sexp>) {
        let heads: Vec<Sexp> = heads.iter().map(|h| self.head(h)).collect();
        out.push(Sexp::form("heads", heads));
        out.extend(self.given(items));
        out.push(self.expr(body));
    }

    fn head(&mut self, head: &Head) -> Sexp {
        match &head.kind {
            HeadKind::Index { name, range: None } => self.ident(name),
            HeadKind::Index { name, range: Some(range) } => {
                Sexp::form("in", [self.ident(name), self.expr(range)])
            }
            HeadKind::Rest(rest) => self.rest(rest),
        }
    }

    fn if_else(&mut self, i: &If) -> Sexp {
        let (cond, then) = (self.expr(&i.cond), self.block(&i.then));
        let otherwise = i.otherwise.as_ref().map(|e| self.expr(e));
        Sexp::form("if", [cond, then].into_iter().chain(otherwise))
    }

    fn match_expr(&mut self, m: &Match) -> Sexp {
        let scrutinee = self.expr(&m.scrutinee);
        let arms: Vec<Sexp> = m.arms.iter().map(|a| self.arm(a)).collect();
        Sexp::form("match", [scrutinee].into_iter().chain(arms))
    }

    fn arm(&mut self, arm: &Arm) -> Sexp {
        let pats = self.alternatives(&arm.pats);
        let guard = section("guard", arm.guard.as_ref().map(|g| self.expr(g)));
        let body = self.expr(&arm.body);
        Sexp::form("arm", [pats].into_iter().chain(guard).chain([body]))
    }

    fn struct_literal(&mut self, s: &StructLit) -> Sexp {
        let constructor = self.constructor(&s.constructor);
        let fields =
            s.fields.iter().map(|f| Sexp::form("field", [label(&f.name), self.expr(&f.value)]));
        let fields: Vec<Sexp> = fields.collect();
        Sexp::form("make", [constructor].into_iter().chain(fields))
    }

    fn call(&mut self, callee: &Expr, args: &[Arg]) -> Sexp {
        let callee = self.expr(callee);
        let args: Vec<Sexp> = args.iter().map(|a| self.arg(a)).collect();
        Sexp::form("call", [callee].into_iter().chain(args))
    }

    fn arg(&mut self, arg: &Arg) -> Sexp {
        match &arg.name {
            Some(name) => Sexp::form("named", [label(name), self.expr(&arg.value)]),
            None => self.expr(&arg.value),
        }
    }

    fn field(&mut self, base: &Expr, field: &FieldName) -> Sexp {
        let base = self.expr(base);
        let field = match field {
            FieldName::Named(name) => label(name),
            FieldName::Position { index, .. } => Sexp::word(index.to_string()),
        };
        Sexp::form("field", [base, field])
    }

    fn index(&mut self, base: &Expr, items: &[Item]) -> Sexp {
        let base = self.expr(base);
        let items: Vec<Sexp> = items.iter().map(|i| self.item(i)).collect();
        Sexp::form("index", [base].into_iter().chain(items))
    }

    fn item(&mut self, item: &Item) -> Sexp {
        match &item.kind {
            ItemKind::Expr(e) => self.expr(e),
            ItemKind::Rest(rest) => self.rest(rest),
            ItemKind::Coproduct(parts) => self.coproduct(parts),
        }
    }
}

/// An item of the library by the name that the library has for it; one that it does not have is
/// `?`, which nothing reads back.
fn library(item: LibraryItem, used_as: &Label) -> Sexp {
    let is_it = |name: &&str| intrinsic(name) == Some(item);
    // Some items have several names: the one that is used, if it is such.
    let own = Some(used_as.as_str()).filter(is_it);
    let known = own.is_none().then(|| intrinsic_names().into_iter().find(is_it)).flatten();
    match own.or(known) {
        Some(known) => {
            let alias = own.is_none().then(|| label(used_as));
            Sexp::form("library", [name(known)].into_iter().chain(alias))
        }
        None => Sexp::form("library", [Sexp::word("?"), label(used_as)]),
    }
}

/// How a value is shown in a string.
fn format_spec(spec: &FormatSpec) -> Sexp {
    let count = |word, n: Option<u32>| section(word, n.map(|n| Sexp::word(n.to_string())));
    let all = [
        section("fill", spec.fill.map(|c| Sexp::text(c.to_string()))),
        spec.align.and_then(|a| word_of(&ALIGNS, a)).map(Sexp::word),
        flag("plus", spec.plus),
        flag("zero", spec.zero),
        count("width", spec.width),
        flag("grouped", spec.grouped),
        count("precision", spec.precision),
        spec.kind.and_then(|k| word_of(&FORMAT_KINDS, k)).map(Sexp::word),
    ];
    Sexp::form("format", all.into_iter().flatten())
}
