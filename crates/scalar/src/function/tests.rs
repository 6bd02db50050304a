//! Functions by hand: what they give, how they fail, their text.

use super::*;

const FIB: &str = "(function \"fib\" 1 i64 (regs i64 i64 bool i64 i64 i64 i64 i64) (block \
    (set r1 const i64 0x2)(set r2 lt r0 r1) \
    (if r2 (block (give r0)) \
    (block (set r3 sub r0 r1)(call r4 f0 7 (r3))(set r5 const i64 0x1)(set r6 sub r0 r5)\
    (call r3 f0 7 (r6))(set r7 add r3 r4) (give r7)))))";

/// Down to 0 in the place of the result, and the quotient of 12 by it at last.
const DOWN: &str = "(function \"down\" 2 i32 (regs i32 i32 bool i32 i32) (block \
    (set r3 const i32 0x0)(set r2 eq r0 r3) \
    (if r2 (block (set r4 const i32 0xc)(set r4 div r4 r1 5) (give r4)) \
    (block (set r4 const i32 0x1)(set r0 sub r0 r4) (become f1 6 (r0 r1))))))";

fn both() -> Functions {
    Functions::new([FIB, DOWN].map(|t| Some(parse(t).expect("a function"))).to_vec())
}

fn call(f: usize, args: &[Scalar], limits: &Limits<'_>) -> Result<Scalar, Fault> {
    run(&both(), FunctionId::new(f), args, limits)
}

fn i32s(a: i32, b: i32) -> [Scalar; 2] {
    [Scalar::I32(a), Scalar::I32(b)]
}

#[test]
fn recursion_gives_values() {
    let of = |n: i64| call(0, &[Scalar::I64(n)], &Limits::default());
    assert_eq!([of(0), of(1), of(10), of(20)], [0, 1, 55, 6765].map(|n| Ok(Scalar::I64(n))));
}

#[test]
fn calls_in_the_place_of_the_result_are_a_loop() {
    let found = call(1, &i32s(1_000_000, 5), &Limits::default());
    assert_eq!(found, Ok(Scalar::I32(2)));
}

#[test]
fn failures_keep_their_places() {
    let found = call(1, &i32s(3, 0), &Limits::default());
    assert_eq!(found, Err(Fault::Trap { site: 5, trap: crate::eval::Trap::DivisionByZero }));
    let deep =
        |n: i64| call(0, &[Scalar::I64(n)], &Limits { calls: Some(1 << 20), interrupt: None });
    assert_eq!(deep(3 * i64::from(DEEPEST_CALL)), Err(Fault::TooDeep { site: 7 }));
    assert_eq!(deep(50), Err(Fault::Exhausted));
}

/// The quotient and the rest, and a function that adds these.
const SEVERAL: [&str; 2] = [
    "(function \"parts\" 2 (i32 i32) (regs i32 i32 i32 i32) (block \
        (set r2 div r0 r1 1) (set r3 rem r0 r1 2) (give r2 r3)))",
    "(function \"both\" 1 i32 (regs i32 i32 i32 i32) (block \
        (set r1 const i32 0x7) (call (r2 r3) f0 3 (r0 r1)) (set r2 add r2 r3) (give r2)))",
];

#[test]
fn functions_give_several_values() {
    let all: Vec<Function> = SEVERAL.map(|t| parse(t).expect("a function")).to_vec();
    for f in &all {
        assert_eq!(parse(&f.to_string()).as_ref(), Ok(f));
    }
    let all = Functions::new(all.into_iter().map(Some).collect());
    let of = |n: i32| run(&all, FunctionId::new(1), &[Scalar::I32(n)], &Limits::default());
    assert_eq!([of(23), of(-9)], [Ok(Scalar::I32(5)), Ok(Scalar::I32(-3))]);
}

#[test]
fn as_many_values_are_taken_as_given() {
    let wrong = SEVERAL[1].replace("(r2 r3)", "r2");
    let all = [SEVERAL[0], &wrong].map(|t| Some(parse(t).expect("a function")));
    assert_eq!(Functions::try_new(all.to_vec()).err(), Some("f1: f0 gives 2 values".into()));
}

#[test]
fn the_text_reads_back() {
    for (_, f) in both().iter() {
        assert_eq!(parse(&f.to_string()).as_ref(), Ok(f));
    }
    assert!(parse("(function \"f\" 0 i32 (regs) (block (give r0))").is_err());
}

#[test]
#[should_panic(expected = "r0 holds nothing")]
fn what_is_not_set_is_not_used() {
    let f = parse("(function \"f\" 0 i32 (regs i32) (block (give r0)))").expect("a function");
    Functions::new(vec![Some(f)]);
}

#[test]
fn functions_are_kept_with_what_they_call() {
    let all = both();
    let down = FunctionId::new(1);
    assert_eq!(all.reached([down]), vec![down]);
    let only = all.only(&[down], &mut |site| site + 10);
    assert!(only.get(FunctionId::new(0)).is_none() && only.call_at(16) && !only.call_at(15));
}
