use super::*;
use crate::Loaded;
use crate::kernel::{Outcome, Status};
use weft_loops::parse;

/// Two loops that threads may share, with bodies of their own.
const TWO_LOOPS: &str = "\
(function \"f\"
  (param p0 \"n\" i64)
  (var v0 \"i\")
  (var v1 \"j\")
  (buffer b0 \"a\" i64 out p0)
  (buffer b1 \"b\" i64 out p0)
  (for v0 0 p0 1 parallel
    (store b0 v0 (mul v0 3)))
  (for v1 0 p0 1 parallel
    (store b1 v1 (add (load b0 v1) 1))))
";

#[test]
fn parts_find_each_other() {
    let function = parse(TWO_LOOPS).unwrap();
    let options = Options { verify: true, ..Options::new(Target::host().unwrap()) };
    for parts in 1..=4 {
        let object = compile_in(std::slice::from_ref(&function), &options, parts).unwrap();
        assert_eq!(object_archive::split(&object.bytes).unwrap().len(), parts);
        let loaded = Loaded::new(&object.bytes).unwrap();
        let (mut a, mut b) = ([0_i64; 10], [0_i64; 10]);
        let addresses = [a.as_mut_ptr().cast(), b.as_mut_ptr().cast()];
        let mut status = Status::uninterruptible();
        // SAFETY: the buffers have the `n` elements that the function declares.
        let outcome = unsafe { loaded.kernel("f").unwrap().call(&[10], &addresses, &mut status) };
        assert_eq!(outcome, Outcome::Done);
        assert!((0..10).all(|i| a[i] == 3 * i as i64 && b[i] == a[i] + 1));
    }
}

/// A loop of so many iterations.
fn counted(end: &str) -> Function {
    let text = "(function \"f\"
      (param p0 \"n\" i64)
      (var v0 \"i\")
      (buffer b0 \"a\" i64 out p0)
      (for v0 0 END 1 serial
        (store b0 v0 (mul v0 3))))";
    parse(&text.replace("END", end)).unwrap()
}

#[test]
fn only_code_of_little_known_work_is_brief() {
    assert!(short_running::are_short_running(&[counted("100")]));
    assert!(short_running::are_short_running(&[counted("(min (add 0 100) p0)")]));
    assert!(!short_running::are_short_running(&[counted("1000000")]));
    assert!(!short_running::are_short_running(&[counted("p0")]));
    assert!(!short_running::are_short_running(&[counted("100"), counted("p0")]));
}
