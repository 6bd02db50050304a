//! Names that other languages have, and what is written here in their place; and names that
//! mean something elsewhere in the program.

use weft_base::{SourceMap, Span};
use weft_diag::Diagnostic;
use weft_syntax::ast;

/// What is written here for a name that other languages have.
pub(crate) fn of_another_language(
    source: &SourceMap,
    d: Diagnostic,
    name: &ast::Ident,
    words: &str,
    meant: Option<&str>,
) -> Diagnostic {
    let range = matches!(name.as_str(), "range" | "arange");
    match (meant, call_behind(source, name).filter(|_| range)) {
        (Some(meant), _) => d.help_edit(words, name.span, meant),
        (None, Some((whole, range))) => d.help_edit(words, whole, range),
        (None, None) => d.help(words),
    }
}

/// `range(a)` and `range(a, b)`: the call, and the range that it is here.
fn call_behind(source: &SourceMap, name: &ast::Ident) -> Option<(Span, String)> {
    let (_, behind) = source.around(name.span);
    let (inside, _) = behind.strip_prefix('(')?.split_once(')')?;
    let plain = |c: char| c.is_alphanumeric() || " _+-*.,".contains(c);
    let bounds: Vec<&str> = inside.split(',').map(str::trim).collect();
    let end = name.span.end + inside.len() as u32 + 2;
    let range = match bounds.as_slice() {
        [end] if !end.is_empty() => format!("0..{end}"),
        [start, end] => format!("{start}..{end}"),
        _ => return None,
    };
    inside.chars().all(plain).then_some((Span { end, ..name.span }, range))
}

/// What `sum(x in xs)` is told.
pub(crate) fn in_a_head(source: &SourceMap, name: &ast::Ident) -> Option<&'static str> {
    let (before, behind) = source.around(name.span);
    let head = behind.trim_start().starts_with("in ") && before.trim_end().ends_with('(');
    head.then_some(
        "a reduction names its indices in brackets: `sum[i](x[i])`; of a whole tensor it is `sum(x)`",
    )
}

/// What an index is told that nothing binds.
pub(crate) fn index_help(source: &SourceMap, name: &ast::Ident) -> Option<String> {
    let (before, _) = source.around(name.span);
    let text = &name.name;
    let short = text.as_str().chars().count() <= 2;
    (short && stands_as_index(before)).then(|| {
        format!(
            "an index is named by a slot, `let y[{text}] = …`, or by a reduction, `sum[{text}](…)`"
        )
    })
}

/// Whether other languages have a type of this name.
pub(crate) fn has_type(name: &str) -> bool {
    element_type(name).is_some() || is_sequence(name)
}

/// What is said of a type that other languages have.
pub(crate) fn type_(
    source: &SourceMap,
    d: Diagnostic,
    path: &ast::Path,
    args: &[ast::Type],
) -> Diagnostic {
    if let Some(meant) = element_type(path.last().as_str()) {
        return d.help_edit(format!("it is called `{meant}`"), path.span, meant);
    }
    let help = "a tensor's type is `[f64]`, of rank 2 `[f64; ?, ?]`";
    let [of] = args else { return d.help(help) };
    let (_, behind) = source.around(of.span);
    let gap = behind.len() - behind.trim_start().len();
    let end = of.span.end + gap as u32 + 1;
    let whole = Span { end, ..path.span };
    d.help_edit(help, whole, format!("[{}]", source.text(of.span)))
}

/// Whether a text ends inside the brackets of a read.
fn stands_as_index(before: &str) -> bool {
    let mut open = 0;
    let statement = before.rsplit([';', '\n']).next().unwrap_or_default();
    for (at, c) in statement.char_indices().rev() {
        match c {
            ')' | ']' | '}' => open += 1,
            '(' | '{' | '[' if open > 0 => open -= 1,
            '[' => {
                let read = &statement[..at];
                let slots = read.trim_start().starts_with("let ") && !read.contains('=');
                return !slots
                    && read.ends_with(|c: char| c.is_alphanumeric() || "_])".contains(c));
            }
            '(' | '{' => return false,
            _ => {}
        }
    }
    false
}

/// Whether the language itself has what others call so: then nothing is imported for it.
pub(crate) fn is_of_the_language(name: &str) -> bool {
    name == "range"
}

/// What a value of another language is here: words, and the text that stands in for the name
/// where that is all there is to it.
pub(crate) fn value(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let (words, name) = match name {
        "True" | "TRUE" => ("truth values are `true` and `false`", Some("true")),
        "False" | "FALSE" => ("truth values are `true` and `false`", Some("false")),
        "None" | "null" | "nil" | "NULL" | "nullptr" | "undefined" | "Nothing" => (
            "there is no null: an enum says what may be absent (`enum Maybe { Some(f64), Missing }`), `try` what may fail",
            None,
        ),
        "range" | "arange" => ("a range is `0..10`, without its end", None),
        "println" => ("`print` ends its line", Some("print")),
        "printf" | "puts" | "echo" | "display" => {
            ("values are shown by `print`: `print(\"x is {x:.3f}\");`", None)
        }
        "zeros" | "ones" | "full" | "empty" | "fill" | "zeros_like" | "ones_like" => {
            ("an array is defined by its cells: `let x[i in 0..3, j in 0..4] = 0.0;`", None)
        }
        "eye" | "identity" => (
            "an array is defined by its cells: `let e[i in 0..3, j in 0..3] = if i == j { 1.0 } else { 0.0 };`",
            None,
        ),
        "linspace" => (
            "an array is defined by its cells: `let x[i in 0..n] = a + (b - a) * i / (n - 1.0);`",
            None,
        ),
        "grad" | "gradient" | "jacobian" | "backward" | "derivative" => {
            ("a derivative is a quotient of differentials: `@loss / @w`", None)
        }
        "matmul" | "dot" => {
            ("a product of matrices is a sum: `let c[i, j] = sum[k](a[i, k] * b[k, j]);`", None)
        }
        "transpose" => ("a transpose is a definition: `let t[j, i] = x[i, j];`", None),
        "reshape" => (
            "a definition says where each cell comes from: `let y[i, j in 0..3] = x[3 * i + j];`",
            None,
        ),
        "diag" => ("a diagonal names its index twice: `let d[i in 0..n, i] = x[i];`", None),
        "meshgrid" | "mgrid" => {
            ("a grid is a definition over two indices: `let z[i, j] = f(x[i], y[j]);`", None)
        }
        "einsum" | "tensordot" => {
            ("sums name their indices: `let c[i, j] = sum[k](a[i, k] * b[k, j]);`", None)
        }
        "diff" => ("differences are a definition: `let d[i] = x[i + 1] - x[i];`", None),
        "cumprod" => (
            "a running product is a recurrence: `let p[0] = x[0]; let p[t in 1..len(x)] = p[t - 1] * x[t];`",
            None,
        ),
        "scan" | "fori_loop" | "while_loop" | "foldl" | "accumulate" => {
            ("what repeats is an equation: `let u[0] = a; let u[t in 1..n] = f(u[t - 1]);`", None)
        }
        "vmap" | "pmap" | "broadcast" | "vectorize" => {
            ("a function is applied to each row by a definition: `let y[i] = f(x[i]);`", None)
        }
        "jit" => ("programs are compiled as they are", None),
        "std" => ("the standard deviation is `std::stats::stddev(x)`", None),
        "var" => ("it is `std::stats::variance(x)`", Some("std::stats::variance")),
        "average" => ("it is called `mean`: `mean[i](x[i])`", None),
        "sorted" => ("it is `std::array::sort(x)`", Some("std::array::sort")),
        "length" | "numel" => ("it is called `len`; `x.size` counts all", Some("len")),
        "random" | "rand" | "randn" | "randint" | "rng" => (
            "numbers come from a key: `std::random::uniform(std::random::key(1), [n])`, and `normal`, `integers`",
            None,
        ),
        "inf" | "Inf" => ("it is `std::math::infinity`", Some("std::math::infinity")),
        "NaN" | "NAN" => ("it is `std::math::nan`", Some("std::math::nan")),
        "append" | "push" | "concat" | "vstack" | "hstack" => (
            "arrays are joined by `^`: `let c[i ^ j] = a[i] ^ b[j];`; a list is longer by `array_append(xs, x)`",
            None,
        ),
        "str" | "repr" | "to_string" | "string" => {
            ("a string shows a value in braces: `\"{x}\"`", None)
        }
        "ifelse" | "cond" | "select" => ("a choice is `if c { a } else { b }`", None),
        "enumerate" | "zip" => {
            ("cells are read by their index: `[i * x[i] | i in 0..len(x)]`", None)
        }
        "map" | "filter" => ("elements are chosen and mapped by `[f(v) | v in x, v > 0]`", None),
        "int" => ("a conversion is `x as i32`", None),
        "float" => ("a conversion is `x as f64`", None),
        "np" | "numpy" | "jnp" | "torch" | "tf" | "math" | "Math" => {
            ("tensors are part of the language: `sum(x)`, `max(x)`, `std::math::exp(x)`", None)
        }
        "throw" | "raise" | "panic" => ("a run is ended by `assert(false, \"why\")`", None),
        _ => return None,
    };
    Some((words, name))
}

/// What a type of another language is here.
fn element_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "Float64" | "float64" | "double" | "Double" | "real" => "f64",
        "Float32" | "float32" | "single" | "Float" => "f32",
        "Float16" | "float16" | "half" => "f16",
        "Int64" | "int64" | "long" | "Long" | "isize" => "i64",
        "Int32" | "int32" | "Int" | "integer" | "Integer" => "i32",
        "Int16" | "int16" | "short" => "i16",
        "Int8" | "int8" => "i8",
        "UInt64" | "uint64" | "usize" => "u64",
        "UInt32" | "uint32" | "uint" | "unsigned" => "u32",
        "UInt16" | "uint16" => "u16",
        "UInt8" | "uint8" | "byte" => "u8",
        "Bool" | "boolean" | "Boolean" => "bool",
        "String" | "string" | "char" => "str",
        _ => return None,
    })
}

/// Whether a type of another language holds elements in a row.
fn is_sequence(name: &str) -> bool {
    matches!(
        name,
        "Vec"
            | "Vector"
            | "vector"
            | "List"
            | "list"
            | "Array"
            | "array"
            | "ndarray"
            | "Tensor"
            | "Matrix"
    )
}
