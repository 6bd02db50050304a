//! What a program observes, segment by segment, as far as it is known before the run.

use crate::{Program, Step, Vars};
use weft_tensor::TensorId;

/// The tensors each segment observes, in source order: all that is observed up to the
/// next decision, and each branch by itself. `last` is what is asked for at the end.
pub fn segments(program: &Program, last: &[TensorId]) -> Vec<Vec<TensorId>> {
    let mut out = vec![Vec::new()];
    collect(&program.steps, &program.vars, &mut out);
    out.last_mut().expect("there is one").extend(last);
    let mut seen = std::collections::BTreeSet::new();
    out.iter_mut().for_each(|s| s.retain(|t| seen.insert(*t)));
    out.retain(|s| !s.is_empty());
    out
}

fn collect(steps: &[Step], vars: &Vars, out: &mut Vec<Vec<TensorId>>) {
    for step in steps {
        step.observes(vars, &mut |t| out.last_mut().expect("there is one").push(t));
        if step.is_decision(vars) {
            out.push(Vec::new());
        }
        if let Step::If { then, otherwise, .. } = step {
            for side in [then, otherwise] {
                collect(side, vars, out);
                out.push(Vec::new());
            }
        }
    }
}
