//! Prints what the parser makes of standard input: complaints, and with `--ast` or
//! `--tree` a tree.

use std::io::Read;
use weft_base::SourceMap;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("readable UTF-8 input");
    let mut sources = SourceMap::new();
    let file = sources.add("<stdin>", text.as_str());
    let parse = weft_syntax::parse(file, &text);
    for diagnostic in parse.diagnostics() {
        println!("{}\n", weft_diag::render_human(diagnostic, &sources, false));
    }
    match std::env::args().nth(1).as_deref() {
        Some("--ast") => println!("{:#?}", parse.program()),
        Some("--tree") => print!("{}", weft_syntax::dump_tree(&parse.syntax())),
        _ => {}
    }
}
