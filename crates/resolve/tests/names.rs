//! What names mean: small programs, resolved and looked at.

use std::collections::BTreeMap;
use weft_base::SourceMap;
use weft_diag::Code;
use weft_hir::{self as hir, ExprKind, Meaning, StmtKind, VarId};
use weft_resolve::{Found, ModuleReader, NoModules, Overrides, Resolved, resolve};
use weft_syntax::ast;

struct Texts(BTreeMap<&'static str, &'static str>);

impl ModuleReader for Texts {
    fn read(&self, path: &[&str]) -> Found {
        match self.0.get(path.join("/").as_str()) {
            Some(text) => Found::Text { name: path.join("/"), text: (*text).to_string() },
            None => Found::Missing(Vec::new()),
        }
    }
}

fn parsed(source: &SourceMap, text: &str) -> ast::Program {
    let file = source.add("main.ein", text);
    let (program, found) = weft_syntax::parse(file, text).into_parts();
    assert!(found.is_empty(), "{found:?}");
    program
}

fn with(text: &str, overrides: &Overrides, reader: &dyn ModuleReader) -> Resolved {
    let source = SourceMap::new();
    let program = parsed(&source, text);
    resolve(&program, &source, overrides, reader)
}

fn resolved(text: &str) -> Resolved {
    with(text, &Overrides::new(), &NoModules)
}

fn sound(text: &str) -> hir::Program {
    let found = resolved(text);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    found.program
}

fn codes(found: &Resolved) -> Vec<Code> {
    found.diagnostics.iter().map(|d| d.code).collect()
}

fn let_of(stmt: &hir::Stmt) -> (&hir::Ident, &hir::Let) {
    let StmtKind::Let(l) = &stmt.kind else { panic!("a `let`") };
    let hir::LetPatternKind::Name(name) = &l.pattern.kind else { panic!("a name") };
    (name, l)
}

fn definitions(stmt: &hir::Stmt) -> &[hir::Definition] {
    let StmtKind::Definitions(all) = &stmt.kind else { panic!("definitions: {stmt:?}") };
    all
}

fn function(stmt: &hir::Stmt) -> &hir::FnDef {
    let StmtKind::Fn(def) = &stmt.kind else { panic!("a function: {stmt:?}") };
    def
}

fn uses(e: &hir::Expr) -> Vec<VarId> {
    let mut out = Vec::new();
    hir::visit::uses_in(e, &mut |v| out.push(v));
    out
}

fn tail(program: &hir::Program) -> &hir::Expr {
    program.tail.as_deref().expect("a value")
}

fn slot_index(slot: &hir::Slot) -> (VarId, Option<VarId>) {
    let hir::SlotKind::Index { name, hides, .. } = &slot.kind else { panic!("an index") };
    (name.var, *hides)
}

#[test]
fn a_name_bound_twice_is_two_variables() {
    let p = sound("let x = 1;\nlet x = x + 1;\nx");
    let ((first, _), (second, l)) = (let_of(&p.stmts[0]), let_of(&p.stmts[1]));
    assert_ne!(first.var, second.var);
    assert_eq!(uses(&l.value), [first.var]);
    assert_eq!(tail(&p).var(), Some(second.var));
    assert!(p.vars[first.var].global);
}

#[test]
fn what_a_block_binds_is_not_global() {
    let p = sound("let y = { let x = 1; x };\ny");
    let local: Vec<bool> = p.vars.values().map(|v| v.global).collect();
    assert_eq!(local, [false, true]);
}

#[test]
fn a_definition_that_comes_later_is_made_before_what_reads_it() {
    let p = sound("let b[i in 0..3] = a[i];\nlet a[i in 0..3] = 1.0 * i;\nb");
    assert_eq!(p.stmts.len(), 2);
    let (a, b) = (&definitions(&p.stmts[0])[0], &definitions(&p.stmts[1])[0]);
    assert_eq!((a.name.as_str(), b.name.as_str()), ("a", "b"));
    assert!(uses(&b.clauses[0].alternatives[0]).contains(&a.name.var));
    assert_eq!(tail(&p).var(), Some(b.name.var));
}

#[test]
fn definitions_that_read_each_other_are_made_together() {
    let p = sound(
        "let a[0] = 1.0;\nlet b[0] = 2.0;\nlet a[t in 1..4] = b[t - 1];\nlet b[t in 1..4] = a[t - 1];\nb",
    );
    let group = definitions(&p.stmts[0]);
    assert_eq!(group.iter().map(|d| d.clauses.len()).collect::<Vec<_>>(), [2, 2]);
    assert!(uses(&group[0].clauses[1].alternatives[0]).contains(&group[1].name.var));
}

#[test]
fn a_clause_means_what_was_bound_before_it() {
    let p = sound("let n = 2;\nlet a[0] = n;\nlet n = 3;\nlet a[1] = n;\na");
    let ((first, _), (second, _)) = (let_of(&p.stmts[0]), let_of(&p.stmts[1]));
    let a = &definitions(&p.stmts[2])[0];
    assert_eq!(a.clauses[0].alternatives[0].var(), Some(first.var));
    assert_eq!(a.clauses[1].alternatives[0].var(), Some(second.var));
    assert_eq!(a.clauses[1].stretch, a.clauses[0].stretch + 1);
}

#[test]
fn a_definition_may_take_the_name_of_what_surrounds_it() {
    let p = sound("let x = 1.0;\nlet y = { let x[i in 0..2] = 2.0; x };\n(x, y)");
    let (outer, _) = let_of(&p.stmts[0]);
    let (_, y) = let_of(&p.stmts[1]);
    let ExprKind::Block(b) = &y.value.kind else { panic!("a block") };
    let inner = &definitions(&b.stmts[0])[0].name;
    assert_ne!(inner.var, outer.var);
    assert_eq!(b.tail.as_ref().and_then(|t| t.var()), Some(inner.var));
}

#[test]
fn items_about_the_index_of_a_reduction_stand_in_it() {
    let p = sound(
        "let x = [1.0, 2.0];\nlet y[i in 0..3] = sum[j in 0..2](x[j] * w * v) where w = j + 1, v = i;",
    );
    let clause = &definitions(&p.stmts[1])[0].clauses[0];
    let hir::WhereItemKind::Bind { name, .. } = &clause.where_items[0].kind else { panic!() };
    assert_eq!((clause.where_items.len(), name.as_str()), (1, "v"));
    let ExprKind::Reduction(r) = &clause.alternatives[0].kind else { panic!("a reduction") };
    let hir::WhereItemKind::Bind { name, value } = &r.where_items[0].kind else { panic!() };
    let hir::HeadKind::Index { name: j, .. } = &r.heads[0].kind else { panic!("an index") };
    assert_eq!(name.as_str(), "w");
    assert_eq!(uses(value), [j.var]);
    assert!(uses(&r.body).contains(&name.var));
}

#[test]
fn slots_of_one_name_are_one_index() {
    let p = sound("let i = 5;\nlet d[i in 0..3, i] = 1.0 * i;");
    let (outer, _) = let_of(&p.stmts[0]);
    let clause = &definitions(&p.stmts[1])[0].clauses[0];
    let (first, second) = (slot_index(&clause.slots[0]), slot_index(&clause.slots[1]));
    assert_eq!(first, (second.0, Some(outer.var)));
    assert!(uses(&clause.alternatives[0]).contains(&first.0));
}

#[test]
fn the_indices_of_a_joined_axis_have_sizes() {
    let p = sound("let a = [1.0];\nlet b = [2.0];\nlet y[i ^ j] = a[i] ^ b[j];");
    let clause = &definitions(&p.stmts[2])[0].clauses[0];
    let hir::SlotKind::Coproduct(parts) = &clause.slots[0].kind else { panic!("joined") };
    let names: Vec<&hir::Ident> = hir::visit::indices_of(parts).collect();
    let (size, idle) = p.vars[names[0].var].component.expect("a component");
    assert_eq!(p.vars[size].name.as_str(), "_size of i");
    assert_eq!(p.vars[idle].name.as_str(), "_not i");
    assert!(uses(&clause.alternatives[1]).contains(&names[1].var));
}

#[test]
fn a_function_sees_what_was_bound_before_it() {
    let found = resolved("let k = 1;\nfn f(x, y = x) { x + k + late }\nlet late = 2;\nf(1)");
    let [only] = codes(&found)[..] else { panic!("one complaint") };
    assert_eq!(only, Code::E0425);
    let p = &found.program;
    let def = function(&p.stmts[1]);
    let x = def.params[0].name.var;
    assert_eq!(def.params[1].default.as_ref().and_then(|e| e.var()), Some(x));
    assert!(!p.vars[x].global);
    let ExprKind::Call { callee, .. } = &tail(p).kind else { panic!("a call") };
    assert_eq!(callee.var(), Some(def.name.var));
}

#[test]
fn functions_that_nothing_calls_are_resolved_too() {
    assert_eq!(codes(&resolved("fn f() { nothing }")), [Code::E0425]);
}

#[test]
fn a_name_that_means_nothing_is_said_once() {
    let found = resolved("let x = nothing + 1;\nx");
    assert_eq!(codes(&found), [Code::E0425]);
    let (x, l) = let_of(&found.program.stmts[0]);
    let ExprKind::Binary { lhs, .. } = &l.value.kind else { panic!("a sum") };
    assert_eq!(lhs.kind, ExprKind::Error);
    assert_eq!(tail(&found.program).var(), Some(x.var));
}

#[test]
fn a_clause_apart_is_said_and_its_name_means_nothing() {
    let found = resolved("let a[0] = 1;\nprint(a);\nlet a[1] = 2;\nprint(a);");
    assert_eq!(codes(&found), [Code::E0506]);
    assert_eq!(definitions(&found.program.stmts[0])[0].clauses.len(), 1);
    let StmtKind::Expr(last) = &found.program.stmts[2].kind else { panic!("a call") };
    assert!(uses(last).is_empty());
}

#[test]
fn a_slot_that_is_no_slot_takes_its_clause_along() {
    let found = resolved("let x = [1, 2];\nlet y[i, i + 1] = x[i];\nprint(y);");
    assert_eq!(codes(&found), [Code::E0509]);
    assert_eq!(found.program.stmts.len(), 2);
}

#[test]
fn a_reading_behind_a_reader_is_given_up() {
    // `print` needs `b` before `a` is whole.
    let found = resolved("let a[0] = 1;\nlet b[i in 0..1] = a[i];\nprint(b);\nlet a[1] = 2;");
    assert_eq!(codes(&found), [Code::E0425]);
}

#[test]
fn the_items_of_modules_stand_behind_the_program() {
    let texts = Texts([("m", "const k = 2;\npub fn twice(x) { k * x }\nfn unused() { k }")].into());
    let found = with("use m::twice;\ntwice(3)", &Overrides::new(), &texts);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let p = found.program;
    assert_eq!(p.items.len(), 3);
    let StmtKind::Const(k) = &p.items[0].kind else { panic!("a constant") };
    let twice = function(&p.items[1]);
    let body = twice.body.tail.as_deref().expect("a value");
    assert!(uses(body).contains(&k.name.var));
    let ExprKind::Call { callee, .. } = &tail(&p).kind else { panic!("a call") };
    assert_eq!(callee.var(), Some(twice.name.var));
    assert!(p.vars[twice.name.var].global && !p.vars[twice.params[0].name.var].global);
    assert!(p.library.is_empty());
}

#[test]
fn the_library_is_read_where_a_path_enters_it() {
    let p = sound("use std::math::exp;\nexp(1.0) + std::intrinsics::pi");
    assert!(!p.library.is_empty() && !p.items.is_empty());
    let ExprKind::Binary { rhs, .. } = &tail(&p).kind else { panic!("a sum") };
    let ExprKind::Use(used) = &rhs.kind else { panic!("a name") };
    assert!(matches!(used.meaning, Meaning::Library(hir::LibraryItem::Constant(_))));
    assert!(sound("1").library.is_empty());
}

#[test]
fn variants_and_types_are_found_by_their_paths() {
    let p =
        sound("enum Shape { Dot, Round(f64) }\nlet s = Shape::Round(1.0);\nfn f(s: Shape) { s }");
    let shape = &p.types[0];
    let (_, s) = let_of(&p.stmts[0]);
    let ExprKind::Call { callee, .. } = &s.value.kind else { panic!("a call") };
    let ExprKind::Use(used) = &callee.kind else { panic!("a name") };
    assert_eq!(used.meaning, Meaning::Variant(shape.name.var));
    let ty = function(&p.stmts[1]).params[0].ty.as_ref().expect("a type");
    assert_eq!(ty.kind, hir::TypeKind::Named { ty: shape.name.var, args: vec![] });
}

#[test]
fn type_parameters_are_places() {
    let p = sound("struct Pair<A, B> { a: B, b: [A; 3] }");
    let pair = &p.types[0];
    let fields = &pair.variants[0].fields;
    assert_eq!(fields[0].1.kind, hir::TypeKind::Generic(1));
    assert_eq!(codes(&resolved("fn f(x: Nowhere) { x }")), [Code::E0412]);
}

#[test]
fn alternatives_of_an_arm_bind_the_same_variables() {
    let p = sound("const two = 2;\nfn f(x) { match x { (1, k) | (k, two) => k, _ => 0 } }");
    let StmtKind::Const(two) = &p.stmts[0].kind else { panic!("a constant") };
    let body = function(&p.stmts[1]).body.tail.as_deref().expect("a value");
    let ExprKind::Match(m) = &body.kind else { panic!("a match") };
    let members = |n: usize| match &m.arms[0].pats[n].kind {
        hir::PatKind::Tuple(members) => members.clone(),
        other => panic!("a tuple: {other:?}"),
    };
    let bind = |p: &hir::Pat| match &p.kind {
        hir::PatKind::Bind { name, constant, .. } => (name.var, *constant),
        other => panic!("a name: {other:?}"),
    };
    let (first, second) = (bind(&members(0)[1]), bind(&members(1)[0]));
    assert_eq!(first, second);
    assert_eq!(bind(&members(1)[1]).1, Some(two.name.var));
    assert_eq!(m.arms[0].body.var(), Some(first.0));
}

#[test]
fn a_pipe_is_a_call_and_builtins_are_only_called() {
    let p = sound("let x = [1.0];\nx |> sum");
    let ExprKind::Call { callee, args } = &tail(&p).kind else { panic!("a call") };
    let ExprKind::Use(used) = &callee.kind else { panic!("a name") };
    assert_eq!((used.meaning.clone(), args.len()), (Meaning::Builtin, 1));
    assert_eq!(codes(&resolved("let f = len;")), [Code::E0425]);
}

#[test]
fn a_generator_of_a_name_that_is_generated_is_a_test() {
    let p = sound("let a = [1, 2];\nlet b = [2, 3];\n[x | x in a, x in b]");
    let ExprKind::Comprehension(c) = &tail(&p).kind else { panic!("a comprehension") };
    let hir::GenItemKind::In { name, .. } = &c.items[0].kind else { panic!("a generator") };
    let hir::GenItemKind::Test { item, .. } = &c.items[1].kind else { panic!("a test") };
    assert_eq!(item.var(), Some(name.var));
    assert_eq!(c.body.var(), Some(name.var));
}

#[test]
fn an_extent_is_bound_where_nothing_has_its_name() {
    let p = sound("input x: [f64; n];\nlet y = n;\nfn f(a: [f64; m], b: [f64; m]) { m }");
    let (_, y) = let_of(&p.stmts[1]);
    let StmtKind::Input(x) = &p.stmts[0].kind else { panic!("an input") };
    let extent = |ty: &hir::Type| match &ty.kind {
        hir::TypeKind::Array { dims: Some(dims), .. } => match &dims[0].kind {
            hir::DimKind::Name(name) => name.var,
            other => panic!("a name: {other:?}"),
        },
        other => panic!("a tensor: {other:?}"),
    };
    assert_eq!(y.value.var(), Some(extent(&x.ty)));
    let def = function(&p.stmts[2]);
    let of = |n: usize| extent(def.params[n].ty.as_ref().expect("a type"));
    assert_eq!(of(0), of(1));
    assert_eq!(def.body.tail.as_ref().and_then(|t| t.var()), Some(of(0)));
}

#[test]
fn a_rest_is_used_where_it_is_bound() {
    let p = sound("let x = [[1.0]];\nlet y[..r] = x[..r];\nlet z = x[..q];");
    let clause = &definitions(&p.stmts[1])[0].clauses[0];
    let hir::SlotKind::Rest(bound) = &clause.slots[0].kind else { panic!("a rest") };
    let ExprKind::Index { items, .. } = &clause.alternatives[0].kind else { panic!("a read") };
    let hir::ItemKind::Rest(used) = &items[0].kind else { panic!("a rest") };
    assert_eq!(used.var, bound.var);
    let (_, z) = let_of(&p.stmts[2]);
    let ExprKind::Index { items, .. } = &z.value.kind else { panic!("a read") };
    let hir::ItemKind::Rest(nowhere) = &items[0].kind else { panic!("a rest") };
    assert_eq!(nowhere.var, None);
}

#[test]
fn a_rule_stands_behind_its_function() {
    let p = sound("@fn f(x) { 2.0 * @x }\nlet k = 1.0;\nfn f(x) { k * x }");
    let f = function(&p.stmts[1]).name.var;
    let StmtKind::DiffRule(rule) = &p.stmts[2].kind else { panic!("a rule") };
    assert_eq!(rule.function, Some(f));
    let p = sound("@fn g(x) { @x }");
    let StmtKind::DiffRule(rule) = &p.stmts[0].kind else { panic!("a rule") };
    assert_eq!(rule.function, None);
}

#[test]
fn a_run_replaces_initialisers_of_the_top_level() {
    let source = SourceMap::new();
    let program = parsed(&source, "let n = 1;\nlet f = { let n = 2; n };");
    let file = source.add("--input", "7");
    let (given, _) = weft_syntax::parse(file, "7").into_parts();
    let value = *given.tail.expect("a value");
    let overrides: Overrides = [("n".to_string(), value)].into();
    let found = resolve(&program, &source, &overrides, &NoModules);
    let (_, n) = let_of(&found.program.stmts[0]);
    let (_, f) = let_of(&found.program.stmts[1]);
    assert!(n.replaced.is_some());
    let ExprKind::Block(b) = &f.value.kind else { panic!("a block") };
    assert!(let_of(&b.stmts[0]).1.replaced.is_none());
}

#[test]
fn an_import_hides_what_was_bound_before_it() {
    let p = sound("mod m { pub fn f() { 1 } }\nlet f = 2;\nlet a = f;\nuse m::f;\nlet b = f();");
    let (f, _) = let_of(&p.stmts[0]);
    let (_, a) = let_of(&p.stmts[1]);
    assert_eq!(a.value.var(), Some(f.var));
    let (_, b) = let_of(&p.stmts[2]);
    let ExprKind::Call { callee, .. } = &b.value.kind else { panic!("a call") };
    assert_eq!(callee.var(), Some(function(&p.items[0]).name.var));
}

/// `python` has no text, and functions of any name.
struct InsidePython;

impl ModuleReader for InsidePython {
    fn read(&self, path: &[&str]) -> Found {
        match path {
            ["python", ..] => Found::Foreign,
            _ => Found::Missing(Vec::new()),
        }
    }
}

#[test]
fn functions_of_modules_without_a_text_are_known_by_their_paths() {
    let text = "use python::numpy as np;\nuse python::numpy::linalg;\nuse python::math::sqrt as root;
let a = np::sort(1.0);\nlet b = linalg::norm(1.0);\nlet c = root(1.0);\nlet d = np::fft::rfft(1.0);";
    let found = with(text, &Overrides::new(), &InsidePython);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let lets = found.program.stmts.iter().filter(|s| matches!(s.kind, StmtKind::Let(_)));
    let paths: Vec<String> = lets
        .map(|s| {
            let ExprKind::Call { callee, .. } = &let_of(s).1.value.kind else { panic!("a call") };
            let ExprKind::Use(used) = &callee.kind else { panic!("a name") };
            let Meaning::Foreign(path) = &used.meaning else { panic!("{:?}", used.meaning) };
            path.to_string()
        })
        .collect();
    let wanted = ["numpy::sort", "numpy::linalg::norm", "math::sqrt", "numpy::fft::rfft"];
    assert_eq!(paths, wanted.map(|p| format!("python::{p}")));
    let shown = hir::print(&found.program);
    let again = hir::parse(&shown).expect("it reads back");
    assert_eq!(hir::print(&again), shown);
    assert!(hir::verify(&found.program).is_ok());
}

#[test]
fn a_wildcard_of_a_module_without_a_text_brings_in_nothing() {
    let found = with("use python::numpy::*;\nsort(1.0)", &Overrides::new(), &InsidePython);
    assert_eq!(codes(&found)[0], Code::E0432);
}
