//! Functions: over numbers of any type, of one type, and over tensors of any rank.

use super::Construct;
use super::scope::{Cell, Function, FunctionKind, Generator, Ty};

impl Generator {
    /// Defines a function.
    pub fn function(&mut self) {
        let name = self.fresh("f");
        let (kind, text) = match self.random.below(7) {
            0 => (FunctionKind::Generic, self.generic(&name)),
            1 => self.typed(&name),
            2 => (FunctionKind::Total, self.total(&name)),
            3 => (FunctionKind::Scale, self.scale(&name)),
            4 | 5 => self.dot(&name),
            _ => (FunctionKind::Pair, format!("fn {name}(a, b) {{ (a + b, a - b * 2) }}")),
        };
        self.statements.push(text);
        self.functions.push(Function { name, kind });
    }

    fn generic(&mut self, name: &str) -> String {
        let op = *self.random.pick(&["+", "-", "*"]);
        let n = self.random.between(1, 4);
        match self.random.below(3) {
            0 => format!("fn {name}(a, b) {{ (a {op} b) * {n} }}"),
            1 => {
                self.note(Construct::MaxOfTwo);
                format!("fn {name}(a, b) {{ let c = a {op} b; max(c, a) - c * {n} }}")
            }
            _ => {
                self.note(Construct::If);
                self.discrete = true;
                format!("fn {name}(a, b) {{ if a < b {{ b - a }} else {{ a {op} {n} }} }}")
            }
        }
    }

    fn typed(&mut self, name: &str) -> (FunctionKind, String) {
        self.note(Construct::TypedFunction);
        let ty = self.number_type();
        let cell = Cell { locals: vec![("a".into(), ty), ("a".into(), ty)], ..Cell::default() };
        let body = self.closed(&cell, ty, 2);
        let t = ty.name();
        let value = match ty.is_narrow() {
            true => format!("(a + {body}) as {t}"),
            false => format!("a + {body}"),
        };
        (FunctionKind::Typed(ty), format!("fn {name}(a: {t}) -> {t} {{ {value} }}"))
    }

    fn total(&mut self, name: &str) -> String {
        self.note(Construct::FunctionWithReduction);
        let op = *self.random.pick(&["sum", "max", "prod"]);
        format!("fn {name}(v) {{ {op}[..r](v[..r]) }}")
    }

    fn scale(&mut self, name: &str) -> String {
        self.note(Construct::FunctionWithDefinition);
        let op = *self.random.pick(&["+", "-", "*"]);
        format!("fn {name}(v, k) {{ let o[..r] = v[..r] {op} k; o }}")
    }

    fn dot(&mut self, name: &str) -> (FunctionKind, String) {
        self.note(Construct::TypedFunction);
        self.note(Construct::FunctionWithReduction);
        let ty = *self.random.pick(&[Ty::F32, Ty::F64, Ty::I32]);
        let t = ty.name();
        let text =
            format!("fn {name}(a: [{t}; m], b: [{t}; m]) -> {t} {{ sum[i](a[i] * b[m - 1 - i]) }}");
        (FunctionKind::Dot(ty), text)
    }
}
