//! What a program has so far, and the indices around an expression.

use crate::random::{Program, Random};
use std::collections::BTreeSet;

/// A named tensor of floats.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    /// Whether it is one of those that the program starts from.
    pub base: bool,
}

/// An index with its range.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub name: String,
    pub lo: usize,
    pub hi: usize,
}

/// A table of integers: `len` cells below `bound`.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub name: String,
    pub len: usize,
    pub bound: usize,
}

/// What an expression may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub indices: Vec<Index>,
    /// Scalars with a name of their own, such as bindings of a block.
    pub locals: Vec<String>,
}

pub(super) struct Generator {
    pub random: Random,
    pub statements: Vec<String>,
    pub tensors: Vec<Tensor>,
    pub tables: Vec<Table>,
    /// Functions of so many scalars.
    pub functions: Vec<(String, usize)>,
    names: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            random: Random::new(seed),
            statements: Vec::new(),
            tensors: Vec::new(),
            tables: Vec::new(),
            functions: Vec::new(),
            names: 0,
        }
    }

    pub fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    pub fn finish(self, seed: u64, size: usize) -> Program {
        let (inputs, constructs) = (Vec::new(), BTreeSet::new());
        Program { seed, size, statements: self.statements, inputs, constructs, discrete: false }
    }

    /// A number that no kink is at, as an expression.
    pub fn number(&mut self) -> String {
        format!("{} as f64", self.digits())
    }

    fn digits(&mut self) -> String {
        let n = self.random.between(-1700, 1700);
        format!("{:.3}7", n as f64 / 1000.0)
    }

    /// Independent tensors, a table of indices, and functions.
    pub fn base(&mut self) {
        self.statements.push(
            "use std::math::{abs, atan, atan2, cos, erf, exp, floor, log, sin, sqrt, tanh};".into(),
        );
        for _ in 0..self.random.between(1, 3) {
            let rank = self.random.weighted(&[2, 6, 3]);
            let shape: Vec<usize> = (0..rank).map(|_| 1 + self.random.below(4)).collect();
            let name = self.fresh("x");
            let value = self.literal(&shape);
            let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
            let ty = match rank {
                0 => "f64".to_string(),
                _ => format!("[f64; {}]", dims.join(", ")),
            };
            self.statements.push(format!("let {name}: {ty} = {value};"));
            self.tensors.push(Tensor { name, shape, base: true });
        }
        if self.random.chance(50) {
            self.table();
        }
        for _ in 0..self.random.below(3) {
            self.function();
        }
    }

    fn literal(&mut self, shape: &[usize]) -> String {
        let Some((n, rest)) = shape.split_first() else { return self.digits() };
        let members: Vec<String> = (0..*n).map(|_| self.literal(rest)).collect();
        format!("[{}]", members.join(", "))
    }

    fn table(&mut self) {
        let (len, bound) = (2 + self.random.below(3), 1 + self.random.below(4));
        let name = self.fresh("ix");
        let cells: Vec<String> = (0..len).map(|_| self.random.below(bound).to_string()).collect();
        self.statements.push(format!("let {name} = [{}];", cells.join(", ")));
        self.tables.push(Table { name, len, bound });
    }
}
