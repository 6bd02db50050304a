//! Watching a run: times by definition, traces, measurements.

use super::process::{Folder, weft};

// As many rows as kernels of any height take without repeating one.
const PROGRAM: &str = "let n = 288;
let A[i in 0..n, j in 0..n] = (i + 2 * j) as f64;
let B[i, j] = sum[k](A[i, k] * A[k, j]);
let top = max(B);
let share = sum[i, j](B[i, j] / top);
let u[0] = share;
let u[t in 1..1000] = u[t - 1] * 0.5;
print(u[999] > 0.0);";

#[test]
fn times_are_told_by_definition() {
    let out = weft(&["run", "--tier", "native", "--time", "-c", PROGRAM]).finish();
    assert_eq!(out.stdout, "true\n", "{}", out.stderr);
    let line = |name: &str| {
        let found = out.stderr.lines().find(|l| l.starts_with(&format!("time:   {name} (line ")));
        found.unwrap_or_else(|| panic!("a line for {name} in\n{}", out.stderr))
    };
    // 288³ multiplications and as many additions.
    assert!(line("B").contains("(line 3)") && line("B").contains("47.78 M flop"), "{}", line("B"));
    assert!(line("B").contains("% of the roofline"), "{}", line("B"));
    assert!(line("u").contains("(line 6)"), "{}", line("u"));
}

#[test]
fn a_trace_holds_what_happened_when() {
    let folder = Folder::new("trace");
    let file = folder.path("run.trace.json");
    let out = weft(&["run", "--tier", "native", "--trace", &file, "-c", PROGRAM]).finish();
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("true\n", ""));
    let trace: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |kind: &'static str| events.iter().filter(move |e| e["cat"] == kind);
    assert_eq!(of("check").count(), 1);
    let kernels: Vec<&str> = of("kernel").map(|e| e["name"].as_str().unwrap()).collect();
    assert!(kernels.contains(&"B"), "{kernels:?}");
    let span = |e: &serde_json::Value| {
        let begin = e["ts"].as_f64().unwrap();
        (begin, begin + e["dur"].as_f64().unwrap())
    };
    let (begin, end) = span(of("observe").next().unwrap());
    assert!(of("kernel").map(span).all(|(b, e)| begin <= b && e <= end + 1.0), "{trace}");
    let nowhere = folder.path("no/folder.json");
    let out = weft(&["run", "-c", "print(1);", "--trace", &nowhere]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, "1\n"));
    assert!(out.stderr.contains("cannot write"), "{}", out.stderr);
}

#[test]
fn a_measurement_is_one_object() {
    let program =
        "input n: i64; let s = sum[i in 0..n](i as f64 * 2.0); let t = s + 1.0; print(t);";
    let fixed = ["bench", "-c", program, "-i", "n=1000", "--seconds", "0.01", "--json"];
    let bench = |more: &[&str]| {
        let out = weft(&[&fixed, more].concat()).finish();
        assert_eq!((out.status, out.stderr.as_str()), (0, ""));
        serde_json::from_str::<serde_json::Value>(&out.stdout).unwrap()
    };
    let native = bench(&["--tier", "native", "--threads", "1", "--output", "s"]);
    assert_eq!(native["segments"][0]["tier"], "native");
    assert_eq!(native["segments"][0]["observes"][0], "s");
    // A multiplication and an addition for each; the result is all that is stored.
    assert_eq!((&native["flops"], &native["bytes"]), (&2000.into(), &8.into()));
    assert_eq!((&native["threads"], &native["peak_bytes"]), (&1.into(), &8.into()));
    let ms = |name: &str| native[name].as_f64().unwrap();
    assert!(0.0 < ms("min_ms") && ms("min_ms") <= ms("median_ms"), "{native}");
    assert!(ms("median_ms") <= ms("max_ms") && native["runs"].as_u64().unwrap() >= 3);
    let evaluator = bench(&["--tier", "evaluator"]);
    assert_eq!(
        (&evaluator["segments"][0]["tier"], &evaluator["flops"]),
        (&"evaluator".into(), &0.into())
    );
    let unknown = weft(&[&fixed[..], &["--output", "x"]].concat()).finish();
    assert!(unknown.status == 1 && unknown.stderr.contains("E1101"), "{}", unknown.stderr);
    let text = weft(&fixed[..7]).finish();
    assert!(text.stdout.contains("compile ") && text.stdout.contains(" runs, threads "));
    let nothing = weft(&["bench", "-c", "let a = 1;", "--seconds", "0.01"]).finish();
    assert!(nothing.stdout.starts_with("nothing to measure"), "{}", nothing.stdout);
}

#[test]
fn profilers_are_told_the_names_of_machine_code() {
    let child = weft(&["run", "--tier", "native", "--perf-map", "-c", PROGRAM]).start();
    let map = format!("/tmp/perf-{}.map", child.id());
    let out = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout), "true\n");
    let text = std::fs::read_to_string(&map).unwrap();
    std::fs::remove_file(&map).unwrap();
    let code = text.lines().filter(|l| l.ends_with("weft B [segment0]"));
    assert_eq!(code.count(), 1, "{text}");
    for line in text.lines() {
        let numbers: Vec<u64> =
            line.split(' ').take(2).map(|n| u64::from_str_radix(n, 16).unwrap()).collect();
        assert!(numbers[0] > 0x1000 && numbers[1] > 0, "{line}");
    }
}

#[test]
fn the_first_number_that_is_none_is_told_with_its_operands() {
    let program =
        "let d = [2.0, 0.0, 0.0];\nlet q[i] = 1.0 / d[i];\nlet s = sum[i](q[i]);\nprint(s);";
    assert_eq!(weft(&["run", "-c", program]).finish().stdout, "inf\n");
    let out = weft(&["run", "--trap-nan", "-c", program]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, ""));
    assert!(out.stderr.contains("error[E0008]: div of 1.0 and 0.0 is inf"), "{}", out.stderr);
    assert!(out.stderr.contains("at i = 1"), "{}", out.stderr);
    let sum = "let x = [1e308, 1e308];\nlet s = sum[i](x[i]);\nprint(s);";
    let out = weft(&["run", "--trap-nan", "-c", sum]).finish();
    assert!(out.stderr.contains("sum of 1e308 and 1e308 is inf"), "{}", out.stderr);
    let root = "use std::math::sqrt;\nlet x = [4.0, -1.0];\nlet r[i] = sqrt(x[i]);\nprint(r);";
    let out = weft(&["run", "--trap-nan", "-c", root]).finish();
    assert!(out.stderr.contains("sqrt of -1.0 is NaN"), "{}", out.stderr);
    let given = "input x: [f64; n];\nlet m = max[i](x[i] * 2.0);\nprint(m);";
    let out = weft(&["run", "--trap-nan", "-i", "x=[1.0, inf]", "-c", given]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "inf\n"), "{}", out.stderr);
    let out = weft(&["run", "--trap-nan", "--tier", "native", "-c", program]).finish();
    assert_eq!(out.status, 2, "{}", out.stderr);
}

#[test]
fn cells_are_told_as_they_are_computed() {
    let program =
        "let n = 4;\nlet u[0] = 1.0;\nlet u[t in 1..n] = u[t - 1] * 0.5;\nprint(u[n - 1]);";
    let out = weft(&["run", "--watch", "u", "-c", program]).finish();
    assert_eq!(out.stdout, "0.125\n");
    assert_eq!(out.stderr, "u[0] = 1.0\nu[1] = 0.5\nu[2] = 0.25\nu[3] = 0.125\n");
    let fails = "let d = [3, 0];\nlet q[i] = 6 / d[i];\nprint(q);";
    let out = weft(&["run", "--watch", "q", "-c", fails]).finish();
    assert!(out.stderr.starts_with("q[0] = 2\n"), "{}", out.stderr);
    let out = weft(&["run", "--watch", "v", "-c", program]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, ""));
    assert!(out.stderr.contains("no definition `v` to watch"), "{}", out.stderr);
}
