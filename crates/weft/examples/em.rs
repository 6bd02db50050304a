fn main() {
    let mut s = weft::Session::new();
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut o = weft::Options { verify: true, ..Default::default() };
    for g in &a[3..] {
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
    let e = match a[2].as_str() {
        "loops" => weft::Emit::Loops,
        "llvm" => weft::Emit::Llvm,
        "asm" => weft::Emit::Asm,
        "plan" => weft::Emit::Plan,
        _ => weft::Emit::Graph,
    };
    println!("{}", s.emit(&p.unwrap(), e, false).unwrap());
}
