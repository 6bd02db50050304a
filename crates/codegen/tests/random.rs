//! Random functions give the same bits as machine code as in the interpreter.

#![allow(unsafe_code, reason = "calls machine code")]

use proptest::prelude::*;
use weft_codegen::{Loaded, OptLevel, Options, Outcome, ParallelBody, Status, Target, compile};
use weft_loops::interp::{Failure, Memory, run};
use weft_loops::random::{Case, case};
use weft_scalar::eval::cast;
use weft_scalar::{Scalar, ScalarType};

/// What a run leaves: its failure, or its buffers.
type Left = Result<Vec<Vec<u64>>, Failure>;

/// Bits, with every NaN made the same.
fn bits(memory: &Memory) -> Vec<u64> {
    let one = |value: Scalar| match value {
        v if v.is_nan() => cast(Scalar::F64(f64::NAN), v.ty()).bits(),
        other => other.bits(),
    };
    memory.scalars().into_iter().map(one).collect()
}

fn interpreted(case: &Case) -> Left {
    let mut buffers = case.buffers.clone();
    run(&case.function, &case.params, &mut buffers, 1 << 15)?;
    Ok(buffers.iter().map(bits).collect())
}

fn compiled(case: &Case, opt: OptLevel, target: &Target) -> Left {
    // Every parallel loop is divided.
    let always = Options { least_parallel_work: 0, ..Options::new(target.clone()) };
    let options = Options { opt, verify: true, ..always };
    let object = compile(std::slice::from_ref(&case.function), &options)
        .unwrap_or_else(|e| panic!("{e}\n{}", case.function));
    let loaded = Loaded::new(&object.bytes).unwrap();
    let kernel = loaded.kernel(&case.function.name).unwrap();
    let params: Vec<u64> = case.params.iter().map(|p| p.bits()).collect();
    let mut buffers = case.buffers.clone();
    let addresses: Vec<*mut u8> = buffers.iter_mut().map(|b| b.bytes.as_mut_ptr()).collect();
    let mut status = Status::uninterruptible().with_threads(backwards, std::ptr::null(), 2);
    // SAFETY: the interpreter has run the same call with every access in bounds.
    match unsafe { kernel.call(&params, &addresses, &mut status) } {
        Outcome::Done => Ok(buffers.iter().map(bits).collect()),
        Outcome::Trapped => Err(Failure::Trap { site: status.site, args: status.args().to_vec() }),
        Outcome::Overflowed => Err(Failure::Overflow),
        Outcome::Interrupted => unreachable!("nobody interrupts"),
        Outcome::Outside => panic!("buffer {} is left: {:?}", status.site, status.args()),
    }
}

/// Chunks in the order that is most unlike the interpreter's.
unsafe extern "C" fn backwards(
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    status: *mut Status,
) -> u32 {
    let mut worst = Status::DONE;
    for chunk in (0..count.div_ceil(size)).rev() {
        let (begin, end) = (chunk * size, count.min((chunk + 1) * size));
        // SAFETY: each chunk is run once, with a status of its own; the last failure kept
        // is that of the first chunk that fails.
        unsafe {
            let mut own = (*status).fork();
            let code = body(environment, chunk, begin, end, &mut own);
            if code != Status::DONE {
                worst = code;
                *status = own;
            }
        }
    }
    worst
}

fn check(seed: u64, opt: OptLevel, target: &Target) {
    let case = case(seed);
    let expected = interpreted(&case);
    if expected == Err(Failure::OutOfFuel) {
        return;
    }
    let found = compiled(&case, opt, target);
    if found != expected {
        panic!("seed {seed} at {opt:?}: {}\n{}", difference(&expected, &found), case.function);
    }
}

fn difference(expected: &Left, found: &Left) -> String {
    let (Ok(expected), Ok(found)) = (expected, found) else {
        return format!("{:?} instead of {:?}", found.as_ref().err(), expected.as_ref().err());
    };
    let mut out = String::new();
    for (b, (expected, found)) in expected.iter().zip(found).enumerate() {
        let ty = ScalarType::ALL[b / 2];
        for (i, (&e, &f)) in expected.iter().zip(found).enumerate().filter(|(_, (e, f))| e != f) {
            let (e, f) = (Scalar::from_bits(ty, e), Scalar::from_bits(ty, f));
            out += &format!("\nb{b}[{i}] is {f} instead of {e}");
        }
    }
    out
}

/// Fewer cases than usual, since each is compiled; `PROPTEST_CASES` overrides.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 40;
    }
    // Seeds do not shrink, and failures print their seed.
    config.max_shrink_iters = 0;
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_functions_fully_optimised(seed: u64) {
        check(seed, OptLevel::Full, &Target::host().unwrap());
    }

    #[test]
    fn random_functions_cheaply(seed: u64) {
        check(seed, OptLevel::Cheap, &Target::host().unwrap());
    }

    #[test]
    fn random_functions_without_optimisation(seed: u64) {
        check(seed, OptLevel::None, &Target::host().unwrap());
    }

    #[test]
    fn random_functions_for_avx2(seed: u64) {
        check(seed, OptLevel::Cheap, &Target::avx2());
    }
}

/// LLVM 22 writes all of a register where one lane of what was narrowed is stored.
#[test]
fn a_narrowed_lane_is_stored_alone() {
    for opt in [OptLevel::None, OptLevel::Cheap, OptLevel::Full] {
        check(5005552531796788111, opt, &Target::host().unwrap());
    }
}
