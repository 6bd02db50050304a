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
use crate::recognise::scan::CarriedReduction;
use weft_loops::{Expr as Value, Local, Stmt};
use weft_tensor::Accumulator;

impl<'p> Emitter<'p> {
    /// What each carried reduction starts with; nothing where each step has a cell of its own.
    pub(super) fn open_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
    ) -> Vec<Option<Local>> {
        let open = |carried: &CarriedReduction| {
            let a = p.parts[carried.part].a;
            (a.accumulator != Accumulator::Set).then(|| {
                let cell = self.part_cell(bodies, p, (carried.part, carried.point));
                self.kept_in("sum", cell)
            })
        };
        p.carried_reductions.iter().map(open).collect()
    }

    /// What one step adds, with the values that run after it.
    pub(super) fn take_in_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        sums: &[Option<Local>],
        states: &[Value],
    ) {
        for (carried, sum) in p.carried_reductions.iter().zip(sums) {
            for &term in &carried.terms {
                let a = p.parts[carried.part].a;
                let value = self.at_point(&mut bodies[carried.part], p, term, |this, body| {
                    this.know_states(body, p, carried, (term, states));
                    let Some(mask) = a.mask else { return this.noted(body, a.body) };
                    let holds = this.noted(body, mask);
                    let value = this.noted_where(body, holds, a.body);
                    let none = this.f.constant(a.accumulator.identity(this.f.ty(value)));
                    this.f.select(holds, value, none)
                });
                match *sum {
                    Some(local) => {
                        let op = operator(a.accumulator)
                            .expect("the sums of a carried reduction have an operator");
                        self.push(Stmt::Accumulate { local, op, value });
                    }
                    None => self.at_point(&mut bodies[carried.part], p, term, |this, body| {
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
        carried: &CarriedReduction,
        (term, states): (usize, &[Value]),
    ) {
        let top = self.top();
        for &(_, e, state) in carried.reads.iter().filter(|r| r.0 == term) {
            let at = p.states().position(|s| s == state);
            let value = states[at.expect("what carried reductions ask for runs")];
            self.blocks[top].known.insert(body.key(e), value);
        }
    }

    pub(super) fn close_sinks(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        sums: Vec<Option<Local>>,
    ) {
        for (carried, sum) in p.carried_reductions.iter().zip(sums) {
            let Some(sum) = sum else { continue };
            let value = self.f.local(sum);
            self.at_point(&mut bodies[carried.part], p, carried.point, |this, body| {
                this.store(body, value);
            });
        }
    }
}
