//! What the generator knows of the names in scope.

use super::characters::Text;
use super::{Construct, Program, Random};
use std::collections::BTreeSet;

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Ty {
    /// Each as often as it is picked.
    pub const ALL: [Ty; 17] = [
        Ty::Bool,
        Ty::Bool,
        Ty::I8,
        Ty::I16,
        Ty::I32,
        Ty::I32,
        Ty::I64,
        Ty::I64,
        Ty::U8,
        Ty::U16,
        Ty::U32,
        Ty::U64,
        Ty::F16,
        Ty::F32,
        Ty::F32,
        Ty::F64,
        Ty::F64,
    ];
    /// The same without truth values.
    pub const NUMBERS: &[Ty] = Ty::ALL.split_at(2).1;

    pub fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::U8 => "u8",
            Ty::U16 => "u16",
            Ty::U32 => "u32",
            Ty::U64 => "u64",
            Ty::F16 => "f16",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64 | Ty::F16)
    }

    pub fn is_int(self) -> bool {
        !self.is_float() && self != Ty::Bool
    }

    pub fn is_unsigned(self) -> bool {
        matches!(self, Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64)
    }

    /// Whether small literals together may come to what it cannot hold.
    pub fn is_tight(self) -> bool {
        self.is_unsigned() || matches!(self, Ty::I8 | Ty::I16)
    }

    /// The greatest of some integers, as far as a literal goes.
    pub fn greatest(self) -> i64 {
        match self {
            Ty::I8 => i8::MAX.into(),
            Ty::I16 => i16::MAX.into(),
            Ty::U8 => u8::MAX.into(),
            Ty::U16 => u16::MAX.into(),
            Ty::U32 => u32::MAX.into(),
            Ty::I64 | Ty::U64 => i64::MAX,
            _ => i32::MAX.into(),
        }
    }

    /// Whether a sum of such numbers has this type too.
    pub fn sums_alike(self) -> bool {
        self != Ty::Bool && !self.is_narrow()
    }

    /// Whether its numbers are computed in `i32`.
    pub fn is_narrow(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::U8 | Ty::U16)
    }

    /// The type of what is computed from its numbers.
    pub fn computed(self) -> Ty {
        if self.is_narrow() { Ty::I32 } else { self }
    }

    /// Other types whose numbers become ones of this type by themselves.
    pub fn widened(self) -> &'static [Ty] {
        match self {
            Ty::I32 => &[Ty::I8, Ty::I16, Ty::U8, Ty::U16],
            Ty::I64 => &[Ty::I8, Ty::I32, Ty::U16, Ty::U32],
            Ty::U32 => &[Ty::U8, Ty::U16],
            Ty::U64 => &[Ty::U8, Ty::U16, Ty::U32],
            Ty::F32 => &[Ty::F16, Ty::I8, Ty::U16],
            Ty::F64 => &[Ty::F32, Ty::F16, Ty::I32, Ty::U32, Ty::I16],
            _ => &[],
        }
    }

    fn construct(self) -> Construct {
        match self {
            Ty::Bool => Construct::Bool,
            Ty::I8 => Construct::I8,
            Ty::I16 => Construct::I16,
            Ty::I32 => Construct::I32,
            Ty::I64 => Construct::I64,
            Ty::U8 => Construct::U8,
            Ty::U16 => Construct::U16,
            Ty::U32 => Construct::U32,
            Ty::U64 => Construct::U64,
            Ty::F16 => Construct::F16,
            Ty::F32 => Construct::F32,
            Ty::F64 => Construct::F64,
        }
    }
}

/// A size: a number, or a name plus a number, and what it will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extent {
    pub name: Option<String>,
    pub offset: i64,
    pub value: i64,
}

impl Extent {
    pub fn number(n: i64) -> Extent {
        Extent { name: None, offset: n, value: n }
    }

    pub fn plus(&self, n: i64) -> Extent {
        Extent { name: self.name.clone(), offset: self.offset + n, value: self.value + n }
    }

    /// Whether the checker can see that it is at most `other`.
    pub fn at_most(&self, other: &Extent) -> bool {
        self.name == other.name && self.offset <= other.offset
    }

    pub fn text(&self) -> String {
        match (&self.name, self.offset) {
            (None, n) => n.to_string(),
            (Some(name), 0) => name.clone(),
            (Some(name), n) if n < 0 => format!("{name} - {}", -n),
            (Some(name), n) => format!("{name} + {n}"),
        }
    }
}

/// A named tensor; a number has no axes.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    pub name: String,
    pub ty: Ty,
    pub shape: Vec<Extent>,
    /// All its elements lie in `0..bound`: it may serve as an index.
    pub bound: Option<i64>,
}

/// An index in scope: `lo..hi`.
#[derive(Debug, Clone)]
pub(super) struct Index {
    pub name: String,
    pub lo: i64,
    pub hi: Extent,
    /// Its range comes from the reads of its clause: a shifted read would narrow it.
    pub inferred: bool,
}

/// A function that applies to scalars, or to whole tensors.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub name: String,
    pub kind: FunctionKind,
}

/// What a function takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionKind {
    /// Two numbers of one type, any type.
    Generic,
    /// One number of this type.
    Typed(Ty),
    /// A tensor of any rank and type, and gives its total.
    Total,
    /// A tensor of any rank and a number of its type; gives a tensor of that shape.
    Scale,
    /// Two vectors of one extent and this type; gives a number.
    Dot(Ty),
    /// Two numbers of one type; gives two.
    Pair,
}

/// A member of a recurrence that its own clauses may read.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub name: String,
    pub ty: Ty,
    pub shape: Vec<Extent>,
    /// How far back it may be read; 0 is the same step.
    pub back: Vec<i64>,
}

/// What an expression may name beside the program's tensors.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub indices: Vec<Index>,
    pub locals: Vec<(String, Ty)>,
    /// The time index of a recurrence, and what may be read at earlier steps.
    pub time: Option<String>,
    pub states: Vec<State>,
    /// Reductions around this place.
    pub reductions: usize,
}

/// An expression's text, and whether it is made of literals and indices alone, so that
/// its type is still open.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub text: String,
    pub open: bool,
}

impl Piece {
    pub fn closed(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), open: false }
    }

    pub fn open(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), open: true }
    }
}

/// The generator's state.
pub(super) struct Generator {
    pub random: Random,
    pub statements: Vec<String>,
    pub inputs: Vec<(String, String)>,
    pub tensors: Vec<Tensor>,
    pub functions: Vec<Function>,
    /// Names, or cells, that have no type of their own, and whether they are floats.
    pub open: Vec<(String, bool)>,
    /// Sizes to define over.
    pub extents: Vec<Extent>,
    pub used: BTreeSet<Construct>,
    /// Texts that characters are taken from.
    pub texts: Vec<Text>,
    pub library: BTreeSet<&'static str>,
    /// Whether it asks for the number of a character.
    pub text_library: bool,
    pub discrete: bool,
    /// Inputs that are zero or less.
    pub negatives: Vec<String>,
    next: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            random: Random::new(seed),
            statements: Vec::new(),
            inputs: Vec::new(),
            tensors: Vec::new(),
            functions: Vec::new(),
            open: Vec::new(),
            extents: Vec::new(),
            used: BTreeSet::new(),
            texts: Vec::new(),
            library: BTreeSet::new(),
            text_library: false,
            discrete: false,
            negatives: Vec::new(),
            next: 0,
        }
    }

    /// Records a use.
    pub fn note(&mut self, c: Construct) {
        self.used.insert(c);
    }

    /// Records the use of a type.
    pub fn note_type(&mut self, ty: Ty) {
        // Another order of a sum shows where it is rounded to few digits.
        self.discrete |= ty == Ty::F16;
        self.note(ty.construct());
    }

    /// A name nothing has yet.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    /// A size to define over.
    pub fn extent(&mut self) -> Extent {
        let e = self.random.pick(&self.extents).clone();
        if e.name.is_some() {
            self.note(Construct::SymbolicExtent);
        }
        e
    }

    /// Any number type.
    pub fn number_type(&mut self) -> Ty {
        *self.random.pick(Ty::NUMBERS)
    }

    /// A float type, 32 bits twice as likely.
    pub fn float_type(&mut self) -> Ty {
        *self.random.pick(&[Ty::F32, Ty::F32, Ty::F64])
    }

    /// Tensors for which `keep` holds, later ones likelier.
    pub fn tensor(&mut self, keep: impl Fn(&Tensor) -> bool) -> Option<Tensor> {
        let found: Vec<&Tensor> = self.tensors.iter().filter(|t| keep(t)).collect();
        if found.is_empty() {
            return None;
        }
        let (a, b) = (self.random.below(found.len()), self.random.below(found.len()));
        Some(found[a.max(b)].clone())
    }

    /// The finished program.
    pub fn finish(mut self, seed: u64, size: usize) -> Program {
        if !self.library.is_empty() {
            self.note(Construct::Use);
            let names: Vec<&str> = self.library.iter().copied().collect();
            self.statements.insert(0, format!("use std::math::{{{}}};", names.join(", ")));
        }
        if self.text_library {
            self.note(Construct::Use);
            self.statements.insert(0, "use std::text::ord;".into());
        }
        Program {
            seed,
            size,
            statements: self.statements,
            inputs: self.inputs,
            constructs: self.used,
            discrete: self.discrete,
        }
    }
}
