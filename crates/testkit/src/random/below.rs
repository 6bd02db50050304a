//! Ranges that begin below zero, and extents of nothing that only a run knows.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Tensor};

/// As low as any lower end that is not known before the run.
const LOWEST: i64 = -1_000_000;

/// Where a range begins.
pub(super) struct LowerEnd {
    pub text: String,
    /// A number that it surely is not below.
    pub least: i64,
}

impl Generator {
    /// The lower end of a range of cells: it may lie far below zero, and depend on a slot in
    /// front. Only cells from zero on are there.
    pub fn lower_end_of_slot(&mut self, cell: &Cell) -> String {
        self.note(Construct::RangeBelowZero);
        let around = cell.indices.last().map(|i| i.name.clone());
        match (self.random.below(6), around) {
            (0, _) => format!("-{}", self.random.between(1_000, 1_000_000)),
            (1 | 2, Some(i)) => format!("{i} - {}", self.random.between(1, 3)),
            _ => self.lower_end().text,
        }
    }

    /// The lower end of a range of terms, little below zero.
    pub fn lower_end(&mut self) -> LowerEnd {
        if self.random.chance(50) {
            return LowerEnd { text: self.negative_input(), least: LOWEST };
        }
        self.negative_end()
    }

    /// The same as a number.
    pub fn negative_end(&mut self) -> LowerEnd {
        let n = self.random.between(1, 4);
        LowerEnd { text: format!("-{n}"), least: -n }
    }

    /// The name of an input that is zero or less, as only the run knows.
    fn negative_input(&mut self) -> String {
        self.note(Construct::LowerEndFromInput);
        if let Some(name) = self.negatives.first().filter(|_| self.negatives.len() > 1) {
            return name.clone();
        }
        let name = self.fresh("lo");
        let value = self.random.between(-4, 0);
        self.statements.insert(0, format!("input {name}: i64;"));
        self.inputs.push((name.clone(), value.to_string()));
        self.negatives.push(name.clone());
        name
    }

    /// Definitions over an extent that may be zero or less: a fixed cell that is then none,
    /// and a recurrence that runs backward from it.
    pub fn extent_of_nothing(&mut self) -> bool {
        self.note(Construct::ExtentOfNothing);
        let (e, ty) = (self.fresh("e"), self.number_type());
        let (x, h, i, t) = (self.fresh("x"), self.fresh("h"), self.fresh("i"), self.fresh("t"));
        let value = self.random.between(-3, 3);
        self.inputs.push((e.clone(), value.to_string()));
        let index =
            |name: &str| Index { name: name.into(), lo: 0, hi: Extent::number(4), inferred: false };
        let nowhere = Cell::default();
        let at = |i: &str| Cell { indices: vec![index(i)], ..Cell::default() };
        let below = self.random.between(1, 3);
        let fixed = self.closed(&nowhere, ty, 1);
        let whole = self.closed(&at(&i), ty, 1);
        let last = self.closed(&nowhere, ty, 1);
        let step = self.closed(&nowhere, ty, 1);
        let op = *self.random.pick(&["+", "-", "*"]);
        let (v, w) = (self.fresh("v"), self.fresh("v"));
        self.statements.push(format!(
            "input {e}: i64;\n\
             let {x}[{e} - {below}] = {fixed};\n\
             let {x}[{i} in 0..4] = {whole};\n\
             let {h}[{e} - 1] = {last};\n\
             let {h}[{t} in 0..{e} - 1] = {h}[{t} + 1] {op} {step};\n\
             let {v} = max[k in 0..4]({x}[k]);\n\
             let {w} = max[k in 0..{e}]({h}[k]);"
        ));
        for (name, ty) in [(v, ty), (w, ty.computed())] {
            self.tensors.push(Tensor { name, ty, shape: Vec::new(), bound: None });
        }
        true
    }
}
