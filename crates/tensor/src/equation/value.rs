//! Values as they are written: operators by their precedence, products as factors.

use weft_scalar::{BinaryOp as Op, Scalar, UnaryOp};
use weft_shape::Size;

/// How tight a text holds its parts together, as in the grammar.
pub(super) mod level {
    pub const WHOLE: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const COMPARISON: u8 = 3;
    pub const SUM: u8 = 5;
    pub const PRODUCT: u8 = 6;
    pub const POWER: u8 = 7;
    pub const CAST: u8 = 8;
    pub const UNARY: u8 = 9;
    pub const ATOM: u8 = 10;
}

/// A value as it is written.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub text: String,
    pub level: u8,
    /// The same as factors, for what it is multiplied with.
    pub product: Product,
    /// The number that it is.
    pub number: Option<f64>,
    /// Whether it is true, where that is known.
    pub truth: Option<bool>,
    /// An extent, or a number of points.
    pub size: Option<Size>,
    /// Base and exponent, where it is a power.
    pub power: Option<(String, u32)>,
    /// The reduction that it is, without its word, and how many points that has.
    pub sum: Option<(String, Size)>,
}

/// `coefficient * over / under`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Product {
    pub coefficient: f64,
    pub over: Vec<String>,
    pub under: Vec<String>,
}

impl Value {
    /// A text that is one factor.
    pub fn new(text: String, level: u8) -> Value {
        let over = vec![enclosed(&text, level, level::POWER)];
        let product = Product { coefficient: 1.0, over, under: Vec::new() };
        let (number, truth, size, power, sum) = (None, None, None, None, None);
        Value { text, level, product, number, truth, size, power, sum }
    }

    pub fn atom(text: String) -> Value {
        Value::new(text, level::ATOM)
    }

    pub fn scalar(v: Scalar) -> Value {
        let text = match v {
            Scalar::Bool(b) => b.to_string(),
            _ => v.number_text(),
        };
        let level = if text.starts_with('-') { level::UNARY } else { level::ATOM };
        let mut value = Value::new(text, level);
        if let Scalar::Bool(b) = v {
            value.truth = Some(b);
            return value;
        }
        value.number = v.as_f64().or_else(|| v.as_i64().map(|n| n as f64));
        if let Some(n) = value.number.filter(|n| n.is_finite()) {
            value.product = Product { coefficient: n, over: Vec::new(), under: Vec::new() };
        }
        value
    }

    /// The text as an operand beside an operator of that level.
    pub fn operand(&self, least: u8) -> String {
        enclosed(&self.text, self.level, least)
    }

    /// Whether it is a number of points; a range that is turned round has none.
    pub fn counts(&self, points: &Size) -> bool {
        self.size.as_ref().is_some_and(|n| n == points || *n == points.larger(&0.into()))
    }

    /// Its inverse.
    pub fn reciprocal(&self) -> Product {
        let exact = |c: f64| c != 0.0 && (1.0 / c) * c == 1.0 && c.abs().log2().fract() == 0.0;
        match (&self.product, self.number) {
            (_, Some(n)) if exact(n) => {
                Product { coefficient: 1.0 / n, over: Vec::new(), under: Vec::new() }
            }
            (Product { coefficient, over, under }, None)
                if over.len() == 1 && under.is_empty() && exact(*coefficient) =>
            {
                Product { coefficient: 1.0 / coefficient, over: Vec::new(), under: over.clone() }
            }
            _ => {
                let under = vec![self.operand(level::POWER)];
                Product { coefficient: 1.0, over: Vec::new(), under }
            }
        }
    }
}

impl Product {
    fn times(&self, other: &Product) -> Product {
        let both = |a: &[String], b: &[String]| a.iter().chain(b).cloned().collect();
        Product {
            coefficient: self.coefficient * other.coefficient,
            over: both(&self.over, &other.over),
            under: both(&self.under, &other.under),
        }
    }
}

fn enclosed(text: &str, level: u8, least: u8) -> String {
    if level < least { format!("({text})") } else { text.to_string() }
}

/// A text that powers can be taken of.
pub(super) fn in_parentheses(text: String) -> String {
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ' ' if depth == 0 => return format!("({text})"),
            _ => {}
        }
    }
    text
}

/// `op x`.
pub(super) fn unary(op: UnaryOp, x: &Value) -> Value {
    match op {
        UnaryOp::Neg => {
            let text = format!("-{}", x.operand(level::UNARY));
            let product = Product { coefficient: -x.product.coefficient, ..x.product.clone() };
            let number = x.number.map(|n| -n);
            Value { product, number, ..Value::new(text, level::UNARY) }
        }
        UnaryOp::Not => Value {
            truth: x.truth.map(|t| !t),
            ..Value::new(format!("!{}", x.operand(level::UNARY)), level::UNARY)
        },
        UnaryOp::BitsNot => Value::atom(format!("not({})", x.text)),
        _ => Value::atom(format!("{}({})", op.name(), x.text)),
    }
}

/// `a op b`.
pub(super) fn binary(op: Op, a: &Value, b: &Value) -> Value {
    let infix =
        |symbol: &str, own: u8| format!("{} {symbol} {}", a.operand(own), b.operand(own + 1));
    let compare = |symbol: &str| {
        let sides = (a.operand(level::SUM), b.operand(level::SUM));
        let text = format!("{} {symbol} {}", sides.0, sides.1);
        let truth = a.number.zip(b.number).map(|(a, b)| compared(op, a, b));
        Value { truth, ..Value::new(text, level::COMPARISON) }
    };
    let call = |name: &str| Value::atom(format!("{name}({}, {})", a.text, b.text));
    match op {
        // Terms of indices are summed from nothing, times one.
        Op::Add if a.text == "0" => b.clone(),
        Op::Mul if b.text == "1" => a.clone(),
        Op::Add if a.text == b.text && a.number.is_none() => {
            let text = format!("2 * {}", a.operand(level::PRODUCT + 1));
            let product = Product { coefficient: 2.0 * a.product.coefficient, ..a.product.clone() };
            Value { product, ..Value::new(text, level::PRODUCT) }
        }
        Op::Add => Value::new(infix("+", level::SUM), level::SUM),
        Op::Sub => Value::new(infix("-", level::SUM), level::SUM),
        Op::Mul => product(a, b, infix("*", level::PRODUCT)),
        Op::Div => {
            let product = a.product.times(&b.reciprocal());
            Value { product, ..Value::new(infix("/", level::PRODUCT), level::PRODUCT) }
        }
        Op::Rem => Value::new(infix("%", level::PRODUCT), level::PRODUCT),
        Op::Pow => Value::new(power(a, b), level::POWER),
        Op::And => Value::new(infix("&&", level::AND), level::AND),
        Op::Or => Value::new(infix("||", level::OR), level::OR),
        Op::Eq => compare("=="),
        Op::Ne => compare("!="),
        Op::Lt => compare("<"),
        Op::Le => compare("<="),
        Op::Gt => compare(">"),
        Op::Ge => compare(">="),
        Op::BitsAnd => call("and"),
        Op::BitsOr => call("or"),
        Op::BitsXor => call("xor"),
        Op::BitsShl => call("shl"),
        Op::BitsShr => call("shr"),
        Op::BitsRotl => call("rotl"),
        Op::Atan2 | Op::Min | Op::Max => call(op.name()),
    }
}

fn compared(op: Op, a: f64, b: f64) -> bool {
    match op {
        Op::Ne => a != b,
        Op::Lt => a < b,
        Op::Le => a <= b,
        Op::Gt => a > b,
        Op::Ge => a >= b,
        _ => a == b,
    }
}

/// A product; of equal factors, a power.
fn product(a: &Value, b: &Value, text: String) -> Value {
    let product = a.product.times(&b.product);
    let of = |v: &Value| v.power.clone().unwrap_or_else(|| (v.operand(level::CAST), 1));
    let ((base, m), (other, n)) = (of(a), of(b));
    if base != other || a.number.is_some() {
        return Value { product, ..Value::new(text, level::PRODUCT) };
    }
    let text = format!("{} ** {}", in_parentheses(base.clone()), m + n);
    Value { product, power: Some((base, m + n)), ..Value::new(text, level::POWER) }
}

fn power(a: &Value, b: &Value) -> String {
    let exponent = match b.number {
        Some(n) if n.fract() == 0.0 => n.to_string(),
        _ => b.operand(level::POWER),
    };
    format!("{} ** {exponent}", a.operand(level::CAST))
}

/// `if c { a } else { b }`, or what it is where that is known.
pub(super) fn choice(c: &Value, a: &Value, b: &Value) -> Value {
    match (c.truth, a.truth, b.truth) {
        (Some(true), ..) => a.clone(),
        (Some(false), ..) => b.clone(),
        (_, _, Some(false)) => {
            let text = format!("{} && {}", c.operand(level::AND), a.operand(level::AND + 1));
            Value::new(text, level::AND)
        }
        (_, Some(true), _) => {
            let text = format!("{} || {}", c.operand(level::OR), b.operand(level::OR + 1));
            Value::new(text, level::OR)
        }
        _ => {
            let text = format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text);
            Value::new(text, level::WHOLE)
        }
    }
}
