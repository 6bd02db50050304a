//! The text form of the steps (the graph has its own).

use crate::{InputTarget, Piece, Program, Step, Value};
use std::fmt::Write;

/// The inputs, steps, outputs and result of a program, a line each.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for input in &program.inputs {
        let target = match input.target {
            InputTarget::Tensor(t) => t.to_string(),
            InputTarget::Param(p) => p.to_string(),
        };
        let dims: Vec<String> = input.shape.iter().map(|s| s.to_string()).collect();
        let _ =
            write!(out, "input {} = {target}: [{}; {}]", input.name, input.elem, dims.join(", "));
        let _ = match input.default {
            Some(t) => writeln!(out, " default {t}"),
            None => writeln!(out),
        };
    }
    steps(&program.steps, 0, &mut out);
    for (name, v) in &program.outputs {
        let _ = writeln!(out, "output {name} = {}", value(v));
    }
    if let Some(v) = &program.result {
        let _ = writeln!(out, "result {}", value(v));
    }
    out
}

fn steps(list: &[Step], depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for step in list {
        let _ = match step {
            Step::Define(p, t) => writeln!(out, "{pad}define {p} = observe {t}"),
            Step::Check(c) => {
                let relation = match c.relation {
                    weft_shape::SizeRelation::Equal => "==",
                    weft_shape::SizeRelation::AtMost => "<=",
                };
                let when: Vec<String> = c.when.iter().map(|(a, b)| format!("{a} < {b}")).collect();
                let when = if when.is_empty() {
                    String::new()
                } else {
                    format!(" when {}", when.join(", "))
                };
                writeln!(out, "{pad}check {} {relation} {}{when}", c.left, c.right)
            }
            Step::Print(values) => {
                let all: Vec<String> = values.iter().map(value).collect();
                writeln!(out, "{pad}print {}", all.join(", "))
            }
            Step::Assert { condition, message, .. } => match message {
                Some(m) => writeln!(out, "{pad}assert {condition}, {}", value(m)),
                None => writeln!(out, "{pad}assert {condition}"),
            },
            Step::If { condition, then, otherwise } => {
                let _ = writeln!(out, "{pad}if {condition}");
                steps(then, depth + 1, out);
                let _ = writeln!(out, "{pad}else");
                steps(otherwise, depth + 1, out);
                writeln!(out, "{pad}end")
            }
        };
    }
}

fn value(v: &Value) -> String {
    match v {
        Value::Tensor(t) => t.to_string(),
        Value::Int(s, ty) => format!("({s} as {ty})"),
        Value::Text(pieces) => pieces.iter().map(piece).collect::<Vec<_>>().join(" ~ "),
        Value::Tuple(ms) => format!("({})", ms.iter().map(value).collect::<Vec<_>>().join(", ")),
    }
}

fn piece(p: &Piece) -> String {
    match p {
        Piece::Text(t) => format!("{t:?}"),
        Piece::Value(v, _) => value(v),
    }
}
