//! Expressions of a given type.

use super::Construct;
use super::scope::{Cell, FunctionKind, Generator, Index, Piece, Ty};

/// Elementary functions that are defined everywhere, or give NaN.
const ELEMENTARY: [&str; 9] = ["exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "atan", "sinh"];

impl Generator {
    /// An expression of a type, about `depth` levels deep.
    pub fn expr(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        if depth == 0 {
            return self.leaf(cell, ty);
        }
        let deeper = depth - 1;
        if self.random.chance(12) {
            return self.choice(cell, ty, deeper);
        }
        if self.random.chance(14) && cell.reductions < 2 && !cell.indices.is_empty() {
            return self.reduction(cell, ty, deeper.min(1));
        }
        if ty != Ty::Bool
            && self.random.chance(12)
            && let Some(call) = self.call(cell, ty, deeper)
        {
            return call;
        }
        if ty != Ty::Bool
            && self.random.chance(8)
            && let Some(number) = self.character_number(cell, ty, deeper)
        {
            return number;
        }
        match ty {
            Ty::Bool => self.boolean(cell, deeper),
            _ if ty.is_int() => self.integer(cell, ty, deeper),
            _ => self.float(cell, ty, deeper),
        }
    }

    /// An expression whose type is not open.
    pub fn closed(&mut self, cell: &Cell, ty: Ty, depth: usize) -> String {
        let piece = self.expr(cell, ty, depth);
        self.close(piece, ty)
    }

    /// The piece, cast to the type where its own is open.
    pub fn close(&mut self, piece: Piece, ty: Ty) -> String {
        if !piece.open {
            return piece.text;
        }
        self.note(Construct::Cast);
        format!("({} as {})", piece.text, ty.name())
    }

    fn leaf(&mut self, cell: &Cell, ty: Ty) -> Piece {
        self.note_type(ty);
        let locals: Vec<String> =
            cell.locals.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n.clone()).collect();
        if !locals.is_empty() && self.random.chance(40) {
            return Piece::closed(self.random.pick(&locals).clone());
        }
        if self.random.chance(70)
            && let Some(read) = self.read(cell, ty)
        {
            return read;
        }
        // A `u8` has no value for an index below zero.
        let fits = |i: &Index| !ty.is_unsigned() || i.natural();
        if ty != Ty::Bool && cell.indices.iter().any(fits) && self.random.chance(25) {
            return self.index_value(cell, ty);
        }
        if ty.is_int() && self.random.chance(4) {
            self.note(Construct::NearTheEnd);
            return Piece::closed(format!("({} as {})", self.near_the_end(ty), ty.name()));
        }
        if ty != Ty::Bool
            && self.random.chance(30)
            && let Some(name) = self.open_name(ty)
        {
            return name;
        }
        self.literal(ty)
    }

    /// A name without a type of its own, or a cell of one.
    fn open_name(&mut self, ty: Ty) -> Option<Piece> {
        let fits = |(_, float): &&(String, bool)| !float || ty.is_float();
        let found: Vec<String> = self.open.iter().filter(fits).map(|(n, _)| n.clone()).collect();
        if found.is_empty() {
            return None;
        }
        let name = self.random.pick(&found).clone();
        self.note(if name.contains('[') { Construct::OpenCell } else { Construct::OpenName });
        Some(Piece::open(name))
    }

    /// The result of arithmetic as a number of the type again: narrow ones are computed in
    /// `i32`.
    pub fn narrowed(&mut self, piece: Piece, ty: Ty) -> Piece {
        if !ty.is_narrow() || piece.open {
            return piece;
        }
        self.note(Construct::Cast);
        Piece::closed(format!("({} as {})", piece.text, ty.name()))
    }

    /// A number next to where a type ends.
    pub fn near_the_end(&mut self, ty: Ty) -> i64 {
        let end = ty.greatest() - self.random.between(0, 3);
        if !ty.is_unsigned() && self.random.chance(50) { -end } else { end }
    }

    fn index_value(&mut self, cell: &Cell, ty: Ty) -> Piece {
        self.note(Construct::IndexValue);
        let fits = |i: &&Index| !ty.is_unsigned() || i.natural();
        let indices: Vec<&Index> = cell.indices.iter().filter(fits).collect();
        let name = self.random.pick(&indices).name.clone();
        match ty.is_float() {
            true => Piece::closed(format!("({name} as {})", ty.name())),
            false => Piece::open(name),
        }
    }

    /// A literal.
    pub fn literal(&mut self, ty: Ty) -> Piece {
        match ty {
            Ty::Bool => Piece::closed(if self.random.chance(50) { "true" } else { "false" }),
            _ if ty.is_int() || self.random.chance(15) => {
                self.note(Construct::IntLiteral);
                Piece::open(self.random.between(0, 9).to_string())
            }
            _ => {
                self.note(Construct::FloatLiteral);
                Piece::open(self.float_text())
            }
        }
    }

    fn float_text(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("{}.0", self.random.between(0, 4)),
            1 => format!("0.{}", self.random.between(1, 9)),
            2 => format!("{}e-1", self.random.between(1, 30)),
            _ => format!("{}.{}", self.random.between(0, 2), self.random.between(0, 99)),
        }
    }

    fn boolean(&mut self, cell: &Cell, depth: usize) -> Piece {
        if self.random.chance(25)
            && let Some(test) = self.character_test(cell)
        {
            return test;
        }
        match self.random.below(6) {
            0 | 1 => {
                self.note(Construct::Logic);
                let op = *self.random.pick(&["&&", "||"]);
                self.binary(cell, Ty::Bool, op, depth)
            }
            2 => {
                self.note(Construct::Logic);
                let x = self.expr(cell, Ty::Bool, depth);
                Piece::closed(format!("(!{})", x.text))
            }
            _ => Piece::closed(self.comparison(cell, depth)),
        }
    }

    /// A comparison of two numbers.
    pub fn comparison(&mut self, cell: &Cell, depth: usize) -> String {
        self.note(Construct::Comparison);
        let ty = self.number_type();
        self.discrete |= ty.is_float();
        let ops: &[&str] = if ty.is_float() {
            &["<", ">", "<=", ">="]
        } else {
            &["<", ">", "<=", ">=", "==", "!="]
        };
        let op = *self.random.pick(ops);
        let x = self.closed(cell, ty, depth.min(2));
        let y = self.expr(cell, ty, depth.min(2));
        format!("({x} {op} {})", y.text)
    }

    fn binary(&mut self, cell: &Cell, ty: Ty, op: &str, depth: usize) -> Piece {
        if ty.is_tight() {
            // A difference or product of literals may be none of its values.
            let (x, y) = (self.closed(cell, ty, depth), self.closed(cell, ty, depth));
            return self.narrowed(Piece::closed(format!("({x} {op} {y})")), ty);
        }
        if !ty.widened().is_empty() && self.random.chance(12) {
            self.note(Construct::Widening);
            let from = *self.random.pick(ty.widened());
            self.discrete |= from == Ty::F16;
            let (x, y) = (self.closed(cell, ty, depth), self.closed(cell, from, depth.min(1)));
            // A quotient of integers becomes a float by a cast alone.
            let y = match ty.is_float() && from.is_int() {
                true => format!("({y} as {})", from.name()),
                false => y,
            };
            return Piece::closed(match self.random.chance(50) {
                true => format!("({x} {op} {y})"),
                false => format!("({y} {op} {x})"),
            });
        }
        let (x, y) = (self.expr(cell, ty, depth), self.expr(cell, ty, depth));
        let open = x.open && y.open;
        Piece { text: format!("({} {op} {})", x.text, y.text), open }
    }

    fn integer(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        let piece = self.wide_integer(cell, ty, depth);
        self.narrowed(piece, ty)
    }

    /// As it is computed: narrow integers in `i32`.
    fn wide_integer(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        match self.random.below(10) {
            0..5 => {
                self.note(Construct::IntArithmetic);
                let op = *self.random.pick(&["+", "-", "*", "+"]);
                self.binary(cell, ty, op, depth)
            }
            5 => self.division(cell, ty, depth),
            6 => self.power(cell, ty, depth),
            7 => self.negation(cell, ty, depth),
            8 => self.max_of_two(cell, ty, depth),
            _ => self.cast(cell, ty, depth),
        }
    }

    fn division(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        let op = *self.random.pick(&["/", "%"]);
        self.note(if op == "/" { Construct::IntDivision } else { Construct::IntRemainder });
        let x = self.closed(cell, ty, depth);
        if self.random.chance(4) {
            // A literal 0 would be refused before the run.
            if let Some(y) = self.read(cell, ty) {
                self.note(Construct::MayFail);
                return Piece::closed(format!("({x} {op} {})", y.text));
            }
        }
        let y = self.random.between(1, 7);
        let y = if !ty.is_unsigned() && self.random.chance(20) {
            format!("(-{y})")
        } else {
            y.to_string()
        };
        Piece::closed(format!("({x} {op} {y})"))
    }

    fn power(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::Power);
        let x = self.closed(cell, ty, depth);
        let y = self.random.between(if ty.is_float() { -2 } else { 0 }, 3);
        match y {
            y if y < 0 => Piece::closed(format!("({x} ** (-{}))", -y)),
            y => Piece::closed(format!("({x} ** {y})")),
        }
    }

    fn negation(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::Negation);
        let x = self.expr(cell, ty, depth);
        if ty.is_unsigned() {
            return Piece::closed(format!("(-{})", self.close(x, ty)));
        }
        Piece { text: format!("(-{})", x.text), open: x.open }
    }

    fn max_of_two(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::MaxOfTwo);
        let name = *self.random.pick(&["max", "min"]);
        let x = self.closed(cell, ty, depth);
        let y = self.closed(cell, ty, depth);
        Piece::closed(format!("{name}({x}, {y})"))
    }

    /// A cast from another type.
    pub fn cast(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::Cast);
        let from = *self.random.pick(&Ty::ALL);
        self.discrete |= from.is_float() && ty.is_int();
        let x = self.closed(cell, from, depth);
        Piece::closed(format!("({x} as {})", ty.name()))
    }

    fn float(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        match self.random.below(14) {
            0..6 => {
                self.note(Construct::FloatArithmetic);
                let op = *self.random.pick(&["+", "-", "*", "*", "/"]);
                if op == "/" {
                    // An open quotient of literals could be by zero, which is an error.
                    let (x, y) = (self.closed(cell, ty, depth), self.closed(cell, ty, depth));
                    return Piece::closed(format!("({x} / {y})"));
                }
                self.binary(cell, ty, op, depth)
            }
            6..9 => self.elementary(cell, ty, depth),
            9 => self.power(cell, ty, depth),
            10 => self.negation(cell, ty, depth),
            11 => self.max_of_two(cell, ty, depth),
            12 => self.float_remainder(cell, ty, depth),
            _ => self.cast(cell, ty, depth),
        }
    }

    fn float_remainder(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::FloatRemainder);
        self.discrete = true;
        let x = self.closed(cell, ty, depth);
        Piece::closed(format!("({x} % {})", self.random.between(1, 3)))
    }

    fn elementary(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::Elementary);
        let name = *self.random.pick(&ELEMENTARY);
        self.library.insert(name);
        let x = self.closed(cell, ty, depth);
        if ["sin", "cos"].contains(&name) {
            // Of a large operand, an error in its last place is all that they show.
            self.library.insert("tanh");
            return Piece::closed(format!("{name}(4 * tanh({x}))"));
        }
        Piece::closed(format!("{name}({x})"))
    }

    fn choice(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Piece {
        self.note(Construct::If);
        let c = self.closed(cell, Ty::Bool, depth.min(1));
        let x = self.expr(cell, ty, depth);
        let y = self.expr(cell, ty, depth);
        // A condition may be known, whatever stands in it (`false && x[i] > 0`): then the other
        // branch has no say in the type.
        if x.open && y.open {
            return Piece::open(format!("(if {c} {{ {} }} else {{ {} }})", x.text, y.text));
        }
        let (x, y) = (self.close(x, ty), self.close(y, ty));
        Piece::closed(format!("(if {c} {{ {x} }} else {{ {y} }})"))
    }

    /// A call of one of the program's functions on numbers.
    fn call(&mut self, cell: &Cell, ty: Ty, depth: usize) -> Option<Piece> {
        let fits = |k: FunctionKind| k == FunctionKind::Generic || k == FunctionKind::Typed(ty);
        let found: Vec<_> = self.functions.iter().filter(|f| fits(f.kind)).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let f = self.random.pick(&found).clone();
        self.note(Construct::Call);
        if !cell.indices.is_empty() {
            self.note(Construct::CallInCell);
        }
        let x = self.closed(cell, ty, depth);
        if f.kind == FunctionKind::Generic {
            self.note(Construct::GenericOverType);
            let y = self.closed(cell, ty, depth);
            let piece = Piece::closed(format!("{}({x}, {y})", f.name));
            return Some(self.narrowed(piece, ty));
        }
        Some(Piece::closed(format!("{}({x})", f.name)))
    }
}
