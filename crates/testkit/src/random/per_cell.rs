//! Functions with a recurrence inside, called for each row of a matrix: whole and by cells, of
//! each other, under conditions, in reductions, within a recurrence of the caller.

use super::Construct;
use super::scope::{Generator, Tensor, Ty};

impl Generator {
    /// A function over vectors, and a definition that calls it for each row.
    pub fn per_cell(&mut self) -> bool {
        let fits = |t: &Tensor| {
            t.ty.sums_alike() && t.shape.len() == 2 && t.shape.iter().all(|e| e.value > 0)
        };
        let Some(x) = self.tensor(fits) else { return false };
        self.note(Construct::Call);
        self.note(Construct::CallInCell);
        self.note(Construct::RecurrencePerCell);
        self.note(Construct::FunctionWithDefinition);
        let f = self.fresh("f");
        let function = self.recurrent_function(&f, x.ty);
        self.statements.push(function);
        let name = self.fresh("w");
        let (text, rank) = self.call_per_row(&f, &name, &x);
        self.statements.push(text);
        let shape = x.shape[..rank].to_vec();
        self.tensors.push(Tensor { name, ty: x.ty, shape, bound: None });
        true
    }

    fn recurrent_function(&mut self, f: &str, ty: Ty) -> String {
        let op = if ty.is_unsigned() { "+" } else { *self.random.pick(&["+", "-"]) };
        match self.random.below(4) {
            0 => format!(
                "fn {f}(v) {{ let n = len(v); let y[t in 0..n - 1] = v[t] {op} y[t + 1]; \
                 let y[n - 1] = v[n - 1]; y }}"
            ),
            1 => {
                self.discrete |= ty.is_float();
                format!(
                    "fn {f}(v) {{ let y[0] = v[0]; let y[t in 1..len(v)] = \
                     if v[t] > y[t - 1] {{ v[t] }} else {{ y[t - 1] + v[0] }}; y }}"
                )
            }
            2 => format!(
                "fn {f}(v) {{ let n = len(v); let y[0] = v[0]; \
                 let y[t in 1..n] = y[t - 1] {op} v[t]; let z[t in 0..n] = y[n - 1 - t] + v[t]; z }}"
            ),
            _ => format!(
                "fn {f}(v) {{ let y[0] = v[0]; let y[t in 1..len(v)] = y[t - 1] {op} v[t]; y }}"
            ),
        }
    }

    /// The definition, and its rank.
    fn call_per_row(&mut self, f: &str, w: &str, x: &Tensor) -> (String, usize) {
        let (rows, columns) = (x.shape[0].text(), x.shape[1].text());
        let x = &x.name;
        let cells = format!("{w}[i, t in 0..{columns}]");
        match self.random.below(9) {
            0 => (format!("let {w}[i] = {f}({f}({x}[i]));"), 2),
            1 => (format!("let {cells} = {f}({x}[i])[t];"), 2),
            2 => {
                let c = self.row_condition(x);
                (format!("let {cells} = if {c} {{ {f}({x}[i])[t] }} else {{ {x}[i, 0] }};"), 2)
            }
            3 => {
                let c = self.row_condition(x);
                self.note(Construct::WhereGuard);
                (format!("let {cells} = {f}({x}[i])[t] where {c};"), 2)
            }
            4 => (format!("let {w} = sum[i in 0..{rows}]({f}({x}[i])[{columns} - 1]);"), 0),
            5 => {
                self.note(Construct::BlockBody);
                let text = format!(
                    "let {w}[i] = {{ let once = {f}({x}[i]); let twice = {f}(once); \
                     twice + once }};"
                );
                (text, 2)
            }
            6 => {
                self.note(Construct::TensorState);
                let text = format!(
                    "let {w}[0] = {x}[0];\nlet {w}[s in 1..{rows}] = {f}({w}[s - 1]) + {x}[s];"
                );
                (text, 2)
            }
            7 => (format!("let {w}[i] = {f}({x}[i])[0];"), 1),
            _ => (format!("let {w}[i] = {f}({x}[i]);"), 2),
        }
    }

    /// A condition on the row `i` and the cell `t`.
    fn row_condition(&mut self, x: &str) -> String {
        let c = self.random.between(0, 3);
        match self.random.below(5) {
            0 => format!("t > {c}"),
            1 => format!("i + t > {c}"),
            2 => format!("2 * t < i + {c}"),
            3 => "(i + t) % 2 == 0".into(),
            _ => {
                self.discrete = true;
                format!("{x}[i, t] > {x}[i, 0]")
            }
        }
    }
}
