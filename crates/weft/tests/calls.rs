//! A program that is called many times: what one call gave stays, whatever the next ones do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use weft::{Array, Compiler, Error, Inputs};

const SOURCE: &str = "input x: [f64; n];
let shifted[i] = x[i] + 1.0;
let y[i] = 2.0 * shifted[i];
let z[i] = x[i] ** 2 - y[i];";

fn array(len: usize, first: f64) -> Arc<Array> {
    let numbers: Vec<f64> = (0..len).map(|i| first + i as f64).collect();
    Arc::new(Array::from_vec(vec![len], numbers).expect("as many"))
}

fn called(program: &mut weft::Program, x: &Arc<Array>) -> Arc<Array> {
    let outputs = program.run(&Inputs::new().array("x", x.clone()).ask("y"));
    let outputs = outputs.unwrap_or_else(|e| panic!("{e}"));
    outputs.array("y").expect("it was asked for").clone()
}

fn expected(len: usize, first: f64) -> Vec<f64> {
    (0..len).map(|i| 2.0 * (first + i as f64 + 1.0)).collect()
}

#[test]
fn results_of_all_extents_stay_when_others_are_computed() {
    let compiler = Compiler::new();
    let mut program = compiler.compile("test.ein", SOURCE).unwrap_or_else(|e| panic!("{e}"));
    let mut held = Vec::new();
    for round in 0..20 {
        for len in [0, 1, 7, 1_000, 5_000] {
            let first = f64::from(round * 10);
            held.push((len, first, called(&mut program, &array(len, first))));
        }
    }
    for (len, first, y) in held {
        assert_eq!(y.as_slice::<f64>(), Some(&expected(len, first)[..]));
    }
}

#[test]
fn a_limit_is_that_of_each_call() {
    let compiler = Compiler::new().memory_limit(1_100 * 8);
    let mut program = compiler.compile("test.ein", SOURCE).unwrap_or_else(|e| panic!("{e}"));
    let x = array(1_000, 0.5);
    let held: Vec<Arc<Array>> = (0..50).map(|_| called(&mut program, &x)).collect();
    let long = Inputs::new().array("x", array(1_200, 0.5)).ask("y");
    assert!(matches!(program.run(&long), Err(Error::Failed(_))), "1200 numbers do not fit");
    let again = called(&mut program, &x);
    assert!(held.iter().all(|y| **y == *again));
}

#[test]
fn what_is_lent_is_given_back_when_the_call_ends() {
    struct Lent(Vec<f64>, Arc<AtomicUsize>);
    impl Drop for Lent {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }
    impl AsRef<[f64]> for Lent {
        fn as_ref(&self) -> &[f64] {
            &self.0
        }
    }
    let released = Arc::new(AtomicUsize::new(0));
    let compiler = Compiler::new();
    let mut program = compiler.compile("test.ein", SOURCE).unwrap_or_else(|e| panic!("{e}"));
    for call in 0..3 {
        let owner = Arc::new(Lent(vec![1.5; 2_000], released.clone()));
        let x = Arc::new(Array::shared(vec![2_000], owner).expect("as many"));
        let y = called(&mut program, &x);
        assert_eq!(released.load(Ordering::SeqCst), call);
        drop(x);
        assert_eq!(released.load(Ordering::SeqCst), call + 1, "the program holds it no more");
        assert_eq!(y.as_slice::<f64>(), Some(&vec![5.0; 2_000][..]));
    }
}

#[test]
fn programs_of_one_compiler_run_on_threads_of_their_own() {
    let compiler = Compiler::new();
    let run = |first: f64| {
        let program = compiler.compile("test.ein", SOURCE).unwrap_or_else(|e| panic!("{e}"));
        std::thread::spawn(move || {
            let mut program = program;
            (0..50).all(|_| {
                let y = called(&mut program, &array(5_000, first));
                y.as_slice::<f64>() == Some(&expected(5_000, first)[..])
            })
        })
    };
    let threads: Vec<_> = (0..4).map(|n| run(f64::from(n))).collect();
    assert!(threads.into_iter().all(|t| t.join().expect("it ends")));
}

#[test]
fn what_a_program_takes_and_gives_is_told() {
    let source = "input x: [f32; n, 3]; input k: i64 = 2; let y[i] = x[i, 0] * 0.5; let m = 2 * n;
                  let t = (1, 2.5);";
    let program = Compiler::new().compile("test.ein", source).unwrap_or_else(|e| panic!("{e}"));
    let shown = |all: Vec<weft::Declared>| -> Vec<String> {
        let one = |d: weft::Declared| {
            let of = d.tensor.map(|t| format!("{} {:?}", t.elem, t.shape));
            format!("{}: {}{}", d.name, of.unwrap_or_default(), if d.default { " =" } else { "" })
        };
        all.into_iter().map(one).collect()
    };
    assert_eq!(shown(program.inputs()), ["x: f32 [\"n\", \"3\"]", "k: i64 [] ="]);
    assert_eq!(shown(program.outputs())[0], "y: f32 [\"n\"]");
    assert_eq!(shown(program.outputs())[2], "t: ");
}

#[test]
fn functions_of_the_host_are_planned_once() {
    let source = "input x: [f64; n];
        fn halved(v, k: i64) {
            if k == 0 { sum(v) } else { let w[i] = 0.5 * v[i]; 1.0 + halved(w, k - 1) }
        }
        let shifted[i] = x[i] + 1.0;
        let y = halved(x, 6);
        let z = halved(shifted, 6);";
    let mut session = weft::Session::new();
    let mut options = weft::Options::default();
    let (checked, found) = session.check("test.ein", source, &options);
    let checked = checked
        .unwrap_or_else(|| panic!("{}", weft::render_all(&found.sorted(), &session.sources)));
    options.given.insert("x".to_string(), weft::Given::Array(array(1_000, 1.0)));
    let how = weft::RunOptions { tier: weft::Tier::Native, time: true, ..Default::default() };
    let out = &mut std::io::sink();
    let ran = session.run(&checked, &options, &how, &|_| true, out);
    assert!(ran.is_ok());
    let of_w = session.times().iter().filter(|l| l.contains("[w] native"));
    let of_w: Vec<&String> = of_w.collect();
    let planned = of_w.iter().filter(|l| !l.contains("plan 0.000 ms, lower 0.000 ms")).count();
    assert_eq!((of_w.len(), planned), (12, 6), "{of_w:#?}");
}
