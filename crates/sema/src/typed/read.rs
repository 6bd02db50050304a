//! Parts of values: members and shapes; and accesses, which are noted for inference and proof.

use crate::prove::access::{Access, Extent};
use crate::thir::{Elem, Expr, ExprKind, LocalId, Nominal, ReadId, StrPart, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Parts;
use crate::typed::values::{error_expr, integer, is_extent, value};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_scalar::ScalarType;
use weft_shape::{CheckSubject, Excerpt, Size, SizeCheck, SizeRelation};

impl Parts<'_, '_> {
    /// A definition that only its own clauses read is not used.
    pub fn reads_of_others(&mut self, id: LocalId) {
        self.cx.used[id] |= self.cx.defining != Some(id);
    }

    /// An element of a list of extents, as the term that it is.
    pub fn known_element(&mut self, base: &Expr, at: &Affine) -> Option<Expr> {
        let at = usize::try_from(at.as_constant()?).ok()?;
        let members = match &base.kind {
            ExprKind::Array(members) => members,
            // The elements of an argument are known where it specialises.
            ExprKind::Local(id) if self.cx.body.arguments.contains(id) => {
                return self.cx.members.get(id)?.get(at).cloned();
            }
            ExprKind::Local(id) => self.cx.members.get(id)?,
            _ => return None,
        };
        members.get(at).filter(|m| is_extent(m)).cloned()
    }

    pub fn known_extent(&mut self, extent: &Extent) -> Option<Size> {
        match extent {
            Extent::Known(s) => Some(s.clone()),
            Extent::Group(id, axis) => {
                let found = self.cx.group[id].extents.as_ref()?.get(*axis).cloned()?;
                // What a round made is gone with it.
                let params = self.cx.body.params.len();
                found.params().iter().all(|p| p.index() < params).then_some(found)
            }
        }
    }

    pub fn too_many_items(&mut self, base: &Expr, items: usize, rank: usize, span: Span) -> Expr {
        self.cx.ranges().poison();
        let text = self.cx.text(base.span);
        let axes = match rank {
            0 => "no axes".to_string(),
            1 => "1 axis".to_string(),
            n => format!("{n} axes"),
        };
        let given = if items == 1 { "1 index".to_string() } else { format!("{items} indices") };
        let is = if items == 1 { "is" } else { "are" };
        let headline = format!("`{text}` has {axes}, but {given} {is} given");
        let d = Diagnostic::error(Code::E0504, headline).primary(span, given);
        let d = match base.kind {
            ExprKind::Local(id) => {
                let local = &self.cx.body.locals[id];
                d.secondary(local.span, format!("`{text}` is defined here"))
            }
            _ => d,
        };
        self.cx.error(d)
    }

    pub fn as_i64(&mut self, e: Expr) -> Expr {
        if e.ty.elem() == Some(Elem::Fixed(ScalarType::I64)) || e.ty.elem() == Some(Elem::OpenInt) {
            return e;
        }
        let span = e.span;
        let ty = Ty::scalar(Elem::Fixed(ScalarType::I64));
        value(ExprKind::Cast(ScalarType::I64, Box::new(e)), ty, span)
    }

    /// Registers an affine index for range inference and the bounds proof.
    pub fn access(
        &mut self,
        read: ReadId,
        term: Affine,
        extent: Extent,
        axis: usize,
        excerpt: Excerpt,
        origin: Option<Excerpt>,
    ) {
        let path = self.cx.path.clone();
        let scope = self.cx.active.clone();
        let access = Access { read, term, extent, axis, excerpt, origin, path, scope };
        match self.cx.frames.last_mut() {
            Some(frame) => frame.accesses.push(access),
            None => self.cx.proofs().prove_on(&access, &[], None),
        }
    }

    /// `x[lo..hi]`: checked to lie inside; its extent is `hi - lo`.
    pub fn stretch(
        &mut self,
        lo: &Affine,
        hi: &Affine,
        extent: &Extent,
        axis: usize,
        excerpt: &Excerpt,
        origin: &Option<Excerpt>,
    ) -> Option<Size> {
        let (lo, hi) = (lo.as_size()?.clone(), hi.as_size()?.clone());
        let Some(extent) = self.known_extent(extent) else {
            self.cx.mistyped(
                excerpt.span,
                "a range of a tensor within its own definition",
                "how far the tensor goes is not known here",
                "let an index run over its cells: `sum[k in 0..t](s[k])`",
            );
            return None;
        };
        let subject = |below| CheckSubject::Read {
            read: excerpt.clone(),
            axis,
            below,
            origin: origin.clone(),
            help: None,
        };
        let at_most = |left: &Size, right: &Size, subject| SizeCheck {
            when: Vec::new(),
            relation: SizeRelation::AtMost,
            left: left.clone(),
            right: right.clone(),
            subject,
            chain: Vec::new(),
        };
        self.cx.require(at_most(&0.into(), &lo, subject(true)));
        self.cx.require(at_most(&hi, &extent, subject(false)));
        let what = format!("the range of `{}`", excerpt.text);
        let size = hi.minus(&lo);
        let positive = CheckSubject::Positive { what, span: excerpt.span };
        self.cx.require(at_most(&0.into(), &size, positive));
        Some(size)
    }

    /// Refuses `items` that are no member of the tuple `base`: where it has tensors of as many
    /// axes, one of these is meant.
    pub fn not_a_member(&mut self, base: &Expr, items: usize, span: Span) -> Expr {
        let members = base.ty.members().unwrap_or_default();
        let fits = |m: &Ty| m.rank().is_some_and(|rank| rank > 0 && rank >= items);
        let headline = "a tuple takes one index, a number that is written out";
        let Some(first) = members.iter().position(fits) else {
            let help = "use an array where the index is computed: `[a, b, c][i]`";
            return self.cx.mistyped(span, headline, "members may have different types", help);
        };
        let (count, found) = (members.len(), self.cx.show_ty(&base.ty));
        let behind = Span { start: base.span.end, ..base.span };
        let d = Diagnostic::error(Code::E0308, headline)
            .primary(span, format!("read from a tuple of {count}"))
            .secondary(base.span, format!("this is {found}"))
            .help_edit("read from one of its members", behind, format!(".{first}"));
        self.cx.error(d)
    }

    /// Member `n` of a tuple.
    pub fn member(&mut self, base: Expr, n: usize, span: Span) -> Expr {
        let Some(members) = base.ty.members() else { return error_expr(span) };
        let Some(ty) = members.get(n).cloned() else {
            let count = members.len();
            let d = Diagnostic::error(Code::E0504, format!("a tuple of {count} has no member {n}"))
                .primary(span, format!("members are 0..{count}"));
            return self.cx.error(d);
        };
        if let ExprKind::Tuple(members) = &base.kind {
            return Expr { span, ..members[n].clone() };
        }
        if let ExprKind::Local(id) = base.kind
            && let Some(member) = self.cx.members.get(&id).map(|m| &m[n])
            && (member.term.is_some() || matches!(member.kind, ExprKind::Tuple(_)))
        {
            return Expr { span, ..member.clone() };
        }
        value(ExprKind::Field(Box::new(base), n), ty, span)
    }

    /// `shape(x)`: a static list of integers.
    pub fn shape_of(&mut self, x: &Expr, span: Span) -> Expr {
        let extents = x.ty.shape().unwrap_or_default().to_vec();
        let members: Vec<Expr> =
            extents.into_iter().map(|s| integer(Affine::fixed(s), span)).collect();
        let ty = Ty::Array(Elem::OpenInt, vec![Size::from(members.len() as i64)]);
        value(ExprKind::Array(members), ty, span)
    }

    /// `typeof(x)`: known while checking.
    pub fn type_name(&mut self, x: &Expr, span: Span) -> Expr {
        let name = match &x.ty {
            Ty::Error | Ty::Absent => return error_expr(span),
            Ty::Str => "str",
            Ty::Named(Nominal::Struct(_), _) => "struct",
            Ty::Named(Nominal::Enum(_), _) | Ty::Boxed(..) => "enum",
            Ty::Named(Nominal::Function(_), _) => "function",
            Ty::Named(Nominal::Cells { .. }, _) => "rectangular",
            Ty::Named(Nominal::Range, _) => "range",
            Ty::Named(Nominal::Character, _) => "str",
            Ty::List(_) => "jagged",
            Ty::Fallible(_) => "error",
            Ty::Differential(..) => "differential",
            Ty::Tuple(_) => "tuple",
            ty if crate::typed::forms::is_absent(ty) => "absent",
            Ty::Array(_, shape) if !shape.is_empty() => "rectangular",
            Ty::Array(elem, _) => match elem.closed() {
                Elem::Fixed(t) => t.name(),
                _ => "f32",
            },
        };
        value(ExprKind::Str(vec![StrPart::Text(name.into())]), Ty::Str, span)
    }
}

impl BodyCx<'_> {
    /// Where the size of what is read comes from.
    pub fn origin(&self, base: &Expr) -> Option<Excerpt> {
        let ExprKind::Local(id) = base.kind else { return None };
        let local = &self.body.locals[id];
        let dims: Vec<String> = local.ty.shape()?.iter().map(|s| self.show_extent(s)).collect();
        let text = format!("`{}` has shape [{}]", local.name, dims.join(", "));
        Some(Excerpt { text, span: local.span })
    }
}
