//! Calls of functions of scalars: a statement each, and the places where they fail.

use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::signature::TrapSite;
use std::collections::BTreeSet;
use weft_base::entity::EntityRef;
use weft_loops::{Expr as Value, Stmt};
use weft_scalar::function::{FunctionId, Functions};
use weft_tensor::{ExprId, Graph, SiteId};

/// What is known of the functions that a kernel calls.
#[derive(Default)]
pub(crate) struct Calls {
    /// The sites of the graph where its functions may fail, ascending.
    places: Vec<u32>,
    called: BTreeSet<FunctionId>,
}

impl Calls {
    /// Nothing is called yet.
    pub fn new(graph: &Graph) -> Calls {
        Calls { places: graph.functions.sites(), called: BTreeSet::new() }
    }

    /// The functions that calls reach; their places are numbered from 0.
    pub fn callees(&self, graph: &Graph) -> Functions {
        if self.called.is_empty() {
            return Functions::default();
        }
        let kept = graph.functions.reached(self.called.iter().copied());
        let number = |site: &u32| self.places.binary_search(site).expect("it is a place") as u32;
        graph.functions.only(&kept, &mut |site| number(&site))
    }
}

impl<'p> Emitter<'p> {
    /// What a function gives for nodes of a body.
    pub fn call(
        &mut self,
        body: &mut Body<'p>,
        e: ExprId,
        f: FunctionId,
        args: &[ExprId],
    ) -> Value {
        let args: Vec<Value> = args.iter().map(|a| self.value(body, *a)).collect();
        let local = self.local("called", body.assignment.exprs.ty(e));
        let (indices, point) = body.point(Stmt::TRAP_ARGS);
        let tensor = body.assignment.target;
        let site = self.traps.len() as u32;
        for place in self.calls.places.clone() {
            let site = SiteId::new(place as usize);
            self.traps.push(TrapSite { site, tensor, read: None, indices: indices.clone() });
        }
        self.calls.called.insert(f);
        self.push(Stmt::Call { local, function: f, args, site, point });
        self.f.local(local)
    }
}
