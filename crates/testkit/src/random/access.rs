//! Reads of tensors: one item for each axis, each provably within its extent.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Piece, State, Tensor, Ty};

impl Index {
    /// Whether `self + shift` lies in `0..extent`, as the checker sees it.
    fn fits(&self, shift: i64, extent: &Extent) -> bool {
        if self.inferred {
            return shift == 0 && self.hi == *extent;
        }
        self.lo + shift >= 0 && self.hi.plus(shift).at_most(extent)
    }

    /// Whether a term of its reads may use it otherwise than alone.
    fn shiftable(&self) -> bool {
        !self.inferred
    }

    /// Whether it is never below zero.
    pub(super) fn natural(&self) -> bool {
        self.lo >= 0
    }

    fn last(&self) -> i64 {
        self.hi.value - 1
    }
}

/// `base + n`, with the sign written as people do.
pub(super) fn shifted(base: &str, n: i64) -> String {
    match n {
        0 => base.to_string(),
        n if n < 0 => format!("{base} - {}", -n),
        n => format!("{base} + {n}"),
    }
}

impl Generator {
    /// A read of some tensor or state of a type, or nothing where there is none.
    pub fn read(&mut self, cell: &Cell, ty: Ty) -> Option<Piece> {
        let states: Vec<State> =
            cell.states.iter().filter(|s| s.ty == ty && !s.back.is_empty()).cloned().collect();
        if !states.is_empty() && self.random.chance(60) {
            let state = self.random.pick(&states).clone();
            return Some(self.state_read(cell, &state));
        }
        let tensor = self.tensor(|t| t.ty == ty)?;
        Some(self.tensor_read(cell, &tensor))
    }

    /// A read of one cell of a tensor.
    pub fn tensor_read(&mut self, cell: &Cell, tensor: &Tensor) -> Piece {
        if tensor.shape.is_empty() {
            return Piece::closed(&tensor.name);
        }
        if let Some(read) = self.special_read(cell, tensor) {
            return read;
        }
        let items: Vec<String> = tensor.shape.iter().map(|e| self.item(cell, e, 1)).collect();
        self.note_repeats(&items);
        Piece::closed(format!("{}[{}]", tensor.name, items.join(", ")))
    }

    fn special_read(&mut self, cell: &Cell, tensor: &Tensor) -> Option<Piece> {
        match self.random.below(12) {
            0 => self.conditional_read(cell, tensor),
            1 => self.sub_tensor_read(cell, tensor),
            _ => None,
        }
    }

    /// `(x[1])[i]`: a sub-tensor, then its cell.
    fn sub_tensor_read(&mut self, cell: &Cell, tensor: &Tensor) -> Option<Piece> {
        let (first, rest) = tensor.shape.split_first()?;
        if rest.is_empty() {
            return None;
        }
        self.note(Construct::SubTensor);
        let outer = self.item(cell, first, 0);
        let items: Vec<String> = rest.iter().map(|e| self.item(cell, e, 0)).collect();
        Some(Piece::closed(format!("({}[{outer}])[{}]", tensor.name, items.join(", "))))
    }

    /// `(if i + 1 < n { x[i + 1] } else { 0 })`: a shifted read that its condition guards.
    fn conditional_read(&mut self, cell: &Cell, tensor: &Tensor) -> Option<Piece> {
        let [extent] = tensor.shape.as_slice() else { return None };
        let near = |i: &&Index| i.hi.name == extent.name && i.lo == 0;
        let index = cell.indices.iter().find(near)?.name.clone();
        self.note(Construct::ConditionalRead);
        let n = self.random.between(1, 2);
        let other = if tensor.ty == Ty::Bool { "false" } else { "0" };
        let name = &tensor.name;
        let e = extent.text();
        let text = match self.random.below(2) {
            0 => format!("(if {index} + {n} < {e} {{ {name}[{index} + {n}] }} else {{ {other} }})"),
            _ => format!(
                "(if {index} >= {n} && {index} - {n} < {e} {{ {name}[{index} - {n}] }} else {{ {other} }})"
            ),
        };
        Some(Piece::closed(text))
    }

    /// A read of a recurrence's member at an earlier step, or at this one.
    pub fn state_read(&mut self, cell: &Cell, state: &State) -> Piece {
        let time = cell.time.clone().expect("states are read where there is a time");
        let back = *self.random.pick(&state.back);
        let mut items = vec![shifted(&time, -back)];
        items.extend(state.shape.iter().map(|e| self.item(cell, e, 1)));
        match back {
            1 => self.note(Construct::Lookback1),
            2 => self.note(Construct::Lookback2),
            3 => self.note(Construct::Lookback3),
            _ => {}
        }
        if cell.reductions > 0 {
            self.note(Construct::SelfReadInReduction);
        }
        if items[1..].iter().any(|i| i.contains(['+', '-'])) {
            self.note(Construct::StencilStep);
        }
        Piece::closed(format!("{}[{}]", state.name, items.join(", ")))
    }

    fn note_repeats(&mut self, items: &[String]) {
        let plain =
            |s: &String| s.chars().all(|c| c.is_alphanumeric()) && s.parse::<i64>().is_err();
        if let [a, b, ..] = items {
            if a == b && plain(a) {
                self.note(Construct::DiagonalRead);
            } else if plain(a) && plain(b) && b < a {
                self.note(Construct::Transpose);
            }
        }
    }

    /// An item for an axis of this extent.
    pub fn item(&mut self, cell: &Cell, extent: &Extent, depth: usize) -> String {
        let direct: Vec<&Index> = cell.indices.iter().filter(|i| i.fits(0, extent)).collect();
        if !direct.is_empty() && self.random.chance(60) {
            return self.random.pick(&direct).name.clone();
        }
        for _ in 0..3 {
            let found = match self.random.below(6) {
                0 => self.shifted_item(cell, extent),
                1 => self.reversed_item(cell, extent),
                2 => self.strided_item(cell, extent),
                3 => self.quasi_item(cell, extent),
                4 if depth > 0 => self.data_item(cell, extent),
                _ => None,
            };
            if let Some(text) = found {
                return text;
            }
        }
        self.fixed_item(extent)
    }

    fn an_index(&mut self, cell: &Cell, keep: impl Fn(&Index) -> bool) -> Option<Index> {
        let found: Vec<&Index> = cell.indices.iter().filter(|i| keep(i)).collect();
        if found.is_empty() { None } else { Some((*self.random.pick(&found)).clone()) }
    }

    fn shifted_item(&mut self, cell: &Cell, extent: &Extent) -> Option<String> {
        let n = *self.random.pick(&[-2, -1, -1, 1, 1, 2]);
        let i = self.an_index(cell, |i| i.shiftable() && i.fits(n, extent))?;
        self.note(Construct::ShiftedRead);
        Some(shifted(&i.name, n))
    }

    fn reversed_item(&mut self, cell: &Cell, extent: &Extent) -> Option<String> {
        let i = self.an_index(cell, |i| i.shiftable() && i.natural() && i.hi.at_most(extent))?;
        self.note(Construct::ReversedRead);
        Some(format!("{} - {}", extent.plus(-1).text(), i.name))
    }

    fn strided_item(&mut self, cell: &Cell, extent: &Extent) -> Option<String> {
        let stride = self.random.between(2, 3);
        let start = self.random.between(0, 1);
        let i = self.an_index(cell, |i| {
            let plain = i.shiftable() && i.hi.name.is_none() && extent.name.is_none();
            plain && i.natural() && stride * i.last() + start < extent.value
        })?;
        self.note(Construct::StridedRead);
        Some(shifted(&format!("{stride} * {}", i.name), start))
    }

    /// `i / 2` or `(i + 1) % n`.
    fn quasi_item(&mut self, cell: &Cell, extent: &Extent) -> Option<String> {
        if extent.name.is_some() {
            return None;
        }
        let by = self.random.between(2, 3);
        let halves = |i: &Index| {
            i.shiftable() && i.natural() && i.hi.name.is_none() && i.last() / by < extent.value
        };
        if let (true, Some(i)) = (self.random.chance(50), self.an_index(cell, halves)) {
            self.note(Construct::DividedRead);
            return Some(format!("{} / {by}", i.name));
        }
        let i = self.an_index(cell, |i| i.shiftable() && i.natural())?;
        self.note(Construct::RemainderRead);
        let n = self.random.between(0, 3);
        match n {
            0 => Some(format!("{} % {}", i.name, extent.value)),
            n => Some(format!("({} + {n}) % {}", i.name, extent.value)),
        }
    }

    /// A cell of a tensor whose elements are indices.
    fn data_item(&mut self, cell: &Cell, extent: &Extent) -> Option<String> {
        let wide = self.random.chance(1);
        let fits = |t: &Tensor| t.bound.is_some_and(|b| wide || b <= extent.value);
        let source = self.tensor(|t| fits(t) && t.shape.len() <= 1)?;
        if source.bound.is_some_and(|b| b > extent.value) {
            self.note(Construct::MayFail);
        }
        self.note(Construct::DataRead);
        let items: Vec<String> = source.shape.iter().map(|e| self.item(cell, e, 0)).collect();
        if items.is_empty() {
            return Some(source.name);
        }
        Some(format!("{}[{}]", source.name, items.join(", ")))
    }

    fn fixed_item(&mut self, extent: &Extent) -> String {
        match &extent.name {
            None => self.random.between(0, extent.value - 1).to_string(),
            Some(_) if self.random.chance(50) => extent.plus(-1).text(),
            Some(_) => "0".to_string(),
        }
    }
}
