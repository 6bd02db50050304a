use std::time::Instant;
use weft_codegen::*;
fn main() {
    let t = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let f = weft_loops::parse(&t).unwrap();
    let fs = [f];
    for opt in [OptLevel::None, OptLevel::Cheap, OptLevel::Full] {
        let o = Options { opt, ..Options::new(Target::host().unwrap()) };
        for _ in 0..2 {
            let s = Instant::now();
            let l = emit_llvm(&fs, &o).unwrap();
            let a = s.elapsed();
            let s = Instant::now();
            let ob = compile(&fs, &o).unwrap();
            println!(
                "{opt:?} llvm+opt {:?} all {:?} ir lines {} obj {}",
                a,
                s.elapsed(),
                l.lines().count(),
                ob.bytes.len()
            );
        }
    }
    if let Some(p) = std::env::args().nth(2) {
        let o = Options::new(Target::host().unwrap());
        std::fs::write(
            p,
            if std::env::args().count() > 3 { emit_asm(&fs, &o) } else { emit_llvm(&fs, &o) }
                .unwrap(),
        )
        .unwrap();
    }
}
