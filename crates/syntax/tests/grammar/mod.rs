//! Random programs by the grammar of the language: every production, bounded in depth.
//!
//! What comes out has no syntax error, and mostly no meaning. Also used by the checker's
//! tests, which want programs that nobody would write.

/// A small generator of pseudo-random numbers (xorshift64*).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A program of some statements, with white space and comments strewn about.
pub fn program(seed: u64) -> String {
    let mut grammar = Grammar { rng: Rng::new(seed), out: String::new(), left: 400 };
    for _ in 0..1 + grammar.rng.below(6) {
        grammar.stmt(0);
    }
    if grammar.rng.one_in(2) {
        grammar.value(0);
    }
    grammar.out
}

struct Grammar {
    rng: Rng,
    out: String,
    /// Productions left before only the shortest are taken.
    left: usize,
}

const NAMES: &[&str] = &["x", "y", "i", "k", "n", "where_", "alpha", "t1", "_u", "mod_", "input_"];
const PRIMS: &[&str] = &["i32", "f32", "f64", "bool", "i64", "str", "int", "float"];

impl Grammar {
    fn token(&mut self, text: &str) {
        let gap = match self.rng.below(40) {
            0 => "\n",
            1 => "\n\n\n",
            2 => " // note\n",
            3 => "\n// alone\n",
            4 => "\t ",
            _ => " ",
        };
        self.out.push_str(gap);
        self.out.push_str(text);
    }

    fn tokens(&mut self, texts: &[&str]) {
        texts.iter().for_each(|t| self.token(t));
    }

    fn name(&mut self) {
        let name = self.rng.pick(NAMES);
        self.token(name);
    }

    /// Whether to take a longer way: ever more seldom as it gets deep.
    fn grows(&mut self, depth: usize, n: usize) -> bool {
        if self.left == 0 || depth > 8 {
            return false;
        }
        self.left -= 1;
        self.rng.one_in(n)
    }

    fn list(&mut self, least: usize, most: usize, mut one: impl FnMut(&mut Self)) {
        let n = least + self.rng.below(most - least + 1);
        for at in 0..n {
            if at > 0 {
                self.token(",");
            }
            one(self);
        }
        if n > least && self.rng.one_in(6) {
            self.token(",");
        }
    }

    fn stmt(&mut self, d: usize) {
        match self.rng.below(if d > 2 { 5 } else { 13 }) {
            0 | 1 => self.let_(d),
            2 | 3 => self.indexed(d),
            4 => {
                self.name();
                self.tokens(&["("]);
                self.list(0, 2, |g| g.expr(d + 1));
                self.tokens(&[")", ";"]);
            }
            5 => {
                self.tokens(&["const", "c1"]);
                self.annotation(d);
                self.token("=");
                self.expr(d + 1);
                self.token(";");
            }
            6 | 7 => self.fn_(d),
            8 => self.use_(),
            9 => {
                self.tokens(&["input", "given", ":"]);
                self.ty(d);
                if self.rng.one_in(2) {
                    self.token("=");
                    self.expr(d + 1);
                }
                self.token(";");
            }
            10 => self.struct_or_enum(d),
            11 => {
                self.tokens(&["pub", "mod", "m", "{"]);
                self.fn_(d + 2);
                self.token("}");
            }
            _ => {
                self.if_(d);
            }
        }
    }

    fn let_(&mut self, d: usize) {
        self.token("let");
        match self.rng.below(4) {
            0 => self.tokens(&["(", "p", ",", "_", ":", "i32", ")"]),
            1 => self.token("_"),
            _ => self.name(),
        }
        self.annotation(d);
        self.token("=");
        self.wexpr(d + 1);
        self.token(";");
    }

    fn annotation(&mut self, d: usize) {
        if self.rng.one_in(3) {
            self.token(":");
            self.ty(d);
        }
    }

    fn indexed(&mut self, d: usize) {
        self.token("let");
        self.name();
        self.token("[");
        let joined = self.rng.one_in(5);
        if joined {
            self.tokens(&["i", "^", "k"]);
            if self.rng.one_in(2) {
                self.tokens(&[",", "..rest"]);
            }
        } else {
            self.list(1, 3, |g| g.slot(d));
        }
        self.token("]");
        self.annotation(d);
        self.token("=");
        self.expr(d + 1);
        if joined {
            self.token("^");
            self.expr(d + 1);
        }
        if self.rng.one_in(4) {
            self.where_(d);
            if self.rng.one_in(2) {
                self.token("else");
                self.or(d + 1);
            }
        }
        self.token(";");
    }

    fn slot(&mut self, d: usize) {
        match self.rng.below(5) {
            0 => self.token("0"),
            1 => self.tokens(&["n", "-", "1"]),
            2 => self.tokens(&["..batch"]),
            3 => {
                self.tokens(&["i", "in"]);
                self.range(d + 2);
            }
            _ => self.token("j"),
        }
    }

    fn where_(&mut self, d: usize) {
        self.token("where");
        let n = 1 + self.rng.below(2);
        for at in 0..n {
            if at > 0 {
                self.token(",");
            }
            if self.rng.one_in(2) {
                self.tokens(&["z", "="]);
            }
            // An `else` behind an `if` would belong to it.
            self.token("(");
            self.or(d + 1);
            self.token(")");
        }
    }

    fn fn_(&mut self, d: usize) {
        if self.rng.one_in(3) {
            self.token("pub");
        }
        self.tokens(&["fn", "f1", "("]);
        self.list(0, 2, |g| {
            g.name();
            g.annotation(d);
        });
        self.token(")");
        if self.rng.one_in(3) {
            self.token("->");
            self.ty(d);
        }
        self.block(d);
    }

    fn use_(&mut self) {
        self.tokens(&["use", "a", "::", "b"]);
        match self.rng.below(4) {
            0 => self.tokens(&["as", "q"]),
            1 => self.tokens(&["::", "*"]),
            2 => self.tokens(&["::", "{", "c", ",", "d", "as", "e", "}"]),
            _ => {}
        }
        self.token(";");
    }

    fn struct_or_enum(&mut self, d: usize) {
        match self.rng.below(3) {
            0 => {
                self.tokens(&["struct", "P", "<", "T", ">", "{", "a", ":"]);
                self.ty(d);
                self.tokens(&["}"]);
            }
            1 => {
                self.tokens(&["struct", "Q", "("]);
                self.ty(d);
                self.tokens(&[")", ";"]);
            }
            _ => {
                self.tokens(&["enum", "E", "{", "A", ",", "B", "("]);
                self.ty(d);
                self.tokens(&[")", ",", "C", "{", "r", ":", "f32", "}", "}"]);
            }
        }
    }

    fn ty(&mut self, d: usize) {
        match self.rng.below(if d > 4 { 1 } else { 7 }) {
            1 => self.tokens(&["[", "f32", ";", "2", ",", "n", "+", "1", "]"]),
            2 => self.tokens(&["[", "f64", ";", "?", ",", "..r", "]"]),
            3 => self.tokens(&["(", "f32", ",", "i32", ")"]),
            4 => self.tokens(&["(", "f32", ")", "->", "i32"]),
            5 => self.tokens(&["jagged", "[", "f32", ";", "2d", "]"]),
            6 => self.tokens(&["a", "::", "P", "<", "f32", ">"]),
            _ => {
                let prim = self.rng.pick(PRIMS);
                self.token(prim);
            }
        }
    }

    fn block(&mut self, d: usize) {
        self.token("{");
        if d < 5 {
            for _ in 0..self.rng.below(2) {
                self.stmt(d + 3);
            }
        }
        if self.rng.one_in(2) {
            self.value(d + 2);
        }
        self.token("}");
    }

    /// A value at the end: a block-like expression would end there, so it is no such one.
    fn value(&mut self, d: usize) {
        self.token("(");
        self.wexpr(d);
        self.token(")");
    }

    fn wexpr(&mut self, d: usize) {
        self.expr(d);
        if self.rng.one_in(8) {
            self.where_(d);
        }
    }

    fn expr(&mut self, d: usize) {
        if self.grows(d, 10) {
            self.token("try");
            self.postfix(d + 1);
            self.tokens(&["?>", "g", "(", "1", ")"]);
            match self.rng.below(3) {
                0 => {
                    self.token("else");
                    self.or(d + 1);
                }
                1 => self.tokens(&["catch", "|", "e", "|", "0"]),
                _ => {}
            }
            return;
        }
        self.or(d);
        if self.grows(d, 10) {
            self.tokens(&["|>", "f"]);
        }
    }

    fn or(&mut self, d: usize) {
        self.left_chain(d, &["||"], 12, |g, d| g.left_chain(d, &["&&"], 12, Self::comparison));
    }

    fn left_chain(
        &mut self,
        d: usize,
        ops: &[&str],
        n: usize,
        mut part: impl FnMut(&mut Self, usize),
    ) {
        part(self, d);
        while self.grows(d, n) {
            let op = self.rng.pick(ops);
            self.token(op);
            part(self, d + 1);
        }
    }

    /// At most one operator of each level.
    fn comparison(&mut self, d: usize) {
        self.relation(d);
        if self.grows(d, 12) {
            let op = self.rng.pick(&["==", "!="]);
            self.token(op);
            self.relation(d + 1);
        }
    }

    fn relation(&mut self, d: usize) {
        self.range(d);
        if self.grows(d, 10) {
            let op = self.rng.pick(&["<", ">", "<=", ">=", "in"]);
            self.token(op);
            self.range(d + 1);
        }
    }

    fn range(&mut self, d: usize) {
        self.sum(d);
        if self.grows(d, 12) {
            let op = self.rng.pick(&["..", "..="]);
            self.token(op);
            self.sum(d + 1);
        }
    }

    fn sum(&mut self, d: usize) {
        self.left_chain(d, &["+", "-"], 5, |g, d| {
            g.left_chain(d, &["*", "/", "%"], 6, Self::power)
        });
    }

    fn power(&mut self, d: usize) {
        self.cast(d);
        if self.grows(d, 12) {
            self.token("**");
            self.power(d + 1);
        }
    }

    fn cast(&mut self, d: usize) {
        if self.grows(d, 8) {
            let op = self.rng.pick(&["-", "!", "@", "+"]);
            self.token(op);
        }
        self.postfix(d);
        if self.grows(d, 12) {
            self.tokens(&["as", "f64"]);
        }
    }

    fn postfix(&mut self, d: usize) {
        if !self.grows(d, 3) {
            return self.leaf();
        }
        match self.rng.below(14) {
            0 => {
                self.name();
                self.token("(");
                self.list(0, 3, |g| g.expr(d + 1));
                if self.rng.one_in(4) {
                    self.tokens(&[")", "("]);
                }
                self.token(")");
            }
            1 | 2 => {
                self.name();
                self.token("[");
                self.list(1, 3, |g| g.expr(d + 1));
                self.token("]");
            }
            3 => self.tokens(&["p.a", ".", "b"]),
            4 => self.tokens(&["t.0"]),
            5 => {
                self.token("(");
                self.wexpr(d + 1);
                self.token(")");
            }
            6 => {
                self.token("[");
                self.list(0, 3, |g| g.expr(d + 1));
                self.token("]");
            }
            7 => {
                self.token("[");
                self.expr(d + 1);
                self.tokens(&["|", "q", "in"]);
                self.range(d + 1);
                self.token("]");
            }
            8 => self.reduction(d),
            9 => self.if_(d),
            10 => self.match_(d),
            11 => {
                self.tokens(&["(", "|", "a", ",", "b", ":", "f32", "|"]);
                self.or(d + 1);
                self.token(")");
            }
            12 => {
                self.tokens(&["(", "P", "{", "a", ":"]);
                self.expr(d + 1);
                self.tokens(&[",", "b", "}", ")"]);
            }
            _ => {
                self.token("(");
                self.expr(d + 1);
                self.token(",");
                self.expr(d + 1);
                self.token(")");
            }
        }
    }

    fn reduction(&mut self, d: usize) {
        let name = self.rng.pick(&["sum", "max", "argmin", "mean", "count", "prod", "all"]);
        self.tokens(&[name, "["]);
        self.list(1, 2, |g| {
            g.name();
            if g.rng.one_in(2) {
                g.token("in");
                g.or(d + 2);
            }
        });
        self.tokens(&["]", "("]);
        self.wexpr(d + 1);
        self.token(")");
    }

    fn if_(&mut self, d: usize) {
        self.tokens(&["if", "("]);
        self.or(d + 1);
        self.token(")");
        self.block(d + 1);
        if self.rng.one_in(2) {
            self.token("else");
            self.block(d + 1);
        }
    }

    fn match_(&mut self, d: usize) {
        self.tokens(&["match", "x", "{"]);
        for _ in 0..1 + self.rng.below(3) {
            self.pat();
            if self.rng.one_in(4) {
                self.tokens(&["if", "k", "<", "3"]);
            }
            self.token("=>");
            self.value(d + 1);
            self.token(",");
        }
        self.tokens(&["_", "=>", "0", "}"]);
    }

    fn pat(&mut self) {
        let pat: &[&str] = match self.rng.below(10) {
            0 => &["1", "..=", "3"],
            1 => &["-", "2", "|", "5"],
            2 => &["\"s\""],
            3 => &["true"],
            4 => &["n", "@", "4"],
            5 => &["E", "::", "B", "(", "_", ")"],
            6 => &["P", "{", "a", ",", "b", ":", "0", ",", "..", "}"],
            7 => &["(", "a", ",", "_", ")"],
            8 => &["[", "a", ",", "..rest", "]"],
            _ => &["other"],
        };
        self.tokens(pat);
    }

    fn leaf(&mut self) {
        let leaf = match self.rng.below(12) {
            0 => "0",
            1 => "42",
            2 => "1.5",
            3 => ".25",
            4 => "1e-3",
            5 => "true",
            6 => "\"text {x:.3f} {{\"",
            7 => "std::math::pi",
            8 => "()",
            _ => return self.name(),
        };
        self.token(leaf);
    }
}
