//! The text form of the steps and values (the graph has its own).

use crate::value::Block;
use crate::{InputTarget, Piece, Program, Shown, Step, Value};
use std::fmt::Write;

/// The inputs, values, steps, outputs and result of a program, a line each, and its
/// functions behind it.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    body(program, 0, &mut out);
    for (id, f) in program.functions.iter() {
        let args: Vec<String> = f.args.iter().map(|a| a.to_string()).collect();
        let name = f.name.as_ref().map_or("lambda", |n| n.as_str());
        let _ = writeln!(out, "function {id} `{name}` ({})", args.join(", "));
        for line in weft_tensor::print(&f.body.graph).lines() {
            let _ = writeln!(out, "  {line}");
        }
        body(&f.body, 1, &mut out);
    }
    out
}

fn body(program: &Program, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for input in &program.inputs {
        let target = match input.target {
            InputTarget::Tensor(t) => t.to_string(),
            InputTarget::Param(p) => p.to_string(),
        };
        let dims: Vec<String> = input.shape.iter().map(|s| s.to_string()).collect();
        let _ = write!(
            out,
            "{pad}input {} = {target}: [{}; {}]",
            input.name,
            input.elem,
            dims.join(", ")
        );
        let _ = match input.default {
            Some(t) => writeln!(out, " default {t}"),
            None => writeln!(out),
        };
    }
    for (id, v) in program.vars.iter() {
        if let Some(v) = v {
            let _ = writeln!(out, "{pad}{id} = {}", value(v, depth));
        }
    }
    for (t, v) in &program.sources {
        let _ = writeln!(out, "{pad}{t} from {}", value(v, depth));
    }
    steps(&program.steps, depth, out);
    for (name, v) in &program.outputs {
        let _ = writeln!(out, "{pad}output {name} = {}", value(&v.value, depth));
    }
    if let Some(v) = &program.result {
        let _ = writeln!(out, "{pad}result {}", value(&v.value, depth));
    }
}

fn steps(list: &[Step], depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for step in list {
        let _ = match step {
            Step::Define(p, Value::Tensor(t)) => writeln!(out, "{pad}define {p} = observe {t}"),
            Step::Define(p, v) => writeln!(out, "{pad}define {p} = {}", value(v, depth)),
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
                writeln!(out, "{pad}print {}", shown_list(values, depth))
            }
            Step::Assert { condition, message, .. } => match message {
                Some(m) => writeln!(
                    out,
                    "{pad}assert {}, {}",
                    value(condition, depth),
                    value(&m.value, depth)
                ),
                None => writeln!(out, "{pad}assert {}", value(condition, depth)),
            },
            Step::If { condition, then, otherwise } => {
                let _ = writeln!(out, "{pad}if {}", value(condition, depth));
                steps(then, depth + 1, out);
                let _ = writeln!(out, "{pad}else");
                steps(otherwise, depth + 1, out);
                writeln!(out, "{pad}end")
            }
            Step::Run(var) => writeln!(out, "{pad}run {var}"),
        };
    }
}

fn shown_list(values: &[Shown], depth: usize) -> String {
    values.iter().map(|v| value(&v.value, depth)).collect::<Vec<_>>().join(", ")
}

fn value(v: &Value, depth: usize) -> String {
    let inner = |v: &Value| value(v, depth);
    let list = |vs: &[Value]| vs.iter().map(inner).collect::<Vec<_>>().join(", ");
    match v {
        Value::Tensor(t) => t.to_string(),
        Value::Int(s, ty, _) => format!("({s} as {ty})"),
        Value::Const(v) => v.to_string(),
        Value::Text(pieces) => {
            pieces.iter().map(|p| piece(p, depth)).collect::<Vec<_>>().join(" ~ ")
        }
        Value::Tuple(ms) => format!("({})", list(ms)),
        Value::Var(id) => id.to_string(),
        Value::Field(v, n) => format!("{}.{n}", inner(v)),
        Value::Unary(op, x, _) => format!("{}({})", op.name(), inner(x)),
        Value::Binary(op, a, b, _) => format!("{}({}, {})", op.name(), inner(a), inner(b)),
        Value::Cast(ty, x) => format!("({} as {ty})", inner(x)),
        Value::If(c, a, b) => {
            format!("if {} {} else {}", inner(c), block(a, depth), block(b, depth))
        }
        Value::Block(b) => block(b, depth),
        Value::Call(f, args, _) => format!("{f}({})", list(args)),
        Value::Extent(v, axis) => format!("extent {axis} of {}", inner(v)),
        Value::Data(op, operands, _) => format!("{op:?}({})", list(operands)),
    }
}

fn block(b: &Block, depth: usize) -> String {
    if b.steps.is_empty() {
        return format!("{{ {} }}", value(&b.value, depth));
    }
    let mut out = "{\n".to_string();
    steps(&b.steps, depth + 1, &mut out);
    let pad = "  ".repeat(depth);
    let _ = write!(out, "{pad}  {}\n{pad}}}", value(&b.value, depth + 1));
    out
}

fn piece(p: &Piece, depth: usize) -> String {
    match p {
        Piece::Text(t) => format!("{t:?}"),
        Piece::Value(v, _) => value(&v.value, depth),
    }
}
