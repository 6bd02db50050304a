//! Strongly connected components, producers first.

/// The components of a graph of `n` nodes, where `needs(v)` lists what `v` depends on.
///
/// Components come after those they depend on; otherwise the order follows the nodes'
/// numbers. Tarjan's algorithm with an explicit stack, so that depth is no limit.
pub fn components(n: usize, needs: &dyn Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut state = Tarjan {
        index: vec![None; n],
        low: vec![0; n],
        on_stack: vec![false; n],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for v in 0..n {
        if state.index[v].is_none() {
            state.visit(v, needs);
        }
    }
    state.found
}

struct Tarjan {
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Tarjan {
    fn enter(&mut self, v: usize) {
        self.index[v] = Some(self.next);
        self.low[v] = self.next;
        self.next += 1;
        self.stack.push(v);
        self.on_stack[v] = true;
    }

    fn visit(&mut self, root: usize, needs: &dyn Fn(usize) -> Vec<usize>) {
        self.enter(root);
        let mut path = vec![(root, needs(root), 0)];
        while let Some((v, edges, at)) = path.last_mut() {
            let v = *v;
            if let Some(&w) = edges.get(*at) {
                *at += 1;
                match self.index[w] {
                    None => {
                        self.enter(w);
                        path.push((w, needs(w), 0));
                    }
                    Some(i) if self.on_stack[w] => self.low[v] = self.low[v].min(i),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((parent, ..)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[v]);
            }
            if Some(self.low[v]) == self.index[v] {
                self.close(v);
            }
        }
    }

    fn close(&mut self, v: usize) {
        let mut members = Vec::new();
        loop {
            let w = self.stack.pop().expect("the root of a component is on the stack");
            self.on_stack[w] = false;
            members.push(w);
            if w == v {
                break;
            }
        }
        members.sort_unstable();
        self.found.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn producers_come_first_and_cycles_stay_together() {
        let needs = [vec![1], vec![2, 0], vec![], vec![1]];
        let found = components(4, &|v| needs[v].clone());
        assert_eq!(found, vec![vec![2], vec![0, 1], vec![3]]);
    }
}
