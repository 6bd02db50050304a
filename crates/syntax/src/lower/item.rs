//! Statements and definitions.

use super::expr::indexed_name;
use super::{Lower, child, children, has_token, token, tokens};
use crate::ast::{
    Const, DiffRule, EnumDef, Expr, ExprKind, ExprStmt, FieldDef, FnDef, Ident, Indexed, Input,
    Let, LetPattern, LetPatternKind, Mod, Param, Slot, SlotKind, Stmt, StmtKind, StructDef,
    TypedPattern, Use, UseKind, UseName, Variant, VariantBody,
};
use crate::{SyntaxKind as K, SyntaxNode};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

impl Lower {
    /// The statements directly below `node`, and the value at their end.
    pub(super) fn stmts(&mut self, node: &SyntaxNode) -> (Vec<Stmt>, Option<Box<Expr>>) {
        let mut stmts = Vec::new();
        let mut tail: Option<Expr> = None;
        for child in children(node, |kind| kind.is_stmt() || kind.is_expr()) {
            // Only behind a fault does anything follow the value.
            stmts.extend(tail.take().map(value_stmt));
            if child.kind().is_stmt() {
                stmts.push(self.stmt(&child));
            } else {
                tail = Some(self.expr(&child));
            }
        }
        (stmts, tail.map(Box::new))
    }

    #[inline(never)]
    fn stmt(&mut self, node: &SyntaxNode) -> Stmt {
        let kind = self.stmt_kind(node).unwrap_or(StmtKind::Error);
        Stmt { span: self.span(node), kind }
    }

    #[inline(never)]
    fn stmt_kind(&mut self, node: &SyntaxNode) -> Option<StmtKind> {
        Some(match node.kind() {
            K::LetStmt => StmtKind::Let(self.let_(node)),
            K::ConstStmt => StmtKind::Const(self.const_(node)?),
            K::IndexedStmt => StmtKind::Indexed(self.indexed(node)?),
            K::FnDef => StmtKind::Fn(self.fn_(node)?),
            K::DiffRule => StmtKind::DiffRule(self.diff_rule(node)?),
            K::StructDef => StmtKind::Struct(self.struct_(node)?),
            K::EnumDef => StmtKind::Enum(self.enum_(node)?),
            K::UseStmt => StmtKind::Use(self.use_(node)?),
            K::ModStmt => StmtKind::Mod(self.mod_(node)?),
            K::InputStmt => StmtKind::Input(self.input(node)?),
            K::ExprStmt => {
                let expr = self.sub_expr(node, 0);
                StmtKind::Expr(ExprStmt { expr, semi: has_token(node, K::Semi) })
            }
            _ => return None,
        })
    }

    fn let_(&mut self, node: &SyntaxNode) -> Let {
        Let {
            public: has_token(node, K::PubKw),
            pattern: self.sub_let_pattern(node),
            ty: self.optional_type(node),
            value: self.sub_expr(node, 0),
        }
    }

    fn sub_let_pattern(&mut self, node: &SyntaxNode) -> LetPattern {
        match child(node, K::is_let_pattern) {
            Some(pattern) => self.let_pattern(&pattern),
            None => LetPattern { span: self.span(node), kind: LetPatternKind::Error },
        }
    }

    fn let_pattern(&mut self, node: &SyntaxNode) -> LetPattern {
        let kind = match node.kind() {
            K::NamePat => self.name(node).map_or(LetPatternKind::Error, LetPatternKind::Name),
            K::DiscardPat => LetPatternKind::Discard,
            K::TuplePat1 => self.tuple_pattern1(node),
            _ => LetPatternKind::Error,
        };
        LetPattern { span: self.span(node), kind }
    }

    fn tuple_pattern1(&mut self, node: &SyntaxNode) -> LetPatternKind {
        let elems = children(node, |kind| kind == K::TypedPat).map(|elem| TypedPattern {
            pattern: self.sub_let_pattern(&elem),
            ty: self.optional_type(&elem),
        });
        LetPatternKind::Tuple(elems.collect())
    }

    fn const_(&mut self, node: &SyntaxNode) -> Option<Const> {
        Some(Const {
            public: has_token(node, K::PubKw),
            name: self.name(node)?,
            ty: self.optional_type(node),
            value: self.sub_expr(node, 0),
        })
    }

    fn input(&mut self, node: &SyntaxNode) -> Option<Input> {
        Some(Input {
            name: self.name(node)?,
            ty: self.sub_type(node),
            default: self.sub_optional(node, 0),
        })
    }

    fn indexed(&mut self, node: &SyntaxNode) -> Option<Indexed> {
        let name = self.name(node)?;
        let list = child(node, |kind| kind == K::SlotList)?;
        let slots = children(&list, |kind| kind == K::Slot).map(|slot| self.slot(&slot)).collect();
        let ty = self.optional_type(node);
        let mut alternatives: Vec<Expr> =
            children(node, K::is_expr).map(|body| self.expr(&body)).collect();
        if alternatives.is_empty() {
            alternatives.push(self.error_expr(node));
        }
        let where_items = self.where_items(node);
        let otherwise = child(node, |kind| kind == K::ElseValue);
        let otherwise = otherwise.map(|otherwise| self.sub_expr(&otherwise, 0));
        let slots_span = self.span(&list);
        Some(Indexed { name, slots_span, slots, ty, alternatives, where_items, otherwise })
    }

    fn slot(&mut self, node: &SyntaxNode) -> Slot {
        let span = self.span(node);
        let inner = node.first_child();
        let kind = match inner.as_ref().map(|inner| (inner.kind(), inner)) {
            Some((K::Rest, rest)) => self.rest(rest).map(SlotKind::Rest),
            Some((K::Coproduct, parts)) => Some(SlotKind::Coproduct(self.parts(parts))),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| self.plain_slot(node));
        Slot { span, kind }
    }

    fn plain_slot(&mut self, node: &SyntaxNode) -> SlotKind {
        // `(i)` is a fixed cell: parentheses are how an outer integer is meant.
        let parenthesised = child(node, K::is_expr).is_some_and(|e| e.kind() == K::ParenExpr);
        let value = self.sub_expr(node, 0);
        if parenthesised {
            return SlotKind::Fixed(value);
        }
        match indexed_name(value) {
            Ok((name, range)) => SlotKind::Index { name, range: range.map(|range| *range) },
            Err(value) => {
                self.check_fixed(&value);
                SlotKind::Fixed(*value)
            }
        }
    }

    fn check_fixed(&mut self, value: &Expr) {
        if let ExprKind::In { item, .. } = &value.kind {
            let diagnostic = Diagnostic::error(Code::E0001, "only an index has a range")
                .primary(item.span, "expected a name");
            self.report(diagnostic);
        }
    }

    fn fn_(&mut self, node: &SyntaxNode) -> Option<FnDef> {
        Some(FnDef {
            public: has_token(node, K::PubKw),
            name: self.name(node)?,
            params: self.listed_params(node),
            ret: self.optional_type(node),
            body: self.body(node),
        })
    }

    fn diff_rule(&mut self, node: &SyntaxNode) -> Option<DiffRule> {
        Some(DiffRule {
            name: self.name(node)?,
            params: self.listed_params(node),
            body: self.body(node),
        })
    }

    /// The body of a function; empty where it is missing.
    fn body(&mut self, node: &SyntaxNode) -> crate::ast::Block {
        match child(node, |kind| kind == K::BlockExpr) {
            Some(block) => self.block(&block),
            None => crate::ast::Block { span: self.span(node), stmts: Vec::new(), tail: None },
        }
    }

    fn listed_params(&mut self, node: &SyntaxNode) -> Vec<Param> {
        let list = child(node, |kind| kind == K::ParamList);
        list.map(|list| self.params(&list)).unwrap_or_default()
    }

    /// The parameters directly below `node`.
    pub(super) fn params(&mut self, node: &SyntaxNode) -> Vec<Param> {
        children(node, |kind| kind == K::Param).filter_map(|param| self.param(&param)).collect()
    }

    fn param(&mut self, node: &SyntaxNode) -> Option<Param> {
        Some(Param {
            span: self.span(node),
            name: self.name_or_discard(node)?,
            ty: self.optional_type(node),
            default: self.sub_optional(node, 0),
        })
    }

    fn generics(&mut self, node: &SyntaxNode) -> Vec<Ident> {
        let list = child(node, |kind| kind == K::Generics);
        let names = list.iter().flat_map(tokens).filter(|token| token.kind() == K::Ident);
        names.map(|name| self.ident(&name)).collect()
    }

    fn struct_(&mut self, node: &SyntaxNode) -> Option<StructDef> {
        let name = self.name(node)?;
        let generics = self.generics(node);
        let body = match self.fields(node) {
            VariantBody::Unit => VariantBody::Tuple(Vec::new()),
            body => body,
        };
        Some(StructDef { public: has_token(node, K::PubKw), name, generics, body })
    }

    fn enum_(&mut self, node: &SyntaxNode) -> Option<EnumDef> {
        let name = self.name(node)?;
        let generics = self.generics(node);
        let variants = children(node, |kind| kind == K::Variant);
        let variants = variants.filter_map(|variant| self.variant(&variant)).collect();
        Some(EnumDef { public: has_token(node, K::PubKw), name, generics, variants })
    }

    fn variant(&mut self, node: &SyntaxNode) -> Option<Variant> {
        let name = self.name(node)?;
        Some(Variant { span: self.span(node), name, body: self.fields(node) })
    }

    fn fields(&mut self, node: &SyntaxNode) -> VariantBody {
        if let Some(fields) = child(node, |kind| kind == K::TupleFields) {
            return VariantBody::Tuple(self.types(&fields));
        }
        let Some(fields) = child(node, |kind| kind == K::RecordFields) else {
            return VariantBody::Unit;
        };
        let fields = children(&fields, |kind| kind == K::FieldDef).filter_map(|field| {
            Some(FieldDef { name: self.name(&field)?, ty: self.sub_type(&field) })
        });
        VariantBody::Record(fields.collect())
    }

    fn use_(&mut self, node: &SyntaxNode) -> Option<Use> {
        let path = self.path(node)?;
        let kind = if let Some(glob) = child(node, |kind| kind == K::UseGlob) {
            UseKind::Glob { span: self.span(&glob) }
        } else if let Some(list) = child(node, |kind| kind == K::UseList) {
            let names = children(&list, |kind| kind == K::UseName);
            UseKind::List(names.filter_map(|name| self.use_name(&name)).collect())
        } else {
            UseKind::Plain { alias: self.alias(node) }
        };
        Some(Use { public: has_token(node, K::PubKw), path, kind })
    }

    fn use_name(&mut self, node: &SyntaxNode) -> Option<UseName> {
        Some(UseName { name: self.name(node)?, alias: self.alias(node) })
    }

    fn alias(&mut self, node: &SyntaxNode) -> Option<Ident> {
        let alias = child(node, |kind| kind == K::Alias)?;
        token(&alias, K::Ident).map(|name| self.ident(&name))
    }

    fn mod_(&mut self, node: &SyntaxNode) -> Option<Mod> {
        let name = self.name(node)?;
        let inline = has_token(node, K::LBrace);
        let body = inline.then(|| self.module_body(node));
        Some(Mod { public: has_token(node, K::PubKw), name, body })
    }

    fn module_body(&mut self, node: &SyntaxNode) -> Vec<Stmt> {
        let (stmts, tail) = self.stmts(node);
        if let Some(tail) = tail.filter(|tail| tail.kind != ExprKind::Error) {
            self.module_value(tail.span);
        }
        stmts
    }

    fn module_value(&mut self, span: Span) {
        let diagnostic = Diagnostic::error(Code::E0001, "a module has no value")
            .primary(span, "")
            .help("a module holds definitions: bind this with `let` or `const`");
        self.report(diagnostic);
    }
}

fn value_stmt(expr: Expr) -> Stmt {
    Stmt { span: expr.span, kind: StmtKind::Expr(ExprStmt { expr, semi: false }) }
}
