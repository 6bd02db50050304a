//! Random functions verify, and their text gives them back.

use proptest::prelude::*;
use weft_loops::interp::run;
use weft_loops::random::case;
use weft_loops::{parse, verify};

proptest! {
    #[test]
    fn random_functions_verify_and_read_back(seed: u64) {
        let case = case(seed);
        verify(&case.function).unwrap();
        let text = case.function.to_string();
        let again = parse(&text).unwrap();
        prop_assert_eq!(again.to_string(), text);
        verify(&again).unwrap();
        let (mut first, mut second) = (case.buffers.clone(), case.buffers);
        let expected = run(&case.function, &case.params, &mut first, 1 << 15);
        prop_assert_eq!(run(&again, &case.params, &mut second, 1 << 15), expected);
        prop_assert_eq!(first, second);
    }

    #[test]
    fn random_texts_never_panic(text in "[()a-z0-9 \"\\-]{0,80}") {
        let _ = parse(&text);
        let _ = parse(&format!("(function \"f\" {text}"));
    }
}
