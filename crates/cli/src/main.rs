//! placeholder driver
use std::io::Write;
fn main() {
    let mut s = weft::Session::new();
    let a: Vec<String> = std::env::args().collect();
    let text = if a[1] == "-c" { a[2].clone() } else { std::fs::read_to_string(&a[1]).unwrap() };
    let mut o = weft::Options { verify: true, ..Default::default() };
    for g in &a[if a[1] == "-c" { 3 } else { 2 }..] {
        let (n, v) = g.split_once('=').unwrap();
        let v = if v.ends_with(".npy") {
            weft::Given::File(v.into())
        } else {
            weft::Given::Literal(v.into())
        };
        o.given.insert(n.into(), v);
    }
    let (p, d) = s.check("x.ein", &text, &o);
    for d in d.sorted() {
        eprintln!("{}", weft::diag::render_human(&d, &s.sources, false));
    }
    if let Some(p) = p {
        if std::env::var("G").is_ok() {
            println!("{}\n{}", weft_host::print(&p.host), weft_tensor::print(&p.host.graph));
        }
        let how = weft::RunOptions {
            tier: match std::env::var("T").as_deref() {
                Ok("n") => weft::Tier::Native,
                Ok("a") => weft::Tier::Auto,
                _ => weft::Tier::Evaluator,
            },
            strict_fp: std::env::var("S").is_ok(),
            opt: weft::OptLevel::Full,
            verify: true,
            memory_limit: 1 << 32,
            time: std::env::var("TIME").is_ok(),
            show_result: true,
            interrupt: None,
        };
        match s.run(&p, &o, &how, &|_| false, &mut std::io::stdout()) {
            Ok(_) => {}
            Err(weft::RunError::Diagnostic(d)) => {
                eprintln!("{}", weft::diag::render_human(&d, &s.sources, false))
            }
            Err(e) => eprintln!("{e:?}"),
        }
    }
    std::io::stdout().flush().unwrap();
}
