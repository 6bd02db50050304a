//! Arguments whose values specialise: where structure depends on a parameter, a call that gives a
//! constant gets an instance of its own, in which that is known.
//!
//! An instance asks for it while it is checked (a rank, a stride, a branch that cannot be taken).
//! Numbers and texts are asked for where they are needed (`terms.rs`); here are flags, and lists of
//! integers with their lengths.

use crate::thir::{Body, Expr, ExprKind, Item, LocalId, ParamOrigin, Ty};
use crate::typed::body_cx::{BodyCx, Need};
use crate::typed::handles::Terms;
use crate::typed::keys::{ArgKey, LabelKey};
use crate::typed::values::{constant_text, integer, truth, value};
use std::collections::BTreeMap;
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::Scalar;
use weft_shape::{Param, Size};

/// Elements of a list that specialises: strides, axes, shapes.
const LONGEST_LIST: usize = 16;

impl Terms<'_, '_> {
    /// Asks for the flags and the lists that a condition depends on, and for the integers beside
    /// elements and lengths of lists, also of lists that are known already: a branch that cannot be
    /// taken is not checked. Gives all that
    /// it depends on.
    pub fn ask_of_condition(&mut self, cond: &Expr) -> Decided {
        let by = self.decided_by(cond);
        let is_known = |id: &LocalId| {
            is_list(&self.cx.body.locals[*id].ty) && self.cx.members.get(id).is_some()
        };
        let lists = !by.lists.is_empty() || self.cx.body.arguments.iter().any(is_known);
        let beside = by.integers.iter().filter(|_| lists);
        self.ask_all(by.flags.iter().chain(&by.lists).chain(beside), Need::Structure);
        by
    }

    /// Asks for all that a condition depends on, where its branches have different types or
    /// extents, or one of them cannot be.
    pub fn ask_of_branches(&mut self, by: &Decided, need: Need) {
        self.ask_all(by.flags.iter().chain(&by.lists).chain(&by.integers), need);
    }

    /// Asks for what an argument of a static parameter depends on.
    pub fn ask_of_argument(&mut self, arg: &mut Expr, need: Need) {
        match &mut arg.kind {
            ExprKind::Array(members) if is_list(&arg.ty) => {
                for m in members {
                    let size = self.cx.size_of(m);
                    if let Some(n) = size.and_then(|s| self.static_value(&s, need)) {
                        m.term = Some(Affine::fixed(n));
                    }
                }
            }
            ExprKind::Local(id) if is_list(&arg.ty) && self.cx.body.arguments.contains(id) => {
                self.ask(*id, need);
            }
            _ if is_flag(&arg.ty) => {
                let by = self.decided_by(arg);
                self.ask_of_branches(&by, Need::Structure);
            }
            ExprKind::If(cond, ..) => {
                let by = self.decided_by(cond);
                self.ask_of_branches(&by, need);
            }
            _ => self.ask_of_element(arg, need),
        }
    }

    fn ask_all<'l>(&mut self, asked: impl Iterator<Item = &'l LocalId>, need: Need) {
        asked.for_each(|id| self.ask(*id, need));
    }

    /// Asks for an argument; what structure needs is asked for inside of recursion too.
    pub fn ask(&mut self, id: LocalId, need: Need) {
        let before = self.cx.wants_static.entry(id).or_insert(need);
        *before = need.max(*before);
    }

    /// The arguments that a condition depends on.
    fn decided_by(&self, cond: &Expr) -> Decided {
        let body = &self.cx.body;
        let mut found = Decided::default();
        let mut rest = if body.arguments.is_empty() { Vec::new() } else { vec![cond] };
        while let Some(e) = rest.pop() {
            let local = match &e.kind {
                ExprKind::Local(id) => Some(*id),
                // An element of a list, at a place that may depend on arguments in turn.
                ExprKind::Read(_, base, items) => match (&base.kind, items.as_slice()) {
                    (ExprKind::Local(list), [Item::At(at)]) => {
                        found.note_params(body, &at.params());
                        Some(*list)
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some(id) = local.filter(|id| body.arguments.contains(id)) {
                let ty = &body.locals[id].ty;
                match ty {
                    _ if is_flag(ty) => found.flags.push(id),
                    _ if is_list(ty) => found.lists.push(id),
                    _ if is_integer(ty) => found.integers.push(id),
                    _ => {}
                }
            }
            if let Some(term) = &e.term {
                found.note_params(body, &term.params());
            }
            e.children(&mut |x| rest.push(x));
        }
        found
    }

    /// Asks for the list of which an integer is an element at a known place, where structure
    /// depends on the integer, or what is computed of it may be an extent; and for an argument that
    /// is passed such an element.
    pub fn ask_of_element(&mut self, e: &Expr, need: Need) {
        let mut e = e;
        while let ExprKind::Adapted(_, inner) | ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        if let ExprKind::Local(id) = &e.kind
            && is_integer(&e.ty)
            && self.cx.body.arguments.contains(id)
        {
            return self.ask(*id, need);
        }
        let ExprKind::Read(_, base, items) = &e.kind else { return };
        let (ExprKind::Local(list), [Item::At(at)]) = (&base.kind, items.as_slice()) else {
            return;
        };
        let body = &self.cx.body;
        let known = at.as_constant().is_some() && body.arguments.contains(list);
        if known && is_list(&body.locals[*list].ty) {
            self.ask(*list, need);
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
            ArgKey::Sizes(elem, len) => {
                let members = (0..*len).map(|n| {
                    let name = self.cx.body.locals[id].name.clone();
                    let p = self.cx.param(name, span, ParamOrigin::Captured(id, vec![n]));
                    let member = integer(Affine::fixed(Size::param(p)), span);
                    self.cx.conversions().adapt(member, *elem)
                });
                let members: Vec<Expr> = members.collect();
                self.cx.members.insert_mut(id, members);
                self.cx.body.locals[id].ty = Ty::Array(*elem, vec![Size::from(*len as i64)]);
            }
            ArgKey::Named(LabelKey::Function(_), parts) => {
                let local = &self.cx.body.locals[id];
                let whole = value(ExprKind::Local(id), local.ty.clone(), span);
                let known = self.captured_members(&whole, (id, &[]), parts);
                self.cx.members.insert_mut(id, known);
            }
            _ => {}
        }
    }

    /// What a function captures, its integers as parameters; it lies in an argument behind
    /// `path`.
    fn captured_members(
        &mut self,
        function: &Expr,
        (argument, path): (LocalId, &[usize]),
        parts: &[ArgKey],
    ) -> Vec<Expr> {
        let types = function.ty.members().unwrap_or_default().to_vec();
        let span = function.span;
        let mut known = Vec::new();
        for (n, (ty, part)) in types.into_iter().zip(parts).enumerate() {
            let path: Vec<usize> = path.iter().copied().chain([n]).collect();
            let mut e = value(ExprKind::Field(Box::new(function.clone()), n), ty, span);
            match part {
                ArgKey::HostInt(_) => {
                    let name = self.cx.body.locals[argument].name.clone();
                    let origin = ParamOrigin::Captured(argument, path);
                    let p = self.cx.param(name, span, origin);
                    e.term = Some(Affine::fixed(Size::param(p)));
                }
                ArgKey::Named(LabelKey::Function(_), parts) => {
                    let inner = self.captured_members(&e, (argument, &path), parts);
                    e.kind = ExprKind::Tuple(inner);
                }
                _ => {}
            }
            known.push(e);
        }
        known
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
                if members.len() > LONGEST_LIST {
                    return None;
                }
                let sizes: Option<Vec<Size>> = members.iter().map(|m| self.size_of(m)).collect();
                let sizes = sizes?;
                let all: Option<Vec<i64>> = sizes.iter().map(Size::as_constant).collect();
                Some(match all {
                    Some(all) => ArgKey::Numbers(elem, all),
                    None => ArgKey::Sizes(elem, sizes.len()),
                })
            }
            _ => None,
        }
    }
}

/// Arguments on which a condition depends.
#[derive(Default)]
pub(crate) struct Decided {
    flags: Vec<LocalId>,
    /// Lists of integers of which it looks at elements or the length.
    lists: Vec<LocalId>,
    integers: Vec<LocalId>,
}

impl Decided {
    fn note_params(&mut self, body: &Body, params: &[Param]) {
        for p in params {
            match body.params[*p].origin {
                ParamOrigin::Extent(id, 0) if is_list(&body.locals[id].ty) => self.lists.push(id),
                ParamOrigin::Argument(id) => self.integers.push(id),
                _ => {}
            }
        }
    }
}

impl Terms<'_, '_> {
    /// The positions of the parameters that an instance asks to be static.
    pub fn static_positions(
        params: &[LocalId],
        asked: &BTreeMap<LocalId, Need>,
    ) -> BTreeMap<usize, Need> {
        let need = |(n, id): (usize, &LocalId)| Some((n, *asked.get(id)?));
        params.iter().enumerate().filter_map(need).collect()
    }
}

fn is_flag(ty: &Ty) -> bool {
    *ty == Ty::bool()
}

fn is_integer(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(elem, shape) if elem.is_int() && shape.is_empty())
}

/// A list of integers.
pub(crate) fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(elem, shape) if elem.is_int() && shape.len() == 1)
}
