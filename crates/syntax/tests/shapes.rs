//! How texts group: one production or rule of precedence per test.

use expect_test::{Expect, expect};
use weft_base::SourceMap;
use weft_syntax::ast::{
    Expr, ExprKind, GenItemKind, ItemKind, NumberValue, PartKind, SlotKind, StmtKind, StrPartKind,
    WhereItemKind,
};
use weft_syntax::{Parse, SyntaxElement, SyntaxKind, SyntaxNode, parse};

fn parsed(text: &str) -> Parse {
    let sources = SourceMap::new();
    let parse = parse(sources.add("t.ein", text), text);
    let errors: Vec<_> = parse.diagnostics().iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    parse
}

/// The tree in brackets: literals and paths as their text, other nodes by their kind.
fn brackets(node: &SyntaxNode) -> String {
    if matches!(node.kind(), SyntaxKind::LiteralExpr | SyntaxKind::PathExpr) {
        return node.text().to_string();
    }
    let parts = node.children_with_tokens().filter_map(|element| match element {
        SyntaxElement::Token(token) if token.kind().is_trivia() => None,
        SyntaxElement::Token(token) => Some(token.text().to_owned()),
        SyntaxElement::Node(node) => Some(brackets(&node)),
    });
    let parts: Vec<_> = parts.collect();
    let kind = format!("{:?}", node.kind());
    format!("{}({})", kind.trim_end_matches("Expr"), parts.join(" "))
}

fn shape(text: &str, expected: Expect) {
    let root = parsed(text).syntax();
    let nodes: Vec<_> = root.children().map(|node| brackets(&node)).collect();
    expected.assert_eq(&nodes.join("\n"));
}

fn tail(text: &str) -> Expr {
    let parse = parsed(text);
    *parse.program().tail.clone().expect("a value at the end")
}

#[test]
fn arithmetic_groups_to_the_left_and_powers_to_the_right() {
    shape(
        "a - b - c * d / e ** f ** g",
        expect!["Binary(Binary(a - b) - Binary(Binary(c * d) / Binary(e ** Binary(f ** g))))"],
    );
}

#[test]
fn prefixes_bind_tighter_than_casts_and_powers() {
    shape(
        "-x as f32 ** @h[t, j].a",
        expect![
            "Binary(Cast(Prefix(- x) as PathType(Path(f32))) ** Prefix(@ Field(Index(h [ Item(t) , Item(j) ]) . a)))"
        ],
    );
}

#[test]
fn differentials_bind_tighter_than_products() {
    shape("lr * @loss / @w", expect!["Binary(Binary(lr * Prefix(@ loss)) / Prefix(@ w))"]);
}

#[test]
fn relations_bind_looser_than_ranges() {
    shape(
        "i + 1 in 0..n - 1 == a < b && c || d",
        expect![
            "Binary(Binary(Binary(In(Binary(i + 1) in Range(0 .. Binary(n - 1))) == Binary(a < b)) && c) || d)"
        ],
    );
}

#[test]
fn pipelines_are_loosest_but_for_where() {
    shape(
        "a || b |> f(c) ?> g !> h else 0 where b = 1, a > 2",
        expect![
            "Where(Recover(Pipe(Pipe(Pipe(Binary(a || b) |> Call(f ( Arg(c) ))) ?> g) !> h) else 0) WhereClause(where WhereItem(b = 1) , WhereItem(Binary(a > 2))))"
        ],
    );
    shape(
        "try f(x) catch |e| e + 1",
        expect!["Recover(Prefix(try Call(f ( Arg(x) ))) catch Lambda(| Param(e) | Binary(e + 1)))"],
    );
}

#[test]
fn block_like_statements_end_at_their_brace() {
    shape(
        "fn f() { if a { b } - c }",
        expect![
            "FnDef(fn f ParamList(( )) Block({ ExprStmt(If(if a Block({ b }))) Prefix(- c) }))"
        ],
    );
    shape(
        "match x { 1 => { 2 } -1 => 3 }",
        expect![
            "Match(match x { Arm(NumberPat(PatNumber(1)) => Block({ 2 })) Arm(NumberPat(PatNumber(- 1)) => 3) })"
        ],
    );
}

#[test]
fn fields_of_fields() {
    shape(
        "t.0.1 + t . 0.1 + f(x).shape.0",
        expect![
            "Binary(Binary(Field(Field(t . 0) . 1) + Field(Field(t . 0) . 1)) + Field(Field(Call(f ( Arg(x) )) . shape) . 0))"
        ],
    );
}

#[test]
fn reductions_need_brackets_and_parentheses() {
    shape(
        "sum[i in 0..n, ..r](x[i, ..r] where i > 0) + max(a, b) + sum[i]",
        expect![
            "Binary(Binary(Reduction(sum [ Head(i in Range(0 .. n)) , Head(Rest(.. r)) ] ( Index(x [ Item(i) , Item(Rest(.. r)) ]) WhereClause(where WhereItem(Binary(i > 0))) )) + Call(max ( Arg(a) , Arg(b) ))) + Index(sum [ Item(i) ]))"
        ],
    );
    shape(
        "reduce[f, e + 1, i](x[i])",
        expect!["Reduce(reduce [ f , Binary(e + 1) , Head(i) ] ( Index(x [ Item(i) ]) ))"],
    );
}

#[test]
fn words_are_names_where_their_keyword_cannot_stand() {
    shape(
        "where(mod(input, reduce), struct, enum) where where = 1",
        expect![
            "Where(Call(where ( Arg(Call(mod ( Arg(input) , Arg(reduce) ))) , Arg(struct) , Arg(enum) )) WhereClause(where WhereItem(where = 1)))"
        ],
    );
    shape(
        "input[0] + jagged + a::match",
        expect!["Binary(Binary(Index(input [ Item(0) ]) + jagged) + a::match)"],
    );
}

#[test]
fn clauses_with_coproducts() {
    shape(
        "let y[i ^ j in 0..3, 0, ..r: 2]: f32 = a[i ^ _] + 1 ^ b where i > 1 else 3;",
        expect![
            "IndexedStmt(let y SlotList([ Slot(Coproduct(i ^ In(j in Range(0 .. 3)))) , Slot(0) , Slot(Rest(.. r : 2)) ]) : PathType(Path(f32)) = Binary(Index(a [ Item(Coproduct(i ^ Discard(_))) ]) + 1) ^ b WhereClause(where WhereItem(Binary(i > 1))) ElseValue(else 3) ;)"
        ],
    );
}

#[test]
fn types_with_closing_angles() {
    shape(
        "let x: A<B<(i32) -> [f32; n + 1, ?, ..r]>>= jagged;",
        expect![
            "LetStmt(let NamePat(x) : PathType(Path(A) < PathType(Path(B) < FnType(( PathType(Path(i32)) ) -> ArrayType([ PathType(Path(f32)) ; Dim(Binary(n + 1)) , Dim(?) , Dim(.. r) ])) >) >) = jagged ;)"
        ],
    );
    shape(
        "let x: jagged[f32; 2d] = y as i32 < 3;",
        expect![
            "LetStmt(let NamePat(x) : JaggedType(jagged [ PathType(Path(f32)) ; 2d ]) = Binary(Cast(y as PathType(Path(i32))) < 3) ;)"
        ],
    );
}

#[test]
fn patterns() {
    shape(
        "match x { -1.5..=2 | a::B => 0, n @ P { x, y: (a, _), .. } if n => 1, [\"s\", ..r] => 2 }",
        expect![[
            r#"Match(match x { Arm(RangePat(PatNumber(- 1.5) ..= PatNumber(2)) | PathPat(Path(a :: B)) => 0) , Arm(BindPat(n @ StructPat(Path(P) { FieldPat(x) , FieldPat(y : TuplePat(( BindPat(a) , WildcardPat(_) ))) , RestPat(..) })) ArmGuard(if n) => 1) , Arm(ArrayPat([ StrPat(String(" s ")) , RestPat(.. r) ]) => 2) })"#
        ]],
    );
}

#[test]
fn strings_hold_expressions() {
    shape(
        r#""a{{{x + "n{y}":>8.3f}\n""#,
        expect![[
            r#"String(" a {{ Interp({ Binary(x + String(" n Interp({ y }) ")) :>8.3f }) \n ")"#
        ]],
    );
    let ExprKind::Str(string) = tail(r#""a{{\u{e9}\n{x:*^+08.3f}z""#).kind else {
        panic!("a string")
    };
    let [text, value, _] = string.parts.as_slice() else { panic!("{string:?}") };
    assert_eq!(text.kind, StrPartKind::Text("a{é\n".to_owned()));
    let StrPartKind::Value { spec: Some(spec), .. } = &value.kind else { panic!("{value:?}") };
    assert_eq!((spec.fill, spec.width, spec.precision), (Some('*'), Some(8), Some(3)));
    assert!(spec.plus && spec.zero);
}

#[test]
fn numbers_have_values() {
    let ExprKind::Array(items) = tail("[1_000, 1e-3, .5, 2.50]").kind else { panic!("an array") };
    let values = items.iter().map(|item| match &item.kind {
        ExprKind::Number(number) => number.value,
        other => panic!("{other:?}"),
    });
    let expected = [
        NumberValue::Int(1000),
        NumberValue::Float(1e-3),
        NumberValue::Float(0.5),
        NumberValue::Float(2.5),
    ];
    assert_eq!(values.collect::<Vec<_>>(), expected);
}

#[test]
fn slots_are_classified() {
    let parse = parsed("let x[i, j in 0..n, 0, n - 1, (k), ..r, i ^ 3 ^ _] = 1;");
    let StmtKind::Indexed(clause) = &parse.program().stmts[0].kind else { panic!("a clause") };
    let kinds: Vec<_> = clause.slots.iter().map(|slot| &slot.kind).collect();
    assert!(matches!(kinds[0], SlotKind::Index { range: None, .. }));
    assert!(matches!(kinds[1], SlotKind::Index { range: Some(_), .. }));
    assert!(matches!(kinds[2..5], [SlotKind::Fixed(_), SlotKind::Fixed(_), SlotKind::Fixed(_)]));
    assert!(matches!(kinds[5], SlotKind::Rest(_)));
    let SlotKind::Coproduct(parts) = kinds[6] else { panic!("a coproduct") };
    assert!(matches!(parts[0].kind, PartKind::Index { .. }));
    assert!(matches!(parts[1].kind, PartKind::Size(3)));
    assert!(matches!(parts[2].kind, PartKind::Discard));
}

#[test]
fn items_are_classified() {
    let ExprKind::Index { items, .. } = tail("x[i + 1, 0..n, ..r, i ^ _]").kind else {
        panic!("a read")
    };
    let [index, range, rest, coproduct] = items.as_slice() else { panic!("four items") };
    assert!(matches!(&index.kind, ItemKind::Expr(e) if matches!(e.kind, ExprKind::Binary { .. })));
    assert!(matches!(&range.kind, ItemKind::Expr(e) if matches!(e.kind, ExprKind::Range { .. })));
    assert!(matches!(rest.kind, ItemKind::Rest(_)));
    assert!(matches!(coproduct.kind, ItemKind::Coproduct(_)));
}

#[test]
fn bindings_and_guards_are_classified() {
    let ExprKind::Where { items, .. } = tail("x where z = 1, z == 1, i in 0..n").kind else {
        panic!("where")
    };
    assert!(matches!(items[0].kind, WhereItemKind::Bind { .. }));
    assert!(matches!(items[1].kind, WhereItemKind::Guard(_)));
    assert!(matches!(items[2].kind, WhereItemKind::Guard(_)));
    let ExprKind::Comprehension { items, .. } = tail("[x | x in s, z = 1, x > z]").kind else {
        panic!("[…]")
    };
    assert!(matches!(items[0].kind, GenItemKind::In { .. }));
    assert!(matches!(items[1].kind, GenItemKind::Bind { .. }));
    assert!(matches!(items[2].kind, GenItemKind::Guard(_)));
}

#[test]
fn a_value_stands_at_the_end_or_nowhere() {
    assert!(parsed("f(x)").program().tail.is_some());
    assert!(parsed("f(x);").program().tail.is_none());
    let if_ = parsed("if a { b }");
    assert!(if_.program().tail.is_some() && if_.program().stmts.is_empty());
}

#[test]
fn spans_of_parenthesised_expressions_include_the_parentheses() {
    let value = tail("  (1 + 2) ");
    assert_eq!((value.span.start, value.span.end), (2, 9));
    assert!(matches!(value.kind, ExprKind::Binary { .. }));
}

#[test]
fn a_negated_power_is_linted() {
    let sources = SourceMap::new();
    let text = "-x ** 2; (-x) ** 2; -(x ** 2); -x ** n; -x ** 3;";
    let parse = parse(sources.add("t.ein", text), text);
    let lints: Vec<_> =
        parse.diagnostics().iter().map(|d| (d.code.as_str(), d.is_error())).collect();
    assert_eq!(lints, [("negated-power", true), ("negated-power", false)]);
}
