//! The functions of a text as it declares them: what a host language needs to call them.

use weft_base::{FileId, Span, entity::EntityRef};
use weft_syntax::ast::{FnDef, Param, StmtKind};

/// A function at the top of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Whether other modules may call it.
    pub public: bool,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type as written, where it is.
    pub ty: Option<String>,
    /// Whether it may be left out.
    pub default: bool,
}

/// The functions at the top of a text, in order; what is wrong with it is not told here.
pub fn functions(text: &str) -> Vec<Signature> {
    let parsed = weft_syntax::parse(FileId::new(0), text);
    let functions = parsed.program().stmts.iter().filter_map(|s| match &s.kind {
        StmtKind::Fn(def) => Some(signature(def, text)),
        _ => None,
    });
    functions.collect()
}

fn signature(def: &FnDef, text: &str) -> Signature {
    let written = |span: Span| text[span.start as usize..span.end as usize].to_string();
    let parameter = |p: &Param| Parameter {
        name: p.name.name.to_string(),
        ty: p.ty.as_ref().map(|ty| written(ty.span)),
        default: p.default.is_some(),
    };
    let parameters = def.params.iter().map(parameter).collect();
    Signature { name: def.name.name.to_string(), public: def.public, parameters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_as_they_are_written() {
        let found = functions("pub fn axpy(a: f64, x: [f64; n], y = 0.0) { a * x + y } let z = 1;");
        let [axpy] = &found[..] else { panic!("one function: {found:?}") };
        let shown: Vec<_> =
            axpy.parameters.iter().map(|p| (&*p.name, p.ty.as_deref(), p.default)).collect();
        let expected =
            [("a", Some("f64"), false), ("x", Some("[f64; n]"), false), ("y", None, true)];
        assert!(axpy.public);
        assert_eq!((axpy.name.as_str(), &shown[..]), ("axpy", &expected[..]));
    }
}
