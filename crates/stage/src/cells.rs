//! Host data and calls in cells: what reaches no index is computed by the host before the
//! definition, a recursive function of scalars is called by the cells themselves, and
//! everything else by the host, for each cell ([`crate::outline`]).

use crate::env::EnvId;
use crate::frame::Frame;
use crate::members::Asked;
use crate::stager::Stager;
use weft_base::Span;
use weft_host::{Form, FunctionId, Value};
use weft_scalar::ScalarType;
use weft_sema::thir::{BodyId, Call, Expr, ExprKind, Ty};
use weft_tensor::{Expr as Node, ExprId, IndexTerm};

/// What a function of scalars is given and gives.
type Forms = (Vec<Form>, Form);

impl<'p> Stager<'p> {
    /// Host data, or a call of what is a function of the host.
    pub fn lower_host(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let once = self.at_host_level(e, env);
        if once && (e.ty.rank() != Some(0) || !frame.is_conditional()) {
            return self.lower_once(e, &[], (&e.ty, env), env, frame, idx);
        }
        // Derivatives lead through calls that cells make, and not through those of the host.
        if let ExprKind::Call(call) = &e.kind
            && (!once || self.elem(&e.ty).is_float())
            && let Some((f, (args, Form::Scalar(ty)))) = self.called_by_cells(call.body)
        {
            return self.lower_call_of_scalars(call, f, (args, ty), e.span, env, frame);
        }
        self.lower_by_the_host(e, &[], self.elem(&e.ty), env, frame)
    }

    /// The member that `path` leads to of what the host computes before the definition.
    fn lower_once(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let value = self.value_of(x, env);
        let whole = Value::Var(self.unit.out.vars.push(Some(value)));
        let member = path.iter().fold(whole, |v, n| v.field(*n));
        self.read_source(member, asked, frame, idx)
    }

    /// A member of what a function of the host gives.
    pub fn lower_member_of_call(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        if !self.at_host_level(x, env)
            && let ExprKind::Call(call) = &x.kind
            && let Some((f, (args, result))) = self.called_by_cells(call.body)
            && let Some(Form::Scalar(ty)) = result.member(path)
        {
            let member = self.member_function(f, path, x.span);
            return self.lower_call_of_scalars(call, member, (args, *ty), x.span, env, frame);
        }
        self.lower_member_of_host(x, path, asked, env, frame, idx)
    }

    /// A member of what the host computes: once, before the definition, where it can.
    pub fn lower_member_of_host(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let once = self.at_host_level(x, env);
        if once && (asked.0.rank() != Some(0) || !frame.is_conditional()) {
            return self.lower_once(x, path, asked, env, frame, idx);
        }
        self.lower_by_the_host(x, path, self.elem(asked.0), env, frame)
    }

    /// A cell of a host value.
    pub fn read_source(
        &mut self,
        value: Value,
        (ty, env): Asked<'_>,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let (tensor, elem) = (self.source(value, ty, env), self.elem(ty));
        frame.exprs.add(Node::Read { tensor, index: idx.to_vec(), site: None }, elem)
    }

    /// The function that an instance is, with its types, where cells call it themselves: one
    /// of scalars, that looks at nothing else.
    fn called_by_cells(&mut self, body: BodyId) -> Option<(FunctionId, Forms)> {
        if self.bodies.tensors.contains(&body) {
            return None;
        }
        let forms = self.scalar_forms(&self.program.bodies[body])?;
        let f = self.hosted_function(body);
        self.runs_in_cells(f).then_some((f, forms))
    }

    /// Whether a function of scalars has a form that cells call. Within the functions that
    /// it may call it is not known yet; they are looked at in the end.
    fn runs_in_cells(&mut self, f: FunctionId) -> bool {
        if self.hosting > 0 {
            return true;
        }
        if let Some(known) = self.in_cells.get(&f) {
            return *known;
        }
        let scalars = weft_host::Scalars::compute(&self.functions, self.overflow);
        let found = scalars.get(f).is_some();
        self.in_cells.insert(f, found);
        found
    }

    /// A call of a function of scalars, for each cell.
    fn lower_call_of_scalars(
        &mut self,
        call: &'p Call,
        f: FunctionId,
        (forms, result): (Vec<Form>, ScalarType),
        span: Span,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        self.called.push((f, span));
        let mut args = Vec::new();
        for (arg, form) in call.args.iter().zip(forms) {
            for (path, ty) in form.paths().into_iter().zip(form.leaves()) {
                let leaf = member_type(&arg.ty, &path);
                let value = self.lower_member(arg, &path, (leaf, env), env, frame, &[]);
                args.push(frame.exprs.cast(ty, value));
            }
        }
        let function = weft_scalar::function::FunctionId::new(f.as_u32() as usize);
        frame.exprs.add(Node::Call { function, args }, result)
    }
}

fn member_type<'t>(ty: &'t Ty, path: &[usize]) -> &'t Ty {
    path.iter().fold(ty, |ty, n| &ty.members().expect("a way through tuples")[*n])
}
