//! Types.

use super::{Lower, child, children, has_token, token, tokens};
use crate::ast::{
    BinaryOp, Dim, DimKind, Expr, ExprKind, JaggedRank, NumberValue, Prim, Type, TypeKind,
};
use crate::{SyntaxKind as K, SyntaxNode};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

impl Lower {
    /// The type directly below `node`.
    pub(super) fn sub_type(&mut self, node: &SyntaxNode) -> Type {
        self.optional_type(node).unwrap_or_else(|| {
            let end = self.span(node).end;
            Type { span: Span::new(self.file, end, end), kind: TypeKind::Error }
        })
    }

    /// The type directly below `node`, if there is one.
    pub(super) fn optional_type(&mut self, node: &SyntaxNode) -> Option<Type> {
        child(node, K::is_type).map(|ty| self.ty(&ty))
    }

    /// All types directly below `node`.
    pub(super) fn types(&mut self, node: &SyntaxNode) -> Vec<Type> {
        children(node, K::is_type).map(|ty| self.ty(&ty)).collect()
    }

    fn ty(&mut self, node: &SyntaxNode) -> Type {
        Type { span: self.span(node), kind: self.type_kind(node) }
    }

    fn type_kind(&mut self, node: &SyntaxNode) -> TypeKind {
        match node.kind() {
            K::PathType => self.path_type(node),
            K::ArrayType => {
                let elem = Box::new(self.sub_type(node));
                TypeKind::Array { elem, dims: self.dims(node) }
            }
            K::JaggedType => self.jagged(node),
            K::TupleType => TypeKind::Tuple(self.types(node)),
            K::ParenType => self.sub_type(node).kind,
            K::FnType => self.fn_type(node),
            _ => TypeKind::Error,
        }
    }

    fn path_type(&mut self, node: &SyntaxNode) -> TypeKind {
        let Some(path) = self.path(node) else { return TypeKind::Error };
        let prim = path.as_name().and_then(|name| Prim::from_name(name.as_str()));
        match prim.filter(|_| !has_token(node, K::Lt)) {
            Some(prim) => TypeKind::Prim(prim),
            None => TypeKind::Path { path, args: self.types(node) },
        }
    }

    fn fn_type(&mut self, node: &SyntaxNode) -> TypeKind {
        let mut params = self.types(node);
        match params.pop() {
            Some(ret) => TypeKind::Fn { params, ret: Box::new(ret) },
            None => TypeKind::Error,
        }
    }

    fn jagged(&mut self, node: &SyntaxNode) -> TypeKind {
        let elem = self.sub_type(node);
        let rank = tokens(node).find_map(|token| match (token.kind(), token.text()) {
            (K::Question, _) => Some(JaggedRank::Unknown),
            (K::Suffixed, "2d") => Some(JaggedRank::Known(2)),
            (K::Suffixed, "3d") => Some(JaggedRank::Known(3)),
            (K::Suffixed, "4d") => Some(JaggedRank::Known(4)),
            _ => None,
        });
        match elem.kind {
            TypeKind::Prim(elem) => TypeKind::Jagged { elem, rank },
            TypeKind::Error => TypeKind::Error,
            _ => {
                let diagnostic =
                    Diagnostic::error(Code::E0001, "the elements of a jagged array are scalars")
                        .primary(elem.span, "not a scalar type");
                self.report(diagnostic);
                TypeKind::Error
            }
        }
    }

    fn dims(&mut self, node: &SyntaxNode) -> Option<Vec<Dim>> {
        let dims = children(node, |kind| kind == K::Dim);
        has_token(node, K::Semi).then(|| dims.map(|dim| self.dim(&dim)).collect())
    }

    fn dim(&mut self, node: &SyntaxNode) -> Dim {
        let kind = match tokens(node).next().map(|token| token.kind()) {
            Some(K::Question) => DimKind::Unknown,
            Some(K::Star) => DimKind::Star,
            Some(K::DotDot) => token(node, K::Ident)
                .map_or(DimKind::Error, |name| DimKind::Rest(self.ident(&name))),
            _ => self.dim_expr(node),
        };
        Dim { span: self.span(node), kind }
    }

    fn dim_expr(&mut self, node: &SyntaxNode) -> DimKind {
        let expr = self.sub_expr(node, 0);
        if let ExprKind::Path(path) = &expr.kind
            && let Some(name) = path.as_name()
        {
            return DimKind::Name(name.clone());
        }
        match not_arithmetic(&expr) {
            None => DimKind::Expr(expr),
            Some(fault) => {
                let diagnostic = Diagnostic::error(
                    Code::E0001,
                    "an extent is arithmetic over numbers and names",
                )
                .primary(fault, "neither number nor name");
                self.report(diagnostic);
                DimKind::Error
            }
        }
    }
}

/// The part of an extent that is not arithmetic over whole numbers and names; nothing
/// where it all is, or where a fault has been reported.
fn not_arithmetic(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Error => None,
        ExprKind::Number(number) if matches!(number.value, NumberValue::Int(_)) => None,
        ExprKind::Path(path) if path.as_name().is_some() => None,
        ExprKind::Binary { op, lhs, rhs, .. } if is_arithmetic(*op) => {
            not_arithmetic(lhs).or_else(|| not_arithmetic(rhs))
        }
        ExprKind::Unary { op: crate::ast::UnaryOp::Neg, operand, .. } => not_arithmetic(operand),
        _ => Some(expr.span),
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Add | B::Sub | B::Mul | B::Div | B::Rem | B::Pow)
}
