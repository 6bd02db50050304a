//! Random graphs are valid, survive their text form, and evaluate without a panic.

#[path = "text/naive.rs"]
mod naive;
#[path = "text/random_graph.rs"]
mod random_graph;

use naive::Naive;
use proptest::prelude::*;
use random_graph::random_graph;
use weft_tensor::eval::{Binding, Evaluator, Limits};
use weft_tensor::{parse, print, verify};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_printed_is_read_back(choices in prop::collection::vec(any::<u32>(), 0..300)) {
        let graph = random_graph(choices);
        let text = print(&graph);
        prop_assert_eq!(verify(&graph), Ok(()), "{}", text);
        let again = parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(print(&again), text);
        prop_assert_eq!(verify(&again), Ok(()));
    }

    #[test]
    fn what_is_read_back_has_the_same_value(
        choices in prop::collection::vec(any::<u32>(), 0..300),
    ) {
        let graph = random_graph(choices);
        let again = parse(&print(&graph)).expect("the other test's matter");
        let limits = Limits { bytes: 1 << 20, ..Limits::default() };
        let mut first = Evaluator::new(Binding::default());
        let mut second = Evaluator::new(Binding::default());
        for t in graph.tensors.keys() {
            let a = first.observe(&graph, t, &limits);
            let b = second.observe(&again, t, &limits);
            // Debug text, because a NaN is not equal to itself.
            prop_assert_eq!(format!("{a:?}"), format!("{b:?}"));
        }
    }

    #[test]
    fn cells_are_what_the_definition_says(
        choices in prop::collection::vec(any::<u32>(), 0..300),
    ) {
        let graph = random_graph(choices);
        let mut evaluator = Evaluator::new(Binding::default());
        let mut naive = Naive::new(&graph);
        for t in graph.tensors.keys() {
            let expected = naive.observe(t);
            match evaluator.observe(&graph, t, &Limits::default()) {
                Ok(array) => {
                    let cells: Vec<_> = (0..array.len()).map(|at| array.get(at)).collect();
                    prop_assert_eq!(Some(cells), expected.ok(), "{} of {}", t, print(&graph));
                }
                Err(failure) => {
                    prop_assert!(expected.is_err(), "{t}: {failure:?} of {}", print(&graph));
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n]{0,80}") {
        let _ = parse(&text);
    }
}

#[test]
fn an_invalid_graph_is_told_what_is_wrong() {
    let text = "\
site s0 \"a\"
tensor t0 f32 [3] input
tensor t1 i64 [3] partial [a0]
assign a0 t1 {
  iters [i0 \"i\", i1]
  for i0 in 0 .. i1
  e0 f32 = read t0 [i0, 1] at s3
  e1 bool = const true
  e2 f32 = add e0 e1
  write [i0]
  mask e0
  set e2
}
";
    let graph = parse(text).expect("it has the form of a graph");
    let wrong = verify(&graph).expect_err("it is not valid");
    let expected = [
        "a0: the range of i0 uses i1",
        "a0: there is no such site (e0)",
        "a0: one index per axis is needed (e0)",
        "a0: operands of two types (e2)",
        "a0: a mask is a bool",
        "a0: only reductions have masks",
        "a0: the body has another type than the target",
    ];
    assert_eq!(wrong, expected);
}
