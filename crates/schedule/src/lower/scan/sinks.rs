//! What steps do beside running: cells that no step looks back at, and what brings all steps
//! together (sums, largest values), in the same lanes.
//!
//! ```text
//! y[t] = f * y[t - 1] + x[t]         for t            -- vector
//! s   += (y[t] - z[t]) ** 2    =>      run = …, each lane its prefix
//!                                      s += (run - z[t]) ** 2
//! ```

use super::Running;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::lower::nest::operator;
use crate::recognise::scan::Sink;
use weft_loops::{Expr as Value, Local, Stmt};
use weft_tensor::Accumulator;

impl<'p> Emitter<'p> {
    /// What each sink starts with; nothing where each step has a cell of its own.
    pub(super) fn open_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
    ) -> Vec<Option<Local>> {
        let open = |sink: &Sink| {
            let a = p.parts[sink.part].a;
            (a.accumulator != Accumulator::Set).then(|| {
                let cell = self.part_cell(bodies, p, (sink.part, sink.point));
                self.kept_in("sum", cell)
            })
        };
        p.sinks.iter().map(open).collect()
    }

    /// What one step adds, with the values that run after it.
    pub(super) fn take_in_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        sums: &[Option<Local>],
        states: &[Value],
    ) {
        for (sink, sum) in p.sinks.iter().zip(sums) {
            for &term in &sink.terms {
                let a = p.parts[sink.part].a;
                let value = self.at_point(&mut bodies[sink.part], p, term, |this, body| {
                    this.know_states(body, p, sink, (term, states));
                    let Some(mask) = a.mask else { return this.noted(body, a.body) };
                    let holds = this.noted(body, mask);
                    let value = this.noted_where(body, holds, a.body);
                    let none = this.f.constant(a.accumulator.identity(this.f.ty(value)));
                    this.f.select(holds, value, none)
                });
                match *sum {
                    Some(local) => {
                        let op = operator(a.accumulator).expect("a sink's sums have an operator");
                        self.push(Stmt::Accumulate { local, op, value });
                    }
                    None => self.at_point(&mut bodies[sink.part], p, term, |this, body| {
                        this.store(body, value);
                    }),
                }
            }
        }
    }

    /// Nodes that read what runs have its value.
    fn know_states(
        &mut self,
        body: &Body<'p>,
        p: &Running<'_, 'p>,
        sink: &Sink,
        (term, states): (usize, &[Value]),
    ) {
        let top = self.top();
        for &(_, e, state) in sink.reads.iter().filter(|r| r.0 == term) {
            let at = p.states().position(|s| s == state);
            let value = states[at.expect("what sinks ask for runs")];
            self.blocks[top].known.insert(body.key(e), value);
        }
    }

    pub(super) fn close_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        sums: Vec<Option<Local>>,
    ) {
        for (sink, sum) in p.sinks.iter().zip(sums) {
            let Some(sum) = sum else { continue };
            let value = self.f.local(sum);
            self.at_point(&mut bodies[sink.part], p, sink.point, |this, body| {
                this.store(body, value);
            });
        }
    }
}
