//! Texts, and their characters in clauses: compared, matched, looked for, and as numbers.

use super::Construct;
use super::scope::{Cell, Extent, Generator, Index, Piece, Tensor, Ty};

/// A text with a name.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub name: String,
    pub extent: Extent,
}

/// Characters of one byte and of more, so that places and bytes differ.
const LETTERS: [&str; 6] = ["a", "b", "c", "é", "日", "a"];

impl Generator {
    fn letter(&mut self) -> &'static str {
        self.random.pick::<&str>(&LETTERS)
    }

    fn letters(&mut self, n: i64) -> String {
        (0..n).map(|_| self.letter()).collect()
    }

    /// Two texts that characters are taken from, in some of the programs.
    pub fn texts(&mut self) {
        if self.random.chance(60) {
            return;
        }
        for _ in 0..2 {
            let name = self.fresh("q");
            // Often as long as tensors are, so that one index serves both.
            let length = match self.random.chance(50) {
                true => self.random.pick(&self.extents).value,
                false => self.random.between(1, 6),
            };
            let text = self.letters(length);
            self.statements.push(format!("let {name} = \"{text}\";"));
            self.texts.push(Text { name, extent: Extent::number(length) });
        }
    }

    fn character(&mut self, cell: &Cell) -> Option<String> {
        if self.texts.is_empty() {
            return None;
        }
        let text = self.random.pick(&self.texts.clone()).clone();
        let item = self.item(cell, &text.extent, 1);
        Some(format!("{}[{item}]", text.name))
    }

    /// Whether characters are the same, or in order, or in a text.
    pub fn character_test(&mut self, cell: &Cell) -> Option<Piece> {
        let c = self.character(cell)?;
        let text = match self.random.below(6) {
            0 => {
                self.note(Construct::CharacterIn);
                format!("({c} in \"{}\")", self.letters(2))
            }
            1 => {
                self.note(Construct::CharacterCompared);
                format!("({c} {} \"{}\")", self.comparison_sign(), self.letter())
            }
            2 => {
                self.note(Construct::CharacterIn);
                let within = self.random.pick(&self.texts.clone()).name.clone();
                format!("({c} in {within})")
            }
            _ => {
                self.note(Construct::CharacterCompared);
                let d = self.character(cell)?;
                format!("({c} {} {d})", self.comparison_sign())
            }
        };
        Some(Piece::closed(text))
    }

    fn comparison_sign(&mut self) -> &'static str {
        self.random.pick::<&str>(&["==", "==", "!=", "<", ">="])
    }

    /// A number that a character says.
    pub fn character_number(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Option<Piece> {
        let c = self.character(cell)?;
        if self.random.chance(50) {
            self.note(Construct::CharacterCode);
            self.text_library = true;
            return Some(Piece::closed(format!("(ord({c}) as {})", ty.name())));
        }
        self.note(Construct::CharacterMatched);
        let values: Vec<String> = (0..3).map(|_| self.closed(cell, ty, depth.min(1))).collect();
        let (a, b) = (self.letter(), self.letter());
        Some(Piece::closed(format!(
            "(match {c} {{ \"{a}\" => {}, \"z\" | \"{b}\" => {}, _ => {} }})",
            values[0], values[1], values[2]
        )))
    }

    /// Steps over two texts: an edit distance, or the longest common part.
    pub fn alignment(&mut self) -> bool {
        let [a, b] = self.texts.as_slice() else { return false };
        let (a, b) = (a.clone(), b.clone());
        self.note(Construct::CharacterCompared);
        self.note(Construct::Alignment);
        let (d, i, j) = (self.fresh("e"), self.fresh("i"), self.fresh("j"));
        let (m, n) = (a.extent.plus(1).text(), b.extent.plus(1).text());
        let same = format!("{}[{i} - 1] == {}[{j} - 1]", a.name, b.name);
        let corner = format!("{d}[{i} - 1, {j} - 1]");
        let (up, left) = (format!("{d}[{i} - 1, {j}]"), format!("{d}[{i}, {j} - 1]"));
        let cell = Cell {
            indices: vec![Index { name: i.clone(), lo: 0, hi: a.extent.plus(1), inferred: false }],
            ..Cell::default()
        };
        let edge = self.random.chance(30).then(|| self.closed(&cell, Ty::I32, 1));
        let edge = edge.unwrap_or_else(|| i.clone());
        let step = match self.random.below(3) {
            0 => {
                format!("if {same} {{ {corner} }} else {{ 1 + min({up}, min({left}, {corner})) }}")
            }
            1 => format!("if {same} {{ {corner} + 1 }} else {{ max({up}, {left}) }}"),
            _ => format!("max(0, {corner} + (if {same} {{ 2 }} else {{ -1 }}))"),
        };
        self.statements.push(format!(
            "let {d}[{i} in 0..{m}, 0]: i32 = {edge};\nlet {d}[0, {j} in 1..{n}] = {j};\n\
             let {d}[{i} in 1..{m}, {j} in 1..{n}] = {step};"
        ));
        let shape = vec![a.extent.plus(1), b.extent.plus(1)];
        self.tensors.push(Tensor { name: d, ty: Ty::I32, shape, bound: None });
        true
    }
}
