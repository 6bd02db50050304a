//! Parts of the tree that are made up: what sugar stands for is written with these.

use crate::{
    BinaryOp, Block, Clause, Expr, ExprKind, FieldName, Ident, Item, ItemKind, Label, Meaning,
    Number, NumberValue, Slot, SlotKind, Use, WhereItem, WhereItemKind,
};
use weft_base::{Name, Span};

impl Expr {
    /// A use of a variable.
    pub fn of_var(ident: &Ident, span: Span) -> Expr {
        let name = Label { name: ident.name.clone(), span };
        let meaning = Meaning::Var(ident.var);
        Expr { span, kind: ExprKind::Use(Use { span, name, meaning }) }
    }

    /// An integer as it would be written.
    pub fn integer(n: i128, span: Span) -> Expr {
        let number = Number { text: n.to_string(), value: NumberValue::Int(n) };
        Expr { span, kind: ExprKind::Number(number) }
    }

    /// An operator of two operands.
    pub fn binary(op: BinaryOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
        Expr { span, kind: ExprKind::Binary { op, op_span: span, lhs, rhs } }
    }

    /// `start..end`.
    pub fn range(start: Expr, end: Expr, span: Span) -> Expr {
        let (start, end) = (Box::new(start), Box::new(end));
        Expr { span, kind: ExprKind::Range { start, end, inclusive: false } }
    }

    /// `base[at]`.
    pub fn cell(base: Expr, at: Expr, span: Span) -> Expr {
        let items = vec![Item { span, kind: ItemKind::Expr(at) }];
        Expr { span, kind: ExprKind::Index { base: Box::new(base), items } }
    }

    /// `base.name`.
    pub fn property(base: Expr, name: &str, span: Span) -> Expr {
        let field = FieldName::Named(Label { name: Name::new(name), span });
        Expr { span, kind: ExprKind::Field { base: Box::new(base), field } }
    }
}

impl Block {
    /// A value alone.
    pub fn of(value: Expr) -> Block {
        Block { span: value.span, stmts: Vec::new(), tail: Some(Box::new(value)) }
    }
}

impl WhereItem {
    /// `name = value`, at the place of the name.
    pub fn bind(name: Ident, value: Expr) -> WhereItem {
        WhereItem { span: name.span, kind: WhereItemKind::Bind { name, value } }
    }
}

impl SlotKind {
    /// An index that hides nothing.
    pub fn index(name: Ident, range: Option<Expr>) -> SlotKind {
        SlotKind::Index { name, range, hides: None }
    }
}

impl Clause {
    /// A clause of one slot that stands alone.
    pub fn of_one_slot(
        name: Ident,
        slot: SlotKind,
        body: Expr,
        where_items: Vec<WhereItem>,
        span: Span,
    ) -> Clause {
        Clause {
            span,
            name,
            slots_span: span,
            slots: vec![Slot { span, kind: slot }],
            ty: None,
            alternatives: vec![body],
            where_items,
            otherwise: None,
            stretch: 0,
        }
    }
}
