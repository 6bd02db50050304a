//! Arguments whose values specialise: where structure depends on a parameter, a call that gives a
//! constant gets an instance of its own, in which that is known.
//!
//! An instance asks for it while it is checked (a rank, a stride, a branch that cannot be taken).
//! Numbers and texts are asked for where they are needed (`terms.rs`); here are flags, and lists of
//! integers with their lengths.

use crate::checker::{ArgKey, BodyCx};
use crate::expr::{integer, truth};
use crate::read::constant_text;
use crate::terms::Terms;
use crate::thir::{Expr, ExprKind, Item, LocalId, ParamOrigin, Ty};
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::Scalar;
use weft_shape::{Param, Size};

/// Elements of a list that specialises: strides, axes, shapes.
const LONGEST_LIST: usize = 16;

impl Terms<'_, '_> {
    /// Asks for the flags and the lengths of lists that a condition of `if` depends on: a branch
    /// that cannot be taken is not checked.
    pub fn ask_of_condition(&mut self, cond: &Expr) {
        let body = &self.cx.body;
        if body.arguments.is_empty() {
            return;
        }
        let mut asked: Vec<LocalId> = Vec::new();
        let mut rest = vec![cond];
        while let Some(e) = rest.pop() {
            match e.kind {
                ExprKind::Local(id) if is_flag(&e.ty) && body.arguments.contains(&id) => {
                    asked.push(id);
                }
                _ => {}
            }
            let params: Vec<Param> = e.term.as_ref().map(Affine::params).unwrap_or_default();
            asked.extend(params.iter().filter_map(|p| match body.params[*p].origin {
                ParamOrigin::Extent(id, 0) if is_list(&body.locals[id].ty) => Some(id),
                _ => None,
            }));
            e.children(&mut |x| rest.push(x));
        }
        self.cx.wants_static.extend(asked);
    }

    /// Asks for the list of which an integer is an element at a known place, where structure
    /// depends on the integer.
    pub fn ask_of_element(&mut self, e: &Expr) {
        let mut e = e;
        while let ExprKind::Adapted(_, inner) | ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::Read(_, base, items) = &e.kind else { return };
        let (ExprKind::Local(list), [Item::At(at)]) = (&base.kind, items.as_slice()) else {
            return;
        };
        let body = &self.cx.body;
        let known = at.as_constant().is_some() && body.arguments.contains(list);
        if known && is_list(&body.locals[*list].ty) {
            self.cx.wants_static.insert(*list);
        }
    }

    /// Makes what specialises known in the instance that is checked.
    pub fn know_argument(&mut self, id: LocalId, key: &ArgKey, span: Span) {
        match key {
            ArgKey::Static(_, n) => self.cx.body.locals[id].term = Some(Affine::fixed(*n)),
            ArgKey::Text(text) => {
                self.cx.texts.insert_mut(id, text.clone());
            }
            ArgKey::Flag(b) => {
                self.cx.flags.insert_mut(id, *b);
            }
            ArgKey::Numbers(elem, all) => {
                let number = |n: &i64| integer(Affine::fixed(*n), span);
                let members: Vec<Expr> = all.iter().map(number).collect();
                let members =
                    members.into_iter().map(|m| self.cx.conversions().adapt(m, *elem)).collect();
                self.cx.members.insert_mut(id, members);
                let extent = Size::from(all.len() as i64);
                self.cx.body.locals[id].ty = Ty::Array(*elem, vec![extent]);
            }
            _ => {}
        }
    }

    /// A flag whose value specialises.
    pub fn known_flag(&mut self, id: LocalId, span: Span) -> Option<Expr> {
        let b = self.cx.flags.get(&id).copied()?;
        Some(truth(b, span))
    }
}

impl BodyCx<'_> {
    /// What of an argument specialises by value, where it is a constant.
    pub fn static_key(&self, arg: &Expr) -> Option<ArgKey> {
        if let (Some(n), Some(elem)) =
            (self.size_of(arg).and_then(|s| s.as_constant()), arg.ty.elem())
        {
            return Some(ArgKey::Static(elem, n));
        }
        match &arg.kind {
            ExprKind::Str(_) => constant_text(arg).map(ArgKey::Text),
            ExprKind::Const(Scalar::Bool(b)) if is_flag(&arg.ty) => Some(ArgKey::Flag(*b)),
            _ if is_list(&arg.ty) => {
                let elem = arg.ty.elem()?;
                let members = match &arg.kind {
                    ExprKind::Array(members) => members,
                    ExprKind::Local(id) => self.members.get(id)?,
                    _ => return None,
                };
                let number = |m: &Expr| m.term.as_ref()?.as_constant();
                let all: Option<Vec<i64>> = members.iter().map(number).collect();
                let all = all.filter(|all| all.len() <= LONGEST_LIST)?;
                Some(ArgKey::Numbers(elem, all))
            }
            _ => None,
        }
    }
}

fn is_flag(ty: &Ty) -> bool {
    *ty == Ty::bool()
}

fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(elem, shape) if elem.is_int() && shape.len() == 1)
}
