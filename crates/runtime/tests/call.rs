//! Buffers, checked calls, failures and limits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use weft_codegen::{Options, Target, compile};
use weft_loops::parse;
use weft_runtime::{
    Argument, Buffer, Failure, Library, MemoryAccount, Routine, Threads, interrupt, progress,
};
use weft_scalar::{Scalar, ScalarType};

/// A request to stop is for the whole process: who calls routines here does so alone.
fn alone() -> MutexGuard<'static, ()> {
    static CALLS: Mutex<()> = Mutex::new(());
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn routine(text: &str) -> Routine {
    routine_with(text, Options::new(Target::host().unwrap()))
}

fn routine_with(text: &str, options: Options) -> Routine {
    let functions = vec![parse(text).unwrap()];
    let options = Options { verify: true, ..options };
    let object = compile(&functions, &options).unwrap();
    Library::new(functions, &object).unwrap().routine(0)
}

const SCALE: &str = r#"(function "scale" (param p0 "n" i64) (param p1 "factor" f32) (var v0 "i")
  (buffer b0 "x" f32 in p0) (buffer b1 "y" f32 out p0)
  (for v0 0 p0 1 vector (store b1 v0 (mul p1 (load b0 v0)))))"#;

#[test]
fn a_routine_runs_on_buffers() {
    let _alone = alone();
    let account = Arc::new(MemoryAccount::default());
    let x = Buffer::from_slice(&account, &[1.0_f32, 2.0, 3.0]).unwrap();
    let mut y = Buffer::zeroed(&account, ScalarType::F32, 3).unwrap();
    assert_eq!(account.used(), 24);
    let scale = routine(SCALE);
    let params = [Scalar::I64(3), Scalar::F32(10.0)];
    assert_eq!(scale.sizes(&params), [(ScalarType::F32, 3); 2]);
    scale
        .call(&params, &mut [Argument::Read(&x), Argument::Write(&mut y)], &Threads::default())
        .unwrap();
    assert_eq!(y.as_slice::<f32>(), [10.0, 20.0, 30.0]);
    assert_eq!(y.get(2), Scalar::F32(30.0));
    drop(x);
    assert_eq!((account.used(), account.peak()), (12, 24));
}

#[test]
#[should_panic(expected = "for 4 elements of y of scale")]
fn small_buffers_are_refused() {
    let _alone = alone();
    let account = Arc::new(MemoryAccount::default());
    let x = Buffer::zeroed(&account, ScalarType::F32, 4).unwrap();
    let mut y = Buffer::zeroed(&account, ScalarType::F32, 3).unwrap();
    let params = [Scalar::I64(4), Scalar::F32(1.0)];
    let _ = routine(SCALE).call(
        &params,
        &mut [Argument::Read(&x), Argument::Write(&mut y)],
        &Threads::default(),
    );
}

#[test]
fn limits_and_impossible_sizes_are_failures() {
    let account = Arc::new(MemoryAccount::new(Some(100)));
    let first = Buffer::zeroed(&account, ScalarType::F64, 10).unwrap();
    let failure = Buffer::zeroed(&account, ScalarType::I32, 6).unwrap_err();
    assert_eq!(failure, Failure::OverLimit { bytes: 24, used: 80, limit: 100 });
    drop(first);
    assert!(Buffer::zeroed(&account, ScalarType::I32, 25).is_ok());
    let unlimited = Arc::new(MemoryAccount::default());
    for len in [1 << 60, u64::MAX] {
        let failure = Buffer::zeroed(&unlimited, ScalarType::F32, len).unwrap_err();
        assert!(matches!(failure, Failure::OutOfMemory { .. }), "{failure}");
    }
    assert_eq!(unlimited.used(), 0);
}

#[test]
fn traps_and_requests_to_stop_are_failures() {
    let _alone = alone();
    let text = r#"(function "check" (param p0 "n" i64)
      (if (gt p0 3) (then (trap 9 p0))))"#;
    let check = routine(text);
    assert_eq!(check.call(&[Scalar::I64(3)], &mut [], &Threads::default()), Ok(()));
    let failure = check.call(&[Scalar::I64(4)], &mut [], &Threads::default());
    assert_eq!(failure, Err(Failure::Trap { site: 9, args: vec![4] }));

    let text = r#"(function "long" (var v0 "t") (var v1 "i") (buffer b0 "x" i64 inout 8)
      (for v0 0 9223372036854775807 1 serial
        (for v1 0 8 1 serial (store b0 v1 (add (load b0 v1) v0)))))"#;
    let mut x = Buffer::zeroed(&Arc::default(), ScalarType::I64, 8).unwrap();
    interrupt::request();
    let failure = routine(text).call(&[], &mut [Argument::Write(&mut x)], &Threads::default());
    interrupt::clear();
    assert_eq!(failure, Err(Failure::Interrupted));
    assert!(!interrupt::requested());
}

#[test]
fn parallel_loops_run_on_threads_and_report_the_first_failure() {
    let _alone = alone();
    let text = r#"(function "rows" (param p0 "n" i64) (param p1 "bad" i64)
      (local l0 "sum" f64) (local l1 "row" f64) (var v0 "i") (var v1 "j")
      (buffer b0 "x" f64 in (mul p0 p0)) (buffer b1 "y" f64 out (add p0 1))
      (set l0 0.0f64)
      (for v0 0 p0 1 parallel
        (if (ge v0 p1) (then (trap 4 v0)))
        (set l1 0.0f64)
        (for v1 0 p0 1 vector (accumulate l1 add (load b0 (add (mul v0 p0) v1))))
        (store b1 v0 l1)
        (accumulate l0 add l1))
      (store b1 p0 l0))"#;
    let rows = routine(text);
    let account = Arc::new(MemoryAccount::default());
    let n = 1500_usize;
    let x: Vec<f64> = (0..n * n).map(|i| (i % 10) as f64).collect();
    let x = Buffer::from_slice(&account, &x).unwrap();
    let mut y = Buffer::zeroed(&account, ScalarType::F64, n as u64 + 1).unwrap();
    let mut call = |bad: usize| {
        let params = [Scalar::I64(n as i64), Scalar::I64(bad as i64)];
        rows.call(&params, &mut [Argument::Read(&x), Argument::Write(&mut y)], &Threads::default())
    };
    assert_eq!(call(700), Err(Failure::Trap { site: 4, args: vec![700] }));
    call(n).unwrap();
    let y = y.as_slice::<f64>();
    assert!(y[..n].iter().all(|&row| row == 4.5 * n as f64));
    assert_eq!(y[n], 4.5 * (n * n) as f64);
}

#[test]
fn threads_meet_in_loops_that_follow_each_other() {
    let _alone = alone();
    // Each step adds to every cell its neighbour of the step before: Pascal's triangle.
    let text = r#"(function "steps" (param p0 "n" i64) (param p1 "steps" i64)
      (var v0 "t") (var v1 "i") (buffer b0 "x" i64 inout (mul 2 (add p0 1)))
      (for v0 0 p1 1 serial
        (for v1 1 (add p0 1) 1 parallel
          (def e0 (mul (add p0 1) (floor_mod v0 2)))
          (store b0 (add v1 (sub (add p0 1) e0))
            (add (load b0 (add e0 v1)) (load b0 (add e0 (sub v1 1))))))))"#;
    let eager = Options { least_parallel_work: 0, ..Options::new(Target::host().unwrap()) };
    let steps = routine_with(text, eager);
    let (n, times, at_once) = (16_000_usize, 1_000_usize, 50);
    let mut row = vec![0_i64; n + 1];
    row[1] = 1;
    for _ in 0..times {
        for i in (1..=n).rev() {
            row[i] = row[i].wrapping_add(row[i - 1]);
        }
    }
    for threads in [1, 2, 3, 7] {
        let threads = Threads::new(threads);
        let mut x = Buffer::zeroed(&Arc::default(), ScalarType::I64, 2 * (n as u64 + 1)).unwrap();
        x.as_mut_slice::<i64>()[1] = 1;
        for _ in 0..times / at_once {
            let params = [Scalar::I64(n as i64), Scalar::I64(at_once as i64)];
            steps.call(&params, &mut [Argument::Write(&mut x)], &threads).unwrap();
            // Long enough for some threads to fall asleep at times.
            std::thread::sleep(Duration::from_micros(70));
        }
        assert_eq!(x.as_slice::<i64>()[..=n], row);
    }
}

#[test]
fn memory_is_used_again_within_the_limit() {
    let account = Arc::new(MemoryAccount::new(Some(20 << 20)));
    let mebibytes = |n: u64| Buffer::unset(&account, ScalarType::I64, n << 17);
    for _ in 0..100 {
        let (a, b) = (mebibytes(12).unwrap(), mebibytes(4).unwrap());
        assert_eq!(account.used(), (a.bytes().len() + b.bytes().len()) as u64);
    }
    // Waiting memory gives way to a buffer of another size.
    assert!(mebibytes(20).is_ok());
    assert!(mebibytes(21).is_err());
    let mut dirty = mebibytes(2).unwrap();
    dirty.as_mut_slice::<i64>().fill(-1);
    drop(dirty);
    let clean = Buffer::zeroed(&account, ScalarType::I64, 2 << 17).unwrap();
    assert!(clean.as_slice::<i64>().iter().all(|&n| n == 0));
    drop(clean);
    assert_eq!((account.used(), account.peak()), (0, 20 << 20));
}

/// What was drawn, and then taken away.
#[derive(Default)]
struct Seen {
    steps: Vec<(u64, u64)>,
    cleared: bool,
}

/// Stops the kernel once it has seen it advance.
struct Impatient(Arc<Mutex<Seen>>);

impl progress::Draw for Impatient {
    fn draw(&mut self, _: Duration, steps: Option<(u64, u64)>) {
        let mut seen = self.0.lock().unwrap();
        seen.steps.extend(steps);
        if seen.steps.last() > seen.steps.first() {
            interrupt::request();
        }
    }

    fn clear(&mut self) {
        self.0.lock().unwrap().cleared = true;
    }
}

/// An outer loop of a million turns, of a kind, that takes longer than anyone waits.
fn endless(kind: &str) -> String {
    format!(
        r#"(function "endless" (local l0 "s" f64) (var v0 "i") (var v1 "j")
          (buffer b0 "x" f64 out 1)
          (for v0 0 1000000 1 {kind}
            (set l0 0.0f64)
            (for v1 0 2000 1 serial (set l0 (add (mul l0 0.5f64) (cast f64 (add v0 v1)))))
            (if (gt l0 1e300f64) (then (store b0 0 l0)))))"#
    )
}

#[test]
fn who_waits_sees_how_far_the_outermost_loop_is() {
    let _alone = alone();
    let seen = Arc::<Mutex<Seen>>::default();
    progress::watch(Box::new(Impatient(Arc::clone(&seen))), Duration::ZERO).unwrap();
    for kind in ["serial", "parallel"] {
        let account = Arc::new(MemoryAccount::default());
        let mut x = Buffer::zeroed(&account, ScalarType::F64, 1).unwrap();
        let outcome =
            routine(&endless(kind)).call(&[], &mut [Argument::Write(&mut x)], &Threads::new(2));
        interrupt::clear();
        assert_eq!(outcome, Err(Failure::Interrupted));
        let Seen { steps, cleared } = std::mem::take(&mut *seen.lock().unwrap());
        assert!(cleared);
        assert!(steps.is_sorted() && steps.len() > 1, "{kind}: {steps:?}");
        assert!(steps.iter().all(|s| s.1 == 1_000_000), "{kind}: {steps:?}");
    }
}
